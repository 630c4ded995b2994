/* Pointer induction: loops whose induction variable is a pointer-to-shared:

       upc_forall (p = a; p < a + n; p++; p)      for (p = a; p < a + n; p++)

   A thread goes from block to block, in the first form from one that it owns to the next.
   Within a block the elements are contiguous, so that a step needs no layout arithmetic. */

#include "tools/upc2c/write/internal.h"

/* How many steps it is to the end, as a long. */
static void
put_trip_count (struct loop *loop)
{
  put ("__upc_difference (");
  gen_argument (loop->bound);
  putf (", %s", c_name (loop->induction));
  put_layout (loop->induction->type->base);
  put (loop->relation == TOKEN_LESS_EQUAL ? " + 1" : "");
}

static void
put_owned_runs (struct loop *loop)
{
  int n = loop->number;
  const struct type *element = loop->induction->type->base;
  const char *p = c_name (loop->induction);
  unsigned long bytes = type_size (element).value;

  putf (" { const __upc_pts __upc_first%d = %s; const long __upc_end%d = ", n, p, n);
  put_trip_count (loop);
  put ("; ");
  putf (
      "__upc_owned __upc_owned%d = __upc_owned_begin (__upc_end%d > 0 ? (unsigned long) __upc_end%d : 0, "
      "__upc_position (%s, %u), %u, __upc_outer%d); unsigned long __upc_k%d; ",
      n, n, n, p, block_of (element), block_of (element), n, n);
  putf ("for (; __upc_owned%d.__at < __upc_owned%d.__end; __upc_owned_next (&__upc_owned%d, %u)) { "
        "const __upc_pts __upc_run%d = __upc_add (__upc_first%d, (long) __upc_owned%d.__at",
        n, n, n, block_of (element), n, n, n);
  put_layout (element);
  putf (
      "; char *const __upc_base%d = (char *) __upc_address (__upc_run%d); for (__upc_k%d = 0; __upc_k%d < __upc_owned%d.__count; __upc_k%d++) { "
      "%s = __upc_shift (__upc_run%d, (long) __upc_k%d * %lu, 0, %s); ",
      n, n, n, n, n, n, p, n, n, bytes,
      block_of (element) == 1 ? "0" : arena_format ("(long) __upc_k%d", n));
  gen_stmt (loop->stmt->then);
  putf (" } } %s = __upc_add (__upc_first%d, (long) __upc_owned%d.__end", p, n, n);
  put_layout (element);
  put ("; ");
}

void
gen_pointer_forall (struct loop *loop)
{
  putf ("{ const int __upc_outer%d = __upc_depth++; ", loop->number);
  put_initialisation (loop->stmt);
  put_owned_runs (loop);
  putf ("} __upc_depth = __upc_outer%d; }", loop->number);
}

/* The loop over what is left of a block; then the pointer is set to the next one. */
static void
put_block_loop (struct loop *loop)
{
  int n = loop->number;
  const struct type *element = loop->induction->type->base;
  const char *p = c_name (loop->induction);

  putf (
      "__upc_left%d = __upc_todo%d; __upc_from%d = %s; __upc_at%d = __upc_strip_index (%s, 0, 1, &__upc_left%d",
      n, n, n, p, n, p, n);
  put_layout (element);
  putf (
      "; for (__upc_n%d = 0; __upc_n%d < __upc_left%d; __upc_n%d++, %s = __upc_shift (%s, %lu, 0, 1)) { ",
      n, n, n, n, p, p, (unsigned long) type_size (element).value);
  gen_stmt (loop->stmt->then);
  putf (" } if (__upc_n%d < __upc_left%d) break; %s = __upc_add (__upc_from%d, (long) __upc_left%d",
        n, n, p, n, n);
  put_layout (element);
  put ("; ");
}

void
gen_pointer_loop (struct loop *loop)
{
  struct stmt *s = loop->stmt;
  int n = loop->number;

  open_at (s->first);
  putf (
      "{ unsigned long __upc_todo%d, __upc_left%d, __upc_n%d; char *__upc_at%d; __upc_pts __upc_from%d; ",
      n, n, n, n, n);
  put_initialisation (s);
  putf ("for (__upc_todo%d = (", n);
  gen_expr (s->expr);
  put (") ? (unsigned long) (");
  put_trip_count (loop);
  putf (") : 0; __upc_todo%d; __upc_todo%d -= __upc_left%d) { ", n, n, n);
  put_block_loop (loop);
  put ("} }");
  close_at (s->last);
}
