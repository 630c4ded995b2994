/* The output. Its place in the source is always known: in_file and in_line say where a compiler
   that follows the line markers believes to be. */

#include "tools/upc2c/write/text.h"
#include "tools/upc2c/write/internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_EMPTY_LINES = 8,
  LAST_COLUMN = 200
};

static uint32_t in_file = UINT32_MAX, in_line;
/* The last token that was dealt with. */
static token_index previous = NO_TOKEN;
/* The token before which the output stands already. */
static token_index opened = NO_TOKEN;
/* The last thing written is text of ours: white space behind it is not the source's. */
static bool is_ours;
/* Within a capture all is one line. */
static bool on_one_line;
static bool is_quiet;
/* By its first token: code that was written, so that compilers have warned of it. */
static bool *is_told;
/* The last token of the file that was ever written. */
static token_index furthest;
static bool is_stale;

void
put (const char *text)
{
  append_apart (text, strlen (text));
  is_ours = true;
}

/* The caller frees it. */
static char *
formatted (const char *format, va_list args, size_t *size)
{
  char *text;
  int n = vasprintf (&text, format, args);

  if (n < 0)
    fail ("out of memory");
  *size = (size_t) n;
  return text;
}

void
putf (const char *format, ...)
{
  va_list args;
  char *text;
  size_t size;

  va_start (args, format);
  text = formatted (format, args, &size);
  va_end (args);
  append_apart (text, size);
  free (text);
  is_ours = true;
}

void
put_line (const char *format, ...)
{
  va_list args;
  char *text;
  size_t size;

  va_start (args, format);
  text = formatted (format, args, &size);
  va_end (args);
  end_line ();
  append (text, size);
  append ("\n", 1);
  free (text);
  in_file = UINT32_MAX;
}

/* A line marker that says where token T is, with space for a flag (line_marker.c). */
static void
line_marker (const struct token *t)
{
  const char *name = quoted_file (t);
  char number[32];

  end_line ();
  append (number, snprintf (number, sizeof number, "# %u \"", t->line));
  append (name, strlen (name));
  append ("\"  ", 3);
  if (t->flags & TOKEN_SYSTEM || is_quiet)
    append (" 3", 2);
  append ("\n", 1);
}

void
put_line_marker (token_index where)
{
  line_marker (token_at (where));
  in_file = UINT32_MAX;
}

bool
put_quiet (bool quiet, token_index where)
{
  bool was_quiet = is_quiet;

  is_quiet = quiet;
  put_line_marker (where);
  return was_quiet;
}

bool
begin_told (token_index first)
{
  if (is_quiet || on_one_line || !is_told || !is_told[first])
    return false;
  put_quiet (true, first);
  return true;
}

void
end_told (bool was_told, token_index first, token_index last)
{
  if (was_told)
    put_quiet (false, last);
  if (is_quiet || on_one_line || was_told)
    return;
  if (!is_told)
    is_told = arena_alloc (unit.token_count * sizeof *is_told);
  is_told[first] = true;
}

static bool
in_step (const struct token *t)
{
  return in_file == t->file && in_line == t->line;
}

static void
synchronise (const struct token *t)
{
  if (in_step (t) || on_one_line)
    return;
  if (in_file == t->file && in_line < t->line && t->line - in_line <= MOST_EMPTY_LINES)
    for (; in_line < t->line; in_line++)
      append ("\n", 1);
  else
    line_marker (t);
  in_file = t->file;
  in_line = t->line;
}

static const char *
whitespace_start (token_index i)
{
  return i == 0 ? unit.text : token_at (i - 1)->text + token_at (i - 1)->length;
}

