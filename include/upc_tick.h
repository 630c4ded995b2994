/* upc_tick.h: wall-clock intervals (UPC 1.3, required library, 7.5).

   Ticks are those of the CPU's time stamp counter where the system keeps time by it,
   else nanoseconds. Threads on all CPUs have the same ones, but a tick is not read in
   order with other threads' stores: compare ticks of one thread only, as the
   specification says. */

#ifndef _UPC_TICK_H
#define _UPC_TICK_H

#include <stdint.h>

#ifndef __UPC_TICK__
#define __UPC_TICK__ 1
#endif

typedef uint64_t upc_tick_t;
#define UPC_TICK_MIN ((upc_tick_t) 0)
#define UPC_TICK_MAX (~(upc_tick_t) 0)

/* Ticks since some moment in the past, the same one for the whole run. (7.5.2.1) */
extern upc_tick_t upc_ticks_now (void);

/* TICKS, an interval, in nanoseconds rounded down: the same for the same TICKS, and
   the length that CLOCK_MONOTONIC_RAW has for it, over any time. The first call may
   wait until 25 ms after the run's first upc_ticks_now. (7.5.2.2) */
extern uint64_t upc_ticks_to_ns (upc_tick_t __ticks);

#endif
