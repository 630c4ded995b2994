/* Messages in gcc's form:

       file.upc:12:7: error: …
          12 |   x = p;
             |       ^
 */

#include "tools/upc2c/lex/internal.h"

#include <stdarg.h>
#include <string.h>

enum
{
  MAX_ERRORS = 100
};

unsigned error_count;

int
token_column (const struct token *token)
{
  return source_line_of (token).column + 1;
}

/* How much of LINE is TOKEN: all of it but for what a macro made. */
static size_t
shown_width (const struct token *token, const struct source_line *line)
{
  return line->text && line->column + token->length <= line->length
                 && memcmp (line->text + line->column, token->text, token->length) == 0
             ? token->length
             : 1;
}

/* Whether FIX is behind the token before TOKEN, in an earlier line: where a `;` is missing, it is missed there. */
static bool
is_behind_line (const struct source_fix *fix, const struct token *token)
{
  return fix->line < token->line && fix->line == token[-1].line && token->file == token[-1].file
         && fix->column > 1;
}

static void
print_message (token_index where, const char *kind, const char *format, va_list args)
{
  struct source_fix fix;
  bool has_fix = take_fix (&fix), is_behind;
  const struct token *token = token_at (where < unit.token_count ? where : unit.token_count - 1);
  struct source_line line;
  struct source_location location;

  /* Behind the last token there is nothing to show. */
  if (token->kind == TOKEN_END && where > 0)
    token--;
  is_behind = has_fix && where > 0 && is_behind_line (&fix, token);
  if (is_behind)
    token--;
  line = source_line_of (token);
  location = (struct source_location){ unit.file_count ? unit.files[token->file].name
                                                       : switches.input,
                                       token->line,
                                       is_behind ? fix.column : line.column + 1,
                                       line.text,
                                       line.length,
                                       is_behind ? 1 : shown_width (token, &line),
                                       has_fix ? &fix : NULL };
  show_message_at (&location, kind, format, args);
  if (has_fix && switches.parseable_fixes)
    print_fix (location.file, &fix);
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
  static token_index last_error = NO_TOKEN;
  va_list args;

  /* One mistake often offends twice at the same token. */
  if (where == last_error)
    {
      take_fix (&(struct source_fix){ 0 });
      return;
    }
  last_error = where;
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

/* The same about a pragma. */
static void
print_pragma_message (const struct pragma *pragma, const char *kind, const char *format, ...)
{
  struct source_location location = { unit.files[pragma->file].name,
                                      pragma->line,
                                      1,
                                      pragma->text,
                                      pragma->end - pragma->text,
                                      1,
                                      NULL };
  va_list args;

  va_start (args, format);
  show_message_at (&location, kind, format, args);
  va_end (args);
}

void
warning_at_pragma (const struct pragma *pragma, const char *why)
{
  if (switches.inhibit_warnings || unit.files[pragma->file].is_system)
    return;
  print_pragma_message (pragma, switches.warnings_are_errors ? "error" : "warning",
                        "ignoring '%.*s': %s", (int) (pragma->end - pragma->ignored),
                        pragma->ignored, why);
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
