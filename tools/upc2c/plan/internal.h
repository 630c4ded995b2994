/* Declarations that only plan/ uses. */

#ifndef UPC2C_PLAN_INTERNAL_H
#define UPC2C_PLAN_INTERNAL_H

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/plan/plan.h"

/* lvalue.c */

/* Whether D is a variable, of any storage duration, or a parameter. */
bool is_variable (const struct decl *d);
/* The element that E itself, without its operands, accesses, or the name of the pointer to it; or NULL. */
struct expr *accessed_element (struct expr *e);

/* Whether E assigns. */
bool is_store (const struct expr *e);
/* Whether E is a constant, or an operator that only computes with the values of its operands. */
bool is_operator (const struct expr *e);
/* Whether L names a private variable or a part of one. */
bool is_private_name (struct expr *l);

/* invariant.c */

/* Whether C's aliasing rules let a store to an lvalue of type STORED change one of type VARIABLE. */
bool may_alias (const struct type *stored, const struct type *variable);
/* Whether E accesses through a private pointer what may be a shared element of TYPE, as a cast pointer
   does. */
bool may_be_element (struct expr *e, const struct type *type);

/* Starts a function, whose body is BODY. IS_KNOWN: it is in no other function, so that no code outside of BODY
   names its variables. */
void enter_function (struct stmt *body, bool is_known);
/* The IS_KNOWN of the present function. */
bool knows_variables (void);
/* Whether D, a private variable, keeps its value while the body of LOOP runs. */
bool is_unchanged (struct decl *d, struct stmt *loop);
/* Whether E has the same value in all iterations, and no side effects. */
bool is_loop_invariant (struct expr *e, struct loop *loop);

/* sampled.c: finds the loops in BODY, a function's, of which a tool is told only some iterations. */
void sample_loops (struct stmt *body);

/* certain.c */

typedef void expr_visitor (struct expr *e, void *data);

/* Whether all indexes of L are known, and move by constant steps in LOOP. */
bool has_known_indexes (struct expr *l, struct loop *loop);
/* Notes that L, and all elements of declared arrays around it, are checked elsewhere. */
void mark_checked (struct expr *l);
/* Whether nothing in BODY can end the loop, the iteration or the program. */
bool is_straight (struct stmt *body);
/* Calls VISIT for each expression of S, which is straight, that every execution of S evaluates. */
void visit_certain (struct stmt *s, expr_visitor *visit, void *data);
void visit_certain_expr (struct expr *e, expr_visitor *visit, void *data);
/* Finds the accesses that each iteration of LOOP, whose body is planned, does. */
void find_certain (struct loop *loop);

/* covered.c: the accesses in LOOP that the checks of the certain ones serve, too. */
void find_covered (struct loop *loop);

/* ahead.c: sets is_ahead of references of LOOP, whose body is planned. */
void find_ahead (struct loop *loop);
/* Whether one look of LOOP may serve several iterations: nothing that it accesses is freed in between. */
bool may_look_ahead (struct loop *loop);
/* Whether the loop S may free a block, or wait for a thread that does. */
bool may_free (struct stmt *s);

/* within.c: sets within and most of LOOP, which is planned. */
void find_within (struct loop *loop);

/* crossing.c */

/* The least number of iterations in a block of BLOCK elements that makes strips worth while, if LOOP moves
   by STRIDE. */
int64_t least_strip (int64_t block, int64_t stride, const struct loop *loop);
/* Sets crosses_blocks of LOOP, whose plan is complete otherwise. */
void find_crossing (struct loop *loop);
/* Whether LOOP, for which that is done, is faster without strips. IS_FEW: it has a few iterations. */
bool crosses_too_often (struct loop *loop, bool is_few);
/* neighbour.c */
void find_neighbours (struct loop *loop);
/* Whether LOOP accesses all elements that R moves by. */
bool has_all_neighbours (const struct reference *r, const struct loop *loop);

/* carried.c: finds the values that iterations of LOOP, whose body is planned, carry to the next one, and
   marks their stores and loads. */
void find_carried (struct loop *loop);
/* Whether each iteration of LOOP, whose references are known, loads what the one before has stored. */
bool waits_for_previous (struct loop *loop);

/* all_near.c: copies of the loops in FUNCTION, a body that is not planned, for runs in which all partitions are near. */
void copy_near_loops (struct stmt *function);

/* near.c */

