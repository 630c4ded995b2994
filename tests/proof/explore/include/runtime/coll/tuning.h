/* The thresholds of the collectives, but for rings that are short enough to go
 * round in. */

#ifndef EXPLORE_TUNING_H
#define EXPLORE_TUNING_H

#define UPCR_SLOTS UPCR_SLOTS_OF_RUNTIME
#define UPCR_LEAVE_INTERVAL UPCR_LEAVE_INTERVAL_OF_RUNTIME
#include_next "runtime/coll/tuning.h"
#undef UPCR_SLOTS
#undef UPCR_LEAVE_INTERVAL

enum
{
  UPCR_SLOTS = 4,
  UPCR_LEAVE_INTERVAL = UPCR_SLOTS / 4
};

#endif
