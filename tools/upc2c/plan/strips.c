/* Plans of loops: strips, and owned iteration sets. */

#include "tools/upc2c/plan/internal.h"

bool
moves_by_one (const struct loop *loop)
{
  return !loop->step && loop->step_value == 1;
}

bool
all_stay (const struct loop *loop)
{
  const struct reference *r = loop->references;

  while (r && r->stays)
    r = r->next;
  return !r;
}

/* Whether the induction variable may wrap around. */
static bool
may_wrap (const struct loop *loop)
{
  return type_size (loop->induction->type).value < 4 || loop->relation == TOKEN_NOT_EQUAL;
}

/* Whether the number of iterations is known before the first one. */
static bool
find_count (struct loop *loop)
{
  const struct type *type = loop->induction->type;
  uint64_t bytes = type_size (type).value;

  if (find_bound (loop) && bytes >= 4
      && (!type_is_unsigned (type)
          || ((loop->relation == '<' || loop->relation == '>')
              && type_size (loop->bound->type).value <= bytes
              && (loop->step_value == 1 || bytes == 8))))
    return true;
  loop->bound = NULL;
  return false;
}

/* Whether LOOP is known to have too few iterations. */
static bool
is_short (struct loop *loop)
{
  int64_t first, last;

  return find_range (loop, &first, &last)
         && (loop->is_down ? first - last : last - first) < (MIN_STRIP - 1) * loop->step_value;
}

bool
find_strips (struct loop *loop)
{
  loop->single_valued = PROVEN;
  if (!find_induction (loop))
    {
      loop->induction = NULL;
      return false;
    }
  if (loop->step || loop->step_value > INT32_MAX)
    {
      loop->reason = "the step is no constant";
      return false;
    }
  loop->is_counted = find_count (loop);
  if (is_short (loop))
    {
      loop->reason = "there are too few iterations";
      return false;
    }
  find_references (loop);
  if (!loop->references)
    return false;
  find_independence (loop);
  loop->is_independent = loop->is_independent && loop->is_counted;
  return true;
}

struct uses
{
  struct loop *loop;
  int count;
};

static bool
count_use (struct expr *e, void *data)
{
  struct uses *u = data;

  u->count += e->kind == EXPR_NAME && e->decl == u->loop->induction;
  return false;
}

/* Whether R has, or may turn out to have, the phase of LOOP's own elements; is_in_phase where that
   is known. */
static bool
may_be_in_phase (struct reference *r, struct loop *loop)
{
  struct affine own;
  int64_t apart;

  if (is_row (r) || r->stride_kind != STRIDE_IN_BLOCK || r->stride != 1 || r->at.wrap != WRAPS_NEVER
      || block_of (r->l->type) != loop->block)
    return false;
  if (loop->affinity->kind != EXPR_INDEX
      || type_is_pts (r->root->type) != (loop->position != POSITION_ELEMENT))
    return true;
  if (!find_elements_apart (loop->affinity, r->l, loop, &apart)
      && !(loop->position == POSITION_ELEMENT && find_index (loop->affinity, NULL, loop, &own)
           && find_apart (&own, &r->at, &apart)))
    return true;
  r->is_in_phase = apart % loop->block == 0;
  return r->is_in_phase;
}

static bool
is_own_or_reference (struct expr *l, struct loop *loop)
{
  int64_t apart;

  return (is_own_element (l, loop, &apart) && apart == 0) || reference_to (loop, l);
}

/* Takes away the uses of the induction variable in indexes of elements in phase. */
static bool
discount_use (struct expr *e, void *data)
{
  struct expr *l = accessed_element (e);
  struct uses *u = data;

  if (l && is_own_or_reference (l, u->loop))
    {
      struct uses own = { .loop = u->loop };

      any_in_expr (l, count_use, &own);
      u->count -= own.count;
    }
  return false;
}

/* All elements of a thread, those of one block after another's, are contiguous in its memory. A
   loop that asks of an iteration no more than such elements may do all its blocks at once. */
static bool
may_be_flat (struct loop *loop)
{
  struct uses u = { .loop = loop };

  if (!has_strips (loop) || may_wrap (loop) || has_watched_access (loop->stmt->then))
    return false;
  for (struct reference *r = loop->references; r; r = r->next)
    if (!may_be_in_phase (r, loop))
      return false;
  any_in_stmt (loop->stmt->then, count_use, &u);
  any_in_stmt (loop->stmt->then, discount_use, &u);
  return u.count == 0;
}

static bool
is_too_short (const struct reference *r)
{
  int64_t stride = r->stride < 0 ? -r->stride : r->stride;

  return r->stride_kind == STRIDE_IN_BLOCK && stride > block_of (r->l->type) / MIN_STRIP;
}

/* Blocks of a few elements are worth while only if they are done all at once. */
static void
drop_short_references (struct loop *loop)
{
  struct reference **at = &loop->references;

  while (*at)
    if (is_too_short (*at))
      *at = (*at)->next;
    else
      at = &(*at)->next;
}

static bool
find_as (struct loop *loop, enum single_valuedness single_valued)
{
  *loop = (struct loop){ .stmt = loop->stmt,
                         .outer = loop->outer,
                         .number = loop->number,
                         .form = LOOP_OWNED,
                         .single_valued = single_valued };
  return (single_valued != PROVEN || !has_break (loop->stmt->then)) && find_position (loop);
}

bool
find_owned_set (struct loop *loop)
{
  if (!find_as (loop, PROVEN))
    return find_as (loop, ASSUMED);
  if (has_strips (loop) || !may_wrap (loop))
    find_references (loop);
  loop->may_be_flat = may_be_flat (loop);
  if (!loop->may_be_flat && has_strips (loop))
    drop_short_references (loop);
  find_independence (loop);
  return true;
}
