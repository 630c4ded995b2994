/* Strips that AddressSanitizer need not instrument. Its checks, one at each access, keep the C compiler
   from vectorising. So if a whole strip may be accessed, a function that is not instrumented does it
   (write/outlined.c). If not, the normal loop does it, in which the wrong access is reported.

   That function accesses only elements in strips, and scalars: accesses through private pointers and to
   private arrays must be checked. Apart from elements, it stores to variables of the body, or to local
   variables, which get their values when it returns. Nothing in the body but their names leads to these. */

#include "tools/upc2c/plan/internal.h"

#include <stdlib.h>

enum
{
  MOST_BYTES = 64
};

static struct outlined *
find_use (const struct loop *loop, const struct reference *r, const struct decl *d)
{
  struct outlined *o = loop->outlined;

  while (o && (o->reference != r || o->decl != d))
    o = o->next;
  return o;
}

static struct outlined *
note_use (struct loop *loop, struct loop *of, struct reference *r, struct decl *d)
{
  struct outlined *o = find_use (loop, r, d);

  if (o)
    return o;
  o = NEW (struct outlined);
  *o = (struct outlined){ .loop = of, .reference = r, .decl = d, .next = loop->outlined };
  loop->outlined = o;
  return o;
}

static bool
is_scalar (const struct type *type)
{
  return type_is_arithmetic (type) && !(quals_of (type) & (QUAL_VOLATILE | QUAL_ATOMIC));
}

/* What is between the elements of a strip is asked about, too: no more than MOST_BYTES from one to the next. */
static bool
is_close (const struct reference *r)
{
  return (uint64_t) labs (r->stride) * element_bytes (r) <= MOST_BYTES;
}

/* The element that L is, or is a part of: a member, or an element of one by a constant index. */
static struct expr *
element_around (struct expr *l)
{
  for (;;)
    {
      struct expr *array;

      l = element_of (l);
      array = l->kind == EXPR_INDEX ? array_of_element (l) : NULL;
      if (!array || array->kind != EXPR_DOT || !index_of (l)->is_constant
          || (uint64_t) index_of (l)->value >= array->type->count)
        return l;
      l = array;
    }
}

/* Whether L, which is shared, is in an element in a strip of LOOP; or in one that a loop around it leads to, which stays. */
static bool
is_strip_element (struct expr *l, struct loop *loop)
{
  struct expr *element = element_around (l);
  struct reference *r = element->kind == EXPR_INDEX ? planned_reference (element) : NULL;
  const struct loop *of = r ? element->plan->loop : NULL;

  if (!r || !is_scalar (l->type) || l->is_bit_field || l->is_strict || r->walk || of->carried
      || (r->is_own && !of->is_by_one))
    return false;
  if (of == loop && (r->stride_kind != STRIDE_IN_BLOCK || !is_close (r)))
    return false;
  note_use (loop, element->plan->loop, r, NULL);
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
  o = note_use (loop, NULL, NULL, e->decl);
  o->is_stored = o->is_stored || is_stored;
  return true;
}

static bool
is_target (struct expr *l, struct loop *loop)
{
  l = strip_parens (l);
  return type_is_shared (l->type) ? is_strip_element (l, loop)
                                  : l->kind == EXPR_NAME && is_scalar_name (l, loop, true);
}

static bool calls_math (struct expr *e, struct loop *loop);

/* Whether E is a name that only the compiler knows: __func__ is another one in another function. */
static bool
is_predefined (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_UNKNOWN;
}

