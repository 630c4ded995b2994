/* Which language a source is in. A C source is UPC too, as the other UPC drivers
   have it: plain C comes through unchanged, and `.c` files that are UPC are many.
   `-x c` is for those whose names are UPC's keywords. */

#include "tools/upcc/upcc.h"

#include <string.h>

static const struct
{
  const char *name;
  enum language language;
} names[] = {
  { "none", LANGUAGE_NONE },
  { "upc", LANGUAGE_UPC },
  { "upc-header", LANGUAGE_UPC_HEADER },
  { "upc-cpp-output", LANGUAGE_UPC_PREPROCESSED },
  { "c", LANGUAGE_C },
  { "cpp-output", LANGUAGE_C_PREPROCESSED },
  { "assembler", LANGUAGE_ASSEMBLER },
  { "assembler-with-cpp", LANGUAGE_ASSEMBLER_CPP },
};

static const struct
{
  const char *suffix;
  enum language language;
} suffixes[] = {
  { ".trans.c", LANGUAGE_TRANSLATED },
  { ".upc", LANGUAGE_UPC },
  { ".c", LANGUAGE_UPC },
  { ".upci", LANGUAGE_UPC_PREPROCESSED },
  { ".i", LANGUAGE_UPC_PREPROCESSED },
  { ".h", LANGUAGE_UPC_HEADER },
  { ".s", LANGUAGE_ASSEMBLER },
  { ".S", LANGUAGE_ASSEMBLER_CPP },
  { ".sx", LANGUAGE_ASSEMBLER_CPP },
};

void
choose_language (struct options *options, const char *name)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (names[i].name, name) == 0)
      {
        options->language = names[i].language;
        options->chooses_language = names[i].language != LANGUAGE_NONE;
        return;
      }
  fail_usage (
      "invalid value in '-x %s'; expected upc, upc-header, upc-cpp-output, c, cpp-output, assembler, assembler-with-cpp or none",
      name);
}

/* As -x of the C compiler has it. */
const char *
name_of_language (enum language language)
{
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].language == language)
      return names[i].name;
  return "none";
}

enum language
language_of_suffix (const char *path)
{
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (ends_with (path, suffixes[i].suffix))
      return suffixes[i].language;
  return LANGUAGE_NONE;
}
