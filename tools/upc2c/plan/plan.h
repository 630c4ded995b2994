/* plan: plans for loops and shared accesses, made from the tree before C is written. Needs ast
   and events.

   A loop is data: its induction variable, step and bound; for a upc_forall, the iterations that a
   thread owns. A shared access is data, too: a root (a static array or a pointer), a layout, and an
   affine form of the distance from the root. The plan follows from these: which elements stay in a
   block for a while and have a constant stride there (a strip of the loop), which addresses outer
   loops compute for inner ones, and whether iterations are independent. All loops in strips have
   one form, LOOP_STRIPS, whatever their induction variable and their iterations.

   plan_function attaches the plans to the tree: stmt.plan for a loop, expr.plan for an access.
   write uses only these. */

#ifndef UPC2C_PLAN_H
#define UPC2C_PLAN_H

#include "tools/upc2c/plan/affine.h"
#include "tools/upc2c/plan/batch.h"
#include "tools/upc2c/plan/nest.h"
#include "tools/upc2c/plan/window.h"

/* Loops. */

/* What determines the position of an iteration in a layout. */
enum position
{
  POSITION_INTEGER, /* the value of the expression */
  POSITION_ELEMENT, /* the index of an element of a static array */
  POSITION_POINTER, /* thread and phase of what a pointer points to */
  POSITION_THREAD   /* the thread that a pointer points to, in a layout of block size 1 */
};

enum loop_form
{
  LOOP_AS_WRITTEN,
  /* A for or while, or a upc_forall whose owned iterations are computed, in strips: consecutive
     iterations in which references have constant strides. */
  LOOP_STRIPS,
  /* A upc_forall whose owned iterations are computed, but run one by one, as the body might change
     operands of the loop header. If it does and several threads execute the loop, the header is
     not single-valued and the behaviour is undefined (UPC 1.3, 6.6.2). A thread that executes
     all iterations itself must see the change. */
  LOOP_ONE_BY_ONE,
  LOOP_CHECKED /* a upc_forall that tests the affinity in each iteration */
};

enum access_stride
{
  STRIDE_IN_BLOCK, /* constant in memory, for a strip or always */
  STRIDE_BY_STEP,  /* constant for a strip, a multiple of the loop's step, known at run time */
  BLOCK_STRIDE,    /* a number of whole blocks */
  RECOMPUTE        /* none: the address is computed in each iteration */
};

/* A shared access of a loop, or several to the same element. Or a row: an array within one block, of
   which inner loops access elements. */
struct reference
{
  struct expr *l;          /* EXPR_INDEX; or EXPR_NAME, the pointer to the element */
  const struct type *type; /* of the element or row */
  struct expr *root;       /* EXPR_NAME: a static array, or a pointer */
  struct affine at;        /* the distance from it */
  bool is_own; /* the iteration's own element: its address follows from the set of iterations */
  enum access_stride stride_kind;
  int64_t stride; /* from one iteration to the next: ultimate elements, or steps of the loop */
  bool stays;     /* in its block, so that its address is known in all iterations */
  /* It moves from block to block, but in a strip by residues it stays in one thread's memory. */
  bool is_by_rounds;
  /* Of a meeting: the same element in all iterations. Not in the list of the loop's references. */
  bool is_fixed;
  int64_t shift;           /* of a loop with middles: its phase minus that of the own element */
  struct access_plan *row; /* an outer loop has the base address of its row */
  bool stays_in_row;
  bool is_in_phase;  /* it is known to have the phase that flat loops, pieces or middles need */
  struct expr *walk; /* the step by which each iteration moves the root, a pointer; or NULL */
  /* Of a loop that crosses_blocks: it goes from block to block, together with the reference
     crosses_with if that is not NULL. is_beside: both are on the same thread. */
  bool crosses;
  struct reference *crosses_with;
  bool is_beside;
  /* In all iterations it is APART elements behind this reference in memory; or NULL. */
  struct reference *neighbour;
  int64_t apart;
  bool is_ahead; /* -fupc-check: one look at the shadow serves several iterations */
  /* BLOCK_STRIDE, in the form of the loop that is_sure: the table in which its blocks are looked
     up, or NULL; and the test that its pointer leads to the start of a block, NULL for a static
     array. */
  struct tabled *tabled;
  struct sure *start;
  /* -fupc-network: the far part of a strip is copied before the strip, and back after it. */
  bool is_fetched, is_put;
  bool is_near; /* -fupc-network, while writing: all of the strip is near */
  /* Of a loop that is_windowed: how it is used, the window through which it is accessed, and its
     distance there from the window's lowest element. */
  bool is_read, is_written;
  struct window *window;
  int64_t in_window;
  int number;
  struct reference *next;
};

