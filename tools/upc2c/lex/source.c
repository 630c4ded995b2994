/* The place of a token in its source file.

   The preprocessor keeps lines, but neither blanks nor macros, so a column of its output is not
   a column of the file. The line of the file is read again, and its tokens are matched with
   those that the preprocessor made of it. */

#include "tools/upc2c/lex/source.h"

#include <string.h>
#include <sys/stat.h>

enum
{
  MAX_SIZE = 64 << 20,
  MAX_LENGTH = 1 << 12
};

/* A file, and where its lines start: one more, for the end of the last. */
struct original
{
  bool is_tried;
  char *text;
  const char **starts;
  uint32_t line_count;
};

static struct original *originals; /* a file of the unit each */
static struct line now;

static void
find_lines (struct original *o, size_t size)
{
  const char *text = o->text, *end = text + size;
  uint32_t capacity = 2;

  for (const char *c = text; c < end; c++)
    capacity += *c == '\n';
  o->starts = arena_alloc (capacity * sizeof *o->starts);
  for (const char *c = text; c < end; o->line_count++)
    {
      const char *stop = memchr (c, '\n', end - c);

      o->starts[o->line_count] = c;
      c = stop ? stop + 1 : end + 1;
      o->starts[o->line_count + 1] = c;
    }
}

/* Line markers may name anything. */
static bool
is_readable_source (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size <= MAX_SIZE;
}

static struct original *
original_of (uint32_t file)
{
  struct original *o;
  const char *path;
  size_t size;

  if (!originals)
    originals = arena_alloc (unit.file_count * sizeof *originals);
  o = &originals[file];
  if (o->is_tried)
    return o;
  o->is_tried = true;
  path = unit.files[file].name;
  o->text = is_readable_source (path) ? read_text (path, &size) : NULL;
  if (o->text)
    find_lines (o, size);
  return o;
}

static bool
is_include (const char *line)
{
  line += strspn (line, " \t");
  if (*line != '#')
    return false;
  line++;
  return strncmp (line + strspn (line, " \t"), "include", strlen ("include")) == 0;
}

uint32_t
line_behind_includes (const struct token *token)
{
  const struct original *o = original_of (token->file);

  for (uint32_t line = o->line_count; line > 0; line--)
    if (is_include (o->starts[line - 1]))
      return line + 1;
  return 0;
}

/* The tokens around TOKEN that the preprocessor made of the same line. */
static void
find_made (struct line *l, const struct token *token)
{
  const struct token *first = token, *last = token, *end = unit.tokens + unit.token_count - 1;

  while (first > unit.tokens && first[-1].line == token->line && first[-1].file == token->file)
    first--;
  while (last + 1 < end && last[1].line == token->line && last[1].file == token->file)
    last++;
  l->made = first;
  l->made_count = last - first + 1;
}

/* None where there are too many. */
static void
find_written (struct line *l)
{
  const char *at = l->text;

  for (l->written_count = 0; scan_text (&at, l->text + l->length, &l->written[l->written_count]);)
    if (++l->written_count == MAX_WRITTEN)
      {
        l->written_count = 0;
        return;
      }
}

/* Makes the line of TOKEN the one at hand. False: its file cannot be read, or has fewer lines
   than it had. */
static bool
enter_line (struct line *l, const struct token *token)
{
  const struct original *o = original_of (token->file);

  if (l->made_count && token >= l->made && token < l->made + l->made_count)
    return true;
  if (token->line == 0 || token->line > o->line_count)
    return false;
  find_made (l, token);
  l->text = o->starts[token->line - 1];
  l->length = o->starts[token->line] - 1 - l->text;
  if (l->length && l->text[l->length - 1] == '\r')
    l->length--;
  find_written (l);
  if (l->made_count > MAX_MADE)
    l->written_count = 0;
  else
    match_line (l);
  return true;
}

/* Lines may be very long, and are asked for token by token. */
static struct source_line
preprocessed_line_of (const struct token *token)
{
  static const char *start, *end;

  if (!start || token->text < start || token->text >= end)
    {
      for (start = token->text; start > unit.text && start[-1] != '\n';)
        start--;
      end = start + strcspn (start, "\n");
    }
  return (struct source_line){ start, end - start, token->text - start, end - start < MAX_LENGTH };
}

struct source_line
source_line_of (const struct token *token)
{
  const struct token *origin;
  uint32_t number;
  bool is_first;

  if (!enter_line (&now, token) || now.written_count == 0)
    return preprocessed_line_of (token);
  number = token - now.made;
  origin = origin_of (&now, number);
  is_first = number == 0 || origin_of (&now, number - 1) != origin;
  return (struct source_line){ now.text, now.length, origin->text - now.text, is_first };
}

const char *
source_before (const struct token *token, size_t *length)
{
  const struct token *before = token - 1;
  const struct original *o = original_of (token->file);

  if (before->file != token->file || before->line == 0 || before->line > token->line
      || !enter_line (&now, token) || now.written_count == 0)
    return NULL;
  *length = origin_of (&now, token - now.made)->text - o->starts[before->line - 1];
  return o->starts[before->line - 1];
}
