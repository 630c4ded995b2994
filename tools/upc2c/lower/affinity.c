/* Whether a upc_forall's affinity is an affine expression of its induction variable, and which
   position in a layout an iteration has by it:

       &a[i + c]      p + i      &a[2 * i][0]      i / b      i * THREADS / n … */

#include "tools/upc2c/lower/internal.h"

static bool
is_one_element (struct iteration_set *s, int64_t factor)
{
  return factor == 1 && !s->step && s->step_value == 1 && !s->is_down;
}

/* Of an expression that is no constant or known not to be negative: quotients round
   towards zero, and layouts towards the negative. */
static bool
is_never_negative (struct expr *e, struct iteration_set *s)
{
  struct expr *init = s->loop->init_expr ? strip_parens (s->loop->init_expr) : NULL;
  struct decl *declared = s->loop->declaration ? s->loop->declaration->decls : NULL;
  struct expr *start = NULL;

  e = strip_parens (e);
  if (type_is_unsigned (e->type) || (e->is_constant && e->value >= 0) || e->kind == EXPR_THREADS)
    return true;
  if (e->kind == EXPR_BINARY && (e->op == '+' || e->op == '*'))
    return is_never_negative (e->a, s) && is_never_negative (e->b, s);
  if (e->kind == EXPR_CAST)
    return is_never_negative (e->a, s);
  if (!is_induction (e, s) || s->is_down || s->step)
    return false;
  if (init && init->kind == EXPR_ASSIGN && is_induction (init->a, s))
    start = strip_parens (init->b);
  else if (declared && declared == s->induction && declared->init)
    start = declared->init->expr ? strip_parens (declared->init->expr) : NULL;
  return start && start->is_constant && start->value >= 0;
}

static bool
find_integer (struct iteration_set *s)
{
  struct expr *e = strip_parens (s->loop->affinity);
  int64_t factor;

  s->position = POSITION_INTEGER;
  s->block = 1;
  /* Values that are not negative lie as they are modulo THREADS. */
  if (e->kind == EXPR_BINARY && e->op == '%' && strip_parens (e->b)->kind == EXPR_THREADS
      && is_never_negative (e->a, s))
    e = strip_parens (e->a);
  if (e->kind == EXPR_BINARY && e->op == '/' && is_loop_invariant (e->b, s)
      && !is_loop_invariant (e->a, s) && type_is_integer (e->type) && is_never_negative (e->a, s))
    {
      s->divisor = e->b;
      s->affinity = e->a;
      return is_affine (e->a, s, &factor);
    }
  s->affinity = e;
  if (!is_affine (e, s, &factor))
    return false;
  s->is_by_one = is_one_element (s, factor);
  s->index = e;
  return true;
}

/* The element whose affinity `&x[…].member` has. */
static struct expr *
element_of (struct expr *address)
{
  struct expr *l = strip_parens (address->a);

  while (l->kind == EXPR_DOT)
    l = strip_parens (l->a);
  return l;
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

/* Adds to FACTOR how far one iteration moves the element L, in ultimate elements. ROOT
   comes back as what the indexes start from. */
static bool
find_element_factor (struct iteration_set *s, struct expr *l, int64_t *factor, struct expr **root)
{
  for (; l->kind == EXPR_INDEX; l = strip_parens ((*root)->a))
    {
      int64_t own;

      if (!is_affine (index_of (l), s, &own))
        return false;
      *factor = plus_factor (*factor, scaled (own, l->type));
      *root = pointer_of (l);
      if ((*root)->kind != EXPR_DECAY)
        return true;
    }
  return true;
}

static bool is_affine_pointer (struct expr *e, struct iteration_set *s, int64_t *factor);

static bool
is_affine_element (struct expr *l, struct iteration_set *s, int64_t *factor)
{
  struct expr *root = NULL;
  int64_t own;

  if (l->kind != EXPR_INDEX || !find_element_factor (s, l, factor, &root))
    return false;
  if (root->kind == EXPR_DECAY)
    return strip_parens (root->a)->kind == EXPR_NAME;
  if (!is_affine_pointer (root, s, &own))
    return false;
  *factor = plus_factor (*factor, own);
  return true;
}

/* A pointer-to-shared that moves by FACTOR ultimate elements in each iteration. */
static bool
is_affine_pointer (struct expr *e, struct iteration_set *s, int64_t *factor)
{
  int64_t own;
  bool swapped;

  e = strip_parens (e);
  *factor = 0;
  if (is_loop_invariant (e, s))
    return true;
  switch (e->kind)
    {
    case EXPR_ADDRESS:
      return is_affine_element (strip_parens (e->a), s, factor);
    case EXPR_DECAY:
      return is_affine_element (strip_parens (e->a), s, factor);
    case EXPR_BINARY:
      swapped = !type_is_pts (e->a->type);
      if (!is_affine_pointer (swapped ? e->b : e->a, s, factor)
          || !is_affine (swapped ? e->a : e->b, s, &own))
        return false;
      *factor = plus_factor (*factor,
                             scaled (e->op == '-' ? minus_factor (own) : own, e->type->base));
      return true;
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
set_position (struct iteration_set *s, struct expr *affinity, int64_t factor)
{
  s->affinity = affinity;
  s->position = affinity->kind == EXPR_INDEX && is_static_element (affinity) ? POSITION_ELEMENT
                                                                             : POSITION_POINTER;
  s->is_by_one = is_one_element (s, factor);
  if (s->position == POSITION_ELEMENT && affinity->type->kind != TYPE_ARRAY
      && strip_parens (pointer_of (affinity)->a)->kind == EXPR_NAME)
    s->index = index_of (affinity);
  if (factor != s->block || s->is_by_one || !is_one_element (s, 1))
    return;
  /* From block to block, as in a layout of single elements. */
  s->position = POSITION_THREAD;
  s->block = 1;
  s->is_by_one = true;
  s->index = NULL;
}

static bool
find_pointer (struct iteration_set *s)
{
  struct expr *e = strip_parens (s->loop->affinity), *l = NULL;
  const struct type *target;
  int64_t factor = 0;

  if (e->kind == EXPR_CONVERT)
    e = strip_parens (e->a);
  if (!type_is_pts (e->type))
    return false;
  /* The address of a member has no phase: the element it is in has. */
  if (e->kind == EXPR_ADDRESS)
    l = element_of (e);
  target = l ? l->type : e->type->base;
  s->block = block_of (target);
  if (s->block == 0 || target->kind == TYPE_VOID
      || !(l ? is_affine_element (l, s, &factor) : is_affine_pointer (e, s, &factor)))
    return false;
  set_position (s, l ? l : e, factor);
  return true;
}

bool
find_position (struct iteration_set *s)
{
  if (!find_header (s)
      || !(s->loop->affinity_kind == AFFINITY_POINTER ? find_pointer (s) : find_integer (s)))
    return false;
  s->index_block = s->block;
  return true;
}
