/* Variables whose address is an index into .debug_addr, as clang writes DWARF 5. DW_OP_addrx i
   becomes DW_OP_GNU_const_index i, DW_OP_GNU_push_tls_address, which is one byte longer, and
   nothing in .debug_info may move. So the entry gets another abbreviation, which holds the
   number of the file or the line as an implicit constant. Otherwise the entry loses its
   linkage name, which its declaration has, too. */

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/dies.h"
#include "privatize/dwarf/put.h"
#include "privatize/dwarf/locations.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LARGEST_BYTE = 0x7f /* of a ULEB128 of one byte */
};

/* An abbreviation that a unit gets in addition: OLD without the byte of an attribute,
   which had VALUE. */
struct addition
{
  const struct abbreviation *old;
  uint64_t spared;
  unsigned value;
};

struct additions
{
  struct section text; /* only its bytes */
  uint64_t first_code;
  struct addition *list; /* from that code on */
  size_t count, capacity;
};

static size_t
uleb_bytes (uint64_t number)
{
  size_t bytes = 1;

  while (number >>= 7)
    bytes++;
  return bytes;
}

/* The abbreviation of DIE without the byte of SPARED in the entry. */
static void
put_abbreviation (struct additions *additions, const struct die *die,
                  const struct attribute *spared)
{
  struct section *to = &additions->text;

  put_uleb (to, additions->first_code + additions->count);
  put_uleb (to, die->abbreviation->tag);
  put_byte (to, die->abbreviation->has_children);
  for (size_t i = 0; i < die->attribute_count; i++)
    {
      const struct attribute *attribute = &die->attributes[i];
      bool is_constant = attribute == spared && attribute->form == DW_FORM_data1;
      if (attribute == spared && !is_constant)
        continue;
      put_uleb (to, attribute->name);
      put_uleb (to, is_constant ? DW_FORM_implicit_const : attribute->form);
      /* Two bytes of an SLEB128 hold what one byte of data does. */
      if (is_constant)
        append_bytes (to, (unsigned char[]){ *attribute->value | 0x80, *attribute->value >> 7 }, 2);
      else if (attribute->form == DW_FORM_implicit_const)
        put_sleb (to, attribute->implicit);
    }
  append_bytes (to, "\0", 2);
}

/* The code for DIE without the byte of SPARED, or 0 when there is none of the length that
   its code has. */
static uint64_t
find_code (struct additions *additions, const struct die *die, const struct attribute *spared)
{
  struct addition wanted = { die->abbreviation, spared->name,
                             spared->form == DW_FORM_data1 ? *spared->value : 0 };
  size_t i = 0;

  while (i < additions->count
         && (additions->list[i].old != wanted.old || additions->list[i].spared != wanted.spared
             || additions->list[i].value != wanted.value))
    i++;
  if (uleb_bytes (additions->first_code + i) != uleb_bytes (die->abbreviation->code))
    return 0;
  if (i == additions->count)
    {
      put_abbreviation (additions, die, spared);
      additions->list = grow_array (additions->list, i + 1, &additions->capacity, sizeof wanted);
      additions->list[additions->count++] = wanted;
    }
  return additions->first_code + i;
}

/* An attribute that takes one byte and can do without, or NULL. */
static const struct attribute *
find_spared (const struct die *die)
{
  const struct attribute *spared = find_attribute (die, DW_AT_decl_file, DW_FORM_data1);

  if (!spared)
    spared = find_attribute (die, DW_AT_decl_line, DW_FORM_data1);
  return spared ? spared : find_attribute (die, DW_AT_linkage_name, DW_FORM_strx1);
}

/* Moves the bytes of SECTION from FROM to TO on by one, up or down, and their
   relocations. */
static void
shift (struct section *section, size_t from, size_t to, int by)
{
  memmove (section->data + from + by, section->data + from, to - from);
  for (size_t i = find_relocation (section, from);
       i < section->rela_count && section->rela[i].r_offset < to; i++)
    section->rela[i].r_offset += by;
}

/* Removes the byte at SPARED of SECTION and inserts the operation at AT. */
static void
insert_operation (struct section *section, size_t spared, size_t at)
{
  if (spared < at)
    shift (section, spared + 1, at--, -1);
  else
    shift (section, at, spared, 1);
  section->data[at] = DW_OP_GNU_push_tls_address;
}

/* Skips what stands before the address of one piece of a variable whose other pieces
   are constants. Returns the operation where CURSOR stops. */
static unsigned
skip_constants (struct cursor *cursor)
{
  for (;;)
    {
      unsigned operation = read_number (cursor, 1);
      if (operation >= DW_OP_const1u && operation < DW_OP_const1u + 8)
        read_bytes (cursor, 1u << (operation - DW_OP_const1u) / 2);
      else if (operation == DW_OP_piece || operation == DW_OP_constu || operation == DW_OP_consts)
        read_uleb (cursor);
      else if (cursor->is_bad
               || !((operation >= DW_OP_lit0 && operation <= DW_OP_lit31)
                    || operation == DW_OP_stack_value))
        return operation;
    }
}

