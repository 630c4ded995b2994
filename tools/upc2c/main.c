/* upc2c: the phases, one after the other. */

#include "tools/upc2c/instrument/instrument.h"
#include "tools/upc2c/parse/parse.h"
#include "tools/upc2c/write/write.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A device, such as /dev/null, is written to and never replaced. */
static bool
is_device (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 && !S_ISREG (status.st_mode);
}

/* Nobody sees half a file: the output appears under its name when it is whole. */
static void
write_output (void)
{
  char *temporary;
  FILE *out;
  bool is_good;

  if (!switches.output || strcmp (switches.output, "-") == 0)
    {
      generate (stdout);
      if (fflush (stdout) != 0 || ferror (stdout))
        fail ("cannot write the output: %s", strerror (errno));
      return;
    }
  temporary = is_device (switches.output)
                  ? (char *) switches.output
                  : arena_format ("%s.%ld.tmp", switches.output, (long) getpid ());
  out = fopen (temporary, "w");
  if (!out)
    fail ("cannot write '%s': %s", temporary, strerror (errno));
  generate (out);
  is_good = !ferror (out);
  is_good = fclose (out) == 0 && is_good && error_count == 0;
  if (is_good && (temporary == switches.output || rename (temporary, switches.output) == 0))
    return;
  if (error_count == 0)
    fprintf (stderr, "upc2c: error: cannot write '%s': %s\n", switches.output, strerror (errno));
  error_count++;
  if (temporary != switches.output)
    unlink (temporary);
}

const char program_name[] = "upc2c";

static void *
run_phases (void *unused)
{
  unit.text = read_text (switches.input, &unit.size);
  if (!unit.text)
    fail ("cannot read '%s': %s", switches.input, strerror (errno));
  set_event_hooks (&gasp_hooks);
  lex ();
  parse_unit ();
  if (error_count == 0)
    write_output ();
  return unused;
}

/* The parser and the generator recurse as deeply as the program nests. Memory that is
   not touched costs nothing, so the stack is large. */
static void
run_on_large_stack (void)
{
  pthread_attr_t attributes;
  pthread_t thread;

  pthread_attr_init (&attributes);
  for (size_t size = (size_t) 1 << 30; size >= (size_t) 1 << 23; size /= 2)
    if (pthread_attr_setstacksize (&attributes, size) == 0
        && pthread_create (&thread, &attributes, run_phases, NULL) == 0)
      {
        pthread_join (thread, NULL);
        return;
      }
  run_phases (NULL);
}

int
main (int argc, char **argv)
{
  (void) argc;
  read_switches (argv + 1);
  run_on_large_stack ();
  return error_count != 0;
}
