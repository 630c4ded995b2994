/* Declarations that only lex/ uses. */

#ifndef UPC2C_LEX_INTERNAL_H
#define UPC2C_LEX_INTERNAL_H

#include "tools/upc2c/lex/lex.h"

/* What pragmas of UPC set; saved at each { and restored at its }. */
struct mode
{
  bool is_strict;
  bool is_c_code;
  bool is_unwatched;
  bool is_extension;
};

struct source_position
{
  uint32_t line, file;
  struct mode mode;
};

/* unit.c */

/* Of the next token. */
extern struct source_position scanned;

/* The number of the file NAME. */
uint32_t enter_file (const char *name, size_t length, bool is_system);

/* directive.c: a line that begins with # at START; returns where its line feed is, or END. */
const char *read_directive (const char *start, const char *end);

/* lex.c: for other texts, once lex has run: TOKEN becomes the first token from *FROM to STOP,
   and *FROM its end. False: there is none. */
bool scan_text (const char **from, const char *stop, struct token *token);

/* fix.c: FIX becomes what was proposed, once; false: nothing was. */
bool take_fix (struct source_fix *fix);
/* For tools: fix-it:"FILE":{LINE:COLUMN-LINE:COLUMN}:"TEXT". */
void print_fix (const char *file, const struct source_fix *fix);

/* next.c: to be called once all tokens are there. */
void apply_pragmas_for_next (void);

/* name.c */
void enter_keywords (void);

/* context_keyword.c */
void note_system_keyword (token_index index);
void settle_system_keywords (void);

/* universal.c */

/* The length of the universal character name at C, before END; 0 if there is none. */
size_t universal_length (const char *c, const char *end);
/* The name that is spelled with universal character names or without. */
struct name *intern_universal (const char *text, size_t length);

#endif
