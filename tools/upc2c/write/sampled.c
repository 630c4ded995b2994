/* Loops of which a sampling tool is told only some iterations (plan/sampled.c):

       { init;
         for (;;)
           { const unsigned long __upc_rest1 = the number of iterations, __upc_quiet1 = __upc_quiet_iterations (__upc_rest1);
             if (__upc_quiet1) { int __upc_end_of_quiet1 = …; the copy of the loop, to that end }
             if (__upc_quiet1 == __upc_rest1) break;
             upct_iterations_left = -1;
             one iteration, with all of its events
             upct_gasp_sampled (); } } */

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/write/internal.h"

/* The bound of the last quiet iteration, as the program's own comparison has it. */
static void
put_end_by_integer (const struct sampled *sampled)
{
  const struct loop *loop = &sampled->loop;
  int n = loop->number;
  char sign = loop->is_down ? '-' : '+';
  bool is_within = loop->relation == TOKEN_LESS_EQUAL || loop->relation == TOKEN_GREATER_EQUAL;

  putf ("(%s) ((unsigned long) %s %c (__upc_quiet%d - 1)", plain_type (sampled->end->type),
        c_name (loop->induction), sign, n);
  if (loop->step)
    putf (" * (unsigned long) __upc_step%d", n);
  else if (!moves_by_one (loop))
    putf (" * %lu", (unsigned long) loop->step_value);
  putf (is_within ? ")" : " %c 1)", sign);
}

static void
put_end_of_quiet (const struct sampled *sampled)
{
  const struct loop *loop = &sampled->loop;

  putf ("%s = ", declare (sampled->end->type, c_name (sampled->end)));
  if (loop->counter)
    putf ("(%s) __upc_quiet%d", plain_type (sampled->end->type), loop->number);
  else if (is_by_pointer (loop))
    {
      putf ("__upc_add (%s, (long) __upc_quiet%d%s", c_name (loop->induction), loop->number,
            loop->relation == TOKEN_LESS_EQUAL ? " - 1" : "");
      put_layout (loop->induction->type->base);
    }
  else
    put_end_by_integer (sampled);
  put ("; ");
}

/* It has not come to its end. */
static void
put_break (const struct sampled *sampled)
{
  const struct expr *e = strip_parens (sampled->quiet->expr);
  struct loop undone = sampled->loop;

  undone.stmt = sampled->quiet;
  undone.bound = strip_parens (sampled->loop.stmt->expr)->b == sampled->loop.bound ? e->b : e->a;
  put ("if (");
  gen_expr (sampled->quiet->expr);
  put (") { __upc_left_quiet (");
  put_count (&undone);
  put ("); break; } ");
}

static void
gen_quiet (const struct sampled *sampled)
{
  const struct loop *loop = &sampled->loop;
  enum access_events before = set_access_events (NO_ACCESS_EVENTS);

  putf ("if (__upc_quiet%d) { ", loop->number);
  put_end_of_quiet (sampled);
  if (!gen_loop (sampled->quiet))
    {
      gen_while_head (sampled->quiet);
      gen_stmt (sampled->quiet->then);
    }
  if (sampled->is_left)
    put_break (sampled);
  if (loop->counter)
    putf ("%s -= (%s) __upc_quiet%d; ", c_name (strip_parens (loop->counter)->decl),
          plain_type (sampled->end->type), loop->number);
  put ("} ");
  set_access_events (before);
}

static void
gen_told (struct loop *loop)
{
  struct stmt *s = loop->stmt;
  enum access_events before = set_access_events (ALL_ACCESS_EVENTS);

  if (is_forall (loop))
    {
      putf ("const int __upc_outer%d = %s++; if (", loop->number, depth_text ());
      gen_affinity (s);
      putf (" || __upc_outer%d) ", loop->number);
    }
  if (!s->sampled->is_left)
    put ("do ");
  put ("{ ");
  gen_stmt (s->then);
  put (s->sampled->is_left ? "} " : " } while (0); ");
  if (is_forall (loop))
    putf ("%s = __upc_outer%d; ", depth_text (), loop->number);
  if (s->step)
    gen_expr (s->step);
  put ("; ");
  set_access_events (before);
}

void
gen_sampled_loop (struct stmt *s)
{
  struct loop *loop = &s->sampled->loop;
  int n = loop->number;

  put ("{ ");
  put_initialisation (s);
  put (" ");
  put_step_value (loop);
  putf ("for (;;) { const unsigned long __upc_rest%d = ", n);
  put_count (loop);
  putf (", __upc_quiet%d = __upc_quiet_iterations (__upc_rest%d); ", n, n);
  gen_quiet (s->sampled);
  if (loop->counter)
    {
      put ("(void) (");
      gen_expr (s->expr);
      put ("); ");
    }
  putf ("if (__upc_quiet%d == __upc_rest%d) break; upct_iterations_left = -1; ", n, n);
  gen_told (loop);
  put ("upct_gasp_sampled (); } ");
  if (s->sampled->is_left)
    put ("if (upct_iterations_left < 0) upct_gasp_sampled (); ");
  put ("}");
}
