/* What a function may do that AddressSanitizer does not instrument (outlined.c): access elements in strips, and scalars.
   Accesses through private pointers and to private arrays must be checked. Apart from elements, it stores to variables of
   the body, or to local variables, which get their values when it returns. Nothing in the body but their names leads to
   these. Elements may be records, of which members are accessed, or all:

       for (; n--; p++) for (int j = 0; j < 3; j++) p->x[j] += p->v[j];

   Where it stores to no shared data, it may load elements here and there, and asks about each of these then: if one may not be
   accessed it gives up, and has changed nothing:

       for (int k = 0; k < n; k++) sum += value[k] * x[column[k]]; */

#include "tools/upc2c/plan/internal.h"

#include <limits.h>
#include <stdlib.h>

enum
{
  MOST_BYTES = 64, /* from one element of a strip to the next, if there are others between them */
  MOST_RECORD = 256
};

/* A loop that counts from LEAST to MOST within the body. */
struct counter
{
  struct decl *decl;
  int64_t least, most;
  const struct counter *around;
};

/* The body of a loop, or what is in such loops in it. */
struct body
{
  struct loop *loop;
  const struct counter *counters;
  bool only_loads; /* no shared data is stored to */
};

static bool
is_same_use (const struct outlined *a, const struct outlined *b)
{
  return a->reference == b->reference && a->decl == b->decl && a->tabled == b->tabled
         && a->copied == b->copied && a->recent == b->recent && a->start == b->start;
}

struct outlined *
note_outlined (struct loop *loop, struct outlined use)
{
  struct outlined *o = loop->outlined;

  while (o && !is_same_use (o, &use))
    o = o->next;
  if (o)
    return o;
  o = NEW (struct outlined);
  *o = use;
  o->next = loop->outlined;
  loop->outlined = o;
  return o;
}

static bool
is_scalar (const struct type *type)
{
  return type_is_arithmetic (type) && !(quals_of (type) & (QUAL_VOLATILE | QUAL_ATOMIC));
}

/* Whether R moves evenly in each thread's memory, in strips of LOOP that are long enough to ask about all threads. What is
   between its elements there is asked about, too. */
static bool
is_even (const struct reference *r, const struct loop *loop)
{
  uint64_t stride = (uint64_t) labs (r->stride);

  if (r->stride_kind == BLOCK_STRIDE ? loop->crosses_blocks : r->stride_kind != STRIDE_IN_BLOCK)
    return false;
  return stride * element_bytes (r) <= (stride == 1 ? MOST_RECORD : MOST_BYTES);
}

/* Whether E is in an array of COUNT elements: a constant, or what a loop in the body counts, and that with a constant. */
static bool
is_in_array (struct expr *e, int64_t more, uint64_t count, const struct body *body)
{
  const struct counter *c = body->counters;

  e = strip_conversions (e);
  if (e->is_constant)
    return (uint64_t) (e->value + more) < count;
  if (e->kind == EXPR_BINARY && (e->op == '+' || e->op == '-') && e->b->is_constant
      && labs (e->b->value) < INT_MAX)
    return is_in_array (e->a, more + (e->op == '+' ? e->b->value : -e->b->value), count, body);
  while (c && !is_name_of (e, c->decl))
    c = c->around;
  return c && c->least + more >= 0 && (uint64_t) (c->most + more) < count;
}

/* The element that L is, or is a part of: a member, or an element of one that is an array. */
static struct expr *
element_around (struct expr *l, const struct body *body)
{
  for (;;)
    {
      struct expr *array;

      l = element_of (l);
      array = l->kind == EXPR_INDEX ? array_of_element (l) : NULL;
      if (!array || (array->kind != EXPR_DOT && array->kind != EXPR_ARROW)
          || !is_in_array (index_of (l), 0, array->type->count, body))
        return l;
      l = array;
    }
}

/* The pointer that `*p`, `p->m` or `*p++` leads by, or the element L. */
static struct expr *
leader_of (struct expr *l)
{
  if (l->kind != EXPR_DEREF && l->kind != EXPR_ARROW)
    return l;
  l = strip_parens (l->a);
  return l->kind == EXPR_STEP ? strip_parens (l->a) : l;
}

static struct access_plan *
reference_plan (struct expr *leader)
{
  struct access_plan *p = leader->kind == EXPR_INDEX || leader->kind == EXPR_NAME ? leader->plan
                                                                                  : NULL;

  return p && p->address == ADDRESS_REFERENCE ? p : NULL;
}

