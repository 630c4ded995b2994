/* The report of a race: an error and a note, once for two lines of the program. The run
   continues. */

#include "runtime/race/race.h"

#include "runtime/diag/diag.h"
#include "runtime/shared/shared.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  CALLS = 12,
  MOST_SITES = 1024,
  MOST_REPORTS = 1000,
  MOST_PAIRS = 1024,
  LINE_BYTES = 256
};

/* Under the lock, all of it. Sites of calls are never freed, nor changed. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct calls
{
  int count;
  const void *frames[CALLS];
} * sites[MOST_SITES];
static char *reported[MOST_REPORTS];
static int report_count;
/* Pairs of sites whose lines were looked at, each in the place that its hash says. */
static struct pair
{
  const void *low, *high;
} seen[MOST_PAIRS];

static unsigned
hash (const struct calls *calls)
{
  uint64_t h = calls->count;

  for (int i = 0; i < calls->count; i++)
    h = (h ^ (uintptr_t) calls->frames[i]) * 0x9e3779b97f4a7c15;
  return (h ^ h >> 32) % MOST_SITES;
}

static bool
is_same (const struct calls *a, const struct calls *b)
{
  return a->count == b->count && memcmp (a->frames, b->frames, a->count * sizeof *a->frames) == 0;
}

/* NULL where there is no room for it any more. */
static struct calls *
keep (const struct calls *calls)
{
  unsigned at = hash (calls);

  for (int i = 0; i < MOST_SITES; i++, at = (at + 1) % MOST_SITES)
    {
      if (!sites[at] && (sites[at] = malloc (sizeof *calls)))
        *sites[at] = *calls;
      if (!sites[at] || is_same (sites[at], calls))
        return sites[at];
    }
  return NULL;
}

const void *
upcr_race_calls (void)
{
  struct calls calls, *kept;

  calls.count = upcr_unwind (calls.frames, CALLS);
  pthread_mutex_lock (&lock);
  kept = keep (&calls);
  pthread_mutex_unlock (&lock);
  return kept;
}

/* Writes `f.upc:7`, or the program's name where the line is not known. */
static void
write_line (const struct upcr_race_side *side, char *line)
{
  const struct calls *calls = side->site;
  struct upcr_location location = { NULL, 0 };

  if (side->how & UPCR_RACE_CALLS && calls)
    upcr_find_line (calls->frames, calls->count, &location);
  else if (side->how & UPCR_RACE_CODE)
    upcr_find_line (&side->site, 1, &location);
  else if (side->site)
    {
      snprintf (line, LINE_BYTES, "%s", (const char *) side->site);
      return;
    }
  if (location.file && location.line)
    snprintf (line, LINE_BYTES, "%s:%d", location.file, location.line);
  else
    snprintf (line, LINE_BYTES, "%s", upcr_program);
}

static const char *
verb (const struct upcr_race_side *side)
{
  if (side->how & UPCR_RACE_FREE)
    return "frees";
  return side->how & UPCR_RACE_WRITE ? "writes" : "reads";
}

/* Are these two lines new? Two races of one pair of lines differ in who comes first. */
static bool
note_lines (const char *a, const char *b)
{
  char *both;
  bool is_ordered = strcmp (a, b) <= 0;

  if (report_count == MOST_REPORTS
      || asprintf (&both, "%s %s", is_ordered ? a : b, is_ordered ? b : a) < 0)
    return false;
  for (int i = 0; i < report_count; i++)
    if (strcmp (reported[i], both) == 0)
      {
        free (both);
        return false;
      }
  reported[report_count++] = both;
  return true;
}

/* To find lines takes milliseconds, and a program may have millions of races at two sites. */
static bool
was_seen (const void *a, const void *b)
{
  struct pair both = { a < b ? a : b, a < b ? b : a };
  uint64_t h = (((uintptr_t) both.low * 0x9e3779b97f4a7c15) ^ (uintptr_t) both.high)
               * 0x9e3779b97f4a7c15;
  struct pair *place = &seen[(h ^ h >> 32) % MOST_PAIRS];
  bool is_there = place->low == both.low && place->high == both.high;

  *place = both;
  return is_there && both.high;
}

static void
print (const void *address, const struct upcr_race_side *now, const struct upcr_race_side *before)
{
  uint64_t distance = (uintptr_t) address - UPCR_SEGMENT_BASE;
  char line[LINE_BYTES], other[LINE_BYTES], text[UPCR_TEXT_BYTES];

  /* The access itself will be told. */
  if (upcr_is_beside_null (distance / UPCR_STRIDE, distance % UPCR_STRIDE))
    return;
  if (was_seen (now->site, before->site))
    return;
  write_line (now, line);
  write_line (before, other);
  if (!note_lines (line, other))
    return;
  upcr_access_text (distance / UPCR_STRIDE, distance % UPCR_STRIDE, 0, text, sizeof text);
  fprintf (stderr,
           "%s: error: thread %u: race: %s %s\n"
           "%s: note: thread %u %s the same, and nothing orders the two\n",
           line, now->thread, verb (now), text, other, before->thread, verb (before));
}

void
upcr_race_report (const void *address, const struct upcr_race_side *now,
                  const struct upcr_race_side *before)
{
  pthread_mutex_lock (&lock);
  print (address, now, before);
  pthread_mutex_unlock (&lock);
}

int
upcr_race_status (int status)
{
  return status == 0 && report_count > 0 ? 1 : status;
}
