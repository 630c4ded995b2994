/* Strips in programs of several processes. A strip tests once whether all of it is near, instead of at
   each access, and the body is written twice (write/near.c). */

#include "tools/upc2c/plan/internal.h"

bool
declares_static (const struct declaration *d)
{
  for (const struct decl *e = d->decls; e; e = e->next)
    if (e->has_static_duration)
      return true;
  return d->kind == DECLARATION_FUNCTION;
}

static bool
is_hard_to_repeat (struct stmt *s, void *unused)
{
  (void) unused;
  switch (s->kind)
    {
    case STMT_BLOCK:
    case STMT_EXPR:
    case STMT_EMPTY:
    case STMT_IF:
    case STMT_CONTINUE:
    case STMT_BREAK:
    case STMT_RETURN:
      return false;
    case STMT_DECLARATION:
      return declares_static (s->declaration);
    default:
      return true;
    }
}

static bool
is_statement_in_expression (struct expr *e, void *unused)
{
  return is_statement_expr (e, unused) || e->kind == EXPR_LITERAL;
}

static bool
is_repeatable (struct stmt *loop)
{
  return !any_stmt (loop->then, is_hard_to_repeat, NULL)
         && !any_in_stmt (loop, is_statement_in_expression, NULL);
}

/* Whether E is an access by R that is looked up by itself. In a copy of the strip, in private memory, that would find no
   object; what the strip has looked up before is all there. */
static bool
is_looked_up_alone (struct expr *e, void *r)
{
  struct expr *l;

  if ((e->kind != EXPR_LOAD && !is_store (e)) || planned_reference (e->a) != r)
    return false;
  l = element_of (e->a);
  return !l->is_checked && !(root_of (l).object && has_known_extent (root_of (l).object));
}

void
find_near (struct loop *loop)
{
  if (!switches.network || loop->form != LOOP_STRIPS || loop->crosses_blocks || loop->copy_to
      || !is_repeatable (loop->stmt))
    return;
  for (struct reference *r = loop->references; r; r = r->next)
    {
      loop->asks_once |= is_in_strip (r);
      if (!is_checked_code (loop->stmt->first)
          || !any_in_stmt (loop->stmt->then, is_looked_up_alone, r))
        find_moved (loop, r);
    }
}
