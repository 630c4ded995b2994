/* The form of a loop, and how it is divided into strips. */

#include "tools/upc2c/plan/internal.h"

enum
{
  FEW_ITERATIONS = 16
};

void
find_count (struct loop *loop)
{
  const struct type *type = loop->induction->type;
  uint64_t bytes = type_size (type).value;

  if (!find_bound (loop) || bytes < 4
      || (type_is_unsigned (type)
          && ((loop->relation != '<' && loop->relation != '>')
              || type_size (loop->bound->type).value > bytes
              || (!moves_by_one (loop) && bytes != 8))))
    loop->bound = NULL;
}

static bool
is_element_access (struct expr *e, void *data)
{
  (void) data;
  return accessed_element (e);
}

/* Whether strips may have LOOP's step, which is no constant. Both it and the induction variable are signed: unsigned ones pass 0
   where C's steps go down. Loops that look for an element, as those of sorts and hash tables, end too soon. */
static bool
may_be_in_strips (const struct loop *loop)
{
  const struct type *type = loop->induction->type, *step = promoted (loop->step->type);

  return !any_in_expr (loop->stmt->expr, is_element_access, NULL) && !type_is_unsigned (type)
         && !type_is_unsigned (step) && type_size (type).value >= 4
         && type_size (step).value <= type_size (type).value;
}

/* Whether LOOP is known to have too few iterations. */
static bool
is_short (struct loop *loop)
{
  int64_t first, last;

  return find_constants (loop, &first, &last)
         && (loop->is_down ? first - last : last - first) < (MIN_STRIP - 1) * loop->step_value;
}

static bool
moves_along (struct expr *e, void *loop)
{
  struct expr *l = accessed_element (e);

  if (is_walking_step (e))
    return true;
  return ((struct loop *) loop)->induction && l && pointed_element (l, loop)->kind == EXPR_INDEX;
}

/* Whether LOOP is known to have fewer iterations than make up for what locates their first elements. */
static bool
has_few (struct loop *loop)
{
  int64_t first, last;

  return loop->induction && !loop->step && find_range (loop, &first, &last)
         && (loop->is_down ? first - last : last - first) < (FEW_ITERATIONS - 1) * loop->step_value;
}

/* LOOP has a plan for strips: it stays as it is written. */
static void
forget_strips (struct loop *loop)
{
  loop->form = LOOP_AS_WRITTEN;
  loop->references = NULL;
  loop->reference_count = 0;
  loop->crosses_blocks = loop->is_independent = loop->is_for_vectors = loop->is_for_scalars = false;
  loop->meetings = NULL;
  loop->strip_meetings = NULL;
  loop->copy_to = loop->copy_from = NULL;
}

/* All is known of LOOP but that. */
static void
choose_form (struct loop *loop, bool is_few)
{
  if (!loop->references || loop->reason)
    return;
  loop->form = LOOP_STRIPS;
  find_neighbours (loop);
  if (loop->residues)
    return;
  find_independence (loop);
  find_crossing (loop);
  loop->is_by_elements = crosses_too_often (loop, is_few);
  if (loop->is_by_elements)
    forget_strips (loop);
}

static const char *
reason_against_strips (struct loop *loop)
{
  if (loop->stmt->is_do && !loop->bound)
    return "its condition is behind its body";
  if ((loop->step && !loop->rounds && !may_be_in_strips (loop)) || loop->step_value > INT32_MAX)
    return "the step is no constant";
  return is_short (loop) ? "there are too few iterations" : NULL;
}

