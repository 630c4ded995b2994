/* The lock functions of UPC 1.3, 7.2.4. */

#include "runtime/coll/coll.h"
#include "runtime/sync/sync.h"

#define ALLOC(name, value) \
  upcr_pts name (void);    \
  upcr_pts name (void)     \
  {                        \
    return value;          \
  }

ALLOC (upc_global_lock_alloc, upcr_lock_alloc ())
ALLOC (upc_all_lock_alloc, upcr_all_lock_alloc ())

#define OPERATION(type, name, function)           \
  type name (upcr_pts lock);                      \
  type name (upcr_pts lock)                       \
  {                                               \
    return function (upcr_lock_of (lock, #name)); \
  }

OPERATION (void, upc_lock, upcr_lock_acquire)
OPERATION (void, upc_unlock, upcr_lock_release)
OPERATION (int, upc_lock_attempt, upcr_lock_try)

void upc_lock_free (upcr_pts lock);
void upc_all_lock_free (upcr_pts lock);

void
upc_lock_free (upcr_pts lock)
{
  upcr_lock_free (lock, "upc_lock_free");
}

void
upc_all_lock_free (upcr_pts lock)
{
  upcr_all_lock_free (lock);
}
