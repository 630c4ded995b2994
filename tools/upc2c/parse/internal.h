/* What only parse/ uses.

   The parser is a recursive descent over unit.tokens; `here` is the next token. A
   syntax error jumps back to the nearest place that can go on: the next statement,
   member or declaration. */

#ifndef UPC2C_PARSE_INTERNAL_H
#define UPC2C_PARSE_INTERNAL_H

#include "tools/upc2c/parse/parse.h"
#include "tools/upc2c/sema/sema.h"

#include <setjmp.h>

/* cursor.c: the tokens, and recovery. */
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
/* Whether an unknown name is like a keyword, and what follows it in parentheses has semicolons. */
bool at_misspelt_loop (void);

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
enum
{
  MAX_CHAIN = 50000
}; /* operators in a row: a tree as deep */

/* The function whose body is being parsed, or NULL. */
extern struct decl *current_function;

/* attribute.c */
bool at_attribute (void);
/* The first token behind the attributes that begin at AT; AT itself where none do. */
token_index behind_attributes (token_index at);
/* Any number of attributes. */
void parse_attributes (struct attributes *attributes);
/* asm ("label") behind a declarator. */
void parse_asm_label (void);

/* qualifier.c */
bool accept_qualifier (struct qualifiers *quals);

/* specifier.c */
bool at_type (void); /* specifiers or a type name begin here */
bool starts_type (token_index index);
bool at_nearly_qualifier (void); /* a name with letters wrong */
extern struct type auto_type;    /* __auto_type, until its initialiser is known */
struct specifiers *parse_specifiers (struct attributes *attributes);
void add_part (struct part ***tail, struct part part);
/* The C of what SPECIFIERS belong to will not have them: the types that they define are defined before
   the item or external declaration around, to whose list moved_tail leads. */
void move_definitions (const struct specifiers *specifiers);
extern struct part **moved_tail;

/* record.c, enum.c */
/* Not complete, with its tag or NULL. */
struct record *new_record (enum type_kind kind, struct name *tag);
struct type *parse_record (struct part *part);
struct type *parse_enum (struct part *part);
void declare_tag (struct name *name, enum type_kind kind, struct type *type);

/* declarator.c */
enum declarator_context
{
  DECLARATOR_NAMED,    /* a name is required */
  DECLARATOR_ABSTRACT, /* no name allowed */
  DECLARATOR_EITHER,   /* parameters */
  DECLARATOR_OLD       /* parameters of a function of the old style: a name is required */
};

/* A declarator for SPECIFIERS: a decl with its type, name and parts. */
struct decl *parse_declarator (struct specifiers *specifiers, enum declarator_context context);
struct type_name *parse_type_name (void);

/* declaration.c */
struct declaration *parse_declaration (bool is_parameter_list);
struct declaration *parse_external (void);
bool at_static_assert (void);
struct declaration *parse_static_assert (void);

/* expression.c, primary.c, literal.c, builtin.c */
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
void parse_number (struct expr *e);
void parse_character (struct expr *e);
struct expr *parse_string (void);

/* unit.c: a typedef that there is from the beginning. */
void declare_type (const char *text, struct type *type);

/* vector_types.c */
void declare_vector_types (void);

/* initializer.c */
struct initializer *parse_initializer (struct type **type);

/* asm.c, barrier.c, statement.c */
struct stmt *parse_asm (void);
struct stmt *parse_barrier (void);
struct stmt *new_stmt (enum stmt_kind kind);
/* Ends S with the token before the next one. */
struct stmt *finish_stmt (struct stmt *s);
struct stmt *parse_block (void);
struct stmt *parse_body (void);

#endif
