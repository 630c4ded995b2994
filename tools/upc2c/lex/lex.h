/* lex: the text of a preprocessed file to tokens, where each stands in the file that it comes
   from, and messages that point there. Needs switches. */

#ifndef UPC2C_LEX_H
#define UPC2C_LEX_H

#include "tools/common/common.h"
#include "tools/upc2c/lex/token.h"
#include "tools/upc2c/switches/switches.h"

struct source_file
{
  const char *name;
  bool is_system;
};

struct unit
{
  const char *text; /* the whole input, a zero byte behind it */
  size_t size;
  struct token *tokens;
  uint32_t token_count; /* TOKEN_END included */
  struct source_file *files;
  uint32_t file_count;
  struct pragma *pragmas;
  uint32_t pragma_count;
};

extern struct unit unit;

static inline struct token *
token_at (token_index index)
{
  return &unit.tokens[index];
}

/* file.c: what is in PATH ("-": standard input), a zero byte behind it; NULL, with errno, if it
   cannot be read. */
char *read_text (const char *path, size_t *size);

/* lex.c: fills unit.tokens from its text. */
void lex (void);

/* name.c: the name spelled by LENGTH bytes at TEXT; made when it is new. */
struct name *intern (const char *text, size_t length);
bool token_is (const struct token *token, const char *text);
/* Whether KIND is a keyword that declaration specifiers may begin with. */
bool is_specifier_keyword (int kind);

/* context_keyword.c: makes the name at INDEX, where a statement begins, a keyword if it is one
   of UPC 1.0. */
void settle_old_keyword (token_index index);

/* source.c: the line that TOKEN comes from, without its line feed, and where in it, from
   0: as the file has it if that can be read, else as the preprocessor left it. */
struct source_line
{
  const char *text;
  size_t length;
  size_t column;
  bool is_first; /* of the macro's expansion; the others have its column */
};

struct source_line source_line_of (const struct token *token);
/* The file's text from the line of the token before TOKEN up to TOKEN; NULL where they are in
   different files, or the file cannot be read. */
const char *source_before (const struct token *token, size_t *length);
/* The number of the line behind the last #include in the file of TOKEN; 0: there is none. */
uint32_t line_behind_includes (const struct token *token);
/* The column of TOKEN in the line of its file, from 1, in bytes. */
int token_column (const struct token *token);

/* message.c */
extern unsigned error_count;
void error_at (token_index where, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
void warning_at (token_index where, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* What is ignored of PRAGMA, and WHY. */
void warning_at_pragma (const struct pragma *pragma, const char *why);
void note_at (token_index where, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* fix.c: what the next message proposes to write in place of the tokens FIRST to LAST, of one line;
   "" takes them away. Nothing where a macro made them. */
void propose (token_index first, token_index last, const char *text);
/* The same behind the token WHERE. */
void propose_behind (token_index where, const char *text);
/* The same for a line that includes <HEADER>, in the file of the token WHERE. */
void propose_include (token_index where, const char *header);

#endif
