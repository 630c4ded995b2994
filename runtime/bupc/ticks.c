/* The time that reading the ticks takes, and the smallest interval that they show. */

#include "runtime/bupc/bupc.h"

enum
{
  READINGS = 1000
};

static double
us_of (uint64_t ticks)
{
  const uint64_t many = 1ul << 30;

  return (double) ticks * (double) upcr_ticks_to_ns (many) / (double) many / 1e3;
}

double
upcr_tick_granularity_us (void)
{
  uint64_t least = UINT64_MAX, before = upcr_ticks_now ();

  for (int i = 0; i < READINGS || least == UINT64_MAX; i++)
    {
      uint64_t now = upcr_ticks_now ();

      if (now != before && now - before < least)
        least = now - before;
      before = now;
    }
  return us_of (least);
}

/* The median would need all readings: the least of some sums does. */
double
upcr_tick_overhead_us (void)
{
  uint64_t least = UINT64_MAX;

  for (int round = 0; round < 10; round++)
    {
      uint64_t start = upcr_ticks_now (), end = start;

      for (int i = 0; i < READINGS; i++)
        end = upcr_ticks_now ();
      if (end - start < least)
        least = end - start;
    }
  return us_of (least) / READINGS;
}
