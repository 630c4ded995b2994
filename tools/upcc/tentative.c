/* A variable that one object puts in section upc_process, and another defines tentatively
   (-fcommon), in each thread. The linker makes one of them without a word. Of an archive
   only the members that are taken count, which the linker's map tells. */

#include "tools/upcc/upcc.h"

#include <gelf.h>
#include <string.h>

#ifndef SHN_X86_64_LCOMMON
#define SHN_X86_64_LCOMMON 0xff02
#endif

/* Names, and which object has each. */
struct definitions
{
  struct words names, objects;
};

static struct definitions tentative, process;

static void
add_definition (struct definitions *definitions, const char *name, const char *object)
{
  words_add (&definitions->names, name);
  words_add (&definitions->objects, object);
}

static bool
is_process_section (Elf *elf, size_t index)
{
  size_t names;
  GElf_Shdr shdr;
  const char *name;

  if (elf_getshdrstrndx (elf, &names) < 0 || !gelf_getshdr (elf_getscn (elf, index), &shdr))
    return false;
  name = elf_strptr (elf, names, shdr.sh_name);
  return name && strcmp (name, "upc_process") == 0;
}

void
collect_definition (Elf *elf, const char *name, const GElf_Sym *symbol, const char *object)
{
  if (symbol->st_shndx == SHN_COMMON || symbol->st_shndx == SHN_X86_64_LCOMMON)
    add_definition (&tentative, name, object);
  else if (GELF_ST_TYPE (symbol->st_info) == STT_OBJECT && symbol->st_shndx < SHN_LORESERVE
           && is_process_section (elf, symbol->st_shndx))
    add_definition (&process, name, object);
}

/* Calls ACT for each two objects that mean different things by a name. */
static void
each_conflict (void (*act) (const char *name, const char *one, const char *each, void *to),
               void *to)
{
  for (size_t p = 0; p < process.names.count; p++)
    for (size_t t = 0; t < tentative.names.count; t++)
      if (strcmp (process.names.item[p], tentative.names.item[t]) == 0)
        act (process.names.item[p], process.objects.item[p], tentative.objects.item[t], to);
}

static void
note_conflict (const char *name, const char *one, const char *each, void *found)
{
  (void) name, (void) one, (void) each;
  *(bool *) found = true;
}

bool
may_conflict (void)
{
  bool found = false;

  each_conflict (note_conflict, &found);
  return found;
}

/* Whether OBJECT, perhaps ARCHIVE(MEMBER), is in the link that MAP describes. */
static bool
is_linked (const char *object, const struct image *map)
{
  return !ends_with (object, ")") || memmem (map->bytes, map->size, object, strlen (object));
}

static void
refuse_conflict (const char *name, const char *one, const char *each, void *map)
{
  if (is_linked (one, map) && is_linked (each, map))
    fail ("%s: '%s' is shared by all threads here but private in %s", one, name, each);
}

void
check_conflicts (const char *map)
{
  struct image image;

  read_image (&image, map, map);
  each_conflict (refuse_conflict, &image);
}