struct loop
{
  struct stmt *stmt;
  enum loop_form form;
  const char *reason;  /* why there is no better form; or NULL */
  bool is_kept;        /* as written, and nothing may be inserted before it */
  int number;          /* in the names of its variables in C */
  struct loop *outer;  /* the innermost one around it that has a form of its own, or NULL */
  struct loop *around; /* the innermost one around it that has a header, or NULL */

  /* An integer, or a pointer-to-shared that goes from element to element. */
  struct decl *induction;
  /* The condition: induction variable RELATION bound. NULL: the number of iterations is not known
     before the first one. */
  struct expr *bound;
  int relation;
  /* A private variable that the condition counts down, as in `while (n--)`; or NULL. */
  struct expr *counter;
  /* Each iteration changes the induction variable by STEP, or by step_value if that is NULL;
     downwards if is_down. */
  struct expr *step;
  int64_t step_value;
  int64_t rounds; /* STEP is this multiple of THREADS; 0: it may be anything else */
  bool is_down;
  struct secondary *secondaries; /* variables that move with it */
  /* That of them which the condition compares with the bound; NULL: the induction variable. */
  const struct secondary *compared;

  /* Of a upc_forall: owned iterations and the layout. */
  enum position position;
  struct expr *affinity; /* the integer, the element or the pointer */
  struct expr *divisor;  /* the block size, if it is not a constant; or NULL */
  uint32_t block;
  bool is_by_one; /* each iteration is one element further */
  /* Elements of static arrays in such blocks at this index are the iteration's own. */
  struct expr *index;

