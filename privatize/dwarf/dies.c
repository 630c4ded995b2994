#include "privatize/dwarf/dies.h"

#include "privatize/dwarf/constants.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MOST_ABBREVIATIONS = 1 << 20
};

static int
compare_codes (const void *a, const void *b)
{
  const struct abbreviation *x = a, *y = b;

  return x->code < y->code ? -1 : x->code > y->code;
}

static void
skip_attributes (struct cursor *cursor)
{
  uint64_t name, form;

  do
    {
      name = read_uleb (cursor);
      form = read_uleb (cursor);
      if (form == DW_FORM_implicit_const)
        read_sleb (cursor);
    }
  while ((name || form) && !cursor->is_bad);
}

static bool
read_abbreviations (const struct section *section, uint64_t offset, struct abbreviations *table)
{
  struct cursor cursor = { section->data, section->data + section->header.sh_size, false };

  if (!read_bytes (&cursor, offset))
    return false;
  table->start = cursor.at;
  table->limit = cursor.end;
  while (!cursor.is_bad && table->count < MOST_ABBREVIATIONS)
    {
      struct abbreviation next = { 0 };
      table->end = cursor.at;
      next.code = read_uleb (&cursor);
      if (!next.code)
        break;
      next.tag = read_uleb (&cursor);
      next.has_children = read_number (&cursor, 1);
      next.attributes = cursor.at;
      skip_attributes (&cursor);
      table->list = grow_array (table->list, table->count + 1, &table->capacity,
                                sizeof *table->list);
      table->list[table->count++] = next;
      if (next.code > table->largest)
        table->largest = next.code;
    }
  if (table->count)
    qsort (table->list, table->count, sizeof *table->list, compare_codes);
  return !cursor.is_bad;
}

static const struct abbreviation *
find_abbreviation (const struct abbreviations *table, uint64_t code)
{
  struct abbreviation wanted = { .code = code };

  return table->count ? bsearch (&wanted, table->list, table->count, sizeof wanted, compare_codes)
                      : NULL;
}

/* Reads the header after the length. */
static bool
read_header (const struct section *section, struct unit *unit)
{
  struct cursor *cursor = &unit->entries;
  bool is_known;

  unit->version = read_number (cursor, 2);
  is_known = unit->version >= 2 && unit->version <= 5;
  if (unit->version >= 5)
    {
      is_known = read_number (cursor, 1) == DW_UT_compile && is_known;
      is_known = read_number (cursor, 1) == sizeof (uint64_t) && is_known;
    }
  unit->table = relocation_at (section, cursor->at - section->data);
  read_number (cursor, unit->offset_bytes);
  if (unit->version < 5)
    is_known = read_number (cursor, 1) == sizeof (uint64_t) && is_known;
  return is_known && unit->table && !cursor->is_bad;
}

bool
read_unit (const struct object *object, const struct section *section,
           const struct section *abbreviations, struct cursor *cursor, struct unit *unit)
{
  const unsigned char *start = cursor->at;
  uint64_t length = read_number (cursor, 4);

  *unit = (struct unit){ .start = start, .offset_bytes = length == 0xffffffff ? 8 : 4 };
  if (unit->offset_bytes == 8)
    length = read_number (cursor, 8);
  unit->entries = *cursor;
  if (!read_bytes (cursor, length))
    return false;
  unit->entries.end = cursor->at;
  return read_header (section, unit)
         && read_abbreviations (abbreviations,
                                object->symbols[ELF64_R_SYM (unit->table->r_info)].elf.st_value
                                    + unit->table->r_addend,
                                &unit->abbreviations);
}

void
free_unit (struct unit *unit)
{
  free (unit->abbreviations.list);
}

