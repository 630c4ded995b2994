/* What only lower/ uses. */

#ifndef UPC2C_LOWER_INTERNAL_H
#define UPC2C_LOWER_INTERNAL_H

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/lower/lower.h"

/* Known factor of the counter, or any other. */
#define UNKNOWN_FACTOR INT64_MIN

/* lvalue.c */

/* The element that E, an expression, accesses itself; or NULL. */
struct expr *accessed_element (struct expr *e);

/* invariant.c */

bool is_name_of (struct expr *e, struct decl *decl);
/* Whether D is a variable, of whatever duration, or a parameter. */
bool is_variable (const struct decl *d);
/* Whether D, a private variable, keeps its value while the body of LOOP runs. */
bool is_fixed (struct decl *d, struct stmt *loop);
/* Whether E has the same value in all iterations, and no side effects. */
bool is_steady (struct expr *e, struct share *s);

/* affine.c */

bool is_counter (struct expr *e, struct share *s);
/* E as FACTOR * counter + what does not change in the loop; false if it is not such. */
bool is_affine (struct expr *e, struct share *s, int64_t *factor);
/* Sums and negatives of factors, of which any may be UNKNOWN_FACTOR. */
int64_t plus_factor (int64_t a, int64_t b);
int64_t minus_factor (int64_t a);

/* loop_header.c */

/* The relation with its sides exchanged. */
int mirrored (int relation);
/* Whether nothing in the loop but its step changes the counter. */
bool is_good_counter (struct share *s);
/* Fills in the counter and its step; the condition; all three. False if the loop is no counting one. */
bool find_counter (struct share *s);
bool find_bound (struct share *s);
bool find_clauses (struct share *s);
/* Whether S, whose bound may be NULL, has constants for the first and the last value of its
   counter. */
bool find_range (struct share *s, int64_t *first, int64_t *last);

/* affinity.c: fills in a share for LOOP, whose loop and sureness are set; false where affinity is no
   affine expression of a counter, or not as sure as that. */
bool find_position (struct share *s);

/* owned_set.c: whether L is the element of a static array whose affinity controls S, or lies
   like it in another array. */
bool is_own_element (struct expr *l, struct share *s);

/* distance.c */

/* Whether A and B are the same expression of the same variables. */
bool are_equal (struct expr *a, struct expr *b);
/* Whether two elements are the same by their names and indexes. */
bool is_same_element (struct expr *a, struct expr *b);

/* linear.c */

uint64_t common_divisor (uint64_t a, uint64_t b);
/* Whether E, a name, means the same before the loop: it is not one of its body. */
bool is_outer_name (const struct expr *e, const struct share *s);

/* control_flow.c */

/* Whether S has a break of its own loop, not of one inside. */
bool has_break (struct stmt *s);
/* Whether control may come into S otherwise than from above. IS_IN_SWITCH: S is in a switch
   that is looked at as a whole. */
bool has_entry (struct stmt *s, bool is_in_switch);
/* Whether the function that is being written has pragmas but UPC's: they may want the loop
   behind them as it is. */
bool has_pragmas (void);
/* Calls ASK for the expressions of S but for those in loops of its own, which have spans
   of their own. */
bool any_outside_loops (struct stmt *s, expr_question *ask, void *data);

/* reference.c */

/* The reference of SPAN to element L, or NULL. */
struct reference *reference_to (struct span *span, struct expr *l);
/* Whether SPAN knows where element L is, and that it moves evenly. */
bool is_in_span (struct span *span, struct expr *l);
/* By how many elements L, which is in SPAN, moves from one iteration to the next. */
int64_t span_step (struct span *span, struct expr *l);
/* Adds L to SPAN if it knows where L is; false if not. */
bool add_reference (struct span *span, struct expr *l);
/* Questions: whether E accesses an element of an array in blocks; adds to a struct
   span the element that E accesses, and is false. */
bool is_blocked_element (struct expr *e, void *nothing);
bool note_reference (struct expr *e, void *span);

/* row.c */

/* Adds to SPAN the elements that loops in S access, or else their rows. */
void note_rows (struct span *span, struct stmt *s);
/* Whether SPAN has a row that L is in. */
bool has_row (struct span *span, struct expr *l);

/* strip.c */

/* For the names of a span's variables. */
int new_span_number (void);
/* Whether elements of SPAN move by blocks. */
bool goes_across (struct span *span);

#endif
