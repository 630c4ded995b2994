/* Walking pointers (plan/walk.c): at the start of a strip, in its iterations, and after it. */

#include "tools/upc2c/write/internal.h"

bool
is_left_behind (const struct reference *r)
{
  return r->walk && r->is_by_rounds;
}

void
put_walk_start (struct reference *r)
{
  if (!r->walk || r->at.constant == 0 || r->stays)
    return;
  putf ("%s = __upc_end_of_previous (%s", c_name (r->root->decl), c_name (r->root->decl));
  put_layout (r->type);
  put ("; ");
}

void
put_walk_end (struct reference *r)
{
  const char *pointer = c_name (r->root->decl);

  if (!r->walk || r->stays)
    return;
  putf ("%s = __upc_walked (%s, %d", pointer, pointer, r->stride < 0 && r->at.constant == 0);
  put_layout (r->type);
  put ("; ");
}

void
put_walked (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    if (is_left_behind (r))
      {
        const char *pointer = c_name (r->root->decl);

        putf ("%s = __upc_add (%s, %c(long) __upc_end%d", pointer, pointer,
              r->stride < 0 ? '-' : '+', loop->number);
        put_layout (r->type);
        put ("; ");
      }
}

/* The reference that STEP moves; NULL: none. */
static struct reference *
walk_by (struct expr *step)
{
  bool is_step = step->kind == EXPR_STEP || step->kind == EXPR_COMPOUND;
  struct expr *name = is_step ? strip_parens (step->a) : NULL;
  struct access_plan *p = name && name->kind == EXPR_NAME ? name->plan : NULL;

  return p && p->address == ADDRESS_REFERENCE && p->reference->walk == step ? p->reference : NULL;
}

/* Moves it in its block by each step of R, TIMES. */
static void
put_shift_times (struct reference *r, const char *times)
{
  const char *pointer = c_name (r->root->decl);

  putf ("%s = __upc_shift (%s, %ld%s, 0, %ld%s)", pointer, pointer,
        (long) r->stride * (long) type_size (r->type).value, times,
        block_of (r->type) > 1 ? (long) r->stride : 0, times);
}

void
put_shift (struct reference *r)
{
  if (is_left_behind (r))
    put ("(void) 0");
  else
    put_shift_times (r, "");
}

void
put_shifts (struct loop *loop, const char *count)
{
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->walk && !is_left_behind (r))
      {
        put_shift_times (r, arena_format (" * (long) %s", count));
        put ("; ");
      }
}

bool
is_planned_walk (struct expr *step)
{
  return walk_by (step) != NULL;
}

bool
put_walk (struct expr *step)
{
  struct reference *r = walk_by (step);

  if (r)
    put_shift (r);
  return r;
}

bool
put_walk_and_address (struct expr *step)
{
  if (!walk_by (step))
    return false;
  put ("(");
  put_walk (step);
  put (", ");
  put_planned_address (strip_parens (step->a), NULL);
  put (")");
  return true;
}
