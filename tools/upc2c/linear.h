/* Linear forms of a loop's counter, and the spans of a loop that follow from them. */

#ifndef UPC2C_LINEAR_H
#define UPC2C_LINEAR_H

#include "tools/upc2c/affine.h"

/* FACTOR * counter + CONSTANT + what the loop does not change, which is a multiple of
   DIVISOR (0: nothing is left). */
struct linear
{
  int64_t factor, constant;
  uint64_t divisor;
};

/* lower_linear.c */

/* E as a linear form whose parts have the same value in the whole loop, and may be
   evaluated before it, whatever they are. False if it is not known to be one. */
bool find_linear (struct expr *e, struct share *s, struct linear *form);
/* The same of an index that wraps around: a sum of type unsigned int in which the counter
   has a factor of 1 or -1. It is linear but for that. */
bool find_wrapping (struct expr *e, struct share *s, struct linear *form);
/* Writes E, of which find_linear was true, so that it means the same before the loop. */
void put_linear (struct expr *e);
uint64_t common_divisor (uint64_t a, uint64_t b);
/* Whether E, a name, means the same before the loop: it is not one of its body. */
bool is_outer_name (const struct expr *e, const struct share *s);

/* lower_share.c: whether L is the element of a static array whose affinity controls S, or lies
   like it in another array. */
bool is_own_element (struct expr *l, struct share *s);

/* lower_span.c */

struct span;

/* Spans of fewer iterations cost more than they save. */
enum { LEAST_SPAN = 4 };

/* For the names of a span's variables. */
int new_span_number (void);
/* The elements that the body of S, a upc_forall by blocks, accesses beside its own; NULL if
   there are none. */
struct span *find_own_span (struct share *s);
/* Declares the variables of a span; sets them where it begins with the present value of the
   counter. */
void put_span_variables (struct span *span);
void put_span_start (struct span *span);
/* Behind the loop's own step: what moves by blocks. Where an iteration begins: what is found
   anew there. */
void put_span_step (struct span *span);
void put_span_iteration (struct span *span);
/* Whether elements of SPAN move by blocks. */
bool goes_across (struct span *span);
/* What is written from here to there knows the elements of SPAN. */
void enter_span (struct span *span);
void leave_span (struct span *span);
int span_number (const struct span *span);

/* lower_reference.c */

/* Whether the iterations of S may be done in spans of consecutive ones. */
bool has_spans (const struct share *s);
/* Whether SPAN knows where element L is, and that it moves evenly. */
bool is_in_span (struct span *span, struct expr *l);
/* By how many elements L, which is in SPAN, moves from one iteration to the next. */
int64_t span_step (struct span *span, struct expr *l);
/* Whether two elements are the same by their names and indexes. */
bool is_same_element (struct expr *a, struct expr *b);
/* Whether control may come into S otherwise than from above. IS_IN_SWITCH: S is in a switch
   that is looked at as a whole. */
bool has_entry (struct stmt *s, bool is_in_switch);
/* Whether the function that is being written has pragmas but UPC's: they may want the loop
   behind them as it is. */
bool has_pragmas (void);

/* lower_simd.c: whether the body of S leaves open in which order its iterations run. SPAN, or
   NULL, is what is known of its elements. */
bool may_run_side_by_side (struct share *s, struct span *span);
/* Where the body of S only copies an array to another one: writes the copy of COUNT elements,
   of which the first is the present iteration's, and is true. */
bool put_whole_copy (struct share *s, struct span *span, const char *count);

#endif
