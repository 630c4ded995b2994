/* Of gets and puts in loops one of many is recorded, and stands for the others. The distances between them are
   random, so that no place in a loop is always met, or never, and longer where accesses are so fast that recording would
   take much of the time. Those of code that asks nobody (other compilers')
   come all, and each stands for itself. */

#include "tools/trace/recorder/recorder.h"

#include <upct/gasp.h>

#include <errno.h>
#include <stdlib.h>

enum
{
  DEFAULT_SAMPLE = 256,
  MOST_SAMPLE = 1000000,
  RECORDED_FIRST = 10000, /* of each thread, so that short runs have all */
  /* From one that is recorded to the next, which takes some 0.2 µs in a loop with vectors. */
  LEAST_NS = 2000,
  MOST_NS = 8000,
  MOST_DISTANCE = 65536
};

/* UPC_TRACE_SAMPLE: one of so many is recorded; 1: all. */
PROCESS_WIDE static int sample;

bool
read_sample (void)
{
  const char *text = getenv ("UPC_TRACE_SAMPLE");
  char *end;
  long number;

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

/* The mean distance, of which the time since the last one says whether it was too short. */
static void
adapt_distance (gasp_context_t context)
{
  uint64_t ticks = context->last - context->sampled;
  uint64_t ns = ticks > UINT32_MAX ? MOST_NS : ticks * context->header->rate >> TRACE_RATE_SHIFT;

  context->sampled = context->last;
  if (context->distance < sample)
    context->distance = sample;
  if (ns < LEAST_NS && context->distance <= MOST_DISTANCE / 2)
    context->distance *= 2;
  else if (ns >= MOST_NS && context->distance / 2 >= sample)
    context->distance /= 2;
}

/* From half to one and a half times the mean. */
static int
next_distance (gasp_context_t context)
{
  if (context->accesses < RECORDED_FIRST || sample == 1)
    return 1;
  adapt_distance (context);
  context->chance = context->chance * 1664525 + 1013904223;
  return (context->distance + 1) / 2
         + (int) ((uint64_t) context->chance * (unsigned) context->distance >> 32);
}

uint32_t
sample_access (gasp_context_t context)
{
  uint32_t weight = context->stands_for ? context->stands_for : 1;

  if (upct_accesses_left > 0)
    return 1;
  context->accesses++;
  context->stands_for = next_distance (context);
  upct_accesses_left = context->stands_for - 1;
  return weight;
}
