/* The types themselves: making them, their qualifiers, questions about them. */

#include "tools/upc2c/ast/ast.h"

static struct type basic_types[TYPE_VA_LIST + 1];
static struct type unknown_type;
static struct type void_type;
struct type *const type_unknown = &unknown_type;
struct type *const type_void = &void_type;

static struct type *
basic (struct type *type, enum type_kind kind)
{
  if (!type->unqualified)
    {
      type->kind = kind;
      type->unqualified = type;
    }
  return type;
}

struct type *
type_basic (enum type_kind kind)
{
  if (kind == TYPE_UNKNOWN || kind == TYPE_VOID)
    return basic (kind == TYPE_VOID ? &void_type : &unknown_type, kind);
  return basic (&basic_types[kind], kind);
}

void
start_types (void)
{
  type_basic (TYPE_UNKNOWN);
  type_basic (TYPE_VOID);
}

struct type *
type_int (void)
{
  return type_basic (TYPE_INT);
}

struct type *
type_size_t (void)
{
  return type_basic (TYPE_ULONG);
}

struct type *
type_ptrdiff_t (void)
{
  return type_basic (TYPE_LONG);
}

struct type *
new_type (enum type_kind kind, struct type *base)
{
  struct type *type = NEW (struct type);

  type->kind = kind;
  type->base = base;
  type->unqualified = type;
  type->has_shared = base && (base->has_shared || base->quals & QUAL_SHARED);
  return type;
}

struct type *
pointer_to (struct type *base)
{
  if (!base->pointer)
    base->pointer = new_type (TYPE_POINTER, base);
  return base->pointer;
}

struct type *
array_of_kind (struct type *base, enum length_kind kind, uint64_t count, struct expr *length)
{
  struct type *type = new_type (TYPE_ARRAY, base);

  type->length_kind = kind;
  type->count = count;
  type->length = length;
  return type;
}

struct type *
array_of (struct type *base, uint64_t count)
{
  return array_of_kind (base, LENGTH_FIXED, count, NULL);
}

struct type *
vector_of (struct type *base, uint64_t count)
{
  struct type *type = new_type (TYPE_VECTOR, base);

  type->count = count;
  return type;
}

struct type *
complex_of (struct type *base)
{
  return new_type (TYPE_COMPLEX, base);
}

struct type *
function_returning (struct type *base, struct decl *params, bool is_variadic, bool has_prototype)
{
  struct type *type = new_type (TYPE_FUNCTION, base);

  type->function.params = params;
  type->function.is_variadic = is_variadic;
  type->function.has_prototype = has_prototype;
  for (struct decl *p = params; p; p = p->next)
    type->has_shared = type->has_shared || p->type->has_shared;
  return type;
}

/* The plain copy of TYPE that NAMER spells: it is the head of a list of its own, so
   that a type with many names has no long one. */
struct type *
named_by (struct type *type, struct decl *namer)
{
  struct type *copy = NEW (struct type);

  *copy = *type;
  copy->typedef_decl = namer;
  copy->variants = NULL;
  copy->pointer = NULL;
  return copy;
}

struct type *
with_align (struct type *type, uint32_t align)
{
  struct type *copy = NEW (struct type);

  *copy = *type;
  copy->align = align;
  copy->variants = NULL;
  copy->pointer = NULL;
  return copy;
}

static bool
has_qualifiers (const struct type *type, unsigned quals, uint32_t block)
{
  return type->quals == quals && (!(quals & QUAL_SHARED) || type->block == block);
}

struct type *
with_quals (struct type *type, unsigned quals, uint32_t block)
{
  struct type *head, *variant;

  if (type->kind == TYPE_ARRAY)
    {
      struct type *base = with_quals (type->base, quals, block);

      return base == type->base
                 ? type
                 : array_of_kind (base, type->length_kind, type->count, type->length);
    }
  if (has_qualifiers (type, quals, block))
    return type;
  /* A typedef's name serves as long as its own qualifiers stay. */
  head = type->unqualified;
  if (type->typedef_decl && type->typedef_decl->type
      && type->typedef_decl->type->kind == type->kind)
    {
      struct type *named = type->typedef_decl->type;

      if ((named->quals & ~quals) == 0 && (!(named->quals & QUAL_SHARED) || named->block == block))
        head = named;
    }
  for (variant = head; variant; variant = variant->variants)
    if (has_qualifiers (variant, quals, block) && variant->align == type->align)
      return variant;
  variant = NEW (struct type);
  *variant = *head;
  variant->quals = quals;
  variant->block = quals & QUAL_SHARED ? block : 0;
  variant->align = type->align;
  variant->pointer = NULL;
  variant->variants = head->variants;
  head->variants = variant;
  return variant;
}

unsigned
quals_of (const struct type *type)
{
  return ultimate_type (type)->quals;
}

uint32_t
block_of (const struct type *type)
{
  return ultimate_type (type)->block;
}

struct type *
add_quals (struct type *type, unsigned quals)
{
  return with_quals (type, quals_of (type) | quals, block_of (type));
}

struct type *
without_shared (struct type *type)
{
  return with_quals (
      type, quals_of (type) & (QUAL_CONST | QUAL_VOLATILE | QUAL_RESTRICT | QUAL_ATOMIC), 0);
}

