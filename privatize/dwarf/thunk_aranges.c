/* .debug_aranges: the addresses of each unit. */

#include "privatize/dwarf/describe.h"

#include <string.h>

enum
{
  LENGTH_BYTES = 4,
  HEADER_BYTES = 16, /* with the padding behind it */
  ADDRESS_BYTES = 8
};

/* The thunks of the LENGTH bytes of text that RELA is the start of. */
static void
put_thunks (const struct description *d, struct section *text, const Elf64_Rela *rela,
            uint64_t length)
{
  const struct symbol *symbol = &d->object->symbols[ELF64_R_SYM (rela->r_info)];
  struct place place = { symbol->section, symbol->elf.st_value + rela->r_addend };
  uint32_t index;
  const struct section *code = is_defined (symbol) ? thunks_of (d, place, &index) : NULL;
  size_t i = code ? find_thunk (code, place.offset) : 0;
  struct piece piece;

  while (code && next_piece (code, place.offset + length, &i, &piece))
    {
      uint64_t bytes = piece.to - piece.from;
      put_address (text, section_symbol (d->object, index), piece.from);
      append_bytes (text, &bytes, sizeof bytes);
    }
}

/* One set, up to its last entry, which is zero. */
static void
describe_set (const struct description *d, struct splices *splices, const struct section *section,
              struct cursor set)
{
  uint64_t at = 0;

  read_bytes (&set, HEADER_BYTES - LENGTH_BYTES);
  begin_splice (splices, 0);
  while (!set.is_bad)
    {
      const Elf64_Rela *rela;
      uint64_t length;
      at = set.at - section->data;
      rela = relocation_at (section, at);
      read_number (&set, ADDRESS_BYTES);
      length = read_number (&set, ADDRESS_BYTES);
      if (!rela && !length)
        break;
      if (rela && !set.is_bad)
        put_thunks (d, &splices->text, rela, length);
    }
  splices->list[splices->count - 1].at = at;
  if (set.is_bad)
    drop_splice (splices);
}

void
describe_aranges (const struct description *d)
{
  struct splices splices = { .units = UNITS_WITH_LENGTHS };

  for (size_t i = 1; i < d->object->input_section_count && !splices.section; i++)
    if (d->object->sections[i]->data && d->object->sections[i]->kind == KIND_OTHER
        && strcmp (d->object->sections[i]->name, ".debug_aranges") == 0)
      splices.section = i;
  if (splices.section)
    {
      struct section *section = d->object->sections[splices.section];
      struct cursor cursor = { section->data, section->data + section->header.sh_size, false };
      sort_relas (section);
      while (cursor.at < cursor.end && !cursor.is_bad)
        {
          struct cursor set;
          uint64_t length = read_number (&cursor, LENGTH_BYTES);
          set = cursor;
          if (!read_bytes (&cursor, length))
            break;
          set.end = cursor.at;
          describe_set (d, &splices, section, set);
        }
    }
  apply_splices (d->object, &splices);
}
