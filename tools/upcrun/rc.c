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

/* Variables that lines of the file have set, as the environment did not. */
static const char **set_here;
static size_t set_count, set_capacity;

static void
set_unless_set (const char *name, const char *value)
{
  if (getenv (name))
    return;
  setenv (name, value, 0);
  set_here = arena_grow (set_here, set_count + 1, &set_capacity, sizeof *set_here);
  set_here[set_count++] = name;
}

static void
unset_if_set_here (const char *name)
{
  for (size_t i = 0; i < set_count; i++)
    if (strcmp (set_here[i], name) == 0)
      unsetenv (name);
}

/* With blanks between them: NAME=VALUE; !NAME, which takes back what a line before says; NAME, which for some
   launchers says to pass it on, as is always done here. */
static void
set_environment (const struct setting *setting)
{
  const char *rest = setting->value, *word;

  while ((word = next_switch (&rest)))
    {
      size_t length = strcspn (word, "=");

      if (length == 0)
        fail ("%s:%d: '%s': expected NAME=VALUE", setting->file, setting->line, word);
      if (word[length])
        set_unless_set (arena_copy (word, length), word + length + 1);
      else if (word[0] == '!')
        unset_if_set_here (word + 1);
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

/* The last switch that says so counts, but that there be none counts more, as does Berkeley's variable. */
static const char *file;
static bool has_none;

void
choose_settings (const char *chosen)
{
  if (chosen)
    file = chosen;
  else
    has_none = true;
}

void
read_settings (apply_switches *apply)
{
  const char *no = getenv ("UPCRUN_NORC");

  if (has_none || (no && *no))
    return;
  each_setting_of_user (".upcrunrc", file, apply_setting, &apply);
}
