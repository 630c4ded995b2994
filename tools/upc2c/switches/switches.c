/* The command line. */

#include "tools/upc2c/switches/switches.h"

#include "tools/common/common.h"
#include "tools/version.h"

#include <errno.h>
#include <gasp_upc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __aarch64__
#define ARM true
#else
#define ARM false
#endif

struct switches switches = { .arm = ARM, .unsigned_char = ARM };

static const char help[]
    = "Usage: upc2c [SWITCH]... FILE -o OUTPUT\n"
      "Translates a preprocessed UPC file to C.\n"
      "\n"
      "  -o OUTPUT               the C file; not written when there are errors\n"
      "  -fupc-threads-N         translate for N threads (static THREADS)\n"
      "  -fupc-pts=packed        pointers-to-shared of 8 bytes (the default)\n"
      "  -fupc-pts=struct        pointers-to-shared of 16 bytes\n"
      "  --target=NAME           for x86_64-linux-gnu or aarch64-linux-gnu\n"
      "  -fupc-check             check each access to shared data at run time\n"
      "  -fupc-check=race        report each access to the race detector\n"
      "  -fupc-report            say how each loop and shared access is compiled, and why\n"
      "  -std=STANDARD           c11, gnu11 and so on, as for the compiler; likewise\n"
      "                          -fno-asm, -fshort-enums, -f[un]signed-char,\n"
      "                          -fpack-struct=N, -fms-extensions, -fno-common,\n"
      "                          -fgnu89-inline\n"
      "  --profile               raise events for a performance tool (GASP)\n"
      "  --profile-local         the same, and for accesses to a thread's own data\n"
      "  --profile-events=N,N    only events with these numbers\n"
      "  -fupc-instrument        --profile-local without events of functions\n"
      "  -fupc-instrument-functions  the same as --profile-local\n"
      "  -fdiagnostics-color=always  color messages as GCC_COLORS says\n"
      "  -fdiagnostics-parseable-fixits  print the changes that messages propose\n"
      "  -w                      no warnings\n"
      "  -Wno-array-bounds       no warnings about constant indexes out of bounds\n"
      "  -Werror                 warnings are errors\n"
      "  --help                  this text\n"
      "  --version               print the version\n";

static void
read_target (const char *name)
{
  switches.arm = starts_with (name, "aarch64-");
  if (!switches.arm && !starts_with (name, "x86_64-"))
    fail ("unknown target '%s'", name);
  switches.unsigned_char = switches.arm;
}

static uint32_t
read_threads (const char *word, const char *digits)
{
  char *end;
  unsigned long n;

  errno = 0;
  n = strtoul (digits, &end, 10);
  if (errno || *end || end == digits || n < 1 || n > UINT16_MAX)
    fail ("invalid number of threads in '%s'", word);
  return n;
}

static void
read_standard (const char *name)
{
  switches.iso_c = *name == 'c' || starts_with (name, "iso");
  switches.c23 = ends_with (name, "23") || ends_with (name, "2x") || ends_with (name, "2y");
  switches.iso_c90 = strcmp (name, "c89") == 0 || strcmp (name, "c90") == 0
                     || starts_with (name, "iso9899:1990") || starts_with (name, "iso9899:199409");
  switches.gnu_inline = switches.iso_c90 || strcmp (name, "gnu89") == 0
                        || strcmp (name, "gnu90") == 0;
}

