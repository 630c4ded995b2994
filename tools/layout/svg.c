/* The layout as a picture: a square for each element, in the color of its thread. */

#include "tools/layout/layout.h"

#include <inttypes.h>

enum
{
  SIDE = 28,     /* of a square */
  DIGIT = 7,     /* the width of one */
  MARGIN = 16,   /* around all */
  HEADING = 26,  /* above each object */
  IN_A_ROW = 32, /* squares, where the array has no rows of its own */
  LEGEND = 24,   /* threads whose colors are told */
  MOST = 4096    /* squares of an object */
};

/* Neighbouring threads differ by the golden angle, so that any few of them are told apart. Colors are light: the
   numbers on them are black. */
static void
draw_square (FILE *out, uint64_t thread, uint64_t number, uint64_t x, uint64_t y)
{
  fprintf (out,
           "<rect x=\"%" PRIu64 "\" y=\"%" PRIu64
           "\" width=\"%d\" height=\"%d\" fill=\"hsl(%" PRIu64 ",70%%,%d%%)\"/><text x=\"%" PRIu64
           "\" y=\"%" PRIu64 "\">%" PRIu64 "</text>",
           x, y, SIDE, SIDE, thread * 137508 / 1000 % 360, thread / 8 % 2 ? 68 : 78,
           x + SIDE / 2 - DIGIT * digits (number) / 2, y + SIDE / 2 + 4, number);
}

static void
draw_element (FILE *out, const struct layout *layout, uint64_t element, uint64_t x, uint64_t y)
{
  uint64_t thread = thread_of (layout, element);

  fprintf (out, "<g><title>element %" PRIu64 ": thread %" PRIu64 ", phase %" PRIu64 "</title>",
           element, thread, layout->block ? element % layout->block : element);
  draw_square (out, thread, element, x, y);
  fputs ("</g>\n", out);
}

static uint64_t
columns_of (const struct layout *layout)
{
  uint64_t columns = layout->columns;

  if (columns)
    return columns;
  /* Rows of whole blocks, if not too long. */
  columns = layout->block && layout->block <= IN_A_ROW ? IN_A_ROW / layout->block * layout->block
                                                       : IN_A_ROW;
  return layout->count < columns ? layout->count : columns;
}

static uint64_t
rows_of (const struct layout *layout)
{
  return (layout->count + columns_of (layout) - 1) / columns_of (layout);
}

/* An anonymous structure is `struct <…>`. */
static const char *
escaped (const char *words)
{
  const char *text = "";

  for (; *words; words++)
    text = *words == '<' ? arena_format ("%s&lt;", text) : arena_format ("%s%c", text, *words);
  return text;
}

static void
draw_words (FILE *out, const char *words, uint64_t y)
{
  fprintf (out, "<text class=\"words\" x=\"%d\" y=\"%" PRIu64 "\">%s</text>\n", MARGIN, y,
           escaped (words));
}

/* The colors of the first threads. */
static void
draw_legend (FILE *out, uint64_t threads, uint64_t y)
{
  draw_words (out, "threads", y + SIDE / 2 + 4);
  for (uint64_t i = 0; i < threads && i < LEGEND; i++)
    draw_square (out, i, i, MARGIN + 64 + i * SIDE, y);
  fputc ('\n', out);
}

/* Returns where the next object begins. */
static uint64_t
draw_object (FILE *out, const struct layout *layout, uint64_t top)
{
  uint64_t columns = columns_of (layout);

  draw_words (out, layout->declaration, top + HEADING - 10);
  top += HEADING;
  for (uint64_t i = 0; i < layout->count; i++)
    draw_element (out, layout, i, MARGIN + i % columns * SIDE, top + i / columns * SIDE);
  return top + rows_of (layout) * SIDE + MARGIN;
}

void
check_picture (const struct layout *layouts, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (layouts[i].count > MOST)
      fail ("'%s': too large to draw: %" PRIu64 " elements, at most %d", layouts[i].declaration,
            layouts[i].count, MOST);
}

void
draw_svg (FILE *out, const struct layout *layouts, uint32_t count)
{
  uint64_t width = 768, height = SIDE + 2 * MARGIN, y = height;

  for (uint32_t i = 0; i < count; i++)
    {
      uint64_t own = columns_of (&layouts[i]) * SIDE + 2 * MARGIN;

      width = own > width ? own : width;
      height += HEADING + rows_of (&layouts[i]) * SIDE + MARGIN;
    }
  fprintf (out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRIu64 " %" PRIu64
           "\" width=\"%" PRIu64 "\" height=\"%" PRIu64 "\">\n<style>text{font:11px monospace}"
           ".words{font:14px sans-serif}rect{stroke:#fff}</style>\n"
           "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
           width, height, width, height);
  draw_legend (out, layouts->threads, MARGIN);
  for (uint32_t i = 0; i < count; i++)
    y = draw_object (out, &layouts[i], y);
  fputs ("</svg>\n", out);
}
