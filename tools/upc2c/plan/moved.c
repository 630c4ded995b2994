/* Strips of far memory that are moved as a whole, in programs of several processes. What a strip reads is
   fetched before it, and what it writes is put after it, up to FETCHED_BYTES at once. Each iteration must
   access all of it: memory beside an array may be nobody's, and what the program does not write, another
   thread may write. And no iteration may write what another one accesses. */

#include "tools/upc2c/plan/internal.h"

enum
{
  LEAST_MOVED = 64 /* iterations: shorter strips go from block to block, or by batches */
};

struct reference *
planned_reference (struct expr *l)
{
  struct expr *element = element_of (l);
  const struct access_plan *p = element->kind == EXPR_INDEX ? element->plan : NULL;

  return p && p->address == ADDRESS_REFERENCE ? p->reference : NULL;
}

bool
is_in_strip (const struct reference *r)
{
  return r->stride_kind == STRIDE_IN_BLOCK && !r->crosses && !is_row (r);
}

static bool
is_branch (struct stmt *s, void *unused)
{
  (void) unused;
  return s->kind != STMT_BLOCK && s->kind != STMT_EXPR && s->kind != STMT_EMPTY
         && s->kind != STMT_DECLARATION;
}

static bool
may_leave_out (struct expr *e, void *unused)
{
  (void) unused;
  return e->kind == EXPR_CONDITION || e->kind == EXPR_LOGICAL || e->kind == EXPR_CALL
         || e->kind == EXPR_GENERIC || e->kind == EXPR_SIZEOF;
}

bool
does_all (struct stmt *body)
{
  return !any_stmt (body, is_branch, NULL) && !any_in_stmt (body, may_leave_out, NULL);
}

/* Iterations in their order, of which each does all, and of which it is known how many there are. */
static bool
may_move (struct loop *loop)
{
  return (loop->bound || loop->counter || is_forall (loop)) && !loop->may_be_flat
         && !loop->is_by_pieces && !has_order (loop->stmt->then) && does_all (loop->stmt->then);
}

bool
is_better_in_strips (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->stride_kind == STRIDE_IN_BLOCK && !r->stays
        && block_of (r->type) < LEAST_MOVED * (r->stride < 0 ? -r->stride : r->stride))
      return false;
  return switches.network && may_move (loop);
}

struct use
{
  struct loop *loop;
  const struct reference *reference;
};

/* Whether E uses R otherwise than by a load, or a store of a whole element. */
static bool
is_other_use (struct expr *e, void *r)
{
  if (e->kind == EXPR_ADDRESS || e->kind == EXPR_DECAY
      || (e->kind == EXPR_UNARY && (e->op == KEY_REAL || e->op == KEY_IMAG)))
    return planned_reference (e->a) == r;
  if (is_store (e) && planned_reference (e->a) == r)
    return element_of (e->a) != strip_parens (e->a);
  return (e->is_strict || e->is_awaited || (quals_of (e->type) & QUAL_VOLATILE))
         && planned_reference (e) == r;
}

static bool
is_load_of (struct expr *e, void *r)
{
  return (e->kind == EXPR_LOAD || e->kind == EXPR_COMPOUND || e->kind == EXPR_STEP)
         && planned_reference (e->a) == r;
}

static bool
is_store_to (struct expr *e, void *r)
{
  return is_store (e) && planned_reference (e->a) == r;
}

/* Whether E may access, in another way than by the reference, what that stores to, or store to what that loads. No
   private pointer leads to what is far. */
static bool
meets (struct expr *e, void *data)
{
  const struct use *use = data;
  struct expr *l, *root, *other = use->reference->l;
  int64_t apart;

  if ((e->kind != EXPR_LOAD && !is_store (e)) || !type_is_shared (strip_parens (e->a)->type)
      || planned_reference (e->a) == use->reference)
    return false;
  if (!is_store (e) && !use->reference->is_put)
    return false;
  l = element_of (e->a);
  root = root_of_name (l);
  if (!may_overlap (root, use->reference->root))
    return false;
  return !root || root->kind != EXPR_NAME || !never_meet (l, other, use->loop)
         || (find_elements_apart (l, other, use->loop, &apart) && apart == 0);
}

static bool
is_movable (struct loop *loop, struct reference *r)
{
  return may_move (loop) && is_in_strip (r) && !r->walk && !r->is_own && r->stride >= -1
         && r->stride <= 1 && element_bytes (r) <= FETCHED_BYTES
         && !any_in_stmt (loop->stmt->then, is_other_use, r);
}

void
find_moved (struct loop *loop, struct reference *r)
{
  struct use use = { loop, r };

  if (!is_movable (loop, r))
    return;
  r->is_put = any_in_stmt (loop->stmt->then, is_store_to, r);
  r->is_fetched = !r->is_put || any_in_stmt (loop->stmt->then, is_load_of, r);
  if ((r->is_put && r->stride == 0) || any_in_stmt (loop->stmt->then, meets, &use))
    r->is_put = r->is_fetched = false;
}
