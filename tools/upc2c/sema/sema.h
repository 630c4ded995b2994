/* sema: what names mean, the types of expressions, and the constraints of UPC. What C itself
   constrains is left to its compiler. The parser calls it construct by construct. Needs ast
   and events.

   Errors of meaning are reported and parsing goes on; an expression that is in error gets
   type_unknown, which raises no further errors. */

#ifndef UPC2C_SEMA_H
#define UPC2C_SEMA_H

#include "tools/upc2c/ast/ast.h"
#include "tools/upc2c/events/events.h"

/* scope.c: a name holds its innermost declaration. */

struct tag
{
  enum type_kind kind; /* TYPE_STRUCT, TYPE_UNION, TYPE_ENUM */
  struct type *type;
  uint32_t scope_depth;
};

uint32_t scope_depth (void);
void enter_scope (void);
void leave_scope (void);
void leave_scopes_to (uint32_t depth);
void bind (struct decl *decl);
void bind_tag (struct name *name, struct tag *tag);

/* declare.c */

/* The kind and storage of DECL, as its specifiers say. */
void set_kind (struct decl *decl);
/* The type of DECL, a typedef, gets its name. */
void name_typedef (struct decl *decl);
/* Enters DECL into the scope, beside what it repeats. */
void declare_name (struct decl *decl);
/* What can be said of an array only once its initialiser has given the length. */
void finish_object (struct decl *decl);
/* The K&R list gives the named parameters their types. */
void take_old_types (struct decl *function);
/* C90 lets a call declare its function: extern int NAME (); */
struct decl *declare_implicit_function (token_index where);

/* qualifier.c */

struct qualifiers
{
  unsigned quals;
  uint32_t block;
  token_index shared_token, reference_token, layout_first, layout_last;
  bool in_declarator; /* a type-qualifier-list, and no declaration specifiers */
};

/* The section of UPC 1.3 that constrains QUALS. */
const char *section_of (const struct qualifiers *quals);
/* E is the block size of a layout qualifier. */
void set_block (struct qualifiers *quals, struct expr *e);
/* TYPE as QUALS qualify it. */
struct type *qualify (struct type *type, const struct qualifiers *quals, token_index where);

/* attribute.c */

struct attributes
{
  uint32_t align;
  bool is_packed;
  bool is_transparent;
  bool is_pure;          /* pure or const */
  uint64_t vector_bytes; /* vector_size */
  uint64_t vector_count; /* ext_vector_type */
  struct name *mode;
};

/* Whether NAME is WORD, underscores around it or not. */
bool is_attribute (const struct name *name, const char *word);
/* TYPE as vector_size and mode make it. */
struct type *apply_attributes (struct type *type, const struct attributes *attributes);

/* check.c: the constraints of UPC on declarations. */
void check_object (struct decl *decl);
void check_member (struct decl *member);
void check_parameter (struct decl *param);
void check_function_type (struct type *type, token_index where);
void check_array_types (struct type *type, token_index where, bool is_object);
void check_redeclaration (struct decl *decl);
void settle_star_layout (struct decl *decl);

/* array_length.c: THREADS in array lengths. */
struct type *array_with_length (struct type *base, struct expr *length);

/* constant.c */
void fold (struct expr *e);
int64_t wrap (int64_t value, const struct type *type);
/* Whether THREADS is in E, evaluated. */
bool mentions_threads (const struct expr *e);
/* An integer constant expression, or a reported error and false. */
bool constant_value (struct expr *e, int64_t *value, const char *what);
/* Whether E has an undeclared name in it, which is reported already. */
bool has_undeclared (struct expr *e);

/* operator.c: the types of operators, and what UPC forbids them. */
struct expr *make_unary (int op, token_index op_token, struct expr *a);
struct expr *make_step (int op, token_index op_token, struct expr *a, bool is_prefix);
struct expr *make_address (token_index op_token, struct expr *a);
struct expr *make_deref (token_index op_token, struct expr *a);
struct expr *make_binary (int op, token_index op_token, struct expr *a, struct expr *b);
struct expr *make_logical (int op, token_index op_token, struct expr *a, struct expr *b);
struct expr *make_assign (token_index op_token, struct expr *a, struct expr *b);
struct expr *make_compound (int op, token_index op_token, struct expr *a, struct expr *b);
struct expr *make_comma (token_index op_token, struct expr *a, struct expr *b);
struct expr *make_index (token_index open, struct expr *a, struct expr *b, token_index close);

/* condition.c: A ? B : C; B may be NULL. */
struct expr *make_condition (token_index op_token, struct expr *a, struct expr *b, struct expr *c);

/* postfix.c: members, calls, casts and sizeof. */
struct expr *make_member (token_index op_token, struct expr *a, token_index name);
struct expr *make_call (struct expr *a, struct expr **args, uint32_t count, token_index close);
struct expr *make_cast (token_index open, struct type_name *name, struct expr *a);
struct expr *make_sizeof (int op, token_index op_token, struct type_name *name, struct expr *a,
                          token_index last);

/* builtin.c: what a call of NAME, which is not declared, returns. */
struct type *builtin_result (struct name *name, struct expr **args, uint32_t count,
                             bool *is_builtin);

/* convert.c */

/* What an lvalue gives when it is used as a value: EXPR_LOAD, EXPR_DECAY. */
struct expr *value_of (struct expr *e);
/* The type of that value; for plain C nothing is put into the tree. */
struct type *value_type (const struct expr *e);
struct expr *condition_of (struct expr *e);
bool is_null_constant (struct expr *e);
/* E becomes a TYPE as if by assignment; WHAT says where, for messages. */
struct expr *assigned (struct expr *e, struct type *type, token_index where, const char *what);
/* Makes E an lvalue of TYPE, and tells whether an access to it is strict. */
void set_lvalue (struct expr *e, struct type *type);

/* initializer.c: finds what INIT initialises in an object of *TYPE, whose length it may
   settle. */
void resolve_initializer (struct initializer *init, struct type **type);

/* suggestion.c */

/* The keyword of UPC that NAME, which is unknown, nearly is; or NULL. */
const char *nearest_keyword (const struct name *name);
/* "; did you mean 'X'?" where the name WHERE nearly is one, which the next message then proposes;
   else "". */
const char *suggestion (token_index where);
/* The token WHERE is called and not declared: names the header of a function of UPC's library. */
void check_undeclared_function (token_index where);
/* E is a call: a pointer-to-shared can be printed only in parts. */
void check_formatted (const struct expr *e);

/* leave_forall.c: warns of what the body of FORALL may not do, and of each goto in a function's
   BODY that leads into a loop from outside. */
void check_forall_body (const struct stmt *forall);
void check_jumps (struct stmt *body);

/* constant_initializer.c: DECL has an initialiser. */
void check_initial_value (struct decl *decl);

#endif
