/* Non-blocking copies (upc_nb.h) where other processes have memory. A get has its bytes when it returns. A put may be on its
   way, as relaxed stores may be: the thread's next strict access or barrier comes behind it, whatever the handle. */

#include "runtime/abi/block.h"
#include "runtime/bupc/bupc.h"
#include "runtime/shared/shared.h"

#define GET upcr_load (dst, upcr_pts_address (src), n)
#define PUT upcr_store (upcr_pts_address (dst), src, n)
#define COPY upcr_transfer (upcr_pts_address (dst), upcr_pts_address (src), n)

#define COPY_NB(name, parameters, statement) \
  uint64_t name##_nb parameters;             \
  uint64_t name##_nb parameters              \
  {                                          \
    statement;                               \
    return 0;                                \
  }                                          \
  FUNCTION (name##_nbi, parameters, statement)

COPY_NB (upc_memget, (void *dst, upcr_pts src, size_t n), GET)
COPY_NB (upc_memput, (upcr_pts dst, const void *src, size_t n), PUT)
COPY_NB (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n), COPY)
COPY_NB (upc_memset, (upcr_pts dst, int c, size_t n), upcr_fill (upcr_pts_address (dst), c, n))

static void
check_handle (uint64_t handle, const char *what)
{
  if (handle)
    upcr_fatal ("%s: invalid handle: %#lx", what, (unsigned long) handle);
}

FUNCTION (upc_sync, (uint64_t handle), check_handle (handle, "upc_sync"))
FUNCTION (upc_synci, (void), (void) 0)

int upc_sync_attempt (uint64_t handle);
int upc_synci_attempt (void);

int
upc_sync_attempt (uint64_t handle)
{
  check_handle (handle, "upc_sync_attempt");
  return 1;
}

int
upc_synci_attempt (void)
{
  return 1;
}

/* Berkeley UPC's functions for the same (bupc_extensions.h). */

int bupc_trysync (uint64_t handle);
int bupc_trysync_all (uint64_t *handles, size_t count);
int bupc_trysynci (void);
uint64_t bupc_end_accessregion (void);

/* What is complete becomes BUPC_COMPLETE_HANDLE. */
static void
complete_handles (uint64_t *handles, size_t count, const char *what)
{
  for (size_t i = 0; i < count; i++)
    {
      check_handle (handles[i], what);
      handles[i] = 0;
    }
}

FUNCTION (bupc_waitsync, (uint64_t handle), check_handle (handle, "bupc_waitsync"))
FUNCTION (bupc_waitsync_all, (uint64_t * handles, size_t count),
          complete_handles (handles, count, "bupc_waitsync_all"))
FUNCTION (bupc_waitsynci, (void), upcr_reject_in_access_region ("bupc_waitsynci"))
FUNCTION (bupc_begin_accessregion, (void), upcr_begin_access_region ())

int
bupc_trysync (uint64_t handle)
{
  check_handle (handle, "bupc_trysync");
  return 1;
}

int
bupc_trysync_all (uint64_t *handles, size_t count)
{
  complete_handles (handles, count, "bupc_trysync_all");
  return 1;
}

int
bupc_trysynci (void)
{
  upcr_reject_in_access_region ("bupc_trysynci");
  return 1;
}

uint64_t
bupc_end_accessregion (void)
{
  upcr_end_access_region ();
  return 0;
}
