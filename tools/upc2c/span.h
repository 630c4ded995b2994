/* What lower_reference.c finds in loops and lower_span.c writes. */

#ifndef UPC2C_SPAN_H
#define UPC2C_SPAN_H

#include "tools/upc2c/linear.h"
#include "tools/upc2c/visit.h"

enum movement
{
  WITHIN_BLOCK, /* evenly in memory, for a while or always */
  ACROSS,       /* by whole blocks */
  ANEW          /* found in each iteration */
};

/* An element, or several with the same index; or a row of elements, an array that lies in one
   block, of which inner loops access elements. */
struct reference
{
  struct expr *l;        /* EXPR_INDEX */
  struct expr *root;     /* EXPR_NAME: a static array, or a pointer */
  enum movement movement;
  int64_t step;          /* ultimate elements from one iteration to the next */
  bool stays;            /* known in all iterations once it is in one */
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
  bool is_in_iteration;  /* what is found anew is: not yet in the loop's condition */
  struct span *outer;
};

/* Whether R is found by a pointer, not in a static array. */
bool is_pointer (const struct reference *r);
bool is_row (const struct reference *r);
/* Bytes of one element of R. */
uint64_t element_bytes (const struct reference *r);
/* Whether S, whose bound may be NULL, has constants for the first and the last value of its
   counter. */
bool find_range (struct share *s, int64_t *first, int64_t *last);
/* The reference of SPAN to element L, or NULL. */
struct reference *reference_to (struct span *span, struct expr *l);
/* Calls ASK for the expressions of S but for those in loops of its own, which have spans
   of their own. */
bool any_outside_loops (struct stmt *s, expr_question *ask, void *data);
/* Questions for that: whether E accesses an element of an array in blocks; adds to a struct
   span the element that E accesses, and is false. */
bool is_blocked_element (struct expr *e, void *nothing);
bool note_reference (struct expr *e, void *span);
/* The element that E, an expression, accesses itself; or NULL. */
struct expr *accessed_element (struct expr *e);
/* Adds L to SPAN if it knows where L is; false if not. */
bool add_reference (struct span *span, struct expr *l);

/* lower_row.c */

/* The row that L is in, of those that the loops around know. */
struct row
{
  struct expr *l;
  uint64_t count;   /* of elements */
  const char *at;   /* where it starts, a char * in C */
};
/* Adds to SPAN the elements that loops in S access, or else their rows. */
void note_rows (struct span *span, struct stmt *s);
/* Whether SPAN has a row that L is in. */
bool has_row (struct span *span, struct expr *l);
bool find_row (struct expr *l, struct row *row);
/* Whether the columns of L, an element in a row of COUNT, stay in it while S runs. */
bool stays_in_row (struct expr *l, const struct row *row, struct share *s);
/* The distance of L from the start of ROW, evaluated before the loop. */
void put_column (struct expr *l, const struct row *row);

/* lower_span.c */

struct span *new_span (struct share *s);
/* Where L is in the present iteration, a char *, if a loop around knows it; or NULL. */
const char *known_address (struct expr *l);

#endif
