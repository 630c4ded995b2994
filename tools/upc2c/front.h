/* upc2c: from a preprocessed UPC file to C.

   main.c reads the switches and runs the phases: read and lex the file into the
   unit (lex.c), parse it, with a type for every expression (parse*.c), and check it,
   then generate C (gen.c) into a temporary that is renamed. There is one unit a run,
   and what is allocated lives as long as it does. */

#ifndef UPC2C_FRONT_H
#define UPC2C_FRONT_H

#include <stdio.h>

#include "tools/upc2c/ast.h"

struct switches
{
  const char *input;
  const char *output;
  bool struct_pts;  /* -fupc-pts=struct */
  uint32_t threads; /* -fupc-threads-N; 0: dynamic THREADS */
  bool iso_c;            /* -std=c11 and its kind, -fno-asm: asm and typeof are names */
  bool iso_c90;          /* -std=c90 and its kind: inline is a name too */
  bool short_enums;      /* -fshort-enums */
  bool unsigned_char;    /* -funsigned-char */
  bool tagged_members;   /* -fms-extensions: `struct tag;` is a member without a name */
  uint32_t pack;         /* -fpack-struct=N; 0: none */
  bool inhibit_warnings; /* -w */
  bool warnings_are_errors; /* -Werror */
};

extern struct switches switches;

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
  struct declaration *declarations; /* of the file, linked by next */
  struct decl *main;                /* the definition of main, or NULL */
};

extern struct unit unit;

static inline struct token *
token_at (token_index index)
{
  return &unit.tokens[index];
}

/* The elements a block may have: 2^20 - 1, or 2^32 - 1 with struct pointers. */
uint64_t max_block_size (void);

/* read.c: what is in PATH ("-": standard input), a zero byte behind it; NULL, with errno,
   if it cannot be read. */
char *read_text (const char *path, size_t *size);

/* lex.c: fills unit.tokens from its text. */
void lex (void);
/* For other texts, once lex has run: TOKEN becomes the first token from *FROM to STOP, and
   *FROM its end. False: there is none. */
bool scan_text (const char **from, const char *stop, struct token *token);

/* source.c: the line that TOKEN comes from, without its line feed, and where in it, from
   0: as the file has it if that can be read, else as the preprocessor left it. */
struct source_line
{
  const char *text;
  size_t length;
  size_t column;
  bool is_first; /* of what the macro there became; others have its place */
};

struct source_line source_line_of (const struct token *token);

/* decl.c: whether D is the program's main, in whatever file. C knows it by another name: each
   thread of the run calls it. */
bool is_main_function (const struct decl *d);

/* parse.c: fills unit.declarations. Afterwards error_count says how it went. */
void parse_unit (void);

/* expr.c, for the generator: a fresh implicit node over A. */
struct expr *implicit (enum expr_kind kind, struct expr *a, struct type *type);
/* A without parentheses, __extension__ and implicit nodes around it. */
struct expr *strip_parens (struct expr *a);

/* instrument*.c. Reads one of the switches that belong there; false: WORD is none. */
bool read_instrument_switch (const char *word);
/* Whether E, a call, and FUNCTION, a definition, are written
   anew with events for a performance tool around them, or a call taken away. */
bool is_watched_call (struct expr *e);
bool is_watched_function (const struct decl *function);

/* diag.c */
extern unsigned error_count;
void error_at (token_index where, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
void warning_at (token_index where, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
/* A warning about what the text of PRAGMA says; FORMAT goes on behind it. */
void warning_at_pragma (const struct pragma *pragma, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
void note_at (token_index where, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
/* A message without a place, and the end. */
_Noreturn void fail (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* arena.c: zeroed memory that is never freed. */
void *arena (size_t size);
char *arena_format (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
#define NEW(type) ((type *) arena (sizeof (type)))
/* ITEMS, of SIZE bytes each, with room for one more than COUNT; not of the arena. */
void *make_room (void *items, uint32_t count, uint32_t *room, size_t size);

/* gen.c, the back half: writes the C of the unit. Errors go through error_at. */
void generate (FILE *out);

#endif
