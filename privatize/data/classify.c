/* Which sections become private: writable ones, except those that all threads share,
   and read-only ones that point to private data. */

#include "privatize/data/data.h"
#include "privatize/data/names.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SHARED_BYTES (1ull << 24)

static bool
is_one_of (const char *name, const char *family)
{
  size_t n = strlen (family);

  return strncmp (name, family, n) == 0 && (name[n] == 0 || name[n] == '.');
}

/* Large shared objects, which the linker script moves to upc_shared. */
#define FAR_SECTION "upc_shared_far"

static enum kind
kind_of (const struct section *section)
{
  const char *name = section->name;
  Elf64_Xword flags = section->header.sh_flags;

  if (!(flags & SHF_ALLOC))
    return KIND_OTHER;
  if (flags & SHF_TLS)
    return KIND_TLS;
  if (strcmp (name, "upc_shared") == 0 || strcmp (name, FAR_SECTION) == 0)
    return KIND_SHARED;
  if (is_process_section (name) || section->header.sh_type == SHT_NOTE)
    return KIND_PROCESS;
  if (is_one_of (name, ".preinit_array") || is_one_of (name, ".init_array")
      || is_one_of (name, ".ctors"))
    return KIND_INIT_ARRAY;
  if (is_one_of (name, ".fini_array") || is_one_of (name, ".dtors"))
    return KIND_FINI_ARRAY;
  if (flags & SHF_EXECINSTR)
    return KIND_TEXT;
  if (!(flags & SHF_WRITE) || is_one_of (name, ".data.rel.ro"))
    return KIND_READONLY;
  return KIND_PRIVATE;
}

/* An assembler makes .data and .bss whether or not something is in them. */
static void
leave_empty_sections (struct object *object)
{
  bool *used = xcalloc (object->section_count, sizeof *used);

  for (size_t i = 1; i < object->symbol_count; i++)
    if (is_defined (&object->symbols[i])
        && ELF64_ST_TYPE (object->symbols[i].elf.st_info) != STT_SECTION)
      used[object->symbols[i].section] = true;
  for (size_t i = 1; i < object->section_count; i++)
    if (object->sections[i]->header.sh_size == 0 && !used[i]
        && object->sections[i]->kind == KIND_PRIVATE)
      object->sections[i]->kind = KIND_PROCESS;
  free (used);
}

/* An object that was rewritten before has tables, and gets new ones. What is told of the
   program's own data goes on being true: a stub for an indirect function stays. */
static void
forget_table (struct section *section)
{
  if (!is_table (section->name) || strcmp (section->name, "upc_choices") == 0)
    return;
  section->header.sh_size = 0;
  section->rela_count = 0;
}

void
classify_sections (struct object *object)
{
  for (size_t i = 1; i < object->section_count; i++)
    {
      struct section *section = object->sections[i];
      section->kind = kind_of (section);
      forget_table (section);
      if (strcmp (section->name, FAR_SECTION) == 0)
        report_error (object, section, 0,
                      "large shared objects must be in section upc_shared: "
                      "give upc-far.ld to ld -r with -T");
      if (section->kind == KIND_TEXT && section->header.sh_flags & SHF_WRITE)
        report_error (object, section, 0,
                      "cannot make section private: it is both writable and executable");
      if (section->kind == KIND_SHARED)
        {
          section->header.sh_type = SHT_NOBITS;
          section->data = NULL;
          /* Only its addresses matter: nothing is read or written there, so it need not
             take gigabytes of address space. */
          if (section->header.sh_size > MOST_SHARED_BYTES && !object->is_separate)
            section->header.sh_size = MOST_SHARED_BYTES;
          section->rela_count = 0;
        }
    }
  leave_empty_sections (object);
}

/* Who points to a section: the read-only sections that hold an address of
   something in it are from[first[section]] to from[first[section + 1] - 1]. */
struct pointers
{
  size_t *first;
  uint32_t *from;
};

static bool
is_pointer_inside (const struct object *object, const Elf64_Rela *rela)
{
  return is_pointer (rela) && is_defined (&object->symbols[ELF64_R_SYM (rela->r_info)]);
}

/* Counts the pointers in read-only data by the section pointed to, or files them. */
static void
each_pointer (const struct object *object, struct pointers *pointers, bool file)
{
  for (size_t i = 1; i < object->section_count; i++)
    {
      const struct section *section = object->sections[i];
      if (section->kind != KIND_READONLY)
        continue;
      for (size_t j = 0; j < section->rela_count; j++)
        if (is_pointer_inside (object, &section->rela[j]))
          {
            uint32_t to = object->symbols[ELF64_R_SYM (section->rela[j].r_info)].section;
            if (file)
              pointers->from[--pointers->first[to]] = i;
            else
              pointers->first[to]++;
          }
    }
}

/* A counting sort by the section pointed to. */
static struct pointers
collect_pointers (const struct object *object)
{
  size_t n = object->section_count;
  struct pointers pointers = { .first = xcalloc (n + 1, sizeof *pointers.first) };

  each_pointer (object, &pointers, false);
  for (size_t i = 1; i <= n; i++)
    pointers.first[i] += pointers.first[i - 1];
  pointers.from = xcalloc (pointers.first[n], sizeof *pointers.from);
  each_pointer (object, &pointers, true);
  /* The sums were the ends of the lists; filing from the back made them starts. */
  return pointers;
}

static bool
points_to_private_symbol (const struct object *object, const struct section *section)
{
  for (size_t i = 0; i < section->rela_count; i++)
    if (is_pointer (&section->rela[i]) && wants_private_address (object, &section->rela[i]))
      return true;
  return false;
}

/* Makes read-only sections private that point to private data, those that point
   to them, and so on; each section is visited once. */
void
propagate_private (struct object *object)
{
  struct pointers pointers = collect_pointers (object);
  uint32_t *queue = xcalloc (object->section_count, sizeof *queue);
  size_t count = 0;

  for (size_t i = 1; i < object->section_count; i++)
    if (object->sections[i]->kind == KIND_READONLY
        && points_to_private_symbol (object, object->sections[i]))
      {
        object->sections[i]->kind = KIND_PRIVATE;
        queue[count++] = i;
      }
  for (size_t next = 0; next < count; next++)
    {
      uint32_t to = queue[next];
      for (size_t i = pointers.first[to]; i < pointers.first[to + 1]; i++)
        if (object->sections[pointers.from[i]]->kind == KIND_READONLY)
          {
            object->sections[pointers.from[i]]->kind = KIND_PRIVATE;
            queue[count++] = pointers.from[i];
          }
    }
  mark_private_symbols (object);
  free (queue);
  free (pointers.first);
  free (pointers.from);
}
