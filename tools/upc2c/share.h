/* upc_forall loops whose affinity follows the counter: what lower_position.c finds out
   of them, and lower_share.c writes. */

#ifndef UPC2C_SHARE_H
#define UPC2C_SHARE_H

#include "tools/upc2c/gen.h"

/* How far we are sure of what the loop's clauses are made of. */
enum sureness
{
  /* Nothing in the body can change them: one look, at the first iteration, tells all. */
  SURE,
  /* The body might. Where it does, and threads share the iterations out, the clauses are
     not single-valued and the behaviour is undefined (UPC 1.3, 6.6.2); a thread that
     does all iterations itself must see the change. */
  TRUSTED
};

/* Known factor of the counter, or any other. */
#define UNKNOWN_FACTOR INT64_MIN

/* How the position of an iteration in a layout is found. */
enum position
{
  POSITION_INTEGER, /* the value of the expression */
  POSITION_ELEMENT, /* the index of an element of a static array */
  POSITION_POINTER, /* where a pointer points: thread and phase */
  POSITION_THREAD   /* the thread that a pointer points to, in a layout of block size 1 */
};

struct share
{
  struct stmt *loop;
  enum sureness sureness;
  struct decl *counter;

  /* The condition: counter RELATION bound. */
  struct expr *bound;
  int relation;

  /* The counter moves by step_value, or by what STEP says, backwards if is_down. */
  struct expr *step;
  int64_t step_value;
  bool is_down;

  /* Iterations and the layout. */
  enum position position;
  struct expr *place;     /* the integer, the element or the pointer */
  struct expr *divisor;   /* the block size is a value of the program; or NULL */
  uint32_t block;
  bool is_by_one;         /* each iteration is one element further */

  struct expr *index;     /* elements whose index is this belong to the iteration, in … */
  uint32_t index_block;   /* … static arrays with this block size. NULL: of none */
  int loop_number;        /* in the names of its variables in C */
  struct share *outer;
};

/* Fills in a share for LOOP, whose loop and sureness are set; false where affinity is no
   affine expression of a counter, or not as sure as that. */
bool find_share (struct share *s);
/* lower_differ.c: whether A and B are the same expression of the same variables. */
bool are_equal (struct expr *a, struct expr *b);
/* Whether A and B are the same expression of the same variables but for a constant that
   is added: B is APART more than A. */
bool differ_by (struct expr *a, struct expr *b, int64_t *apart);

#endif
