/* plan: plans for loops and shared accesses, made from the tree before C is written. Needs ast
   and events.

   A loop is data: its induction variable, step and bound; for a upc_forall, which iterations a
   thread owns. So is a shared access: a root, which is a static array or a pointer, a layout, and
   an affine form of the distance from the root. From them follows the plan: which elements stay
   in a block for a while and have a constant stride there (a strip of the loop), which addresses
   outer loops compute for inner ones, whether iterations are independent. There is one form of
   loop in strips, of whatever induction variable and iterations (LOOP_STRIPS).

   plan_function keeps the plans on the tree: stmt.plan for a loop, expr.plan for an access. write
   asks for nothing else. */

#ifndef UPC2C_PLAN_H
#define UPC2C_PLAN_H

#include "tools/upc2c/ast/ast.h"

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
/* Whether E is the name of the variable DECL. */
bool is_name_of (struct expr *e, void *decl);
struct element root_of (struct expr *l);
/* The element, pointer or name that L is or is a member of. */
struct expr *element_of (struct expr *l);
/* The smallest array L is in that is a row of whole elements, as many to a block as fit: `a[i]`
   of a[i][j] in blocks of whole rows; or NULL. */
struct expr *enclosing_row (struct expr *l);
/* Of EXPR_INDEX: the operands. */
struct expr *pointer_of (struct expr *index);
struct expr *index_of (struct expr *index);
/* The array that L, EXPR_INDEX, is an element of; NULL: it is found by a pointer. */
struct expr *array_of_element (struct expr *l);
/* Whether ARRAY has as many elements as its type says. */
bool has_known_extent (struct expr *array);
/* Whether L lies inside a record or another object of one piece, so that C finds it
   once the piece is found. */
bool is_inside (struct expr *l);

/* affine.c: affine forms, CONSTANT + the sum of FACTOR * SYMBOL. A symbol is an induction
   variable, or an expression that has one value in all iterations of the loop. */

/* A factor that is no constant of the program. */
#define UNKNOWN_FACTOR INT64_MIN

enum
{
  MOST_TERMS = 6
};

struct term
{
  struct expr *symbol;
  int64_t factor;
};

/* C's value is that of the form but for … */
enum wrap
{
  WRAPS_NEVER,
  WRAPS_UP,    /* … a sum of unsigned ints, which passes 2^32, … */
  WRAPS_DOWN,  /* … or 0, … */
  WRAPS_INSIDE /* … or a part of the expression that wraps around. */
};

struct affine
{
  int64_t constant;
  struct term term[MOST_TERMS];
  int count;
  enum wrap wrap;
  bool is_partial; /* plus something fixed of which nothing is known */
  bool is_early;   /* it may be evaluated before the loop, whatever its symbols are */
};

struct loop;

/* E as an affine form in LOOP; false if it is none. */
bool find_affine (struct expr *e, struct loop *loop, struct affine *f);
/* The distance of L, an element, from FROM, an array that it is in, or from its root if FROM is
   NULL, in ultimate elements. */
bool find_index (struct expr *l, const struct expr *from, struct loop *loop, struct affine *f);
/* The factor of LOOP's induction variable. */
int64_t induction_factor (const struct affine *f, const struct loop *loop);
/* What all terms but that one are a multiple of; 0: there are none. */
uint64_t fixed_divisor (const struct affine *f, const struct loop *loop);
/* Whether B is by a constant, APART, more than A. */
bool find_apart (const struct affine *a, const struct affine *b, int64_t *apart);

/* Loops. */

/* How the position of an iteration in a layout is found. */
enum position
{
  POSITION_INTEGER, /* the value of the expression */
  POSITION_ELEMENT, /* the index of an element of a static array */
  POSITION_POINTER, /* where a pointer points: thread and phase */
  POSITION_THREAD   /* the thread that a pointer points to, in a layout of block size 1 */
};