void
plan_for (struct loop *loop)
{
  loop->is_consecutive = true;
  if (!find_induction (loop))
    {
      loop->induction = NULL;
      loop->step = NULL;
    }
  find_walks (loop);
  if (!loop->references && !any_in_stmt (loop->stmt->then, moves_along, loop)
      && !any_in_expr (loop->stmt->expr, moves_along, loop)
      && !any_in_expr (loop->stmt->step, moves_along, loop))
    return;
  if (loop->induction)
    {
      find_count (loop);
      find_secondaries (loop);
    }
  else
    find_walking_induction (loop);
  if (!loop->bound)
    find_counter (loop);
  drop_bad_cursors (loop);
  if (!loop->reason)
    loop->reason = reason_against_strips (loop);
  if (!loop->reason)
    find_references (loop);
  if (!loop->reason)
    try_pieces (loop);
  if (!loop->reason && !loop->in_order)
    try_windows (loop);
  if (!loop->reason && !loop->in_order)
    try_residues (loop);
  if (!loop->reason && !loop->in_order)
    try_long_steps (loop);
  choose_form (loop, has_few (loop));
  if (loop->in_order)
    choose_form (loop->in_order, false);
}

/* Whether R has, or may turn out to have, the phase of LOOP's own elements; is_in_phase where that
   is known. */
static bool
may_be_in_phase (struct reference *r, struct loop *loop)
{
  int64_t apart;
  bool is_known;

  r->is_in_phase = r->is_own;
  if (r->is_own)
    return true;
  if (is_row (r) || r->stride_kind != STRIDE_IN_BLOCK || r->stride != 1 || r->at.wrap != WRAPS_NEVER
      || block_of (r->type) != loop->block)
    return false;
  if (loop->affinity->kind != EXPR_INDEX
      || type_is_pts (r->root->type) != (loop->position != POSITION_ELEMENT))
    return true;
  if (!find_apart_from_own (r, loop, &apart, &is_known))
    return true;
  /* Pointers most often lead to the beginning of a block. */
  r->is_in_phase = is_known && apart % loop->block == 0;
  return apart % loop->block == 0;
}

/* All elements of a thread, those of one block after another's, are contiguous in its memory. A
   loop that asks of an iteration no more than such elements may do all its blocks at once. */
static bool
may_be_flat (struct loop *loop)
{
  if (!loop->is_by_one || loop->block == 1 || may_wrap (loop)
      || has_watched_access (loop->stmt->then))
    return false;
  for (struct reference *r = loop->references; r; r = r->next)
    if (!may_be_in_phase (r, loop))
      return false;
  return !uses_induction (loop);
}

/* Blocks of a few elements are worth while only if they are done all at once. */
static bool
is_too_short (const struct reference *r, struct loop *loop)
{
  int64_t stride = r->stride < 0 ? -r->stride : r->stride;

  (void) loop;
  return r->stride_kind == STRIDE_IN_BLOCK && !r->is_own && r->l->kind != EXPR_NAME
         && block_of (r->type) > 0 && stride > block_of (r->type) / MIN_STRIP;
}

/* Plans the owned iteration set for that FORM. */
static bool
find_owned (struct loop *loop, enum loop_form form)
{
  struct stmt *s = loop->stmt;

  *loop = (struct loop){ .stmt = s, .outer = loop->outer, .number = loop->number, .form = form };
  if (form == LOOP_ONE_BY_ONE)
    return find_position (loop);
  /* The pointer that is the induction variable stays in a block. */
  return !has_break (s->then) && find_position (loop) && (!is_by_pointer (loop) || loop->is_by_one);
}

static void
check_each (struct loop *loop, const char *reason)
{
  *loop = (struct loop){ .stmt = loop->stmt,
                         .outer = loop->outer,
                         .number = loop->number,
                         .form = LOOP_CHECKED,
                         .reason = reason };
}

void
plan_forall (struct loop *loop)
{
  bool has_phases;

  if (has_watched_header (loop->stmt))
    check_each (loop, "its header raises events");
  else if (find_owned (loop, LOOP_STRIPS))
    {
      find_references (loop);
      loop->may_be_flat = may_be_flat (loop);
      has_phases = !loop->may_be_flat && has_other_phases (loop);
      if (!loop->may_be_flat && loop->is_consecutive)
        drop_references (loop, is_too_short);
      find_independence (loop);
      if (has_phases)
        try_phases (loop);
    }
  else if (!find_owned (loop, LOOP_ONE_BY_ONE))
    check_each (loop, "its affinity is no affine expression of its induction variable");
}
