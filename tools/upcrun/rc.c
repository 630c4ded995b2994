/* ~/.upcrunrc, with keys of Berkeley UPC's upcrun: switches for each run, which UPCRUN_FLAGS and the command
   line come after, and variables that the environment does not set. */

#include "tools/upcrun/upcrun.h"

#include "tools/common/common.h"

#include <stdlib.h>
#include <string.h>

typedef void apply_switches (const char *source, const char *switches);

/* How to launch processes on networks, and for networks other than smp. */
static bool
concerns_others (const char *key)
{
  return ends_with (key, "_options") || ends_with (key, "_environment") || ends_with (key, "_spawn")
         || ends_with (key, "_spawn_nodes") || strcmp (key, "default_cpus_per_node") == 0
         || strcmp (key, "nodefile") == 0;
}

/* NAME=VALUE, with blanks between them. */
static void
set_environment (const struct setting *setting)
{
  const char *rest = setting->value, *word;

  while ((word = next_switch (&rest)))
    {
      size_t length = strcspn (word, "=");

      if (!length || !word[length])
        fail ("%s:%d: '%s': expected NAME=VALUE", setting->file, setting->line, word);
      setenv (arena_copy (word, length), word + length + 1, 0);
    }
}

static void
apply_setting (const struct setting *setting, void *apply)
{
  const char *key = setting->key;

  if (strcmp (key, "default_options") == 0 || strcmp (key, "smp_options") == 0)
    (*(apply_switches **) apply) (arena_format ("%s:%d", setting->file, setting->line),
                                  setting->value);
  else if (strcmp (key, "default_environment") == 0 || strcmp (key, "smp_environment") == 0)
    set_environment (setting);
  else if (!concerns_others (key))
    fail ("%s:%d: unknown key '%s'", setting->file, setting->line, key);
}

bool
wants_settings (char **argv)
{
  const char *flags = getenv ("UPCRUN_FLAGS"), *word;

  while (flags && (word = next_switch (&flags)))
    if (strcmp (word, "-norc") == 0 || strcmp (word, "--norc") == 0)
      return false;
  for (argv++; *argv && **argv == '-'; argv++)
    if (strcmp (*argv, "-norc") == 0 || strcmp (*argv, "--norc") == 0)
      return false;
  return true;
}

void
read_settings (apply_switches *apply)
{
  each_setting_of_user (".upcrunrc", apply_setting, &apply);
}
