/* What only lower/ uses. */

#ifndef UPC2C_LOWER_INTERNAL_H
#define UPC2C_LOWER_INTERNAL_H

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/lower/lower.h"

/* A factor of the induction variable that is no constant. */
#define UNKNOWN_FACTOR INT64_MIN

/* lvalue.c */

/* The element that E, an expression, accesses itself; or NULL. */
struct expr *accessed_element (struct expr *e);

/* invariant.c */

bool is_name_of (struct expr *e, struct decl *decl);
/* Whether D is a variable, of whatever duration, or a parameter. */
bool is_variable (const struct decl *d);
/* Whether D, a private variable, keeps its value while the body of LOOP runs. */
bool is_unchanged (struct decl *d, struct stmt *loop);
/* Whether E has the same value in all iterations, and no side effects. */
bool is_loop_invariant (struct expr *e, struct iteration_set *s);

/* affine.c */

bool is_induction (struct expr *e, struct iteration_set *s);
/* E as FACTOR * induction variable + a loop-invariant; false if it is not affine. */
bool is_affine (struct expr *e, struct iteration_set *s, int64_t *factor);
/* Sums and negatives of factors, of which any may be UNKNOWN_FACTOR. */
int64_t plus_factor (int64_t a, int64_t b);
int64_t minus_factor (int64_t a);

/* loop_header.c */

/* The relation with its sides exchanged. */
int mirrored (int relation);
/* Whether only the loop's step changes the induction variable. */
bool is_valid_induction (struct iteration_set *s);
/* Fills in the induction variable and its step; the bound; all three. False if the loop has
   no induction variable. */
bool find_induction (struct iteration_set *s);
bool find_bound (struct iteration_set *s);
bool find_header (struct iteration_set *s);
/* Whether S, whose bound may be NULL, has constants for the first and the last value of its
   induction variable. */
bool find_range (struct iteration_set *s, int64_t *first, int64_t *last);

/* affinity.c: fills in S, whose loop and single_valued are set; false where the affinity is no
   affine expression of an induction variable, or not single-valued to that degree. */
bool find_position (struct iteration_set *s);

/* owned_set.c: whether L is the element of a static array whose affinity controls S, or lies
   like it in another array. */
bool is_own_element (struct expr *l, struct iteration_set *s);

/* distance.c */

/* Whether A and B are the same expression of the same variables. */
bool are_same_expr (struct expr *a, struct expr *b);
/* Whether two elements are the same by their names and indexes. */
bool is_same_element (struct expr *a, struct expr *b);

/* linear.c */

uint64_t common_divisor (uint64_t a, uint64_t b);
/* Whether E, a name, means the same before the loop: it is not one of its body. */
bool is_outer_name (const struct expr *e, const struct iteration_set *s);

/* control_flow.c */

/* Whether S has a break of its own loop, not of one inside. */
bool has_break (struct stmt *s);
/* Whether control may come into S otherwise than from above. IS_IN_SWITCH: S is in a switch
   that is looked at as a whole. */
bool has_entry (struct stmt *s, bool is_in_switch);
/* Whether the function that is being written has pragmas but UPC's: they may want the loop
   behind them as it is. */
bool has_pragmas (void);
/* Calls ASK for the expressions of S but for those in loops of its own, which have strips
   of their own. */
bool any_outside_loops (struct stmt *s, expr_question *ask, void *data);

/* reference.c */

/* Adds L to STRIP if it knows where L is; false if not. */
bool add_reference (struct strip *strip, struct expr *l);
/* A question: whether E accesses an element of an array in blocks. */
bool is_blocked_element (struct expr *e, void *nothing);

/* known.c */

/* The reference of STRIP to element L, or NULL. */
struct reference *reference_to (struct strip *strip, struct expr *l);
/* Whether STRIP knows the address of element L and its constant stride. */
bool is_in_strip (struct strip *strip, struct expr *l);
/* The stride of L, which is in STRIP, in elements. */
int64_t stride_in_strip (struct strip *strip, struct expr *l);
/* Whether elements of STRIP move by blocks. */
bool has_block_strides (struct strip *strip);

/* hoist.c */

/* Adds to STRIP the elements that loops in S access, or else their rows. */
void note_hoisted_bases (struct strip *strip, struct stmt *s);
/* Whether STRIP hoists the base address of a row that L is in. */
bool has_hoisted_base (struct strip *strip, struct expr *l);

/* strip.c */

/* For the names of a strip's variables. */
int new_strip_number (void);

#endif
