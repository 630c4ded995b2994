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

  /* Keywords. Alternative spellings (__const, __const__) share a kind. */
  FIRST_KEYWORD,
  KEY_ALIGNAS = FIRST_KEYWORD,
  KEY_ALIGNOF,
  KEY_ASM,
  KEY_ATOMIC,
  KEY_ATTRIBUTE,
  KEY_AUTO,
  KEY_AUTO_TYPE,
  KEY_BOOL,
  KEY_BREAK,
  KEY_CASE,
  KEY_CHAR,
  KEY_COMPLEX,
  KEY_CONST,
  KEY_CONTINUE,
  KEY_DEFAULT,
  KEY_DO,
  KEY_DOUBLE,
  KEY_ELSE,
  KEY_ENUM,
  KEY_EXTENSION,
  KEY_EXTERN,
  KEY_FLOAT,
  KEY_FLOATN, /* _Float16 … _Float64x, __float128, __float80, _Decimal32 …: by text */
  KEY_FOR,
  KEY_GENERIC,
  KEY_GOTO,
  KEY_IF,
  KEY_IMAG,
  KEY_INLINE,
  KEY_INT,
  KEY_INT128,
  KEY_LABEL,
  KEY_LONG,
  KEY_NORETURN,
  KEY_REAL,
  KEY_REGISTER,
  KEY_RESTRICT,
  KEY_RETURN,
  KEY_SHORT,
  KEY_SIGNED,
  KEY_SIZEOF,
  KEY_STATIC,
  KEY_STATIC_ASSERT,
  KEY_STRUCT,
  KEY_SWITCH,
  KEY_THREAD_LOCAL,
  KEY_TYPEDEF,
  KEY_TYPEOF,
  KEY_UNION,
  KEY_UNSIGNED,
  KEY_VA_LIST, /* __builtin_va_list */
  KEY_VOID,
  KEY_VOLATILE,
  KEY_WHILE,
  KEY_IGNORED_QUALIFIER, /* _Nonnull and its kind, of clang */

  FIRST_UPC_KEYWORD,
  KEY_MYTHREAD = FIRST_UPC_KEYWORD,
  KEY_RELAXED,
  KEY_SHARED,
  KEY_STRICT,
  KEY_THREADS,
  KEY_UPC_BARRIER,
  KEY_UPC_BLOCKSIZEOF,
  KEY_UPC_ELEMSIZEOF,
  KEY_UPC_FENCE,
  KEY_UPC_FORALL,
  KEY_UPC_LOCALSIZEOF,
  KEY_UPC_MAX_BLOCK_SIZE,
  KEY_UPC_NOTIFY,
  KEY_UPC_WAIT,
  END_OF_KEYWORDS
};

/* A spelling, once for all its tokens: equal names are equal pointers. The
   declarations are those of the scope that is being parsed. */
struct name
{
  const char *text; /* ends with a zero byte */
  uint32_t length;
  uint16_t keyword; /* a KEY_…, or 0 */
  uint16_t builtin; /* row of the table of builtins, or 0 */
  bool is_reported; /* as undeclared */
  struct decl *decl; /* innermost ordinary identifier */
  struct tag *tag;   /* innermost struct, union or enum tag */
};

enum
{
  TOKEN_STARTS_LINE = 1, /* the first token of its line */
  TOKEN_SYSTEM = 2,      /* from a system header (line marker flag 3) */
  TOKEN_STRICT = 4,      /* #pragma upc strict is in effect here */
  TOKEN_UNWATCHED = 8    /* #pragma pupc off is */
};

struct token
{
  const char *text; /* in the unit's text */
  uint32_t length;
  uint16_t kind;
  uint16_t flags;
  uint32_t line; /* as the line markers say */
  uint32_t file; /* index into the unit's files */
  struct name *name; /* TOKEN_NAME and keywords; else NULL */
};

/* Pragmas that mean something to us. All pragmas stay in the text between tokens;
   the generator leaves the text of these away but for PRAGMA_PACK. */
enum pragma_kind
{
  PRAGMA_STRICT,
  PRAGMA_RELAXED,
  PRAGMA_C_CODE,
  PRAGMA_UPC_CODE,
  PRAGMA_UPC_OTHER, /* #pragma upc with an unknown word: a warning, and left away */
  PRAGMA_PUPC,      /* #pragma pupc on, off (GASP 1.4, 5.1) */
  PRAGMA_PUPC_OTHER, /* with another word, likewise */
  PRAGMA_PACK       /* #pragma pack: VALUE is the limit from here on, 0 for none */
};

struct pragma
{
  enum pragma_kind kind;
  uint32_t value;
  token_index before;      /* the token that follows it */
  uint32_t line, file;     /* as of a token */
  const char *text, *end;  /* from '#' to the end of its line, without the newline */
};

/* Whether KIND is `shared` and so on. */
static inline bool
is_upc_keyword (int kind)
{
  return kind >= FIRST_UPC_KEYWORD && kind < END_OF_KEYWORDS;
}

#endif
