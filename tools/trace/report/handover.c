#include "tools/trace/report/page.h"

#include <gasp.h>

#include <stdlib.h>

struct wait
{
  uint64_t lock;
  int64_t start, end;
  unsigned thread;
  unsigned giver;
  int64_t given; /* when GIVER unlocked it; -1: nobody is known */
};

struct handovers
{
  struct trace *trace;
  struct wait *wait; /* by lock and end, once all are known */
  size_t count, capacity;
  unsigned reader; /* the thread that is read */
};

struct handovers *
handovers_begin (struct trace *trace)
{
  struct handovers *handovers = xcalloc (1, sizeof *handovers);

  handovers->trace = trace;
  return handovers;
}

void
handovers_add (struct handovers *handovers, unsigned thread, const struct interval *wait)
{
  const struct site *site = &handovers->trace->sites.site[wait->site];

  if (site->tag != GASP_UPC_LOCK || wait->value_count != 1 || wait->is_unfinished)
    return;
  handovers->wait = grow_array (handovers->wait, handovers->count + 1, &handovers->capacity,
                                sizeof *handovers->wait);
  handovers->wait[handovers->count++] = (struct wait){
    .lock = wait->values[0], .start = wait->start, .end = wait->end, .thread = thread, .given = -1
  };
}

static int
compare (const void *a, const void *b)
{
  const struct wait *x = a, *y = b;

  if (x->lock != y->lock)
    return x->lock < y->lock ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

bool
handovers_are_wanted (struct handovers *handovers)
{
  if (handovers->count)
    qsort (handovers->wait, handovers->count, sizeof *handovers->wait, compare);
  return handovers->count > 0;
}

static void
begin_thread (void *data, unsigned thread)
{
  struct handovers *handovers = data;

  handovers->reader = thread;
}

/* The first wait for the lock that ends at NS or later; null: none does. */
static struct wait *
first_behind (const struct handovers *handovers, uint64_t lock, int64_t ns)
{
  struct wait wanted = { .lock = lock, .end = ns };
  size_t low = 0, high = handovers->count;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      if (compare (&handovers->wait[middle], &wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low < handovers->count && handovers->wait[low].lock == lock ? &handovers->wait[low] : NULL;
}

static void
enter (void *data, const struct interval *begun)
{
  struct handovers *handovers = data;
  struct wait *wait;

  if (handovers->trace->sites.site[begun->site].tag != GASP_UPC_UNLOCK || begun->value_count != 1)
    return;
  wait = first_behind (handovers, begun->values[0], begun->start);
  if (!wait || wait->given >= begun->start)
    return;
  wait->given = begun->start;
  wait->giver = handovers->reader;
}

struct visitor
handovers_visitor (struct handovers *handovers)
{
  return (struct visitor){ .begin_thread = begin_thread, .enter = enter, .data = handovers };
}

/* What was unlocked before a wait's end was so before those of later ones, too. */
static void
hand_on (struct handovers *handovers)
{
  for (size_t i = 1; i < handovers->count; i++)
    {
      struct wait *wait = &handovers->wait[i];

      if (wait->lock == wait[-1].lock && wait[-1].given > wait->given)
        {
          wait->given = wait[-1].given;
          wait->giver = wait[-1].giver;
        }
    }
}

/* [from thread, unlocked at, to thread, locked at]. What was unlocked before the wait began was free. */
void
handovers_end (struct handovers *handovers, FILE *file)
{
  const char *comma = "";

  hand_on (handovers);
  fputs (",\n\"handovers\":[", file);
  for (size_t i = 0; i < handovers->count; i++)
    {
      const struct wait *wait = &handovers->wait[i];

      if (wait->given < wait->start || wait->giver == wait->thread)
        continue;
      fprintf (file, "%s[%u,%lld,%u,%lld]", comma, wait->giver, (long long) wait->given,
               wait->thread, (long long) wait->end);
      comma = ",";
    }
  putc (']', file);
  free (handovers->wait);
  free (handovers);
}
