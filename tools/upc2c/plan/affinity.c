/* Whether a upc_forall's affinity is an affine expression of its induction variable, and which
   position in a layout an iteration has by it:

       &a[i + c]      p + i      &a[2 * i][0]      i / b      i * THREADS / n … */

#include "tools/upc2c/plan/internal.h"

static bool
is_one_element (struct loop *loop, int64_t factor)
{
  return factor == 1 && !loop->step && loop->step_value == 1 && !loop->is_down;
}

/* Whether the iterations of a run follow each other, and are enough: each is FACTOR elements
   further. */
static bool
has_strips (struct loop *loop, int64_t factor)
{
  if (loop->is_by_one)
    return loop->block > 1;
  if (loop->step || factor == UNKNOWN_FACTOR)
    return false;
  return factor == 0
         || loop->step_value <= loop->block / MIN_STRIP / (factor < 0 ? -factor : factor);
}

/* The form of an affinity. A value that wraps around at 2^32 is taken for one that does not:
   of a sum that grows, few programs mean the other elements. */
static bool
find_form (struct expr *e, struct loop *loop, struct affine *f)
{
  return find_affine (e, loop, f) && f->wrap != WRAPS_DOWN;
}

/* Whether E, of an unsigned type, may pass 0. */
static bool
subtracts (struct expr *e)
{
  e = strip_parens (e);
  if (e->kind == EXPR_CAST)
    return subtracts (e->a);
  if (e->is_constant)
    return e->value < 0;
  if (e->kind == EXPR_BINARY)
    return e->op == '-' || subtracts (e->a) || subtracts (e->b);
  return e->kind == EXPR_UNARY;
}

/* The same of an integer affinity, of which every value counts modulo THREADS: only the induction
   variable itself, or a sum that is known to stay below 2^32, is taken for one that never wraps
   around. */
static bool
find_integer_form (struct expr *e, struct loop *loop, struct affine *f)
{
  int64_t first, last, factor;

  if (!find_form (e, loop, f))
    return false;
  if (type_is_unsigned (e->type) && type_size (e->type).value == 8)
    return !subtracts (e);
  factor = induction_factor (f, loop);
  return f->wrap == WRAPS_NEVER
         || (f->count == 1 && !f->is_partial && factor > 0 && factor < INT32_MAX && f->constant >= 0
             && find_range (loop, &first, &last)
             && factor * (first > last ? first : last) + f->constant <= UINT32_MAX);
}

/* Of an expression that is no constant or known not to be negative: quotients round
   towards zero, and layouts towards the negative. */
static bool
is_never_negative (struct expr *e, struct loop *loop)
{
  struct expr *start;

  e = strip_parens (e);
  if (type_is_unsigned (e->type) || (e->is_constant && e->value >= 0) || e->kind == EXPR_THREADS)
    return true;
  if (e->kind == EXPR_BINARY && (e->op == '+' || e->op == '*'))
    return is_never_negative (e->a, loop) && is_never_negative (e->b, loop);
  if (e->kind == EXPR_CAST)
    return is_never_negative (e->a, loop);
  if (!is_induction (e, loop) || loop->is_down || loop->step)
    return false;
  start = first_value (whole_loop (loop));
  return start && start->is_constant && start->value >= 0;
}

static bool
find_integer (struct loop *loop)
{
  struct expr *e = strip_parens (loop->stmt->affinity);
  struct affine f;

  loop->position = POSITION_INTEGER;
  loop->block = 1;
  if (e->kind == EXPR_BINARY && e->op == '%' && strip_parens (e->b)->kind == EXPR_THREADS)
    e = strip_parens (e->a);
  if (e->kind == EXPR_BINARY && e->op == '/' && is_loop_invariant (e->b, loop)
      && !is_loop_invariant (e->a, loop) && type_is_integer (e->type)
      && is_never_negative (e->a, loop))
    {
      loop->divisor = e->b;
      loop->affinity = e->a;
      loop->is_consecutive = !loop->step;
      return find_integer_form (e->a, loop, &f);
    }
  loop->affinity = e;
  if (!find_integer_form (e, loop, &f))
    return false;
  loop->is_by_one = is_one_element (loop, induction_factor (&f, loop));
  loop->is_consecutive = has_strips (loop, induction_factor (&f, loop));
  loop->index = e;
  return true;
}

static int64_t
scaled (int64_t factor, const struct type *element)
{
  struct size size = ultimate_count (element);

  if (factor == 0)
    return 0;
  return factor == UNKNOWN_FACTOR || !size.is_known || size.times_threads
             ? UNKNOWN_FACTOR
             : factor * (int64_t) size.value;
}

