/* The lock functions of UPC 1.3, 7.2.4. */

#include "runtime/abi/place.h"
#include "runtime/coll/alloc.h"
#include "runtime/sync/lock.h"

#define ALLOC(name, value)                                                      \
  upcr_pts name (void);                                                         \
  upcr_pts name (void)                                                          \
  {                                                                             \
    return value;                                                               \
  }                                                                             \
  upcr_pts name##g (const char *file, int line);                                \
  upcr_pts name##g (const char *file, int line)                                 \
  {                                                                             \
    upcr_pts result;                                                            \
    UPCR_AT (file, line, result = name ());                                     \
    return result;                                                              \
  }

ALLOC (upc_global_lock_alloc, upcr_lock_alloc ())
ALLOC (upc_all_lock_alloc, upcr_all_lock_alloc ())

#define OPERATION(type, name, function)                                         \
  type name (upcr_pts lock);                                                    \
  type name (upcr_pts lock)                                                     \
  {                                                                             \
    return function (upcr_lock_of (lock, #name));                               \
  }

#define WITH_PLACE(name)                                                        \
  void name##g (upcr_pts lock, const char *file, int line);                     \
  void name##g (upcr_pts lock, const char *file, int line)                      \
  {                                                                             \
    UPCR_AT (file, line, name (lock));                                          \
  }

OPERATION (void, upc_lock, upcr_lock_acquire_inline)
WITH_PLACE (upc_lock)
OPERATION (void, upc_unlock, upcr_lock_release_inline)
WITH_PLACE (upc_unlock)
OPERATION (int, upc_lock_attempt, upcr_lock_try)

int upc_lock_attemptg (upcr_pts lock, const char *file, int line);

int
upc_lock_attemptg (upcr_pts lock, const char *file, int line)
{
  int locked;

  UPCR_AT (file, line, locked = upc_lock_attempt (lock));
  return locked;
}

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

WITH_PLACE (upc_lock_free)
WITH_PLACE (upc_all_lock_free)