/* Whether D, a declaration in a block, declares something that must not be declared twice. */
bool declares_static (const struct declaration *d);
/* Sets asks_once of LOOP, and is_fetched and is_put of its references. */
void find_near (struct loop *loop);

/* moved.c */

/* Whether each iteration of a loop with BODY evaluates all of BODY, which has neither jumps nor asm. */
bool does_all (struct stmt *body);
/* Sets is_fetched and is_put of R, a reference of LOOP. */
void find_moved (struct loop *loop, struct reference *r);
/* Whether LOOP, whose body is not planned yet, should not cross blocks, as its strips are moved as a
   whole. */
bool is_better_in_strips (struct loop *loop);

/* batch.c: finds the loops in S, which is planned, that run in batches. PLAN_LOOP plans a loop inside them anew. */
void find_batches (struct stmt *s, void (*plan_loop) (struct stmt *s));

/* batch_run.c: finds which accesses of BATCH are runs; PLAN_LOOP plans copies of their loops. */
void find_runs (struct batch *batch, void (*plan_loop) (struct stmt *s));

/* outlined.c: sets is_outlined of LOOP, whose body is planned. */
void find_outlined (struct loop *loop);
/* outlined_body.c: whether LOOP does nothing but access elements in strips, and scalars. Notes what it uses. */
bool is_of_strips (struct loop *loop);

/* copied.c: the copy that AROUND, or a loop around it, makes of the array of L, an element that is loaded;
   or NULL. */
struct copied *find_copied (struct expr *l, struct loop *around);
/* Plans LOOP, which has lanes, again if it reads elements in small blocks that may be copied. */
void try_copies (struct loop *loop);

/* called.c: accesses that are outside of loops, as far as the tree shows. begin_straight starts a
   function, note_straight notes such an access, L, which has a plan, and settle_straight decides whether
   they become calls. */
void begin_straight (void);
void note_straight (struct expr *l);
void settle_straight (const struct decl *function);

/* tabled.c: the table of blocks in which AROUND looks up L, an element; or NULL. */
struct tabled *find_tabled (struct expr *l, struct loop *around);
/* Whether there is going to be a table for L, an element, as its array is known to have few blocks. */
bool has_small_table (struct expr *l);
/* The loop that looks for the tables and recent blocks of AROUND. */
struct loop *outermost_loop (struct loop *around);

/* recent.c: the recent block by which AROUND finds L, an element; or NULL. */
struct recent *find_recent (struct expr *l, struct loop *around);
/* Whether LOOP, in AROUND, searches on from where AROUND was left with its variable, among elements that are found so. */
bool is_resumed (const struct loop *loop, struct loop *around);

/* seldom.c: finds an assignment in S, an if within a loop, that is seldom made. */
void find_seldom (struct stmt *s);

/* bounded.c: of L, an access here and there in LOOP; NULL: it is checked in another way. */
struct bounded *find_bounded (struct expr *l, struct loop *loop);

/* reduction.c: the reduction in E, an expression statement of LOOP, if it may be done in any order: an
   addition to a sum, or an update of an extreme; or NULL. */
struct expr *reduction_of (struct expr *e, struct loop *loop);
/* The operand that REDUCTION adds, or compares with its result. */
struct expr *reduced_by (struct expr *reduction);
/* The assignment in S, an `if` that only updates a largest or smallest value; or NULL. */
struct expr *extreme_of (struct stmt *s, struct loop *loop);

/* update.c: the update in E, an expression statement of LOOP, if it changes scattered elements and may be
   done in any order; or NULL. */
struct expr *update_of (struct expr *e, struct loop *loop);
/* Whether nothing else in LOOP can access the array that UPDATE changes. */
bool is_updated_alone (struct expr *update, struct loop *loop);

/* two_forms.c: whether LOOP may be written twice, and the number of its iterations is known: before the
   loop, or after it from the induction variable. */
bool may_have_two_forms (struct loop *loop);
/* Whether the iterations of LOOP may stand in two places, of which each run takes one. */
bool may_be_repeated (struct loop *loop);

/* long_step.c: plans LOOP for long steps, too, if its step is no constant. */
void try_long_steps (struct loop *loop);

/* sure.c: finds whether AROUND is written twice, so that L, which is scattered, is faster in one of the
   forms. */
void find_sure (struct expr *l, struct loop *around);
/* The same for references of LOOP that move by whole blocks. */
void find_sure_strides (struct loop *loop);

