/* What lower_reference.c finds in loops and lower_span.c writes. */

#ifndef UPC2C_SPAN_H
#define UPC2C_SPAN_H

#include "tools/upc2c/linear.h"
#include "tools/upc2c/visit.h"

/* An element, or several with the same index. */
struct reference
{
  struct expr *l;        /* EXPR_INDEX */
  struct expr *root;     /* EXPR_NAME: a static array, or a pointer */
  int64_t step;          /* ultimate elements from one iteration to the next */
  bool stays;            /* in one block, in all iterations */
  int number;
  struct reference *next;
};

struct span
{
  struct share *share;
  struct reference *references;
  int count, number;
  bool is_counted;       /* a loop of C whose iterations are known beforehand */
  const char *iteration; /* the variable that counts those of the span */
  struct span *outer;
};

/* Whether R is found by a pointer, not in a static array. */
bool is_pointer (const struct reference *r);
/* The reference of SPAN to element L, or NULL. */
struct reference *reference_to (struct span *span, struct expr *l);
/* Calls ASK for the expressions of S but for those in loops of its own, which have spans
   of their own. */
bool any_outside_loops (struct stmt *s, expr_question *ask, void *data);
/* Questions for that: whether E accesses an element of an array in blocks; adds to a struct
   span the element that E accesses, and is false. */
bool is_blocked_element (struct expr *e, void *nothing);
bool note_reference (struct expr *e, void *span);

#endif
