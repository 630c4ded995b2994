/* Messages in the compilers' form, with what follows them:

       In file included from a.upc:1:
       a.h: In function 'f':
       a.h:12:7: warning: … [-Wunused]
          12 |   x = p;
             |   ~~^~~
       fix-it:"a.h":{12:3-12:4}:"y"  */

#include "tools/upcc/diagnostics/diagnostics.h"
#include "tools/common/common.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
  "fatal error", "internal compiler error", "sorry, unimplemented", "error", "warning", "note",
  "remark"
};

struct line
{
  const char *text; /* without colors, with a zero byte behind it */
  size_t length;
};

/* LENGTH bytes without the escape sequences that colors are made of. */
static struct line
plain_line (const char *text, size_t length)
{
  char *copy = arena_alloc (length + 1);
  size_t kept = 0;

  for (size_t i = 0; i < length; i++)
    if (text[i] != '\33')
      copy[kept++] = text[i];
    else
      /* Up to the letter that ends the sequence. */
      while (i + 1 < length && !isalpha ((unsigned char) text[++i]))
        continue;
  return (struct line){ copy, kept };
}

/* Where ": KIND: " stands first in the line; KIND is set. NULL: nowhere. */
static const char *
find_kind (const char *line, const char **kind)
{
  const char *first = NULL;

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    {
      const char *at = strstr (line, arena_format (": %s: ", kinds[i]));

      if (at && (!first || at < first))
        {
          first = at;
          *kind = kinds[i];
        }
    }
  return first;
}

/* A number with a colon before it, at the end of LENGTH bytes, which get shorter by that; 0: none. */
static unsigned
take_number (const char *text, size_t *length)
{
  size_t i = *length;

  while (i > 0 && isdigit ((unsigned char) text[i - 1]))
    i--;
  if (i == *length || i < 2 || text[i - 1] != ':')
    return 0;
  *length = i - 1;
  return strtoul (text + i, NULL, 10);
}

/* FILE:LINE:COLUMN or FILE:LINE; else there is no place. */
static bool
parse_place (const char *text, size_t length, struct place *place)
{
  unsigned last = take_number (text, &length), first = take_number (text, &length);

  *place = (struct place){ 0 };
  if (last == 0)
    return false;
  place->file = arena_copy (text, length);
  place->line = first ? first : last;
  place->column = first ? last : 0;
  place->start = place->column;
  place->finish = end_of_word (place);
  return true;
}

bool
read_place (const char *line, size_t length, struct place *place)
{
  struct line plain = plain_line (line, length);
  const char *kind, *at = find_kind (plain.text, &kind);

  return at && parse_place (plain.text, at - plain.text, place);
}

/* " [-Wunused]" at the end of TEXT becomes the option. */
static void
take_option (struct diagnostic *d, char *text)
{
  size_t length = strlen (text);
  char *bracket = length && text[length - 1] == ']' ? strrchr (text, '[') : NULL;

  if (!bracket || bracket == text || bracket[-1] != ' ' || bracket[1] != '-')
    return;
  text[length - 1] = '\0';
  bracket[-1] = '\0';
  d->option = bracket + 1;
}

/* A note belongs to the message before it, if there is one. */
static struct diagnostic *
add_diagnostic (struct diagnostics *to, const char *kind)
{
  struct diagnostic *last = to->count ? &to->items[to->count - 1] : NULL;

  if (strcmp (kind, "note") == 0 && last && strcmp (last->kind, "note") != 0)
    {
      last->notes = arena_grow (last->notes, last->note_count + 1, &last->note_capacity,
                                sizeof *last->notes);
      return &last->notes[last->note_count++];
    }
  to->items = arena_grow (to->items, to->count + 1, &to->capacity, sizeof *to->items);
  return &to->items[to->count++];
}

/* NULL: the line begins no message. */
static struct diagnostic *
begin_message (struct diagnostics *to, const struct line *line)
{
  const char *kind, *at = find_kind (line->text, &kind);
  struct diagnostic *d;
  char *text;

  if (!at || at == line->text || isblank ((unsigned char) *line->text))
    return NULL;
  d = add_diagnostic (to, kind);
  d->kind = kind;
  text = arena_format ("%s", at + strlen (": : ") + strlen (kind));
  d->text = text;
  take_option (d, text);
  if (!parse_place (line->text, at - line->text, &d->place))
    d->program = arena_copy (line->text, at - line->text);
  return d;
}