/* Bytes of a form that has the same for all values, or -1. */
static int
fixed_bytes (uint64_t form, const struct unit *unit)
{
  static const signed char bytes[] = {
    [0x01] = 8, [0x05] = 2, [0x06] = 4, [0x07] = 8,  [0x0b] = 1, [0x0c] = 1, [0x11] = 1, [0x12] = 2,
    [0x13] = 4, [0x14] = 8, [0x1c] = 4, [0x1e] = 16, [0x20] = 8, [0x24] = 8, [0x25] = 1, [0x26] = 2,
    [0x27] = 3, [0x28] = 4, [0x29] = 1, [0x2a] = 2,  [0x2b] = 3, [0x2c] = 4
  };

  switch (form)
    {
    case DW_FORM_ref_addr:
      return unit->version == 2 ? (int) sizeof (uint64_t) : (int) unit->offset_bytes;
    case DW_FORM_strp: /* and sec_offset, strp_sup, line_strp */
    case 0x17:
    case 0x1d:
    case 0x1f:
    case 0x1f20: /* GNU_ref_alt, GNU_strp_alt */
    case 0x1f21:
      return unit->offset_bytes;
    case 0x19: /* flag_present, implicit_const */
    case DW_FORM_implicit_const:
      return 0;
    default:
      return form < sizeof bytes && bytes[form] ? bytes[form] : -1;
    }
}

static void
skip_value (struct cursor *cursor, uint64_t form, const struct unit *unit)
{
  int bytes = fixed_bytes (form, unit);

  if (bytes >= 0)
    {
      read_bytes (cursor, bytes);
      return;
    }
  switch (form)
    {
    case 0x03: /* block2, block4, block1 */
      read_bytes (cursor, read_number (cursor, 2));
      break;
    case 0x04:
      read_bytes (cursor, read_number (cursor, 4));
      break;
    case 0x0a:
      read_bytes (cursor, read_number (cursor, 1));
      break;
    case 0x09: /* block, exprloc */
    case DW_FORM_exprloc:
      read_bytes (cursor, read_uleb (cursor));
      break;
    case 0x08: /* string */
      read_text (cursor);
      break;
    case 0x0d: /* sdata, udata, ref_udata, strx, addrx, loclistx, rnglistx; GNU's indices */
    case 0x0f:
    case 0x15:
    case 0x1a:
    case 0x1b:
    case 0x22:
    case 0x23:
    case 0x1f01:
    case 0x1f02:
      read_uleb (cursor);
      break;
    default:
      cursor->is_bad = true;
    }
}

bool
read_die (struct unit *unit, struct die *die)
{
  struct cursor *cursor = &unit->entries;
  struct cursor declared = { NULL, unit->abbreviations.limit, false };
  uint64_t code;

  if (cursor->is_bad || cursor->at >= cursor->end)
    return false;
  die->at = cursor->at;
  die->attribute_count = 0;
  die->abbreviation = NULL;
  code = read_uleb (cursor);
  if (!code)
    return true;
  die->abbreviation = find_abbreviation (&unit->abbreviations, code);
  if (!die->abbreviation)
    return false;
  die->tag = die->abbreviation->tag;
  for (declared.at = die->abbreviation->attributes; die->attribute_count < MOST_ATTRIBUTES;)
    {
      struct attribute *attribute = &die->attributes[die->attribute_count];
      attribute->name = read_uleb (&declared);
      attribute->form = read_uleb (&declared);
      attribute->implicit = attribute->form == DW_FORM_implicit_const ? read_sleb (&declared) : 0;
      if (!attribute->name && !attribute->form)
        return !cursor->is_bad;
      attribute->value = cursor->at;
      skip_value (cursor, attribute->form, unit);
      attribute->end = cursor->at;
      if (cursor->is_bad)
        return false;
      die->attribute_count++;
    }
  return false;
}

const struct attribute *
find_attribute (const struct die *die, uint64_t name, uint64_t form)
{
  for (size_t i = 0; i < die->attribute_count; i++)
    if (die->attributes[i].name == name && die->attributes[i].form == form)
      return &die->attributes[i];
  return NULL;
}

const struct attribute *
find_attribute_named (const struct die *die, uint64_t name)
{
  for (size_t i = 0; i < die->attribute_count; i++)
    if (die->attributes[i].name == name)
      return &die->attributes[i];
  return NULL;
}
