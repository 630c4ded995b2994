/* Functions, blocks and units with one range get a list of ranges instead: their own and those
   of their thunks. Nothing in .debug_info may move, so the offset of the list takes the place of
   the length of the range, followed by a filler. All entries with the same abbreviation change
   together, with the abbreviation. */

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/describe.h"
#include "privatize/dwarf/put.h"

#include <stdlib.h>
#include <string.h>

enum
{
  OFFSET_BYTES = 4,
  HEADER_BYTES = 12, /* of a unit of .debug_rnglists */
  FILLER_LENGTH = 3  /* of DW_FORM_block1, with the byte for it: 8 - OFFSET_BYTES */
};

/* The new lists of one version, at the end of their section. */
struct new_lists
{
  struct splices splices;
  uint64_t start; /* where they begin */
};

/* An entry of .debug_info at AT refers to byte LIST of the new lists. */
struct list_reference
{
  uint64_t at, list;
  const struct new_lists *lists;
};

struct scopes
{
  struct new_lists old, new; /* versions 4 and 5 */
  struct list_reference *references;
  size_t count, capacity;
};

struct range
{
  const struct attribute *low, *high;
  struct place start;
  uint64_t length;
};

/* The range of DIE, if it has one of its own. */
static bool
read_range (const struct description *d, const struct bases *bases, const struct die *die,
            struct range *range)
{
  struct cursor cursor;

  range->low = find_attribute_named (die, DW_AT_low_pc);
  range->high = find_attribute_named (die, DW_AT_high_pc);
  if (!range->high || !read_address (&d->sections, bases, range->low, &range->start))
    return false;
  cursor = (struct cursor){ range->high->value, range->high->end, false };
  range->length = read_number (&cursor, range->high->end - range->high->value);
  return true;
}

static bool
has_thunks (const struct description *d, const struct range *range)
{
  uint32_t index;
  const struct section *code = thunks_of (d, range->start, &index);
  size_t i = code ? find_thunk (code, range->start.offset) : 0;
  struct piece piece;

  return code && next_piece (code, range->start.offset + range->length, &i, &piece);
}

static void
put_range (struct section *text, unsigned version, uint32_t symbol, uint64_t offset,
           uint64_t length)
{
  if (version < 5)
    {
      put_pair (text, symbol, offset, length);
      return;
    }
  put_byte (text, DW_RLE_start_length);
  put_address (text, symbol, offset);
  put_uleb (text, length);
}

/* A list with RANGE and its thunks; returns where. */
static uint64_t
put_list (const struct description *d, struct section *text, unsigned version,
          const struct range *range)
{
  uint64_t at = text->header.sh_size;
  uint32_t index;
  const struct section *code = thunks_of (d, range->start, &index);
  size_t i = code ? find_thunk (code, range->start.offset) : 0;
  struct piece piece;

  put_range (text, version, section_symbol (d->object, range->start.section), range->start.offset,
             range->length);
  while (code && next_piece (code, range->start.offset + range->length, &i, &piece))
    put_range (text, version, section_symbol (d->object, index), piece.from, piece.to - piece.from);
  append_bytes (text, NULL, version < 5 ? 16 : 1);
  return at;
}

/* Lets DIE have a list instead of RANGE. */
static void
change_scope (const struct description *d, struct scopes *scopes, unsigned version,
              const struct range *range)
{
  struct section *info = d->object->sections[d->sections.info];
  struct new_lists *lists = version < 5 ? &scopes->old : &scopes->new;
  uint64_t at = range->high->value - info->data;

  scopes->references = grow_array (scopes->references, scopes->count + 1, &scopes->capacity,
                                   sizeof *scopes->references);
  scopes->references[scopes->count++]
      = (struct list_reference){ at, put_list (d, &lists->splices.text, version, range), lists };
  memset (info->data + at, 0, range->high->end - range->high->value);
  if (range->high->form == DW_FORM_data8)
    info->data[at + OFFSET_BYTES] = FILLER_LENGTH;
}

/* One attribute of an abbreviation of entries that change. The address where a unit begins stays:
   its lists count from there. */
static void
put_changed_attribute (struct section *to, uint64_t tag, uint64_t name, uint64_t form)
{
  if (name == DW_AT_high_pc)
    {
      put_uleb (to, DW_AT_ranges);
      put_uleb (to, DW_FORM_sec_offset);
      if (form != DW_FORM_data8)
        return;
      form = DW_FORM_block1;
    }
  put_uleb (to, name == DW_AT_high_pc || (name == DW_AT_low_pc && tag != DW_TAG_compile_unit)
                    ? DW_AT_hi_user
                    : name);
  put_uleb (to, form);
}

