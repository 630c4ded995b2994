/* The layout as text: a line for each thread, with its blocks; of an array of arrays a line for each row, with
   the thread of each element. */

#include "tools/layout/layout.h"

#include <inttypes.h>
#include <string.h>

enum
{
  WIDTH = 100, /* of a line */
  LINES = 64   /* at most, of rows */
};

uint64_t
elements_of (const struct layout *layout, uint64_t thread)
{
  uint64_t round, rest, before;

  if (!layout->block)
    return thread == 0 ? layout->count : 0;
  round = layout->block * layout->threads;
  rest = layout->count % round;
  before = thread * layout->block;
  return layout->count / round * layout->block
         + (rest <= before                  ? 0
            : rest - before < layout->block ? rest - before
                                            : layout->block);
}

int
digits (uint64_t number)
{
  return (int) strlen (arena_format ("%" PRIu64, number));
}

static void
draw_summary (FILE *out, const struct layout *layout)
{
  uint64_t first = elements_of (layout, 0), last = elements_of (layout, layout->threads - 1);

  fprintf (out, "%s, THREADS %" PRIu64 ": %" PRIu64 " x %" PRIu64 " bytes, ", layout->declaration,
           layout->threads, layout->count, layout->bytes);
  if (layout->block)
    fprintf (out, "blocks of %" PRIu64, layout->block);
  else
    fputs ("one block", out);
  if (first == last)
    fprintf (out, ", %" PRIu64 " bytes a thread\n", first * layout->bytes);
  else
    fprintf (out, ", %" PRIu64 " to %" PRIu64 " bytes a thread\n", last * layout->bytes,
             first * layout->bytes);
}

/* Its elements by their numbers, a bar before each block. */
static void
draw_thread (FILE *out, const struct layout *layout, uint64_t thread)
{
  int width = digits (layout->count - 1), used;
  uint64_t block = layout->block ? layout->block : layout->count;
  uint64_t left = elements_of (layout, thread), element = thread * block;

  used = fprintf (out, "  thread %*" PRIu64, digits (layout->threads - 1), thread);
  for (; left; left--, element++)
    {
      const char *bar = element % block == 0 ? " |" : "";

      /* Behind all but the last one dots may follow. */
      if (used + (int) strlen (bar) + 1 + width + (left > 1 ? 4 : 0) > WIDTH)
        break;
      used += fprintf (out, "%s %*" PRIu64, bar, width, element);
      if (element % block == block - 1)
        element += block * (layout->threads - 1);
    }
  fputs (left ? " ...\n" : "\n", out);
}

static void
draw_row (FILE *out, const struct layout *layout, uint64_t row)
{
  int width = digits (layout->threads - 1);
  int used = fprintf (out, "  row %*" PRIu64 " |", digits (layout->count / layout->columns - 1),
                      row);
  uint64_t column = 0;

  for (; column < layout->columns && used + 1 + width + 4 <= WIDTH; column++)
    used += fprintf (out, " %*" PRIu64, width, thread_of (layout, row * layout->columns + column));
  fputs (column < layout->columns ? " ...\n" : "\n", out);
}

void
draw_text (FILE *out, const struct layout *layout)
{
  uint64_t lines = layout->columns ? layout->count / layout->columns : layout->threads;

  draw_summary (out, layout);
  for (uint64_t i = 0; i < lines && i < LINES; i++)
    if (layout->columns)
      draw_row (out, layout, i);
    else
      draw_thread (out, layout, i);
  if (lines > LINES)
    fputs ("  ...\n", out);
}
