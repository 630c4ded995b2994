/* Sizes and alignments as the ABIs of x86-64 and 64-bit ARM have them. */

#include "tools/upc2c/ast/ast.h"

/* clang-format off */
static const uint8_t basic_sizes[] = {
  [TYPE_VOID] = 1,     [TYPE_BOOL] = 1,      [TYPE_CHAR] = 1,      [TYPE_SCHAR] = 1,
  [TYPE_UCHAR] = 1,    [TYPE_SHORT] = 2,     [TYPE_USHORT] = 2,    [TYPE_INT] = 4,
  [TYPE_UINT] = 4,     [TYPE_LONG] = 8,      [TYPE_ULONG] = 8,     [TYPE_LLONG] = 8,
  [TYPE_ULLONG] = 8,   [TYPE_INT128] = 16,   [TYPE_UINT128] = 16,  [TYPE_FLOAT16] = 2,
  [TYPE_BFLOAT16] = 2, [TYPE_FLOAT] = 4,     [TYPE_FLOAT32] = 4,   [TYPE_DOUBLE] = 8,
  [TYPE_FLOAT64] = 8,  [TYPE_FLOAT32X] = 8,  [TYPE_LDOUBLE] = 16,  [TYPE_FLOAT64X] = 16,
  [TYPE_FLOAT128] = 16, [TYPE_DECIMAL32] = 4, [TYPE_DECIMAL64] = 8, [TYPE_DECIMAL128] = 16,
  [TYPE_FUNCTION] = 1,
};
/* clang-format on */

static struct size
known (uint64_t value)
{
  return (struct size){ .value = value, .is_known = true };
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
      return (struct size){ .is_known = false };
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
      return (struct size){ .value = type->record->size,
                            .is_known = type->record->is_complete && !type->record->is_unsure };
    case TYPE_VA_LIST:
      return known (switches.arm ? 32 : 24);
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
  if (__builtin_mul_overflow (block, count.times_threads ? 1 : switches.threads, &spread)
      || !spread)
    spread = block;
  elements = (count.value / spread + (count.value % spread != 0)) * block;
  if (!count.times_threads && elements > count.value)
    elements = count.value;
  return elements * size;
}

uint64_t
max_block_size (void)
{
  return switches.struct_pts ? UINT32_MAX : (1 << 20) - 1;
}
