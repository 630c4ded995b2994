/* Lists of words, and names made from others. */

#include "tools/upcc/upcc.h"

#include <stdarg.h>
#include <string.h>

void
words_add (struct words *words, const char *word)
{
  words->item = arena_grow (words->item, words->count + 2, &words->capacity, sizeof *words->item);
  words->item[words->count++] = arena_format ("%s", word);
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
  char *rest = arena_format ("%s", text);
  char *word;

  while ((word = strsep (&rest, separators)))
    if (*word)
      words_add (words, word);
}

/* The last component of PATH with another suffix. */
const char *
replace_suffix (const char *path, const char *suffix)
{
  const char *base = path_base (path), *dot = strrchr (base, '.');

  return arena_format ("%.*s%s", (int) (dot ? dot - base : (long) strlen (base)), base, suffix);
}