  /* Strips: how the iterations are divided into strips, in which each reference stays in one block. */
  bool is_consecutive; /* the iterations of a strip follow each other */
  uint32_t residues;   /* they are congruent modulo this multiple of THREADS; 0: they need not be */
  /* Of a upc_forall by phases: the phases in the middle of a block, which are done as one strip;
     middle_count 0: none. is_in_middle, while writing: the strip at hand is such a one. */
  uint32_t middle_first, middle_count;
  bool is_in_middle;
  /* With residues: a strip has all iterations in a piece of one thread's memory. */
  bool is_by_pieces;
  /* Of a loop by pieces: the body uses the induction variable for more than the indexes of its
     references; so a piece is done block by block. */
  bool needs_induction;
  bool is_by_blocks;
  bool is_windowed; /* it accesses elements through these windows */
  struct window *windows;
  struct kept_rows *kept_rows; /* rows that stay in windows of inner loops while it runs */
  struct lanes *lanes;         /* its iterations run in lanes, within the loops inside it */
  struct nest *nest;     /* it is the outermost loop of a nest that may run in private copies */
  struct nest *question; /* before it, the program tests whether this nest's arrays are apart */
  struct nest *asked;    /* it is in this nest, and need not repeat that test */
  int64_t longest_step;  /* of strips that are long enough, if the step is no constant; or 0 */
  /* Of a loop by residues, pieces, windows or lanes: the plan for few iterations, and for those whose
     order counts; of others, for longer steps than that; and, while the tree has the one plan, the other plan's accesses. */
  struct loop *in_order;
  struct kept *kept;
  struct reference *references;
  int reference_count;
  bool crosses_blocks; /* addresses in the next block follow from those in the last one */
  bool is_by_elements; /* it is as written, since its strips would be too short */
  bool is_in_body;  /* while planning: in the body, where RECOMPUTE is done, not in the condition */
  bool may_be_flat; /* a thread's blocks are one strip if all references have one phase */
  /* Independent iterations: none accesses what another one writes, unless one of these meetings is
     found to be true, before the loop or in a strip. */
  bool is_independent;
  struct meeting *meetings;
  struct strip_meeting *strip_meetings;
  bool keeps_order;        /* iterations load what later ones store to */
  bool is_for_vectors;     /* the C compiler should vectorise it */
  bool is_for_scalars;     /* the C compiler should not */
  struct certain *certain; /* -fupc-check: accesses that are checked once for a strip, or a loop */
  /* -fupc-check: what may be accessed of this reference, and beside it, is looked at once for a strip; MOST is the loop
     with the first part of its condition alone, which says how many iterations there can be. */
  struct reference *within;
  struct loop *most;
  bool is_within; /* while writing: in the form in which all of that is known to be in its block */
  bool has_order; /* the body may synchronise with other threads */
  struct batch *batch;   /* -fupc-network: how it runs if some processes are far; or NULL */
  bool asks_once;        /* -fupc-network: a strip tests at its start whether it is near */
  struct raced *raced;   /* -fupc-check=race: accesses that are reported once for a strip */
  struct tabled *tabled; /* tables of blocks that it and inner loops use */
  int tabled_count;
  struct recent *recents;  /* blocks that it and inner loops have used last */
  struct bounded *bounded; /* -fupc-check: of it and inner loops */
  /* It is written twice: for runs in which all of these hold, and THREADS is a power of 2 if
     is_sure_by_power; and for others. is_sure, while writing: the first one. */
  struct sure *sure;
  int sure_count;
  bool is_sure_by_power;
  bool is_sure;
  bool is_unlikely; /* while writing: the other one, which hardly ever runs */
  bool
      asks_for_order; /* while writing: the other one is the form for few iterations, which in_order is */
  bool is_unrolled;      /* it is short, and has scattered stores */
  struct copied *copied; /* arrays that it makes private copies of */
  int copied_count;
  /* The copies that it reads, if it is written twice: for runs in which all of them are made, and for
     others. is_by_copies: it reads elements in small blocks from these only, and otherwise its
     in_order runs. */
  struct copied_read *reads;
  bool is_by_copies;
  bool is_outlined; /* -fsanitize=address: a strip is a separate function, with these arguments */
  struct outlined *outlined;
  bool has_near_rows;             /* it has references to rows that are contiguous in memory */
  struct reference *invariants;   /* elements that do not move: their addresses are computed once */
  struct invariant_value *values; /* values that are loaded once for each strip */
  struct carried *carried;        /* values that an iteration stores and the next one loads */
  struct expr *copy_to;           /* all that the body does is copy_to = copy_from; or NULL */
  struct expr *copy_from;
  bool copies_down; /* to lower and lower addresses */
};

/* secondary.c: a secondary induction variable. In each iteration DECL is BASE + FACTOR * INDUCTION. */
struct secondary
{
  struct decl *decl;
  struct expr *base, *induction;
  int64_t factor;
  int number;
  struct secondary *next;
};

/* hoisted.c: a generated variable that holds VALUE, which is invariant in a loop. */
struct hoisted
{
  struct decl *decl;
  struct expr *value;
  int number;
  bool is_in_condition; /* the condition evaluates it, even if there is no iteration */
  struct hoisted *next;
};

/* lanes.c: a loop whose iterations run in lanes, within the loops inside it. BODY is its body, with a
   loop over the lanes around each statement; MOST is the greatest number of lanes. */
struct lanes
{
  struct loop *loop;
  struct stmt *body;
  uint64_t most;
  struct lane_scalar *scalars;
  int scalar_count;
  struct lane_meeting *meetings;
};

/* A variable that has a separate value in each lane. */
struct lane_scalar
{
  struct decl *decl;
  int number;
  bool is_outer; /* declared before the loop */
  struct lane_scalar *next;
};

/* Two roots; the program tests at run time whether they lead to the same elements. */
struct lane_meeting
{
  struct expr *a, *b;
  struct lane_meeting *next;
};

/* An argument of the function of a loop that is_outlined: a reference of the loop or of one around it, a private variable that
   is declared outside the body, or what finds elements here and there: a table, a copy if that is_made, a recent block, or a
   start if the loop SURE is_sure. */
struct outlined
{
  struct loop *loop;
  struct reference *reference;
  struct decl *decl;
  struct tabled *tabled;
  struct copied *copied;
  struct recent *recent;
  struct sure *start;
  struct loop *sure;
  bool is_stored;
  struct outlined *next;
};

