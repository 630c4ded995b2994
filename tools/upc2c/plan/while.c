/* `while (i < n) { s += a[i]; i++; }` is planned as the for loop that it is, for (; i < n; i++): the step
   at the end of the body becomes the loop's own. So is `do { s += a[i]; i++; } while (i < n);`, which
   differs only in that it always has a first iteration. */

#include "tools/upc2c/plan/internal.h"

/* Whether E is a name that means nothing else behind BODY. */
static bool
is_inner_name (struct expr *e, void *body)
{
  return e->kind == EXPR_NAME && e->decl && is_variable (e->decl)
         && e->decl->name_token >= ((struct stmt *) body)->first;
}

static bool
is_access (struct expr *e, void *nothing)
{
  (void) nothing;
  return (e->kind == EXPR_INDEX || e->kind == EXPR_DEREF) && type_is_shared (e->type);
}

/* Whether E moves a local variable, which is private: i++, i += 2, i = i + k. Its address is no one's, and what ends the
   scope of the body's variables does not see whether it has moved. */
static bool
moves_variable (struct expr *e)
{
  struct expr *name = e->kind == EXPR_STEP || e->kind == EXPR_COMPOUND || e->kind == EXPR_ASSIGN
                          ? strip_parens (e->a)
                          : NULL;

  return name && name->kind == EXPR_NAME && is_variable (name->decl)
         && !name->decl->has_static_duration && !name->decl->has_address_taken
         && (e->kind != EXPR_ASSIGN || any_in_expr (e->b, is_name_of, name->decl))
         && !any_in_expr (e, is_access, NULL);
}

static struct stmt *
last_item (struct stmt *body)
{
  struct stmt *item = body->kind == STMT_BLOCK ? body->items : body;

  while (item && item != body && item->next)
    item = item->next;
  return item;
}

static bool
is_signed_name (struct expr *e, const struct decl *d)
{
  e = strip_parens (e);
  return e->kind == EXPR_NAME && e->decl == d && type_is_integer (e->type)
         && !type_is_unsigned (e->type);
}

/* Whether the condition of S, a do, compares what STEP moves, so that without it, too, the first iteration would be the last
   one where it does not hold. An unsigned variable may pass 0 on the way. */
static bool
compares_moved (struct stmt *s, struct expr *step)
{
  struct expr *e = strip_parens (s->expr);
  const struct decl *d = strip_parens (step->a)->decl;

  return e->kind == EXPR_BINARY
         && (e->op == '<' || e->op == '>' || e->op == TOKEN_LESS_EQUAL
             || e->op == TOKEN_GREATER_EQUAL)
         && (is_signed_name (e->a, d) || is_signed_name (e->b, d))
         && !any_in_expr (e, is_access, NULL);
}

static bool
find_step (struct stmt *s, void *nothing)
{
  bool is_do = s->kind == STMT_DO;
  struct stmt *last = is_do || s->kind == STMT_WHILE ? last_item (s->then) : NULL;

  (void) nothing;
  if (!last || last->kind != STMT_EXPR || !last->expr || !moves_variable (strip_parens (last->expr))
      || any_in_expr (last->expr, is_inner_name, s->then) || has_continue (s->then)
      || (is_do && !compares_moved (s, strip_parens (last->expr)))
      || !(any_in_stmt (s->then, is_access, NULL) || any_in_expr (s->expr, is_access, NULL)))
    return false;
  s->kind = STMT_FOR;
  s->is_while = true;
  s->is_do = is_do;
  take_statement (last, s);
  return false;
}

void
find_steps_of_while (struct stmt *body)
{
  any_stmt (body, find_step, NULL);
}
