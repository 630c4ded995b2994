/* Pointers-to-shared that have no name and are the same in all iterations of a loop:

       for (j = 0; j < n; j++) grid->cell[j] += rows[i - 1][j];

   Loops know what moves by pointers that are names. So a variable of ours gets the value before the first iteration,
   if there is one, and stands for it in the tree: what reads of pointers in records, in private arrays or in shared ones
   are is no question of the loop any more. Only what each iteration evaluates is evaluated there, and only where no
   store of the loop may change it by the types of C, and nothing orders the thread with others: then a relaxed read
   may have the value of any moment between (UPC 1.3, B.3.1). In a upc_forall that is what the affinity evaluates. */

#include "tools/upc2c/plan/internal.h"

#include <string.h>

struct search
{
  struct stmt *stmt;
  struct loop *loop;
  bool only_known; /* none is added */
};

static bool
is_unaddressed (const struct decl *d)
{
  return d && is_variable (d) && !d->has_static_duration && !d->has_address_taken;
}

/* Whether E may store to LVALUE, which is no variable. */
static bool
may_store (struct expr *e, void *lvalue)
{
  struct expr *target = is_store (e) ? strip_parens (e->a) : NULL, *l = lvalue;

  if (!target || (target->kind == EXPR_NAME && is_unaddressed (target->decl)))
    return false;
  return !(type_is_shared (target->type) && is_private_name (l))
         && may_alias (target->type, l->type);
}

/* Whether LVALUE may have another value after an iteration of the loop. */
static bool
may_change (struct expr *lvalue, struct stmt *s)
{
  return lvalue->is_strict || lvalue->is_awaited || lvalue->is_bit_field
         || (quals_of (lvalue->type) & (QUAL_VOLATILE | QUAL_ATOMIC))
         || any_in_stmt (s->then, may_store, lvalue) || any_in_expr (s->step, may_store, lvalue)
         || any_in_expr (s->expr, may_store, lvalue);
}

/* Whether E itself, without what is in it, may have another value. */
static bool
varies (struct expr *e, void *data)
{
  struct search *search = data;

  if (has_effect (e))
    return true;
  switch (e->kind)
    {
    case EXPR_NAME:
      return e->decl && is_variable (e->decl)
             && (!is_outer_name (e, search->loop)
                 || (type_is_scalar (e->type) && !type_is_shared (e->type)
                     && !is_loop_invariant (e, search->loop)));
    case EXPR_LOAD:
      return may_change (strip_parens (e->a), search->stmt);
    case EXPR_INDEX:
    case EXPR_DOT:
    case EXPR_ARROW:
    case EXPR_DEREF:
      return !type_is_shared (e->type) && e->type->kind != TYPE_ARRAY
             && may_change (e, search->stmt);
    case EXPR_ASSIGN:
    case EXPR_LABEL:
    case EXPR_LITERAL:
    case EXPR_BUILTIN_TYPES:
    case EXPR_VA_ARG:
      return true;
    default:
      return false;
    }
}

/* Whether A and B are the same expression. */
static bool
are_same (struct expr *a, struct expr *b)
{
  if (!a || !b)
    return a == b;
  a = strip_parens (a);
  b = strip_parens (b);
  if (a->is_constant && b->is_constant)
    return a->value == b->value;
  if (a->kind != b->kind || !types_match (a->type, b->type))
    return false;
  switch (a->kind)
    {
    case EXPR_NAME:
      return a->decl == b->decl;
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_DOT:
    case EXPR_ARROW:
      return a->member == b->member && are_same (a->a, b->a);
    case EXPR_INDEX:
      return are_same (pointer_of (a), pointer_of (b)) && are_same (index_of (a), index_of (b));
    case EXPR_BINARY:
      return a->op == b->op && are_same (a->a, b->a) && are_same (a->b, b->b);
    case EXPR_UNARY:
      return a->op == b->op && are_same (a->a, b->a);
    case EXPR_LOAD:
    case EXPR_DECAY:
    case EXPR_DEREF:
    case EXPR_CAST:
    case EXPR_CONVERT:
      return are_same (a->a, b->a);
    default:
      return false;
    }
}

static struct hoisted *
find_hoisted (struct expr *value, struct stmt *s)
{
  struct hoisted *h = s->hoisted;

  while (h && !are_same (h->value, value))
    h = h->next;
  return h;
}

static struct hoisted *
add_hoisted (struct expr *value, struct search *search)
{
  struct hoisted *h = NEW (struct hoisted);
  struct decl *d = NEW (struct decl);
  int number = search->stmt->hoisted ? search->stmt->hoisted->number + 1 : 1;
  const char *name = arena_format ("__upc_root%d_%d", search->loop->number, number);

  *d = (struct decl){ .kind = DECL_VARIABLE,
                      .name = intern (name, strlen (name)),
                      .type = unqualified (value->type),
                      .name_token = search->stmt->first,
                      .scope_depth = 1 };
  d->declared_type = d->type;
  *h = (struct hoisted){
    .decl = d, .value = value, .number = number, .next = search->stmt->hoisted
  };
  search->stmt->hoisted = h;
  return h;
}

/* Whether POINTER, which an element is found by, is to be a variable. */
static bool
is_nameless (const struct expr *pointer)
{
  return type_is_pts (pointer->type) && type_is_complete (pointer->type->base)
         && pointer->kind != EXPR_NAME && pointer->kind != EXPR_DECAY;
}

static void
note_element (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr **pointer = e->index_swapped ? &e->b : &e->a, *value = *pointer, *name;
  struct hoisted *h;

  if (e->kind != EXPR_INDEX || !is_nameless (strip_parens (value)))
    return;
  h = find_hoisted (value, search->stmt);
  if (!h && !search->only_known && !any_in_expr (value, varies, search))
    h = add_hoisted (value, search);
  if (!h)
    return;
  name = NEW (struct expr);
  *name = (struct expr){ .kind = EXPR_NAME,
                         .translate = true,
                         .first = value->first,
                         .last = value->last,
                         .token = value->token,
                         .type = h->decl->type,
                         .decl = h->decl };
  *pointer = name;
}

static bool
is_effect (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_ASSIGN || has_effect (e);
}

/* Whether it may be asked before the loop S whether it has a first iteration. */
static bool
has_plain_condition (struct stmt *s)
{
  return s->expr && !any_in_expr (s->expr, is_effect, NULL);
}

void
hoist_pointers (struct loop *loop)
{
  struct stmt *s = loop->stmt;
  struct search search = { .stmt = s, .loop = loop };

  if (s->hoisted || switches.race || !knows_variables () || !has_plain_condition (s)
      || !is_straight (s->then) || has_order (s->then) || may_order (s->expr) || may_order (s->step)
      || may_order (s->affinity) || has_watched_access (s) || has_watched_header (s))
    return;
  if (s->kind == STMT_FORALL)
    {
      visit_certain_expr (s->affinity, note_element, &search);
      search.only_known = true;
    }
  visit_certain (s->then, note_element, &search);
}