enum loop_form
{
  LOOP_AS_WRITTEN,
  /* A for or while, or a upc_forall whose owned iterations are computed, in strips: consecutive
     iterations in which references have constant strides. */
  LOOP_STRIPS,
  /* A upc_forall whose owned iterations are computed and done one by one: the body might change
     operands of the loop header. If it does and several threads execute the loop, the header is
     not single-valued and the behaviour is undefined (UPC 1.3, 6.6.2). A thread that executes
     all iterations itself must see the change. */
  LOOP_ONE_BY_ONE,
  LOOP_CHECKED /* a upc_forall that checks each iteration */
};

enum access_stride
{
  STRIDE_IN_BLOCK, /* a constant stride in memory, for a strip or always */
  STRIDE_BY_STEP, /* the same for a strip, so many of the loop's steps, whose length is found at run time */
  BLOCK_STRIDE, /* whole blocks */
  RECOMPUTE     /* the address is computed in each iteration */
};

/* A shared access of a loop, or several of one element; or a row, an array within one block, of
   which inner loops access elements. */
struct reference
{
  struct expr *l;          /* EXPR_INDEX, or EXPR_NAME: what that points to */
  const struct type *type; /* of the element or row */
  struct expr *root;       /* EXPR_NAME: a static array, or a pointer */
  struct affine at;        /* the distance from it */
  bool is_own;             /* the iteration's own element: where that is follows from the set */
  enum access_stride stride_kind;
  int64_t stride;    /* ultimate elements, or steps, from one iteration to the next */
  bool stays;        /* in its block: its address is known in all iterations; … */
  bool is_by_rounds; /* … or in its thread, where it moves from block to block */
  bool
      is_fixed; /* of a meeting: the same element in all iterations, and none of the loop's references */
  int64_t shift;           /* of a loop with middles: its phase beside that of the own element */
  struct access_plan *row; /* an outer loop has the base address of its row */
  bool stays_in_row;
  bool is_in_phase;  /* has the phase that flat loops, pieces or middles need, as is known */
  struct expr *walk; /* a step: the root is a pointer, which each iteration moves here */
  bool crosses;      /* in a loop that crosses_blocks: goes from block to block, … */
  struct reference *crosses_with; /* … when that one does, if it is not NULL, … */
  bool is_beside;                 /* … and in the same thread */
  bool is_ahead;                  /* -fupc-check: looks for several iterations are done at once */
  struct tabled
      *tabled; /* BLOCK_STRIDE: where its blocks are looked up in a loop that is_sure; or NULL */
  struct sure *start; /* … from where its pointer leads to; NULL: a static array */
  bool is_fetched,
      is_put;   /* -fupc-network: what is far of a strip is copied before, and behind it */
  bool is_near; /* writing: in a strip that is near as a whole (-fupc-network) */
  bool is_read, is_written; /* of a loop that is_windowed */
  struct window *window;    /* through which such a loop accesses it, … */
  int64_t in_window;        /* … so many elements from the window's lowest */
  int number;
  struct reference *next;
};

struct loop
{
  struct stmt *stmt;
  enum loop_form form;
  const char *reason;  /* why there is no better form; or NULL */
  bool is_kept;        /* as written, and nothing may be put before it */
  int number;          /* in the names of its variables in C */
  struct loop *outer;  /* with a form of its own */
  struct loop *around; /* the innermost one around it with a header, or NULL */

  /* An integer, or a pointer-to-shared that goes from element to element. */
  struct decl *induction;
  /* The condition: induction variable RELATION bound. NULL: the iterations are not known
     beforehand. */
  struct expr *bound;
  int relation;
  /* The condition counts this private variable down. */
  struct expr *counter;
  /* The induction variable changes by step_value, or by what STEP says; down if is_down. */
  struct expr *step;
  int64_t step_value;
  int64_t rounds; /* STEP is so many times THREADS; 0: it may be anything else */
  bool is_down;
  struct secondary *secondaries; /* variables that move with it */