/* Whether LOCATION is the address of a private variable; sets OPERATION to it, and END to
   where its index ends. */
static bool
is_private_index (const struct object *object, const struct section *addresses, uint64_t base,
                  const struct attribute *location, const unsigned char **operation,
                  const unsigned char **end)
{
  struct cursor cursor = { location->value, location->end, false };
  uint64_t length = read_uleb (&cursor), index, offset;
  const Elf64_Rela *rela;

  if (length >= LARGEST_BYTE || skip_constants (&cursor) != DW_OP_addrx || cursor.is_bad)
    return false;
  *operation = cursor.at - 1;
  index = read_uleb (&cursor);
  *end = cursor.at;
  if (cursor.is_bad || __builtin_mul_overflow (index, sizeof (uint64_t), &offset)
      || __builtin_add_overflow (offset, base, &offset))
    return false;
  rela = relocation_at (addresses, offset);
  return rela && wants_private_address (object, rela);
}

static void
rewrite_die (struct object *object, struct section *info, const struct section *addresses,
             uint64_t base, const struct die *die, struct additions *additions)
{
  const struct attribute *location = find_attribute (die, DW_AT_location, DW_FORM_exprloc);
  const struct attribute *spared = find_spared (die);
  const unsigned char *operation, *end;
  uint64_t code;

  if (!location || !spared
      || !is_private_index (object, addresses, base, location, &operation, &end)
      || !(code = find_code (additions, die, spared)))
    return;
  info->data[location->value - info->data]++;
  info->data[operation - info->data] = DW_OP_GNU_const_index;
  insert_operation (info, spared->value - info->data, end - info->data);
  for (size_t at = die->at - info->data; code; at++, code >>= 7)
    info->data[at] = (code & LARGEST_BYTE) | (code > LARGEST_BYTE ? 0x80 : 0);
}

/* Gives UNIT a table of its own, at the end of the section, with the additions. */
static void
replace_table (struct section *abbreviations, const struct unit *unit,
               const struct additions *additions)
{
  const struct abbreviations *old = &unit->abbreviations;
  size_t length = old->end - old->start;
  unsigned char *copy = xcalloc (length, 1);
  Elf64_Rela *rela = (Elf64_Rela *) unit->table;

  memcpy (copy, old->start, length);
  rela->r_addend += abbreviations->header.sh_size - (old->start - abbreviations->data);
  append_bytes (abbreviations, copy, length);
  append_bytes (abbreviations, additions->text.data, additions->text.header.sh_size);
  append_bytes (abbreviations, "\0", 1);
  free (copy);
}

/* Where the unit's addresses begin in .debug_addr. */
static uint64_t
address_base (const struct object *object, const struct section *info, const struct die *first)
{
  const struct attribute *base = find_attribute (first, DW_AT_addr_base, DW_FORM_sec_offset);
  const Elf64_Rela *rela = base ? relocation_at (info, base->value - info->data) : NULL;

  return rela ? object->symbols[ELF64_R_SYM (rela->r_info)].elf.st_value + rela->r_addend
              : UINT64_MAX;
}

static void
rewrite_unit (struct object *object, struct section *info, struct section *abbreviations,
              const struct section *addresses, struct unit *unit)
{
  struct additions additions = { .first_code = unit->abbreviations.largest + 1 };
  uint64_t base = UINT64_MAX;
  struct die die;

  for (bool is_first = true; read_die (unit, &die); is_first = false)
    {
      if (is_first)
        base = address_base (object, info, &die);
      if (base == UINT64_MAX)
        break;
      if (die.attribute_count)
        rewrite_die (object, info, addresses, base, &die, &additions);
    }
  if (additions.text.header.sh_size)
    replace_table (abbreviations, unit, &additions);
  free (additions.text.data);
  free (additions.list);
}

static struct section *
find_section (const struct object *object, const char *name)
{
  for (size_t i = 1; i < object->section_count; i++)
    if (object->sections[i]->kind == KIND_OTHER && object->sections[i]->data
        && strcmp (object->sections[i]->name, name) == 0)
      return object->sections[i];
  return NULL;
}

void
rewrite_indexed_locations (struct object *object)
{
  struct section *info = find_section (object, ".debug_info");
  struct section *abbreviations = find_section (object, ".debug_abbrev");
  struct section *addresses = find_section (object, ".debug_addr");
  struct cursor cursor;

  if (!info || !abbreviations || !addresses)
    return;
  sort_relas (info);
  sort_relas (addresses);
  cursor = (struct cursor){ info->data, info->data + info->header.sh_size, false };
  while (cursor.at < cursor.end && !cursor.is_bad)
    {
      struct unit unit;
      if (read_unit (object, info, abbreviations, &cursor, &unit))
        rewrite_unit (object, info, abbreviations, addresses, &unit);
      free_unit (&unit);
    }
}
