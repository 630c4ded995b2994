/* upc-layout draws which thread has which element of a shared array. Needs tools/upc2c's lex, ast and parse. */

#ifndef UPC_LAYOUT_H
#define UPC_LAYOUT_H

#include "tools/upc2c/ast/ast.h"

/* A shared object, as elements in blocks that go round the threads. */
struct layout
{
  const char *declaration; /* shared [3] int a[12*THREADS] */
  uint64_t count, bytes;   /* elements, and the size of each */
  uint64_t block;          /* elements in one; 0: all are in one */
  uint64_t columns; /* of an array of arrays: how many elements the innermost one has; else 0 */
  uint64_t threads;
};

static inline uint64_t
thread_of (const struct layout *layout, uint64_t element)
{
  return layout->block ? element / layout->block % layout->threads : 0;
}

/* How many elements THREAD has. */
uint64_t elements_of (const struct layout *layout, uint64_t thread);

/* text.c, svg.c */
int digits (uint64_t number);
void draw_text (FILE *out, const struct layout *layout);
/* Ends the run if an object is too large for draw_svg. */
void check_picture (const struct layout *layouts, uint32_t count);
void draw_svg (FILE *out, const struct layout *layouts, uint32_t count);

#endif
