#include "privatize/dwarf/strings.h"

#include "privatize/dwarf/constants.h"

#include <string.h>

enum
{
  OFFSET_BYTES = 4 /* in .debug_str_offsets */
};

/* What RELA refers to, of a section of strings, or NULL. */
static const char *
string_at (const struct strings *strings, const Elf64_Rela *rela)
{
  const struct symbol *symbol = rela ? &strings->object->symbols[ELF64_R_SYM (rela->r_info)] : NULL;
  const struct section *section;
  uint64_t at;

  if (!symbol || !is_defined (symbol))
    return NULL;
  section = strings->object->sections[symbol->section];
  at = symbol->elf.st_value + rela->r_addend;
  return section->data && at < section->header.sh_size
                 && memchr (section->data + at, 0, section->header.sh_size - at)
             ? (const char *) section->data + at
             : NULL;
}

const char *
linkage_name (const struct strings *strings, const struct die *die)
{
  static const uint64_t names[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name };
  const struct attribute *name = NULL;
  struct cursor cursor;
  uint64_t index;

  for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
    name = find_attribute_named (die, names[i]);
  if (!name)
    return NULL;
  cursor = (struct cursor){ name->value, name->end, false };
  switch (name->form)
    {
    case DW_FORM_string:
      return (const char *) name->value;
    case DW_FORM_strp:
      return string_at (strings, relocation_at (strings->info, name->value - strings->info->data));
    case DW_FORM_strx:
      index = read_uleb (&cursor);
      break;
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
      index = read_number (&cursor, name->end - name->value);
      break;
    default:
      return NULL;
    }
  return strings->offsets && strings->base != UINT64_MAX ? string_at (
             strings, relocation_at (strings->offsets, strings->base + index * OFFSET_BYTES))
                                                         : NULL;
}
