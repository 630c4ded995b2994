/* The lock functions of UPC 1.3, 7.2.4. */

#include "runtime/coll/coll.h"
#include "runtime/sync/sync.h"

/* An address within the call of the function that uses this. */
#define CALL ((const char *) __builtin_return_address (0) - 1)

upcr_pts upc_global_lock_alloc (void);
upcr_pts upc_all_lock_alloc (void);

upcr_pts
upc_global_lock_alloc (void)
{
  return upcr_lock_alloc ("upc_global_lock_alloc", CALL);
}

upcr_pts
upc_all_lock_alloc (void)
{
  UPCR_EXCLUSIVE ("upc_all_lock_alloc");

  return upcr_all_lock_alloc (CALL);
}

void upc_lock (upcr_pts lock);
int upc_lock_attempt (upcr_pts lock);
void upc_unlock (upcr_pts lock);

void
upc_lock (upcr_pts lock)
{
  UPCR_EXCLUSIVE ("upc_lock");

  upcr_lock_acquire (upcr_lock_of (lock, "upc_lock"));
}

int
upc_lock_attempt (upcr_pts lock)
{
  UPCR_EXCLUSIVE ("upc_lock_attempt");

  return upcr_lock_try (upcr_lock_of (lock, "upc_lock_attempt"));
}

/* It never waits: one POSIX thread may release what lets another one go on. */
void
upc_unlock (upcr_pts lock)
{
  upcr_lock_release (upcr_lock_of (lock, "upc_unlock"));
}

void upc_lock_free (upcr_pts lock);
/* Weak, as upc_all_free is. */
__attribute__ ((weak)) void upc_all_lock_free (upcr_pts lock);

void
upc_lock_free (upcr_pts lock)
{
  upcr_lock_free (lock, "upc_lock_free");
}

void
upc_all_lock_free (upcr_pts lock)
{
  UPCR_EXCLUSIVE ("upc_all_lock_free");

  upcr_all_lock_free (lock);
}