/* unrolled.c: sets is_unrolled of AROUND, which stores to L, a scattered element. */
void find_unrolled (struct expr *l, struct loop *around);

/* strided.c */

/* The reference of L, an element or the name of a pointer, if it has a constant stride in LOOP's strips;
   or NULL. */
struct reference *strided_reference (struct expr *l, struct loop *loop);
/* The name of p, if LVALUE is `*p` or `*p++` in LOOP; else NULL. */
struct expr *name_pointed_by (struct expr *lvalue, struct loop *loop);

/* raced.c: notes an access to L that each iteration of LOOP does. Nothing in LOOP synchronises threads. */
void note_raced (struct expr *l, bool is_write, struct loop *loop);

/* pure.c */

/* Whether E, a call, changes no variables except through its operands; and whether it calls a function of
   <math.h>, which reads none, either. */
bool is_pure_call (struct expr *e);
bool is_math_call (struct expr *e);

/* form.c: sums of terms. */

enum
{
  /* Larger numbers are not followed, so that products of two do not overflow. */
  MOST_BITS = 30
};

bool is_small_number (int64_t n);
/* Whether all known numbers in F are small. */
bool is_small_form (const struct affine *f);
bool is_induction (struct expr *e, const struct loop *loop);
/* The secondary induction variable of LOOP that E names, or NULL. */
const struct secondary *secondary_of (const struct expr *e, const struct loop *loop);
/* Whether A and B are the same expression of the same variables. */
bool are_same_expr (struct expr *a, struct expr *b);
uint64_t common_divisor (uint64_t a, uint64_t b);
void add_term (struct affine *f, struct term added);
/* Adds N times F, or N * THREADS times F, to SUM. */
void add_scaled (struct affine *sum, const struct affine *f, int64_t n);
void add_by_threads (struct affine *sum, const struct affine *f, int64_t n);
/* Whether F is *FACTOR * THREADS. */
bool is_multiple_of_threads (const struct affine *f, int64_t *factor);
/* A number of elements that depends on THREADS: FIXED + BY_THREADS * THREADS. */
struct distance
{
  int64_t fixed, by_threads;
};

/* Whether B - A is such a number. */
bool find_distance (const struct affine *a, const struct affine *b, struct distance *apart);

/* affine.c: whether E, a name, means the same before LOOP: its body does not declare it. */
bool is_outer_name (const struct expr *e, const struct loop *loop);

/* header.c */

/* A new number for a loop. */
int next_number (void);

/* Whether the induction variable may wrap around on its way to the bound. */
bool may_wrap (const struct loop *loop);
/* Whether E is a private pointer to elements that are not arrays. */
bool is_pointer_variable (struct expr *e);
/* Whether E, the step of LOOP or a part of it, changes the induction variable. */
bool moves_induction (const struct expr *e, const struct loop *loop);
/* Whether PART, of a step, moves a variable by BY, or by one, which is NULL: i++, i -= 2, i = i + k. */
bool find_move (struct expr *part, struct expr **by, bool *is_down);
/* Find the induction variable and its step; the bound; all three. False if the loop has no induction
   variable. */
bool find_induction (struct loop *loop);
bool find_bound (struct loop *loop);
bool find_header (struct loop *loop);
/* Finds the counter of `while (n--)` and the like. */
void find_counter (struct loop *loop);
/* The first value of the induction variable, or NULL. */
struct expr *first_value (const struct loop *loop);
/* LOOP, or the one of whose iterations it does some. */
struct loop *whole_loop (struct loop *loop);
/* Whether the first and the last value of LOOP's induction variable are constants. The bound may be NULL. */
bool find_constants (struct loop *loop, int64_t *first, int64_t *last);
/* The same of what its values lie between, if that is not negative. */
bool find_range (struct loop *loop, int64_t *first, int64_t *last);
/* How many iterations S, a loop, has, if that is a constant; else 0. LOOP has its header then. */
int64_t constant_iterations (struct stmt *s, struct loop *loop, int64_t *first);

/* affinity.c: finds the position of LOOP, whose stmt and form are set. False if the affinity is not an
   affine expression of an induction variable, or does not remain one in that form. */
bool find_position (struct loop *loop);

/* control_flow.c */

/* Whether S itself is a loop. */
bool is_loop (struct stmt *s, void *nothing);
/* Whether S, the body of a loop, has a break or a continue of that loop, not of one inside. */
bool has_break (struct stmt *s);
bool has_continue (struct stmt *s);
/* Whether control can enter S otherwise than from above. IS_IN_SWITCH: S is in a switch that is examined
   as a whole. */
