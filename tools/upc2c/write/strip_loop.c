/* Strip-mining. Elements whose indexes are linear forms of a loop's induction variable stay in
   a block for some iterations, where they have a constant stride in memory: a strip of the
   loop. So

       for (i = lo; i < n; i++) s += a[i - 1] * a[i + 1];

   becomes two loops, of which the inner one needs no layout arithmetic:

       { unsigned long __upc_todo1, __upc_left1, __upc_n1; char *__upc_at1_1, *__upc_at1_2;
         i = lo;
         for (__upc_todo1 = n - lo; __upc_todo1; __upc_todo1 -= __upc_left1)
           { __upc_left1 = __upc_todo1;
             __upc_at1_1 = __upc_strip_element (a, i - 1, …, &__upc_left1, …); …
             for (__upc_n1 = 0; __upc_n1 < __upc_left1; i++, __upc_n1++)
               s += *(int *) (__upc_at1_1 + __upc_n1 * 4) * …;
             if (__upc_n1 < __upc_left1) break; } }

   Only the loop's own step changes the induction variable. Where the bound is not known
   beforehand, the inner loop tests the condition, and the outer one continues until it fails.
   Addresses may be computed of elements that the body does not reach: that has no effect. */

#include "tools/upc2c/write/internal.h"

/* Independent iterations: the induction variable is computed from the iteration's number. */
static void
put_simd_loop (struct strip *strip)
{
  struct iteration_set *s = strip->set;
  int n = strip->number;
  const char *variable = c_name (s->induction), *type = plain_type (s->induction->type);
  char sign = s->is_down ? '-' : '+';
  unsigned long step = (unsigned long) s->step_value;

  put_strip_start (strip);
  putf ("__upc_from%d = (unsigned long) %s;", n, variable);
  enter_strip (strip);
  putf ("__upc_n%d = 0; ", n);
  if (!put_whole_copy (s, strip, arena_format ("__upc_left%d", n)))
    {
      put_line ("#pragma omp simd");
      putf (
          "for (__upc_n%d = 0; __upc_n%d < __upc_left%d; __upc_n%d++) { %s = (%s) (__upc_from%d %c __upc_n%d * %lu); ",
          n, n, n, n, variable, type, n, sign, n, step);
      gen_stmt (s->loop->then);
      put (" } ");
    }
  leave_strip (strip);
  putf ("__upc_n%d = __upc_left%d; %s = (%s) (__upc_from%d %c __upc_left%d * %lu); ", n, n,
        variable, type, n, sign, n, step);
}

static void
put_plain_loop (struct strip *strip)
{
  struct stmt *loop = strip->set->loop;
  int n = strip->number;

  put_strip_start (strip);
  putf ("for (__upc_n%d = 0; __upc_n%d < __upc_left%d", n, n, n);
  enter_strip (strip);
  if (!strip->is_counted && loop->expr)
    {
      put (" && (");
      gen_expr (loop->expr);
      put (")");
    }
  put ("; ");
  gen_expr (loop->step);
  putf (", __upc_n%d++", n);
  put_strip_step (strip);
  put (") { ");
  put_strip_iteration (strip);
  gen_stmt (loop->then);
  put (" } ");
  leave_strip (strip);
}

static void
put_inner_loop (struct strip *strip)
{
  if (is_vectorizable (strip))
    put_simd_loop (strip);
  else
    put_plain_loop (strip);
}

static void
put_outer_loop (struct strip *strip)
{
  int n = strip->number;

  if (!strip->is_counted)
    {
      putf ("for (;;) { __upc_left%d = ~0ul >> 1; ", n);
      put_inner_loop (strip);
      putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
      return;
    }
  if (all_stay (strip))
    {
      putf ("__upc_left%d = ", n);
      put_count (strip->set);
      put ("; ");
      put_inner_loop (strip);
      return;
    }
  putf ("for (__upc_todo%d = ", n);
  put_count (strip->set);
  putf ("; __upc_todo%d; __upc_todo%d -= __upc_left%d) { __upc_left%d = __upc_todo%d; ", n, n, n, n,
        n);
  put_inner_loop (strip);
  putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
}

bool
gen_strip_loop (struct stmt *loop)
{
  struct strip *strip = find_strips (loop);

  if (!strip)
    return false;
  open_at (loop->first);
  put ("{ ");
  put_strip_variables (strip);
  putf ("unsigned long __upc_n%d; ", strip->number);
  if (is_vectorizable (strip))
    putf ("unsigned long __upc_from%d; ", strip->number);
  if (strip->is_counted && !all_stay (strip))
    putf ("unsigned long __upc_todo%d; ", strip->number);
  put_initialisation (loop);
  put_outer_loop (strip);
  put ("}");
  close_at (loop->last);
  return true;
}
