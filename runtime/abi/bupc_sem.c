/* Berkeley UPC's semaphores, and copies that post one (bupc_extensions.h). */

#include "runtime/bupc/bupc.h"
#include "runtime/sync/sync.h"

upcr_pts bupc_sem_alloc (int flags);
void bupc_sem_free (upcr_pts semaphore);

upcr_pts
bupc_sem_alloc (int flags)
{
  return upcr_semaphore_alloc (flags);
}

void
bupc_sem_free (upcr_pts semaphore)
{
  upcr_semaphore_free (semaphore);
}

#define POST(name, parameters, n)              \
  void name parameters;                        \
  void name parameters                         \
  {                                            \
    upcr_semaphore_post (semaphore, n, #name); \
  }

#define WAIT(type, name, parameters, statement) \
  type name parameters;                         \
  type name parameters                          \
  {                                             \
    UPCR_EXCLUSIVE (#name);                     \
                                                \
    statement;                                  \
  }

POST (bupc_sem_post, (upcr_pts semaphore), 1)
POST (bupc_sem_postN, (upcr_pts semaphore, size_t n), n)
WAIT (void, bupc_sem_wait, (upcr_pts semaphore),
      upcr_semaphore_wait (semaphore, 1, "bupc_sem_wait"))
WAIT (void, bupc_sem_waitN, (upcr_pts semaphore, size_t n),
      upcr_semaphore_wait (semaphore, n, "bupc_sem_waitN"))
WAIT (int, bupc_sem_try, (upcr_pts semaphore),
      return upcr_semaphore_try (semaphore, 1, "bupc_sem_try"))
WAIT (int, bupc_sem_tryN, (upcr_pts semaphore, size_t n),
      return upcr_semaphore_try (semaphore, n, "bupc_sem_tryN"))

void bupc_memput_signal (upcr_pts dst, const void *src, size_t bytes, upcr_pts semaphore, size_t n);

void
bupc_memput_signal (upcr_pts dst, const void *src, size_t bytes, upcr_pts semaphore, size_t n)
{
  if (upcr_pts_thread (dst) != upcr_pts_thread (semaphore) && !upcr_pts_is_null (semaphore))
    upcr_fatal ("bupc_memput_signal: dst has affinity to thread %u, the semaphore to thread %u",
                upcr_pts_thread (dst), upcr_pts_thread (semaphore));
  upcr_check_range (dst, bytes, "bupc_memput_signal");
#ifdef UPCR_NETWORK
  upcr_store (upcr_pts_address (dst), src, bytes);
#else
  upcr_copy (upcr_pts_address (dst), src, bytes);
#endif
  upcr_semaphore_post (semaphore, n, "bupc_memput_signal");
}