/* The first pragma at or behind token I. */
static uint32_t
pragma_from (token_index i)
{
  uint32_t low = 0, high = unit.pragma_count;

  while (low < high)
    {
      uint32_t middle = (low + high) / 2;
      if (unit.pragmas[middle].before < i)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Iterations of upc_forall are planned without hints. */
static bool
is_left_away (const struct pragma *pragma)
{
  return pragma->kind != PRAGMA_PACK
         && (pragma->kind != PRAGMA_LOOP || token_at (pragma->before)->kind == KEY_UPC_FORALL);
}

/* Copies source text, whose whitespace is those before tokens FIRST to LAST, without
   UPC's own pragmas. */
static void
append_source (const char *text, const char *end, token_index first, token_index last)
{
  for (uint32_t p = pragma_from (first); p < unit.pragma_count && unit.pragmas[p].before <= last;
       p++)
    if (is_left_away (&unit.pragmas[p]) && unit.pragmas[p].text >= text
        && unit.pragmas[p].end <= end)
      {
        append (text, unit.pragmas[p].text - text);
        text = unit.pragmas[p].end;
      }
  append (text, end - text);
}

static void
append_whitespace_on_line (token_index i)
{
  const char *start = whitespace_start (i);

  if (i > 0 && start < token_at (i)->text)
    append (" ", 1);
}

static bool
is_spaces (const char *text, const char *end)
{
  while (text < end && (*text == ' ' || *text == '\t'))
    text++;
  return text == end;
}

/* Whether lines that begin with # stand before token I: line markers, pragmas. */
static bool
has_directives (token_index i)
{
  const char *start = whitespace_start (i);

  return memchr (start, '#', token_at (i)->text - start) != NULL;
}

static bool
stands_apart (void)
{
  return strchr ("( \n", last_written ());
}

void
insert_before (token_index where, const char *text)
{
  keep_insertion (where, text);
  is_stale = is_stale || where <= furthest;
}

void
request_rewrite (void)
{
  is_stale = true;
}

bool
begin_again (void)
{
  if (!is_stale)
    return false;
  is_stale = is_ours = false;
  clear_output ();
  in_file = UINT32_MAX;
  previous = opened = NO_TOKEN;
  furthest = 0;
  is_told = NULL;
  return true;
}

static void
put_insertions (token_index where)
{
  const char *text;

  for (uint32_t n = 0; (text = insertion_at (where, n)); n++)
    put (text);
}

/* Token I of our line is next, behind WHITESPACE bytes. Puts it, without them, at its column in
   the source, so that messages of the compiler point there; false: it is there, or not
   the first of its macro. */
static bool
align (token_index i, size_t whitespace)
{
  const struct token *t = token_at (i);
  struct source_line line;
  size_t column;

  if (on_one_line || t->flags & TOKEN_SYSTEM || !in_step (t))
    return false;
  line = source_line_of (t);
  if (!line.is_first || line.column >= LAST_COLUMN)
    return false;
  column = bytes_on_last_line ();
  if (column + whitespace == line.column)
    return false;
  if (column > line.column)
    {
      line_marker (t);
      column = 0;
    }
  for (; column < line.column; column++)
    append (" ", 1);
  return true;
}

static void
sync_position (token_index first)
{
  struct token *t = token_at (first);
  bool follows = opened != first && (first == 0 ? previous == NO_TOKEN : previous == first - 1);

  opened = first;
  if (follows && is_ours && stands_apart () && is_spaces (whitespace_start (first), t->text))
    follows = false;
  if (on_one_line)
    {
      if (follows)
        append_whitespace_on_line (first);
      return;
    }
  if (follows && first > 0 && has_directives (first))
    synchronise (token_at (first - 1));
  if (follows && (first == 0 || in_step (token_at (first - 1))))
    {
      append_source (whitespace_start (first), t->text, first, first);
      if (first > 0)
        {
          in_file = t->file;
          in_line = t->line;
        }
    }
  else if (follows && !(t->flags & TOKEN_STARTS_LINE))
    append (whitespace_start (first), t->text - whitespace_start (first));
  synchronise (t);
  align (first, 0);
}

void
open_at (token_index first)
{
  bool is_new = opened != first;

  sync_position (first);
  if (is_new)
    put_insertions (first);
}

void
realign (token_index first)
{
  /* What goes before it comes when it is opened. */
  if (next_insertion (first, first) == first)
    return;
  if (!(token_at (first)->flags & TOKEN_STARTS_LINE)
      && align (first, token_at (first)->text - whitespace_start (first)))
    {
      opened = first;
      is_ours = false;
    }
}

void
close_at (token_index last)
{
  previous = last;
  opened = NO_TOKEN;
  if (last > furthest)
    furthest = last;
}

/* How far the line that is being written is from where the preprocessor has it. */
static ptrdiff_t
shift_at (const char *source)
{
  return bytes_on_last_line () - bytes_on_line (unit.text, source);
}

/* Does token I stand elsewhere than in its file, if what is from FROM on, on its line, is
   copied to here? */
static bool
is_displaced (token_index i, const char *from)
{
  const struct token *t = token_at (i);
  struct source_line line;

  if (t->flags & TOKEN_SYSTEM || has_directives (i))
    return false;
  line = source_line_of (t);
  return line.is_first && line.column < LAST_COLUMN
         && bytes_on_line (unit.text, t->text) + shift_at (from) != line.column;
}

/* Copies what is behind token FIRST, which was the last one, up to the end of LAST. */
static void
copy_rest (token_index first, token_index last)
{
  const char *from = whitespace_start (first + 1);
  token_index begin = first + 1;

  for (token_index i = begin; i <= last; i++)
    {
      const struct token *t = token_at (i);

      /* What comes before was copied as it is, from the start of the line or from here. */
      if (t->flags & TOKEN_STARTS_LINE)
        {
          append_source (from, t->text, begin, i);
          from = t->text;
          begin = i + 1;
        }
      else if (is_displaced (i, from))
        {
          append_source (from, whitespace_start (i), begin, i - 1);
          in_file = t->file;
          in_line = t->line;
          align (i, 0);
          append_apart (t->text, t->length);
          from = whitespace_start (i + 1);
          begin = i + 1;
        }
    }
  append_source (from, whitespace_start (last + 1), begin, last);
  in_file = token_at (last)->file;
  in_line = token_at (last)->line;
}

static void
copy_piece (token_index first, token_index last)
{
  const struct token *t = token_at (first);

  open_at (first);
  /* What follows text of ours may not grow together with it. */
  append_apart (t->text, t->length);
  close_at (last);
  is_ours = false;
  if (on_one_line)
    {
      for (token_index i = first + 1; i <= last; i++)
        {
          append_whitespace_on_line (i);
          append (token_at (i)->text, token_at (i)->length);
        }
      return;
    }
  copy_rest (first, last);
}

void
copy (token_index first, token_index last)
{
  if (first == NO_TOKEN)
    return;
  while (first <= last)
    {
      const struct number *number = number_from (first);
      token_index next = next_insertion (first + 1, last);

      if (number && number->first == first)
        {
          open_at (first);
          putf ("%lu", (unsigned long) number->value);
          close_at (number->last);
          first = number->last + 1;
          continue;
        }
      if (number && number->first < next)
        next = number->first;
      copy_piece (first, next - 1);
      first = next;
    }
}

struct buffering
{
  struct buffer *outer;
  token_index previous;
  bool on_one_line;
};

struct buffering *
begin_buffering (void)
{
  struct buffering *c = NEW (struct buffering);

  *c = (struct buffering){ begin_text (), previous, on_one_line };
  previous = opened = NO_TOKEN;
  on_one_line = true;
  return c;
}

const char *
end_buffering (struct buffering *c)
{
  const char *text = end_text (c->outer);

  previous = c->previous;
  opened = NO_TOKEN;
  on_one_line = c->on_one_line;
  return text;
}
