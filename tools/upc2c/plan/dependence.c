/* Dependence tests: whether two accesses of a loop, to what may be one array, keep its iterations from being independent
   (independence.c). */

#include "tools/upc2c/plan/internal.h"

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

/* Whether A and B are elements of one array, which have B - A = *APART elements between them. *STRIDE is by how many each
   iteration of LOOP moves both; 0: by no known number. */
static bool
find_meeting (struct expr *a, struct expr *b, struct loop *loop, int64_t *apart, int64_t *stride)
{
  struct affine at_a, at_b;

  if (root_of_name (a)->decl != root_of_name (b)->decl || !find_index (a, NULL, loop, &at_a)
      || !find_index (b, NULL, loop, &at_b) || !find_apart (&at_a, &at_b, apart))
    return false;
  *stride = 0;
  if (at_a.wrap == WRAPS_NEVER && at_b.wrap == WRAPS_NEVER && !loop->step)
    *stride = element_factor (root_of_name (a), &at_a, loop) * change_of_induction (loop);
  return true;
}

/* ZIV is left out, as stores move. */
bool
never_meet (struct expr *a, struct expr *b, struct loop *loop)
{
  int64_t apart, stride, first, last;

  if (root_of_name (a)->decl != root_of_name (b)->decl)
    return false;
  if (walk_to (a, loop) || walk_to (b, loop))
    return walk_to (a, loop) == walk_to (b, loop);
  if (is_own_element (a, loop) && is_own_element (b, loop))
    return true;
  if (!find_meeting (a, b, loop, &apart, &stride))
    return false;
  if (apart == 0)
    return true;
  /* Strong SIV: both have the same factor, and meet APART / stride iterations later. */
  if (stride == 0)
    return false;
  if (apart < 0)
    apart = -apart;
  if (stride < 0)
    stride = -stride;
  return apart % stride != 0
         || (find_range (loop, &first, &last)
             && apart / stride * loop->step_value > (last > first ? last - first : first - last));
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
  int64_t apart, stride;

  if (!is_in_order (loop) || !find_meeting (l, store, loop, &apart, &stride) || stride == 0
      || (stride > 0) == (apart > 0) || !comes_first (access, store, loop->stmt->then))
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
