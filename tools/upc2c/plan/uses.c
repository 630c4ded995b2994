/* How often a variable is named, and how often it is changed by its name. */

#include "tools/upc2c/plan/internal.h"

static bool
count_use (struct expr *e, void *data)
{
  struct name_uses *uses = data;
  struct expr *target = is_store (e) ? strip_parens (e->a) : NULL;

  uses->names += e->kind == EXPR_NAME && e->decl == uses->decl;
  uses->stores += target && target->kind == EXPR_NAME && target->decl == uses->decl;
  return false;
}

struct name_uses
uses_in (struct stmt *s, const struct decl *d)
{
  struct name_uses uses = { .decl = d };

  any_in_stmt (s, count_use, &uses);
  return uses;
}

struct name_uses
uses_in_iterations (const struct stmt *loop, const struct decl *d)
{
  struct stmt repeated = *loop;

  repeated.init_expr = NULL;
  repeated.declaration = NULL;
  return uses_in (&repeated, d);
}