/* The abbreviations of UNIT, from its first to its last, with those that IS_CHANGED. */
static void
put_table (struct section *to, const struct unit *unit, const bool *is_changed)
{
  const struct abbreviations *table = &unit->abbreviations;
  uint64_t name, form;

  for (size_t i = 0; i < table->count; i++)
    {
      const struct abbreviation *abbreviation = &table->list[i];
      struct cursor cursor = { abbreviation->attributes, table->limit, false };
      put_uleb (to, abbreviation->code);
      put_uleb (to, abbreviation->tag);
      put_byte (to, abbreviation->has_children);
      do
        {
          name = read_uleb (&cursor);
          form = read_uleb (&cursor);
          if (is_changed[i])
            put_changed_attribute (to, abbreviation->tag, name, form);
          else
            {
              put_uleb (to, name);
              put_uleb (to, form);
            }
          if (form == DW_FORM_implicit_const)
            put_sleb (to, read_sleb (&cursor));
        }
      while ((name || form) && !cursor.is_bad);
    }
  put_byte (to, 0);
}

static void
replace_abbreviations (const struct description *d, const struct unit *unit, const bool *is_changed)
{
  struct section *abbreviations = d->object->sections[d->abbreviations], table = { 0 };
  Elf64_Rela *rela = (Elf64_Rela *) unit->table;
  const struct symbol *symbol = &d->object->symbols[ELF64_R_SYM (rela->r_info)];

  put_table (&table, unit, is_changed);
  rela->r_addend = append_bytes (abbreviations, table.data, table.header.sh_size)
                   - symbol->elf.st_value;
  free (table.data);
}

/* Calls change_scope for the entries of UNIT, a copy, whose abbreviations are CHANGED; without
   SCOPES it finds those. */
static bool
visit_scopes (const struct description *d, struct unit unit, struct scopes *scopes,
              bool *is_changed)
{
  struct bases bases = { 0 };
  struct die die;
  bool has_changed = false;

  for (bool is_first = true; read_die (&unit, &die); is_first = false)
    {
      struct range range;
      size_t i;
      if (!die.abbreviation)
        continue;
      i = die.abbreviation - unit.abbreviations.list;
      if (is_first)
        bases = read_bases (&d->sections, unit.version, &die);
      if (!read_range (d, &bases, &die, &range))
        continue;
      if (scopes && is_changed[i])
        change_scope (d, scopes, unit.version, &range);
      else if (!scopes && has_thunks (d, &range))
        has_changed = is_changed[i] = true;
    }
  return has_changed;
}

static void
describe_unit (const struct description *d, struct unit *unit, void *to)
{
  bool *is_changed = xcalloc (unit->abbreviations.count + 1, sizeof *is_changed);

  if (visit_scopes (d, *unit, NULL, is_changed))
    {
      visit_scopes (d, *unit, to, is_changed);
      replace_abbreviations (d, unit, is_changed);
    }
  free (is_changed);
}

/* Puts the new lists, if there are more than HEADER bytes, to the end of section INDEX, or to a new
   one, NAME. */
static void
add_lists (const struct description *d, struct new_lists *lists, size_t header, uint32_t index,
           const char *name)
{
  struct splices *splices = &lists->splices;

  if (splices->text.header.sh_size > header)
    {
      splices->section = index ? index : add_section (d->object, name, SHT_PROGBITS, 0, 1);
      lists->start = d->object->sections[splices->section]->header.sh_size;
      begin_splice (splices, lists->start);
      splices->list[0].start = 0;
    }
  apply_splices (d->object, splices);
}

/* The header of the new unit of .debug_rnglists: length, version, bytes of an address, of a
   segment, and no offsets. */
static void
end_rnglists (struct section *text)
{
  uint32_t length = text->header.sh_size - sizeof length;

  memcpy (text->data, &length, sizeof length);
  text->data[4] = 5;
  text->data[6] = sizeof (uint64_t);
}

void
describe_scopes (const struct description *d)
{
  struct scopes scopes = { 0 };

  append_bytes (&scopes.new.splices.text, NULL, HEADER_BYTES);
  for_each_unit (d, &scopes, describe_unit);
  end_rnglists (&scopes.new.splices.text);
  add_lists (d, &scopes.old, 0, d->sections.ranges, ".debug_ranges");
  add_lists (d, &scopes.new, HEADER_BYTES, d->sections.rnglists, ".debug_rnglists");
  for (size_t i = 0; i < scopes.count; i++)
    {
      const struct list_reference *reference = &scopes.references[i];
      uint32_t symbol = section_symbol (d->object, reference->lists->splices.section);
      append_rela (
          d->object, d->sections.info,
          (Elf64_Rela){ .r_offset = reference->at,
                        .r_info = ELF64_R_INFO ((uint64_t) symbol, TARGET_RELOC_ABSOLUTE32),
                        .r_addend = reference->lists->start + reference->list });
    }
  sort_relas (d->object->sections[d->sections.info]);
  free (scopes.references);
}
