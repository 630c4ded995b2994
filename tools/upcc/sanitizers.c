/* -fsanitize=NAME. A sanitizer that must see what the runtime does has a libupc.a of its own. */

#include "tools/upcc/upcc.h"

#include <string.h>

/* Those of an upcc that was built with sanitizers, as are its libraries. */
static const char built_in[] = UPCC_SANITIZE;

static const struct
{
  const char *name;
  bool has_library; /* libupc.a is compiled with it, in a folder of its name */
  bool has_memory;  /* malloc and threads are the sanitizer's */
  const char *refusal;
} rows[] = {
  { "address", true, true, NULL },
  { "thread", true, true, NULL },
  { "leak", false, true, NULL },
  { "memory", false, true,
    "takes a C library compiled with it; valgrind finds what it would find" },
  { "hwaddress", false, true, "not supported; use address" },
};

enum
{
  ROWS = sizeof rows / sizeof *rows
};

static bool
is_built_in (const char *name)
{
  struct words names = { 0 };

  words_add_split (&names, built_in, ",");
  return words_have (&names, name);
}

bool
has_sanitizer (const struct options *options, const char *name)
{
  return is_built_in (name) || words_have (&options->sanitizers, name);
}

static void
pass (struct options *options, const struct option_row *row, const char *value)
{
  const char *word = arena_format ("%s%s", row->name, value);

  words_add (&options->compile, word);
  words_add (&options->link, word);
}

void
set_sanitizers (struct options *options, const struct option_row *row, const char *value)
{
  words_add_split (&options->sanitizers, value, ",");
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].refusal && words_have (&options->sanitizers, rows[i].name))
      fail_usage ("'%s%s': %s", row->name, value, rows[i].refusal);
  pass (options, row, value);
}

void
unset_sanitizers (struct options *options, const struct option_row *row, const char *value)
{
  struct words names = { 0 }, kept = { 0 };

  words_add_split (&names, value, ",");
  for (size_t i = 0; i < options->sanitizers.count; i++)
    if (!words_have (&names, "all") && !words_have (&names, options->sanitizers.item[i]))
      words_add (&kept, options->sanitizers.item[i]);
  options->sanitizers = kept;
  pass (options, row, value);
}

bool
has_sanitizer_of_memory (const struct options *options)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].has_memory && has_sanitizer (options, rows[i].name))
      return true;
  return false;
}

const char *
sanitizer_folder (const struct options *options)
{
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].has_library && !is_built_in (rows[i].name)
        && words_have (&options->sanitizers, rows[i].name))
      return rows[i].name;
  return "";
}

void
add_sanitizers (struct words *command)
{
  if (*built_in)
    words_add (command, arena_format ("-fsanitize=%s", built_in));
}
