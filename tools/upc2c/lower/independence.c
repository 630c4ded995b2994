/* Loops whose iterations may run side by side: no iteration reads or writes what another
   one writes. Of addresses in the shared segment the C compiler cannot know that, so it is
   told, by `#pragma omp simd`, and makes vector instructions. Here is what makes it sure:

   - the body is expressions and declarations, without calls, jumps and strict accesses;
   - it stores to variables of its own, and to shared elements that move with the counter;
   - what else it reads is in static shared arrays that it does not store to, in private
     arrays by their own names, or in variables. No pointer is followed, but for the
     one that all shared elements are found by.

   A thread sees its own accesses to one object in their order, and each object is one
   iteration's (UPC 1.3, B.3.1: of relaxed accesses nothing else is asked). */

#include "tools/upc2c/lower/internal.h"

struct look
{
  struct share *share;
  struct span *span;    /* or NULL */
  struct expr *stores[8];
  int store_count;
};

static bool is_good (struct expr *e, struct look *look);

static struct expr *
root_of_name (struct expr *l)
{
  struct element root = root_of (l);

  return root.object ? root.object : root.pointer ? peel (root.pointer) : NULL;
}

/* Whether two roots may lead to one object: two declarations of a name may be of one. */
static bool
may_meet (struct expr *a, struct expr *b)
{
  return a->kind != EXPR_NAME || b->kind != EXPR_NAME || type_is_pts (a->type) || type_is_pts (b->type)
         || a->decl->name == b->decl->name;
}

/* An element that is another one in each iteration. */
static bool
moves (struct expr *l, struct look *look)
{
  return l->kind == EXPR_INDEX
         && ((look->share->is_by_one && is_own_element (l, look->share))
             || (look->span && is_in_span (look->span, l)));
}

static bool
is_plain_access (struct expr *l)
{
  return !l->is_strict && !l->is_bit_field && !(quals_of (l->type) & (QUAL_VOLATILE | QUAL_ATOMIC))
         && type_is_arithmetic (l->type);
}

static struct expr *
element_of (struct expr *l)
{
  for (l = peel (l); l->kind == EXPR_DOT; l = peel (l->a))
    continue;
  return l;
}

static bool
is_good_store (struct expr *target, struct look *look)
{
  struct expr *l = element_of (target);

  if (!type_is_shared (peel (target)->type))
    return l == peel (target) && l->kind == EXPR_NAME && is_variable (l->decl) && !l->decl->has_static_duration
           && !l->decl->has_address_taken && !is_outer_name (l, look->share) && type_is_arithmetic (l->type);
  if (!is_plain_access (peel (target)) || !moves (l, look))
    return false;
  if (look->store_count == (int) (sizeof look->stores / sizeof *look->stores))
    return false;
  look->stores[look->store_count++] = l;
  return true;
}

static bool
is_good_name (struct expr *e, struct look *look)
{
  if (e->is_constant)
    return true;
  if (!e->decl || !is_variable (e->decl) || quals_of (e->decl->type) & QUAL_VOLATILE || !type_is_arithmetic (e->type))
    return false;
  if (is_outer_name (e, look->share) || e->decl->scope_depth == 0)
    return e->decl == look->share->counter || is_steady (e, look->share);
  return !e->decl->has_static_duration && !e->decl->has_address_taken;
}

/* An element of a private array that is called by its name. */
static bool
is_good_element (struct expr *e, struct look *look)
{
  for (; e->kind == EXPR_INDEX; e = peel (pointer_of (e)))
    if (!is_good (number_of (e), look))
      return false;
  return e->kind == EXPR_NAME && e->decl && e->decl->kind == DECL_VARIABLE && e->type->kind == TYPE_ARRAY
         && !type_is_shared (e->type);
}

static bool
is_good_load (struct expr *target, struct look *look)
{
  struct expr *l = element_of (target);

  if (!is_plain_access (peel (target)))
    return false;
  for (struct expr *e = l; e->kind == EXPR_INDEX; e = peel (pointer_of (e)->a))
    {
      if (!is_good (number_of (e), look))
        return false;
      if (pointer_of (e)->kind != EXPR_DECAY)
        return pointer_of (e)->kind == EXPR_NAME && is_steady (pointer_of (e), look->share);
    }
  return root_of_name (l) && root_of_name (l)->kind == EXPR_NAME && l->kind != EXPR_DEREF;
}

