/* Rows that stay in windows while an outer loop runs (plan/kept_rows.c, include/upct/window.h):

       char memory[3 * …]; __upc_kept_rows rows; __upc_kept_rows_begin (&rows, memory, 3, …);
       for (i = 1; i < n - 1; i++)
         …
             const int are_there = __upc_kept_rows_are_there (&rows, 3, i);
             … if (are_there) base1 = rows.__row[0] + …; else __upc_window_get4_8 (window1, …);
             …
             if (i + 4 <= n - 1 && end <= …)
               { __upc_kept_rows_go_on (&rows, 3, i); __upc_window_get4_8 (rows.__row[2], …); }

   A row is copied one iteration before it is read, as processors cannot load at once from several stores
   that are still on their way to the cache. */

#include "tools/upc2c/write/internal.h"

static unsigned long
bytes_of (const struct window *w)
{
  return element_bytes (w->first);
}

static int
count_rows (const struct kept_rows *rows)
{
  return rows->last_row - rows->first_row + 1;
}

static const char *
name_of (const struct kept_rows *rows)
{
  return arena_format ("__upc_rows%d_%d", rows->number, rows->window);
}

void
put_kept_rows (const struct loop *around)
{
  for (const struct kept_rows *rows = around->kept_rows; rows; rows = rows->next)
    {
      int count = count_rows (rows);

      putf ("char %s_memory[%d] __attribute__ ((aligned (64))); __upc_kept_rows %s; ",
            name_of (rows), count * KEPT_ROW_BYTES, name_of (rows));
      putf ("__upc_kept_rows_begin (&%s, %s_memory, %d, %d); ", name_of (rows), name_of (rows),
            count, KEPT_ROW_BYTES);
    }
}

/* The window that is at the row that comes. */
static struct window *
last_window (const struct loop *loop, const struct kept_rows *rows)
{
  struct window *w = loop->windows;

  while (w->kept != rows || w->row != rows->last_row)
    w = w->next;
  return w;
}

/* Whether another row comes, for all that it will be: those iterations come, too. */
static void
put_is_coming (const struct loop *loop, const struct kept_rows *rows, const struct window *w)
{
  const struct loop *around = rows->around;
  long most = KEPT_ROW_BYTES / (long) bytes_of (w)
              - (long) (rows->last_column - rows->first_column);

  putf ("(long) %s + %d <= (long) (", c_name (around->induction),
        count_rows (rows) + (around->relation == '<' ? 1 : 0));
  gen_expr (around->bound);
  putf (") && __upc_end%d <= %ldul", loop->number, most);
  if (rows->needs_question)
    putf (" && __upc_is_apart%d", loop->asked->number);
}

/* The first of the rows that LOOP keeps, or that are behind ROWS. */
static const struct kept_rows *
kept_by (const struct loop *loop, const struct kept_rows *rows)
{
  while (rows && rows->number != loop->number)
    rows = rows->next;
  return rows;
}

const struct kept_rows *
first_kept (const struct loop *loop)
{
  return loop->around ? kept_by (loop, loop->around->kept_rows) : NULL;
}

void
put_rows_there (const struct loop *loop)
{
  for (const struct kept_rows *rows = first_kept (loop); rows; rows = kept_by (loop, rows->next))
    putf ("const int %s_are_there = __upc_kept_rows_are_there (&%s, %d, (long) %s); ",
          name_of (rows), name_of (rows), count_rows (rows), c_name (rows->around->induction));
}

/* Copies the row that comes. */
static void
put_row_that_comes (struct loop *loop, const struct kept_rows *rows, const struct window *w)
{
  const struct window_copy copy = {
    .reference = w->first,
    .shift = arena_format (" + %ldl", (long) (rows->first_column - w->column)),
    .count = arena_format ("__upc_end%d + %ld", loop->number,
                           (long) (rows->last_column - rows->first_column)),
    .copy = arena_format ("%s.__row[%d]", name_of (rows), count_rows (rows) - 1),
  };

  put_window_copy (loop, &copy);
}

void
put_rows_that_come (struct loop *loop, const char *first)
{
  for (const struct kept_rows *rows = first_kept (loop); rows; rows = kept_by (loop, rows->next))
    {
      struct window *w = last_window (loop, rows);
      const char *row = c_name (rows->around->induction);

      put ("if (");
      put_is_coming (loop, rows, w);
      putf (") { __upc_kept_rows_go_on (&%s, %d, (long) %s); ", name_of (rows), count_rows (rows),
            row);
      putf ("%s; %s++; ", first, row);
      put_row_that_comes (loop, rows, w);
      putf ("%s--; } ", row);
    }
}

void
open_kept_window (const struct loop *loop, const struct window *w)
{
  const struct kept_rows *rows = w->kept;

  putf ("if (%s_are_there) __upc_base%d_%d = %s.__row[%d] + (__upc_done%d + %ld) * %lu; else ",
        name_of (rows), loop->number, w->number, name_of (rows), w->row - rows->first_row,
        loop->number, (long) (w->column - rows->first_column), bytes_of (w));
}
