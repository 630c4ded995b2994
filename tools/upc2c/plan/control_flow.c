/* How control enters and leaves statements. */

#include "tools/upc2c/plan/internal.h"

#include <string.h>

bool
is_loop (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_FOR || s->kind == STMT_FORALL || s->kind == STMT_WHILE
         || s->kind == STMT_DO;
}

bool
any_outside_loops (struct stmt *s, expr_question *ask, void *data)
{
  if (!s)
    return false;
  switch (s->kind)
    {
    case STMT_FOR:
    case STMT_FORALL:
    case STMT_WHILE:
    case STMT_DO:
      return false;
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (any_outside_loops (item, ask, data))
          return true;
      return false;
    case STMT_DECLARATION:
    case STMT_ASM:
      return any_in_stmt (s, ask, data);
    default:
      return any_in_expr (s->expr, ask, data) || any_outside_loops (s->then, ask, data)
             || any_outside_loops (s->otherwise, ask, data);
    }
}

bool
has_entry (struct stmt *s, bool is_in_switch)
{
  if (!s)
    return false;
  switch (s->kind)
    {
    case STMT_LABEL:
      return true;
    case STMT_CASE:
    case STMT_DEFAULT:
      return !is_in_switch || has_entry (s->then, is_in_switch);
    case STMT_SWITCH:
      return has_entry (s->then, true);
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (has_entry (item, is_in_switch))
          return true;
      return false;
    default:
      return has_entry (s->then, is_in_switch) || has_entry (s->otherwise, is_in_switch);
    }
}

static bool
has_foreign_pragma (const char *text, const char *end)
{
  static const char pragma[] = "#pragma ";
  size_t size = strlen (pragma);

  while ((text = memmem (text, end - text, pragma, size)))
    {
      text += size;
      if (strncmp (text, "upc ", 4) != 0)
        return true;
    }
  return false;
}

bool
stands_behind_pragma (const struct stmt *s)
{
  return has_foreign_pragma (token_at (s->first - 1)->text, token_at (s->first)->text);
}

bool
has_pragmas (const struct stmt *s)
{
  return has_foreign_pragma (token_at (s->first - 1)->text, token_at (s->last)->text);
}

static bool has_jump (struct stmt *s, enum stmt_kind kind);

static bool
holds_jump (struct expr *e, void *kind)
{
  return e->kind == EXPR_STATEMENT && has_jump (e->body, *(enum stmt_kind *) kind);
}

/* Whether S has a jump of that KIND of its own loop. */
static bool
has_jump (struct stmt *s, enum stmt_kind kind)
{
  if (!s)
    return false;
  if (s->kind == kind || any_in_expr (s->expr, holds_jump, &kind)
      || (s->kind == STMT_DECLARATION && any_in_stmt (s, holds_jump, &kind)))
    return true;
  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (has_jump (item, kind))
          return true;
      return false;
    case STMT_SWITCH:
      return kind == STMT_CONTINUE && has_jump (s->then, kind);
    case STMT_WHILE:
    case STMT_DO:
    case STMT_FOR:
    case STMT_FORALL:
      return false;
    default:
      return has_jump (s->then, kind) || has_jump (s->otherwise, kind);
    }
}

bool
has_break (struct stmt *s)
{
  return has_jump (s, STMT_BREAK);
}

bool
has_continue (struct stmt *s)
{
  return has_jump (s, STMT_CONTINUE);
}
