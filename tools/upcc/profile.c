/* Instrumentation for performance tools (GASP 1.4, 3.1): --profile and its kin, at
   compile and at link. */

#include "tools/upcc/upcc.h"

#define GASP_ALL_EVENTS
#include <gasp_upc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENT(name) { #name, name }

static const struct
{
  const char *name;
  unsigned number;
} events[] = {
  EVENT (GASP_C_FUNC),
  EVENT (GASP_C_MALLOC),
  EVENT (GASP_C_REALLOC),
  EVENT (GASP_C_FREE),
  EVENT (GASP_UPC_COLLECTIVE_EXIT),
  EVENT (GASP_UPC_NONCOLLECTIVE_EXIT),
  EVENT (GASP_UPC_NOTIFY),
  EVENT (GASP_UPC_WAIT),
  EVENT (GASP_UPC_BARRIER),
  EVENT (GASP_UPC_FENCE),
  EVENT (GASP_UPC_FORALL),
  EVENT (GASP_UPC_GLOBAL_ALLOC),
  EVENT (GASP_UPC_ALL_ALLOC),
  EVENT (GASP_UPC_ALLOC),
  EVENT (GASP_UPC_FREE),
  EVENT (GASP_UPC_GLOBAL_LOCK_ALLOC),
  EVENT (GASP_UPC_ALL_LOCK_ALLOC),
  EVENT (GASP_UPC_LOCK_FREE),
  EVENT (GASP_UPC_LOCK),
  EVENT (GASP_UPC_LOCK_ATTEMPT),
  EVENT (GASP_UPC_UNLOCK),
  EVENT (GASP_UPC_MEMCPY),
  EVENT (GASP_UPC_MEMGET),
  EVENT (GASP_UPC_MEMPUT),
  EVENT (GASP_UPC_MEMSET),
  EVENT (GASP_UPC_GET),
  EVENT (GASP_UPC_PUT),
  EVENT (GASP_UPC_NB_GET_INIT),
  EVENT (GASP_UPC_NB_GET_DATA),
  EVENT (GASP_UPC_NB_PUT_INIT),
  EVENT (GASP_UPC_NB_PUT_DATA),
  EVENT (GASP_UPC_NB_SYNC),
  EVENT (GASP_UPC_CACHE_MISS),
  EVENT (GASP_UPC_CACHE_HIT),
  EVENT (GASP_UPC_CACHE_INVALIDATE),
  EVENT (GASP_UPC_ALL_BROADCAST),
  EVENT (GASP_UPC_ALL_SCATTER),
  EVENT (GASP_UPC_ALL_GATHER),
  EVENT (GASP_UPC_ALL_GATHER_ALL),
  EVENT (GASP_UPC_ALL_EXCHANGE),
  EVENT (GASP_UPC_ALL_PERMUTE),
  EVENT (GASP_UPC_ALL_REDUCE),
  EVENT (GASP_UPC_ALL_PREFIX_REDUCE),
  EVENT (GASP_UPCT_NB_MEMCPY_INIT),
  EVENT (GASP_UPCT_NB_MEMSET_INIT),
  EVENT (GASP_UPCT_ATOMIC),
  EVENT (GASP_UPCT_ALL_SORT),
};

enum { EVENT_COUNT = sizeof events / sizeof *events };

/* Of --profile-only: the events that the file names. */
static bool is_wanted[EVENT_COUNT];

void
set_profile (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  words_add (&options->profile.switches, row->name);
}

void
set_profile_only (struct options *options, const struct option_row *row, const char *value)
{
  if (!*value)
    fail_usage ("'%s' needs a value", row->name);
  options->profile.only = value;
}

void
set_trace (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  options->profile.trace = true;
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
  size_t room = 0;
  char *line = NULL;

  if (!file)
    fail ("cannot read '%s': %m", path);
  for (int number = 1; getline (&line, &room, file) >= 0; number++)
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
