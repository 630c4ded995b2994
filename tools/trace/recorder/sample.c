/* Of gets and puts in loops one of many is recorded, and stands for the others. The distances between them are
   random, so that no place in a loop is always met, or never. Those of code that asks nobody (other compilers')
   come all, and each stands for itself. */

#include "tools/trace/recorder/recorder.h"

#include <upct/gasp.h>

#include <errno.h>
#include <stdlib.h>

enum
{
  DEFAULT_SAMPLE = 256,
  MOST_SAMPLE = 1000000,
  RECORDED_FIRST = 10000 /* of each thread, so that short runs have all */
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

/* From half to one and a half times SAMPLE. */
static int
next_distance (gasp_context_t context)
{
  if (context->accesses < RECORDED_FIRST || sample == 1)
    return 1;
  context->chance = context->chance * 1664525 + 1013904223;
  return (sample + 1) / 2 + (int) ((uint64_t) context->chance * (unsigned) sample >> 32);
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
