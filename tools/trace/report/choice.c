#include "tools/trace/report/report.h"

#include <string.h>

/* Eight buckets for each power of two. */
static unsigned
bucket_of (int64_t ns)
{
  unsigned exponent;

  if (ns < 8)
    return ns < 0 ? 0 : ns;
  exponent = 63 - __builtin_clzll (ns);
  return (exponent - 2) * 8 + (ns >> (exponent - 3) & 7);
}

void
choice_count (struct choice *choice, int64_t ns)
{
  choice->bucket[bucket_of (ns)]++;
}

void
choice_decide (struct choice *choice, uint64_t most, unsigned threads)
{
  unsigned bucket = sizeof choice->bucket / sizeof *choice->bucket;

  while (bucket > 0 && choice->bucket[bucket - 1] <= most)
    most -= choice->bucket[--bucket];
  choice->is_all = bucket == 0;
  choice->border = bucket ? bucket - 1 : 0;
  choice->each_thread = most / threads;
}

void
choice_begin_thread (struct choice *choice)
{
  choice->left = choice->each_thread;
}

bool
choice_takes (struct choice *choice, int64_t ns)
{
  unsigned bucket = bucket_of (ns);

  if (choice->is_all || bucket > choice->border)
    return true;
  if (bucket < choice->border || choice->left == 0)
    return false;
  choice->left--;
  return true;
}
