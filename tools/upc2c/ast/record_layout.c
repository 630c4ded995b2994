/* The layout of records as the ABIs of x86-64 and 64-bit ARM have it. */

#include "tools/upc2c/ast/ast.h"

/* The size limit is far off: what passes it is a mistake that the compiler names. */
enum
{
  MAX_BITS_SHIFT = 60
};

struct record_layout
{
  struct record *record;
  uint64_t bits; /* where the next member may begin */
  uint64_t size; /* bytes, of a union */
};

static uint64_t
round_up (uint64_t value, uint64_t to)
{
  return to ? (value + to - 1) / to * to : value;
}

static uint32_t
limited (uint32_t align, const struct record *record)
{
  return record->pack && align > record->pack ? record->pack : align;
}

static uint32_t
member_align (const struct record *record, const struct decl *member)
{
  uint32_t align = type_align (member->type);

  if (record->is_packed || member->is_packed)
    align = 1;
  if (member->align > align)
    align = member->align;
  return limited (align, record);
}

static void
raise_align (struct record *record, uint32_t align)
{
  if (align > record->align)
    record->align = align;
}

/* A bit-field may not span more units of its type's alignment than the type itself. */
static bool
spans_too_much (uint64_t start, uint64_t width, uint64_t align_bits, uint64_t type_bits)
{
  return (start % align_bits + width + align_bits - 1) / align_bits > type_bits / align_bits;
}

/* Only a bit-field with a name aligns the record, on ARM any, one of width 0 even where all is packed
   (AAPCS64, 8.1.8, as gcc has it). The pragma counts before the attribute. */
static void
align_by_bit_field (struct record *record, const struct decl *member, uint32_t natural)
{
  bool packed = record->is_packed || member->is_packed;

  if (!member->name && !switches.arm)
    return;
  if (!member->name && member->bit_width == 0)
    {
      raise_align (record, natural);
      return;
    }
  raise_align (record, limited (member->align, record));
  raise_align (record, packed && !record->pack ? 1 : limited (natural, record));
}

/* A bit-field lies in the next bits that do not cross a boundary of its type; packed,
   or under #pragma pack, in the next bits whatever they cross. One of width 0 closes
   the unit. */
static void
place_bit_field (struct record_layout *layout, struct decl *member)
{
  struct record *record = layout->record;
  uint32_t type_bits = 8 * type_size (member->type).value;
  uint32_t natural = type_align (member->type), own = limited (member->align, record);
  bool packed = record->is_packed || member->is_packed;
  uint64_t start = record->is_union ? 0 : layout->bits;

  if (!type_bits)
    {
      record->is_unsure = true;
      return;
    }
  if (member->bit_width == 0)
    start = round_up (start, 8 * (uint64_t) (member->align > natural ? member->align : natural));
  else
    {
      start = own ? round_up (start, 8 * (uint64_t) own) : start;
      if (!packed && !record->pack
          && spans_too_much (start, member->bit_width, 8 * natural, type_bits))
        start = round_up (start, 8 * (uint64_t) natural);
    }
  align_by_bit_field (record, member, natural);
  member->offset = start / type_bits * (type_bits / 8);
  member->bit_offset = start % type_bits;
  if (record->is_union)
    {
      uint64_t bytes = (member->bit_width + 7) / 8;

      layout->size = bytes > layout->size ? bytes : layout->size;
    }
  else
    layout->bits = start + member->bit_width;
}

static void
place_member (struct record_layout *layout, struct decl *member)
{
  struct record *record = layout->record;
  struct size size = type_size (member->type);
  uint32_t align = member_align (record, member);
  uint64_t start = record->is_union ? 0 : round_up (layout->bits, 8 * (uint64_t) align);

  if (member->type->kind == TYPE_ARRAY && member->type->length_kind == LENGTH_UNKNOWN)
    size = (struct size){ .is_known = true };
  if (!size.is_known || size.times_threads || size.value >> MAX_BITS_SHIFT
      || start >> MAX_BITS_SHIFT)
    {
      record->is_unsure = true;
      return;
    }
  raise_align (record, align);
  member->offset = start / 8;
  if (record->is_union)
    layout->size = size.value > layout->size ? size.value : layout->size;
  else
    layout->bits = start + 8 * size.value;
}

/* Gives every member its layout, and RECORD its size and alignment. ALIGN comes from
   an attribute, 0 for none. */
void
lay_out_record (struct record *record, uint32_t align)
{
  struct record_layout layout = { .record = record };

  record->align = 1;
  for (struct decl *m = record->members; m; m = m->next_member)
    {
      if (m->is_bit_field)
        place_bit_field (&layout, m);
      else
        place_member (&layout, m);
      if (type_holds_pts (m->type))
        record->has_shared = true;
    }
  raise_align (record, align);
  record->size = round_up (record->is_union ? layout.size : (layout.bits + 7) / 8, record->align);
  record->is_complete = true;
}
