/* Variables that the planner adds to the tree. */

#include "tools/upc2c/plan/internal.h"

#include <string.h>

struct decl *
generate_variable (const char *name, struct type *type, const struct stmt *s)
{
  struct decl *d = NEW (struct decl);

  *d = (struct decl){ .kind = DECL_VARIABLE,
                      .name = intern (name, strlen (name)),
                      .type = type,
                      .declared_type = type,
                      .name_token = s->first,
                      .scope_depth = 1 };
  return d;
}

struct expr *
name_instead (const struct expr *e, struct decl *d)
{
  struct expr *name = NEW (struct expr);

  *name = (struct expr){ .kind = EXPR_NAME,
                         .translate = true,
                         .first = e->first,
                         .last = e->last,
                         .token = e->token,
                         .type = d->type,
                         .decl = d };
  return name;
}
