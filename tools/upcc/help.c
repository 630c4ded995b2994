/* What upcc says of itself: --help, --version, its switches for the manual page. */

#include "tools/upcc/upcc.h"
#include "tools/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void
print_help (void)
{
  puts ("usage: upcc [switches] file...\n"
        "Compiles and links UPC programs that run as the threads of one process. Files are UPC,\n"
        "C, C++, Fortran and assembly sources, objects of their compilers, archives and shared\n"
        "libraries. C sources are compiled as UPC unless -x c precedes them. @FILE stands for the\n"
        "words in FILE. All words after -- are files.\n");
  for (size_t i = 0; i < option_row_count; i++)
    if (option_rows[i].help && !is_refused (&option_rows[i]))
      print_switch_help (option_rows[i].name, option_rows[i].argument, option_rows[i].help);
  puts ("\nThe C compiler is the one that UPCC_CC names in the environment, else CC, else " UPCC_CC
        ".");
}

/* Entries of upcc(1), as roff. */
static void
print_manual (void)
{
  for (size_t i = 0; i < option_row_count; i++)
    {
      const struct option_row *row = &option_rows[i];

      if (row->help && !is_refused (row))
        print_switch_roff (row->name, row->argument, row->help, row->manual);
    }
}

static void
show_places (void)
{
  if (find_headers ())
    printf ("include: %s\n", find_headers ());
  printf ("library: %s\n", find_library_folder ());
}

/* Build systems tell gcc from other compilers by what it says of itself. Returns where there is none. */
static void
show_version_of_compiler (void)
{
  struct words command = { 0 };

  fflush (stdout);
  mark_commands ();
  add_compiler (&command);
  words_add (&command, "--version");
  execvp (command.item[0], command.item);
}

void
show_text (enum show show)
{
  if (show == SHOW_HELP)
    print_help ();
  else if (show == SHOW_MANUAL)
    print_manual ();
  else
    puts ("upcc (UPCT) " UPCT_VERSION);
  if (show == SHOW_PLACES)
    show_places ();
  if (show == SHOW_VERSION)
    show_version_of_compiler ();
  exit (0);
}