  /* Of a upc_forall: owned iterations and the layout. */
  enum position position;
  struct expr *affinity; /* the integer, the element or the pointer */
  struct expr *divisor;  /* the block size is a value of the program; or NULL */
  uint32_t block;
  bool is_by_one;     /* each iteration is one element further */
  struct expr *index; /* such elements of static arrays in blocks belong to the iteration */

  /* In a strip each reference stays in one block. */
  bool is_consecutive; /* its iterations follow each other */
  uint32_t residues;   /* they are congruent modulo so many times THREADS; 0: they need not be */
  /* Of a upc_forall: phases that are done as one, block after block; 0: none. Writing: those. */
  uint32_t middle_first, middle_count;
  bool is_in_middle;
  bool is_by_pieces;    /* residues: a strip is all of those in a piece of one thread's memory */
  bool needs_induction; /* … and the body does not only use the induction variable for those, … */
  bool is_by_blocks;    /* … so that it is done block by block */
  bool is_windowed;     /* it accesses elements in blocks through windows, … */
  struct window *windows;      /* … which are these */
  struct kept_rows *kept_rows; /* rows that stay there while it goes on */
  struct lanes *lanes;         /* its iterations are done side by side in the loops inside */
  struct nest *nest;           /* it is done in private copies where that is worth while */
  struct nest *question;       /* before it: whether the arrays of that nest are apart, … */
  struct nest *asked;          /* … which loops in it need not ask again */
  struct loop *
      in_order; /* residues, windows, lanes: what is done where the order counts, or iterations are few */
  struct kept *kept; /* … and the plans of its accesses */
  struct reference *references;
  int reference_count;
  bool crosses_blocks;      /* addresses in the next block follow from those in the last one */
  bool is_in_body;          /* planning: the body, where RECOMPUTE is done, not the condition */
  bool may_be_flat;         /* owned blocks are one strip where all references have one phase */
  bool is_independent;      /* no iteration reads or writes what another one writes, … */
  struct meeting *meetings; /* … if none of these turns out to be, … */
  struct strip_meeting *strip_meetings; /* … or none of these in a strip; … */
  bool is_for_vectors;                  /* … and vectors gain from that, … */
  bool is_for_scalars;                  /* … or lose */
  struct certain *certain; /* -fupc-check: what is checked once for a strip, or for the loop */
  bool has_order;          /* the body may order the thread with others */
  struct batch *batch;     /* -fupc-network: how it is done where some processes are far; or NULL */
  bool asks_once;          /* -fupc-network: whether a strip is near is asked where it begins */
  struct raced *raced;     /* -fupc-check=race: what is told once for a strip */
  struct sampled
      *sampled;          /* --profile: the events of an iteration, where strips are asked for any */
  struct tabled *tabled; /* tables of blocks that it and inner loops use */
  int tabled_count;
  struct sure *sure; /* it is done differently where these are all there, … */
  int sure_count;
  bool is_sure_by_power; /* … and THREADS is a power of 2 */
  bool is_sure;          /* writing: where that is known */
  bool is_unrolled;      /* it is short, and stores here and there */
  struct copied *copied; /* arrays that it makes private copies of */
  int copied_count;
  struct copied_read
      *reads; /* those that it reads, if it is done differently where all copies are made */
  bool
      is_by_copies; /* … and what is in small blocks is read from these alone; else it is its in_order */
  bool is_outlined;          /* -fsanitize=address: a strip is a function of its own, … */
  struct outlined *outlined; /* … with these references and private variables */
  bool has_near_rows;        /* … of rows that lie one behind the other */
  struct reference
      *invariants; /* what does not move: the addresses are known before the first iteration */
  struct invariant_value *values; /* … and values before each strip */
  struct carried *carried;        /* what iterations load that the ones before have stored */
  struct expr *copy_to;           /* all that the body does is copy_to = copy_from; or NULL */
  struct expr *copy_from;
};

