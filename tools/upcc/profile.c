/* Instrumentation for performance tools (GASP 1.4, 3.1): --profile and its kin, at
   compile and at link. */

#include "tools/upcc/upcc.h"

#include <gasp_upc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct
{
  const char *name;
  unsigned number;
} events[] = {
#define EVENT(name, number, ...) { "GASP_" #name, number },
#include "runtime/gasp/events.def"
};

enum
{
  EVENT_COUNT = sizeof events / sizeof *events
};

/* Of --profile-only: the events that the file names. */
static bool is_wanted[EVENT_COUNT];

/* Berkeley's names for switches that upc2c knows by other names. */
static const struct
{
  const char *name, *standard;
} aliases[] = {
  { "-inst", "--profile" },
  { "-inst-local", "--profile-local" },
  { "-inst-functions", "-fupc-instrument-functions" },
};

void
set_profile (struct options *options, const struct option_row *row, const char *value)
{
  const char *name = row->name;

  (void) value;
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (strcmp (name, aliases[i].name) == 0)
      name = aliases[i].standard;
  words_add (&options->profile.switches, name);
}

void
set_profile_only (struct options *options, const struct option_row *row, const char *value)
{
  if (!*value)
    fail_usage ("missing argument to '%s'", row->name);
  options->profile.only = value;
}

bool
is_profiling (const struct options *options)
{
  return options->profile.switches.count != 0;
}

static bool
want_event (const char *name)
{
  for (size_t i = 0; i < EVENT_COUNT; i++)
    if (strcmp (events[i].name, name) == 0)
      return is_wanted[i] = true;
  return false;
}

/* LINE without the white space around it. */
static char *
trimmed (char *line)
{
  static const char spaces[] = " \t\r\n\v\f";
  char *end;

  line += strspn (line, spaces);
  end = line + strlen (line);
  while (end > line && strchr (spaces, end[-1]))
    *--end = 0;
  return line;
}

/* Names of events, one a line (GASP 1.4, 3.1.2). */
static void
read_names (const char *path)
{
  FILE *file = fopen (path, "r");
  size_t capacity = 0;
  char *line = NULL;

  if (!file)
    fail ("cannot read '%s': %m", path);
  for (int number = 1; getline (&line, &capacity, file) >= 0; number++)
    {
      const char *name = trimmed (line);

      if (*name && !want_event (name))
        fprintf (stderr, "%s:%d:1: warning: unknown event '%s', ignored\n", path, number, name);
    }
  if (ferror (file))
    fail ("cannot read '%s': %m", path);
  fclose (file);
  free (line);
}

/* What asks for some of it only, or for what it is good for, asks for it. */
void
settle_profile (struct options *options)
{
  struct profile *profile = &options->profile;

  if (!profile->switches.count && (profile->only || profile->trace))
    words_add (&profile->switches, "--profile");
  if (profile->switches.count && options->race)
    fail_usage ("'-fupc-check=race' and '%s' exclude each other", profile->switches.item[0]);
  if (profile->only)
    read_names (profile->only);
}

/* --profile-events=7,26: names as the translator has them. */
void
add_profile (struct words *command, const struct options *options)
{
  const char *list = "";

  words_add_all (command, &options->profile.switches);
  if (!options->profile.only)
    return;
  for (size_t i = 0; i < EVENT_COUNT; i++)
    if (is_wanted[i])
      list = arena_format ("%s%s%u", list, *list ? "," : "", events[i].number);
  words_add (command, arena_format ("--profile-events=%s", list));
}

static void
write_wanted (FILE *file)
{
  fputs ("\t.globl upct_gasp_only\n"
         "\t.section .rodata,\"a\",@progbits\n"
         "upct_gasp_only:\n",
         file);
  for (unsigned number = 0; number < GASP_UPC_USEREVT_START; number++)
    {
      bool wanted = false;

      for (size_t i = 0; i < EVENT_COUNT; i++)
        wanted = wanted || (is_wanted[i] && events[i].number == number);
      fprintf (file, "\t.byte %d\n", wanted);
    }
  fputs ("\t.section .note.GNU-stack,\"\",@progbits\n", file);
}

/* Events of objects that other compilers instrumented are chosen when they happen: an
   object with what is wanted (include/upct/gasp.h). */
const char *
compile_wanted_events (void)
{
  const char *source = temporary ("events", ".s");
  FILE *file = fopen (source, "w");

  if (!file)
    fail ("cannot write %s: %m", source);
  write_wanted (file);
  return assemble (file, source, "events");
}
