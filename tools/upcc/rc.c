/* ~/.upccrc, with keys of Berkeley UPC's driver: what a user wants in each call. Switches in it come
   before those of UPCC_FLAGS, and these before those of the command line. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>
#include <string.h>

/* What -echo-var knows when the file does not say it. Keys with a switch become that switch. */
static struct key
{
  const char *name;
  const char *option; /* put before the value; NULL: no effect */
  const char *value;
} keys[] = {
  { "default_network", NULL, "smp" },
  { "default_options", "", "" },
  { "smp_options", "", "" },
  { "shared_heap", "-shared-heap=", "" },
  { "default_pthreads", "-pthreads=", "" },
  { "smart_output", NULL, "no" },
  { "translator", NULL, "upc2c" },
};

static struct key *
find_key (const char *name)
{
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp (keys[i].name, name) == 0)
      return &keys[i];
  return NULL;
}

/* Of other networks, other translators, and how Berkeley UPC itself was built. */
static bool
concerns_others (const char *key)
{
  return ends_with (key, "_options") || ends_with (key, "_translator")
         || starts_with (key, "default_") || starts_with (key, "shared_heap_")
         || strcmp (key, "heap_offset") == 0;
}

static void
read_setting (const struct setting *setting, void *smart_output)
{
  struct key *key = find_key (setting->key);

  if (strcmp (setting->key, "smart_output") == 0)
    *(bool *) smart_output = setting_is_true (setting);
  if (key)
    key->value = setting->value;
  else if (!concerns_others (setting->key))
    fail ("%s:%d: unknown key '%s'", setting->file, setting->line, setting->key);
}

/* Which it is must be known before the file is read. */
static bool
is_wanted (const struct words *arguments)
{
  const char *no = getenv ("UPCC_NORC");

  return !(no && *no) && !words_have (arguments, "-norc") && !words_have (arguments, "--norc");
}

/* What the last -conf says, in either form; NULL: there is none. */
static const char *
chosen_file (const struct words *arguments)
{
  const char *file = NULL;

  for (size_t i = 0; i < arguments->count; i++)
    {
      const char *word = arguments->item[i] + starts_with (arguments->item[i], "--");

      if (starts_with (word, "-conf="))
        file = word + strlen ("-conf=");
      else if (strcmp (word, "-conf") == 0)
        file = arguments->item[i + 1];
    }
  return file;
}

static void
add_key (struct words *words, const struct key *key)
{
  const char *rest = key->value, *word;

  if (key->option && *key->option && *key->value)
    words_add (words, arena_format ("%s%s", key->option, key->value));
  else if (key->option)
    while ((word = next_switch (&rest)))
      words_add (words, word);
}

void
add_settings (struct words *words, const struct words *arguments)
{
  bool smart_output = false;

  if (!is_wanted (arguments))
    return;
  each_setting_of_user (".upccrc", chosen_file (arguments), read_setting, &smart_output);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    add_key (words, &keys[i]);
  if (smart_output)
    words_add (words, "-smart-output");
}

const char *
value_of_key (const char *name)
{
  const struct key *key = find_key (name);

  return key ? key->value : NULL;
}