/* secondary.c: DECL is BASE + FACTOR * INDUCTION in each iteration; PART of the step changes it by CHANGE. */
struct secondary
{
  struct decl *decl;
  struct expr *base, *induction;
  struct expr *part;
  int64_t change, factor;
  int number;
  struct secondary *next;
};

/* hoisted.c: a variable of ours that has VALUE in a loop. */
struct hoisted
{
  struct decl *decl;
  struct expr *value;
  int number;
  bool is_in_condition; /* so that it is evaluated whether there is a first iteration or not */
  struct hoisted *next;
};

/* Iterations of LOOP that are done side by side (lanes.c): BODY is its body, with a loop over the lanes around each
   statement; at most so many at once. */
struct lanes
{
  struct loop *loop;
  struct stmt *body;
  uint64_t most;
  struct lane_scalar *scalars;
  int scalar_count;
  struct lane_meeting *meetings;
};

/* A variable with a value of its own in each lane. */
struct lane_scalar
{
  struct decl *decl;
  int number;
  bool is_outer; /* declared before the loop */
  struct lane_scalar *next;
};

/* Roots of which it is found at run time whether they lead to the same elements. */
struct lane_meeting
{
  struct expr *a, *b;
  struct lane_meeting *next;
};

/* A loop, and those in it, of whose arrays it is known what they access (nest.c). */
struct nest
{
  int number;
  bool may_copy;           /* it may have its arrays in private copies */
  bool is_asked;           /* some loop in it asks whether the arrays are apart */
  struct nest_loop *loops; /* the outermost one first, each before those in it */
  struct nest_array *arrays;
  struct nest_access *accesses;
  struct nest_state *states; /* what exchange_nest exchanges */
};

struct nest_loop
{
  struct loop *loop;        /* its header */
  struct expr *first;       /* what its induction variable starts from */
  struct nest_loop *around; /* NULL: the outermost one */
  int number;
  struct nest_loop *next;
};

/* An array that starts from ROOT, of which L is an element; in the source. COPY is a pointer to what stands for it. */
struct nest_array
{
  struct expr *root, *l;
  struct decl *copy;
  bool is_written;
  int number;
  struct nest_array *next;
};

struct nest_access
{
  struct expr *l;
  struct nest_array *array;
  struct nest_loop *around;
  struct nest_access *next;
};

/* A node of the tree, as it is in the other state. */
struct nest_state
{
  struct expr *e;
  struct stmt *s; /* if E is NULL */
  struct expr other_expr;
  struct stmt other_stmt;
  struct nest_state *next;
};

/* A private copy of what a loop accesses of one array in a strip: of FIRST, and of others that are up to FARTHEST elements
   further. */
struct window
{
  struct reference *first;
  int64_t farthest;
  bool is_read, is_written;
  int number;
  struct kept_rows *kept; /* it is a row of these, or NULL: so many further than … */
  int row;
  int64_t column; /* … the row of the first window, and so many columns */
  struct window *next;
};

/* Rows of an array that stay in windows of the loop with this NUMBER while AROUND goes on (kept_rows.c): as many as there
   are between the first and the last one, with the columns that all of the windows have. */
struct kept_rows
{
  struct loop *around;
  struct expr *root; /* of the array */
  int number, window;
  int first_row, last_row;
  int64_t first_column, last_column; /* the latter beside the last iteration's */
  bool needs_question;               /* whether the array is apart from what the nest writes */
  struct kept_rows *next;
};

/* What the body of a loop that is_outlined uses: a reference, of whatever loop around it, or a private variable that is
   declared outside. */
struct outlined
{
  struct loop *loop;
  struct reference *reference;
  struct decl *decl;
  bool is_stored;
  struct outlined *next;
};

/* How a loop goes by batches of its iterations (batch.c): LOOP has its header. */
struct batch
{
  struct loop *loop;
  struct batched *accesses;
  int count, levels;
};

/* L is read for a batch at once, when what is read at lower levels is there. */
struct batched
{
  struct expr *l;
  int number, level;
  struct sliced *around;
  struct batched *next;
};