/* tabled.c: a table of the blocks of an array, or of the blocks that a pointer leads to. L is an element. */
struct tabled
{
  struct expr *l;
  struct expr *array; /* its name, or NULL */
  struct loop *loop;
  int number;
  bool is_small; /* the array has few blocks: there is a table but with very many threads */
  struct tabled *next;
};

/* recent.c: the block of the array ROOT, or of what that pointer leads to, in which the last access by an index was that moves
   with WALKER. */
struct recent
{
  struct loop *loop;
  struct decl *root, *walker;
  int number;
  struct recent *next;
};

/* bounded.c: a pointer to a block without bounds, whose object is looked up once for LOOP. */
struct bounded
{
  struct expr *pointer; /* its name */
  struct loop *loop;
  int number;
  struct bounded *next;
};

/* sure.c: a condition under which scattered accesses are fast: that a table of blocks exists, or that a
   pointer leads to the first element of a block on thread 0. */
struct sure
{
  struct tabled *tabled;
  struct expr *pointer; /* its name; or NULL: the condition is about the table */
  struct expr *l;       /* an element that is accessed through it */
  int number;
  struct sure *next;
};

/* copied.c: an array of which a loop makes a private copy, once it has read as many elements as the array
   has. */
struct copied
{
  struct expr *root; /* its name, or the pointer to it */
  struct expr *l;    /* an element */
  struct loop *loop;
  int number;
  struct stored *stores;
  bool is_made; /* while writing: in the form of the loop in which the copy exists */
  struct copied *next;
};

struct copied_read
{
  struct copied *copied;
  struct copied_read *next;
};

/* A store of such a loop through a pointer, which may turn out to lead into the array. */
struct stored
{
  struct expr *root;
  bool is_forward; /* never to an element before the one that the pointer points to */
  struct stored *next;
};

/* carried.c: a value that one iteration stores and the next one loads as TO. */
struct carried
{
  struct loop *loop;
  struct expr *to;
  struct expr *late; /* the store, if it is done once, after the loop; or NULL */
  int number;
  struct carried *next;
};

/* The plan of an access in a loop, or in its in_order; see exchange_plans. */
struct kept
{
  struct expr *e;
  struct access_plan *plan;
  bool is_checked, is_raced;
  struct kept *next;
};

/* Two references by pointers; the program tests before the loop whether they lead to the same elements. */
struct meeting
{
  struct reference *a, *b;
  struct meeting *next;
};

/* strip_meeting.c: two accesses; each strip tests at its start whether they are to the same elements. */
struct strip_meeting
{
  const struct access_plan *a, *b;
  int count; /* of the meetings from here to the end of the list */
  struct strip_meeting *next;
};

/* invariant_value.c: an element that all iterations of a strip load, and none stores to. */
struct invariant_value
{
  struct loop *loop;
  struct expr *l;
  int number;
  struct invariant_value *next;
};

/* An access that is done in each iteration: to an element of a declared array, L, or of a reference by
   a pointer, whose name is L; or to FIXED, which is the same object in all iterations: `*p`, `p->x`. */
struct certain
{
  struct expr *l, *access;     /* L may be the pointer of ACCESS, which messages name */
  struct reference *reference; /* NULL: an element of a declared array */
  struct expr *fixed;
  struct certain *next;
};

/* --profile: a loop of which a tool is told only some iterations. */
struct sampled
{
  struct loop loop;   /* what its header says */
  struct decl *end;   /* a variable of ours: the bound of QUIET, or its counter */
  struct stmt *quiet; /* a copy, without events of accesses and without a first part */
  bool is_left;       /* by a break */
};

/* An access that is reported to the race detector. */
struct raced
{
  struct expr *l; /* the lvalue */
  struct reference *reference;
  bool is_write;
  struct raced *next;
};

/* Shorter strips cost more than they save. Strips cost less if the address in the next block follows from
   that in the last one. */
enum
{
  MIN_STRIP = 4,
  MIN_CROSSING_STRIP = 2
};

