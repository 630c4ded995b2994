/* The back half of upc2c: from the syntax tree to C.

   gen.c        the unit; what follows the last line
   gen_out.c    the output: source text that is copied, text that is ours, and the
                line marks that keep both in step
   out_text.c   the output as bytes
   gen_type.c   types written as C
   gen_expr.c   expressions: what goes through
   gen_stmt.c   statements
   gen_decl.c   declarations
   fallthrough.c    comments that the C compiler minds
   visit.c      walks over the tree
   lower_access.c   shared lvalues: where they are
   lower_store.c    loads and stores of them
   lower_pointer.c  arithmetic, comparisons and conversions of pointers-to-shared
   lower_object.c   static shared objects and initial values
   lower_forall.c   upc_forall
   lower_position.c whether its own iterations are known beforehand, asking
   lower_steady.c   what keeps its value in all iterations,
   lower_affine.c   what is an affine expression of the counter, and
   lower_clauses.c  how the counter runs
   lower_share.c    upc_forall where they are; the elements that are its own by
   lower_differ.c   their indexes
   lower_walk.c     the same with a pointer for a counter
   lower_linear.c   linear forms of a loop's counter, and
   lower_reference.c which elements stay in a block for a while by them
   lower_span.c     where those are, in
   lower_for.c      loops from block to block
   lower_row.c      rows of elements that loops around know
   lower_simd.c     loops whose iterations may run side by side
   lower_wait.c     loops that wait for other threads
   instrument*.c    events for a performance tool around them

   A function gen_X writes the C for X, whose first token is the next one of the
   source or anywhere else; afterwards the source stands behind X's last one. */

#ifndef UPC2C_GEN_H
#define UPC2C_GEN_H

#include "tools/upc2c/front.h"

/* gen_out.c */