/* What of BATCH is L, an lvalue; or NULL. */
struct batched *batched_in (const struct batch *batch, const struct expr *l);

/* What a loop or condition around an access evaluates, E, and gives D its value, if it is not NULL. */
struct sliced
{
  struct expr *e;
  struct decl *decl;
  bool is_hoisted; /* that is a variable of ours */
  struct sliced *around;
};

/* A table of the blocks of ARRAY, or of those that a pointer leads to; L is an element. */
struct tabled
{
  struct expr *l;
  struct expr *array; /* its name, or NULL */
  struct loop *loop;
  int number;
  struct tabled *next;
};

/* A table that there may be, or a pointer that may lead to the first element of a block of thread 0. */
struct sure
{
  struct tabled *tabled;
  struct expr *pointer; /* its name; or NULL: the table */
  struct expr *l;       /* what is found by it */
  int number;
  struct sure *next;
};

/* An array of which a loop makes a private copy once it has read as many elements. */
struct copied
{
  struct expr *root; /* its name, or the pointer to it */
  struct expr *l;    /* an element */
  struct loop *loop;
  int number;
  struct stored *stores;
  bool is_made; /* writing: where it is known to be made */
  struct copied *next;
};

struct copied_read
{
  struct copied *copied;
  struct copied_read *next;
};

/* What that loop stores to by a pointer, which may turn out to lead to the array. */
struct stored
{
  struct expr *root;
  bool is_forward; /* never before where the pointer points */
  struct stored *next;
};

/* A value that goes from iteration to iteration (carried.c), loaded as TO. */
struct carried
{
  struct loop *loop;
  struct expr *to;
  struct expr *late; /* the store, if it is done once, behind the loop; or NULL */
  int number;
  struct carried *next;
};

/* What the tree has of a loop, or of its in_order: exchange_plans. */
struct kept
{
  struct expr *e;
  struct access_plan *plan;
  bool is_checked, is_raced;
  struct kept *next;
};

/* References by pointers of which it is found at run time whether they lead to the same elements. */
struct meeting
{
  struct reference *a, *b;
  struct meeting *next;
};

/* Accesses of which each strip finds out at run time whether they are to the same elements (strip_meeting.c). */
struct strip_meeting
{
  const struct access_plan *a, *b;
  int count; /* of those that are known so far, with itself */
  struct strip_meeting *next;
};

/* What all iterations of a strip load, and none stores to (invariant_value.c). */
struct invariant_value
{
  struct loop *loop;
  struct expr *l;
  int number;
  struct invariant_value *next;
};

/* An access that is done in each iteration. */
struct certain
{
  struct expr *l;              /* the element, or the name of the pointer to it, or … */
  struct reference *reference; /* found by a pointer; NULL: an element of a declared array */
  struct expr *fixed;          /* … what is at the same place in all iterations: `*p`, `p->x` */
  struct certain *next;
};

/* So many gets and puts of each iteration, of an element in one thread's memory in the whole strip: that or the pointer
   that leads to it. */
struct sampled
{
  struct expr *part;
  int events;
  struct sampled *next;
};

/* One that the race detector is told of. */
struct raced
{
  struct expr *l; /* the lvalue */
  struct reference *reference;
  bool is_write;
  struct raced *next;
};

/* Shorter strips cost more than they save; less where the next block is found from the last one. */
enum
{
  MIN_STRIP = 4,
  MIN_CROSSING_STRIP = 2
};

bool moves_by_one (const struct loop *loop);
bool is_forall (const struct loop *loop);
/* Whether the number of iterations is known before the first one. */
bool is_counted (const struct loop *loop);
/* Whether the induction variable is a pointer-to-shared. */
bool is_by_pointer (const struct loop *loop);
/* Whether R is found by a pointer, not in a static array. */
bool is_pointer (const struct reference *r);
bool is_row (const struct reference *r);
/* Bytes of one element of R. */
uint64_t element_bytes (const struct reference *r);