struct type *
unqualified (struct type *type)
{
  return type->kind == TYPE_ARRAY || type->quals ? with_quals (type, 0, 0) : type;
}

struct type *
ultimate_type (const struct type *type)
{
  while (type->kind == TYPE_ARRAY)
    type = type->base;
  return (struct type *) type;
}

bool
type_is_shared (const struct type *type)
{
  return ultimate_type (type)->quals & QUAL_SHARED;
}

bool
type_is_strict (const struct type *type)
{
  return ultimate_type (type)->quals & QUAL_STRICT;
}

bool
type_is_relaxed (const struct type *type)
{
  return ultimate_type (type)->quals & QUAL_RELAXED;
}

bool
type_is_pts (const struct type *type)
{
  return type->kind == TYPE_POINTER && type_is_shared (type->base);
}

bool
type_is_generic_pts (const struct type *type)
{
  return type_is_pts (type) && type->base->kind == TYPE_VOID;
}

bool
type_is_integer (const struct type *type)
{
  return type->kind >= TYPE_BOOL && type->kind <= TYPE_ENUM;
}

bool
type_is_real_float (const struct type *type)
{
  return type->kind >= TYPE_FLOAT16 && type->kind <= TYPE_DECIMAL128;
}

bool
type_is_arithmetic (const struct type *type)
{
  return type->kind >= TYPE_BOOL && type->kind <= TYPE_COMPLEX;
}

bool
type_is_scalar (const struct type *type)
{
  return type_is_arithmetic (type) || type->kind == TYPE_POINTER;
}

bool
type_is_record (const struct type *type)
{
  return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

bool
type_is_unsigned (const struct type *type)
{
  if (type->kind == TYPE_ENUM)
    return type_is_unsigned (type->enumeration->underlying);
  switch (type->kind)
    {
    case TYPE_CHAR:
      return switches.unsigned_char;
    case TYPE_BOOL:
    case TYPE_UCHAR:
    case TYPE_USHORT:
    case TYPE_UINT:
    case TYPE_ULONG:
    case TYPE_ULLONG:
    case TYPE_UINT128:
      return true;
    default:
      return false;
    }
}

bool
type_involves_shared (const struct type *type)
{
  return type->has_shared || type_is_shared (type);
}

bool
type_holds_pts (const struct type *type)
{
  type = ultimate_type (type);
  return type_is_pts (type) || (type_is_record (type) && type->record->has_shared);
}

static bool
params_match (const struct type *a, const struct type *b)
{
  struct decl *p = a->function.params, *q = b->function.params;

  if (!a->function.has_prototype || !b->function.has_prototype)
    return true;
  for (; p && q; p = p->next, q = q->next)
    if (!types_match_unqualified (p->type, q->type))
      return false;
  return !p && !q && a->function.is_variadic == b->function.is_variadic;
}

static bool
lengths_match (const struct type *a, const struct type *b)
{
  bool fixed = a->length_kind == LENGTH_FIXED || a->length_kind == LENGTH_THREADS;

  if (a->length_kind == b->length_kind)
    return !fixed || a->count == b->count;
  return a->length_kind == LENGTH_UNKNOWN || a->length_kind == LENGTH_VARIABLE
         || b->length_kind == LENGTH_UNKNOWN || b->length_kind == LENGTH_VARIABLE;
}

static bool
is_enum_of (const struct type *a, const struct type *b)
{
  return a->kind == TYPE_ENUM && type_is_integer (b) && b->kind != TYPE_ENUM
         && a->enumeration->underlying->kind == b->kind;
}

bool
types_match_unqualified (const struct type *a, const struct type *b)
{
  if (a == b || a->kind == TYPE_UNKNOWN || b->kind == TYPE_UNKNOWN)
    return true;
  if (a->kind != b->kind)
    return is_enum_of (a, b) || is_enum_of (b, a);
  switch (a->kind)
    {
    case TYPE_POINTER:
    case TYPE_COMPLEX:
      return types_match (a->base, b->base);
    case TYPE_ARRAY:
      return lengths_match (a, b) && types_match_unqualified (a->base, b->base);
    case TYPE_VECTOR:
      return a->count == b->count && types_match (a->base, b->base);
    case TYPE_FUNCTION:
      return types_match_unqualified (a->base, b->base) && params_match (a, b);
    case TYPE_STRUCT:
    case TYPE_UNION:
      return a->record == b->record;
    case TYPE_ENUM:
      return a->enumeration == b->enumeration;
    default:
      return true;
    }
}

bool
types_match (const struct type *a, const struct type *b)
{
  const struct type *x = ultimate_type (a), *y = ultimate_type (b);
  unsigned compared = QUAL_CONST | QUAL_VOLATILE | QUAL_RESTRICT | QUAL_ATOMIC | QUAL_SHARED
                      | QUAL_STRICT | QUAL_RELAXED;

  if (x->kind == TYPE_UNKNOWN || y->kind == TYPE_UNKNOWN)
    return true;
  if ((x->quals & compared) != (y->quals & compared))
    return false;
  if (x->quals & QUAL_SHARED && x->block != y->block)
    return false;
  return types_match_unqualified (a, b);
}
