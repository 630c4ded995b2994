/* upcc: reads the command line, finds the components, runs the plan. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>

const char program_name[] = "upcc";

/* The switches of ~/.upccrc and UPCC_FLAGS come before those of the command line. */
static void
gather_words (struct words *arguments, char **argv, int argc)
{
  const char *rest = getenv ("UPCC_FLAGS"), *word;
  struct words given = { 0 };

  while (rest && (word = next_switch (&rest)))
    words_add (&given, word);
  expand_responses (&given, argv, argc);
  add_settings (arguments, &given);
  words_add_all (arguments, &given);
}

int
main (int argc, char **argv)
{
  static struct words arguments;
  static struct options options;
  static struct layout layout;

  become_compiler (argv);
  gather_words (&arguments, argv + 1, argc - 1);
  parse_options (&options, &arguments);
  collect_messages (&options);
  begin_steps (&options);
  mark_commands ();
  if (options.queries.count)
    ask_compiler (&options);
  find_layout (&layout, &options);
  if (options.mode == MODE_LINK)
    make_program (&options, &layout);
  else
    make_compilations (&options, &layout);
  return 0;
}
