/* What only write/ uses. */

#ifndef UPC2C_WRITE_INTERNAL_H
#define UPC2C_WRITE_INTERNAL_H

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/write/write.h"

extern const struct event_hooks *event_hooks;

/* text.c */
void write_output (FILE *out);

/* number.c */

/* The first of the tree's numbers at token FIRST or behind it, or NULL. */
const struct number *number_from (token_index first);
/* Tokens apart from where they stand, on one line. */
void put_tokens (token_index first, token_index last);

/* line_marker.c: makes the flags of the line markers in TEXT nest. */
void nest_line_markers (char *text, size_t size);

/* fallthrough.c: to be called before anything is written. */
void keep_fallthrough_comments (void);

/* inline.c: to be called once, before anything is written. */
void make_inline_definitions_static (void);

/* output.c */

/* Writes a line of ours: a line marker goes before the next source line. */
void put_line (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* What follows has the line of token WHERE. */
void put_line_marker (token_index where);
/* Behind a marker for WHERE: from here on compilers warn of nothing, as in system headers, or do again. What it was
   before. */
bool put_quiet (bool quiet, token_index where);
/* Token FIRST, which does not begin its line, is next. It goes where it is in the
   source, so that messages of the compiler point there. */
void realign (token_index first);
/* Copies tokens as they are. FIRST > LAST is nothing. */
void copy (token_index first, token_index last);
/* TEXT goes before token WHERE. If that is written already, the output must be
   written once more. */
void insert_before (token_index where, const char *text);
void request_rewrite (void);
/* Whether one of them asked for that; if so the output is empty again. */
bool begin_again (void);

/* insertion.c: what insert_before was given, for output.c. */

void keep_insertion (token_index where, const char *text);
/* The first token from FIRST to LAST that something goes before, or LAST + 1. */
token_index next_insertion (token_index first, token_index last);
/* Text N of those before token WHERE, in their order; NULL: there are fewer. */
const char *insertion_at (token_index where, uint32_t n);

/* unit.c */

/* The declaration of the file that has token WHERE. */
struct declaration *declaration_around (token_index where);
/* TEXT as it stands in a string literal. */
const char *quoted (const char *text);

/* type.c */

/* TYPE as C without `shared`, nor any qualifier at the top: of a temporary. */
const char *plain_type (const struct type *type);
/* The element type of shared TYPE, with const only if KEEP_CONST. */
const char *element_type (const struct type *type);
/* A pointer to that. */
const char *pointer_type (const struct type *type);
void gen_type_name (const struct type_name *name);
/* Parts of specifiers or a declarator between FIRST and LAST, with the tokens
   around them. */
void gen_parts (struct part *parts, token_index first, token_index last);
/* One of them. ALONE: it is a declaration of its own. */
void gen_part (struct part *part, bool alone);
/* `struct tag`, or what else it is called; one that has no name gets one. */
const char *record_name (struct record *record);

/* declaration.c */
void gen_declaration (struct declaration *d);

/* expression.c */
void gen_initializer (struct initializer *init);
/* The same for an object of static duration, where C wants constants: pointers-to-
   shared start as null. */
void gen_static_initializer (struct initializer *init);

/* static_literal.c: the name of an object that E, a compound literal outside of functions, stands
   for. */
const char *static_literal (struct expr *e);

/* statement.c */
void gen_stmt (struct stmt *s);
/* BODY is that of a statement expression: its last statement has the value. */
void note_value (struct stmt *body);
/* Nobody wants the value of E, which may be NULL. */
void discard (struct expr *e);
/* A block, with more text behind its opening brace and before its closing one; or NULL. */
void gen_body (struct stmt *body, const char *at_start, const char *before_end);

/* bounds.c */

/* Whether the index of L, in such an array, is constant and in bounds. */
bool is_within_bounds (struct expr *l);
/* What messages call ARRAY. */
const char *array_in_messages (struct expr *array);
/* Warns where an index of L is known to be out of bounds. */
void warn_of_bounds (struct expr *l, bool is_access);
/* Marks what never runs of a function: nothing in there is warned of. */
void spare_dead_code (struct stmt *body);

/* check.c */

/* What is accessed of an lvalue around: L, so many bytes from its start on, and as many further as
   INDEX, if there is one, has of STRIDE. */
struct piece
{
  struct expr *l;
  uint64_t offset;
  struct size bytes;
  struct expr *index;
  uint64_t stride;
};

/* L, all of it. */
struct piece whole_piece (struct expr *l);
/* L lies in a record or the like, and PIECE in L: what L is a part of, and where in that PIECE lies.
   NULL: the record is found by the pointer of L, EXPR_ARROW. */
struct expr *around (struct expr *l, struct piece *piece);
/* The check of L, which is WHOLE, `*p` or `p->`, or is a part of that, as a statement. */
void put_fixed_check (struct expr *l, struct expr *whole);
/* Before and behind the address of L, which ROOT leads to, and of which PIECE is accessed. */
void open_check (struct expr *l, struct element root, struct piece piece);
void close_check (struct expr *l, struct element root, struct piece piece);
/* The extent of ARRAY; and that of the array of L with its name and place, which end a call. */
void put_extent (const struct expr *array);
void put_array_and_place (struct expr *l);
/* The same of an access to L by a pointer. */
void put_access_and_place (const struct expr *l);
/* E, a pointer-to-shared that becomes a private pointer. */
void put_checked_cast (struct expr *e);
/* Whether the phase of a pointer that is converted at WHERE may be none of TO's; and that conversion
   of E. */
bool may_be_out_of_phase (const struct type *from, const struct type *to, token_index where);
void put_checked_phase (struct expr *e, const struct type *to);

/* The C that L is in the source, if it is short. */
const char *source_text (const struct expr *l);

/* look.c: what checks look at before (include/upct/check.h, __upc_checked). */

/* So many UNITS of the shadow, 0: none, from FIRST bytes behind the start of an object on. */
struct look
{
  int64_t first;
  unsigned units;
};

/* For PIECE of L, which a pointer leads to. */
struct look look_around (const struct piece *piece, struct expr *l);
/* The same for L, an element that a loop reaches beside others (apart.c); no units: it has none. */
struct look look_beside (struct expr *l);
/* Where R is beside a reference of LOOP that has its address: writes R's, and is true. */
bool put_from_beside (struct loop *loop, struct reference *r);
/* Notes which members of records BODY accesses by each pointer. */
void find_looks (struct stmt *body);

/* race.c: what the race detector is told (-fupc-check=race). */

/* LVALUE as a C lvalue, and its address as a POINTER, which is told of if it is relaxed. */
void gen_raced_lvalue (struct expr *lvalue, bool is_write);
void put_raced_address (struct expr *lvalue, const char *pointer, bool is_write);
/* Whether E, a store of a right side, is done in two steps. The right side may order threads,
   but C may find the place first. */
bool is_in_steps (struct expr *e);
/* The accesses of a strip, before it. */
void put_strip_raced (struct loop *loop);
/* `, "f.upc:7\000a[i]")`, of the access L. */
void put_raced_site (const struct expr *l);

/* race_private.c */
void find_private_accesses (struct stmt *body);
/* L where a private pointer leads to it, and the race detector is told. False: it is not. */
bool gen_private_access (struct expr *l);

/* network.c: accesses to shared data that another process may have (-fupc-network); false in programs of one. For
   instrumented ones see write.h. */
bool gen_network_load (struct expr *l);
bool gen_network_assign (struct expr *e);
bool gen_network_update (struct expr *e);

/* near.c: opens a block for strips of LOOP that are near as a whole, or fetched; then end_near opens that for the
   others, which its caller closes. False, and nothing: the strip is written once. */
bool begin_near (struct loop *loop);
void end_near (struct loop *loop);
/* Whether L is in such a block, and in the strip. */
bool is_known_near (struct expr *l);

/* batch.c: the loop S by batches, behind the question whether it is done as planned. */
void put_batch_question (struct stmt *s);
void gen_batch (struct stmt *s);
/* In there: a loop inside, and a load of what was fetched. False: L is no such lvalue. */
bool is_in_batch (void);
void gen_loop_in_batch (struct stmt *s);
bool gen_batched_load (struct expr *l);

/* loop.c: the first part of a header, as statements, and ` …; …) ` behind that. The depth in controlling loops; in a
   plugin it is the program's. */
void put_initialisation (struct stmt *s);
void gen_for_rest (struct stmt *s);
/* The header of a loop that may have been a while, but for what is behind the body of a do. */
void gen_while_head (struct stmt *s);
void gen_while_end (struct stmt *s);
const char *depth_text (void);

/* outlined.c: a strip of LOOP, which is_outlined, as a function of its own, which GEN writes, and without. */
void gen_outlined (struct loop *loop, void (*gen) (struct loop *loop));

/* access.c */

/* The address of the record that L, a bit-field, is a member of. */
void put_record_address (struct expr *l);

/* The distance of L from the start of ROW, an array it is in. */
void put_distance_in (struct expr *l, struct expr *row, bool is_access);
/* The pointer-to-shared to LVALUE. */
void gen_pointer_to (struct expr *lvalue);
/* The address of LVALUE as a POINTER. */
void put_typed_address (struct expr *lvalue, const char *pointer);

/* store.c */
/* Whether L may lie across words. */
bool is_packed (const struct expr *l);
void gen_load (struct expr *lvalue);
void gen_assign (struct expr *e);
void gen_compound (struct expr *e);
/* A sum whose parts may overflow in the order of its loop, as one of unsigned integers; false: it is none. */
bool gen_reduction (struct expr *e);
void gen_step (struct expr *e);

/* pointer.c */

/* The function that does in place what the library's manipulation function does that CALL calls;
   or NULL. */
const char *manipulation_of (struct expr *call);

/* Whether a conversion makes the phase 0 (UPC 1.3, 6.4.3). */
bool conversion_resets_phase (const struct type *from, const struct type *to);
void gen_convert (struct expr *e);
void gen_cast (struct expr *e);
void gen_pointer_binary (struct expr *e);
bool is_pointer_binary (const struct expr *e);
/* How many ultimate elements one step of a pointer to TYPE is, as a factor: " * 5",
   or "" for one. */
const char *step_factor (const struct type *type);

/* loop.c: a for or upc_forall; false for one that is copied as it is, piece by piece. */
bool gen_loop (struct stmt *s);
/* `if (…) { … } else { `: the iterations in their order, where they have to be or are few. */
void gen_in_order (struct loop *loop);
/* The iterations of LOOP by its other plan. */
void gen_other_order (struct loop *loop);

/* iterations.c */

/* How many iterations of LOOP there are, of all threads. */
void put_count (struct loop *loop);
/* Declares the set of iterations of LOOP, and what the functions below are written in terms of. */
void put_iterations (struct loop *loop);
/* The first part of that: the first value of the induction variable, and how many iterations there are. */
void put_first_and_end (struct loop *loop);
/* Gives the induction variable, and what moves with it, its value in iteration N. */
const char *induction_at (struct loop *loop, const char *n);

/* secondary.c: what the values of LOOP's secondary induction variables follow from. */
void put_secondary_bases (const struct loop *loop);
/* Gives them these, where the induction variable has its own: the text behind that, and as statements. */
const char *secondaries_at (const struct loop *loop);
void put_secondaries (const struct loop *loop);
/* The same in consecutive iterations, as sums that do not overflow: before them, and in each. */
void put_secondary_starts (const struct loop *loop);
void put_secondary_sums (const struct loop *loop);
/* Begins a block, and in it a loop over COUNT consecutive iterations of a strip, which follow its first FIRST. AT is which they are of
   all. */
void put_consecutive (struct loop *loop, const char *at, const char *first, const char *count);
/* Tells the C compiler that LOOP's iterations are independent, if vectors gain from that. */
void put_simd (const struct loop *loop);
/* Begins a loop over a strip, from iteration DONE of it on. The other begins a block before it, in which the induction
   variable moves by a constant number, as in strips by residues. */
void put_count_from (struct loop *loop, const char *done);
void put_steps (struct loop *loop);
/* COUNT iterations of the set are done: the next one. */
const char *call_for_next (struct loop *loop, const char *count);
/* The same behind a strip, with the induction variable. */
const char *next_strip (struct loop *loop);

/* strip.c */

/* Declares the variables of a strip; sets them where it begins with the present value of the
   induction variable. */
void put_strip_variables (struct loop *loop);
/* The addresses of what does not move, before the first strip. */
void put_invariants (struct loop *loop);
void put_strip_start (struct loop *loop);
/* hoisted.c: declares and sets what the loop S has the values of. */
void put_hoisted (struct stmt *s);
/* invariant_value.c: the values that LOOP loads once, before COUNT iterations; such a value in place of a load of L, or
   false. */
void put_fixed_values (struct loop *loop, const char *count);
bool put_fixed_value (struct expr *l);
/* The address that a loop has by P, and none is computed. */
const char *known_address (const struct access_plan *p);
/* strip_meeting.c: `if (…) `: whether iterations of the strip that begins depend on each other. */
void put_strip_meetings (struct loop *loop);
/* R at the start of a strip. */
void put_strip_reference (struct loop *loop, struct reference *r);
/* ` && …`: whether R begins its strip with the phase of LOOP's own elements. */
void put_phase_test (struct loop *loop, struct reference *r);
/* Behind the loop's own step: block strides. At the start of an iteration: addresses to
   recompute. */
void put_strip_step (struct loop *loop);
/* The distance of R from its root in the first iteration of a loop by residues. */
void put_first_index (struct reference *r);
/* The first arguments of all functions for R: the array or pointer, and the index. */
void put_root_and_index (struct loop *loop, struct reference *r);
/* Behind a strip. */
void put_strip_end (struct loop *loop);
void put_strip_iteration (struct loop *loop);
/* Where the body of LOOP only copies an array to another one: writes the copy of COUNT elements,
   of which the first is the present iteration's, and is true. */
bool put_whole_copy (struct loop *loop, const char *count);
/* The address that R has in the present iteration. */
const char *address_of (struct loop *loop, struct reference *r);

/* early.c: E, whose affine form is_early, before the loop; the distance of L from the array FROM, or NULL: from its root. */
void put_early (struct expr *e);
void put_early_distance (struct expr *l, const struct expr *from);

/* walk.c: pointers that walk. */

/* Whether R's pointer, which walks, is where it was before the loop. */
bool is_left_behind (const struct reference *r);
/* Behind the loop: moves the pointers that its iterations have left where they were. */
void put_walked (struct loop *loop);
/* Where a strip begins, and behind it: R's pointer, if it walks. One that `*--p` moves is seen from the
   block in which it is going to be. */
void put_walk_start (struct reference *r);
void put_walk_end (struct reference *r);
/* The step of R's pointer within a strip. STEP, if that is one, with the address that its value points to. False: it is
   none. */
void put_shift (struct reference *r);
bool put_walk_and_address (struct expr *step);

/* strip_body.c: what a strip does. */

/* The iterations of the strip that has begun; in a function of its own, for sanitizers, if LOOP is outlined. */
void gen_strip (struct loop *loop);
void gen_asked_strip (struct loop *loop);
/* sampled.c: how many events an iteration of a strip has. */
void put_events (struct loop *loop);
/* The strip, by GEN where a tool hears of nothing in it. */
void gen_sampled_strip (struct loop *loop, void (*gen) (struct loop *loop));
/* The same where they turned out to depend on each other. */
void gen_met_strip (struct loop *loop);
/* Which iteration it is, of all. */
const char *iteration_in_strip (struct loop *loop);
/* Whether the induction variable of independent iterations is a sum of its first value and their number; the strip ends
   where that is none of two ints. */
bool has_sums (const struct loop *loop);
void put_limit_of_sums (struct loop *loop);

/* crossing.c: loops whose addresses go from block to block (plan/crossing.c). */

/* The variables that have the iterations behind which references cross. A strip ends there, at the latest,
   and they do cross then. */
void put_crossing_variables (struct loop *loop);
void put_strip_to_crossing (struct loop *loop);
void put_crossings (struct loop *loop);

/* residue.c: ` || …`: whether iterations of LOOP, which goes by residues, turn out to depend on others. */
void put_meetings (struct loop *loop);

/* pieces.c: loops by pieces. */

/* Declares the phase of the first iteration's elements; ` || …`: whether some have another one. */
/* The phase that R has in the first iteration. */
void put_phase (struct reference *r);
void put_first_phase (struct loop *loop);
void put_other_phases (struct loop *loop);
/* A strip, block by block. */
void gen_blocks_of_piece (struct loop *loop);

/* middle.c: what else __upc_phases_begin takes, and the strips of middles. */
void put_middle (struct loop *loop);
void gen_middles (struct loop *loop);

/* lanes.c */

/* The body of LOOP, once. */
void gen_iteration (struct loop *loop);
/* S is over lanes: it begins with the first one. */
void put_first_lane (struct stmt *s);
/* A loop whose iterations are done side by side; ` || …`: whether that would change what one reads. */
void gen_lanes (struct loop *loop);
void put_lane_meetings (struct loop *loop);

/* nest.c: S, which is NEST, by GEN_FORM: in copies and without. */
void gen_nest (struct nest *nest, struct stmt *s, void (*gen_form) (struct stmt *s));
/* Before NEST: whether its arrays are apart. */
void put_nest_question (const struct nest *nest);
/* Around what LOOP asks of single arrays, which is ` || …` each: not where a nest around it has asked that already. */
void open_asked (const struct loop *loop, const char *operator);
void close_asked (const struct loop *loop);

/* window.c: loops through windows; ` || …`: whether two of them may have the same memory. */
void gen_windowed (struct loop *loop);
void put_window_meetings (struct loop *loop);
/* Where a window begins that has R first, or, with SHIFT, ` + …` or ` - …`, so many elements from there. */
void put_window_place (struct loop *loop, struct reference *r, const char *shift);

/* kept_rows.c: before AROUND: memory for rows that stay in windows while it goes on. */
void put_kept_rows (const struct loop *around);
const struct kept_rows *first_kept (const struct loop *loop);
/* Before what LOOP does: which rows are there. Behind it: the rows that come; FIRST sets the induction variable. */
void put_rows_there (const struct loop *loop);
void put_rows_that_come (struct loop *loop, const char *first);
/* `if (…) …; else `: where W is if its row is there already. */
void open_kept_window (const struct loop *loop, const struct window *w);

/* tabled.c: tables of blocks (plan/tabled.c). */

/* Those that LOOP finds. */
void put_tables (struct loop *loop);
/* The address of L, an element that starts from ROOT, by a table; false: there is none. */
bool put_tabled_address (struct expr *l, struct element root);

/* copied.c: private copies of arrays (plan/copied.c). */

/* Behind the initialisation of LOOP: declares the copies that it makes, and writes the rest of it by GEN_FORM,
   twice if it reads copies. */
void gen_with_copies (struct loop *loop, void (*gen_form) (struct loop *loop));
/* The address of L in a copy; false: there is none. */
bool put_copied_address (struct expr *l);

/* sure.c: what makes accesses quick that go here and there (plan/sure.c). */

/* LOOP by GEN_FORM, twice if it is done differently where all that is there. */
void gen_where_sure (struct loop *loop, void (*gen_form) (struct loop *loop));
/* Whether L is in the form of a loop in which all is there that makes it quick. */
bool is_sure (const struct expr *l);
/* The variable that has the offset of S, a pointer that LOOP is sure to start from a block of thread 0. */
const char *name_of_start (const struct loop *loop, const struct sure *s);
/* That of the pointer by which L is found, in a form in which it does so; else NULL. */
const char *start_of (const struct expr *l);
/* Whether LOOP is unrolled in that form; before a for: tells the compiler. */
bool is_unrolled_now (const struct loop *loop);
void put_unrolled (const struct loop *loop);

/* carried.c: the value of an element that goes from iteration to iteration (plan/carried.c). */

/* Its variables; the value for the first iteration; that for the next one. */
void put_carried_variables (struct loop *loop);
void put_carried_start (struct loop *loop);
void put_carried_end (struct loop *loop);
/* L as it is carried; false: it is not. */
bool put_carried (struct expr *l);
/* What E stores to, and what keeps the value if the next iteration loads it. Returns what closes. */
const char *open_store (struct expr *e);
/* Behind the loop: the stores that its iterations leave out. */
void put_late_stores (struct loop *loop);
/* ` = VALUE OPERATOR ` of E, which updates an element that is carried itself; false: it does not. */
bool put_carried_sum (struct expr *e);

/* strip_check.c: the checks of LOOP's certain accesses (plan/certain.c). */

/* Those of indexes, where a strip begins: they limit it. */
void put_strip_bounds (struct loop *loop);
/* ` && …`: whether all indexes to come are in bounds. */
void put_bounds_test (struct loop *loop);
/* Those of the indexes in the address that says whose an iteration of LOOP, a upc_forall, is: of the first iteration and of
   the last. */
void put_affinity_checks (struct loop *loop);
/* The same of the one iteration at hand, each with BEHIND behind it. */
void put_affinity_indexes (struct expr *affinity, const char *behind);
/* Those of what is at the same place in all iterations. */
void put_fixed_checks (struct loop *loop);
/* Those of what pointers lead to, behind the last limit. */
void put_strip_lookups (struct loop *loop);

/* pointer_types.c: types of pointers-to-shared for debuggers. */

/* The name of TYPE, a pointer-to-shared. */
const char *pointer_type_name (const struct type *type);
/* The declarations of all names that were asked for. */
const char *pointer_typedefs (void);
/* What they point to; at the end of the file. */
void gen_pointer_types (void);

/* shared_object.c: static shared objects. */

bool is_tentative (const struct decl *d);
void gen_shared_object (struct decl *d);
/* The bytes of a partition that D, of known size, has, with its red zone. */
uint64_t room_of (const struct decl *d);

/* run_time_value.c: initial values that are stored at the start of the run. */

/* Whether D's initial value must be. */
bool has_run_time_value (struct decl *d);
/* Notes D for the initialising function. */
void initialise_later (struct decl *d);
/* What follows the declarator of D, a static object of a function, where the
   initialising function must know it. */
void put_label (struct decl *d);
/* In the initialising function the name of D, a shared object of a function; else
   NULL. */
const char *labelled_object (struct decl *d);
void gen_initialising_function (void);
/* It is being written: names of functions mean nothing. */
extern bool is_initialising;
void forget_initialised (void);

/* far_object.c: static shared objects too large for 32-bit distances. */
bool is_far (const struct decl *d);
const char *far_label (const struct decl *d);
void define_far_object (const struct decl *d);
const char *far_object (const struct decl *d);
void gen_far_objects (void);

#endif
