/* What lower_position.c asks to find the share of a loop. */

#ifndef UPC2C_AFFINE_H
#define UPC2C_AFFINE_H

#include "tools/upc2c/share.h"

/* lower_steady.c */

bool is_name_of (struct expr *e, struct decl *decl);
/* Whether D is a variable, of whatever duration, or a parameter. */
bool is_variable (const struct decl *d);
/* Whether D, a private variable, keeps its value while the body of LOOP runs. */
bool is_fixed (struct decl *d, struct stmt *loop);
/* Whether E has the same value in all iterations, and no side effects. */
bool is_steady (struct expr *e, struct share *s);

/* lower_affine.c */

bool is_counter (struct expr *e, struct share *s);
/* E as FACTOR * counter + what does not change in the loop; false if it is not such. */
bool is_affine (struct expr *e, struct share *s, int64_t *factor);
/* Sums and negatives of factors, of which any may be UNKNOWN_FACTOR. */
int64_t plus_factor (int64_t a, int64_t b);
int64_t minus_factor (int64_t a);

/* lower_clauses.c */

/* The relation with its sides exchanged. */
int mirrored (int relation);
/* Whether nothing in the loop but its step changes the counter. */
bool is_good_counter (struct share *s);
/* Fills in the counter and its step; the condition; all three. False if the loop is no counting one. */
bool find_counter (struct share *s);
bool find_bound (struct share *s);
bool find_clauses (struct share *s);

/* lower_share.c */

/* Whether S has a break of its own loop, not of one inside. */
bool has_break (struct stmt *s);
void put_initialisation (struct stmt *loop);
/* How many iterations S has, of all threads, seen from the first. */
void put_count (struct share *s);

#endif
