/* -uses-mpi, and links with -fupc-network=mpi: what the MPI compiler adds to the C compiler's command. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>
#include <string.h>

/* Other switches in the command are those that the MPI library itself was compiled with. */
static bool
concerns_mpi (const char *word)
{
  return starts_with (word, "-I") || starts_with (word, "-D") || starts_with (word, "-L")
         || starts_with (word, "-l") || starts_with (word, "-Wl,");
}

const char *
mpi_compiler (void)
{
  const char *chosen = getenv ("UPCC_MPICC");

  return chosen && *chosen ? chosen : "mpicc";
}

/* MPICH's compilers and Open MPI's know -show. */
void
add_mpi_words (struct words *words, const char *by)
{
  const char *compiler = mpi_compiler ();
  FILE *pipe = popen (arena_format ("%s -show 2>/dev/null", compiler), "re");
  struct words shown = { 0 };
  char line[4096];

  while (pipe && fgets (line, sizeof line, pipe))
    words_add_split (&shown, line, " \t\n");
  if (!pipe || pclose (pipe) != 0 || !shown.count)
    fail_usage ("'%s': cannot run '%s -show'; UPCC_MPICC names another compiler for MPI, "
                "and Debian has them in libmpich-dev and libopenmpi-dev",
                by, compiler);
  for (size_t i = 0; i < shown.count; i++)
    if (concerns_mpi (shown.item[i]))
      words_add (words, shown.item[i]);
}