/* The gutter of lines that show the source: "   12 | ", "      | ", "  +++ |". */
static const char *
behind_gutter (const struct line *line)
{
  const char *at = line->text + strspn (line->text, " ");

  at += isdigit ((unsigned char) *at) ? strspn (at, "0123456789") : strspn (at, "+");
  if (at == line->text || !starts_with (at + strspn (at, " "), "|"))
    return NULL;
  return at + strspn (at, " ") + 1;
}

/* The column of a byte that many columns away on the screen. */
static unsigned
moved_column (const struct place *place, int by)
{
  unsigned wanted = screen_column (place, place->column) + by, column = place->column;

  while (by < 0 && column > 1 && screen_column (place, column) > wanted)
    column--;
  while (by > 0 && screen_column (place, column) < wanted)
    column++;
  return column;
}

/* What is underlined around the caret. */
static void
read_marks (struct place *place, const char *text)
{
  const char *caret = strchr (text, '^'), *start = caret, *end = caret;

  if (!caret || place->column == 0 || text[strspn (text, " \t^~")])
    return;
  while (start > text && start[-1] == '~')
    start--;
  while (end[1] == '~')
    end++;
  place->start = moved_column (place, start - caret);
  place->finish = moved_column (place, end - caret);
}

/* TEXT is in quotes, with \ before what is special; returns what is behind it, or NULL. */
static const char *
take_quoted (const char *text, const char **to)
{
  char *out = arena_alloc (strlen (text) + 1);

  *to = out;
  if (*text++ != '"')
    return NULL;
  for (; *text && *text != '"'; text++)
    if (*text != '\\' || !text[1])
      *out++ = *text;
    else
      {
        text++;
        *out++ = *text == 'n' ? '\n' : *text == 't' ? '\t' : *text;
      }
  return *text ? text + 1 : NULL;
}

/* fix-it:"FILE":{LINE:COLUMN-LINE:COLUMN}:"TEXT" */
static bool
read_fix (struct diagnostic *d, const struct line *line)
{
  struct fix fix = { 0 };
  const char *at;
  int length = 0;

  if (!starts_with (line->text, "fix-it:"))
    return false;
  at = take_quoted (line->text + strlen ("fix-it:"), &fix.file);
  if (!at || !d
      || sscanf (at, ":{%u:%u-%u:%u}:%n", &fix.line, &fix.column, &fix.next_line, &fix.next_column,
                 &length)
             != 4
      || length == 0 || !take_quoted (at + length, &fix.text))
    return true;
  d->fixes = arena_grow (d->fixes, d->fix_count + 1, &d->fix_capacity, sizeof *d->fixes);
  d->fixes[d->fix_count++] = fix;
  return true;
}

/* Where a message is, for people; it says so itself. */
static bool
is_context (const struct line *line)
{
  return starts_with (line->text, "In file included from ")
         || starts_with (line->text, "                 from ")
         || strstr (line->text, ": In function ") || ends_with (line->text, ": At top level:")
         || strcmp (line->text, "compilation terminated.") == 0
         || (isdigit ((unsigned char) *line->text) && ends_with (line->text, " generated."));
}

void
read_diagnostics (struct diagnostics *to, const char *text, size_t size, FILE *rest)
{
  const char *end = text + size, *next;
  struct diagnostic *current = NULL;
  bool is_marked = false;

  for (; text < end; text = next)
    {
      const char *feed = memchr (text, '\n', end - text), *behind;
      struct line line = plain_line (text, (feed ? feed : end) - text);
      struct diagnostic *begun;

      next = feed ? feed + 1 : end;
      if (current && (behind = behind_gutter (&line)))
        {
          /* The marks under the line of the message come first. */
          if (!is_marked && strchr (behind, '^'))
            {
              read_marks (&current->place, behind);
              is_marked = true;
            }
        }
      else if ((begun = begin_message (to, &line)))
        {
          current = begun;
          is_marked = false;
        }
      else if (!read_fix (current, &line) && !is_context (&line))
        fprintf (rest, "%.*s\n", (int) line.length, line.text);
    }
}