/* What changes the sizes of types, or which types there are. */
static bool
read_layout_switch (const char *word)
{
  if (strcmp (word, "-fshort-enums") == 0)
    switches.short_enums = true;
  else if (strcmp (word, "-funsigned-char") == 0 || strcmp (word, "-fsigned-char") == 0)
    switches.unsigned_char = word[2] == 'u';
  else if (strcmp (word, "-fms-extensions") == 0 || strcmp (word, "-fplan9-extensions") == 0)
    switches.tagged_members = true;
  else if (strcmp (word, "-fpack-struct") == 0)
    switches.pack = 1;
  else if (starts_with (word, "-fpack-struct="))
    switches.pack = strtoul (word + strlen ("-fpack-struct="), NULL, 10);
  else if (strcmp (word, "-fno-asm") == 0)
    switches.iso_c = true;
  else if (strcmp (word, "-fgnu89-inline") == 0 || strcmp (word, "-fno-gnu89-inline") == 0)
    switches.gnu_inline = word[2] == 'g';
  else if (strcmp (word, "-fno-common") == 0 || strcmp (word, "-fcommon") == 0)
    switches.no_common = word[2] == 'n';
  else
    return false;
  return true;
}

/* --profile-events=7,8,26: the numbers that upcc makes of the names in a file. */
static void
read_events (const char *word, const char *list)
{
  switches.profile.is_selective = true;
  while (*list)
    {
      char *end;
      unsigned long event = strtoul (list, &end, 10);

      if (*list < '0' || *list > '9' || event >= GASP_UPC_USEREVT_START || (*end && *end != ','))
        fail ("invalid event number in '%s'", word);
      switches.profile.selected[event] = true;
      list = *end ? end + 1 : end;
    }
}

static bool
read_instrument_switch (const char *word)
{
  static const char events[] = "--profile-events=";
  bool is_all = strcmp (word, "--profile") == 0;
  bool is_all_local = strcmp (word, "--profile-local") == 0
                      || strcmp (word, "-fupc-instrument-functions") == 0;
  bool is_local = is_all_local || strcmp (word, "-fupc-instrument") == 0;

  if (strncmp (word, events, strlen (events)) == 0)
    {
      read_events (word, word + strlen (events));
      return true;
    }
  switches.profile.is_on |= is_all || is_local;
  switches.profile.functions |= is_all || is_all_local;
  switches.profile.local |= is_local;
  return is_all || is_local;
}

static void
read_switch (const char *word)
{
  if (starts_with (word, "-fupc-threads-"))
    switches.threads = read_threads (word, word + strlen ("-fupc-threads-"));
  else if (starts_with (word, "--target="))
    read_target (word + strlen ("--target="));
  else if (strcmp (word, "-fupc-pts=packed") == 0)
    switches.struct_pts = false;
  else if (strcmp (word, "-fupc-pts=struct") == 0)
    switches.struct_pts = true;
  else if (strcmp (word, "-fupc-report") == 0)
    switches.report = true;
  else if (strcmp (word, "-fupc-check") == 0)
    switches.check = true;
  else if (strcmp (word, "-fupc-check=race") == 0)
    switches.race = true;
  else if (strcmp (word, "-fupc-network=mpi") == 0)
    switches.network = true;
  else if (starts_with (word, "-std="))
    read_standard (word + strlen ("-std="));
  else if (strcmp (word, "-w") == 0)
    switches.inhibit_warnings = true;
  else if (strcmp (word, "-Warray-bounds") == 0 || strcmp (word, "-Wno-array-bounds") == 0)
    switches.ignores_bounds = word[2] == 'n';
  else if (strcmp (word, "-Werror") == 0)
    switches.warnings_are_errors = true;
  else if (strcmp (word, "-fdiagnostics-parseable-fixits") == 0)
    switches.parseable_fixes = true;
  else if (starts_with (word, "-fdiagnostics-color="))
    set_message_colors (strcmp (word, "-fdiagnostics-color=always") == 0);
  else if (!read_layout_switch (word) && !read_instrument_switch (word))
    fail ("unrecognized command-line option '%s'", word);
}

void
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
          fail ("missing filename after '-o'");
      }
    else if (**word == '-' && (*word)[1])
      read_switch (*word);
    else if (switches.input)
      fail ("more than one input file: '%s' and '%s'", switches.input, *word);
    else
      switches.input = *word;
  if (!switches.input)
    fail ("no input file");
}
