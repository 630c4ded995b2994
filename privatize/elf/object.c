/* Adds sections, symbols, bytes and relocations to an object. */

#include "privatize/elf/elf.h"

#include <stdlib.h>
#include <string.h>

/* Appends a section; NAME is NULL for one that the string table names already. */
uint32_t
add_section (struct object *object, const char *name, Elf64_Word type, Elf64_Xword flags,
             Elf64_Xword alignment)
{
  struct section *section = xcalloc (1, sizeof *section);

  section->name = section->new_name = name;
  section->header.sh_type = type;
  section->header.sh_flags = flags;
  section->header.sh_addralign = alignment;
  object->sections = grow_array (object->sections, object->section_count + 1,
                                 &object->section_capacity, sizeof *object->sections);
  object->sections[object->section_count] = section;
  return object->section_count++;
}

/* Other objects may have the same group; then only one is linked. */
bool
leaves_with_group (const struct section *section)
{
  return section->header.sh_flags & SHF_GROUP;
}

/* The table NAME that an earlier run has made, and this one has emptied, or 0. */
static uint32_t
find_table (const struct object *object, const char *name)
{
  for (uint32_t i = 1; i < object->section_count; i++)
    if (strcmp (object->sections[i]->name, name) == 0
        && !(object->sections[i]->header.sh_flags & SHF_GROUP)
        && object->sections[i]->header.sh_size == 0)
      return i;
  return 0;
}

uint32_t
add_table (struct object *object, const char *name, Elf64_Xword flags, Elf64_Xword alignment,
           uint32_t owner)
{
  bool leaves = leaves_with_group (object->sections[owner]);
  uint32_t table = leaves ? 0 : find_table (object, name);

  if (table)
    return table;
  table = add_section (object, name, SHT_PROGBITS, flags | (leaves ? SHF_GROUP : 0), alignment);
  object->sections[table]->kind = KIND_PROCESS;
  object->sections[table]->owner = leaves ? owner : 0;
  return table;
}

uint32_t
add_symbol (struct object *object, Elf64_Sym elf, uint32_t section)
{
  object->symbols = grow_array (object->symbols, object->symbol_count + 1, &object->symbol_capacity,
                                sizeof *object->symbols);
  object->symbols[object->symbol_count] = (struct symbol){ .elf = elf, .section = section };
  return object->symbol_count++;
}

/* The STT_SECTION symbol of SECTION, added when there is none. */
uint32_t
section_symbol (struct object *object, uint32_t section)
{
  struct section *s = object->sections[section];

  if (!s->symbol)
    {
      s->symbol = add_symbol (
          object, (Elf64_Sym){ .st_info = ELF64_ST_INFO (STB_LOCAL, STT_SECTION) }, section);
      object->symbols[s->symbol].is_private = s->kind == KIND_PRIVATE;
    }
  return s->symbol;
}

bool
is_mark (const char *symbol, const char *name)
{
  size_t length = name ? strlen (name) : 0;

  return length && strncmp (symbol, name, length) == 0
         && (!symbol[length] || symbol[length] == '.');
}

void
mark_code (struct object *object, uint32_t section)
{
  Elf64_Sym elf = { .st_info = ELF64_ST_INFO (STB_LOCAL, STT_NOTYPE) };

  if (TARGET_CODE_MARK)
    object->symbols[add_symbol (object, elf, section)].new_name = TARGET_CODE_MARK;
}

/* Appends to a section's data and returns where; NULL bytes are zeros. */
uint64_t
append_bytes (struct section *section, const void *bytes, size_t count)
{
  uint64_t at = section->header.sh_size;

  if (at + count > section->capacity)
    {
      const unsigned char *old = section->data;
      bool is_own = section->capacity;
      section->data = grow_array (is_own ? section->data : NULL, at + count, &section->capacity, 1);
      if (!is_own && at)
        memcpy (section->data, old, at);
    }
  if (bytes)
    memcpy (section->data + at, bytes, count);
  else
    memset (section->data + at, 0, count);
  section->header.sh_size += count;
  return at;
}

/* A new SHT_RELA section for SECTION, in the same group if it is in one. */
static void
add_rela_section (struct object *object, uint32_t section)
{
  struct section *s = object->sections[section];
  const char *name = arena_format (".rela%s", s->new_name ? s->new_name : s->name);
  uint32_t index = add_section (object, name, SHT_RELA,
                                SHF_INFO_LINK | (s->header.sh_flags & SHF_GROUP), 8);

  object->sections[index]->header.sh_entsize = sizeof (Elf64_Rela);
  object->sections[index]->header.sh_link = object->symtab;
  object->sections[index]->header.sh_info = section;
  s->rela_section = index;
}

void
append_rela (struct object *object, uint32_t section, Elf64_Rela rela)
{
  struct section *s = object->sections[section];

  if (!s->rela_section)
    add_rela_section (object, section);
  s->rela = grow_array (s->rela, s->rela_count + 1, &s->rela_capacity, sizeof *s->rela);
  s->rela[s->rela_count++] = rela;
}

static int
compare_relas (const void *a, const void *b)
{
  const Elf64_Rela *x = a, *y = b;

  return x->r_offset < y->r_offset ? -1 : x->r_offset > y->r_offset;
}

/* Sorts by offset what nearly always is sorted. */
void
sort_relas (struct section *section)
{
  for (size_t i = 1; i < section->rela_count; i++)
    if (section->rela[i - 1].r_offset > section->rela[i].r_offset)
      {
        qsort (section->rela, section->rela_count, sizeof *section->rela, compare_relas);
        return;
      }
}

/* The index of the first relocation at or after OFFSET of a section whose entries are
   sorted. */
size_t
find_relocation (const struct section *section, uint64_t offset)
{
  Elf64_Rela wanted = { .r_offset = offset };

  return count_before (&wanted, section->rela, section->rela_count, sizeof wanted, compare_relas);
}

/* The relocation of the bytes at OFFSET of such a section, or NULL. */
const Elf64_Rela *
relocation_at (const struct section *section, uint64_t offset)
{
  size_t i = find_relocation (section, offset);

  return i < section->rela_count && section->rela[i].r_offset == offset ? &section->rela[i] : NULL;
}

/* Forgets the entries that a phase has made empty. */
void
drop_empty_relas (struct section *section)
{
  size_t kept = 0;

  for (size_t i = 0; i < section->rela_count; i++)
    if (type_of (&section->rela[i])->kind != RELOC_NONE)
      section->rela[kept++] = section->rela[i];
  section->rela_count = kept;
}

/* The name of a symbol, of its section if it has none. load_object has checked
   that every name ends within the table. */
const char *
symbol_name (const struct object *object, const struct symbol *symbol)
{
  if (symbol->new_name)
    return symbol->new_name;
  if (symbol->elf.st_name == 0 && is_defined (symbol))
    return object->sections[symbol->section]->name;
  return (const char *) object->sections[object->strtab]->data + symbol->elf.st_name;
}
