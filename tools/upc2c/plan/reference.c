/* References: the elements of a loop that stay in a block for a while. These are elements of a
   static array, or of a pointer that the loop does not change, whose indexes are affine forms of
   the induction variable. */

#include "tools/upc2c/plan/internal.h"

/* With more elements than that the others are found as anywhere else. */
enum
{
  MOST_REFERENCES = 40
};

static int64_t
floor_quotient (int64_t n, int64_t d)
{
  return n >= 0 ? n / d : ~(~n / d);
}

/* Whether all iterations meet the same block, wherever what is fixed begins: that is a
   multiple of the divisor. */
static bool
stays_in_block (struct loop *loop, const struct affine *at, uint32_t block)
{
  int64_t first, last, size = (int64_t) common_divisor (block, fixed_divisor (at, loop));
  int64_t factor = induction_factor (at, loop);

  return find_range (loop, &first, &last)
         && floor_quotient (at->constant + factor * first, size)
                == floor_quotient (at->constant + factor * last, size);
}

/* Whether LOOP is a upc_forall of which a thread does each THREADS-th iteration, all in one run:
   what moves by blocks is always in the same thread then, block behind block. */
static bool
is_cyclic (const struct loop *loop)
{
  return is_forall (loop) && loop->is_by_one && loop->block == 1;
}

/* Whether R may have the phase that own elements have, in all iterations. */
static bool
may_be_in_phase (const struct reference *r, const struct loop *loop)
{
  return is_forall (loop) && r->stride == 1 && block_of (r->type) == loop->block;
}

/* Whether R, which moves by STRIDE or by STRIDE * THREADS elements, moves by whole rounds of blocks.
   Then it is always in the same thread, STRIDE elements further in its memory. */
static bool
moves_by_rounds (const struct reference *r, const struct loop *loop, int64_t *stride)
{
  int64_t threads = loop->step || loop->residues ? 1 : switches.threads;
  int64_t moved = loop->residues ? *stride * loop->residues : *stride;

  /* In pieces and windows all do; pieces.c and window.c see to that. */
  if (loop->is_by_pieces || (loop->is_windowed && block_of (r->type) > 0))
    return true;
  if ((is_forall (loop) && !loop->residues) || block_of (r->type) == 0 || threads == 0
      || moved % (threads * block_of (r->type)) != 0)
    return false;
  *stride = moved / threads;
  return true;
}

/* What THREADS, or a variable that is a step, may be expected to be. */
enum
{
  USUAL_STEP = 16
};

/* Whether R, FACTOR elements further with each one that a step of LOOP is long, may be expected to stay in a block for several
   steps. */
static bool
moves_by_step (const struct reference *r, const struct loop *loop, int64_t factor)
{
  int64_t threads = switches.threads ? switches.threads : USUAL_STEP;
  int64_t step = !loop->step ? threads : loop->rounds ? loop->rounds * threads : USUAL_STEP;

  return (loop->step || is_cyclic (loop)) && !loop->residues && !is_row (r)
         && (block_of (r->type) == 0
             || step * MIN_STRIP <= block_of (r->type) / (factor < 0 ? -factor : factor));
}

/* Whether R moves by whole rounds of blocks as its index is multiplied by THREADS, in the program's order: then it stays in
   one thread's memory. */
static bool
find_stride_by_threads (struct reference *r, const struct loop *loop)
{
  int64_t factor = threads_factor (&r->at, loop), block = block_of (r->type);

  if (factor == UNKNOWN_FACTOR || loop->step || !loop->is_consecutive || is_forall (loop)
      || loop->is_by_pieces || loop->is_windowed || loop->is_by_copies || block == 0
      || r->at.wrap != WRAPS_NEVER || r->root->decl == loop->induction
      || loop->step_value > INT32_MAX / (factor < 0 ? -factor : factor))
    return false;
  r->stride = factor * change_of_induction (loop);
  r->stride_kind = STRIDE_IN_BLOCK;
  r->stays = r->is_by_rounds = true;
  return r->stride % block == 0;
}

