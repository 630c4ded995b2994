/* Affine forms of integer expressions. */

#include "tools/upc2c/plan/internal.h"

enum
{
  /* Larger numbers are not followed, so that products of two do not overflow. */
  MOST_BITS = 30
};

static bool
is_short_unsigned (const struct type *type)
{
  return type_is_unsigned (type) && type_size (type).value <= 4;
}

static bool
is_small (int64_t n)
{
  return n > -(1l << MOST_BITS) && n < 1l << MOST_BITS;
}

static bool
is_small_form (const struct affine *f)
{
  for (int i = 0; i < f->count; i++)
    if (f->term[i].factor != UNKNOWN_FACTOR && !is_small (f->term[i].factor))
      return false;
  return is_small (f->constant);
}

bool
is_induction (struct expr *e, const struct loop *loop)
{
  e = strip_parens (e);
  return e->kind == EXPR_NAME && e->decl == loop->induction;
}

const struct secondary *
secondary_of (const struct expr *e, const struct loop *loop)
{
  const struct secondary *s = loop->secondaries;

  while (s && !(e->kind == EXPR_NAME && e->decl == s->decl))
    s = s->next;
  return s;
}

/* Expressions of the same variables; a symbol is compared by that. */
bool
are_same_expr (struct expr *a, struct expr *b)
{
  a = strip_parens (a);
  b = strip_parens (b);
  if (a->is_constant && b->is_constant)
    return a->value == b->value;
  if (a->kind != b->kind)
    return false;
  switch (a->kind)
    {
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_NAME:
      return a->decl == b->decl;
    case EXPR_CAST:
      return types_match (a->type, b->type) && are_same_expr (a->a, b->a);
    case EXPR_UNARY:
      return a->op == b->op && are_same_expr (a->a, b->a);
    case EXPR_BINARY:
      return a->op == b->op && are_same_expr (a->a, b->a) && are_same_expr (a->b, b->b);
    default:
      return false;
    }
}

static int64_t
plus (int64_t a, int64_t b)
{
  return a == UNKNOWN_FACTOR || b == UNKNOWN_FACTOR ? UNKNOWN_FACTOR : a + b;
}

static int64_t
times (int64_t factor, int64_t n)
{
  return factor == UNKNOWN_FACTOR && n ? UNKNOWN_FACTOR : factor * n;
}

static void
add_term (struct affine *f, struct expr *symbol, int64_t factor)
{
  int i = 0;

  while (i < f->count && !are_same_expr (f->term[i].symbol, symbol))
    i++;
  if (i < f->count)
    f->term[i].factor = plus (f->term[i].factor, factor);
  else if (f->count == MOST_TERMS)
    f->is_partial = true;
  else
    f->term[f->count++] = (struct term){ symbol, factor };
  if (i < f->count && f->term[i].factor == 0)
    f->term[i] = f->term[--f->count];
}

void
add_scaled (struct affine *sum, const struct affine *f, int64_t n)
{
  for (int i = 0; i < f->count; i++)
    add_term (sum, f->term[i].symbol, times (f->term[i].factor, n));
  sum->constant += f->constant * n;
  sum->is_partial = sum->is_partial || f->is_partial;
  sum->is_early = sum->is_early && f->is_early;
  if (f->wrap > sum->wrap)
    sum->wrap = f->wrap;
}

int64_t
induction_factor (const struct affine *f, const struct loop *loop)
{
  for (int i = 0; i < f->count; i++)
    if (is_induction (f->term[i].symbol, loop))
      return f->term[i].factor;
  return 0;
}