/* Writes text of ours; without newlines. */
void put (const char *text);
void putf (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* Writes a line of ours: source lines behind it are marked anew. */
void put_line (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* What follows has the line of token WHERE. */
void put_mark (token_index where);
/* Brings the output to where token FIRST begins: what stands between it and the
   token before it if that was the last one written, and line marks. */
void open_at (token_index first);
/* Token FIRST, which does not begin its line, is next. It goes where it is in the
   source, so that messages of the compiler point there. */
void realign (token_index first);
/* The name of the file that T is in, for a string. */
const char *quoted_file (const struct token *t);
/* The source up to LAST is dealt with. */
void close_at (token_index last);
/* Copies tokens as they are. FIRST > LAST is nothing. */
void copy (token_index first, token_index last);
/* TEXT goes before token WHERE. If that is written already, all must be written anew. */
void insert_before (token_index where, const char *text);
void write_anew (void);
/* Whether one of them was called; if so the output is empty again. */
bool begin_again (void);
/* What is written between begin_capture and end_capture comes back as a string. */
struct capture;
struct capture *begin_capture (void);
const char *end_capture (struct capture *capture);

/* out_text.c */
void write_output (FILE *out);

/* Makes flags of the line marks in TEXT nest; in place. */
void pair_line_marks (char *text, size_t size);

/* fallthrough.c: to be called before anything is written. */
void keep_fallthrough_comments (void);

/* gen_type.c */

/* TYPE as C, declaring INNER ("": abstract): `__upc_pts *p`. */
const char *declare (const struct type *type, const char *inner);
/* TYPE as C without `shared`, nor any qualifier at the top: of a temporary. */
const char *plain_type (const struct type *type);
/* The element type of shared TYPE, with const only if KEEP_CONST. */
const char *element_type (const struct type *type);
/* A pointer to that. */
const char *pointer_type (const struct type *type);
/* NAME declared as a temporary of TYPE, or a pointer to one. */
const char *declare_value (const struct type *type, const char *name);
const char *declare_place (const struct type *type, const char *name);
void gen_type_name (const struct type_name *name);
/* Parts of specifiers or a declarator between FIRST and LAST, with the tokens
   around them. */
void gen_parts (struct part *parts, token_index first, token_index last);
/* One of them. ALONE: it is a declaration of its own. */
void gen_part (struct part *part, bool alone);
/* `struct tag`, or what else it is called; one that has no name gets one. */
const char *record_name (struct record *record);

/* gen_expr.c */
void gen_expr (struct expr *e);
/* The value in parentheses if it is no primary expression. */
void gen_operand (struct expr *e);
/* The value as an argument of a function, where a comma would end it. */
void gen_argument (struct expr *e);
const char *gen_captured (struct expr *e);
void gen_initializer (struct initializer *init);
/* The same for an object of static duration, where C wants constants: pointers-to-
   shared start as null. */
void gen_static_initializer (struct initializer *init);

/* lower_access.c */

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
/* The distance of L, an element, from its root in ultimate elements. */
void put_distance (struct expr *l, bool is_last);
/* The distance of L from the start of ROW, an array it is in. */
void put_distance_in (struct expr *l, struct expr *row);
/* The smallest array L is in that is a row of whole elements, as many to a block as fit: `a[i]`
   of a[i][j] in blocks of whole rows; or NULL. */
struct expr *row_around (struct expr *l);
/* Of EXPR_INDEX: the operands. */
struct expr *pointer_of (struct expr *index);
struct expr *number_of (struct expr *index);
/* `&x`, or `x` for an array: the static object itself, in section upc_shared. */
void put_object (struct expr *name);
/* Whether L lies inside a record or another object of one piece, so that C finds it
   once the piece is found. */
bool is_inside (struct expr *l);
/* LVALUE as a C lvalue. */
void gen_lvalue (struct expr *lvalue);
/* The pointer-to-shared to LVALUE. */
void gen_pointer_to (struct expr *lvalue);
/* The address of LVALUE as a POINTER. */
void put_typed_address (struct expr *lvalue, const char *pointer);

/* lower_store.c */

/* Whether one instruction moves values of L's type. */
bool is_word_access (const struct expr *l);
void gen_load (struct expr *lvalue);
void gen_assign (struct expr *e);
void gen_compound (struct expr *e);
void gen_step (struct expr *e);
/* ` += `, of its operator. */
void put_operator (int op);
/* The update E of the pointer-to-shared at PLACE, by NUMBER, or what E says if that is
   NULL. */
void put_pointer_update (struct expr *e, const char *place, const char *number);

/* lower_pointer.c */

/* Whether a conversion makes the phase 0 (UPC 1.3, 6.4.3). */
bool conversion_resets_phase (const struct type *from, const struct type *to);
void gen_convert (struct expr *e);
void gen_cast (struct expr *e);
void gen_pointer_binary (struct expr *e);
bool is_pointer_binary (const struct expr *e);
/* `, BLOCK, BYTES)`: the layout that pointers to TYPE, which is shared, walk over. */
void put_layout (const struct type *type);
/* How many ultimate elements one step of a pointer to TYPE is, as a factor: " * 5",
   or "" for one. */
const char *step_factor (const struct type *type);

/* gen_stmt.c */
void gen_stmt (struct stmt *s);
/* BODY is that of a statement expression: its last statement has the value. */
void note_value (struct stmt *body);
/* A block, with more text behind its opening brace and before its closing one; or NULL. */
void gen_body (struct stmt *body, const char *at_start, const char *before_end);
void gen_forall (struct stmt *s);
/* The function that is being written, or NULL. */
extern struct decl *function_being_written;
/* In the body of a upc_forall that visits its own iterations only: writes the address of
   the element L of a static array if the loop knows where it lies, and is true. */
bool put_share_address (struct expr *l);
/* The same in a loop that goes from block to block, also where only L's row is known. */
bool put_span_address (struct expr *l);
/* The same of what POINTER points to, the counter of a loop. */
bool put_walk_address (struct expr *pointer);
/* `for (…; …; …) ` of a for or upc_forall. */
void gen_for_header (struct stmt *s);
/* That without its first part: ` …; …) `. */
void gen_for_rest (struct stmt *s);

/* lower_share.c */

/* Where upc_forall S can visit its own iterations only: writes it, and is true. */
bool gen_share (struct stmt *s, int loop);
/* lower_walk.c: the same of loops whose counter is a pointer. */
bool gen_walk (struct stmt *s, int loop);

/* lower_for.c: where STMT_FOR S has elements that stay in a block for a while: writes it, and
   is true. */
bool gen_span (struct stmt *s);
/* lower_walk.c: the same where the counter of S is a pointer. */
bool gen_plain_walk (struct stmt *s);

/* lower_wait.c: makes the reads of shared data strict by which LOOP waits for other threads. */
void settle_wait (struct stmt *loop);

/* gen.c: the declaration of the file that has token WHERE. */
struct declaration *declaration_around (token_index where);
/* TEXT as it stands in a string literal. */
const char *quoted (const char *text);

/* gen_decl.c */
void gen_declaration (struct declaration *d);
const char *c_name (struct decl *d);

/* lower_far.c: static shared objects too large for 32-bit distances. */
bool is_far (const struct decl *d);
const char *far_label (const struct decl *d);
void define_far_object (const struct decl *d);
const char *far_object (const struct decl *d);
void gen_far_objects (void);

/* lower_object.c */
void gen_shared_object (struct decl *d);
/* Whether D's initial value must be stored at the start of the run. */
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

#endif
