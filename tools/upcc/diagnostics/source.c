/* Lines of source files, and where in them something is. */

#include "tools/upcc/diagnostics/diagnostics.h"
#include "tools/common/common.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum
{
  TAB = 8
};

struct source
{
  const char *file;
  char *text; /* NULL: it cannot be read */
  size_t size;
};

static char *
read_whole (const char *file, size_t *size)
{
  FILE *in = fopen (file, "r");
  char *text = NULL;

  *size = 0;
  if (in && getdelim (&text, &(size_t){ 0 }, EOF, in) < 0)
    text = NULL;
  if (in && text)
    *size = ftell (in);
  if (in)
    fclose (in);
  return text;
}

static const struct source *
source_of (const char *file)
{
  static struct source *sources;
  static size_t count, capacity;

  for (size_t i = 0; i < count; i++)
    if (strcmp (sources[i].file, file) == 0)
      return &sources[i];
  sources = arena_grow (sources, count + 1, &capacity, sizeof *sources);
  sources[count].file = arena_copy (file, strlen (file));
  sources[count].text = read_whole (file, &sources[count].size);
  return &sources[count++];
}

const char *
source_text (const char *file, unsigned number, size_t *length)
{
  const struct source *source = file ? source_of (file) : NULL;
  const char *at = source ? source->text : NULL, *end = at ? at + source->size : NULL;

  if (!at || number == 0)
    return NULL;
  while (at < end && --number)
    {
      at = memchr (at, '\n', end - at);
      at = at ? at + 1 : end;
    }
  if (at == end)
    return NULL;
  end = memchr (at, '\n', end - at) ? memchr (at, '\n', end - at) : end;
  *length = end - at;
  return at;
}

/* The column behind COLUMN - 1 bytes, counted by COUNT, which gets the column so far. */
static unsigned
count_columns (const struct place *place, unsigned column, unsigned (*count) (char, unsigned))
{
  size_t length = 0;
  const char *text = source_text (place->file, place->line, &length);
  unsigned at = 0, i = 0;

  for (; text && i + 1 < column && i < length; i++)
    at = count (text[i], at);
  return at + column - i;
}

static unsigned
count_on_screen (char c, unsigned at)
{
  return c == '\t' ? at / TAB * TAB + TAB : at + begins_character (c);
}

static unsigned
count_characters (char c, unsigned at)
{
  return at + begins_character (c);
}

unsigned
screen_column (const struct place *place, unsigned column)
{
  return count_columns (place, column, count_on_screen);
}

unsigned
character_column (const struct place *place, unsigned column)
{
  return count_columns (place, column, count_characters);
}

static bool
is_part_of_word (char c)
{
  return isalnum ((unsigned char) c) || c == '_' || !begins_character (c) || (c & 0x80);
}

unsigned
end_of_word (const struct place *place)
{
  size_t length = 0, i = place->column;
  const char *text = source_text (place->file, place->line, &length);

  if (!text || i == 0 || i > length || !is_part_of_word (text[i - 1]))
    return place->column;
  while (i < length && is_part_of_word (text[i]))
    i++;
  return i;
}

/* Tabs stay tabs, so that the marks stand right at any width of theirs. */
void
draw_source (FILE *out, const struct place *place)
{
  size_t length = 0;
  const char *text = source_text (place->file, place->line, &length);

  if (!text || place->column == 0 || place->column > length)
    return;
  fprintf (out, "%5u | %.*s\n      | ", place->line, (int) length, text);
  for (unsigned i = 1; i <= place->finish; i++)
    if (i < place->start)
      fputc (text[i - 1] == '\t' ? '\t' : ' ', out);
    else if (begins_character (text[i - 1]))
      fputc (i == place->column ? '^' : '~', out);
  fputc ('\n', out);
}