/* element.c: whether the body of LOOP uses the induction variable but in the indexes of its references. */
bool uses_induction (struct loop *loop);

/* kept.c: puts the plans of LOOP's in_order in the place of LOOP's own, and back. */
void exchange_plans (struct loop *loop);

/* nest.c: puts the tree in the state in which NEST's arrays are copies, and back. */
void exchange_nest (struct nest *nest);
/* The loop of a nest, AROUND or around that, that D counts; or NULL. */
struct nest_loop *nest_loop_of (struct nest_loop *around, const struct decl *d);

/* moved.c: the most that is_fetched or is_put at once. */
enum
{
  FETCHED_BYTES = 4096
};

/* lanes.c: their number, at most; with fewer iterations they are not worth while. */
enum
{
  MOST_LANES = 256,
  LEAST_LANES = 8
};

/* lane_scalar.c: whether D is one of their variables. */
bool is_lane_scalar (const struct decl *d, const struct lanes *lanes);
/* Whether S is `d = …;`, and no part of the value has D. */
bool sets_scalar (struct stmt *s, struct decl *d);

/* window.c: the most of an array that is in a window, beside what is behind the last iteration's first element; fewer
   iterations are never worth while. */
enum
{
  WINDOW_BYTES = 2048,
  LEAST_WINDOW = 12
};

/* kept_rows.c: how many rows may be kept at once, and the bytes of each. */
enum
{
  MOST_KEPT_ROWS = 5, /* include/upct/window.h has it, too */
  KEPT_ROW_BYTES = 16384
};

/* The fewest iterations of LOOP, which is_windowed, that are worth while: with several blocks of each array. */
int64_t least_in_windows (const struct loop *loop);

/* The reference of the element that L is, or is a part of; NULL: it has another plan. */
struct reference *planned_reference (struct expr *l);
/* Whether all elements of R in a strip are in one block, of which the first one's address is known. */
bool is_in_strip (const struct reference *r);

/* certain.c: whether accesses of the code that has token WHERE are checked. */
bool is_checked_code (token_index where);

/* raced.c: whether the race detector is told of an access to L. */
bool is_raced_code (const struct expr *l);
/* Whether anything in E or BODY may order the thread with others. */
bool may_order (struct expr *e);
bool has_order (struct stmt *body);

/* Accesses. */

enum address_kind
{
  ADDRESS_COMPUTED,  /* by its own access, whatever is around */
  ADDRESS_REFERENCE, /* LOOP has it: REFERENCE */
  ADDRESS_INVARIANT, /* LOOP has it, one of its invariants: REFERENCE */
  ADDRESS_IN_ROW     /* LOOP has that of ROW, an array of COUNT elements: REFERENCE */
};

/* Kept at EXPR_INDEX, an element, and at EXPR_NAME, a pointer. */
struct access_plan
{
  enum address_kind address;
  struct loop *loop;
  struct reference *reference;
  struct expr *row;
  uint64_t count;
  const char *reason; /* ADDRESS_COMPUTED: why */
  bool is_scattered;  /* ADDRESS_COMPUTED: in a loop that goes here and there in a static array */
  bool is_called;     /* ADDRESS_COMPUTED: by a call of a function, outside of loops */
  struct tabled *tabled;   /* ADDRESS_COMPUTED: … looks up its block, … */
  struct loop *sure;       /* ADDRESS_COMPUTED: … which is quicker where this loop is_sure, … */
  struct sure *start;      /* … and more so as the pointer is known to lead there; or NULL */
  struct copied *copied;   /* ADDRESS_COMPUTED: … from which it reads a copy, where one is made */
  struct carried *carried; /* … or which a variable has from the iteration before */
  struct invariant_value *value; /* a variable has the value in the whole strip of a loop */
};

/* plan.c: plans the loops and accesses of FUNCTION. IS_NESTED: it is in another one, and
   sees variables that others change, so that nothing is known of them. */
void plan_function (struct decl *function, bool is_nested);

#endif