static bool
is_good (struct expr *e, struct look *look)
{
  if (!e)
    return true;
  switch (e->kind)
    {
    case EXPR_INTEGER:
    case EXPR_FLOAT:
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_SIZEOF:
      return e->is_constant || e->times_threads;
    case EXPR_NAME:
      return is_good_name (e, look);
    case EXPR_LOAD:
      return is_good_load (e->a, look);
    case EXPR_INDEX:
      return type_is_arithmetic (e->type) && is_good_element (e, look);
    case EXPR_PAREN:
      return is_good (e->a, look);
    case EXPR_CAST:
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_LOGICAL:
    case EXPR_CONDITION:
    case EXPR_COMMA:
      return (type_is_arithmetic (e->type) || e->type->kind == TYPE_VOID) && is_good (e->a, look)
             && is_good (e->b, look) && is_good (e->c, look);
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return is_good_store (e->a, look) && is_good (e->b, look);
    default:
      return false;
    }
}

static bool
is_good_declaration (struct declaration *d, struct look *look)
{
  if (d->kind != DECLARATION_OBJECTS)
    return false;
  for (struct decl *decl = d->decls; decl; decl = decl->next)
    if (decl->kind != DECL_VARIABLE || decl->has_static_duration || !type_is_arithmetic (decl->type)
        || quals_of (decl->type) & QUAL_VOLATILE || (decl->init && !decl->init->expr)
        || (decl->init && !is_good (decl->init->expr, look)))
      return false;
  return true;
}

static bool
is_good_stmt (struct stmt *s, struct look *look)
{
  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (!is_good_stmt (item, look))
          return false;
      return true;
    case STMT_EXPR:
      return is_good (s->expr, look);
    case STMT_DECLARATION:
      return is_good_declaration (s->declaration, look);
    default:
      return false;
    }
}

/* Whether the element that E accesses may be one that another iteration stores to. */
static bool
meets_store (struct expr *e, void *data)
{
  struct look *look = data;
  struct expr *l;

  if (e->kind != EXPR_LOAD && e->kind != EXPR_ASSIGN && e->kind != EXPR_COMPOUND && e->kind != EXPR_STEP)
    return false;
  l = element_of (e->a);
  if (!type_is_shared (l->type))
    return false;
  for (int i = 0; i < look->store_count; i++)
    if (may_meet (root_of_name (l), root_of_name (look->stores[i])) && !is_same_element (l, look->stores[i]))
      return true;
  return false;
}

bool
may_run_side_by_side (struct share *s, struct span *span)
{
  struct look look = { .share = s, .span = span };

  return !(span && goes_across (span)) && is_good_stmt (s->loop->then, &look) && look.store_count > 0
         && !any_in_stmt (s->loop->then, meets_store, &look);
}

/* Elements of a thread's own, of any layout, lie one behind the other. */
static bool
lies_one_by_one (struct expr *l, struct look *look)
{
  return moves (l, look)
         && (!look->span || !is_in_span (look->span, l) || span_step (look->span, l) == 1);
}

bool
find_copy (struct share *s, struct span *span, struct expr **to, struct expr **from)
{
  struct look look = { .share = s, .span = span };
  struct stmt *body = s->loop->then;
  struct expr *e;

  while (body->kind == STMT_BLOCK && body->items && !body->items->next)
    body = body->items;
  e = body->kind == STMT_EXPR ? peel (body->expr) : NULL;
  if (!e || e->kind != EXPR_ASSIGN || peel (e->b)->kind != EXPR_LOAD)
    return false;
  *to = peel (e->a);
  *from = peel (peel (e->b)->a);
  return type_is_shared ((*to)->type) && is_plain_access (*to) && is_plain_access (*from)
         && (*to)->type->kind == (*from)->type->kind && lies_one_by_one (*to, &look)
         && lies_one_by_one (*from, &look) && !may_meet (root_of_name (*to), root_of_name (*from));
}