/* Whether L, which is shared, is in an element in a strip of the body; or in one that a loop around it leads to, which stays. */
static bool
is_strip_element (struct expr *l, const struct body *body)
{
  struct access_plan *p = reference_plan (leader_of (element_around (l, body)));
  struct loop *loop = body->loop;

  l = strip_parens (l);
  if (!p || l->is_bit_field || l->is_strict || p->loop->carried
      || (p->reference->is_own && !p->loop->is_by_one))
    return false;
  if (p->loop == loop && !is_even (p->reference, loop))
    return false;
  note_outlined (loop, (struct outlined){ .loop = p->loop, .reference = p->reference });
  return true;
}

/* Whether D, declared outside of the body, may get its value where a strip ends. */
static bool
may_be_late (const struct decl *d)
{
  return !d->has_static_duration && !d->is_thread_local;
}

/* Whether E, a name, is that of a private scalar that may be read, or stored to if IS_STORED. What has no value yet may be no
   bool: it is passed to the function whether that uses it or not. */
static bool
is_scalar_name (struct expr *e, struct loop *loop, bool is_stored)
{
  struct outlined *o;

  if (!e->decl || !is_variable (e->decl) || type_is_shared (e->type) || !is_scalar (e->type))
    return false;
  if (is_induction (e, loop))
    return !is_stored;
  if (!is_outer_name (e, loop))
    return true;
  if (e->type->kind == TYPE_BOOL || (is_stored && !may_be_late (e->decl)))
    return false;
  o = note_outlined (loop, (struct outlined){ .decl = e->decl });
  o->is_stored = o->is_stored || is_stored;
  return true;
}

static bool
is_target (struct expr *l, const struct body *body)
{
  l = strip_parens (l);
  if (type_is_shared (l->type))
    return is_scalar (l->type) && is_strip_element (l, body);
  return l->kind == EXPR_NAME && is_scalar_name (l, body->loop, true);
}

static bool is_of_scalars (struct expr *e, const struct body *body);

/* Notes what the access planned as P finds its element by, which ROOT leads to. */
static void
note_means (struct loop *loop, const struct access_plan *p, struct element root)
{
  if (root.pointer)
    note_outlined (loop, (struct outlined){ .decl = strip_parens (root.pointer)->decl });
  if (p->tabled)
    note_outlined (loop, (struct outlined){ .tabled = p->tabled });
  if (p->copied)
    note_outlined (loop, (struct outlined){ .copied = p->copied });
  if (p->recent)
    note_outlined (loop, (struct outlined){ .recent = p->recent });
  if (p->start)
    note_outlined (loop, (struct outlined){ .start = p->start, .sure = p->sure });
}

/* Whether L is an element here and there that may be asked about when it is accessed: the function can give up as long as it
   has stored nothing. */
static bool
is_element_here_and_there (struct expr *l, const struct body *body)
{
  struct expr *element = element_around (l, body), *index;
  struct access_plan *p = element->kind == EXPR_INDEX ? element->plan : NULL;
  struct element root = root_of (element);
  struct expr *name = root.pointer ? strip_parens (root.pointer) : root.object;

  if (!body->only_loads || !p || p->address != ADDRESS_COMPUTED || p->is_called
      || strip_parens (l)->is_bit_field || strip_parens (l)->is_strict || !name
      || name->kind != EXPR_NAME || (quals_of (name->type) & QUAL_VOLATILE)
      || array_of_element (element) != root.object)
    return false;
  index = index_of (element);
  if (!is_of_scalars (index, body))
    return false;
  p->is_asked_about = true;
  note_means (body->loop, p, root);
  return true;
}

static bool calls_math (struct expr *e, const struct body *body);

/* Whether E is a name that only the compiler knows: __func__ is another one in another function. */
static bool
is_predefined (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_UNKNOWN;
}

/* Whether E, which may be NULL, is of such elements and scalars alone. */
static bool
is_of_scalars (struct expr *e, const struct body *body)
{
  if (!e || e->is_constant)
    return !any_in_expr (e, is_predefined, NULL);
  if (!is_scalar (e->type))
    return false;
  switch (e->kind)
    {
    case EXPR_FLOAT:
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_NAME:
      return is_scalar_name (e, body->loop, false);
    case EXPR_LOAD:
      return is_scalar (strip_parens (e->a)->type)
             && (is_strip_element (e->a, body) || is_element_here_and_there (e->a, body));
    case EXPR_PAREN:
    case EXPR_UNARY:
    case EXPR_CAST:
      return is_of_scalars (e->a, body);
    case EXPR_BINARY:
    case EXPR_LOGICAL:
    case EXPR_COMMA:
    case EXPR_CONDITION:
      return is_of_scalars (e->a, body) && is_of_scalars (e->b, body) && is_of_scalars (e->c, body);
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return is_target (e->a, body) && is_of_scalars (e->b, body);
    case EXPR_CALL:
      return calls_math (e, body);
    default:
      return false;
    }
}

