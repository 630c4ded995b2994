/* Assignments that are seldom made:

       if (a[i] > a[most]) most = i;

   Of elements in any order the largest one so far changes a few times. gcc and clang may take a conditional move for that, and the
   next a[most] then waits for the comparison of this one: 14 cycles for an iteration instead of 2 or 3. An empty asm beside
   the assignment keeps the branch; no probability does. */

#include "tools/upc2c/plan/internal.h"

/* Whether E is an element of a shared array, with DECL in its index. */
static bool
is_found_by (struct expr *e, void *decl)
{
  return e->kind == EXPR_INDEX && type_is_shared (e->type)
         && any_in_expr (index_of (e), is_name_of, decl);
}

void
find_seldom (struct stmt *s)
{
  struct stmt *then = s->then;
  struct expr *e, *to;

  while (then->kind == STMT_BLOCK && then->items && !then->items->next)
    then = then->items;
  e = then->kind == STMT_EXPR && then->expr ? strip_parens (then->expr) : NULL;
  if (s->otherwise || !e || e->kind != EXPR_ASSIGN)
    return;
  to = strip_parens (e->a);
  if (to->kind != EXPR_NAME || !to->decl || !is_variable (to->decl)
      || !any_in_expr (s->expr, is_found_by, to->decl))
    return;
  then->is_seldom = true;
  /* It may have nothing else that is not C. */
  for (struct stmt *around = s->then;; around = around->items)
    {
      around->translate = true;
      if (around == then)
        return;
    }
}
