/* Runs of elements that inner loops read, in loops that go by batches (batch.c):

       upc_forall (i = 0; i < n; i++; &b[i][0]) for (j = 0; j < n; j++) b[i][j] = a[j][i];

   All a[j][i] of an inner loop are noted at once, by the first one, their number, and the blocks from one to the next.
   They come as a private array in the order of the iterations. So a copy of the inner loop, which reads that
   array, is planned as any other loop; the loop as it is written is for what has not come.

   In checked code an inner loop has runs if all of its indexes are within bounds when it begins, which is seen where the
   runs are noted. What is there is looked up where it is fetched from. */

#include "tools/upc2c/plan/internal.h"

/* Whether the header says how many iterations there are, one after the other. */
static bool
counts_up (struct loop *loop)
{
  return find_header (loop) && !is_by_pointer (loop) && moves_by_one (loop) && !loop->is_down
         && loop->bound && !may_wrap (loop) && strip_parens (loop->stmt->step)->kind != EXPR_COMMA;
}

/* Whether L is counted from the same place in all iterations of LOOP, and not from inside an element. */
static bool
has_one_root (struct expr *l, struct loop *loop)
{
  struct element root = root_of (l);

  return root.object || (root.pointer && is_loop_invariant (root.pointer, loop));
}

/* Whether B is one whole element in each iteration of LOOP, and it is known how far they are apart. */
static bool
find_blocks (struct batched *b, struct loop *loop)
{
  struct affine at;
  int64_t factor, block = (int64_t) block_of (b->l->type);

  if (!has_one_root (b->l, loop) || !find_index (b->l, NULL, loop, &at) || at.wrap != WRAPS_NEVER)
    return false;
  factor = induction_factor (&at, loop);
  if (factor == UNKNOWN_FACTOR || factor == 0 || (block > 0 && factor % block != 0))
    return false;
  b->blocks = block > 0 ? factor / block : factor;
  return true;
}

static bool
is_run (struct batched *b, struct loop *loop)
{
  return find_blocks (b, loop)
         && (!is_checked_code (b->l->first) || has_known_indexes (b->l, loop));
}

static bool
has_runs (struct run_loop *run, struct batch *batch)
{
  struct stmt *s = run->stmt;

  if (!counts_up (run->loop) || !does_all (s->then) || !can_copy_nest (s))
    return false;
  for (struct batched *b = batch->accesses; b; b = b->next)
    if (b->inner == s && !is_run (b, run->loop))
      return false;
  return true;
}

struct copying
{
  struct batch *batch;
  struct run_loop *run;
};

/* What the original loop checks when it begins. */
static bool
forget_checks (struct expr *e, void *nothing)
{
  (void) nothing;
  e->is_checked = false;
  return false;
}

/* The values are private, and were looked up. */
static void
note_checked (struct expr *l)
{
  for (; l && l->kind == EXPR_INDEX; l = array_of_element (l))
    l->is_checked = true;
}

/* The copy has the original's plans so far. */
static bool
plan_anew (struct expr *e, void *data)
{
  const struct copying *copying = data;
  struct access_plan *was = e->kind == EXPR_INDEX || e->kind == EXPR_NAME ? e->plan : NULL;

  if (!was)
    return false;
  e->plan = NULL;
  for (struct batched *b = copying->batch->accesses; b; b = b->next)
    if (b->run == copying->run && b->l->plan == was)
      {
        e->plan = NEW (struct access_plan);
        *e->plan = (struct access_plan){ .address = ADDRESS_IN_RUN, .run = b };
        note_checked (e);
      }
  return false;
}

static void
add_run (struct run_loop *run, struct batch *batch, void (*plan_loop) (struct stmt *s))
{
  run->next = batch->runs;
  batch->runs = run;
  run->loop->number = next_number ();
  for (struct batched *b = batch->accesses; b; b = b->next)
    if (b->inner == run->stmt)
      b->run = run;
  run->copy = copy_nest (run->stmt);
  run->copy->plan = NULL;
  any_in_stmt (run->copy, forget_checks, NULL);
  any_in_stmt (run->copy, plan_anew, &(struct copying){ batch, run });
  plan_loop (run->copy);
}

void
find_runs (struct batch *batch, void (*plan_loop) (struct stmt *s))
{
  for (struct batched *b = batch->accesses; b; b = b->next)
    {
      struct run_loop *run = NEW (struct run_loop);

      if (!b->inner || b->run)
        continue;
      *run = (struct run_loop){ .stmt = b->inner, .loop = NEW (struct loop) };
      *run->loop = (struct loop){ .stmt = b->inner, .is_consecutive = true };
      if (has_runs (run, batch))
        add_run (run, batch, plan_loop);
    }
}