/* Other functions may access what is to be checked, and an inline one would be a part of the strip. */
static bool
calls_math (struct expr *e, const struct body *body)
{
  if (!is_math_call (e))
    return false;
  for (uint32_t i = 0; i < e->list->count; i++)
    if (!is_of_scalars (e->list->item[i], body))
      return false;
  return true;
}

static bool
is_copied (struct expr *l, const struct body *body)
{
  l = strip_parens (l);
  return type_is_shared (l->type) && !(quals_of (l->type) & (QUAL_VOLATILE | QUAL_ATOMIC))
         && is_strip_element (l, body);
}

/* Whether E is `a[i] = b[i]`, of elements that need not be numbers. */
static bool
copies_element (struct expr *e, const struct body *body)
{
  struct expr *from = e->kind == EXPR_ASSIGN ? strip_parens (e->b) : NULL;

  return from && from->kind == EXPR_LOAD && is_copied (e->a, body) && is_copied (from->a, body);
}

/* Whether E is the step of a pointer that leads to elements of the strip. */
static bool
is_walk (struct expr *e, const struct body *body)
{
  struct access_plan *p = is_walking_step (e) ? reference_plan (strip_parens (e->a)) : NULL;

  return p && p->loop == body->loop && p->reference->walk == e;
}

static bool
does_expression (struct expr *e, const struct body *body)
{
  e = strip_parens (e);
  if (e->kind == EXPR_COMMA)
    return does_expression (e->a, body) && does_expression (e->b, body);
  return is_of_scalars (e, body) || copies_element (e, body) || is_walk (e, body);
}

static bool
declares_scalars (struct declaration *d, const struct body *body)
{
  if (d->kind != DECLARATION_OBJECTS)
    return false;
  for (struct decl *one = d->decls; one; one = one->next)
    if (one->has_static_duration || !is_scalar (one->type)
        || (one->init && (!one->init->expr || !is_of_scalars (one->init->expr, body))))
      return false;
  return true;
}

static bool does_scalars (struct stmt *s, const struct body *body);

/* Whether S, a for, counts from one constant to another, and is written as it is. */
static bool
counts (struct stmt *s, const struct body *body)
{
  struct loop loop;
  struct body inner = { body->loop, NULL, body->only_loads };
  struct counter counter = { .around = body->counters };
  int64_t iterations = constant_iterations (s, &loop, &counter.least), distance;

  if (iterations <= 0 || (s->plan && s->plan->form != LOOP_AS_WRITTEN))
    return false;
  counter.decl = loop.induction;
  distance = (iterations - 1) * loop.step_value;
  counter.most = counter.least + (loop.is_down ? 0 : distance);
  counter.least -= loop.is_down ? distance : 0;
  inner.counters = &counter;
  return (!s->declaration || declares_scalars (s->declaration, body))
         && is_of_scalars (s->expr, body) && is_of_scalars (s->step, body)
         && does_scalars (s->then, &inner);
}

static bool
does_scalars (struct stmt *s, const struct body *body)
{
  if (!s)
    return true;
  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (!does_scalars (item, body))
          return false;
      return true;
    case STMT_EMPTY:
      return true;
    case STMT_EXPR:
      return does_expression (s->expr, body);
    case STMT_IF:
      return is_of_scalars (s->expr, body) && does_scalars (s->then, body)
             && does_scalars (s->otherwise, body);
    case STMT_FOR:
      return counts (s, body);
    case STMT_DECLARATION:
      return declares_scalars (s->declaration, body);
    default:
      return false;
    }
}

/* Whether E, the step of the body's loop, does nothing but count, and move pointers that lead to elements. */
static bool
is_plain_step (struct expr *e, const struct body *body)
{
  e = e ? strip_parens (e) : NULL;
  if (e && e->kind == EXPR_COMMA)
    return is_plain_step (e->a, body) && is_plain_step (e->b, body);
  return !e || is_walk (e, body)
         || (is_store (e) && is_induction (e->a, body->loop) && is_of_scalars (e->b, body));
}

/* The function has its own of what the program's steps move. */
static void
note_steps (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->walk)
      note_outlined (loop, (struct outlined){ .decl = r->root->decl });
  if (loop->counter)
    note_outlined (loop, (struct outlined){ .decl = loop->counter->decl });
}

static bool
stores_to_shared (struct expr *e, void *nothing)
{
  (void) nothing;
  return is_store (e) && type_is_shared (e->a->type);
}

bool
is_of_strips (struct loop *loop)
{
  const struct body body
      = { .loop = loop, .only_loads = !any_in_stmt (loop->stmt->then, stores_to_shared, NULL) };

  if (!is_plain_step (loop->stmt->step, &body) || !does_scalars (loop->stmt->then, &body))
    return false;
  note_steps (loop);
  return true;
}
