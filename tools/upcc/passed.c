/* -Wc, -Wp, and -Wl,: words that upcc passes on. GNU drivers separate them by commas, Berkeley's
   by blanks; both forms are in use, empty ones, too. */

#include "tools/upcc/upcc.h"

#include <string.h>

/* A comma that a switch follows separates words, but not within -Wl,-rpath,/x. Other commas belong
   to a value, as in -falign-functions=16,8. */
void
add_compiler_words (struct options *options, const struct option_row *row, const char *value)
{
  struct words words = { 0 };

  (void) row;
  words_add_split (&words, value, " \t");
  for (size_t i = 0; i < words.count; i++)
    {
      char *word = words.item[i], *comma;

      while (!starts_with (word, "-W") && (comma = strstr (word, ",-")))
        {
          *comma = 0;
          words_add (&options->compile, word);
          word = comma + 1;
        }
      words_add (&options->compile, word);
    }
}

void
add_preprocessor_words (struct options *options, const struct option_row *row, const char *value)
{
  if (!strpbrk (value, " \t"))
    {
      if (*value)
        words_add (&options->preprocess, arena_format ("%s%s", row->name, value));
      return;
    }
  words_add_split (&options->preprocess, value, " \t");
}

/* Whether the blanks in WORD separate words: not those of a path, which is a word of its own or
   follows an equals sign. */
static bool
has_several_words (const char *word)
{
  size_t length = strcspn (word, " \t=");

  return word[0] == '-' && word[length] && word[length] != '=';
}

/* Berkeley's linker is the C compiler: some words are for that alone, and ld knows them not, or means
   something else by them. */
static bool
is_for_driver (const char *word)
{
  static const char *const words[] = { "-pthread",          "-pg",
                                       "-rdynamic",         "-static-libgcc",
                                       "-static-libstdc++", "-static-libgfortran" };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp (word, words[i]) == 0)
      return true;
  return starts_with (word, "-fopenmp") || starts_with (word, "-fuse-ld=")
         || starts_with (word, "-fprofile-") || strcmp (word, "-m64") == 0;
}

/* VALUE with a comma for the blank in front of another -Wl,. */
static const char *
joined_by_commas (const char *value)
{
  char *joined = arena_format ("%s", value);

  for (char *at; (at = strstr (joined, " -Wl,"));)
    *at = ',';
  return joined;
}

void
add_linker_words (struct options *options, const struct option_row *row, const char *value)
{
  struct words parts = { 0 }, words = { 0 };

  (void) row;
  words_add_split (&parts, joined_by_commas (value), ",");
  for (size_t i = 0; i < parts.count; i++)
    if (has_several_words (parts.item[i]))
      words_add_split (&words, parts.item[i], " \t");
    else
      words_add (&words, parts.item[i]);
  for (size_t i = 0; i < words.count; i++)
    /* -Wl,-Wl,-rpath,/x: what the C compiler would get is for the linker all the same. */
    if (is_for_driver (words.item[i]))
      words_add (&options->link, words.item[i]);
    else if (strcmp (words.item[i], "-Wl") != 0)
      options_add_item (options, ITEM_LINKER, words.item[i]);
}
