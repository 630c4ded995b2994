/* @FILE: words of the command line kept in a file, separated by white space;
   quotes and backslashes protect, as in GNU tools. */

#include "tools/upcc/upcc.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
  MAX_DEPTH = 16
};

static void expand_word (struct words *to, const char *word, int depth);

/* Takes the quotes and backslashes out of the word at *from, in place, and moves
   *from behind it. */
static char *
next_word (char **from)
{
  char *in = *from, *word, *out;
  char quote = 0;

  while (isspace ((unsigned char) *in))
    in++;
  word = out = in;
  for (; *in && (quote || !isspace ((unsigned char) *in)); in++)
    {
      if (*in == '\\' && in[1] && quote != '\'')
        *out++ = *++in;
      else if (quote && *in == quote)
        quote = 0;
      else if (!quote && (*in == '\'' || *in == '"'))
        quote = *in;
      else
        *out++ = *in;
    }
  *from = *in ? in + 1 : in;
  if (in == word)
    return NULL;
  *out = 0;
  return word;
}

static void
expand_file (struct words *to, const char *path, int depth)
{
  struct image image;
  char *rest, *word;

  if (depth == MAX_DEPTH)
    fail_usage ("@%s: response files nest too deeply", path);
  read_image (&image, path, arena_format ("@%s", path));
  rest = arena_format ("%.*s", (int) image.size, image.bytes);
  while ((word = next_word (&rest)))
    expand_word (to, word, depth + 1);
}

/* After `--` everything is a file's name. */
static bool
is_closed (const struct words *words)
{
  return words_have (words, "--");
}

static void
expand_word (struct words *to, const char *word, int depth)
{
  if (word[0] == '@' && word[1] && !is_closed (to))
    expand_file (to, word + 1, depth);
  else
    words_add (to, word);
}

void
expand_responses (struct words *to, char **arguments, int count)
{
  for (int i = 0; i < count; i++)
    expand_word (to, arguments[i], 0);
}
