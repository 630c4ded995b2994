/* Messages in gcc's form:

       file.upc:12:7: error: …
          12 |   x = p;
             |       ^
 */

#include "tools/upc2c/front.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERRORS = 100, MAX_LINE_SHOWN = 400 };

unsigned error_count;

void
fail (const char *format, ...)
{
  va_list args;

  fputs ("upc2c: error: ", stderr);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  exit (1);
}

int
token_column (const struct token *token)
{
  return source_line_of (token).column + 1;
}

/* The line of TOKEN and a caret under its first character. Tabs stay tabs in both
   lines, so that the caret stands right at any tab width. */
static void
show_line (const struct token *token)
{
  struct source_line line = source_line_of (token);

  if (line.length > MAX_LINE_SHOWN || line.length == 0)
    return;
  fprintf (stderr, "%5u | %.*s\n      | ", token->line, (int) line.length, line.text);
  for (size_t i = 0; i < line.column; i++)
    fputc (line.text[i] == '\t' ? '\t' : ' ', stderr);
  fputs ("^\n", stderr);
}

static void
print_message (token_index where, const char *kind, const char *format, va_list args)
{
  const struct token *token = token_at (where < unit.token_count ? where : unit.token_count - 1);
  const char *file = unit.file_count ? unit.files[token->file].name : switches.input;

  /* Behind the last token there is nothing to show. */
  if (token->kind == TOKEN_END && where > 0)
    token--;
  fprintf (stderr, "%s:%u:%d: %s: ", file, token->line, token_column (token), kind);
  vfprintf (stderr, format, args);
  fputc ('\n', stderr);
  show_line (token);
}

static void
count_error (void)
{
  if (++error_count >= MAX_ERRORS)
    fail ("too many errors in '%s'", switches.input);
}

void
error_at (token_index where, const char *format, ...)
{
  static token_index last_place = NO_TOKEN;
  va_list args;

  /* One mistake often offends twice at the same token. */
  if (where == last_place)
    return;
  last_place = where;
  va_start (args, format);
  print_message (where, "error", format, args);
  va_end (args);
  count_error ();
}

void
warning_at (token_index where, const char *format, ...)
{
  va_list args;

  if (switches.inhibit_warnings || token_at (where)->flags & TOKEN_SYSTEM)
    return;
  va_start (args, format);
  print_message (where, switches.warnings_are_errors ? "error" : "warning", format, args);
  va_end (args);
  if (switches.warnings_are_errors)
    count_error ();
}

void
warning_at_pragma (const struct pragma *pragma, const char *format, ...)
{
  int length = pragma->end - pragma->text;
  va_list args;

  if (switches.inhibit_warnings || unit.files[pragma->file].is_system)
    return;
  fprintf (stderr, "%s:%u:1: %s: '%.*s' ", unit.files[pragma->file].name, pragma->line,
           switches.warnings_are_errors ? "error" : "warning", length, pragma->text);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fprintf (stderr, "\n%5u | %.*s\n      | ^\n", pragma->line, length, pragma->text);
  if (switches.warnings_are_errors)
    count_error ();
}

void
note_at (token_index where, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  print_message (where, "note", format, args);
  va_end (args);
}
