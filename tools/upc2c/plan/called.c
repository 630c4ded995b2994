/* Accesses outside of loops, in functions that have very many of them. C compilers take most of their time
   for the inline arithmetic of such code, which gains little from it. So each element is located by a
   function call. Functions that are declared inline are exempt, as they are to be fast at any price. Code
   after a label may be a loop. */

#include "tools/upc2c/plan/internal.h"

enum
{
  MOST_IN_LINE = 48
};

/* Those of the function at hand. */
static struct straight
{
  struct access_plan *plan;
  struct straight *next;
} * first_straight;
static int straight_count;

void
begin_straight (void)
{
  first_straight = NULL;
  straight_count = 0;
}

void
note_straight (struct expr *l)
{
  struct straight *s;

  if (l->kind != EXPR_INDEX || l->plan->address != ADDRESS_COMPUTED || block_of (l->type) == 0)
    return;
  s = NEW (struct straight);
  *s = (struct straight){ l->plan, first_straight };
  first_straight = s;
  straight_count++;
}

static bool
is_label (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_LABEL;
}

void
settle_straight (const struct decl *function)
{
  if (straight_count <= MOST_IN_LINE || function->is_inline
      || any_stmt (function->body, is_label, NULL))
    return;
  for (struct straight *s = first_straight; s; s = s->next)
    s->plan->is_called = true;
  report_straight (function, straight_count);
}
