/* The parts of ticks.c that tests call. */

#ifndef UPCR_HOST_TICKS_H
#define UPCR_HOST_TICKS_H

#include "runtime/host/host.h"

/* Nanoseconds are ticks * mult >> shift. */
struct upcr_tick_rate
{
  uint64_t mult;
  unsigned shift;
};

/* The rate that the kernel uses for a counter of KHZ. */
struct upcr_tick_rate upcr_tick_rate_of_khz (uint64_t khz);

/* Of the rates that the kernel may use, the nearest to a measured KHZ. */
struct upcr_tick_rate upcr_tick_rate_near (double khz);

uint64_t upcr_ticks_scale (uint64_t ticks, struct upcr_tick_rate rate);

/* Does the file CLOCKSOURCE say that the kernel keeps time by the counter, and the
   CPU that it is invariant? */
bool upcr_ticks_are_counted (const char *clocksource);

#endif
