/* What only plan/ uses. */

#ifndef UPC2C_PLAN_INTERNAL_H
#define UPC2C_PLAN_INTERNAL_H

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/plan/plan.h"

/* lvalue.c */

/* Whether D is a variable, of whatever duration, or a parameter. */
bool is_variable (const struct decl *d);
/* The element that E, an expression, accesses itself, or the pointer to it if that is a name; or
   NULL. */
struct expr *accessed_element (struct expr *e);

/* Whether E assigns. */
bool is_store (const struct expr *e);
/* Whether E is a constant, or an operator that does nothing but with the values of its operands. */
bool is_operator (const struct expr *e);
/* Whether L is a private variable, or a part of one, by its name. */
bool is_private_name (struct expr *l);

/* invariant.c */

/* Whether a store to an lvalue of type STORED may change one of type VARIABLE, by the rules of C. */
bool may_alias (const struct type *stored, const struct type *variable);
/* Whether E accesses by a private pointer what may be an element of TYPE: a cast one leads to it. */
bool may_be_element (struct expr *e, const struct type *type);

/* BODY is that of the function to be planned; IS_KNOWN: of its variables all is known. */
void enter_function (struct stmt *body, bool is_known);
/* Whether it is. */
bool knows_variables (void);
/* Whether D, a private variable, keeps its value while the body of LOOP runs. */
bool is_unchanged (struct decl *d, struct stmt *loop);
/* Whether E has the same value in all iterations, and no side effects. */
bool is_loop_invariant (struct expr *e, struct loop *loop);

/* sampled.c: which events LOOP's strips may do without, as its references are. */
void find_sampled (struct loop *loop);

/* certain.c */

typedef void expr_visitor (struct expr *e, void *data);

/* Whether nothing in BODY may end the loop, the iteration or the program. */
bool is_straight (struct stmt *body);
/* Calls VISIT for each expression of S that is evaluated whenever S, which is straight, is executed. */
void visit_certain (struct stmt *s, expr_visitor *visit, void *data);
void visit_certain_expr (struct expr *e, expr_visitor *visit, void *data);
/* Which accesses LOOP, whose body is planned, is certain to do. */
void find_certain (struct loop *loop);

/* ahead.c: which references of LOOP, whose body is planned, have is_ahead. */
void find_ahead (struct loop *loop);

/* crossing.c */

/* The fewest iterations in a block of BLOCK elements that are worth while where LOOP moves by STRIDE. */
int64_t least_strip (int64_t block, int64_t stride, const struct loop *loop);
/* Whether something is checked or told where a strip of LOOP begins. */
bool tells_of_strips (const struct loop *loop);
/* Sets crosses_blocks of LOOP, of which all else is known. */
void find_crossing (struct loop *loop);

/* carried.c: finds what LOOP, whose body is planned, has carried, and marks the stores and the loads. */
void find_carried (struct loop *loop);

/* near.c */

/* Whether D, in a block, declares what may not be declared twice. */
bool declares_static (const struct declaration *d);
/* Finds whether LOOP asks_once, and what of its strips is moved. */
void find_near (struct loop *loop);

/* moved.c */

/* Whether each iteration of a loop with BODY, which has neither jumps nor asm, does all that is in it. */
bool does_all (struct stmt *body);
/* Finds whether R, of LOOP, is_fetched and is_put. */
void find_moved (struct loop *loop, struct reference *r);
/* Whether strips of LOOP, whose body is not planned, had better not go from block to block, as they are moved. */
bool is_better_in_strips (struct loop *loop);

/* batch.c: finds the loops in S, which is planned, that go by batches. */
void find_batches (struct stmt *s);

/* outlined.c: sets is_outlined of LOOP, whose body is planned. */
void find_outlined (struct loop *loop);

/* copied.c: what AROUND, or a loop around that, has of the array of L, an element that is loaded; or
   NULL. */
struct copied *find_copied (struct expr *l, struct loop *around);
/* Plans LOOP, which is over lanes, anew if it reads elements in small blocks of which copies may be made. */
void try_copies (struct loop *loop);

/* called.c: L has a plan and is done once, as far as the tree tells; what of these is called, at the end. */
void begin_straight (void);
void note_straight (struct expr *l);
void settle_straight (const struct decl *function);

/* tabled.c: the table of blocks in which AROUND looks up L, an element; or NULL. */
struct tabled *find_tabled (struct expr *l, struct loop *around);

/* reduction.c: E, an expression statement of LOOP, if it adds to a sum, or looks for an extreme, which may be done in any
   order; or NULL. */
struct expr *reduction_of (struct expr *e, struct loop *loop);
/* What REDUCTION adds, or compares with its result. */
struct expr *reduced_by (struct expr *reduction);
/* The assignment in S, an `if` that only looks for the largest or smallest value; or NULL. */
struct expr *extreme_of (struct stmt *s, struct loop *loop);

