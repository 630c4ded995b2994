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
put_simd_loop (struct loop *loop)
{
  int n = loop->number;
  const char *variable = c_name (loop->induction), *type = plain_type (loop->induction->type);
  char sign = loop->is_down ? '-' : '+';
  unsigned long step = (unsigned long) loop->step_value;

  put_strip_start (loop);
  putf ("__upc_from%d = (unsigned long) %s;", n, variable);
  putf ("__upc_n%d = 0; ", n);
  if (!put_whole_copy (loop, arena_format ("__upc_left%d", n)))
    {
      put_line ("#pragma omp simd");
      putf (
          "for (__upc_n%d = 0; __upc_n%d < __upc_left%d; __upc_n%d++) { %s = (%s) (__upc_from%d %c __upc_n%d * %lu); ",
          n, n, n, n, variable, type, n, sign, n, step);
      gen_stmt (loop->stmt->then);
      put (" } ");
    }
  putf ("__upc_n%d = __upc_left%d; %s = (%s) (__upc_from%d %c __upc_left%d * %lu); ", n, n,
        variable, type, n, sign, n, step);
}

static void
put_plain_loop (struct loop *loop)
{
  struct stmt *s = loop->stmt;
  int n = loop->number;

  put_strip_start (loop);
  putf ("for (__upc_n%d = 0; __upc_n%d < __upc_left%d", n, n, n);
  if (!loop->is_counted && s->expr)
    {
      put (" && (");
      gen_expr (s->expr);
      put (")");
    }
  put ("; ");
  gen_expr (s->step);
  putf (", __upc_n%d++", n);
  put_strip_step (loop);
  put (") { ");
  put_strip_iteration (loop);
  gen_stmt (s->then);
  put (" } ");
}

static void
put_inner_loop (struct loop *loop)
{
  if (loop->is_independent)
    put_simd_loop (loop);
  else
    put_plain_loop (loop);
}

static void
put_outer_loop (struct loop *loop)
{
  int n = loop->number;

  if (!loop->is_counted)
    {
      putf ("for (;;) { __upc_left%d = ~0ul >> 1; ", n);
      put_inner_loop (loop);
      putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
      return;
    }
  if (all_stay (loop))
    {
      putf ("__upc_left%d = ", n);
      put_count (loop);
      put ("; ");
      put_inner_loop (loop);
      return;
    }
  putf ("for (__upc_todo%d = ", n);
  put_count (loop);
  putf ("; __upc_todo%d; __upc_todo%d -= __upc_left%d) { __upc_left%d = __upc_todo%d; ", n, n, n, n,
        n);
  put_inner_loop (loop);
  putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
}

void
gen_strip_loop (struct loop *loop)
{
  struct stmt *s = loop->stmt;

  open_at (s->first);
  put ("{ ");
  put_strip_variables (loop);
  putf ("unsigned long __upc_n%d; ", loop->number);
  if (loop->is_independent)
    putf ("unsigned long __upc_from%d; ", loop->number);
  if (loop->is_counted && !all_stay (loop))
    putf ("unsigned long __upc_todo%d; ", loop->number);
  put_initialisation (s);
  put_outer_loop (loop);
  put ("}");
  close_at (s->last);
}
