/* Non-blocking copies (UPC 1.3, optional library, upc_nb.h).

   Each completes in the call that starts it, as the specification allows: all shared
   memory is this process's own, so a copy is work of some CPU, and the CPU that asks
   is the one that is free. To hand the copy to another would cost more than small
   copies last, and wait for a CPU that other threads use. A call takes as long as
   the blocking one, and nothing is left to synchronise: the one handle is
   UPC_COMPLETE_HANDLE, 0. */

#include "runtime/shared/shared.h"
#include "runtime/start/start.h"

#include <string.h>

/* A small copy in line: it saves the call that ending the transfer costs. The two words
   of a length between overlap. */
#define WORDS(type)                                                             \
  {                                                                             \
    type first, last;                                                           \
                                                                                \
    memcpy (&first, src, sizeof first);                                         \
    memcpy (&last, (const char *) src + n - sizeof last, sizeof last);          \
    memcpy (dst, &first, sizeof first);                                         \
    memcpy ((char *) dst + n - sizeof last, &last, sizeof last);                \
    return;                                                                     \
  }

static inline void
copy (void *dst, const void *src, size_t n)
{
  if (__builtin_expect (n - 8 <= 8, 1))
    WORDS (uint64_t)
  if (n - 4 < 4)
    WORDS (uint32_t)
  memcpy (dst, src, n);
}

#define COPY(name, parameters, statement)                                       \
  uint64_t name##_nb parameters;                                                \
  uint64_t name##_nb parameters                                                 \
  {                                                                             \
    statement;                                                                  \
    return 0;                                                                   \
  }                                                                             \
  void name##_nbi parameters;                                                   \
  void name##_nbi parameters                                                    \
  {                                                                             \
    statement;                                                                  \
  }

COPY (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n),
      copy (upcr_pts_address (dst), upcr_pts_address (src), n))
COPY (upc_memget, (void *dst, upcr_pts src, size_t n), copy (dst, upcr_pts_address (src), n))
COPY (upc_memput, (upcr_pts dst, const void *src, size_t n), copy (upcr_pts_address (dst), src, n))
COPY (upc_memset, (upcr_pts dst, int c, size_t n), memset (upcr_pts_address (dst), c, n))

static void
check_handle (uint64_t handle, const char *what)
{
  if (__builtin_expect (handle != 0, 0))
    upcr_fatal ("%s: no handle of a transfer: %#lx", what, handle);
}

void upc_sync (uint64_t handle);
int upc_sync_attempt (uint64_t handle);
void upc_synci (void);
int upc_synci_attempt (void);

void
upc_sync (uint64_t handle)
{
  check_handle (handle, "upc_sync");
}

int
upc_sync_attempt (uint64_t handle)
{
  check_handle (handle, "upc_sync_attempt");
  return 1;
}

void
upc_synci (void)
{
}

int
upc_synci_attempt (void)
{
  return 1;
}