bool has_entry (struct stmt *s, bool is_in_switch);
/* Whether a pragma other than UPC's stands before S. */
bool stands_behind_pragma (const struct stmt *s);
/* Whether one stands before S or in it: it may need the loop as it is, or name its variables. */
bool has_pragmas (const struct stmt *s);
/* Whether ASK is true of an expression of S. Loops inside S are left out: they have their own strips. */
bool any_outside_loops (struct stmt *s, expr_question *ask, void *data);

/* invariant_address.c: whether L, an element, is the same one in all iterations, and can be located before
   the first: it does not depend on a variable that the body declares. */
bool is_fixed_element (struct expr *l, struct loop *loop);
/* The same; also fills in R, a reference that does not move. */
bool find_fixed_element (struct expr *l, struct loop *loop, struct reference *r);
/* The reference of L among the invariants of WIDEST, which is set to the outermost loop, INNERMOST or one
   around it, in which L is invariant; or NULL. */
struct reference *find_invariant (struct expr *l, struct loop *innermost, struct loop **widest);

/* element.c */

/* The name of the array or pointer that L starts from; NULL if it has none. */
struct expr *root_name (struct expr *l);
/* The same for L, an element or the pointer to one. If the root has no name, another expression or NULL. */
struct expr *root_of_name (struct expr *l);
/* Whether A and B are known to lead to different objects, as one is the pointer to a private copy. */
bool are_apart (const struct decl *a, const struct decl *b);
/* Whether roots A and B may lead to one object. Two declarations of a name may be of one object. */
bool may_overlap (struct expr *a, struct expr *b);
/* Whether ROOT is a static array, or a pointer that LOOP does not change. */
bool is_good_root (struct expr *root, struct loop *loop);
/* Whether L is a number, and the moment of an access to it is not observable. */
bool is_plain_access (struct expr *l);
/* How many elements one step of the induction variable moves the element AT this distance from ROOT. */
int64_t element_factor (const struct expr *root, const struct affine *at, const struct loop *loop);
/* The type of L, an element, or of what L, a pointer, points to. */
const struct type *element_type_of (const struct expr *l);
/* Finds how far the elements A and B are apart in all iterations of LOOP; false if that is not known, or if
   their roots differ. */
bool find_elements_apart (struct expr *a, struct expr *b, struct loop *loop, int64_t *apart);
/* Whether the elements A and B are known to be the same one in iterations of LOOP that are close together. */
bool are_near (struct expr *a, struct expr *b, struct loop *loop);
/* Whether the index of R minus that of the own element of LOOP, a upc_forall, is a constant, APART, both
   counted from their roots. IS_KNOWN: so is the difference of their phases, wherever pointers lead. */
bool find_apart_from_own (struct reference *r, struct loop *loop, int64_t *apart, bool *is_known);
/* If L is a pointer that LOOP's body declares as `p = &a[i]`, and it points there in the whole iteration:
   a[i]. Else L. */
struct expr *pointed_element (struct expr *l, struct loop *loop);
/* Whether L, an element or a pointer, is the element whose affinity controls LOOP, or has the same place in
   another array. */
bool is_own_element (struct expr *l, struct loop *loop);
/* The reference of LOOP to element L, or NULL. */
struct reference *reference_to (struct loop *loop, struct expr *l);
/* Whether L is an element in small blocks. */
bool is_in_small_blocks (const struct expr *l);

/* reference.c */

/* Finds the references of LOOP: elements that it accesses itself, and elements that loops inside it access,
   or else their rows. */
void find_references (struct loop *loop);

/* Adds the reference through the pointer that STEP moves in each iteration. IS_POINTED: STEP is the operand
   of an access. Of prefix operators, it may be --. */
void add_walk (struct loop *loop, struct expr *step, bool is_pointed);
/* Drops the references of LOOP for which IS_BAD is true. */
void drop_references (struct loop *loop,
                      bool (*is_bad) (const struct reference *r, struct loop *loop));

