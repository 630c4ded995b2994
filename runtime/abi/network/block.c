/* Blocks of bytes where other processes have memory: see block.c. */

#include "runtime/abi/block.h"
#include "runtime/shared/shared.h"

#define GET upcr_load (dst, upcr_pts_address (src), n)
#define PUT upcr_store (upcr_pts_address (dst), src, n)
#define COPY upcr_transfer (upcr_pts_address (dst), upcr_pts_address (src), n)

FUNCTION (__getblk3, (void *dst, upcr_pts src, size_t n), GET)
FUNCTION (__getsblk3, (void *dst, upcr_pts src, size_t n), STRICT (GET))
FUNCTION (__putblk3, (upcr_pts dst, void *src, size_t n), PUT)
FUNCTION (__putsblk3, (upcr_pts dst, void *src, size_t n), STRICT (PUT))
FUNCTION (__copyblk3, (upcr_pts dst, upcr_pts src, size_t n), COPY)
FUNCTION (__copysblk3, (upcr_pts dst, upcr_pts src, size_t n), STRICT (COPY))

FUNCTION (upc_memget, (void *dst, upcr_pts src, size_t n), GET)
FUNCTION (upc_memput, (upcr_pts dst, const void *src, size_t n), PUT)
FUNCTION (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n), COPY)
FUNCTION (upc_memset, (upcr_pts dst, int c, size_t n), upcr_fill (upcr_pts_address (dst), c, n))

/* Non-blocking copies (upc_nb.h). A get has its bytes when it returns. A put may be on its way, as relaxed
   stores may be: the thread's next strict access or barrier comes behind it, whatever the handle. */

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
    upcr_fatal ("%s: not a handle of a transfer", what);
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
