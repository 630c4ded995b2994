/* What recording costs, so that upc-trace can take it out of the times of what was traced:
   short runs of events of two kinds, and the median of what each took. Their records are
   thrown away.

   A processor does some of the recording beside the program's own work: events that follow
   each other at once cost twice as much as among work of a single chain of operations. What
   counts is how much longer work takes with events in it, and the work here is neither such
   a chain nor without any. */

#include "tools/trace/recorder/recorder.h"

#include <upc_tick.h>

#include <stdlib.h>

enum
{
  BATCHES = 15,
  PAIRS = 64
};

static const char file[] = "calibration";

static int
compare (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return (x > y) - (x < y);
}

/* Some 50 ns: a chain, and as much again that does not wait for it. */
static void
do_work (void)
{
  static uint64_t state, sums[8];

  for (int i = 0; i < 32; i++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      sums[i % 8] += state >> 33;
      sums[(i + 3) % 8] ^= (uint64_t) i << 7;
    }
}

static uint64_t
median (uint64_t *costs)
{
  qsort (costs, BATCHES, sizeof *costs, compare);
  return costs[BATCHES / 2];
}

static void
plain_pair (gasp_context_t context)
{
  gasp_event_notify (context, GASP_UPC_FENCE, GASP_START, file, 1, 1);
  gasp_event_notify (context, GASP_UPC_FENCE, GASP_END, file, 1, 1);
}

static void
transfer_pair (gasp_context_t context)
{
  static const uint64_t null[2]; /* a pointer-to-shared of either representation */
  char buffer[8];

  gasp_event_notify (context, GASP_UPC_MEMGET, GASP_START, file, 1, 1, buffer, null, sizeof buffer);
  gasp_event_notify (context, GASP_UPC_MEMGET, GASP_END, file, 1, 1, buffer, null, sizeof buffer);
}

/* The ends' distances from the starts before them. */
static uint64_t
sum_inside (const struct trace_chunk *chunk)
{
  uint64_t sum = 0;

  for (uint32_t i = 0; i < chunk->used; i += 1 + trace_words_of (chunk->word[i]))
    if (trace_kind_of (chunk->word[i]) == TRACE_END)
      sum += (uint32_t) chunk->word[i];
  return sum;
}

static void
no_pair (gasp_context_t context)
{
  (void) context;
}

static uint64_t
time_batch (gasp_context_t context, void (*pair) (gasp_context_t))
{
  uint64_t start;

  context->chunk->used = 0;
  start = upc_ticks_now ();
  for (int i = 0; i < PAIRS; i++)
    {
      do_work ();
      pair (context);
    }
  return (upc_ticks_now () - start) * 256 / PAIRS;
}

static void
measure (gasp_context_t context, void (*pair) (gasp_context_t), uint64_t *cost, uint64_t *inside)
{
  uint64_t costs[BATCHES], insides[BATCHES];

  pair (context);
  for (int batch = 0; batch < BATCHES; batch++)
    {
      uint64_t without = time_batch (context, no_pair), with = time_batch (context, pair);

      costs[batch] = with > without ? with - without : 0;
      insides[batch] = sum_inside (context->chunk) * 256 / PAIRS;
    }
  *cost = median (costs);
  *inside = median (insides);
  if (*inside > *cost)
    *inside = *cost;
}

void
calibrate (gasp_context_t context)
{
  struct trace_header *header = context->header;

  context->weight = 1;
  measure (context, plain_pair, &header->pair_cost, &header->pair_inside);
  measure (context, transfer_pair, &header->transfer_cost, &header->transfer_inside);
  context->chunk->used = 0;
  header->dropped = 0;
  forget_traffic (context);
}
