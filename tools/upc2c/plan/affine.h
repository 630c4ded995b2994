/* Shared lvalues, and the affine forms of their indexes. Part of plan.h. */

#ifndef UPC2C_PLAN_AFFINE_H
#define UPC2C_PLAN_AFFINE_H

#include "tools/upc2c/ast/ast.h"

/* lvalue.c: the shape of shared lvalues. */

/* What the address of an element is computed from: an object, or what a pointer points to. If both
   are NULL, the element is inside something else. */
struct element
{
  struct expr *object; /* a name */
  struct expr *pointer;
};

/* E without parentheses. */
struct expr *strip_parens (struct expr *e);
/* Whether E is the name of the variable DECL. */
bool is_name_of (struct expr *e, void *decl);
struct element root_of (struct expr *l);
/* The element, pointer or name that L is or is a member of. */
struct expr *element_of (struct expr *l);
/* The smallest array around L that is a row of whole elements, as many to a block as fit: a[i] for
   a[i][j] in blocks of whole rows. NULL if there is none. */
struct expr *enclosing_row (struct expr *l);
/* The operands of an EXPR_INDEX. */
struct expr *pointer_of (struct expr *index);
struct expr *index_of (struct expr *index);
/* The array that L, an EXPR_INDEX, is an element of; NULL if a pointer leads to it. */
struct expr *array_of_element (struct expr *l);
/* Whether ARRAY has as many elements as its type says. */
bool has_known_extent (struct expr *array);
/* Whether L is inside a structure or another object in one piece: once that object is located, plain
   C locates L. */
bool is_inside (struct expr *l);

/* affine.c: affine forms, CONSTANT + the sum of FACTOR * SYMBOL. A symbol is an induction variable,
   or a loop-invariant expression. */

/* A factor that is not a constant. */
#define UNKNOWN_FACTOR INT64_MIN

enum
{
  MOST_TERMS = 6
};

struct term
{
  struct expr *symbol;
  int64_t factor;
  bool times_threads; /* the factor is FACTOR * THREADS, with dynamic THREADS */
};

/* Unsigned arithmetic in C may wrap around, which the affine form does not do. */
enum wrap
{
  WRAPS_NEVER,
  WRAPS_UP,    /* a sum of unsigned ints may pass 2^32 */
  WRAPS_DOWN,  /* a sum of unsigned ints may pass 0 */
  WRAPS_INSIDE /* a part of the expression may wrap around */
};

struct affine
{
  int64_t constant;
  struct term term[MOST_TERMS];
  int count;
  enum wrap wrap;
  bool is_partial; /* a fixed summand is missing, of which nothing is known */
  bool is_early;   /* can be evaluated before the loop, whatever its symbols are */
};

struct loop;

/* Finds the affine form of E in LOOP; false if there is none. */
bool find_affine (struct expr *e, struct loop *loop, struct affine *f);
/* Finds the distance of element L, in ultimate elements, from FROM, an array around it, or from L's
   root if FROM is NULL. */
bool find_index (struct expr *l, const struct expr *from, struct loop *loop, struct affine *f);
/* The factor of LOOP's induction variable. That is unknown if THREADS is in it; threads_factor is the multiple of THREADS
   that it is, or unknown if it is none. Both are 0 if F does not have the variable. */
int64_t induction_factor (const struct affine *f, const struct loop *loop);
int64_t threads_factor (const struct affine *f, const struct loop *loop);
/* A common divisor of the factors other than that one, wherever THREADS is no help the greatest; 0 if there are none. */
uint64_t fixed_divisor (const struct affine *f, const struct loop *loop);
/* Whether B - A is a constant, which is stored in APART. */
bool find_apart (const struct affine *a, const struct affine *b, int64_t *apart);

#endif