/* How R moves from one iteration to the next. */
static bool
find_stride (struct reference *r, struct loop *loop)
{
  int64_t block = block_of (r->type), factor = element_factor (r->root, &r->at, loop);
  int64_t step = loop->step ? loop->rounds : loop->step_value, most;
  /* The pointer that is the induction variable moves without the arithmetic of blocks. */
  bool may_leave_block = r->l->kind != EXPR_NAME && r->at.wrap == WRAPS_NEVER;

  r->stride_kind = RECOMPUTE;
  r->stays = true;
  if (step > INT32_MAX / (factor < 0 ? -factor : factor))
    return is_row (r);
  r->stride = factor * (loop->is_down ? -step : step);
  r->is_by_rounds = step != 0 && may_leave_block && moves_by_rounds (r, loop, &r->stride);
  if (r->is_by_rounds)
    {
      r->stride_kind = STRIDE_IN_BLOCK;
      return true;
    }
  if (may_leave_block && moves_by_step (r, loop, factor))
    {
      r->stride_kind = STRIDE_BY_STEP;
      r->stride = loop->is_down ? -factor : factor;
      r->stays = block == 0;
      return true;
    }
  if (loop->step)
    return is_row (r);
  if (block == 0 && !loop->is_consecutive)
    return false;
  if (block == 0 || (switches.threads == 1 && may_leave_block && loop->is_consecutive))
    {
      /* All blocks are one. */
      r->stride_kind = STRIDE_IN_BLOCK;
      return true;
    }
  if (r->stride % block == 0
      && (is_cyclic (loop) ? r->at.wrap == WRAPS_NEVER : may_leave_block && loop->is_consecutive))
    {
      r->stride_kind = is_cyclic (loop) ? STRIDE_IN_BLOCK : BLOCK_STRIDE;
      return true;
    }
  most = block / least_strip (block, r->stride, loop);
  if (!loop->is_consecutive
      || ((r->stride > most || -r->stride > most) && !may_be_in_phase (r, loop)))
    return is_row (r);
  r->stride_kind = STRIDE_IN_BLOCK;
  r->stays = r->at.wrap == WRAPS_NEVER && !is_pointer (r) && !is_forall (loop) && loop->bound
             && stays_in_block (loop, &r->at, (uint32_t) block);
  return true;
}

static bool
find_reference (struct expr *l, struct loop *loop, struct reference *r)
{
  int64_t factor;

  *r = (struct reference){ .l = l, .type = element_type_of (l), .root = root_name (l) };
  if (!r->root || !is_good_root (r->root, loop))
    return false;
  if (!loop->residues && is_own_element (l, loop))
    {
      r->is_own = r->stays = true;
      r->stride = 1;
      return true;
    }
  if ((!loop->is_consecutive && may_wrap (loop)) || !find_index (l, NULL, loop, &r->at)
      || !r->at.is_early)
    return false;
  factor = element_factor (r->root, &r->at, loop);
  if (factor == UNKNOWN_FACTOR)
    return find_stride_by_threads (r, loop);
  return factor != 0 && find_stride (r, loop);
}

static void
keep_reference (struct loop *loop, const struct reference *found)
{
  struct reference *r = NEW (struct reference);

  *r = *found;
  r->number = ++loop->reference_count;
  r->next = loop->references;
  loop->references = r;
}

/* Adds L if it is known where it is; false if not. */
static bool
add_reference (struct loop *loop, struct expr *l)
{
  struct reference found;

  if (reference_to (loop, l))
    return true;
  if (loop->is_by_copies && is_in_small_blocks (l))
    return false;
  if (loop->reference_count == MOST_REFERENCES || !find_reference (l, loop, &found))
    return false;
  keep_reference (loop, &found);
  return true;
}

void
add_walk (struct loop *loop, struct expr *step, bool is_pointed)
{
  struct expr *name = strip_parens (step->a);
  struct reference r = { .l = name,
                         .type = name->type->base,
                         .root = name,
                         .stride = step->op == TOKEN_INCREMENT || step->op == '+' ? 1 : -1,
                         .stride_kind = STRIDE_IN_BLOCK,
                         .stays = block_of (name->type->base) == 0,
                         .walk = step };

  if (loop->residues)
    {
      r.stride *= loop->is_by_pieces ? 1 : loop->residues;
      r.stays = r.is_by_rounds = true;
    }
  else if (block_of (r.type) == 1)
    {
      r.stride_kind = BLOCK_STRIDE;
      r.stays = r.is_by_rounds = true;
    }
  r.at.constant = step->is_prefix && is_pointed ? -1 : 0;
  if (loop->reference_count < MOST_REFERENCES)
    keep_reference (loop, &r);
}

