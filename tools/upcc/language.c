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
  { "c++", LANGUAGE_CXX },
  { "c++-cpp-output", LANGUAGE_CXX_PREPROCESSED },
  { "f77", LANGUAGE_FIXED },
  { "f77-cpp-input", LANGUAGE_FIXED_CPP },
  { "f95", LANGUAGE_FREE },
  { "f95-cpp-input", LANGUAGE_FREE_CPP },
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
  { ".uph", LANGUAGE_UPC_HEADER },
  { ".s", LANGUAGE_ASSEMBLER },
  { ".S", LANGUAGE_ASSEMBLER_CPP },
  { ".sx", LANGUAGE_ASSEMBLER_CPP },
  { ".cc", LANGUAGE_CXX },
  { ".cp", LANGUAGE_CXX },
  { ".cxx", LANGUAGE_CXX },
  { ".cpp", LANGUAGE_CXX },
  { ".c++", LANGUAGE_CXX },
  { ".CPP", LANGUAGE_CXX },
  { ".C", LANGUAGE_CXX },
  { ".ii", LANGUAGE_CXX_PREPROCESSED },
  { ".f", LANGUAGE_FIXED },
  { ".for", LANGUAGE_FIXED },
  { ".ftn", LANGUAGE_FIXED },
  { ".F", LANGUAGE_FIXED_CPP },
  { ".FOR", LANGUAGE_FIXED_CPP },
  { ".FTN", LANGUAGE_FIXED_CPP },
  { ".fpp", LANGUAGE_FIXED_CPP },
  { ".FPP", LANGUAGE_FIXED_CPP },
  { ".f90", LANGUAGE_FREE },
  { ".f95", LANGUAGE_FREE },
  { ".f03", LANGUAGE_FREE },
  { ".f08", LANGUAGE_FREE },
  { ".F90", LANGUAGE_FREE_CPP },
  { ".F95", LANGUAGE_FREE_CPP },
  { ".F03", LANGUAGE_FREE_CPP },
  { ".F08", LANGUAGE_FREE_CPP },
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
  fail_usage ("invalid value in '-x %s'; expected upc, upc-header, upc-cpp-output, c, cpp-output, "
              "assembler, assembler-with-cpp, c++, c++-cpp-output, f77, f77-cpp-input, f95, "
              "f95-cpp-input or none",
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

bool
is_cxx (enum language language)
{
  return language == LANGUAGE_CXX || language == LANGUAGE_CXX_PREPROCESSED;
}

bool
is_fortran (enum language language)
{
  return language >= LANGUAGE_FIXED;
}

enum language
language_of_suffix (const char *path)
{
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (ends_with (path, suffixes[i].suffix))
      return suffixes[i].language;
  return LANGUAGE_NONE;
}
