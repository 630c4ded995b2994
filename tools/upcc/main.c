/* upcc: reads the command line, finds the components, runs the plan. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>

const char program_name[] = "upcc";

/* The switches of UPCC_FLAGS come before those of the command line. */
static void
add_environment (struct words *arguments)
{
  const char *rest = getenv ("UPCC_FLAGS"), *word;

  while (rest && (word = next_switch (&rest)))
    words_add (arguments, word);
}

int
main (int argc, char **argv)
{
  static struct words arguments;
  static struct options options;
  static struct layout layout;

  become_compiler (argv);
  add_environment (&arguments);
  expand_responses (&arguments, argv + 1, argc - 1);
  parse_options (&options, &arguments);
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
