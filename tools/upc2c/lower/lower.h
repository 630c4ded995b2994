/* lower: plans for loops and shared accesses, made from the tree before C is written: which
   iterations a thread owns, which elements stay in a block for a while, what is loop-invariant,
   which iterations are independent. Needs ast and events.

   It writes nothing. What write is about to enter it says by function_being_written and
   enter_strip. */

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
struct expr *strip_parens (struct expr *e);
struct element root_of (struct expr *l);
/* The smallest array L is in that is a row of whole elements, as many to a block as fit: `a[i]`
   of a[i][j] in blocks of whole rows; or NULL. */
struct expr *enclosing_row (struct expr *l);
/* Of EXPR_INDEX: the operands. */
struct expr *pointer_of (struct expr *index);
struct expr *index_of (struct expr *index);
/* Whether L lies inside a record or another object of one piece, so that C finds it
   once the piece is found. */
bool is_inside (struct expr *l);

/* A loop and its iterations. */

/* How the loop header is known to be single-valued. */
enum single_valuedness
{
  /* Nothing in the body can change its operands: it is evaluated once, before the loop. */
  PROVEN,
  /* The body might. If it does and several threads execute the loop, the header is not
     single-valued and the behaviour is undefined (UPC 1.3, 6.6.2). A thread that executes
     all iterations itself must see the change. */
  ASSUMED
};

/* How the position of an iteration in a layout is found. */
enum position
{
  POSITION_INTEGER, /* the value of the expression */
  POSITION_ELEMENT, /* the index of an element of a static array */
  POSITION_POINTER, /* where a pointer points: thread and phase */
  POSITION_THREAD   /* the thread that a pointer points to, in a layout of block size 1 */
};

struct iteration_set
{
  struct stmt *loop;
  enum single_valuedness single_valued;
  struct decl *induction;

  /* The condition: induction variable RELATION bound. */
  struct expr *bound;
  int relation;

  /* The induction variable changes by step_value, or by what STEP says; down if is_down. */
  struct expr *step;
  int64_t step_value;
  bool is_down;

  /* Iterations and the layout. */
  enum position position;
  struct expr *affinity; /* the integer, the element or the pointer */
  struct expr *divisor;  /* the block size is a value of the program; or NULL */
  uint32_t block;
  bool is_by_one; /* each iteration is one element further */

  struct expr *index;   /* elements whose index is this belong to the iteration, in … */
  uint32_t index_block; /* … static arrays with this block size. NULL: of none */
  int loop_number;      /* in the names of its variables in C */
  struct iteration_set *outer;
};

/* owned_set.c: upc_forall whose affinity is an affine expression of the induction variable. */

/* The iterations of LOOP, a upc_forall, with NUMBER in the names of its variables; NULL where
   its affinity is no affine expression of an induction variable. */
struct iteration_set *find_owned_set (struct stmt *loop, int number);
bool moves_by_one (struct iteration_set *s);

/* pointer_induction.c: loops whose induction variable is a pointer-to-shared. False if LOOP
   is none. */
bool find_pointer_forall (struct iteration_set *s, struct stmt *loop, int number);
bool find_pointer_loop (struct iteration_set *s, struct stmt *loop);

/* distance.c: whether A and B are the same expression of the same variables but for a constant
   that is added: B is APART more than A. */
bool have_constant_distance (struct expr *a, struct expr *b, int64_t *apart);

/* linear.c: linear forms of a loop's induction variable. */

/* FACTOR * induction variable + CONSTANT + a loop-invariant that is a multiple of DIVISOR
   (0: there is none). */
struct linear
{
  int64_t factor, constant;
  uint64_t divisor;
};

/* E as a linear form whose invariant parts may be evaluated before the loop, whatever
   their values are. False if it is not known to be one. */
bool find_linear (struct expr *e, struct iteration_set *s, struct linear *form);
/* The same of an index that wraps around: a sum of type unsigned int in which the induction
   variable has a factor of 1 or -1. It is linear but for that. */
bool find_wrapping (struct expr *e, struct iteration_set *s, struct linear *form);

/* reference.c, strip.c: the elements that a loop accesses, and its strips: runs of iterations
   in which each of them stays in one block. */

enum access_stride
{
  STRIDE_IN_BLOCK, /* a constant stride in memory, for a strip or always */
  BLOCK_STRIDE,    /* whole blocks */
  RECOMPUTE        /* the address is computed in each iteration */
};

/* A shared access, or several of one element; or a row, an array within one block, of which
   inner loops access elements. */
struct reference
{
  struct expr *l;    /* EXPR_INDEX */
  struct expr *root; /* EXPR_NAME: a static array, or a pointer */
  enum access_stride stride_kind;
  int64_t stride; /* ultimate elements from one iteration to the next */
  bool stays;     /* in its block: its address is known in all iterations */
  int number;
  struct reference *next;
};

struct strip
{
  struct iteration_set *set;
  struct reference *references;
  int count, number;
  bool is_counted;       /* a loop of C whose iterations are known beforehand */
  const char *iteration; /* the variable that counts those of the strip */
  bool is_in_iteration;  /* the body is written, not the loop's condition: RECOMPUTE is done */
  struct strip *outer;
};

/* Shorter strips cost more than they save. */
enum
{
  MIN_STRIP = 4
};

/* The strips of LOOP, a STMT_FOR; NULL where it has none. */
struct strip *find_strips (struct stmt *loop);
/* The elements that the body of S, a upc_forall by blocks, accesses beside its own; NULL if
   there are none. */
struct strip *find_owned_strips (struct iteration_set *s);
/* Whether the iterations of S may be done in strips of consecutive ones. */
bool has_strips (const struct iteration_set *s);
/* Whether all elements of STRIP stay in their blocks. */
bool all_stay (struct strip *strip);
/* Whether R is found by a pointer, not in a static array. */
bool is_pointer (const struct reference *r);
bool is_row (const struct reference *r);
/* Bytes of one element of R. */
uint64_t element_bytes (const struct reference *r);

/* known.c */

/* C that is written from here to there may use the addresses of STRIP. */
void enter_strip (struct strip *strip);
void leave_strip (struct strip *strip);

/* The innermost strip whose C has the address of element L, and its reference; or NULL. */
struct strip *find_known (struct expr *l, struct reference **reference);

/* hoist.c: the row that L is in, whose base address a loop around has hoisted. */
struct hoisted_base
{
  struct expr *l;
  uint64_t count; /* of elements */
  struct strip *strip;
  struct reference *reference;
};

bool find_hoisted_base (struct expr *l, struct hoisted_base *base);
/* Whether the columns of L, an element in that row, stay in it in all iterations of S. */
bool stays_in_row (struct expr *l, const struct hoisted_base *base, struct iteration_set *s);

/* independence.c: whether the iterations of S are independent of each other. STRIP, or NULL, is
   what is known of their elements. */
bool has_independent_iterations (struct iteration_set *s, struct strip *strip);
/* The same of STRIP, which also must be counted. */
bool is_vectorizable (struct strip *strip);
/* The lvalues of the assignment that is all of S's body where that only copies an array to
   another one; false if it does not. */
bool find_copy (struct iteration_set *s, struct strip *strip, struct expr **to, struct expr **from);

/* wait.c: makes the reads of shared data strict by which LOOP waits for other threads. */
void settle_wait (struct stmt *loop);

#endif
