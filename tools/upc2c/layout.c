/* Sizes and alignments as the x86-64 ABI has them, and the layout of records. */

#include "tools/upc2c/front.h"
#include "tools/upc2c/parse.h"

static const uint8_t basic_sizes[] = {
  [TYPE_VOID] = 1,     [TYPE_BOOL] = 1,      [TYPE_CHAR] = 1,      [TYPE_SCHAR] = 1,
  [TYPE_UCHAR] = 1,    [TYPE_SHORT] = 2,     [TYPE_USHORT] = 2,    [TYPE_INT] = 4,
  [TYPE_UINT] = 4,     [TYPE_LONG] = 8,      [TYPE_ULONG] = 8,     [TYPE_LLONG] = 8,
  [TYPE_ULLONG] = 8,   [TYPE_INT128] = 16,   [TYPE_UINT128] = 16,  [TYPE_FLOAT16] = 2,
  [TYPE_BFLOAT16] = 2, [TYPE_FLOAT] = 4,     [TYPE_FLOAT32] = 4,   [TYPE_DOUBLE] = 8,
  [TYPE_FLOAT64] = 8,  [TYPE_FLOAT32X] = 8,  [TYPE_LDOUBLE] = 16,  [TYPE_FLOAT64X] = 16,
  [TYPE_FLOAT128] = 16, [TYPE_DECIMAL32] = 4, [TYPE_DECIMAL64] = 8, [TYPE_DECIMAL128] = 16,
  [TYPE_FUNCTION] = 1, [TYPE_VA_LIST] = 24,
};

static struct size
known (uint64_t value)
{
  return (struct size) { .value = value, .is_known = true };
}

static struct size
times (struct size size, const struct type *array)
{
  struct size product = { .times_threads = size.times_threads, .is_known = size.is_known };

  if (array->length_kind == LENGTH_THREADS)
    {
      if (size.times_threads)
        product.is_known = false;
      product.times_threads = true;
    }
  else if (array->length_kind != LENGTH_FIXED)
    product.is_known = false;
  if (__builtin_mul_overflow (size.value, array->count, &product.value))
    product.is_known = false;
  return product;
}

struct size
type_size (const struct type *type)
{
  switch (type->kind)
    {
    case TYPE_UNKNOWN:
      return (struct size) { .is_known = false };
    case TYPE_POINTER:
      return known (type_is_pts (type) && switches.struct_pts ? 16 : 8);
    case TYPE_ENUM:
      return type_size (type->enumeration->underlying);
    case TYPE_COMPLEX:
      return known (2 * type_size (type->base).value);
    case TYPE_VECTOR:
    case TYPE_ARRAY:
      return times (type_size (type->base), type);
    case TYPE_STRUCT:
    case TYPE_UNION:
      return (struct size) { .value = type->record->size,
                             .is_known = type->record->is_complete && !type->record->is_unsure };
    default:
      return known (basic_sizes[type->kind]);
    }
}

uint32_t
type_align (const struct type *type)
{
  if (type->align)
    return type->align;
  switch (type->kind)
    {
    case TYPE_UNKNOWN:
      return 1;
    case TYPE_POINTER:
    case TYPE_VA_LIST:
      return 8;
    case TYPE_ENUM:
      return type_align (type->enumeration->underlying);
    case TYPE_COMPLEX:
    case TYPE_ARRAY:
      return type_align (type->base);
    case TYPE_VECTOR:
      {
        uint64_t size = type_size (type).value;

        return size && size <= 1 << 28 ? size : 1;
      }
    case TYPE_STRUCT:
    case TYPE_UNION:
      return type->record->align ? type->record->align : 1;
    default:
      return basic_sizes[type->kind];
    }
}

bool
type_is_complete (const struct type *type)
{
  switch (type->kind)
    {
    case TYPE_VOID:
      return false;
    case TYPE_ARRAY:
      return type->length_kind != LENGTH_UNKNOWN && type_is_complete (type->base);
    case TYPE_STRUCT:
    case TYPE_UNION:
      return type->record->is_complete;
    default:
      return true;
    }
}