bool moves_by_one (const struct loop *loop);
/* By how much each iteration moves the induction variable, if that is known: loop->step is NULL. */
int64_t change_of_induction (const struct loop *loop);
/* Whether what LOOP copies may be in part, or all of it, what it copies to. */
bool may_copy_within (const struct loop *loop);
bool is_forall (const struct loop *loop);
/* Whether the number of iterations is known before the first one. */
bool is_counted (const struct loop *loop);
/* Whether the induction variable is a pointer-to-shared. */
bool is_by_pointer (const struct loop *loop);
/* Whether a pointer leads to R, which is not in a static array. */
bool is_pointer (const struct reference *r);
bool is_row (const struct reference *r);
/* within.c: whether R is an element of a block without bounds, found by a pointer, and has an address of its own. */
bool is_in_boundless_block (const struct reference *r);
/* Bytes of one element of R. */
uint64_t element_bytes (const struct reference *r);

/* element.c: whether the body of LOOP uses the induction variable for more than the indexes of its
   references. */
bool uses_induction (struct loop *loop);

/* kept.c: exchanges the plans that the tree has for LOOP: its own and those of its in_order. */
void exchange_plans (struct loop *loop);

/* moved.c: the greatest number of bytes that is fetched or put at once. */
enum
{
  FETCHED_BYTES = 4096
};

/* lanes.c: the greatest number of lanes, and the least that is worth while. */
enum
{
  MOST_LANES = 256,
  LEAST_LANES = 8
};

/* lane_scalar.c: whether D is a variable of LANES. */
bool is_lane_scalar (const struct decl *d, const struct lanes *lanes);
/* Whether S is `d = …;` with a value that does not depend on D. */
bool sets_scalar (struct stmt *s, struct decl *d);

/* The reference of the element that L is, or is a part of; NULL if it has another plan. */
struct reference *planned_reference (struct expr *l);
/* Whether L is an element whose value has come in a run. */
bool is_in_run (struct expr *l);
/* Whether all elements of R in a strip are in one block, and the address of the first one is known. */
bool is_in_strip (const struct reference *r);

/* certain.c: whether accesses in the code at token WHERE are checked. */
bool is_checked_code (token_index where);

/* crossing.c: whether the start of a strip of LOOP checks something, or reports it to the race detector or a tool. */
bool tells_of_strips (const struct loop *loop);

/* raced.c: whether an access to L is reported to the race detector. */
bool is_raced_code (const struct expr *l);
/* Whether anything in E or BODY may synchronise with other threads. */
bool may_order (struct expr *e);
bool has_order (struct stmt *body);

/* Accesses. */

enum address_kind
{
  ADDRESS_COMPUTED,  /* by the access itself */
  ADDRESS_REFERENCE, /* in a variable of LOOP, for REFERENCE */
  ADDRESS_INVARIANT, /* in a variable of LOOP, for REFERENCE, one of its invariants */
  ADDRESS_IN_ROW,    /* LOOP has that of ROW, an array of COUNT elements, for REFERENCE */
  ADDRESS_IN_RUN     /* in the private array of RUN */
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
  bool is_scattered;  /* ADDRESS_COMPUTED: in a loop that accesses a static array here and there */
  bool is_called;     /* ADDRESS_COMPUTED: by a call of a function, outside of loops */
  struct tabled *tabled;   /* ADDRESS_COMPUTED: the table that has its block */
  struct bounded *bounded; /* ADDRESS_COMPUTED: whose object's bounds it is compared with */
  struct recent *recent;   /* ADDRESS_COMPUTED: the block that it is most often in; or NULL */
  bool is_asked_about; /* ADDRESS_COMPUTED: whether it may be accessed, where a loop is_outlined */
  struct loop *sure;   /* ADDRESS_COMPUTED: it is faster in this loop's form that is_sure */
  struct sure *start;  /* ADDRESS_COMPUTED: what that form knows of the pointer; or NULL */
  struct copied *copied;         /* ADDRESS_COMPUTED: the copy that it reads, if one is made */
  struct carried *carried;       /* a variable has its value from the previous iteration */
  struct invariant_value *value; /* a variable has its value for the whole strip of a loop */
  const struct batched *run;
};

/* plan.c: plans the loops and accesses of FUNCTION. IS_NESTED: it is inside another function and sees
   variables that others change, so nothing is known about these. */
void plan_function (struct decl *function, bool is_nested);

#endif