/* Adds to FACTOR how far one iteration moves INDEX of such elements, in ultimate elements. */
static bool
add_index (struct loop *loop, struct expr *index, const struct type *element, bool is_minus,
           int64_t *factor)
{
  struct affine f;
  int64_t own;

  if (!find_form (index, loop, &f))
    return false;
  own = scaled (induction_factor (&f, loop), element);
  if (own == UNKNOWN_FACTOR || *factor == UNKNOWN_FACTOR)
    *factor = UNKNOWN_FACTOR;
  else
    *factor += is_minus ? -own : own;
  return true;
}

static bool is_affine_pointer (struct expr *e, struct loop *loop, int64_t *factor);

/* The same of the element L. */
static bool
is_affine_element (struct expr *l, struct loop *loop, int64_t *factor)
{
  if (l->kind != EXPR_INDEX)
    return false;
  for (; l->kind == EXPR_INDEX; l = strip_parens (pointer_of (l)->a))
    {
      if (!add_index (loop, index_of (l), l->type, false, factor))
        return false;
      if (pointer_of (l)->kind != EXPR_DECAY)
        return is_affine_pointer (pointer_of (l), loop, factor);
    }
  return l->kind == EXPR_NAME;
}

/* The same of a pointer-to-shared. */
static bool
is_affine_pointer (struct expr *e, struct loop *loop, int64_t *factor)
{
  bool is_swapped;

  e = strip_parens (e);
  if (is_induction (e, loop))
    ++*factor;
  if (is_induction (e, loop) || is_loop_invariant (e, loop))
    return true;
  switch (e->kind)
    {
    case EXPR_ADDRESS:
    case EXPR_DECAY:
      return is_affine_element (strip_parens (e->a), loop, factor);
    case EXPR_BINARY:
      is_swapped = !type_is_pts (e->a->type);
      return is_affine_pointer (is_swapped ? e->b : e->a, loop, factor)
             && add_index (loop, is_swapped ? e->a : e->b, e->type->base, e->op == '-', factor);
    default:
      return false;
    }
}

/* `&x[…]` of a static array: the index is known itself. */
static bool
is_static_element (struct expr *l)
{
  struct expr *root = NULL;

  for (; l->kind == EXPR_INDEX; l = strip_parens (root->a))
    {
      root = pointer_of (l);
      if (root->kind != EXPR_DECAY)
        return false;
    }
  return root && l->kind == EXPR_NAME;
}

static void
set_position (struct loop *loop, struct expr *affinity, int64_t factor)
{
  loop->affinity = affinity;
  loop->position = affinity->kind == EXPR_INDEX && is_static_element (affinity) ? POSITION_ELEMENT
                                                                                : POSITION_POINTER;
  loop->is_by_one = is_one_element (loop, factor);
  loop->is_consecutive = has_strips (loop, factor);
  if (loop->position == POSITION_ELEMENT && affinity->type->kind != TYPE_ARRAY
      && strip_parens (pointer_of (affinity)->a)->kind == EXPR_NAME)
    loop->index = index_of (affinity);
  if (factor != loop->block || loop->is_by_one || !is_one_element (loop, 1))
    return;
  /* From block to block, as in a layout of single elements. */
  loop->position = POSITION_THREAD;
  loop->block = 1;
  loop->is_by_one = true;
  loop->index = NULL;
}

static bool
find_pointer (struct loop *loop)
{
  struct expr *e = strip_parens (loop->stmt->affinity), *l = NULL;
  const struct type *target;
  int64_t factor = 0;

  if (e->kind == EXPR_CONVERT)
    e = strip_parens (e->a);
  if (!type_is_pts (e->type))
    return false;
  /* The address of a member has no phase: the element it is in has. */
  if (e->kind == EXPR_ADDRESS)
    l = element_of (e->a);
  target = l ? l->type : e->type->base;
  loop->block = block_of (target);
  if (loop->block == 0 || target->kind == TYPE_VOID
      || !(l ? is_affine_element (l, loop, &factor) : is_affine_pointer (e, loop, &factor)))
    return false;
  set_position (loop, l ? l : e, factor);
  return true;
}

/* Whether the induction variable may wrap around on its way to a bound that it must meet. */
static bool
passes_zero (struct loop *loop)
{
  const struct type *type = loop->induction->type;
  struct expr *start = first_value (loop), *bound = strip_parens (loop->bound);
  struct expr *low = loop->is_down ? bound : start;

  return loop->relation == TOKEN_NOT_EQUAL
         && (type_is_unsigned (type) || type_size (type).value < 4)
         && !(low && low->is_constant && low->value == 0);
}

bool
find_position (struct loop *loop)
{
  return find_header (loop) && !passes_zero (loop)
         && (loop->stmt->affinity_kind == AFFINITY_POINTER ? find_pointer (loop)
                                                           : find_integer (loop));
}