/* update.c: E, an expression statement of LOOP, if it updates an element here and there, which may be done in any order;
   or NULL. Whether nothing else in LOOP may access what UPDATE does. */
struct expr *update_of (struct expr *e, struct loop *loop);
bool is_updated_alone (struct expr *update, struct loop *loop);

/* two_forms.c: whether LOOP may be done in one of two forms, and its iterations are known before, or after by the induction
   variable. */
bool may_have_two_forms (struct loop *loop);

/* sure.c: whether AROUND is written once more for what makes L, which is scattered, quick. */
void find_sure (struct expr *l, struct loop *around);
/* The same for what moves by whole blocks in LOOP. */
void find_sure_strides (struct loop *loop);

/* unrolled.c: whether AROUND, which stores to L, which is scattered, is unrolled. */
void find_unrolled (struct expr *l, struct loop *around);

/* strided.c */

/* The reference of L, an element or the name of a pointer, that has a constant stride in LOOP's strips;
   or NULL. */
struct reference *strided_reference (struct expr *l, struct loop *loop);
/* The name of the pointer by which LVALUE is `*p` or `*p++` in LOOP; else NULL. */
struct expr *name_pointed_by (struct expr *lvalue, struct loop *loop);

/* raced.c: L is accessed in each iteration of LOOP, in which nothing orders threads. */
void note_raced (struct expr *l, bool is_write, struct loop *loop);

/* pure.c */

/* Whether E, a call, changes no variables but by its operands; and whether it is of a function of <math.h>, which reads none
   either. */
bool is_pure_call (struct expr *e);
bool is_math_call (struct expr *e);

/* affine.c */

bool is_induction (struct expr *e, const struct loop *loop);
/* The secondary induction variable that E is the name of, or NULL. */
const struct secondary *secondary_of (const struct expr *e, const struct loop *loop);
/* Whether E, a name, means the same before the loop: it is not one of its body. */
bool is_outer_name (const struct expr *e, const struct loop *loop);
/* Whether A and B are the same expression of the same variables. */
bool are_same_expr (struct expr *a, struct expr *b);
uint64_t common_divisor (uint64_t a, uint64_t b);
/* Adds N times F to SUM. */
void add_scaled (struct affine *sum, const struct affine *f, int64_t n);

/* header.c */

/* The number of one more loop. */
int next_number (void);

/* Whether the induction variable may wrap around on its way to the bound. */
bool may_wrap (const struct loop *loop);
/* Whether E is a private pointer to elements that are no arrays. */
bool is_pointer_variable (struct expr *e);
/* Whether E, the step or a part of it, changes the induction variable. */
bool moves_induction (const struct expr *e, const struct loop *loop);
/* Fills in the induction variable and its step; the bound; all three. False if the loop has
   no induction variable. */
bool find_induction (struct loop *loop);
bool find_bound (struct loop *loop);
bool find_header (struct loop *loop);
/* The bound of `while (n--)` and the like. */
void find_counter (struct loop *loop);
/* What the induction variable starts from, or NULL. */
struct expr *first_value (const struct loop *loop);
/* Whether LOOP, whose bound may be NULL, has constants for the first and the last value of its
   induction variable; and whether these are not negative. */
bool find_constants (struct loop *loop, int64_t *first, int64_t *last);
bool find_range (struct loop *loop, int64_t *first, int64_t *last);

/* affinity.c: fills in LOOP, whose stmt and form are set; false where the affinity is no affine
   expression of an induction variable, or does not stay one in that form. */
bool find_position (struct loop *loop);

/* control_flow.c */

/* Whether S itself is a loop. */
bool is_loop (struct stmt *s, void *nothing);
/* Whether S has a break of its own loop, not of one inside. */
bool has_break (struct stmt *s);
bool has_continue (struct stmt *s);
/* Whether control may come into S otherwise than from above. IS_IN_SWITCH: S is in a switch
   that is looked at as a whole. */
bool has_entry (struct stmt *s, bool is_in_switch);
/* Whether a pragma but UPC's stands before S. */
bool stands_behind_pragma (const struct stmt *s);
/* Whether one stands before S or in it: it may want the loop as it is, or name
   its variables. */
bool has_pragmas (const struct stmt *s);
/* Calls ASK for the expressions of S but for those in loops of its own, which have strips
   of their own. */
bool any_outside_loops (struct stmt *s, expr_question *ask, void *data);

/* invariant_address.c: whether L, an element, is the same one in all iterations, and found before the first: a variable that
   the body declares has another value in each. */