uint64_t
common_divisor (uint64_t a, uint64_t b)
{
  while (b)
    {
      uint64_t rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

uint64_t
fixed_divisor (const struct affine *f, const struct loop *loop)
{
  uint64_t divisor = f->is_partial;

  for (int i = 0; i < f->count; i++)
    if (!is_induction (f->term[i].symbol, loop))
      divisor = f->term[i].factor == UNKNOWN_FACTOR
                    ? 1
                    : common_divisor (divisor,
                                      (uint64_t) (f->term[i].factor < 0 ? -f->term[i].factor
                                                                        : f->term[i].factor));
  return divisor;
}

bool
find_apart (const struct affine *a, const struct affine *b, int64_t *apart)
{
  struct affine difference = *b;

  add_scaled (&difference, a, -1);
  *apart = difference.constant;
  return difference.count == 0 && !difference.is_partial && difference.wrap != WRAPS_INSIDE
         && is_small (*apart) && (*apart != 0 || a->wrap == b->wrap);
}

static void
set_opaque (struct affine *f, struct expr *e, bool is_early)
{
  *f = (struct affine){ .count = 1, .is_early = is_early };
  f->term[0] = (struct term){ e, 1 };
}

/* Whether binary E, of operands that may be evaluated, may be so whatever they are. */
static bool
is_harmless (const struct expr *e)
{
  const struct expr *b = strip_parens (e->b);

  switch (e->op)
    {
    case '+':
    case '-':
    case '*':
    case '&':
    case '|':
    case '^':
      return true;
    case '/':
    case '%':
      return b->is_constant && b->value > 0;
    case TOKEN_SHIFT_LEFT:
    case TOKEN_SHIFT_RIGHT:
      return b->is_constant && b->value >= 0 && b->value < 32;
    default:
      return false;
    }
}

bool
is_outer_name (const struct expr *e, const struct loop *loop)
{
  return e->decl && is_variable (e->decl) && e->decl->name_token != NO_TOKEN
         && e->decl->name_token < loop->stmt->then->first
         && !(loop->stmt->lanes && is_lane_scalar (e->decl, loop->stmt->lanes));
}

/* Whether E, which is loop-invariant, may be evaluated before LOOP, where the program might not
   evaluate it: no division by what may be 0, no name that the body declares. */
static bool
is_early (struct expr *e, const struct loop *loop)
{
  e = strip_parens (e);
  if (e->is_constant)
    return true;
  if (!type_is_integer (e->type) || type_size (e->type).value > 8)
    return false;
  switch (e->kind)
    {
    case EXPR_NAME:
      return is_outer_name (e, loop);
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_CAST:
      return e->type->kind != TYPE_BOOL && is_early (e->a, loop);
    case EXPR_UNARY:
      return (e->op == '-' || e->op == '+') && is_early (e->a, loop);
    case EXPR_BINARY:
      return is_harmless (e) && is_early (e->a, loop) && is_early (e->b, loop);
    default:
      return false;
    }
}

/* A conversion that keeps each value, or that adds 2^64 to it, which no address sees. */
static bool
keeps_values (const struct type *from, const struct type *to)
{
  if (type_size (from).value == type_size (to).value)
    return type_is_unsigned (from) == type_is_unsigned (to) || type_size (to).value == 8;
  return type_size (from).value < type_size (to).value
         && (type_is_unsigned (from) || !is_short_unsigned (to));
}

/* The part of a wider expression that F was wraps around within it. */
static bool
enclose_wrap (struct affine *f)
{
  if (f->wrap == WRAPS_UP)
    f->wrap = WRAPS_INSIDE;
  return f->wrap != WRAPS_DOWN;
}

static bool
find_cast (struct expr *e, struct loop *loop, struct affine *f)
{
  const struct type *from = strip_parens (e->a)->type;

  if (!type_is_integer (from) || e->type->kind == TYPE_BOOL || !find_affine (e->a, loop, f)
      || !enclose_wrap (f))
    return false;
  if (keeps_values (from, e->type))
    return true;
  if (induction_factor (f, loop) == 0
      || type_size (e->type).value < type_size (loop->induction->type).value
      || (is_short_unsigned (e->type) && !is_induction (e->a, loop)))
    return false;
  f->wrap = WRAPS_INSIDE;
  return true;
}

static bool
is_number (const struct affine *f)
{
  return f->count == 0 && !f->is_partial;
}

/* The product of A and B, of which one is a number or has the induction variable. */
static bool
find_product (struct loop *loop, const struct affine *a, const struct affine *b, struct affine *f)
{
  const struct affine *fixed = is_number (a) || induction_factor (b, loop) != 0 ? a : b;
  const struct affine *moving = fixed == b ? a : b;

  if (induction_factor (fixed, loop) != 0)
    return false;
  *f = (struct affine){ .is_early = true };
  if (is_number (fixed))
    {
      add_scaled (f, moving, fixed->constant);
      return is_small_form (f);
    }
  for (int i = 0; i < moving->count; i++)
    if (is_induction (moving->term[i].symbol, loop))
      add_term (f, moving->term[i].symbol, UNKNOWN_FACTOR);
  f->is_partial = true;
  f->is_early = false;
  return true;
}

static bool
is_large_constant (const struct expr *e)
{
  return e->is_constant && !is_small (e->value);
}

/* Unsigned ints wrap around at 2^32. */
static bool
find_sum (struct expr *e, const struct affine *a, const struct affine *b, struct affine *f)
{
  bool is_down = e->op == '-' || is_large_constant (strip_parens (e->a))
                 || is_large_constant (strip_parens (e->b));

  *f = *a;
  add_scaled (f, b, e->op == '-' ? -1 : 1);
  if (!is_short_unsigned (e->type))
    return true;
  if (f->wrap == WRAPS_INSIDE)
    return !is_down;
  f->wrap = is_down ? WRAPS_DOWN : WRAPS_UP;
  return true;
}

static bool
find_binary (struct expr *e, struct loop *loop, struct affine *f)
{
  struct affine a, b;
  bool is_moving;

  if (!find_affine (e->a, loop, &a) || !find_affine (e->b, loop, &b) || !enclose_wrap (&a)
      || !enclose_wrap (&b))
    return false;
  is_moving = induction_factor (&a, loop) != 0 || induction_factor (&b, loop) != 0;
  if (is_short_unsigned (e->type) && (!is_moving || (e->op != '+' && e->op != '-')))
    return false;
  if (e->op == TOKEN_SHIFT_LEFT && is_number (&b) && b.constant >= 0 && b.constant < MOST_BITS)
    b.constant = 1l << b.constant;
  else if (e->op == '+' || e->op == '-')
    return find_sum (e, &a, &b, f);
  /* Large factors are those of hash functions, which wrap around on purpose. */
  else if (e->op != '*' || is_large_constant (strip_parens (e->a))
           || is_large_constant (strip_parens (e->b)))
    return false;
  return (is_moving || is_number (&a) || is_number (&b)) && find_product (loop, &a, &b, f);
}

/* The form of E, an expression of parts; false where it is none, or only one of the whole. */
static bool
find_by_parts (struct expr *e, struct loop *loop, struct affine *f)
{
  switch (e->kind)
    {
    case EXPR_CAST:
      return find_cast (e, loop, f);
    case EXPR_UNARY:
      {
        struct affine a;

        if ((e->op != '-' && e->op != '+') || is_short_unsigned (e->type)
            || !find_affine (e->a, loop, &a) || !enclose_wrap (&a))
          return false;
        *f = (struct affine){ .is_early = true };
        add_scaled (f, &a, e->op == '-' ? -1 : 1);
        return true;
      }
    case EXPR_BINARY:
      return find_binary (e, loop, f);
    default:
      return false;
    }
}

bool
find_affine (struct expr *e, struct loop *loop, struct affine *f)
{
  const struct secondary *secondary;

  e = strip_parens (e);
  if (!type_is_integer (e->type) || type_size (e->type).value > 8)
    return false;
  if (e->is_constant && is_small (e->value))
    {
      *f = (struct affine){ .constant = e->value, .is_early = true };
      return true;
    }
  if (e->is_constant || is_induction (e, loop))
    {
      set_opaque (f, e, true);
      return true;
    }
  secondary = secondary_of (e, loop);
  if (secondary)
    {
      set_opaque (f, secondary->base, true);
      add_term (f, secondary->induction, secondary->factor);
      return true;
    }
  if (find_by_parts (e, loop, f) && (is_small_form (f) || induction_factor (f, loop) != 0))
    return true;
  if (!is_loop_invariant (e, loop))
    return false;
  set_opaque (f, e, is_early (e, loop));
  return true;
}

bool
find_index (struct expr *l, const struct expr *from, struct loop *loop, struct affine *sum)
{
  *sum = (struct affine){ .is_early = true };
  for (; l != from && l->kind == EXPR_INDEX; l = strip_parens (pointer_of (l)->a))
    {
      struct size size = ultimate_count (l->type);
      int64_t count = (int64_t) size.value, factor;
      struct affine own;

      if (!size.is_known || count <= 0 || count > 1 << 28
          || !find_affine (index_of (l), loop, &own))
        return false;
      factor = induction_factor (&own, loop);
      /* Only one index may wrap around, and only by one. */
      if (own.wrap != WRAPS_NEVER
          && (own.wrap == WRAPS_INSIDE || sum->wrap != WRAPS_NEVER
              || induction_factor (sum, loop) != 0 || (factor != 1 && factor != -1)))
        return false;
      if (size.times_threads && factor != 0)
        return false;
      if (!size.times_threads)
        add_scaled (sum, &own, count);
      else if (!is_number (&own) || own.constant != 0)
        {
          sum->is_partial = true;
          sum->is_early = sum->is_early && own.is_early;
        }
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
  return is_small_form (sum);
}
