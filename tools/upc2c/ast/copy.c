/* Copies of statements, for transformations. The statements have no jumps, no statement expressions and
   the like. What a copy declares is separate from what the original declares. */

#include "tools/upc2c/ast/ast.h"

/* What names of a declaration mean in the copy. */
struct renamed
{
  const struct decl *from;
  struct decl *to;
  struct renamed *next;
};

static struct decl *
rename_decl (struct decl *from, struct renamed **all)
{
  struct renamed *r = NEW (struct renamed);
  struct decl *to = NEW (struct decl);

  *to = *from;
  *r = (struct renamed){ from, to, *all };
  *all = r;
  return to;
}

static struct expr *copy_expr (struct expr *e, struct renamed **all);

static struct expr_list *
copy_list (struct expr_list *list, struct renamed **all)
{
  struct expr_list *copy = new_expr_list (list->item, list->count);

  for (uint32_t i = 0; i < copy->count; i++)
    copy->item[i] = copy_expr (copy->item[i], all);
  return copy;
}

static struct expr *
copy_expr (struct expr *e, struct renamed **all)
{
  struct expr *copy;

  if (!e)
    return NULL;
  copy = NEW (struct expr);
  *copy = *e;
  copy->a = copy_expr (e->a, all);
  copy->b = copy_expr (e->b, all);
  copy->c = copy_expr (e->c, all);
  if (e->kind == EXPR_CALL)
    copy->list = copy_list (e->list, all);
  for (struct renamed *r = e->kind == EXPR_NAME ? *all : NULL; r; r = r->next)
    if (e->decl == r->from)
      {
        copy->decl = r->to;
        break;
      }
  return copy;
}

struct expr *
copy_of_expr (struct expr *e)
{
  struct renamed *none = NULL;

  return copy_expr (e, &none);
}

static struct declaration *
copy_declaration (struct declaration *d, struct renamed **all)
{
  struct declaration *copy = NEW (struct declaration);
  struct decl **at = &copy->decls;

  *copy = *d;
  for (struct decl *from = d->decls; from; from = from->next, at = &(*at)->next)
    {
      *at = rename_decl (from, all);
      (*at)->declaration = copy;
      if (!from->init)
        continue;
      (*at)->init = NEW (struct initializer);
      *(*at)->init = *from->init;
      (*at)->init->expr = copy_expr (from->init->expr, all);
    }
  *at = NULL;
  return copy;
}

static struct stmt *
copy_inside (struct stmt *s, struct renamed **all)
{
  struct stmt *copy, **at;

  if (!s)
    return NULL;
  copy = NEW (struct stmt);
  *copy = *s;
  if (s->fixed)
    {
      rename_decl (s->fixed->decl, all);
      copy->fixed = copy_expr (s->fixed, all);
    }
  if (s->declaration)
    copy->declaration = copy_declaration (s->declaration, all);
  if (s->kind == STMT_FOR || s->kind == STMT_FORALL)
    copy->init_expr = copy_expr (s->init_expr, all);
  copy->expr = copy_expr (s->expr, all);
  copy->step = copy_expr (s->step, all);
  copy->affinity = copy_expr (s->affinity, all);
  if (s->kind != STMT_BLOCK)
    {
      copy->then = copy_inside (s->then, all);
      copy->otherwise = copy_inside (s->otherwise, all);
      return copy;
    }
  at = &copy->items;
  for (struct stmt *item = s->items; item; item = item->next, at = &(*at)->next)
    *at = copy_inside (item, all);
  *at = NULL;
  return copy;
}

/* Whether copy_expr has not all of E itself. */
static bool
holds_more (struct expr *e, void *nothing)
{
  (void) nothing;
  switch (e->kind)
    {
    case EXPR_UNKNOWN:
    case EXPR_STATEMENT:
    case EXPR_GENERIC:
    case EXPR_LABEL:
    case EXPR_LITERAL:
    case EXPR_VA_ARG:
    case EXPR_OFFSETOF:
    case EXPR_TYPES_COMPATIBLE:
    case EXPR_CHOOSE:
    case EXPR_BUILTIN_TYPES:
      return true;
    default:
      return false;
    }
}

static bool
declares_more (const struct declaration *d)
{
  if (d->kind != DECLARATION_OBJECTS || d->specifiers->parts)
    return true;
  for (const struct decl *v = d->decls; v; v = v->next)
    if (v->kind != DECL_VARIABLE || v->has_static_duration || v->parts || !type_is_scalar (v->type)
        || (v->init && !v->init->expr))
      return true;
  return false;
}

static bool
does_more (struct stmt *s, void *nothing)
{
  (void) nothing;
  switch (s->kind)
    {
    case STMT_BLOCK:
    case STMT_EXPR:
    case STMT_EMPTY:
    case STMT_IF:
    case STMT_CONTINUE:
    case STMT_BREAK:
      return false;
    case STMT_DECLARATION:
      return declares_more (s->declaration);
    default:
      return true;
    }
}

bool
can_copy (struct stmt *s)
{
  return !any_stmt (s, does_more, NULL) && !any_in_stmt (s, holds_more, NULL);
}

static bool
fix_name (struct expr *e, void *fixed)
{
  const struct expr *name = fixed;

  if (e->kind == EXPR_NAME && e->decl == name->decl)
    {
      e->is_constant = true;
      e->value = name->value;
    }
  return false;
}

struct stmt *
copy_with (struct stmt *s, struct decl *d, int64_t value)
{
  struct stmt *copy = NEW (struct stmt);
  struct renamed *all = NULL;
  struct decl *constant = rename_decl (d, &all);

  /* It is declared anew here. */
  constant->name_token = s->first;
  *copy = (struct stmt){ .kind = STMT_BLOCK,
                         .translate = true,
                         .is_strict = s->is_strict,
                         .first = s->first,
                         .last = s->last,
                         .items = copy_inside (s, &all),
                         .fixed = new_expr (EXPR_NAME, s->first, d->type) };
  copy->fixed->decl = constant;
  copy->fixed->value = value;
  any_in_stmt (copy->items, fix_name, copy->fixed);
  return copy;
}

static bool
does_more_than_count (struct stmt *s, void *nothing)
{
  return s->kind != STMT_FOR ? does_more (s, nothing)
                             : s->declaration && declares_more (s->declaration);
}

bool
can_copy_loop (struct stmt *s)
{
  return !any_stmt (s->then, does_more_than_count, NULL) && !any_in_stmt (s->then, holds_more, NULL)
         && !any_in_expr (s->expr, holds_more, NULL) && !any_in_expr (s->step, holds_more, NULL)
         && !any_in_expr (s->affinity, holds_more, NULL);
}

struct stmt *
copy_loop (struct stmt *s)
{
  struct renamed *all = NULL;
  struct stmt rest = *s;

  rest.init_expr = NULL;
  rest.declaration = NULL;
  rest.next = NULL;
  return copy_inside (&rest, &all);
}

static bool
does_more_than_loop (struct stmt *s, void *nothing)
{
  switch (s->kind)
    {
    case STMT_FOR:
    case STMT_FORALL:
      return s->declaration && declares_more (s->declaration);
    case STMT_WHILE:
    case STMT_DO:
    case STMT_RETURN:
      return false;
    default:
      return does_more (s, nothing);
    }
}

bool
can_copy_nest (struct stmt *s)
{
  return !any_stmt (s, does_more_than_loop, NULL) && !any_in_stmt (s, holds_more, NULL);
}

struct stmt *
copy_nest (struct stmt *s)
{
  struct renamed *all = NULL;
  struct stmt *copy = copy_inside (s, &all);

  copy->next = NULL;
  return copy;
}
