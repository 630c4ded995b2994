/* diagnostics: messages of compilers and other tools as data: read from the text that those print,
   and written as JSON or SARIF. Needs tools/common. */

#ifndef UPCC_DIAGNOSTICS_H
#define UPCC_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Columns count from 1, in bytes; START and FINISH are the first and the last one. */
struct place
{
  const char *file; /* NULL: none is named */
  unsigned line;    /* 0: none */
  unsigned column, start, finish;
};

/* What to write in place of the text from (LINE, COLUMN) up to (NEXT_LINE, NEXT_COLUMN). */
struct fix
{
  const char *file;
  unsigned line, column, next_line, next_column;
  const char *text;
};

struct diagnostic
{
  const char *kind; /* error, fatal error, warning, note, … */
  const char *text;
  const char *option;  /* the switch that asks for it, or NULL */
  const char *program; /* where there is no place: who says it */
  struct place place;
  struct fix *fixes;
  size_t fix_count, fix_capacity;
  struct diagnostic *notes; /* that follow it */
  size_t note_count, note_capacity;
};

struct diagnostics
{
  struct diagnostic *items;
  size_t count, capacity;
};

/* read.c: adds the messages in SIZE bytes at TEXT. What is no message, and does not belong to one,
   goes to REST. */
void read_diagnostics (struct diagnostics *to, const char *text, size_t size, FILE *rest);
/* FILE:LINE:COLUMN: KIND: …; false where the line is no message with a place. Colors are passed
   over. */
bool read_place (const char *line, size_t length, struct place *place);

/* source.c: lines of source files. */

/* Line NUMBER of FILE without its line feed; NULL: it cannot be read, or has no such line. */
const char *source_text (const char *file, unsigned number, size_t *length);
/* Where COLUMN, in bytes, is on a screen, with tabs to each eighth column. */
unsigned screen_column (const struct place *place, unsigned column);
/* Which character, from 1, the byte at COLUMN belongs to. */
unsigned character_column (const struct place *place, unsigned column);
/* The last byte of the word, or the mark, that begins at the place. */
unsigned end_of_word (const struct place *place);

/* The line under a message, with what it is about underlined. */
void draw_source (FILE *out, const struct place *place);

/* json.c: as gcc's -fdiagnostics-format=json has them, in one line. */
void write_json (FILE *out, const struct diagnostics *from);
/* TEXT in quotes. */
void write_json_text (FILE *out, const char *text);

/* sarif.c: a log of SARIF 2.1.0. COMMAND_FAILED: as the run ended. */
void write_sarif (FILE *out, const struct diagnostics *from, bool command_failed);

#endif
