/* Ticks: the time stamp counter as upc_tick.h offers it.

   The counter is taken where the CPU calls it invariant and the kernel itself keeps
   time by it, so that it runs at one rate and is the same on all CPUs; elsewhere
   ticks are nanoseconds of clock_gettime. */

#ifndef UPCR_TICKS_H
#define UPCR_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/* Now, in ticks. Never decreases in a thread. */
uint64_t upcr_ticks_now (void);

/* TICKS as nanoseconds, rounded down; a function of TICKS alone. UINT64_MAX where
   that is too small. The first call of a run may wait until the counter has been
   observed for UPCR_TICKS_OBSERVED_NS. */
uint64_t upcr_ticks_to_ns (uint64_t ticks);

#define UPCR_TICKS_OBSERVED_NS 25000000

/* For tests. */

/* Nanoseconds are ticks * mult >> shift. */
struct upcr_tick_rate
{
  uint64_t mult;
  unsigned shift;
};

/* The rate that the kernel uses for a counter of KHZ. */
struct upcr_tick_rate upcr_tick_rate_of_khz (uint64_t khz);

/* Of the rates that the kernel may use, the one next to a measured KHZ. */
struct upcr_tick_rate upcr_tick_rate_near (double khz);

uint64_t upcr_ticks_scale (uint64_t ticks, struct upcr_tick_rate rate);

/* Does the file CLOCKSOURCE say that the kernel keeps time by the counter, and the
   CPU that it is invariant? */
bool upcr_ticks_are_counted (const char *clocksource);

#endif
