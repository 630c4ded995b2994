/* Loops over blocks. Elements whose indexes are linear forms of a loop's counter stay in
   a block for a while, where they lie evenly in memory: a span of the loop. So

       for (i = lo; i < n; i++) s += a[i - 1] * a[i + 1];

   becomes two loops, of which the inner one does no arithmetic of layouts:

       { unsigned long __upc_todo1, __upc_left1, __upc_n1; char *__upc_at1_1, *__upc_at1_2;
         i = lo;
         for (__upc_todo1 = n - lo; __upc_todo1; __upc_todo1 -= __upc_left1)
           { __upc_left1 = __upc_todo1;
             __upc_at1_1 = __upc_strip_element (a, i - 1, …, &__upc_left1, …); …
             for (__upc_n1 = 0; __upc_n1 < __upc_left1; i++, __upc_n1++)
               s += *(int *) (__upc_at1_1 + __upc_n1 * 4) * …;
             if (__upc_n1 < __upc_left1) break; } }

   The counter is changed by the loop's own step only. Where the bound is not known
   beforehand, the inner loop asks for it, and the outer one goes on until it has said no.
   Addresses are computed of elements that the body may not get to: that has no effect. */

#include "tools/upc2c/write/internal.h"

/* Iterations side by side: the counter is what each makes of its number. */
static void
put_simd_loop (struct span *span)
{
  struct share *s = span->share;
  int n = span->number;
  const char *counter = c_name (s->counter), *type = plain_type (s->counter->type);
  char sign = s->is_down ? '-' : '+';
  unsigned long step = (unsigned long) s->step_value;

  put_span_start (span);
  putf ("__upc_from%d = (unsigned long) %s;", n, counter);
  enter_span (span);
  putf ("__upc_n%d = 0; ", n);
  if (!put_whole_copy (s, span, arena_format ("__upc_left%d", n)))
    {
      put_line ("#pragma omp simd");
      putf ("for (__upc_n%d = 0; __upc_n%d < __upc_left%d; __upc_n%d++) { %s = (%s) (__upc_from%d %c __upc_n%d * %lu); ",
            n, n, n, n, counter, type, n, sign, n, step);
      gen_stmt (s->loop->then);
      put (" } ");
    }
  leave_span (span);
  putf ("__upc_n%d = __upc_left%d; %s = (%s) (__upc_from%d %c __upc_left%d * %lu); ", n, n, counter, type, n, sign, n, step);
}

static void
put_plain_loop (struct span *span)
{
  struct stmt *loop = span->share->loop;
  int n = span->number;

  put_span_start (span);
  putf ("for (__upc_n%d = 0; __upc_n%d < __upc_left%d", n, n, n);
  enter_span (span);
  if (!span->is_counted && loop->expr)
    {
      put (" && (");
      gen_expr (loop->expr);
      put (")");
    }
  put ("; ");
  gen_expr (loop->step);
  putf (", __upc_n%d++", n);
  put_span_step (span);
  put (") { ");
  put_span_iteration (span);
  gen_stmt (loop->then);
  put (" } ");
  leave_span (span);
}

static void
put_inner_loop (struct span *span)
{
  if (is_side_by_side (span))
    put_simd_loop (span);
  else
    put_plain_loop (span);
}

static void
put_outer_loop (struct span *span)
{
  int n = span->number;

  if (!span->is_counted)
    {
      putf ("for (;;) { __upc_left%d = ~0ul >> 1; ", n);
      put_inner_loop (span);
      putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
      return;
    }
  if (all_stay (span))
    {
      putf ("__upc_left%d = ", n);
      put_count (span->share);
      put ("; ");
      put_inner_loop (span);
      return;
    }
  putf ("for (__upc_todo%d = ", n);
  put_count (span->share);
  putf ("; __upc_todo%d; __upc_todo%d -= __upc_left%d) { __upc_left%d = __upc_todo%d; ", n, n, n, n, n);
  put_inner_loop (span);
  putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
}

bool
gen_span (struct stmt *loop)
{
  struct span *span = find_span (loop);

  if (!span)
    return false;
  open_at (loop->first);
  put ("{ ");
  put_span_variables (span);
  putf ("unsigned long __upc_n%d; ", span->number);
  if (is_side_by_side (span))
    putf ("unsigned long __upc_from%d; ", span->number);
  if (span->is_counted && !all_stay (span))
    putf ("unsigned long __upc_todo%d; ", span->number);
  put_initialisation (loop);
  put_outer_loop (span);
  put ("}");
  close_at (loop->last);
  return true;
}