/* while.c: makes the last statement of the body of while loops in BODY their step, if it is one. */
void find_steps_of_while (struct stmt *body);
/* steps.c: the same of counters that the bodies of loops in FUNCTION, a body, move once. */
void find_steps_in_bodies (struct stmt *function);
/* Calls VISIT for each name in E, an index, that arithmetic leads to. What has a name that VISIT replaces is written anew, too. */
bool visit_names (struct expr *e, expr_question *visit, void *data);
/* index_value.c: gives indexes in FUNCTION, a body, the values of variables that iterations set once. */
void find_index_values (struct stmt *function);
/* Makes the step of LOOP of S, which is in its body. */
void take_statement (struct stmt *s, struct stmt *loop);

/* secondary.c: by how much PART of a step moves a variable; 0: by nothing that is known. */
int64_t constant_change (struct expr *part);
/* Finds the secondary induction variables of LOOP, whose induction variable, step and bound are known; the induction
   variable may become one of them. */
void find_secondaries (struct loop *loop);

/* uses.c: how often DECL is named, and how often a store changes it by its name. */
struct name_uses
{
  const struct decl *decl;
  int names, stores;
};

struct name_uses uses_in (struct stmt *s, const struct decl *d);
/* The same in LOOP without its initialisation, which is done once. */
struct name_uses uses_in_iterations (const struct stmt *loop, const struct decl *d);

/* generated.c: a variable of the planner's own, which is declared before S. */
struct decl *generate_variable (const char *name, struct type *type, const struct stmt *s);
/* The name of D, which is written in the place of E. */
struct expr *name_instead (const struct expr *e, struct decl *d);

/* full_unroll.c: replaces short loops in S by their iterations if the loops around them gain from it. FUNCTION: all
   that may name their variables. */
void unroll_loops (struct stmt *s, struct stmt *function);
/* Increments *COUNT, an int64_t, if E is an access to shared data. */
bool count_access (struct expr *e, void *count);

/* walk.c */

/* Whether E is a statement expression, ({ … }). */
bool is_statement_expr (struct expr *e, void *nothing);
/* Whether E moves a pointer by one element. */
bool is_walking_step (struct expr *e);
/* Finds the references through walking pointers. */
void find_walks (struct loop *loop);
/* Makes one of these pointers the induction variable. */
void find_walking_induction (struct loop *loop);
/* Drops those in blocks of 1 whose pointers must have their values in each iteration. */
void drop_bad_cursors (struct loop *loop);

/* known.c */

/* The plan for the address of L, an element or a pointer, in the C of INNERMOST and the loops around it. */
struct access_plan *find_known (struct expr *l, struct loop *innermost);
/* The plan of the row that L is in; NULL if none of these loops has its address. */
struct access_plan *find_known_row (struct expr *l, struct loop *innermost);

/* strips.c: chooses the form of LOOP, a STMT_FOR or STMT_WHILE, or a STMT_FORALL with an
   affinity. */
void plan_for (struct loop *loop);
void plan_forall (struct loop *loop);
/* Sets the bound to NULL, unless the number of iterations is known before the first one. */
void find_count (struct loop *loop);

/* independence.c: sets is_independent, is_for_vectors and copy_to. */
void find_independence (struct loop *loop);

/* dependence.c */

/* The reference of L in LOOP, if it moves with its iterations; or NULL. */
struct reference *reference_of (struct expr *l, struct loop *loop);
/* That of `*p` or `*p++`, by a pointer that walks, in a loop by residues. */
struct reference *walk_to (struct expr *l, struct loop *loop);
/* Whether it is known that no iteration of LOOP accesses as A the element that another one accesses as B. */
bool never_meet (struct expr *a, struct expr *b, struct loop *loop);
/* Whether LOOP accesses by ACCESS what only later iterations store to, and each iteration does that before it stores:
   then LOOP keeps its order. */
bool note_order (struct expr *access, struct expr *store, struct loop *loop);
/* Whether it is left to the run time where A is and B, which is stored to; LOOP goes by residues or through windows. */
bool note_loop_meeting (struct expr *a, struct expr *b, struct loop *loop);

/* invariant_value.c: finds the values of LOOP, whose body is planned. */
void find_values (struct loop *loop);

/* strip_meeting.c: notes that strips of LOOP test at run time whether A and B meet. False if they cannot. */
bool note_strip_meeting (struct expr *a, struct expr *b, struct loop *loop);

/* residue.c: divides LOOP into strips by residues, if its iterations can be counted before the first one and
   it is worth while. */
