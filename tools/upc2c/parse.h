/* What the files of the front half share among themselves.

   The parser is a recursive descent over unit.tokens; `here` is the next token. A
   syntax error jumps back to the nearest place that can go on: the next statement,
   member or declaration. Errors of meaning are reported and parsing goes on; an
   expression that is in error gets type_unknown, which offends nobody again. */

#ifndef UPC2C_PARSE_H
#define UPC2C_PARSE_H

#include <setjmp.h>

#include "tools/upc2c/front.h"

/* token.c, keyword.c, types.c, layout.c */
void enter_keywords (void);
void note_system_keyword (token_index index);
void settle_system_keywords (void);
void settle_old_keyword (token_index index);
void start_types (void);
struct type *new_type (enum type_kind kind, struct type *base);
struct type *named_by (struct type *type, struct decl *namer);
struct type *with_align (struct type *type, uint32_t align);
void lay_out_record (struct record *record, uint32_t align);

/* scope.c */
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

/* parse.c: the tokens, and recovery. */
extern token_index here;

static inline int
peek (void)
{
  return unit.tokens[here].kind;
}

static inline int
peek_behind (unsigned distance)
{
  return here + distance < unit.token_count ? unit.tokens[here + distance].kind : TOKEN_END;
}

static inline token_index
advance (void)
{
  return unit.tokens[here].kind == TOKEN_END ? here : here++;
}

static inline bool
accept (int kind)
{
  if (peek () != kind)
    return false;
  here++;
  return true;
}

