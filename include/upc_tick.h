/* upc_tick.h: measuring wall-clock time (UPC 1.3, required library, 7.5). For UPC, C and C++.

   A tick is one of the CPU's time stamp counter if the system keeps time by it, else a
   nanosecond. All CPUs count the same ticks, but reading them is not ordered with other
   threads' stores. So compare ticks of one thread only, as the specification says. */

#ifndef _UPC_TICK_H
#define _UPC_TICK_H

#include <stdint.h>

#ifndef __UPC_TICK__
#define __UPC_TICK__ 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t upc_tick_t;
#define UPC_TICK_MIN ((upc_tick_t) 0)
#define UPC_TICK_MAX (~(upc_tick_t) 0)

/* Ticks since some moment in the past, which is the same throughout the run. Not collective.
   (7.5.2.1) */
extern upc_tick_t upc_ticks_now (void);

/* Converts an interval of TICKS to nanoseconds of CLOCK_MONOTONIC_RAW, rounded down. The same
   TICKS always give the same result. Not collective. The first call may wait until 25 ms after
   the first upc_ticks_now of the run. (7.5.2.2) */
extern uint64_t upc_ticks_to_ns (upc_tick_t __ticks);

#ifdef __cplusplus
}
#endif

#endif
