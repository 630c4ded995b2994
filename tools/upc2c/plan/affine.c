/* Affine forms of integer expressions. */

#include "tools/upc2c/plan/internal.h"

static bool
is_short_unsigned (const struct type *type)
{
  return type_is_unsigned (type) && type_size (type).value <= 4;
}

static void
set_opaque (struct affine *f, struct expr *e, bool is_early)
{
  *f = (struct affine){ .count = 1, .is_early = is_early };
  f->term[0] = (struct term){ e, 1, false };
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

/* Whether F is a number, of units or of THREADS, by which another form may be multiplied. */
static bool
is_factor (const struct affine *f)
{
  int64_t factor;

  return is_number (f) || is_multiple_of_threads (f, &factor);
}

/* The product of A and B, of which one is a factor or has the induction variable. */
static bool
find_product (struct loop *loop, const struct affine *a, const struct affine *b, struct affine *f)
{
  const struct affine *fixed = is_factor (a) || induction_factor (b, loop) != 0 ? a : b;
  const struct affine *moving = fixed == b ? a : b;
  int64_t factor;

  if (induction_factor (fixed, loop) != 0)
    return false;
  *f = (struct affine){ .is_early = true };
  if (is_number (fixed))
    {
      add_scaled (f, moving, fixed->constant);
      return is_small_form (f);
    }
  if (is_multiple_of_threads (fixed, &factor))
    {
      add_by_threads (f, moving, factor);
      return is_small_form (f);
    }
  for (int i = 0; i < moving->count; i++)
    if (is_induction (moving->term[i].symbol, loop))
      add_term (f, (struct term){ moving->term[i].symbol, UNKNOWN_FACTOR, false });
  f->is_partial = true;
  f->is_early = false;
  return true;
}

static bool
is_large_constant (const struct expr *e)
{
  return e->is_constant && !is_small_number (e->value);
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
  return (is_moving || is_factor (&a) || is_factor (&b)) && find_product (loop, &a, &b, f);
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
  if (e->is_constant && is_small_number (e->value))
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
      add_term (f, (struct term){ secondary->induction, secondary->factor, false });
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
      if (size.times_threads)
        add_by_threads (sum, &own, count);
      else
        add_scaled (sum, &own, count);
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
  return is_small_form (sum);
}
