/* Berkeley UPC's functions for C and C++ code whose main is not UPC's (bupc_extern.h). */

#include "bupc_extern.h"

#include "runtime/abi/abi.h"
#include "runtime/bupc/bupc.h"
#include "runtime/coll/coll.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

void
bupc_init (int *argc, char ***argv)
{
  (void) argc, (void) argv;
}

void
bupc_init_reentrant (int *argc, char ***argv, int (*pmain) (int, char **))
{
  if (!pmain)
    upcr_fatal ("bupc_init_reentrant: no function to run");
  upcr_exit (pmain (*argc, *argv));
}

int
bupc_extern_mythread (void)
{
  return MYTHREAD;
}

int
bupc_extern_threads (void)
{
  return THREADS;
}

#define STATEMENT(name)                         \
  void bupc_extern_##name (int id)              \
  {                                             \
    UPCR_EXCLUSIVE ("bupc_extern_" #name);      \
                                                \
    upcr_caller = __builtin_return_address (0); \
    upcr_##name (id);                           \
  }

STATEMENT (notify)
STATEMENT (wait)
STATEMENT (barrier)

void *
bupc_extern_alloc (size_t bytes)
{
  upcr_pts block = upcr_local_alloc (bytes);

  return upcr_pts_is_null (block) ? NULL : upcr_pts_address (block);
}

void *
bupc_extern_all_alloc (size_t blocks, size_t bytes)
{
  UPCR_EXCLUSIVE ("bupc_extern_all_alloc");
  upcr_pts block = upcr_all_alloc (blocks, bytes);

  if (upcr_pts_is_null (block))
    return NULL;
  return upcr_pts_address (upcr_pts_make (MYTHREAD, upcr_pts_offset (block), 0));
}

/* A block begins at the same offset in all partitions. */
void
bupc_extern_free (void *address, int thread)
{
  upcr_pts own = upcr_pts_of_address (address);

  if (!address)
    return;
  if (thread < 0 || thread >= THREADS)
    upcr_fatal ("bupc_extern_free: invalid thread %d; THREADS is %d", thread, THREADS);
  if (upcr_pts_is_null (own))
    upcr_fatal ("bupc_extern_free: %p is not in shared memory", address);
  upcr_heap_free (upcr_pts_make (thread, upcr_pts_offset (own), 0), "bupc_extern_free");
}
