/* Text and lists of words. Each block is chained to those before it, so that
   leak checkers see that nothing is lost. */

#include "tools/upcc/upcc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block
{
  struct block *before;
  char bytes[];
};

static struct block *blocks;

static void *
allocate (size_t bytes)
{
  struct block *block = malloc (sizeof *block + bytes);

  if (!block)
    fail ("out of memory");
  block->before = blocks;
  blocks = block;
  return block->bytes;
}

char *
text_format (const char *format, ...)
{
  va_list args;
  char *text;
  int length;

  va_start (args, format);
  length = vsnprintf (NULL, 0, format, args);
  va_end (args);
  text = allocate (length + 1);
  va_start (args, format);
  vsnprintf (text, length + 1, format, args);
  va_end (args);
  return text;
}

void
words_add (struct words *words, const char *word)
{
  if (words->count + 1 >= words->room)
    {
      size_t room = words->room ? 2 * words->room : 16;
      char **item = allocate (room * sizeof *item);

      if (words->count)
        memcpy (item, words->item, words->count * sizeof *item);
      words->item = item;
      words->room = room;
    }
  words->item[words->count++] = text_format ("%s", word);
  words->item[words->count] = NULL;
}

/* The words that follow, up to NULL. */
void
words_add_these (struct words *words, ...)
{
  va_list args;
  const char *word;

  va_start (args, words);
  while ((word = va_arg (args, const char *)))
    words_add (words, word);
  va_end (args);
}

bool
words_have (const struct words *words, const char *word)
{
  for (size_t i = 0; i < words->count; i++)
    if (strcmp (words->item[i], word) == 0)
      return true;
  return false;
}

void
words_add_all (struct words *words, const struct words *more)
{
  for (size_t i = 0; i < more->count; i++)
    words_add (words, more->item[i]);
}

void
words_add_split (struct words *words, const char *text, const char *separators)
{
  char *rest = text_format ("%s", text);
  char *word;

  while ((word = strsep (&rest, separators)))
    if (*word)
      words_add (words, word);
}

bool
text_starts (const char *text, const char *prefix)
{
  return strncmp (text, prefix, strlen (prefix)) == 0;
}

bool
text_ends (const char *text, const char *suffix)
{
  size_t length = strlen (text), tail = strlen (suffix);

  return length >= tail && strcmp (text + length - tail, suffix) == 0;
}

const char *
path_base (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash ? slash + 1 : path;
}

const char *
path_folder (const char *path)
{
  const char *slash = strrchr (path, '/');

  if (!slash)
    return ".";
  return slash == path ? "/" : text_format ("%.*s", (int) (slash - path), path);
}

/* The last component of PATH with another suffix. */
const char *
replace_suffix (const char *path, const char *suffix)
{
  const char *base = path_base (path), *dot = strrchr (base, '.');

  return text_format ("%.*s%s", (int) (dot ? dot - base : (long) strlen (base)), base, suffix);
}