struct size
ultimate_count (const struct type *type)
{
  struct size count = known (1);

  for (; type->kind == TYPE_ARRAY; type = type->base)
    count = times (count, type);
  return count;
}

uint64_t
type_block_size (const struct type *type)
{
  return block_of (type);
}

uint64_t
type_element_size (const struct type *type)
{
  return type_size (ultimate_type (type)).value;
}

/* The most elements any thread has: ceil (count / (block * THREADS)) whole blocks. */
uint64_t
type_local_size (const struct type *type)
{
  struct size count = ultimate_count (type);
  uint64_t block = type_block_size (type), size = type_element_size (type);
  uint64_t spread, elements;

  if (type->kind != TYPE_ARRAY || block == 0)
    return count.value * size;
  if (__builtin_mul_overflow (block, count.times_threads ? 1 : switches.threads, &spread) || !spread)
    spread = block;
  elements = (count.value / spread + (count.value % spread != 0)) * block;
  if (!count.times_threads && elements > count.value)
    elements = count.value;
  return elements * size;
}

/* The size limit is far off: what passes it is a mistake that the compiler names. */
enum { MAX_BITS_SHIFT = 60 };

struct placement
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

/* A bit-field lies in the next bits that do not cross a boundary of its type; packed,
   or under #pragma pack, in the next bits whatever they cross. One of width 0 closes
   the unit. Only a bit-field with a name aligns the record, and there the pragma
   counts before the attribute. */
static void
place_bit_field (struct placement *place, struct decl *member)
{
  struct record *record = place->record;
  uint32_t type_bits = 8 * type_size (member->type).value;
  uint32_t natural = type_align (member->type), own = limited (member->align, record);
  bool packed = record->is_packed || member->is_packed;
  uint64_t start = record->is_union ? 0 : place->bits;

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
  if (member->name)
    {
      raise_align (record, own);
      raise_align (record, packed && !record->pack ? 1 : limited (natural, record));
    }
  member->offset = start / type_bits * (type_bits / 8);
  member->bit_offset = start % type_bits;
  if (record->is_union)
    {
      uint64_t bytes = (member->bit_width + 7) / 8;

      place->size = bytes > place->size ? bytes : place->size;
    }
  else
    place->bits = start + member->bit_width;
}

static void
place_member (struct placement *place, struct decl *member)
{
  struct record *record = place->record;
  struct size size = type_size (member->type);
  uint32_t align = member_align (record, member);
  uint64_t start = record->is_union ? 0 : round_up (place->bits, 8 * (uint64_t) align);

  if (member->type->kind == TYPE_ARRAY && member->type->length_kind == LENGTH_UNKNOWN)
    size = known (0);
  if (!size.is_known || size.times_threads || size.value >> MAX_BITS_SHIFT
      || start >> MAX_BITS_SHIFT)
    {
      record->is_unsure = true;
      return;
    }
  raise_align (record, align);
  member->offset = start / 8;
  if (record->is_union)
    place->size = size.value > place->size ? size.value : place->size;
  else
    place->bits = start + 8 * size.value;
}

/* Gives every member its place, and RECORD its size and alignment. ALIGN comes from
   an attribute, 0 for none. */
void
lay_out_record (struct record *record, uint32_t align)
{
  struct placement place = { .record = record };

  record->align = 1;
  for (struct decl *m = record->members; m; m = m->next_member)
    {
      if (m->is_bit_field)
        place_bit_field (&place, m);
      else
        place_member (&place, m);
      if (type_holds_pts (m->type))
        record->has_shared = true;
    }
  raise_align (record, align);
  record->size = round_up (record->is_union ? place.size : (place.bits + 7) / 8, record->align);
  record->is_complete = true;
}
