/* Names that two objects mean different things by, of which the linker makes one without a word:
   a variable that one object puts in section upc_process, and another defines tentatively
   (-fcommon), in each thread; a C file's THREADS beside UPC's; a shared object of UPC, which is none to C.
   Of an archive only the members that are taken count, which the linker's map tells. */

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
static struct definitions c_variables, upc_variables; /* THREADS and MYTHREAD */
static struct definitions shared, c_names;            /* all that C's objects define or refer to */

/* What one object says and what the other. */
static const struct conflict
{
  const struct definitions *ones, *others;
  const char *one, *other;
} conflicts[] = {
  { &process, &tentative, "shared by all threads", "private" },
  { &c_variables, &upc_variables, "a variable of C", "UPC's" },
  { &shared, &c_names, "shared", "private" },
};

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

static bool
is_upc_variable (const char *name)
{
  return strcmp (name, "THREADS") == 0 || strcmp (name, "MYTHREAD") == 0;
}

void
collect_definition (Elf *elf, const char *name, const GElf_Sym *symbol, const char *object)
{
  if (symbol->st_shndx == SHN_COMMON || symbol->st_shndx == SHN_X86_64_LCOMMON)
    add_definition (&tentative, name, object);
  else if (GELF_ST_TYPE (symbol->st_info) == STT_OBJECT && symbol->st_shndx < SHN_LORESERVE
           && is_process_section (elf, symbol->st_shndx))
    add_definition (&process, name, object);
  if (is_upc_variable (name))
    add_definition (&c_variables, name, object);
}

/* Objects of upcc have other names for these. */
void
collect_reference (const char *name, const char *object)
{
  if (is_upc_variable (name))
    add_definition (&upc_variables, name, object);
}

void
collect_shared_name (const char *name, const char *object)
{
  add_definition (&shared, name, object);
}

void
collect_c_name (const char *name, const char *object)
{
  add_definition (&c_names, name, object);
}

typedef void conflict_act (const struct conflict *conflict, size_t one, size_t other, void *to);

/* There may be many of the others, of which few conflict. */
static void
each_conflict_of (const struct conflict *conflict, conflict_act *act, void *to)
{
  const struct words *ones = &conflict->ones->names, *others = &conflict->others->names;
  struct hash_table *names = hash_new ();

  for (size_t p = 0; p < ones->count; p++)
    hash_add (names, ones->item[p], strlen (ones->item[p]));
  for (size_t t = 0; ones->count && t < others->count; t++)
    if (hash_find (names, others->item[t], strlen (others->item[t])) != HASH_NONE)
      for (size_t p = 0; p < ones->count; p++)
        if (strcmp (ones->item[p], others->item[t]) == 0)
          act (conflict, p, t, to);
  hash_free (names);
}

/* Calls ACT for each two objects that mean different things by a name. */
static void
each_conflict (conflict_act *act, void *to)
{
  for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++)
    each_conflict_of (&conflicts[i], act, to);
}

static void
note_conflict (const struct conflict *conflict, size_t one, size_t other, void *found)
{
  (void) conflict, (void) one, (void) other;
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
refuse_conflict (const struct conflict *conflict, size_t p, size_t t, void *map)
{
  const char *one = conflict->ones->objects.item[p], *other = conflict->others->objects.item[t];

  if (is_linked (one, map) && is_linked (other, map))
    fail ("%s: '%s' is %s here but %s in %s", one, conflict->ones->names.item[p], conflict->one,
          conflict->other, other);
}

void
check_conflicts (const char *map)
{
  struct image image;

  read_image (&image, map, map);
  each_conflict (refuse_conflict, &image);
}
