/* The operations as the runtime's code calls them, the trace of an execution, and the program
   around the search. */

#include "explore.h"

#include "memory.h"
#include "plain.h"
#include "search.h"
#include "threads.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_EVENTS = 1 << 14,
  LAST_EVENTS = 300,
  MOST_OUTCOMES = 64,
  OUTCOME_BYTES = 80
};

static const char *const order_names[] = { "relaxed", "consume", "acquire",
                                           "release", "acq_rel", "seq_cst" };

/* ---- The trace ---- */

static struct event
{
  int thread;
  const struct explore_site *site;
  uint64_t value;
  memory_order order;
} events[MOST_EVENTS];
static int event_count;

static void
trace (const struct explore_site *site, uint64_t value, memory_order order)
{
  if (event_count < MOST_EVENTS)
    events[event_count++] = (struct event){ explore_self, site, value, order };
}

static void
print_trace (void)
{
  for (int i = event_count > LAST_EVENTS ? event_count - LAST_EVENTS : 0; i < event_count; i++)
    {
      const struct event *event = &events[i];
      const struct explore_site *site = event->site;

      printf ("%4d  thread %d  %s:%d: %s: %s %s = %#lx, %s\n", i, event->thread, site->file,
              site->line, site->function, site->operation, site->operand,
              (unsigned long) event->value, order_names[event->order]);
    }
}

void
explore_fail (const char *format, ...)
{
  va_list args;

  print_trace ();
  printf ("thread %d: ", explore_self);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\n");
  fflush (stdout);
  _Exit (1);
}

/* ---- Sites ---- */

static struct explore_site *sites;

/* The one whose order is replaced: as FILE:LINE, and whether that of a comparison that fails. */
static struct
{
  const char *file;
  int line;
  bool is_failure;
  memory_order order;
} weak;

static memory_order
order_at (struct explore_site *site, memory_order order, bool is_failure)
{
  if (!site->is_known)
    {
      site->is_known = true;
      site->next = sites;
      sites = site;
    }
  if (is_failure)
    site->failure_order = order;
  else
    site->order = order;
  if (weak.file && site->line == weak.line && is_failure == weak.is_failure
      && strcmp (site->file, weak.file) == 0)
    return weak.order;
  return order;
}

static void
print_sites (void)
{
  for (const struct explore_site *site = sites; site; site = site->next)
    {
      printf ("site %s:%d %s %s: %s %s\n", site->file, site->line, order_names[site->order],
              site->function, site->operation, site->operand);
      if (strcmp (site->operation, "compare") == 0)
        printf ("site %s:%d:failure %s %s: failed %s %s\n", site->file, site->line,
                order_names[site->failure_order], site->function, site->operation, site->operand);
    }
}

/* FILE:LINE[:failure]=ORDER */
static void
read_weak (char *text)
{
  char *order = strchr (text, '='), *line = strchr (text, ':');

  weak.file = text;
  if (!order || !line)
    exit (2);
  *line = '\0';
  weak.line = atoi (line + 1);
  weak.is_failure = strstr (line + 1, ":failure=") != NULL;
  for (int i = 0; i <= memory_order_seq_cst; i++)
    if (strcmp (order_names[i], order + 1) == 0)
      {
        weak.order = i;
        return;
      }
  exit (2);
}

/* ---- Operations ---- */

static uint64_t
last_value (const volatile void *p, size_t bytes)
{
  struct location *location = memory_location (memory_at (p, bytes));

  return location->stores[location->count - 1].value;
}

uint64_t
explore_load (struct explore_site *site, const volatile void *p, size_t bytes, memory_order order)
{
  struct store *store;
  uint64_t value = 0;
  int at;

  if (plain_is_left_out (p))
    return memcpy (&value, (const void *) p, bytes), value;
  if (explore_self < 0)
    return last_value (p, bytes);
  order = order_at (site, order, false);
  threads_point (order != memory_order_seq_cst);
  plain_meet_atomic (p, bytes);
  at = memory_at (p, bytes);
  store = memory_load (explore_self, at, order, search_choose);
  threads_looked (at, store->time);
  threads_did ((uintptr_t) p, store->id);
  trace (site, store->value, order);
  return store->value;
}

void
explore_store (struct explore_site *site, volatile void *p, size_t bytes, uint64_t value,
               memory_order order)
{
  /* Before the threads memory is what they begin with. */
  if (plain_is_left_out (p) || explore_self < 0)
    {
      memcpy ((void *) p, &value, bytes);
      return;
    }
  order = order_at (site, order, false);
  threads_point (false);
  plain_meet_atomic (p, bytes);
  threads_did ((uintptr_t) p, value);
  memory_store (explore_self, memory_at (p, bytes), value, threads_store_id (), order,
                search_choose);
  threads_stored ();
  trace (site, value, order);
}

