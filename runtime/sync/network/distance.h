/* Places in the program, whose addresses may differ between processes. So processes send each other, or
   leave in shared memory, the distance from a fixed place. */

#ifndef UPCR_SYNC_DISTANCE_H
#define UPCR_SYNC_DISTANCE_H

#include "runtime/sync/primitives/lock.h"

#include <stdint.h>

/* NULL is NULL. */
static inline const void *
upcr_distance_of (const void *place)
{
  return place ? (const void *) ((uintptr_t) place - (uintptr_t) upcr_lock_init) : NULL;
}

static inline const void *
upcr_at_distance (const void *distance)
{
  return distance ? (const char *) upcr_lock_init + (uintptr_t) distance : NULL;
}

#endif
