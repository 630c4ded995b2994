/* Nodes of the tree. */

#include "tools/upc2c/ast/ast.h"

#include <string.h>

struct translation_unit tree;

struct expr *
new_expr (enum expr_kind kind, token_index first, struct type *type)
{
  struct expr *e = NEW (struct expr);

  e->kind = kind;
  e->first = e->token = first;
  e->type = type;
  return e;
}

struct expr *
finish (struct expr *e, token_index last)
{
  e->last = last;
  e->translate = e->translate || (e->a && e->a->translate) || (e->b && e->b->translate)
                 || (e->c && e->c->translate);
  return e;
}

struct expr_list *
new_expr_list (struct expr **items, uint32_t count)
{
  struct expr_list *list = arena_alloc (sizeof *list + count * sizeof *items);

  list->count = count;
  if (count)
    memcpy (list->item, items, count * sizeof *items);
  return list;
}

struct expr *
implicit (enum expr_kind kind, struct expr *a, struct type *type)
{
  struct expr *e = NEW (struct expr);

  e->kind = kind;
  e->first = a->first;
  e->last = a->last;
  e->token = a->token;
  e->a = a;
  e->type = type;
  e->translate = true;
  return e;
}

struct expr *
strip_conversions (struct expr *a)
{
  while (a->kind == EXPR_PAREN || a->kind == EXPR_LOAD || a->kind == EXPR_DECAY
         || a->kind == EXPR_CONVERT || (a->kind == EXPR_UNARY && a->op == KEY_EXTENSION))
    a = a->a;
  return a;
}

bool
is_main_function (const struct decl *d)
{
  return d->kind == DECL_FUNCTION && d->name && strcmp (d->name->text, "main") == 0;
}
