/* Dependence tests: whether two accesses of a loop, to what may be one array, keep its iterations from being independent
   (independence.c). */

#include "tools/upc2c/plan/internal.h"

#include <stdlib.h>

/* The reference of L in a loop by residues, if that is `*p` or `*p++` by a pointer that walks; or NULL. */
struct reference *
walk_to (struct expr *l, struct loop *loop)
{
  struct expr *p = loop->residues && l->kind == EXPR_DEREF ? strip_parens (l->a) : NULL;
  struct reference *r = p ? loop->references : NULL;

  while (r && !(r->walk && (r->walk == p || (p->kind == EXPR_NAME && p->decl == r->root->decl))))
    r = r->next;
  return r;
}

struct reference *
reference_of (struct expr *l, struct loop *loop)
{
  return l->kind == EXPR_INDEX ? reference_to (loop, l) : walk_to (l, loop);
}

/* Of two elements of one array: B - A, and by how much each iteration moves both; 0: by nothing known. */
struct places
{
  struct distance apart, stride;
};

/* By how much each iteration of LOOP moves an element AT this distance from ROOT. */
static struct distance
stride_of (const struct expr *root, const struct affine *at, struct loop *loop)
{
  int64_t factor = element_factor (root, at, loop), by_threads = threads_factor (at, loop);
  int64_t change = change_of_induction (loop);

  if (factor != UNKNOWN_FACTOR)
    return (struct distance){ .fixed = factor * change };
  return (struct distance){ .by_threads = by_threads == UNKNOWN_FACTOR ? 0 : by_threads * change };
}

static bool
find_places (struct expr *a, struct expr *b, struct loop *loop, struct places *p)
{
  struct affine at_a, at_b;

  *p = (struct places){ .apart = { 0, 0 } };
  if (root_of_name (a)->decl != root_of_name (b)->decl || !find_index (a, NULL, loop, &at_a)
      || !find_index (b, NULL, loop, &at_b) || !find_distance (&at_a, &at_b, &p->apart))
    return false;
  if (at_a.wrap == WRAPS_NEVER && at_b.wrap == WRAPS_NEVER && !loop->step)
    p->stride = stride_of (root_of_name (a), &at_a, loop);
  return true;
}

/* The sign that D has with all numbers of threads; 0: it has none. */
static int
sign_of (struct distance d)
{
  int64_t of_one = d.fixed + d.by_threads;

  /* From one thread on it goes away from 0, or stays. */
  if (of_one > 0)
    return d.by_threads >= 0;
  return of_one < 0 && d.by_threads <= 0 ? -1 : 0;
}

/* Whether D, with some number of threads, may be a multiple of STRIDE, up to MOST of them. */
static bool
may_be_multiple (struct distance d, struct distance stride, int64_t most)
{
  int64_t step = llabs (stride.fixed + stride.by_threads);

  if (step == 0)
    return true;
  /* Both or neither are multiples of THREADS. */
  if (stride.by_threads == 0 ? d.by_threads == 0 : d.fixed == 0)
    return (d.fixed + d.by_threads) % step == 0 && llabs (d.fixed + d.by_threads) / step <= most;
  if (d.by_threads % step == 0 && d.fixed % step != 0)
    return false;
  if (stride.by_threads != 0)
    return true;
  return sign_of (d) == 0 || llabs (d.fixed + d.by_threads) / step <= most;
}

/* How many iterations LOOP goes on, at most. */
static int64_t
most_later (struct loop *loop)
{
  int64_t first, last;

  if (loop->step || !find_range (loop, &first, &last))
    return INT64_MAX;
  return llabs (last - first) / loop->step_value;
}

/* ZIV is left out, as stores move. */
bool
never_meet (struct expr *a, struct expr *b, struct loop *loop)
{
  struct places p;

  if (root_of_name (a)->decl != root_of_name (b)->decl)
    return false;
  if (walk_to (a, loop) || walk_to (b, loop))
    return walk_to (a, loop) == walk_to (b, loop);
  if (is_own_element (a, loop) && is_own_element (b, loop))
    return true;
  if (!find_places (a, b, loop, &p))
    return false;
  /* Strong SIV: both have the same factor, and meet APART / STRIDE iterations later. */
  return (p.apart.fixed == 0 && p.apart.by_threads == 0)
         || !may_be_multiple (p.apart, p.stride, most_later (loop));
}

static bool
is_this (struct expr *e, void *access)
{
  return e == access;
}

/* Whether a statement of BODY stores to STORE, and ACCESS is in no statement behind that. */
static bool
comes_first (struct expr *access, struct expr *store, struct stmt *body)
{
  struct stmt *s = body->kind == STMT_BLOCK ? body->items : body;

  if (s && s->kind == STMT_BLOCK && !s->next)
    return comes_first (access, store, s);
  while (s
         && (s->kind != STMT_EXPR || !s->expr || !is_store (strip_parens (s->expr))
             || element_of (strip_parens (s->expr)->a) != store))
    s = body->kind == STMT_BLOCK ? s->next : NULL;
  if (!s)
    return false;
  while (body->kind == STMT_BLOCK && (s = s->next))
    if (any_in_stmt (s, is_this, access))
      return false;
  return true;
}

/* Whether LOOP goes through its iterations in the program's order, but for what is done at once. */
static bool
is_in_order (const struct loop *loop)
{
  return !loop->residues && !loop->is_by_copies && !loop->stmt->lanes && !is_forall (loop);
}

bool
note_order (struct expr *access, struct expr *store, struct loop *loop)
{
  struct expr *l = element_of (access->a);
  struct places p;

  if (!is_in_order (loop) || !find_places (l, store, loop, &p)
      || sign_of (p.stride) * sign_of (p.apart) != -1
      || !comes_first (access, store, loop->stmt->then))
    return false;
  loop->keeps_order = true;
  return true;
}

bool
may_copy_within (const struct loop *loop)
{
  return loop->meetings || loop->strip_meetings || loop->keeps_order;
}

/* L as a reference that does not move, if it is the same element in all iterations of LOOP, in blocks; or NULL. */
static struct reference *
fixed_reference (struct expr *l, struct loop *loop)
{
  struct reference found, *r;
  int64_t apart;

  if (l->kind != EXPR_INDEX || block_of (l->type) == 0 || !find_fixed_element (l, loop, &found)
      || found.at.wrap != WRAPS_NEVER)
    return NULL;
  for (struct meeting *m = loop->meetings; m; m = m->next)
    if (m->a->is_fixed && find_elements_apart (m->a->l, l, loop, &apart) && apart == 0)
      return m->a;
  r = NEW (struct reference);
  *r = found;
  r->is_by_rounds = r->is_fixed = true;
  return r;
}

bool
note_loop_meeting (struct expr *a, struct expr *b, struct loop *loop)
{
  struct meeting m = { reference_of (a, loop), reference_of (b, loop), loop->meetings };

  m.a = m.a ? m.a : fixed_reference (a, loop);
  if ((!loop->residues && !loop->is_windowed) || !m.a || !m.b || !m.a->is_by_rounds
      || !m.b->is_by_rounds || are_near (m.a->l, m.b->l, loop))
    return false;
  for (struct meeting *known = loop->meetings; known; known = known->next)
    if ((known->a == m.a && known->b == m.b) || (known->a == m.b && known->b == m.a))
      return true;
  loop->meetings = NEW (struct meeting);
  *loop->meetings = m;
  return true;
}
