/* States of the tree of a nest (nest.c): that of the program, and others, each with a plan of its own. */

#include "tools/upc2c/plan/internal.h"

static struct nest_state *
new_state (struct nest_state **all)
{
  struct nest_state *state = NEW (struct nest_state);

  state->next = *all;
  return *all = state;
}

static bool
keep_expr (struct expr *e, void *data)
{
  struct nest_state *state = new_state (data);

  state->e = e;
  state->other_expr = *e;
  return false;
}

static bool
keep_stmt (struct stmt *s, void *data)
{
  struct nest_state *state = new_state (data);

  state->s = s;
  state->other_stmt = *s;
  return false;
}

struct nest_state *
keep_state (struct stmt *s)
{
  struct nest_state *all = NULL;

  any_stmt (s, keep_stmt, &all);
  any_in_stmt (s, keep_expr, &all);
  return all;
}

void
exchange_state (struct nest_state *state)
{
  for (; state; state = state->next)
    if (state->e)
      {
        struct expr now = *state->e;

        *state->e = state->other_expr;
        state->other_expr = now;
      }
    else
      {
        struct stmt now = *state->s;

        *state->s = state->other_stmt;
        state->other_stmt = now;
      }
}
