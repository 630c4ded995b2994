/* Loops that may be written twice, to choose between at run time before the first iteration. */

#include "tools/upc2c/plan/internal.h"

static bool
is_no_part_of_two (struct stmt *s, void *nothing)
{
  const struct declaration *d = s->kind == STMT_DECLARATION ? s->declaration : NULL;

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
      for (const struct decl *v = d->kind == DECLARATION_OBJECTS ? d->decls : NULL; v; v = v->next)
        if (v->kind != DECL_VARIABLE || v->has_static_duration)
          return true;
      return d->kind != DECLARATION_OBJECTS;
    default:
      return true;
    }
}

bool
may_be_repeated (struct loop *loop)
{
  struct stmt *s = loop->stmt;

  return !switches.race && !switches.network && !has_watched_access (s) && !has_watched_header (s)
         && !any_in_stmt (s, is_statement_expr, NULL)
         && !any_stmt (s->then, is_no_part_of_two, NULL);
}

bool
may_have_two_forms (struct loop *loop)
{
  return (loop->form == LOOP_STRIPS || loop->form == LOOP_AS_WRITTEN) && !loop->is_kept
         && !loop->step
         && (is_counted (loop) || (loop->induction && !is_by_pointer (loop) && !is_forall (loop)))
         && !any_stmt (loop->stmt->then, is_no_part_of_two, NULL);
}
