/* What upcc is asked of itself by makefiles and scripts: -print-include-dir, -print-mpicc, -echo-var,
   -show-sizes. The answer is on standard output, and nothing is compiled. */

#include "tools/upcc/upcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_headers (void)
{
  if (!find_headers ())
    fail ("incomplete installation of UPCT: no headers");
  puts (find_headers ());
}

/* A type, its size and its alignment. */
static void
print_sizes (const struct options *options)
{
#define ROW(name, type) printf ("%-12s %2zu %2zu\n", name, sizeof (type), _Alignof(type))
  ROW ("char", char);
  ROW ("short", short);
  ROW ("int", int);
  ROW ("long", long);
  ROW ("long_long", long long);
  ROW ("float", float);
  ROW ("double", double);
  ROW ("long_double", long double);
  ROW ("void_ptr", void *);
  ROW ("size_t", size_t);
  printf ("%-12s %2d %2d\n", "shared_ptr", options->struct_pts ? 16 : 8, 8);
}

void
print_answer (struct options *options, const struct option_row *row, const char *value)
{
  const char *text;

  if (strcmp (row->name, "-print-include-dir") == 0)
    print_headers ();
  else if (strcmp (row->name, "-print-mpicc") == 0)
    puts (mpi_compiler ());
  else if (strcmp (row->name, "-print-translator") == 0)
    puts (find_translator ());
  else if (strcmp (row->name, "-show-sizes") == 0)
    print_sizes (options);
  else if (strcmp (row->name, "-show-confs") == 0)
    puts ("smp");
  else if (!(text = value_of_key (value)))
    fail_usage ("'%s': unknown variable '%s'", row->name, value);
  else
    puts (text);
  exit (0);
}
