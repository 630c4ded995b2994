/* Declarations that only write/ uses. write.h says what gen_X and put_X do. A comment that begins with
   C in backquotes shows the form of what the function writes; … stands for what varies. */

#ifndef UPC2C_WRITE_INTERNAL_H
#define UPC2C_WRITE_INTERNAL_H

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/write/write.h"

extern const struct event_hooks *event_hooks;

/* text.c */
void write_output (FILE *out);

/* number.c */

/* The first of the tree's numbers at token FIRST or after it, or NULL. */
const struct number *number_from (token_index first);
/* The tokens on one line, wherever they stand in the source. */
void put_tokens (token_index first, token_index last);

/* line_marker.c: makes the enter and leave flags of the line markers in TEXT nest properly. */
void nest_line_markers (char *text, size_t size);

/* fallthrough.c: keeps comments that say that a case falls through. Call it before anything is written. */
void keep_fallthrough_comments (void);

/* label.c: call it once, before anything is written. */
void complete_labels (void);

/* inline.c: call it once, before anything is written. */
void make_inline_definitions_static (void);

/* output.c */

/* Writes a generated line. A line marker goes before the next source line. */
void put_line (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* The text that follows gets the line of token WHERE. */
void put_line_marker (token_index where);
/* After a marker for WHERE, turns compilers' warnings off, as in system headers, or on again. Returns the
   previous state. */
bool put_quiet (bool quiet, token_index where);
/* Around code from FIRST to LAST, which may be written several times: compilers warn of it once. What the first
   returns is for the second. */
bool begin_told (token_index first);
void end_told (bool was_told, token_index first, token_index last);
/* Token FIRST, which does not begin its line, is next. Puts it into its column of the source, so that
   messages of the compiler point there. */
void realign (token_index first);
/* Copies tokens as they are. FIRST > LAST is nothing. */
void copy (token_index first, token_index last);
/* Inserts TEXT before token WHERE. If that token is already written, the output is written once more. */
void insert_before (token_index where, const char *text);
void request_rewrite (void);
/* Whether one of these asked for another pass; if so, it empties the output. */
bool begin_again (void);

/* insertion.c: the texts of insert_before, for output.c. */

void keep_insertion (token_index where, const char *text);
/* The first token from FIRST to LAST that has a text before it, or LAST + 1. */
token_index next_insertion (token_index first, token_index last);
/* Text N of those before token WHERE, in order; NULL if there are fewer. */
const char *insertion_at (token_index where, uint32_t n);

/* unit.c */

/* The declaration at file scope that contains token WHERE. */
struct declaration *declaration_around (token_index where);
/* TEXT as it is written in a string literal. */
const char *quoted (const char *text);

/* type.c */

/* TYPE in C, without `shared` and without qualifiers at the top: the type of a temporary. */
const char *plain_type (const struct type *type);
/* The element type of shared TYPE, with const only if KEEP_CONST. */
const char *element_type (const struct type *type);
/* A pointer to that type. */
const char *pointer_type (const struct type *type);
void gen_type_name (const struct type_name *name);
/* Parts of specifiers or a declarator between FIRST and LAST, with the tokens
   around them. */
void gen_parts (struct part *parts, token_index first, token_index last);
/* One of these parts. ALONE: it becomes a separate declaration. */
void gen_part (struct part *part, bool alone);
/* The definitions that go before an item. */
void gen_moved (struct part *moved);
/* `struct tag`, or whatever RECORD is called. A record without a name gets one. */
const char *record_name (struct record *record);

/* declaration.c */
void gen_declaration (struct declaration *d);

/* expression.c */
void gen_initializer (struct initializer *init);
/* The same for an object of static duration, where C requires constants: pointers-to-shared start as
   null. */
void gen_static_initializer (struct initializer *init);

/* static_literal.c: the name of a generated object that replaces E, a compound literal outside of
   functions. */
const char *static_literal (struct expr *e);

/* statement.c */
void gen_stmt (struct stmt *s);
/* BODY is that of a statement expression, whose value is that of its last statement. */
void note_value (struct stmt *body);
/* Notes that the value of E, which may be NULL, is not used. */
void discard (struct expr *e);
/* A block, with generated text after its opening brace and before its closing one; either may be NULL. */
void gen_body (struct stmt *body, const char *at_start, const char *before_end);

/* bounds.c */

/* Whether the index of L, an element of a declared array, is constant and in bounds. */
bool is_within_bounds (struct expr *l);
/* The name of ARRAY in messages. */
const char *array_in_messages (struct expr *array);
/* Warns if an index of L is known to be out of bounds. */
void warn_of_bounds (struct expr *l, bool is_access);
/* Marks code of a function that never runs. There are no warnings about it. */
void spare_dead_code (struct stmt *body);

/* check.c */

/* The part of lvalue L that is accessed: BYTES bytes at OFFSET, plus INDEX * STRIDE if there is an index. */
struct piece
{
  struct expr *l;
  uint64_t offset;
  struct size bytes;
  struct expr *index;
  uint64_t stride;
};

/* All of L. */
struct piece whole_piece (struct expr *l);
/* The lvalue that L is a part of, such as a structure; PIECE, a part of L, becomes the same part of that
   lvalue. NULL if a pointer leads to it: L is EXPR_ARROW. */
struct expr *around (struct expr *l, struct piece *piece);
/* The check of L as a statement. L is WHOLE, `*p` or `p->`, or a part of it. */
void put_fixed_check (struct expr *l, struct expr *whole);
/* The text before and after the address of L, which ROOT leads to and of which PIECE is accessed. */
void open_check (struct expr *l, struct element root, struct piece piece);
void close_check (struct expr *l, struct element root, struct piece piece);
/* The extent of ARRAY; and the extent of the array of L, its name and its place, as the last arguments of a
   call. */
void put_extent (const struct expr *array);
void put_array_and_place (struct expr *l);
/* The same for an access to L through a pointer. */
void put_access_and_place (const struct expr *l);
/* Whether an access to the element L compares its index with the extent of its array. */
bool is_index_compared (struct expr *l);
/* E, a pointer-to-shared that is converted to a private pointer. */
void put_checked_cast (struct expr *e);
/* Whether a pointer that is converted at WHERE may have a phase that is invalid for TO; and the checked
   conversion of E. */
bool may_be_out_of_phase (const struct type *from, const struct type *to, token_index where);
void put_checked_phase (struct expr *e, const struct type *to);

/* The source text of L, if it is short. */
const char *source_text (const struct expr *l);

/* look.c: what a check looks at in the shadow first (include/upct/check.h, __upc_checked). */

/* UNITS units of the shadow, 0 for none, which begin FIRST bytes after the start of an object. */
struct look
{
  int64_t first;
  unsigned units;
};

/* The look for PIECE of L, which a pointer leads to. */
struct look look_around (const struct piece *piece, struct expr *l);
/* The type of the object that offsets in L begin at. */
const struct type *object_type (struct expr *l);
/* The same for L, an element whose address a loop computes from that of a neighbour (apart.c). No units if
   it does not. */
struct look look_beside (struct expr *l);
/* begin_within opens the block for a strip of LOOP of which all that it may access is found to be in one block
   (plan/within.c), and in which is_within says so of a reference. end_within closes it and opens the block for others, which
   the caller closes. False if the strip is written once. */
bool begin_within (struct loop *loop);
void end_within (struct loop *loop);
bool is_within (const struct loop *loop, const struct reference *r);
/* If R is beside a reference of LOOP whose address is known, writes R's address and returns true. */
bool put_from_beside (struct loop *loop, struct reference *r);
/* Notes the members of structures that BODY accesses through each pointer. */
void find_looks (struct stmt *body);

/* race.c: reports to the race detector (-fupc-check=race). */

/* LVALUE as a C lvalue, and its address as a POINTER. A relaxed access is reported. */
void gen_raced_lvalue (struct expr *lvalue, bool is_write);
void put_raced_address (struct expr *lvalue, const char *pointer, bool is_write);
/* Whether E, an assignment, is done in two steps: its right side may synchronise threads, but C may
   evaluate the left side first. */
bool is_in_steps (struct expr *e);
/* Reports the accesses of a strip, before it. */
void put_strip_raced (struct loop *loop);
/* `, "f.upc:7\000a[i]")`: the place and the text of access L. */
void put_raced_site (const struct expr *l);

/* race_private.c */
void find_private_accesses (struct stmt *body);
/* L, if a private pointer leads to it and the access is reported to the race detector; else false. */
bool gen_private_access (struct expr *l);
/* CALL, if it is one of a function of C whose accesses are reported; else false. */
bool gen_raced_call (struct expr *call);

/* network.c: accesses to shared data that another process may have (-fupc-network). False in programs of one
   process. For instrumented accesses see write.h. */
bool gen_network_load (struct expr *l);
bool gen_network_assign (struct expr *e);
bool gen_network_update (struct expr *e);

/* near.c: begin_near opens the block for strips of LOOP that are near or fetched as a whole. end_near closes
   it and opens the block for other strips, which the caller closes. False if the strip is written once. */
bool begin_near (struct loop *loop);
/* Ends strips where the buffer of one that is far does. */
void put_limits_of_far (struct loop *loop);
void end_near (struct loop *loop);
/* Whether L is in a block of begin_near, and in the strip. */
bool is_known_near (struct expr *l);

/* all_near.c: S, a loop that is written twice, of which GEN writes the form that asks what is near. */
void gen_near_or_not (struct stmt *s, void (*gen) (struct stmt *s));
/* Whether it is being written: something is far, even if S has nothing of it. */
bool is_known_far (void);

/* batch.c: loop S in batches, or as GEN_PLANNED writes it. */
void gen_batch (struct stmt *s, void (*gen_planned) (struct stmt *s));
/* Within a batch: a loop inside S, and a load of a gathered lvalue; false if L is not gathered. */
bool is_in_batch (void);
void gen_loop_in_batch (struct stmt *s);
bool gen_batched_load (struct expr *l);
/* Whether L is what a batch notes for a list, and looks up later. */
bool is_noted (const struct expr *l);
/* The address of B's element in its run, in the copy of an inner loop. */
void put_in_run (const struct batched *b);

/* loop.c: the first part of a loop header, as statements; and ` …; …) `, the rest of it. */
void put_initialisation (struct stmt *s);
void gen_for_rest (struct stmt *s);
/* The header of a loop that may have been a while or do loop; and what comes after its body. */
void gen_while_head (struct stmt *s);
void gen_while_end (struct stmt *s);
/* The variable with the depth of upc_forall loops. A plugin uses the program's. */
const char *depth_text (void);
/* Whether the affinity of S, a upc_forall, says that the iteration is the thread's. */
void gen_affinity (struct stmt *s);
/* sampled.c: S, which is sampled. */
void gen_sampled_loop (struct stmt *s);

/* outlined.c: a strip of LOOP, which is_outlined, in both forms: as a separate function, whose body GEN
   writes, and in place. */
void gen_outlined (struct loop *loop, void (*gen) (struct loop *loop));
/* The head of a function of LOOP's, up to its parameters. */
void put_function (struct loop *loop, const char *type, const char *name);
/* Gives the late variables the values, which declares them if IS_DECLARED; else they are pointers. … */
void put_late_values (struct loop *loop, bool is_declared);
/* … and takes them from there. */
void put_values_of_late (struct loop *loop);

/* outlined_parameters.c: of the function of LOOP's strip, and of the one that finds out what is clean; or, if IS_ARGUMENT,
   what they are given. */
void put_strips_parameters (struct loop *loop, bool is_argument);
void put_finders_parameters (struct loop *loop, bool is_argument);
/* The same of O, a private variable. */
void put_private (struct loop *loop, const struct outlined *o, bool is_argument);
const char *name_of_outlined (const struct outlined *o);
const char *type_of_outlined (const struct outlined *o);
/* The variable that has the value of O, which LOOP stores to, behind a strip. */
const char *name_of_late (const struct loop *loop, const struct outlined *o);
/* The only variable that the body of LOOP stores to, if there is one: it is returned. More are stored to by their addresses,
   for which the compiler keeps them in memory, between red zones. */
const struct outlined *returned_by (const struct loop *loop);

/* outlined_nest.c: around NEST, which is_outlined, in its state without checks: the separate function, and the call of it.
   Warnings are off in it; the first returns whether they were before. */
bool open_nest_function (const struct nest *nest);
void close_nest_function (const struct nest *nest, bool was_quiet);

/* outlined_questions.c */
int count_outlined_references (const struct loop *loop);
/* Where what LOOP's strip accesses is not known to be clean, or is not, leaves the function. */
void put_outlined_condition (struct loop *loop);
/* Finds out what is clean. */
void put_outlined_search (struct loop *loop);
/* GEN writes the strip of LOOP, in which elements here and there are asked about. */
void gen_with_questions (struct loop *loop, void (*gen) (struct loop *loop));
/* The text before and after the address of L: such a question, if it is one of these. */
void open_question (const struct expr *l);
void close_question (struct expr *l);

/* access.c */

/* The address of the structure that has L, a bit-field, as a member. */
void put_record_address (struct expr *l);

/* The distance of L from the start of ROW, an array around it. */
void put_distance_in (struct expr *l, struct expr *row, enum index_use use);
/* The pointer-to-shared to LVALUE. */
void gen_pointer_to (struct expr *lvalue);
/* The address of LVALUE as a POINTER. */
void put_typed_address (struct expr *lvalue, const char *pointer);

/* store.c */
/* Whether L may be misaligned, as a member of a packed structure. */
bool is_packed (const struct expr *l);
void gen_load (struct expr *lvalue);
void gen_assign (struct expr *e);
void gen_compound (struct expr *e);
/* E, if it is a sum whose parts may overflow in the order of its loop: written as a sum of unsigned integers.
   False if it is not. */
bool gen_reduction (struct expr *e);
void gen_step (struct expr *e);

/* pointer.c */

/* The inline function for the library's pointer manipulation function that CALL calls; NULL if it calls
   none. */
const char *manipulation_of (struct expr *call);

/* Whether a conversion makes the phase 0 (UPC 1.3, 6.4.3). */
bool conversion_resets_phase (const struct type *from, const struct type *to);
void gen_convert (struct expr *e);
void gen_cast (struct expr *e);
void gen_pointer_binary (struct expr *e);
bool is_pointer_binary (const struct expr *e);
/* The number of ultimate elements in one step of a pointer to TYPE, as a factor: " * 5", or "" for one. */
const char *step_factor (const struct type *type);

/* loop.c: S, a for or upc_forall; false for one that is copied as it is, part by part. */
bool gen_loop (struct stmt *s);
/* `if (…) { … } else { `: the test for few iterations or for an order that counts, and the iterations in
   the program's order. */
void gen_in_order (struct loop *loop);
/* Whether LOOP is one strip, which nothing limits. */
bool is_in_one_strip (const struct loop *loop);
/* The iterations of LOOP by its in_order plan. */
void gen_other_order (struct loop *loop);

/* iterations.c */

/* The number of iterations of LOOP, on all threads. */
void put_count (struct loop *loop);
/* Declares the set of iterations of LOOP, and the variables that the functions below use. */
void put_iterations (struct loop *loop);
/* The first position of LOOP, a upc_forall: one that no long holds is replaced. */
void put_first_position (struct loop *loop);
/* The first part of it: the first value of the induction variable, and the number of iterations. */
void put_first_and_end (struct loop *loop);
/* Declares the step, if it is not a constant. */
void put_step_value (const struct loop *loop);
/* The assignments of their values in iteration N to the induction variable and the secondary ones. */
const char *induction_at (struct loop *loop, const char *n);
/* The same of the induction variable alone, an integer, N iterations behind the present one. */
const char *induction_moved (struct loop *loop, const char *n);

/* secondary.c: declares the bases of LOOP's secondary induction variables. */
void put_secondary_bases (const struct loop *loop);
/* Assigns to them where the induction variable has its value: as text that follows that assignment, and as statements. */
const char *secondaries_at (const struct loop *loop);
void put_secondaries (const struct loop *loop);
/* The same in consecutive iterations, as sums that do not overflow: what is before the iterations, and in each. */
void put_secondary_starts (const struct loop *loop);
void put_secondary_sums (const struct loop *loop);

/* Begins a block, and in it a loop over COUNT consecutive iterations of a strip, after its first FIRST ones.
   AT is the number of the first of them in the whole loop. */
void put_consecutive (struct loop *loop, const char *at, const char *first, const char *count);
/* The pragma that tells the C compiler that LOOP's iterations are independent, if it should vectorise it. */
void put_simd (const struct loop *loop);
/* In an iteration: that the C compiler should make no vectors, if so. */
void put_for_scalars (struct loop *loop);
/* put_count_from begins a loop over a strip, from its iteration DONE on. put_steps begins a block before it,
   in which the induction variable moves by a constant, as in strips by residues. */
void put_count_from (struct loop *loop, const char *done);
void put_steps (struct loop *loop);
/* The call that finds the next iteration of the set after COUNT ones. */
const char *call_for_next (struct loop *loop, const char *count);
/* The same after a strip, with the assignment to the induction variable. */
const char *next_strip (struct loop *loop);

/* strip.c */

/* Declares the variables of a strip. put_strip_start sets them, for a strip that begins with the present
   value of the induction variable. */
void put_strip_variables (struct loop *loop);
/* Computes the addresses of LOOP's invariants, before the first strip. */
void put_invariants (struct loop *loop);
void put_strip_start (struct loop *loop);
/* hoisted.c: declares and sets the hoisted variables of the loop S. */
void put_hoisted (struct stmt *s);
/* invariant_value.c: loads LOOP's invariant values, before COUNT iterations. put_fixed_value writes such a
   value in place of a load of L; false if there is none. */
void put_fixed_values (struct loop *loop, const char *count);
bool put_fixed_value (struct expr *l);
/* The C of the address of an access whose plan is P: ADDRESS_REFERENCE or ADDRESS_INVARIANT. */
const char *known_address (const struct access_plan *p);
/* strip_meeting.c: `if (…) `: the test whether iterations of a strip depend on each other. */
void put_strip_meetings (struct loop *loop);
/* The address of R at the start of a strip. */
void put_strip_reference (struct loop *loop, struct reference *r);
/* ` && …`: the test whether R begins its strip with the phase of LOOP's own elements. */
void put_phase_test (struct loop *loop, struct reference *r);
/* After the loop's own step: moves references by their block strides. put_strip_iteration recomputes
   addresses, at the start of an iteration. */
void put_strip_step (struct loop *loop);
/* The distance of R from its root in the first iteration of a loop by residues. */
void put_first_index (struct reference *r);
/* The first arguments of all calls for R: the array or pointer, and the index. */
void put_root_and_index (struct loop *loop, struct reference *r);
/* The end of a strip. */
void put_strip_end (struct loop *loop);
void put_strip_iteration (struct loop *loop);
/* If the body of LOOP only copies an array to another one, writes the copy of COUNT elements, from the one
   of the present iteration on, and returns true. */
bool put_whole_copy (struct loop *loop, const char *count);
/* The address of R in the present iteration. */
const char *address_of (struct loop *loop, struct reference *r);

/* early.c: E, whose affine form is_early, evaluated before the loop; and the distance of L from the array
   FROM, or from its root if FROM is NULL. */
void put_early (struct expr *e);
void put_early_distance (struct expr *l, const struct expr *from);

/* walk.c: walking pointers. */

/* Whether R's pointer, which walks, still has its value from before the loop. */
bool is_left_behind (const struct reference *r);
/* After the loop: moves the pointers that its iterations have not moved. */
void put_walked (struct loop *loop);
/* R's pointer, if it walks, at the start and at the end of a strip. A pointer that `*--p` moves is seen from
   the block that it is about to enter. */
void put_walk_start (struct reference *r);
void put_walk_end (struct reference *r);
/* put_shift writes the step of R's pointer within a strip. put_walk_and_address writes STEP, if it is such a
   step, with the address that its value points to; false if it is not. */
void put_shift (struct reference *r);
/* COUNT steps of all pointers of LOOP. */
void put_shifts (struct loop *loop, const char *count);
bool put_walk_and_address (struct expr *step);

/* strip_body.c: what a strip does. */

/* The iterations of the strip that has begun. */
void gen_strip (struct loop *loop);
/* The same, in two forms if LOOP is outlined. */
void gen_asked_strip (struct loop *loop);
/* The strip if its iterations turn out to depend on each other. */
void gen_met_strip (struct loop *loop);
/* The number of the present iteration in the whole loop. */
const char *iteration_in_strip (struct loop *loop);
/* Whether independent iterations compute the induction variable as the sum of its first value and their
   number. put_limit_of_sums limits a strip to numbers that are ints. */
bool has_sums (const struct loop *loop);
void put_limit_of_sums (struct loop *loop);

/* crossing.c: loops in which addresses in the next block follow from those in the last one
   (plan/crossing.c). */

/* Declares variables for the iterations after which references cross; ends a strip there, at the latest; and
   makes them cross. */
void put_crossing_variables (struct loop *loop);
void put_strip_to_crossing (struct loop *loop);
void put_crossings (struct loop *loop);

/* residue.c: ` || …`: the test whether iterations of LOOP, which is by residues, depend on others. */
void put_meetings (struct loop *loop);

/* pieces.c: loops by pieces. */

/* The phase of R in the first iteration. */
void put_phase (struct reference *r);
/* Declares the phase of the first iteration's elements. */
void put_first_phase (struct loop *loop);
/* ` || …`: the test whether some elements have another phase. */
void put_other_phases (struct loop *loop);
/* A strip, block by block. */
void gen_blocks_of_piece (struct loop *loop);

/* middle.c: the last arguments of __upc_phases_begin; and the strips of the middles of blocks. */
void put_middle (struct loop *loop);
void gen_middles (struct loop *loop);

/* lanes.c */

/* The body of LOOP, once. */
void gen_iteration (struct loop *loop);
/* Sets the induction variable of S, a loop over lanes, to the first lane. */
void put_first_lane (struct stmt *s);
/* A loop whose iterations run in lanes. put_lane_meetings: ` || …`: the test whether lanes would change what
   an iteration reads. */
void gen_lanes (struct loop *loop);
void put_lane_meetings (struct loop *loop);

/* nest.c: S, the outermost loop of NEST, written by GEN_FORM in both forms: in copies and without. */
void gen_nest (struct nest *nest, struct stmt *s, void (*gen_form) (struct stmt *s));
/* Before NEST: the test whether its arrays are apart. */
void put_nest_question (const struct nest *nest);
/* Around LOOP's tests of single arrays, each ` || …`: skips them if a nest around it has done them. */
void open_asked (const struct loop *loop, const char *operator);
void close_asked (const struct loop *loop);

/* window.c: loops through windows. put_window_meetings: ` || …`: the test whether two windows may overlap. */
void gen_windowed (struct loop *loop);
void put_window_meetings (struct loop *loop);

/* layout_function.c: what a function does that is called NAME, and returns TYPE. Its parameters are FIRST, unless that is
   NULL, `__root` and `__n`, which is the index, and LAST. */
struct layout_function
{
  const char *name, *type, *first, *last, *body;
};

/* A call of F with ARGUMENTS, for blocks and elements as R has them; or IN_LINE, which does the same, where LOOP is in a
   function that may call none of this file alone. */
const char *call_by_layout (struct loop *loop, const struct reference *r,
                            const struct layout_function *f, const char *in_line,
                            const char *arguments);
/* The root and the index of R, to which SHIFT is added. */
const char *text_of_place (struct loop *loop, struct reference *r, const char *shift);

/* window_function.c: a copy of COUNT elements to COPY, or back from there: those from REFERENCE on, which begins a window.
   SHIFT, ` + …` or ` - …`, is added to its index. */
struct window_copy
{
  struct reference *reference;
  const char *shift, *count, *copy;
  bool is_back;
};

void put_window_copy (struct loop *loop, const struct window_copy *copy);
/* The blocks that have COUNT elements from R on. */
void put_window_reach (struct loop *loop, struct reference *r, const char *shift,
                       const char *count);

/* kept_rows.c: before AROUND: memory for rows that stay in windows while it runs. */
void put_kept_rows (const struct loop *around);
const struct kept_rows *first_kept (const struct loop *loop);
/* Before LOOP's iterations: finds out which rows are in windows. After them: the new rows; FIRST is the
   assignment of the first value to the induction variable. */
void put_rows_there (const struct loop *loop);
void put_rows_that_come (struct loop *loop, const char *first);
/* `if (…) …; else `: the place of window W if its row is already copied. */
void open_kept_window (const struct loop *loop, const struct window *w);

/* tabled.c: tables of blocks (plan/tabled.c). */

/* Declares the tables that LOOP looks for. */
void put_tables (struct loop *loop);
const char *name_of_table (const struct tabled *t);
const char *name_of_recent (const struct recent *r);
void put_bounded (struct loop *loop);
/* The address of L, an element with root ROOT, by a table; false if there is no table. */
bool put_tabled_address (struct expr *l, struct element root);
/* The same of recent blocks (plan/recent.c). */
void put_recents (struct loop *loop);
bool put_recent_address (struct expr *l, struct element root);

/* copied.c: private copies of arrays (plan/copied.c). */

/* After the initialisation of LOOP: declares the copies that it makes, and writes the rest of it by
   GEN_FORM, twice if it reads copies. */
void gen_with_copies (struct loop *loop, void (*gen_form) (struct loop *loop));
const char *name_of_copied (const struct copied *c);
/* The address of L in a copy; false if there is no copy. */
bool put_copied_address (struct expr *l);

/* sure.c: conditions under which scattered accesses are fast (plan/sure.c). */

/* LOOP by GEN_FORM, twice if there is a form for runs in which its conditions hold. */
void gen_where_sure (struct loop *loop, void (*gen_form) (struct loop *loop));
/* Whether L is being written in the form in which the conditions of its loop hold. */
bool is_sure (const struct expr *l);
/* Whether this is hardly ever run. */
bool is_unlikely (const struct expr *l);
/* The variable with the offset of the pointer of S, which in LOOP's form leads to the start of a block of
   thread 0. */
const char *name_of_start (const struct loop *loop, const struct sure *s);
/* That variable for the pointer that leads to L, in such a form; else NULL. */
const char *start_of (const struct expr *l);
/* Whether LOOP is unrolled in the form that is being written; and the pragma for that, before a for. */
bool is_unrolled_now (const struct loop *loop);
void put_unrolled (const struct loop *loop);

/* carried.c: values that iterations carry to the next one (plan/carried.c). */

/* Declares their variables; the values for the first iteration; the values for the next one. */
void put_carried_variables (struct loop *loop);
void put_carried_start (struct loop *loop);
void put_carried_end (struct loop *loop);
/* The carried value of L; false if L is not carried. */
bool put_carried (struct expr *l);
/* The left side of the store E, and a variable that keeps the value if the next iteration loads it. Returns
   the text that closes them. */
const char *open_store (struct expr *e);
/* After the loop: the stores that its iterations omit. */
void put_late_stores (struct loop *loop);
/* ` = VALUE OPERATOR ` for E, if it updates an element that is carried; false if it does not. */
bool put_carried_sum (struct expr *e);

/* strip_check.c: the checks of LOOP's certain accesses (plan/certain.c). */

/* Checks of indexes at the start of a strip, which limit its length. */
void put_strip_bounds (struct loop *loop);
/* ` && …`: the test whether all further indexes are in bounds. */
void put_bounds_test (struct loop *loop);
/* Checks of the indexes in the affinity of LOOP, a upc_forall, for the first iteration and for the last. */
void put_affinity_checks (struct loop *loop);
/* Checks of accesses to the same object in all iterations. */
void put_fixed_checks (struct loop *loop);
/* Checks of accesses through pointers, after the last limit. */
void put_strip_lookups (struct loop *loop);

/* pointer_types.c: types of pointers-to-shared for debuggers. */

/* The name of TYPE, a pointer-to-shared. */
const char *pointer_type_name (const struct type *type);
/* The declarations of all names that pointer_type_name has returned. */
const char *pointer_typedefs (void);
/* The types that they point to; at the end of the file. */
void gen_pointer_types (void);

/* declared.c: what the file says of what other files may name; at the end of the file. */
void gen_declared (void);

/* reach.c: checks of distances between elements. */

/* In code at WHERE: N, which close_reach follows, may move a pointer-to-shared out of the segment. */
bool open_reach (struct expr *n, token_index where);
/* E moves one to TARGET. */
void close_reach (bool is_open, struct expr *e, const struct type *target);
/* The distance of L from ROOT, checked where that is a pointer. */
void put_distance_from (struct expr *l, struct element root, enum index_use use);

/* shared_object.c: static shared objects. */

bool is_tentative (const struct decl *d);
void gen_shared_object (struct decl *d);
/* The number of bytes in each partition that D, of known size, takes, with its red zone. */
uint64_t room_of (const struct decl *d);

/* run_time_value.c: initial values that are stored at the start of the run. */

/* Whether D's initial value must be stored at the start of the run. */
bool has_run_time_value (struct decl *d);
/* Adds D to the initialising function. */
void initialise_later (struct decl *d);
/* The text after the declarator of D, a static object of a function, that lets the initialising function
   refer to it. */
void put_label (struct decl *d);
/* In the initialising function, the name of D, a shared object of a function; elsewhere NULL. */
const char *labelled_object (struct decl *d);
void gen_initialising_function (void);
/* Whether the initialising function is being written, in which names of local objects mean nothing. */
extern bool is_initialising;
void forget_initialised (void);

/* far_object.c: static shared objects too large for 32-bit distances. */
bool is_far (const struct decl *d);
const char *far_label (const struct decl *d);
void define_far_object (const struct decl *d);
void gen_far_objects (void);

/* object_address.c: the addresses of static shared objects. */
const char *object_address (struct decl *d);
/* After the declaration of D outside of functions: declares the constant with its address. */
void declare_constant (struct decl *d);
/* Whether the compiler is not to see D's symbol where its address is used. */
bool has_hidden_address (const struct decl *d);
void gen_object_addresses (void);

#endif
