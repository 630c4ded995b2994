/* Traversal of the syntax tree. */

#include "tools/upc2c/ast/ast.h"

static bool
any_in_list (struct expr_list *list, expr_question *ask, void *data)
{
  for (uint32_t i = 0; list && i < list->count; i++)
    if (any_in_expr (list->item[i], ask, data))
      return true;
  return false;
}

static bool
any_in_parts (struct part *parts, expr_question *ask, void *data)
{
  for (struct part *p = parts; p; p = p->next)
    if (p->kind == PART_EXPR && any_in_expr (p->expr, ask, data))
      return true;
  return false;
}

static bool
any_in_initializer (struct initializer *init, expr_question *ask, void *data)
{
  if (!init)
    return false;
  if (init->expr)
    return any_in_expr (init->expr, ask, data);
  for (struct init_item *i = init->items; i; i = i->next)
    {
      for (struct designator *d = i->designators; d; d = d->next)
        if (any_in_expr (d->index, ask, data) || any_in_expr (d->end, ask, data))
          return true;
      if (any_in_initializer (i->value, ask, data))
        return true;
    }
  return false;
}

static bool
any_in_declaration (struct declaration *d, expr_question *ask, void *data)
{
  if (!d || d->kind > DECLARATION_FUNCTION)
    return false;
  if (d->specifiers && any_in_parts (d->specifiers->parts, ask, data))
    return true;
  for (struct decl *decl = d->decls; decl; decl = decl->next)
    if (any_in_parts (decl->parts, ask, data) || any_in_initializer (decl->init, ask, data)
        || (decl->kind == DECL_FUNCTION && decl->body && any_in_stmt (decl->body, ask, data)))
      return true;
  return false;
}

bool
any_in_expr (struct expr *e, expr_question *ask, void *data)
{
  if (!e)
    return false;
  if (ask (e, data))
    return true;
  switch (e->kind)
    {
    case EXPR_CALL:
    case EXPR_GENERIC:
    case EXPR_OFFSETOF:
    case EXPR_CHOOSE:
    case EXPR_BUILTIN_TYPES:
      if (any_in_list (e->list, ask, data))
        return true;
      break;
    case EXPR_LITERAL:
      if (any_in_initializer (e->init, ask, data))
        return true;
      break;
    case EXPR_STATEMENT:
      if (any_in_stmt (e->body, ask, data))
        return true;
      break;
    default:
      break;
    }
  return any_in_expr (e->a, ask, data) || any_in_expr (e->b, ask, data)
         || any_in_expr (e->c, ask, data);
}

bool
any_in_stmt (struct stmt *s, expr_question *ask, void *data)
{
  if (!s)
    return false;
  if (any_in_expr (s->expr, ask, data) || any_in_expr (s->step, ask, data)
      || any_in_expr (s->affinity, ask, data) || any_in_declaration (s->declaration, ask, data))
    return true;
  if ((s->kind == STMT_FOR || s->kind == STMT_FORALL) && any_in_expr (s->init_expr, ask, data))
    return true;
  if (s->kind == STMT_ASM && any_in_list (s->list, ask, data))
    return true;
  if (s->kind == STMT_BLOCK)
    {
      for (struct stmt *item = s->items; item; item = item->next)
        if (any_in_stmt (item, ask, data))
          return true;
      return false;
    }
  return any_in_stmt (s->then, ask, data) || any_in_stmt (s->otherwise, ask, data);
}

bool
any_stmt (struct stmt *s, stmt_question *ask, void *data)
{
  if (!s)
    return false;
  if (ask (s, data))
    return true;
  if (s->kind == STMT_BLOCK)
    {
      for (struct stmt *item = s->items; item; item = item->next)
        if (any_stmt (item, ask, data))
          return true;
      return false;
    }
  return any_stmt (s->then, ask, data) || any_stmt (s->otherwise, ask, data);
}

bool
has_effect (const struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_UNKNOWN:
    case EXPR_STATEMENT:
    case EXPR_CALL:
    case EXPR_STEP:
    case EXPR_COMPOUND:
    case EXPR_LITERAL:
    case EXPR_VA_ARG:
      return true;
    default:
      return false;
    }
}

static bool
counts (struct expr *e, void *nothing)
{
  const unsigned counted = QUAL_VOLATILE | QUAL_ATOMIC;

  (void) nothing;
  return has_effect (e) || e->kind == EXPR_ASSIGN || (e->kind == EXPR_LOAD && e->a->is_strict)
         || (e->type && (quals_of (e->type) & counted))
         || (e->kind == EXPR_NAME && e->decl && e->decl->type
             && (quals_of (e->decl->type) & counted));
}

bool
may_repeat (struct expr *e)
{
  return !any_in_expr (e, counts, NULL);
}
