/* upc2c: switches, and the phases one after the other. */

#include "tools/upc2c/front.h"
#include "tools/version.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
  "Usage: upc2c [SWITCH]... FILE -o OUTPUT\n"
  "Translates a preprocessed UPC file to C.\n"
  "\n"
  "  -o OUTPUT               the C file; not written when there are errors\n"
  "  -fupc-threads-N         translate for N threads (static THREADS)\n"
  "  -fupc-pts=packed        pointers-to-shared of 8 bytes (the default)\n"
  "  -fupc-pts=struct        pointers-to-shared of 16 bytes\n"
  "  -std=STANDARD           c11, gnu11 and so on, as for the compiler; likewise\n"
  "                          -fno-asm, -fshort-enums, -funsigned-char,\n"
  "                          -fpack-struct=N, -fms-extensions\n"
  "  --profile               raise events for a performance tool (GASP)\n"
  "  --profile-local         the same, for accesses to own data too\n"
  "  --profile-events=N,N    only events with these numbers\n"
  "  -fupc-instrument        --profile-local without events of functions\n"
  "  -fupc-instrument-functions  the same as --profile-local\n"
  "  -w                      no warnings\n"
  "  -Werror                 warnings are errors\n"
  "  --help                  this text\n"
  "  --version               print the version\n";

static bool
starts (const char *text, const char *prefix)
{
  return strncmp (text, prefix, strlen (prefix)) == 0;
}

static uint32_t
read_threads (const char *word, const char *digits)
{
  char *end;
  unsigned long n;

  errno = 0;
  n = strtoul (digits, &end, 10);
  if (errno || *end || end == digits || n < 1 || n > UINT16_MAX)
    fail ("bad number of threads in '%s'", word);
  return n;
}

static void
read_standard (const char *name)
{
  switches.iso_c = *name == 'c' || starts (name, "iso");
  switches.iso_c90 = strcmp (name, "c89") == 0 || strcmp (name, "c90") == 0
                     || starts (name, "iso9899:1990") || starts (name, "iso9899:199409");
}

/* What changes the sizes of types, or which types there are. */
static bool
read_layout_switch (const char *word)
{
  if (strcmp (word, "-fshort-enums") == 0)
    switches.short_enums = true;
  else if (strcmp (word, "-funsigned-char") == 0)
    switches.unsigned_char = true;
  else if (strcmp (word, "-fms-extensions") == 0 || strcmp (word, "-fplan9-extensions") == 0)
    switches.tagged_members = true;
  else if (strcmp (word, "-fpack-struct") == 0)
    switches.pack = 1;
  else if (starts (word, "-fpack-struct="))
    switches.pack = strtoul (word + strlen ("-fpack-struct="), NULL, 10);
  else if (strcmp (word, "-fno-asm") == 0)
    switches.iso_c = true;
  else
    return false;
  return true;
}

static void
read_switch (const char *word)
{
  if (starts (word, "-fupc-threads-"))
    switches.threads = read_threads (word, word + strlen ("-fupc-threads-"));
  else if (strcmp (word, "-fupc-pts=packed") == 0)
    switches.struct_pts = false;
  else if (strcmp (word, "-fupc-pts=struct") == 0)
    switches.struct_pts = true;
  else if (starts (word, "-std="))
    read_standard (word + strlen ("-std="));
  else if (strcmp (word, "-w") == 0)
    switches.inhibit_warnings = true;
  else if (strcmp (word, "-Werror") == 0)
    switches.warnings_are_errors = true;
  else if (!read_layout_switch (word) && !read_instrument_switch (word))
    fail ("unknown switch '%s'; --help lists them", word);
}

static void
read_switches (char **word)
{
  for (; *word; word++)
    if (strcmp (*word, "--help") == 0)
      {
        fputs (help, stdout);
        exit (0);
      }
    else if (strcmp (*word, "--version") == 0)
      {
        puts ("upc2c (UPCT) " UPCT_VERSION);
        exit (0);
      }
    else if (strcmp (*word, "-o") == 0)
      {
        switches.output = *++word;
        if (!switches.output)
          fail ("-o needs the name of a file");
      }
    else if (**word == '-' && (*word)[1])
      read_switch (*word);
    else if (switches.input)
      fail ("two inputs, '%s' and '%s'", switches.input, *word);
    else
      switches.input = *word;
  if (!switches.input)
    fail ("no input file; --help explains");
}

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

static void *
run_phases (void *unused)
{
  unit.text = read_text (switches.input, &unit.size);
  if (!unit.text)
    fail ("cannot read '%s': %s", switches.input, strerror (errno));
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

/* Until a generator is linked in, the text goes through as it is. */
__attribute__ ((weak)) void
generate (FILE *out)
{
  fwrite (unit.text, 1, unit.size, out);
}

int
main (int argc, char **argv)
{
  (void) argc;
  read_switches (argv + 1);
  run_on_large_stack ();
  return error_count != 0;
}
