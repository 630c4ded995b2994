/* Wrappers of the library's copies (UPC 1.3, 7.2.5, and upc_nb.h). A copy that is only started may
   happen at any time until it is completed, whatever the library does. So it is reported at both ends,
   at the second one for all the time between. */

#include "runtime/race/wrap.h"

#include "runtime/shared/shared.h"

#include <pthread.h>
#include <stdlib.h>

enum
{
  SIDES = 2,
  MOST_TRANSFERS = 100000
};

/* What a copy reads and writes of shared memory. */
struct copy
{
  struct side
  {
    const void *address;
    size_t bytes; /* 0: there is no such side */
    int how;
  } sides[SIDES];
  const void *site;
};

/* One that is not completed; those of an implicit handle have handle 0. */
struct transfer
{
  struct transfer *next;
  struct copy copy;
  uint64_t handle;
  uint32_t thread;
  uint64_t since[]; /* the thread's clock at the start */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct transfer *transfers;
static int transfer_count;

static void
tell (const struct copy *copy, const uint64_t *since)
{
  for (const struct side *s = copy->sides; s < copy->sides + SIDES; s++)
    if (s->bytes)
      upcr_race_access_since (since, s->address, s->bytes, s->how | UPCR_RACE_CODE, copy->site);
}

/* Where there is no memory, or there are too many already, its end is not told. */
static uint64_t
begin (const struct copy *copy, uint64_t handle)
{
  struct transfer *transfer;

  pthread_mutex_lock (&lock);
  if (transfer_count < MOST_TRANSFERS
      && (transfer = malloc (sizeof *transfer + THREADS * sizeof *transfer->since)))
    {
      *transfer = (struct transfer){ transfers, *copy, handle, MYTHREAD };
      upcr_race_read_clock (transfer->since);
      transfers = transfer;
      transfer_count++;
    }
  pthread_mutex_unlock (&lock);
  return handle;
}

/* Takes one of the calling thread's with HANDLE from the list; NULL: there is none. */
static struct transfer *
take (uint64_t handle)
{
  struct transfer **link = &transfers, *found;

  pthread_mutex_lock (&lock);
  while (*link && ((*link)->handle != handle || (*link)->thread != (uint32_t) MYTHREAD))
    link = &(*link)->next;
  found = *link;
  if (found)
    {
      *link = found->next;
      transfer_count--;
    }
  pthread_mutex_unlock (&lock);
  return found;
}

DECLARE (void, upcr_transfer_end, (uint64_t handle, const char *what));

void
WRAP (upcr_transfer_end) (uint64_t handle, const char *what)
{
  struct transfer *transfer;

  while ((transfer = take (handle)))
    {
      tell (&transfer->copy, transfer->since);
      free (transfer);
    }
  REAL (upcr_transfer_end) (handle, what);
}

#define SIDE(p, how)             \
  {                              \
    upcr_pts_address (p), n, how \
  }
#define READS(p) SIDE (p, 0)
#define WRITES(p) SIDE (p, UPCR_RACE_WRITE)

/* VALUE: what is made of the call. */
#define TOLD(type, name, parameters, value, ...)        \
  DECLARE (type, name, parameters);                     \
  type WRAP (name) parameters                           \
  {                                                     \
    const struct copy copy = { { __VA_ARGS__ }, HERE }; \
                                                        \
    tell (&copy, NULL);                                 \
    return value;                                       \
  }

/* Three forms: the blocking one, with a handle, without. */
#define COPY(name, parameters, arguments, ...)                                                   \
  TOLD (void, name, parameters, REAL (name) arguments, __VA_ARGS__)                              \
  TOLD (uint64_t, name##_nb, parameters, begin (&copy, REAL (name##_nb) arguments), __VA_ARGS__) \
  TOLD (void, name##_nbi, parameters, (REAL (name##_nbi) arguments, (void) begin (&copy, 0)),    \
        __VA_ARGS__)

COPY (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), READS (src), WRITES (dst))
COPY (upc_memget, (void *dst, upcr_pts src, size_t n), (dst, src, n), READS (src))
COPY (upc_memput, (upcr_pts dst, const void *src, size_t n), (dst, src, n), WRITES (dst))
COPY (upc_memset, (upcr_pts dst, int c, size_t n), (dst, c, n), WRITES (dst))