bool is_fixed_element (struct expr *l, struct loop *loop);
/* The same; fills in R, a reference that does not move. */
bool find_fixed_element (struct expr *l, struct loop *loop, struct reference *r);
/* L as one of the invariants of WIDEST, the outermost such loop that is INNERMOST or around that; or NULL. */
struct reference *find_invariant (struct expr *l, struct loop *innermost, struct loop **widest);

/* element.c */

/* The array or pointer that L starts from if it has a name; else NULL. */
struct expr *root_name (struct expr *l);
/* The name of the array or pointer that L, an element or what a pointer points to, starts from; another expression, or NULL:
   it has none. */
struct expr *root_of_name (struct expr *l);
/* Whether A and B are known not to lead to one object: one is the pointer to a copy. */
bool are_apart (const struct decl *a, const struct decl *b);
/* Whether two roots may lead to one object: two declarations of a name may be of one. */
bool may_overlap (struct expr *a, struct expr *b);
/* Whether ROOT is a static array, or a pointer that LOOP does not change. */
bool is_good_root (struct expr *root, struct loop *loop);
/* Whether L is of a number, and nobody else is to see when it is accessed. */
bool is_plain_access (struct expr *l);
/* How many elements a step of the induction variable moves what is AT that distance from ROOT. */
int64_t element_factor (const struct expr *root, const struct affine *at, const struct loop *loop);
/* The type of L, an element, or of what L, a pointer, points to. */
const struct type *element_type_of (const struct expr *l);
/* How far the elements A and B are apart in all iterations of LOOP; false if that is not
   known, or their roots are not the same. */
bool find_elements_apart (struct expr *a, struct expr *b, struct loop *loop, int64_t *apart);
/* Whether it is known that the elements A and B are one in iterations of LOOP that are near to each other. */
bool are_near (struct expr *a, struct expr *b, struct loop *loop);
/* Whether R is by a constant, APART, more than the thread's own element in LOOP, a upc_forall, counted from their roots;
   IS_KNOWN: and their phases are, wherever pointers lead. */
bool find_apart_from_own (struct reference *r, struct loop *loop, int64_t *apart, bool *is_known);
/* What L, a pointer that LOOP's body declares as `p = &a[i]`, points to in the whole iteration: a[i];
   else L. */
struct expr *pointed_element (struct expr *l, struct loop *loop);
/* Whether L, an element or a pointer, is the element whose affinity controls LOOP, or lies like
   it in another array. */
bool is_own_element (struct expr *l, struct loop *loop);
/* The reference of LOOP to element L, or NULL. */
struct reference *reference_to (struct loop *loop, struct expr *l);
/* Whether L is an element in small blocks. */
bool is_in_small_blocks (const struct expr *l);

/* reference.c */

/* Finds the references of LOOP: elements that it accesses itself, and elements, or else their
   rows, that loops in it access. */
void find_references (struct loop *loop);

/* Adds the reference by the pointer that STEP moves in each iteration. IS_POINTED: STEP is the operand of an
   access. Of prefixes that is --. */
void add_walk (struct loop *loop, struct expr *step, bool is_pointed);
/* Drops the references of LOOP that IS_BAD says of. */
void drop_references (struct loop *loop,
                      bool (*is_bad) (const struct reference *r, struct loop *loop));

/* while.c: gives loops in BODY that are while loops the step at the end of their bodies. */
void find_steps_of_while (struct stmt *body);
/* steps.c: the same of counters that the bodies of loops in FUNCTION, a body, move once. */
void find_steps_in_bodies (struct stmt *function);
/* Makes the step of LOOP of S, which is in its body. */
void take_statement (struct stmt *s, struct stmt *loop);

/* secondary.c: finds those of LOOP, whose induction variable and step are known. */
void find_secondaries (struct loop *loop);
/* Whether PART of the step moves one. */
bool moves_secondary (const struct expr *part, const struct loop *loop);

/* full_unroll.c: puts the iterations of short loops in BODY in their place where loops around have more of them. */
void unroll_loops (struct stmt *body);

/* walk.c */

/* Whether E is ({ … }). */
bool is_statement_expr (struct expr *e, void *nothing);
/* Whether E moves a pointer by one element. */
bool is_walking_step (struct expr *e);
/* Finds the references by pointers that walk. */
void find_walks (struct loop *loop);
/* Makes one of them the induction variable. */
void find_walking_induction (struct loop *loop);
/* Drops those in blocks of 1 that need their pointers in each iteration. */
void drop_bad_cursors (struct loop *loop);

/* known.c */

/* How the address of L, an element or a pointer, is found in the C of INNERMOST and the loops
   around it. */
struct access_plan *find_known (struct expr *l, struct loop *innermost);
/* The plan of the row that L is in; NULL: they do not have its address. */
struct access_plan *find_known_row (struct expr *l, struct loop *innermost);

