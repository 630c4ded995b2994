/* write: from the tree to C, as plan has planned it. Needs plan and events.

   A function gen_X writes the C for X, whose first token is the next one of the source or
   anywhere else; afterwards the source position is after X's last token. A function put_X writes
   generated text, wherever the source position is. */

#ifndef UPC2C_WRITE_H
#define UPC2C_WRITE_H

#include "tools/upc2c/plan/plan.h"

#include <stdio.h>

/* unit.c: writes the C of the unit. Errors go through error_at. */
void generate (FILE *out);
/* The name of the file that T is in, for a string. */
const char *quoted_file (const struct token *t);

/* The C that raises events, which instrument has. Functions are false where no event is
   raised, and nothing is written. */
struct event_hooks
{
  bool (*load) (struct expr *lvalue);
  bool (*assign) (struct expr *e);
  /* EXPR_COMPOUND and EXPR_STEP. */
  bool (*update) (struct expr *e);
  /* The same where an element of a shared vector is changed, which is no shared lvalue. */
  bool (*vector_store) (struct expr *e);
  /* Also where the call is taken away. COPY writes it as it is. */
  bool (*call) (struct expr *e, void (*copy) (struct expr *));
  /* In the lvalue that is being written L is known by a name: writes it, and is true. */
  bool (*known_lvalue) (struct expr *l);
  /* Operands of asm want lvalues: no events from here on, or again. */
  void (*watch_accesses) (bool on);
  /* What stands first in the body of FUNCTION; NULL: nothing. The frame is that of the
     function until the next call of set_frame, which says what was before. */
  const char *(*function_frame) (const struct decl *function);
  int (*set_frame) (int number);
  /* S, upc_barrier or its kin, by the function NAME. */
  bool (*barrier) (struct stmt *s, const char *name);
  /* Opens a block around upc_forall S with its events, and returns what closes it; or NULL. */
  const char *(*open_forall) (struct stmt *s);
};

void set_event_hooks (const struct event_hooks *hooks);

/* output.c */

/* Writes text of ours; without newlines. */
void put (const char *text);
void putf (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* Brings the output to where token FIRST begins: what stands between it and the
   token before it if that was the last one written, and line markers. */
void open_at (token_index first);
/* The source up to LAST is dealt with. */
void close_at (token_index last);
/* What is written between begin_buffering and end_buffering comes back as a string. */
struct buffering;
struct buffering *begin_buffering (void);
const char *end_buffering (struct buffering *capture);

/* type.c */

/* TYPE as C, declaring INNER ("": abstract): `__upc_pts *p`. */
const char *declare (const struct type *type, const char *inner);
/* NAME declared as a temporary of TYPE, or a pointer to one. */
const char *declare_value (const struct type *type, const char *name);
const char *declare_address (const struct type *type, const char *name);

/* network.c: in programs of several processes. Is L an access that has to ask whether the address is near? */
bool is_network_access (struct expr *l);
/* Such a load to the variable TO, and a store from FROM, which then has the assignment's value. ADDRESS is L's in C, of a
   bit-field its record's. */
void put_network_load (struct expr *l, const char *address, const char *to);
void put_network_store (struct expr *l, const char *address, const char *from);
/* A change of the _Atomic object L at address A as one: BEFORE becomes what was there, AFTER what it leaves there, by the
   expression CHANGE, and maybe again. */
void put_network_exchange (const struct expr *l, const char *a, const char *before,
                           const char *after, const char *change);
/* An error in them: E, which is WHAT, wants an lvalue. */
void refuse_on_network (const struct expr *e, const char *what);

/* declaration.c */

/* The function that is being written, or NULL. */
extern struct decl *function_being_written;
const char *c_name (struct decl *d);

/* expression.c */
void gen_expr (struct expr *e);
/* The value in parentheses if it is no primary expression. */
void gen_operand (struct expr *e);
/* The value as an argument of a function, where a comma would end it. */
void gen_argument (struct expr *e);
const char *gen_buffered (struct expr *e);

/* check.c */

/* Before and behind the address of ELEMENT, which ROOT leads to, and which has L, an lvalue that is
   accessed. */
void open_check_of (struct expr *l, struct expr *element, struct element root);
void close_check_of (struct expr *l, struct expr *element, struct element root);
/* What an index is for. That of an element is checked, if checks are wanted; an address may be one past the end, too.
   A position in the layout is not checked. */
enum index_use
{
  INDEX_OF_POSITION,
  INDEX_OF_ADDRESS,
  INDEX_OF_ACCESS,
};
void put_index_of (struct expr *l, enum index_use use);

/* access.c */

/* The distance of L, an element, from its root in ultimate elements. */
void put_distance (struct expr *l, enum index_use use);
/* `&x`, or `x` for an array: the static object itself, in section upc_shared. */
void put_object (struct expr *name);
/* LVALUE as a C lvalue. */
void gen_lvalue (struct expr *lvalue);

/* strip.c */

/* The address of L, or that L points to, as its plan says; false if that is to compute it. INDEX is
   C for the distance of L from its root, where that is evaluated already; or NULL. */
bool put_planned_address (struct expr *l, const char *index);

/* store.c */

/* Whether one instruction moves values of L's type. */
bool is_word_access (const struct expr *l);
/* ` += `, of its operator. */
const char *operator_text (int op);
void put_operator (int op);
/* The update E of the pointer-to-shared at ADDRESS, by NUMBER, or what E says if that is
   NULL. */
void put_pointer_update (struct expr *e, const char *address, const char *number);

/* walk.c: whether STEP is that of a pointer in a loop that knows where it leads; writes the step. */
bool is_planned_walk (struct expr *step);
bool put_walk (struct expr *step);

/* pointer.c: `, BLOCK, BYTES)`: the layout that pointers to TYPE, which is shared, induction over. */
void put_layout (const struct type *type);

#endif