/* Of the running thread, which reads READ at P. */
static void
modify (const volatile void *p, int at, struct store *read, uint64_t value, memory_order order)
{
  threads_did ((uintptr_t) p, read->id);
  memory_rmw (explore_self, at, read, value, threads_store_id (), order);
  threads_stored ();
}

static uint64_t
result_of (enum explore_rmw operation, uint64_t value, uint64_t operand, size_t bytes)
{
  uint64_t mask = bytes == 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;

  switch (operation)
    {
    case EXPLORE_ADD:
      return (value + operand) & mask;
    case EXPLORE_SUB:
      return (value - operand) & mask;
    case EXPLORE_OR:
      return value | operand;
    case EXPLORE_AND:
      return value & operand;
    default:
      return operand;
    }
}

uint64_t
explore_rmw (struct explore_site *site, enum explore_rmw operation, volatile void *p, size_t bytes,
             uint64_t operand, memory_order order)
{
  struct store *read;
  uint64_t value, result;
  int at;

  order = order_at (site, order, false);
  threads_point (false);
  plain_meet_atomic (p, bytes);
  at = memory_at (p, bytes);
  read = memory_rmw_reads (explore_self, at, NULL, order, memory_order_relaxed, search_choose);
  value = read->value;
  result = result_of (operation, value, operand, bytes);
  modify (p, at, read, result, order);
  trace (site, result, order);
  return value;
}

bool
explore_compare (struct explore_site *site, volatile void *p, size_t bytes, uint64_t *expected,
                 uint64_t value, memory_order success, memory_order failure)
{
  struct store *read;
  int at;

  success = order_at (site, success, false);
  failure = order_at (site, failure, true);
  threads_point (false);
  plain_meet_atomic (p, bytes);
  at = memory_at (p, bytes);
  read = memory_rmw_reads (explore_self, at, expected, success, failure, search_choose);
  if (read->value == *expected)
    {
      modify (p, at, read, value, success);
      trace (site, value, success);
      return true;
    }
  *expected = read->value;
  memory_see (explore_self, at, read, failure);
  threads_looked (at, read->time);
  threads_did ((uintptr_t) p, read->id);
  trace (site, read->value, failure);
  return false;
}

void
explore_fence (struct explore_site *site, memory_order order)
{
  if (explore_self < 0)
    return;
  order = order_at (site, order, false);
  threads_point (false);
  threads_did (order, 0);
  memory_fence (explore_self, order);
  trace (site, 0, order);
}

/* ---- Outcomes ---- */

static char outcomes[MOST_OUTCOMES][OUTCOME_BYTES];

void
explore_outcome (const char *format, ...)
{
  char text[OUTCOME_BYTES];
  va_list args;
  int i = 0;

  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  while (i < MOST_OUTCOMES && outcomes[i][0] && strcmp (outcomes[i], text) != 0)
    i++;
  if (i == MOST_OUTCOMES)
    abort ();
  strcpy (outcomes[i], text);
}

/* ---- The program ---- */

static const struct explore_case *
find_case (const char *name)
{
  const struct explore_case *one = explore_cases;

  while (one->name && strcmp (one->name, name) != 0)
    one++;
  if (!one->name)
    exit (2);
  return one;
}

static void
execute (const struct explore_case *one)
{
  event_count = 0;
  if (one->begin)
    one->begin (one->threads);
  memory_reset ();
  search_begin ();
  if (threads_run (one->threads, one->thread) && one->end)
    one->end ();
}

/* explore CASE [preemptions=N] [most=N] [random=SEED] [weaken=FILE:LINE[:failure]=ORDER] */
int
main (int argc, char **argv)
{
  long executions = 0, most = 0;

  if (argc < 2)
    return 2;
  for (int i = 2; i < argc; i++)
    if (strncmp (argv[i], "preemptions=", 12) == 0)
      threads_most_preemptions = atoi (argv[i] + 12);
    else if (strncmp (argv[i], "most=", 5) == 0)
      most = atol (argv[i] + 5);
    else if (strncmp (argv[i], "random=", 7) == 0)
      search_at_random (atoi (argv[i] + 7));
    else if (strncmp (argv[i], "weaken=", 7) == 0)
      read_weak (argv[i] + 7);
    else
      return 2;
  explore_setup ();
  do
    execute (find_case (argv[1]));
  while (++executions != most && search_next ());
  print_sites ();
  for (int i = 0; i < MOST_OUTCOMES && outcomes[i][0]; i++)
    printf ("outcome %s\n", outcomes[i]);
  printf ("%s after %ld executions\n", executions == most ? "stopped" : "all", executions);
  return 0;
}