void try_residues (struct loop *loop);
/* The same for a upc_forall that has another plan: strips by the phases of its blocks. */
void try_phases (struct loop *loop);
/* Finds LOOP's references and its independence if its strips are by residues modulo RESIDUES * THREADS. */
void find_references_by_residues (struct loop *loop, uint32_t residues);
/* Whether LOOP, by residues, knows the addresses of all elements in blocks that PLAIN, the same loop in the
   program's order, knows. */
bool knows_as_much (struct loop *loop, const struct loop *plain);
/* Makes PLAIN the in_order of LOOP. */
void keep_in_order (struct loop *loop, const struct loop *plain);
/* Whether LOOP, a upc_forall, has elements in blocks that are not known to have the phase of its own
   elements. */
bool has_other_phases (const struct loop *loop);

/* middle.c: finds the phases that LOOP, which has_other_phases, does as one; false if there are none. */
enum
{
  LARGEST_MIDDLE_BLOCK = 64
};
bool find_middle (struct loop *loop);

/* pieces.c: divides LOOP into strips by pieces, thread by thread, if that suits all its elements. */
void try_pieces (struct loop *loop);
/* Whether A and B, in blocks of one size, are known to have different phases. */
bool are_out_of_phase (const struct reference *a, const struct reference *b, struct loop *loop);

/* window.c: divides LOOP into strips through windows, if elements are at different places in small blocks. */
void try_windows (struct loop *loop);

/* hoisted.c: gives generated names to pointers and integers that are invariant in LOOP. */
void hoist_reads (struct loop *loop);
/* Whether E itself reads something that an iteration of S, a loop that evaluates E, may change. */
bool reads_stored (struct expr *e, struct stmt *s);

/* nest_state.c: the tree of S, the outermost loop of a nest, as it is, for exchange_state; what changes in it from now on is the
   other state. */
struct nest_state *keep_state (struct stmt *s);
/* nest_copy.c: puts the tree of S into the state with the copies. */
void name_copies (struct nest *nest, struct stmt *s);
/* outlined_body.c: the argument of the function of LOOP that USE is, which is added if it is new. */
struct outlined *note_outlined (struct loop *loop, struct outlined use);
/* outlined_nest.c: whether NEST may be a function that AddressSanitizer does not instrument. Notes its arguments. */
bool may_be_function (struct nest *nest);
/* kept_rows.c: finds the rows in windows of LOOP, which is planned, that are kept from one iteration of the
   loop around it to the next. NEST has both. */
void keep_rows (struct loop *loop, struct nest *nest);
/* nest.c: the nest of the loop S, which has no plan yet, if it is known what it accesses; or NULL. */
struct nest *find_nest (struct stmt *s);
/* tile.c: how many iterations LOOP has at most from FIRST to BOUND, or to the smaller one of `c ? x : y`; 0: unknown. */
uint64_t iterations_of_tile (struct expr *first, struct expr *bound, struct loop *loop);
/* Lets NEST do the run-time tests of LOOP, which is in it. False if NEST cannot do some of them. */
bool ask_nest (struct loop *loop, struct nest *nest);

/* lane_body.c: the body of LOOP, whose plan has lanes, with loops over the lanes. */
struct stmt *body_over_lanes (struct loop *loop);
/* lanes.c: plans LOOP again, with lanes, if the loops in it go down columns. */
void try_lanes (struct loop *loop);

/* kept.c: moves the plans that the tree has for LOOP aside, to make room for those of its in_order. */
void put_plans_aside (struct loop *loop);

/* report.c: notes for -fupc-report. AROUND is the innermost loop with a header, or NULL. */
void report_loop (struct loop *loop);
void report_unrolled (struct stmt *loop, int64_t iterations);
/* S is the outermost loop of NEST; the notes that follow are for the other state. */
void report_nest (const struct nest *nest, const struct stmt *s);
void report_kept_rows (const struct loop *loop);
/* What LOOP moves before and after its strips; what a batch gathers. */
void report_near (const struct loop *loop);
void report_batch (const struct batch *batch);
void report_access (struct expr *l, const struct loop *around);
/* COUNT accesses outside of loops are done by calls. */
void report_straight (const struct decl *function, int count);
/* E is reached by a pointer that has no name. */
void report_pointed (struct expr *e);
/* The reason why L has no better plan than ADDRESS_COMPUTED. */
const char *reason_to_compute (struct expr *l, struct loop *around);

/* wait.c: if LOOP waits for other threads, makes the reads of shared data that end it strict. */
void settle_wait (struct stmt *loop);

#endif