/* Takes a token of KIND, which is SPELLED so; else it is a syntax error. */
token_index expect (int kind, const char *spelled);
_Noreturn void syntax_error (token_index where, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* Skips ( … ), the opening one of which is next. */
void skip_parens (void);

struct recovery
{
  jmp_buf jump;
  uint32_t scope;
  uint32_t nesting;
  struct decl *function;
  struct recovery *outer;
};

void start_recovery (struct recovery *recovery);
void end_recovery (struct recovery *recovery);
/* After a jump: back to the state at start_recovery, and on to the end of what was
   being parsed. START is where it began. */
void recover (struct recovery *recovery, token_index start);
extern bool has_skipped; /* something, after a syntax error */

/* Bounds recursion: every rule that can hold itself is between these. */
void enter_nesting (void);
void leave_nesting (void);
enum { MAX_CHAIN = 50000 }; /* operators in a row: a tree as deep */

/* The function whose body is being parsed, or NULL. */
extern struct decl *current_function;

/* attribute.c */
struct attributes
{
  uint32_t align;
  bool is_packed;
  bool is_transparent;
  uint64_t vector_bytes; /* vector_size */
  uint64_t vector_count; /* ext_vector_type */
  struct name *mode;
};

bool at_attribute (void);
/* The first token behind the attributes that begin at AT; AT itself where none do. */
token_index behind_attributes (token_index at);
/* Any number of attributes; parts that are expressions go to *PARTS when not NULL. */
void parse_attributes (struct attributes *attributes);
/* TYPE as vector_size and mode make it. */
struct type *apply_attributes (struct type *type, const struct attributes *attributes);
/* asm ("label") behind a declarator. */
void parse_asm_label (void);

/* qualifier.c */
struct qualifiers
{
  unsigned quals;
  uint32_t block;
  token_index shared_token, reference_token, layout_first, layout_last;
  bool in_declarator; /* a type-qualifier-list, and no declaration specifiers */
};

bool accept_qualifier (struct qualifiers *quals);
struct type *qualify (struct type *type, const struct qualifiers *quals, token_index where);

/* specifier.c */
bool at_type (void); /* specifiers or a type name begin here */
bool starts_type (token_index index);
extern struct type auto_type; /* __auto_type, until its initialiser is known */
struct specifiers *parse_specifiers (struct attributes *attributes);
void add_part (struct part ***tail, struct part part);

/* struct.c */
struct type *parse_record (struct part *part);
struct type *parse_enum (struct part *part);

/* declarator.c */
enum declarator_context
{
  DECLARATOR_NAMED,    /* a name is required */
  DECLARATOR_ABSTRACT, /* no name allowed */
  DECLARATOR_EITHER    /* parameters */
};

/* A declarator for SPECIFIERS: a decl with its type, name and parts. */
struct decl *parse_declarator (struct specifiers *specifiers, enum declarator_context context);
struct type_name *parse_type_name (void);

/* decl.c */
struct declaration *parse_declaration (bool is_parameter_list);
struct declaration *parse_external (void);
bool at_static_assert (void);
struct declaration *parse_static_assert (void);
struct decl *declare_implicit_function (token_index where);

/* check.c: the constraints of UPC on declarations. */
void check_object (struct decl *decl);
void check_member (struct decl *member);
void check_parameter (struct decl *param);
void check_function_type (struct type *type, token_index where);
void check_array_types (struct type *type, token_index where, bool is_object);
void check_redeclaration (struct decl *decl);
void settle_star_layout (struct decl *decl);

/* dimension.c: THREADS in array lengths. */
struct type *array_with_length (struct type *base, struct expr *length);

/* expr.c and its kin */
struct expr *parse_expression (void);
struct expr *parse_assignment (void);
struct expr *parse_conditional (void);
struct expr *parse_cast (void);
struct expr *parse_unary (void);
struct expr *parse_postfix (void);
struct expr *parse_primary (void);
struct expr *parse_literal (token_index open, struct type_name *name);
struct expr *parse_builtin (void);
bool at_builtin (void);
struct expr *new_expr (enum expr_kind kind, token_index first, struct type *type);
/* A finished expression: notes its last token, and its children's flags. */
struct expr *finish (struct expr *e, token_index last);
struct expr_list *new_expr_list (struct expr **items, uint32_t count);

/* constant.c */
void parse_number (struct expr *e);
void parse_character (struct expr *e);
struct expr *parse_string (void);
void fold (struct expr *e);
int64_t wrap (int64_t value, const struct type *type);
/* An integer constant expression, or a reported error and false. */
bool constant_value (struct expr *e, int64_t *value, const char *what);
/* Reports an undeclared name in E; false: there is none. */
bool has_undeclared (struct expr *e); /* an error already */

/* operator.c: the types of operators, and what UPC forbids them. */
struct expr *make_unary (int op, token_index op_token, struct expr *a);
struct expr *make_step (int op, token_index op_token, struct expr *a, bool is_prefix);
struct expr *make_address (token_index op_token, struct expr *a);
struct expr *make_deref (token_index op_token, struct expr *a);
struct expr *make_binary (int op, token_index op_token, struct expr *a, struct expr *b);
struct expr *make_logical (int op, token_index op_token, struct expr *a, struct expr *b);
struct expr *make_condition (token_index op_token, struct expr *a, struct expr *b, struct expr *c);
struct expr *make_assign (token_index op_token, struct expr *a, struct expr *b);
struct expr *make_compound (int op, token_index op_token, struct expr *a, struct expr *b);
struct expr *make_comma (token_index op_token, struct expr *a, struct expr *b);
struct expr *make_index (token_index open, struct expr *a, struct expr *b, token_index close);
struct expr *make_member (token_index op_token, struct expr *a, token_index name);
struct expr *make_call (struct expr *a, struct expr **args, uint32_t count, token_index close);
struct expr *make_cast (token_index open, struct type_name *name, struct expr *a);
struct expr *make_sizeof (int op, token_index op_token, struct type_name *name, struct expr *a,
                          token_index last);

/* convert.c */
/* What an lvalue gives when it is used as a value: EXPR_LOAD, EXPR_DECAY. */
struct expr *value_of (struct expr *e);
/* The type of that value; for plain C nothing is put into the tree. */
struct type *value_type (const struct expr *e);
struct expr *condition_of (struct expr *e);
bool is_null_constant (struct expr *e);
/* E becomes a TYPE as if by assignment; WHAT says where, for messages. */
struct expr *assigned (struct expr *e, struct type *type, token_index where, const char *what);
void set_lvalue (struct expr *e, struct type *type);

/* member.c */
/* The member of RECORD, or of anonymous records in it, that is called NAME; or NULL.
   OFFSET: where it is in RECORD. */
struct decl *find_member (struct record *record, struct name *name, uint64_t *offset);
/* OWN: RECORD's own member that is or has it. */
struct decl *find_own_member (struct record *record, struct name *name, struct decl **own,
                              uint64_t *offset);

/* init.c */
struct initializer *parse_initializer (struct type **type);

/* initial.c */
void check_initial_value (struct decl *decl);

/* builtin.c */
struct type *builtin_result (struct name *name, struct expr **args, uint32_t count, bool *is_builtin);

/* asm.c */
struct stmt *parse_asm (void);

/* barrier.c */
struct stmt *parse_barrier (void);

/* stmt.c */
struct stmt *new_stmt (enum stmt_kind kind);
/* Ends S with the token before the next one. */
struct stmt *finish_stmt (struct stmt *s);
struct stmt *parse_block (void);
struct stmt *parse_body (void);

#endif
