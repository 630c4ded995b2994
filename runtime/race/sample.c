/* Which granules are looked at: all of them while a program does little. Once a thread has made a
   certain number of looks, one in UPC_RACE_SAMPLE, different ones after each barrier.

   field    written by                  read by   order
   sample   who counts, who waits       all       relaxed: threads that differ for a moment miss races */

#include "runtime/race/race.h"

enum
{
  LOOKED_AT_OF_ALL = 1 << 20,
  DEFAULT_SAMPLE = 256
};

struct __upc_race_sample __upc_race_sample;

static struct
{
  _Alignas(64) unsigned long looked_at;
} counts[UPCR_MAX_THREADS];

static void
begin_samples (void)
{
  int one_of = upcr_options.race_sample ? upcr_options.race_sample : DEFAULT_SAMPLE;
  unsigned long mask = 0;

  while (mask + 1 < (unsigned long) one_of)
    mask = 2 * mask + 1;
  __atomic_store_n (&__upc_race_sample.__mask, mask, __ATOMIC_RELAXED);
}

void
upcr_race_count (void)
{
  if (++counts[MYTHREAD].looked_at == LOOKED_AT_OF_ALL)
    begin_samples ();
}

void
upcr_race_sample_anew (void)
{
  if (MYTHREAD == 0)
    __atomic_store_n (&__upc_race_sample.__seed, __upc_race_sample.__seed + 0x632be59bd9b4e019ul,
                      __ATOMIC_RELAXED);
}
