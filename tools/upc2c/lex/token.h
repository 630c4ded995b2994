/* Tokens of a preprocessed UPC file.

   The unit keeps the text of the file for as long as it lives, and a token is a
   piece of it: whatever lies between two tokens (white space, line markers,
   pragmas) is found between the end of the one and the start of the other. So
   copying text from the start of token I to the end of token J repeats the
   source exactly. */

#ifndef UPC2C_TOKEN_H
#define UPC2C_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decl;
struct tag;

/* An index into the unit's tokens. Token 0 is the first of the file; the last one
   is TOKEN_END. Ranges are closed: first and last both belong to it. */
typedef uint32_t token_index;
#define NO_TOKEN UINT32_MAX

/* Punctuators of one character have that character's code. Digraphs have the kind
   of what they stand for. */
enum token_kind
{
  TOKEN_END = 0, /* an empty token behind the last one */
  TOKEN_NAME = 128,
  TOKEN_NUMBER,
  TOKEN_CHARACTER, /* 'a' with any prefix */
  TOKEN_STRING,    /* "a" with any prefix; neighbours are not joined */
  TOKEN_STRAY,     /* a byte that is no token of C; it is diagnosed where it is met */
  TOKEN_ELLIPSIS,
  TOKEN_ARROW,
  TOKEN_INCREMENT,
  TOKEN_DECREMENT,
  TOKEN_SHIFT_LEFT,
  TOKEN_SHIFT_RIGHT,
  TOKEN_LESS_EQUAL,
  TOKEN_GREATER_EQUAL,
  TOKEN_EQUAL,
  TOKEN_NOT_EQUAL,
  TOKEN_AND_AND,
  TOKEN_OR_OR,
  TOKEN_MULTIPLY_ASSIGN,
  TOKEN_DIVIDE_ASSIGN,
  TOKEN_REMAINDER_ASSIGN,
  TOKEN_ADD_ASSIGN,
  TOKEN_SUBTRACT_ASSIGN,
  TOKEN_LEFT_ASSIGN,
  TOKEN_RIGHT_ASSIGN,
  TOKEN_AND_ASSIGN,
  TOKEN_XOR_ASSIGN,
  TOKEN_OR_ASSIGN,

  /* KEY_ALIGNAS and so on. */
  BEFORE_KEYWORDS,
#define KEYWORD(kind, ...) KEY_##kind,
#include "tools/upc2c/lex/keywords.def"
  BEFORE_UPC_KEYWORDS,
#define UPC_KEYWORD(kind, ...) KEY_##kind,
#include "tools/upc2c/lex/keywords.def"
  END_OF_KEYWORDS,

  FIRST_KEYWORD = BEFORE_KEYWORDS + 1,
  FIRST_UPC_KEYWORD = BEFORE_UPC_KEYWORDS + 1
};

/* A spelling, once for all its tokens: equal names are equal pointers. The
   declarations are those of the scope that is being parsed. */
struct name
{
  const char *text; /* ends with a zero byte */
  uint32_t length;
  uint16_t keyword; /* a KEY_…, or 0 */
  uint16_t builtin; /* entry in the table of builtins, or 0 */
  bool is_reported; /* as undeclared */
  bool is_plain; /* the generator's own: of a shared object that a function declares extern first */
  struct decl *decl; /* innermost ordinary identifier */
  struct tag *tag;   /* innermost struct, union or enum tag */
};

enum
{
  TOKEN_STARTS_LINE = 1, /* the first token of its line */
  TOKEN_SYSTEM = 2,      /* from a system header (line marker flag 3) */
  TOKEN_STRICT = 4,      /* #pragma upc strict is in effect here */
  TOKEN_UNWATCHED = 8,   /* #pragma pupc off is */
  TOKEN_EXTENSION = 16,  /* #pragma upct extension on is */
  TOKEN_LABELED = 32     /* labels stand before it, a declaration or "}", that have no statement */
};

struct token
{
  const char *text; /* in the unit's text */
  uint32_t length;
  uint16_t kind;
  uint16_t flags;
  uint32_t line;     /* as the line markers say */
  uint32_t file;     /* index into the unit's files */
  struct name *name; /* TOKEN_NAME and keywords; else NULL */
};

/* Pragmas that mean something to us. All pragmas stay in the text between tokens;
   the generator leaves the text of these away but for PRAGMA_PACK, and for PRAGMA_LOOP where C's loops
   follow. */
enum pragma_kind
{
  PRAGMA_STRICT,
  PRAGMA_RELAXED,
  PRAGMA_NEXT, /* strict next, relaxed next: VALUE is whether it is strict */
  PRAGMA_C_CODE,
  PRAGMA_UPC_CODE,
  PRAGMA_UPC_OTHER,  /* #pragma upc with an unknown word: a warning, and left away */
  PRAGMA_PUPC,       /* #pragma pupc on, off (GASP 1.4, 5.1) */
  PRAGMA_PUPC_OTHER, /* with another word, likewise */
  PRAGMA_EXTENSION,  /* #pragma upct extension on, off: of our headers */
  PRAGMA_LOOP,       /* #pragma GCC ivdep and its like, hints for the loop that follows */
  PRAGMA_PACK        /* #pragma pack: VALUE is the limit from here on, 0 for none */
};

struct pragma
{
  enum pragma_kind kind;
  uint32_t value;
  token_index before;     /* the token that follows it */
  uint32_t line, file;    /* as of a token */
  const char *text, *end; /* from '#' to the end of its line, without the newline */
  const char *ignored;    /* from here on it means nothing; NULL: it has a meaning */
};

/* Whether KIND is `shared` and so on. */
static inline bool
is_upc_keyword (int kind)
{
  return kind >= FIRST_UPC_KEYWORD && kind < END_OF_KEYWORDS;
}

#endif
