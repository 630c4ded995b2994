/* lower: plans for loops and shared accesses, made from the tree before C is written: which
   iterations a thread owns, which elements stay in a block for a while, what is loop-invariant,
   which iterations are independent. Needs ast and events.

   It writes nothing. What write is about to enter it says by function_being_written and
   enter_span. */

#ifndef UPC2C_LOWER_H
#define UPC2C_LOWER_H

#include "tools/upc2c/ast/ast.h"

/* The function that is being written, or NULL. */
extern struct decl *function_being_written;

/* lvalue.c: the shape of shared lvalues. */

/* Where an element lies: so many elements from the start of an object, or from where
   a pointer points. Neither: inside something else. */
struct element
{
  struct expr *object; /* a name */
  struct expr *pointer;
};

/* L without parentheses. */
struct expr *peel (struct expr *e);
struct element root_of (struct expr *l);
/* The smallest array L is in that is a row of whole elements, as many to a block as fit: `a[i]`
   of a[i][j] in blocks of whole rows; or NULL. */
struct expr *row_around (struct expr *l);
/* Of EXPR_INDEX: the operands. */
struct expr *pointer_of (struct expr *index);
struct expr *number_of (struct expr *index);
/* Whether L lies inside a record or another object of one piece, so that C finds it
   once the piece is found. */
bool is_inside (struct expr *l);

/* A loop and its iterations. */

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

/* owned_set.c: upc_forall whose affinity is an affine expression of the counter. */

/* The iterations of LOOP, a upc_forall, with NUMBER in the names of its variables; NULL where
   affinity is no affine expression of a counter. */
struct share *find_share (struct stmt *loop, int number);
bool moves_by_one (struct share *s);

/* pointer_induction.c: loops whose counter is a pointer-to-shared. False if LOOP is none. */
bool find_pointer_forall (struct share *s, struct stmt *loop, int number);
bool find_pointer_loop (struct share *s, struct stmt *loop);

/* distance.c: whether A and B are the same expression of the same variables but for a constant
   that is added: B is APART more than A. */
bool differ_by (struct expr *a, struct expr *b, int64_t *apart);

/* linear.c: linear forms of a loop's counter. */

/* FACTOR * counter + CONSTANT + what the loop does not change, which is a multiple of
   DIVISOR (0: nothing is left). */
struct linear
{
  int64_t factor, constant;
  uint64_t divisor;
};

/* E as a linear form whose parts have the same value in the whole loop, and may be
   evaluated before it, whatever they are. False if it is not known to be one. */
bool find_linear (struct expr *e, struct share *s, struct linear *form);
/* The same of an index that wraps around: a sum of type unsigned int in which the counter
   has a factor of 1 or -1. It is linear but for that. */
bool find_wrapping (struct expr *e, struct share *s, struct linear *form);

/* reference.c, strip.c: the elements that a loop accesses, and its spans. */

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

/* Spans of fewer iterations cost more than they save. */
enum { LEAST_SPAN = 4 };

/* The spans of LOOP, a STMT_FOR; NULL where it has none. */
struct span *find_span (struct stmt *loop);
/* The elements that the body of S, a upc_forall by blocks, accesses beside its own; NULL if
   there are none. */
struct span *find_own_span (struct share *s);
/* Whether the iterations of S may be done in spans of consecutive ones. */
bool has_spans (const struct share *s);
/* Whether all elements of SPAN stay in their blocks. */
bool all_stay (struct span *span);
/* Whether R is found by a pointer, not in a static array. */
bool is_pointer (const struct reference *r);
bool is_row (const struct reference *r);
/* Bytes of one element of R. */
uint64_t element_bytes (const struct reference *r);
/* What is written from here to there knows the elements of SPAN. */
void enter_span (struct span *span);
void leave_span (struct span *span);

/* Element L as a span of a loop around knows it: the span comes back, NULL if none does. */
struct span *find_known (struct expr *l, struct reference **reference);

/* row.c: the row that L is in, of those that the loops around know. */
struct row
{
  struct expr *l;
  uint64_t count;   /* of elements */
  struct span *span;
  struct reference *reference;
};

bool find_row (struct expr *l, struct row *row);
/* Whether the columns of L, an element in a row of COUNT, stay in it while S runs. */
bool stays_in_row (struct expr *l, const struct row *row, struct share *s);

/* independence.c: whether the body of S leaves open in which order its iterations run. SPAN, or
   NULL, is what is known of its elements. */
bool may_run_side_by_side (struct share *s, struct span *span);
/* The same of SPAN, of which the iterations are counted. */
bool is_side_by_side (struct span *span);
/* The lvalues of the assignment that is all of S's body where that only copies an array to
   another one; false if it does not. */
bool find_copy (struct share *s, struct span *span, struct expr **to, struct expr **from);

/* wait.c: makes the reads of shared data strict by which LOOP waits for other threads. */
void settle_wait (struct stmt *loop);

#endif
