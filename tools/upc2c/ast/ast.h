/* ast: types, and the syntax tree with a type at every expression. Needs lex. */

#ifndef UPC2C_AST_H
#define UPC2C_AST_H

#include "tools/upc2c/ast/tree.h"
#include "tools/upc2c/ast/types.h"
#include "tools/upc2c/lex/lex.h"

/* An integer constant of UPC in what is copied token by token otherwise: an attribute. */
struct number
{
  token_index first, last;
  uint64_t value;
};

/* The unit as it was parsed. */
struct translation_unit
{
  struct declaration *declarations; /* of the file, linked by next */
  struct decl *main;                /* the definition of main, or NULL */
  struct decl *globals;             /* what other files may name, linked by next_global */
  struct number *numbers;           /* in the order of their tokens */
  uint32_t number_count;
};

extern struct translation_unit tree;

/* node.c */
struct expr *new_expr (enum expr_kind kind, token_index first, struct type *type);
/* A finished expression: notes its last token, and its children's flags. */
struct expr *finish (struct expr *e, token_index last);
struct expr_list *new_expr_list (struct expr **items, uint32_t count);
/* A fresh implicit node over A. */
struct expr *implicit (enum expr_kind kind, struct expr *a, struct type *type);
/* A without parentheses, __extension__ and implicit nodes around it. */
struct expr *strip_conversions (struct expr *a);
/* Whether D is the program's main, in whatever file. C knows it by another name: each
   thread of the run calls it. */
bool is_main_function (const struct decl *d);

/* traverse.c: questions like "is i assigned in this body?". */

/* Called for each expression; true ends the traversal. */
typedef bool expr_question (struct expr *e, void *data);
/* Called for each statement; true ends the traversal. */
typedef bool stmt_question (struct stmt *s, void *data);

/* Whether ASK says true of E or of any expression in it. */
bool any_in_expr (struct expr *e, expr_question *ask, void *data);
/* The same for all expressions of a statement. */
bool any_in_stmt (struct stmt *s, expr_question *ask, void *data);
/* Whether ASK says true of S or any statement in it; those in statement expressions
   and in nested functions do not count. */
bool any_stmt (struct stmt *s, stmt_question *ask, void *data);
/* Whether E itself, without the expressions in it, may do more than have a value; stores by
   plain assignments are told apart. */
bool has_effect (const struct expr *e);
/* Whether E may be evaluated twice in place of once. */
bool may_repeat (struct expr *e);

/* memory_call.c */

/* The name of the function of C that CALL calls, if that reads or writes what its arguments lead to and the race detector
   has a version of it; else NULL. */
const char *memory_function (const struct expr *call);

/* copy.c */

/* A copy of E, whose names mean the same. */
struct expr *copy_of_expr (struct expr *e);

/* Whether S has nothing but expressions, scalars that it declares, if, continue and break. */
bool can_copy (struct stmt *s);
/* A block that has a copy of such an S, in which D, a variable, is a constant of that VALUE: fixed tells. */
struct stmt *copy_with (struct stmt *s, struct decl *d, int64_t value);
/* The same of S, a for or upc_forall, in which there may be others of the first kind; the copy has no first part. */
bool can_copy_loop (struct stmt *s);
struct stmt *copy_loop (struct stmt *s);
/* The same of S, a loop, in which there may be any loops and returns; the copy is whole. */
bool can_copy_nest (struct stmt *s);
struct stmt *copy_nest (struct stmt *s);

#endif
