/* Of the iterations of loops that only read and write one of many is recorded, with all gets and puts in it, and stands for
   the others; of other gets and puts one of many is. The distances between them are random, so that no place is always met,
   or never, and longer where they are so fast that recording would take much of the time. Those of code that asks nobody
   (other compilers') come all, and each stands for itself. */

#include "tools/trace/recorder/recorder.h"

#include <upc_tick.h>
#include <upct/gasp.h>

#include <errno.h>
#include <stdlib.h>

enum
{
  DEFAULT_SAMPLE = 256,
  MOST_SAMPLE = 1000000,
  TOLD_FIRST = 10000, /* gets and puts of each thread, so that short runs have all */
  /* From one iteration that is recorded to the next for each get and put in it; one takes some 0.2 µs in a loop with
     vectors. */
  LEAST_NS = 2000,
  MOST_NS = 8000,
  MOST_DISTANCE = 65536
};

/* UPC_TRACE_SAMPLE: one of so many is recorded; 1: all. */
PROCESS_WIDE static int sample;

/* The mean distance, of which the time since the last one, of COUNT gets and puts, says whether it was too short. */
static void
adapt_distance (struct sampling *sampling, uint64_t count, gasp_context_t context)
{
  uint64_t now = upc_ticks_now (), ticks = now - sampling->sampled;
  uint64_t ns = ticks > UINT32_MAX ? UINT32_MAX : ticks * context->header->rate >> TRACE_RATE_SHIFT;

  sampling->sampled = now;
  if (sampling->distance < sample)
    sampling->distance = sample;
  if (ns < LEAST_NS * count && sampling->distance <= MOST_DISTANCE / 2)
    sampling->distance *= 2;
  else if (ns >= MOST_NS * count && sampling->distance / 2 >= sample)
    sampling->distance /= 2;
}

/* From half to one and a half times the mean. */
static int
next_distance (struct sampling *sampling, uint64_t count, gasp_context_t context)
{
  if (!context->has_file)
    return MOST_DISTANCE;
  if (sampling->told < TOLD_FIRST || sample == 1)
    return 1;
  adapt_distance (sampling, count, context);
  context->chance = context->chance * 1664525 + 1013904223;
  return (sampling->distance + 1) / 2
         + (int) ((uint64_t) context->chance * (unsigned) sampling->distance >> 32);
}

/* Up to the next one; it stands for those in between and itself. */
static int
begin_distance (struct sampling *sampling, gasp_context_t context)
{
  uint64_t count = sampling->accesses ? sampling->accesses : 1;

  sampling->accesses = 0;
  sampling->told += count;
  sampling->stands_for = next_distance (sampling, count, context);
  return sampling->stands_for - 1;
}

static uint32_t
weight_of (const struct sampling *sampling)
{
  return sampling->stands_for ? (uint32_t) sampling->stands_for : 1;
}

static int
next_iteration (gasp_context_t context)
{
  return context ? begin_distance (&context->iteration, context) : MOST_DISTANCE;
}

bool
read_sample (void)
{
  const char *text = getenv ("UPC_TRACE_SAMPLE");
  char *end;
  long number;

  upct_sampler = next_iteration;
  sample = DEFAULT_SAMPLE;
  if (!text || !*text)
    return true;
  errno = 0;
  number = strtol (text, &end, 10);
  if (errno || *end || *text < '0' || *text > '9' || number < 1 || number > MOST_SAMPLE)
    return false;
  sample = (int) number;
  return true;
}

uint32_t
sample_access (gasp_context_t context)
{
  uint32_t weight;

  if (upct_iterations_left < 0)
    {
      context->iteration.accesses++;
      return weight_of (&context->iteration);
    }
  if (upct_accesses_left > 0)
    return 1;
  weight = weight_of (&context->access);
  upct_accesses_left = begin_distance (&context->access, context);
  return weight;
}
