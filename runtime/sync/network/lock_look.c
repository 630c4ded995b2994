/* What reports say about a lock in any process's memory. */

#include "runtime/shared/shared.h"
#include "runtime/sync/network/distance.h"
#include "runtime/sync/primitives/lock.h"

struct upcr_lock_look
upcr_lock_look (const struct upcr_lock *lock)
{
  struct upcr_lock_look look;
  uint32_t word;

  upcr_load (&word, (const void *) &lock->word, sizeof word);
  upcr_load (&look.origin, &lock->origin, sizeof look.origin);
  look.holder = (int) (word & UPCR_LOCK_OWNER) - 1;
  look.origin.what = upcr_at_distance (look.origin.what);
  look.origin.place = upcr_at_distance (look.origin.place);
  return look;
}