void
drop_references (struct loop *loop, bool (*is_bad) (const struct reference *r, struct loop *loop))
{
  struct reference **at = &loop->references;

  while (*at)
    if (is_bad (*at, loop))
      *at = (*at)->next;
    else
      at = &(*at)->next;
}

static bool
has_row_reference (struct loop *loop, struct expr *l)
{
  for (l = enclosing_row (l); l; l = enclosing_row (l))
    if (reference_to (loop, l))
      return true;
  return false;
}

/* The element that E accesses, if an address leads there: in runs its value has come already. */
static struct expr *
addressed_element (struct expr *e, struct loop *loop)
{
  struct expr *l = accessed_element (e);

  return l && !is_in_run (l) ? pointed_element (l, loop) : NULL;
}

static bool
note_reference (struct expr *e, void *loop)
{
  struct expr *l = addressed_element (e, loop);

  if (l && !has_row_reference (loop, l))
    add_reference (loop, l);
  return false;
}

/* Base addresses of rows, which outer loops hoist out of inner ones:

       for (i = 1; i < n; i++) for (j = 1; j < m; j++) a[i][j] = b[i - 1][j] + b[i][j - 1];

   Where blocks consist of whole rows, the outer loop computes the addresses of a[i], b[i - 1]
   and b[i], and the inner one adds the column. C does not allow columns outside the row, but
   programs have them: a column that is not known to stay in its row is checked. A pointer may point
   inside of a row; then its rows may be in two blocks, and the check finds that, too. */
static bool
note_inner_reference (struct expr *e, void *data)
{
  struct loop *loop = data;
  struct expr *l = addressed_element (e, loop);

  if (!l || add_reference (loop, l) || (loop->outer && find_known_row (l, loop->outer)))
    return false;
  for (l = enclosing_row (l); l; l = enclosing_row (l))
    if (add_reference (loop, l))
      break;
  return false;
}

static void
note_inner_loops (struct loop *loop, struct stmt *s)
{
  if (!s)
    return;
  switch (s->kind)
    {
    case STMT_FOR:
    case STMT_FORALL:
    case STMT_WHILE:
    case STMT_DO:
      any_in_stmt (s, note_inner_reference, loop);
      return;
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        note_inner_loops (loop, item);
      return;
    default:
      note_inner_loops (loop, s->then);
      note_inner_loops (loop, s->otherwise);
    }
}

/* Whether the columns of L, an element in ROW, stay in it in all iterations of LOOP. */
static bool
stays_in_row (struct expr *l, const struct access_plan *row, struct loop *loop)
{
  int64_t first, last, factor, count = (int64_t) row->count;
  struct affine at;

  if (!find_index (l, row->row, loop, &at) || at.wrap != WRAPS_NEVER
      || fixed_divisor (&at, loop) != 0 || !find_range (loop, &first, &last))
    return false;
  factor = induction_factor (&at, loop);
  if (factor == UNKNOWN_FACTOR)
    return false;
  first = at.constant + factor * first;
  last = at.constant + factor * last;
  return first >= 0 && first < count && last >= 0 && last < count;
}

/* The row of R, an element, if that is worth while: in short rows the check of the column would
   serve few iterations. */
static void
find_row (struct reference *r, struct loop *loop)
{
  uint64_t step = (uint64_t) (r->stride < 0 ? -r->stride : r->stride);
  struct access_plan *row;

  if (r->stride_kind != STRIDE_IN_BLOCK || !loop->is_consecutive || is_row (r)
      || (is_pointer (r) && r->stays) || r->is_own || !loop->outer)
    return;
  row = find_known_row (r->l, loop->outer);
  if (!row || !(r->stays || step * MIN_STRIP <= row->count))
    return;
  r->row = row;
  r->stays_in_row = (r->stays || is_pointer (r)) && stays_in_row (r->l, row, loop);
}

void
find_references (struct loop *loop)
{
  struct expr *step = loop->stmt->step ? strip_parens (loop->stmt->step) : NULL;

  if (is_forall (loop) && is_by_pointer (loop) && !add_reference (loop, strip_parens (step->a)))
    return;
  note_inner_loops (loop, loop->stmt->then);
  any_outside_loops (loop->stmt->then, note_reference, loop);
  if (!loop->bound)
    any_in_expr (loop->stmt->expr, note_reference, loop);
  for (struct reference *r = loop->references; r; r = r->next)
    find_row (r, loop);
}
