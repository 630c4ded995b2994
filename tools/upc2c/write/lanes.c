/* Loops whose iterations run in lanes (plan/lanes.c):

       if (end < …) in their order
       else
         {
           double lane1[256];
           for (done = 0; done < end; done += left, j = first + done)
             {
               left = min (end - done, 256); lanes = j; lanes_end = j + left;
               for (j = lanes; j < lanes_end; j++) { double sum = 0; lane1[j - lanes] = sum; }
               for (k = 0; k < n; k++)
                 for (j = lanes; j < lanes_end; j++)
                   { double sum = lane1[j - lanes]; sum += a[i][k] * b[k][j]; lane1[j - lanes] = sum; }
               …
             }
         } */

#include "tools/upc2c/write/internal.h"

static bool
is_store_to (struct expr *e, void *decl)
{
  return (e->kind == EXPR_ASSIGN || e->kind == EXPR_COMPOUND || e->kind == EXPR_STEP)
         && is_name_of (strip_parens (e->a), decl);
}

static void
put_lane (const struct lanes *lanes, const struct lane_scalar *s)
{
  putf ("__upc_lane%d_%d[(unsigned long) (%s - __upc_lanes%d)]", lanes->loop->number, s->number,
        c_name (lanes->loop->induction), lanes->loop->number);
}

static bool
is_declared_by (const struct lane_scalar *scalar, const struct stmt *s)
{
  return s->kind == STMT_DECLARATION && scalar->decl->declaration == s->declaration;
}

/* Before S: what it uses. */
static void
put_scalars_before (const struct lanes *lanes, struct stmt *s)
{
  for (const struct lane_scalar *scalar = lanes->scalars; scalar; scalar = scalar->next)
    if (any_in_stmt (s, is_name_of, scalar->decl) && !is_declared_by (scalar, s))
      {
        if (!scalar->is_outer)
          putf ("%s ", plain_type (scalar->decl->type));
        else if (sets_scalar (s, scalar->decl))
          continue;
        put (c_name (scalar->decl));
        if (!sets_scalar (s, scalar->decl))
          {
            put (" = ");
            put_lane (lanes, scalar);
          }
        put ("; ");
      }
}

/* Behind it: what it sets. */
static void
put_scalars_after (const struct lanes *lanes, struct stmt *s)
{
  for (const struct lane_scalar *scalar = lanes->scalars; scalar; scalar = scalar->next)
    if (any_in_stmt (s, is_store_to, scalar->decl)
        || (is_declared_by (scalar, s) && scalar->decl->init))
      {
        put (" ");
        put_lane (lanes, scalar);
        putf (" = %s; ", c_name (scalar->decl));
      }
}

void
gen_iteration (struct loop *loop)
{
  struct stmt *body = loop->stmt->then;
  const struct lanes *lanes = loop->stmt->lanes;

  if (!lanes || !lanes->scalars)
    {
      gen_stmt (body);
      return;
    }
  put ("{ ");
  put_scalars_before (lanes, body);
  gen_stmt (body);
  put_scalars_after (lanes, body);
  put (" } ");
}

void
put_first_lane (struct stmt *s)
{
  putf ("%s = __upc_lanes%d; ", c_name (s->lanes->loop->induction), s->lanes->loop->number);
}

void
put_lane_meetings (struct loop *loop)
{
  for (const struct lane_meeting *m = loop->lanes->meetings; m; m = m->next)
    if (type_is_pts (m->a->type) && type_is_pts (m->b->type))
      putf (" || __upc_lanes_meet (%s, %s)", c_name (m->a->decl), c_name (m->b->decl));
    else
      putf (" || !__upc_begins_block (%s)",
            c_name (type_is_pts (m->a->type) ? m->a->decl : m->b->decl));
}

static void
put_lane_variables (struct loop *loop)
{
  const char *type = plain_type (loop->induction->type);
  int n = loop->number;

  putf ("unsigned long __upc_done%d = 0, __upc_left%d; %s __upc_lanes%d, __upc_lanes_end%d; ", n, n,
        type, n, n);
  for (const struct lane_scalar *s = loop->lanes->scalars; s; s = s->next)
    putf ("%s __upc_lane%d_%d[%lu]; ", plain_type (s->decl->type), n, s->number,
          (unsigned long) loop->lanes->most);
}

/* Which lanes are done. */
static void
put_lanes (struct loop *loop)
{
  int n = loop->number;

  putf ("__upc_left%d = __upc_end%d - __upc_done%d; ", n, n, n);
  putf ("__upc_strip_limit (&__upc_left%d, %lu); ", n, (unsigned long) loop->lanes->most);
  putf ("__upc_lanes%d = %s; __upc_lanes_end%d = (%s) (%s + __upc_left%d%s); ", n,
        c_name (loop->induction), n, plain_type (loop->induction->type), c_name (loop->induction),
        n, loop->relation == '<' ? "" : " - 1");
}

/* What the variables have where the loop ends: as after the last iteration. */
static void
put_last_lane (struct loop *loop)
{
  for (const struct lane_scalar *s = loop->lanes->scalars; s; s = s->next)
    if (s->is_outer)
      putf ("%s = __upc_lane%d_%d[__upc_left%d - 1]; ", c_name (s->decl), loop->number, s->number,
            loop->number);
}

void
gen_lanes (struct loop *loop)
{
  int n = loop->number;

  put (" { ");
  put_first_and_end (loop);
  gen_in_order (loop);
  put_lane_variables (loop);
  putf ("for (; __upc_done%d < __upc_end%d; __upc_done%d += __upc_left%d, %s) { ", n, n, n, n,
        induction_at (loop, arena_format ("__upc_done%d", n)));
  put_lanes (loop);
  gen_stmt (loop->lanes->body);
  put (" ");
  put_last_lane (loop);
  put (" } } } ");
}
