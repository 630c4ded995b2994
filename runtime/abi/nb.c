/* Non-blocking copies (UPC 1.3, optional library, upc_nb.h).

   Each completes in the call that starts it, as the specification allows. All shared memory belongs to
   this process, so a copy is work for some CPU, and the calling CPU is the one that is free. To pass the
   copy to another CPU would take longer than small copies, and would wait for a CPU that other threads
   use. A call takes as long as the blocking one, and nothing is left to synchronise: the only handle is
   UPC_COMPLETE_HANDLE, 0. The same holds in programs of several processes. There a get waits, and the
   thread's next strict access or barrier comes after a put, whatever its handle. In a run with a checked
   heap each transfer has its own handle, so that transfers which no call completes are found. */

#include "runtime/abi/block.h"
#include "runtime/abi/watch.h"
#include "runtime/bupc/bupc.h"
#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <string.h>

/* A small copy in line: it saves the call that ending the transfer costs. The two words
   of a length between overlap. */
#define WORDS(type)                                                    \
  {                                                                    \
    type first, last;                                                  \
                                                                       \
    memcpy (&first, src, sizeof first);                                \
    memcpy (&last, (const char *) src + n - sizeof last, sizeof last); \
    memcpy (dst, &first, sizeof first);                                \
    memcpy ((char *) dst + n - sizeof last, &last, sizeof last);       \
    return;                                                            \
  }

static inline __attribute__ ((unused)) void
copy (void *dst, const void *src, size_t n)
{
  if (__builtin_expect (n - 8 <= 8, 1))
    WORDS (uint64_t)
  if (n - 4 < 4)
    WORDS (uint32_t)
  memcpy (dst, src, n);
}

static inline uint64_t
begin (const char *what, enum upcr_transfer_kind kind, upcr_pts dst, upcr_pts src, size_t n)
{
  return __builtin_expect (upcr_is_checked, 0) ? upcr_transfer_begin (what, kind, dst, src, n) : 0;
}

/* The events of the two forms are alike. MOVE (WHAT) moves the bytes, for the function WHAT, from SOURCE to TARGET. */
#define COPY(name, event, parameters, arguments, move, target, source, ...)                     \
  UPCR_WATCHED (uint64_t, name##_nb, parameters, arguments, UPCR_START (event, __VA_ARGS__), ({ \
                  move (#name "_nb");                                                           \
                  begin (#name "_nb", UPCR_TRANSFER_EXPLICIT, target, source, n);               \
                }),                                                                             \
                UPCR_END (event, __VA_ARGS__, GASP_NB_TRIVIAL))                                 \
  UPCR_WATCHED_STATEMENT (                                                                      \
      name##_nbi, parameters, arguments, UPCR_START (event, __VA_ARGS__),                       \
      (move (#name "_nbi"), begin (#name "_nbi", UPCR_TRANSFER_IMPLICIT, target, source, n)),   \
      UPCR_END (event, __VA_ARGS__, GASP_NB_TRIVIAL))

#define PRIVATE upcr_pts_null ()
#define MEMCPY(what) UPCR_COPY_BLOCK (copy, what)
#define MEMGET(what) UPCR_GET_BLOCK (copy, what)
#define MEMPUT(what) UPCR_PUT_BLOCK (copy, what)

COPY (upc_memcpy, GASP_UPCT_NB_MEMCPY_INIT, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n),
      MEMCPY, dst, src, &dst, &src, n)
COPY (upc_memget, GASP_UPC_NB_GET_INIT, (void *dst, upcr_pts src, size_t n), (dst, src, n), MEMGET,
      PRIVATE, src, 1, dst, &src, n)
COPY (upc_memput, GASP_UPC_NB_PUT_INIT, (upcr_pts dst, const void *src, size_t n), (dst, src, n),
      MEMPUT, dst, PRIVATE, 1, &dst, src, n)
COPY (upc_memset, GASP_UPCT_NB_MEMSET_INIT, (upcr_pts dst, int c, size_t n), (dst, c, n),
      UPCR_SET_BLOCK, dst, PRIVATE, &dst, c, n)

static void
check_handle (uint64_t handle, const char *what)
{
  if (__builtin_expect (handle != 0, 0))
    upcr_transfer_end (handle, what);
}

static int
synci (const char *what)
{
  if (upcr_is_checked)
    upcr_transfer_end (0, what);
  return 1;
}

/* As where the transfer began: what a handle is good for in a checked run is no matter of tools. */
#define SYNC(event) event (GASP_UPC_NB_SYNC, GASP_NB_TRIVIAL)

UPCR_WATCHED_STATEMENT (upc_sync, (uint64_t handle), (handle), SYNC (UPCR_START),
                        check_handle (handle, "upc_sync"), SYNC (UPCR_END))
UPCR_WATCHED (int, upc_sync_attempt, (uint64_t handle), (handle), SYNC (UPCR_START),
              (check_handle (handle, "upc_sync_attempt"), 1), SYNC (UPCR_END))
UPCR_WATCHED_STATEMENT (upc_synci, (void), (), SYNC (UPCR_START), synci ("upc_synci"),
                        SYNC (UPCR_END))
UPCR_WATCHED (int, upc_synci_attempt, (void), (), SYNC (UPCR_START), synci ("upc_synci_attempt"),
              SYNC (UPCR_END))

/* Berkeley UPC's functions for the same (bupc_extensions.h). */

void bupc_waitsync (uint64_t handle);
int bupc_trysync (uint64_t handle);
void bupc_waitsync_all (uint64_t *handles, size_t count);
int bupc_trysync_all (uint64_t *handles, size_t count);

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

void
bupc_waitsync (uint64_t handle)
{
  check_handle (handle, "bupc_waitsync");
}

int
bupc_trysync (uint64_t handle)
{
  check_handle (handle, "bupc_trysync");
  return 1;
}

void
bupc_waitsync_all (uint64_t *handles, size_t count)
{
  complete_handles (handles, count, "bupc_waitsync_all");
}

int
bupc_trysync_all (uint64_t *handles, size_t count)
{
  complete_handles (handles, count, "bupc_trysync_all");
  return 1;
}

void bupc_waitsynci (void);
int bupc_trysynci (void);
void bupc_begin_accessregion (void);
uint64_t bupc_end_accessregion (void);

void
bupc_waitsynci (void)
{
  upcr_reject_in_access_region ("bupc_waitsynci");
  synci ("bupc_waitsynci");
}

int
bupc_trysynci (void)
{
  upcr_reject_in_access_region ("bupc_trysynci");
  return synci ("bupc_trysynci");
}

void
bupc_begin_accessregion (void)
{
  upcr_begin_access_region ();
}

uint64_t
bupc_end_accessregion (void)
{
  upcr_end_access_region ();
  /* The handle is complete, and so is what it stands for. */
  synci ("bupc_end_accessregion");
  return 0;
}
