/* Loops through windows (plan/window.c, include/upct/window.h):

       if (end < … || __upc_windows_meet (…)) in their order
       else
         {
           char window1[…], window2[…];
           for (done = 0; done < end; done += left, i = first + done)
             {
               left = min (end - done, …);
               __upc_window_get4_8 (window1, b, i - 1, left + 2);
               at1 = window1; at2 = window1 + 2 * …; at3 = window2;
               for (k = 0; k < left; k++) …
               __upc_window_put4_8 (window2, a, i, left);
             }
         } */

#include "tools/upc2c/write/internal.h"

static unsigned long
bytes_of (const struct window *w)
{
  return element_bytes (w->first);
}

/* How far from its first reference a window begins, in which LOOP does COUNT iterations. */
static const char *
shift_of (const struct window *w, const char *count)
{
  return w->first->stride < 0 ? arena_format (" - (long) (%s - 1)", count) : "";
}

/* How many elements of W these iterations access. */
static const char *
elements (struct window *w, const char *count)
{
  return arena_format ("%s + %ld", count, (long) w->farthest);
}

static void
put_reach_of_window (struct loop *loop, struct window *w)
{
  const char *end = arena_format ("__upc_end%d", loop->number);

  put_window_reach (loop, w->first, shift_of (w, end), elements (w, end));
}

/* Whether it is left to the run time whether A and B have the same memory. */
static bool
may_meet (struct loop *loop, struct window *a, struct window *b)
{
  struct meeting *m = loop->meetings;

  while (m && !(m->a->window == a && m->b->window == b)
         && !(m->a->window == b && m->b->window == a))
    m = m->next;
  return m;
}

static void
put_meetings_with_fixed (struct loop *loop)
{
  for (struct meeting *m = loop->meetings; m; m = m->next)
    if (m->a->is_fixed)
      {
        put (" || __upc_windows_meet (");
        /* The block that has it. */
        put_window_reach (loop, m->a, "", "1");
        put (", ");
        put_reach_of_window (loop, m->b->window);
        put (")");
      }
}

void
put_window_meetings (struct loop *loop)
{
  put_meetings_with_fixed (loop);
  for (struct window *a = loop->windows; a; a = a->next)
    for (struct window *b = a->next; b; b = b->next)
      if (may_meet (loop, a, b))
        {
          put (" || __upc_windows_meet (");
          put_reach_of_window (loop, a);
          put (", ");
          put_reach_of_window (loop, b);
          put (")");
        }
}

static unsigned long
most_iterations (struct loop *loop)
{
  unsigned long bytes = 1;

  for (struct window *w = loop->windows; w; w = w->next)
    if (bytes_of (w) > bytes)
      bytes = bytes_of (w);
  return WINDOW_BYTES / bytes;
}

static void
put_copies (struct loop *loop)
{
  for (struct window *w = loop->windows; w; w = w->next)
    putf (
        "char __upc_window%d_%d[%lu] __attribute__ ((aligned (64))), *__upc_base%d_%d = __upc_window%d_%d; ",
        loop->number, w->number,
        (most_iterations (loop) + (unsigned long) w->farthest) * bytes_of (w), loop->number,
        w->number, loop->number, w->number);
}

static void
put_copy (struct loop *loop, struct window *w, bool is_back)
{
  const char *left = arena_format ("__upc_left%d", loop->number);
  const struct window_copy copy = { .reference = w->first,
                                    .shift = shift_of (w, left),
                                    .count = elements (w, left),
                                    .copy = arena_format ("__upc_window%d_%d", loop->number,
                                                          w->number),
                                    .is_back = is_back };

  put_window_copy (loop, &copy);
}

static void
put_window_starts (struct loop *loop)
{
  for (struct window *w = loop->windows; w; w = w->next)
    if (w->is_read)
      {
        if (w->kept)
          open_kept_window (loop, w);
        put_copy (loop, w, false);
      }
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->window)
      {
        putf ("__upc_at%d_%d = __upc_base%d_%d + ", loop->number, r->number, loop->number,
              r->window->number);
        if (r->stride < 0)
          putf ("(__upc_left%d - 1) * %lu + ", loop->number, bytes_of (r->window));
        putf ("%lu; ", (unsigned long) r->in_window * bytes_of (r->window));
      }
    else
      put_strip_reference (loop, r);
}

static void
put_window_ends (struct loop *loop, const char *first)
{
  bool is_first = true;

  for (struct window *w = loop->windows; w; w = w->next)
    if (w->is_written)
      {
        if (is_first)
          putf ("%s; ", first);
        is_first = false;
        put_copy (loop, w, true);
      }
}

void
gen_windowed (struct loop *loop)
{
  int n = loop->number;
  const char *done = arena_format ("__upc_done%d", n);

  put (" { ");
  put_first_and_end (loop);
  gen_in_order (loop);
  putf ("unsigned long __upc_done%d = 0, __upc_left%d, __upc_n%d; ", n, n, n);
  put_strip_variables (loop);
  put_copies (loop);
  put_rows_there (loop);
  putf ("for (; __upc_done%d < __upc_end%d; __upc_done%d += __upc_left%d, %s) { ", n, n, n, n,
        induction_at (loop, done));
  putf ("__upc_left%d = __upc_end%d - __upc_done%d; ", n, n, n);
  putf ("__upc_strip_limit (&__upc_left%d, %lu); ", n, most_iterations (loop));
  put_window_starts (loop);
  put_consecutive (loop, done, "0ul", arena_format ("__upc_left%d", n));
  gen_iteration (loop);
  put (" } } ");
  put_window_ends (loop, induction_at (loop, done));
  put ("} ");
  if (first_kept (loop))
    {
      put_rows_that_come (loop, induction_at (loop, "0ul"));
      putf ("%s; ", induction_at (loop, done));
    }
  put ("} } ");
}