/* strips.c: chooses the form of LOOP, a STMT_FOR or STMT_WHILE, or a STMT_FORALL with an
   affinity. */
void plan_for (struct loop *loop);
void plan_forall (struct loop *loop);
/* Drops the bound, unless the number of iterations is known before the first one. */
void find_count (struct loop *loop);

/* independence.c: sets is_independent, is_for_vectors and copy_to. */
void find_independence (struct loop *loop);
/* Whether it is known that no iteration of LOOP accesses as A the element that another one accesses as B. */
bool never_meet (struct expr *a, struct expr *b, struct loop *loop);

/* invariant_value.c: finds the values of LOOP, whose body is planned. */
void find_values (struct loop *loop);

/* strip_meeting.c: whether LOOP leaves it to the run time where A and B are. */
bool note_strip_meeting (struct expr *a, struct expr *b, struct loop *loop);

/* residue.c: makes strips of LOOP by residues if its iterations can be counted before the first one and
   that is worth while. */
void try_residues (struct loop *loop);
/* The same of a upc_forall that is planned otherwise: by the phases of its blocks. */
void try_phases (struct loop *loop);
/* Finds LOOP's references and its independence by residues modulo so many times THREADS. */
void find_references_by_residues (struct loop *loop, uint32_t residues);
/* Whether all that PLAIN knows of elements in blocks is known in LOOP, the same by residues. */
bool knows_as_much (struct loop *loop, const struct loop *plain);
/* Keeps PLAIN as the in_order of LOOP. */
void keep_in_order (struct loop *loop, const struct loop *plain);
/* Whether LOOP, a upc_forall, has elements in blocks that are not known to have its own elements' phase. */
bool has_other_phases (const struct loop *loop);

/* middle.c: finds the phases that LOOP, of which the same holds, does as one, if there are such. */
enum
{
  LARGEST_MIDDLE_BLOCK = 64
};
bool find_middle (struct loop *loop);

/* pieces.c: makes strips of LOOP, of which the same holds, thread by thread if that suits all its elements. */
void try_pieces (struct loop *loop);
/* Whether A and B, in blocks of one size, are known to have different phases. */
bool are_out_of_phase (const struct reference *a, const struct reference *b, struct loop *loop);

/* window.c: makes strips of LOOP through private copies if elements are at different places in small blocks. */
void try_windows (struct loop *loop);

/* hoisted.c: gives names to pointers and integers in LOOP that have the same value in all iterations. */
void hoist_reads (struct loop *loop);
/* Whether E itself, which S evaluates, reads what may have another value after an iteration of S, a loop. */
bool reads_stored (struct expr *e, struct stmt *s);

/* nest_copy.c: the tree of S, which NEST is about, has the copies then. */
void name_copies (struct nest *nest, struct stmt *s);
/* kept_rows.c: finds what the windows of LOOP, which is planned, keep from one iteration of the loop around it to the
   next in NEST. */
void keep_rows (struct loop *loop, struct nest *nest);
/* nest.c: what the loop S, which has no plan yet, is if it may be done in private copies, in which the tree has its arrays
   then; or NULL. */
struct nest *find_nest (struct stmt *s);
/* LOOP, which is in NEST, leaves its questions to that. False: it has some that NEST has no answer to. */
bool ask_nest (struct loop *loop, struct nest *nest);

/* lane_body.c: the body of LOOP, whose plan has lanes, for these. */
struct stmt *body_over_lanes (struct loop *loop);
/* lanes.c: plans LOOP anew if the loops in it go down columns. */
void try_lanes (struct loop *loop);

/* kept.c: makes room for the plans of LOOP's in_order. The tree has none then. */
void put_plans_aside (struct loop *loop);

/* report.c: notes for -fupc-report. AROUND is the innermost loop with a header, or NULL. */
void report_loop (struct loop *loop);
void report_unrolled (struct stmt *loop, int64_t iterations);
/* S is NEST; the notes that follow are those of the other state. */
void report_nest (const struct nest *nest, const struct stmt *s);
void report_kept_rows (const struct loop *loop);
/* What LOOP moves before its strips, and behind; what a batch reads at once. */
void report_near (const struct loop *loop);
void report_batch (const struct batch *batch);
void report_access (struct expr *l, const struct loop *around);
/* COUNT accesses outside of loops are calls. */
void report_straight (const struct decl *function, int count);
/* E is pointed to by what is no name. */
void report_pointed (struct expr *e);
/* Why L has no better plan than ADDRESS_COMPUTED. */
const char *reason_to_compute (struct expr *l, struct loop *around);

/* wait.c: makes the reads of shared data strict by which LOOP waits for other threads. */
void settle_wait (struct stmt *loop);

#endif
