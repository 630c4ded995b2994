/* How messages of the commands look: colors, and what upcc reads where it writes them itself. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
is_color_switch (const char *word)
{
  return starts_with (word, "-fdiagnostics-color") || strcmp (word, "-fno-diagnostics-color") == 0;
}

/* The compiler sees a file where the user may have a terminal. */
static const char *
chosen_colors (const struct options *options)
{
  const char *chosen = "auto", *terminal = getenv ("TERM");

  for (size_t i = 0; i < options->compile.count; i++)
    {
      const char *word = options->compile.item[i], *value = strchr (word, '=');

      if (is_color_switch (word))
        chosen = starts_with (word, "-fno") ? "never" : value ? value + 1 : "always";
    }
  if (options->message_format != MESSAGES_TEXT)
    return "never";
  if (strcmp (chosen, "auto") != 0)
    return chosen;
  return isatty (STDERR_FILENO) && terminal && strcmp (terminal, "dumb") != 0 ? "always" : "never";
}

/* What upcc reads messages from: without the source, which it has, and with columns in bytes. */
static void
add_plain_form (struct words *command)
{
  if (is_clang (command))
    {
      words_add (command, "-fno-caret-diagnostics");
      return;
    }
  words_add (command, "-fdiagnostics-parseable-fixits");
  if (!ends_with (command->item[0], "upc2c"))
    words_add (command, "-fdiagnostics-column-unit=byte");
}

void
add_appearance_of_messages (struct words *command, const struct options *options)
{
  words_add (command, arena_format ("-fdiagnostics-color=%s", chosen_colors (options)));
  if (options->message_format != MESSAGES_TEXT)
    add_plain_form (command);
}
