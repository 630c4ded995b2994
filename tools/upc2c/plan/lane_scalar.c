/* Variables that have a separate value in each lane (lanes.c). */

#include "tools/upc2c/plan/internal.h"

bool
is_lane_scalar (const struct decl *d, const struct lanes *lanes)
{
  const struct lane_scalar *s = lanes->scalars;

  while (s && s->decl != d)
    s = s->next;
  return s;
}

bool
sets_scalar (struct stmt *s, struct decl *d)
{
  struct expr *e = s->kind == STMT_EXPR ? strip_parens (s->expr) : NULL;

  return e && e->kind == EXPR_ASSIGN && strip_parens (e->a)->kind == EXPR_NAME
         && strip_parens (e->a)->decl == d && !any_in_expr (e->b, is_name_of, d);
}