/* Whether E, which may be NULL, is of such elements and scalars alone. */
static bool
is_of_scalars (struct expr *e, struct loop *loop)
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
      return is_scalar_name (e, loop, false);
    case EXPR_LOAD:
      return is_strip_element (strip_parens (e->a), loop);
    case EXPR_PAREN:
    case EXPR_UNARY:
    case EXPR_CAST:
      return is_of_scalars (e->a, loop);
    case EXPR_BINARY:
    case EXPR_LOGICAL:
    case EXPR_COMMA:
    case EXPR_CONDITION:
      return is_of_scalars (e->a, loop) && is_of_scalars (e->b, loop) && is_of_scalars (e->c, loop);
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return is_target (e->a, loop) && is_of_scalars (e->b, loop);
    case EXPR_CALL:
      return calls_math (e, loop);
    default:
      return false;
    }
}

/* Other functions may access what is to be checked, and an inline one would be a part of the strip. */
static bool
calls_math (struct expr *e, struct loop *loop)
{
  if (!is_math_call (e))
    return false;
  for (uint32_t i = 0; i < e->list->count; i++)
    if (!is_of_scalars (e->list->item[i], loop))
      return false;
  return true;
}

static bool
declares_scalars (struct declaration *d, struct loop *loop)
{
  if (d->kind != DECLARATION_OBJECTS)
    return false;
  for (struct decl *one = d->decls; one; one = one->next)
    if (one->has_static_duration || !is_scalar (one->type)
        || (one->init && (!one->init->expr || !is_of_scalars (one->init->expr, loop))))
      return false;
  return true;
}

static bool
does_scalars (struct stmt *s, struct loop *loop)
{
  if (!s)
    return true;
  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (!does_scalars (item, loop))
          return false;
      return true;
    case STMT_EMPTY:
      return true;
    case STMT_EXPR:
      return is_of_scalars (s->expr, loop);
    case STMT_IF:
      return is_of_scalars (s->expr, loop) && does_scalars (s->then, loop)
             && does_scalars (s->otherwise, loop);
    case STMT_DECLARATION:
      return declares_scalars (s->declaration, loop);
    default:
      return false;
    }
}

static bool
stays_in_block (const struct reference *r, const struct loop *of)
{
  return r->stride_kind == STRIDE_IN_BLOCK && !of->crosses_blocks;
}

/* Whether what LOOP uses of O is near what it uses in the next iteration of the loop around. */
static bool
is_near (const struct outlined *o, const struct loop *loop)
{
  const struct reference *r = o->reference;

  if (o->loop != loop)
    return stays_in_block (r, o->loop);
  if (r->row)
    return stays_in_block (r->row->reference, r->row->loop);
  return r->stays && loop->around && is_outer_name (r->root, loop->around);
}

/* Whether strips are rows that lie one behind the other in one thread's memory. Then what is found to be clean beyond one
   of them is known of the next. */
static bool
has_near_rows (const struct loop *loop)
{
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->reference && !is_near (o, loop))
      return false;
  return loop->outlined != NULL;
}

/* All else that instruments accesses names more than the function has. */
static bool
is_otherwise_instrumented (void)
{
  return switches.check || switches.race || switches.network || switches.profile.is_on;
}

/* Whether a strip's iterations are known when it begins, by an integer, and the header does nothing but count them. A
   upc_forall may have any stride where its iterations are not one element further each, and those of the middles of
   blocks have elements beside those that references lead to. */
static bool
has_simple_strips (const struct loop *loop)
{
  return loop->form == LOOP_STRIPS && loop->induction && !is_by_pointer (loop)
         && (is_forall (loop) ? loop->is_by_one : loop->bound != NULL)
         && strip_parens (loop->stmt->step)->kind != EXPR_COMMA && !loop->is_windowed
         && !loop->middle_count && !loop->copy_to;
}

void
find_outlined (struct loop *loop)
{
  loop->is_outlined = switches.outlines && !is_otherwise_instrumented () && has_simple_strips (loop)
                      && does_scalars (loop->stmt->then, loop);
  /* The program's own step moves it. */
  if (loop->is_outlined && loop->crosses_blocks && !loop->is_independent)
    note_use (loop, NULL, NULL, loop->induction)->is_stored = true;
  loop->has_near_rows = has_near_rows (loop);
}
