/* The zones if other processes have partitions. The zones of the process's own threads are accessible from
   the start, and so is the part that process 0 allocates for symmetric blocks without asking. Pages take
   memory when they are touched, as always. If processes share memory, each has its partitions in its file,
   one at each stride, and behind them, in a checked heap, their shadows, and what AddressSanitizer knows of them; and it
   maps the others' where they are. */

#include "runtime/shared/zone.h"

static void init_bounds (int threads, uint64_t start, uint64_t top);
static void note_symmetric (uint64_t end);
#define upcr_zone_init init_bounds
#define upcr_zone_note_symmetric note_symmetric
#include "runtime/shared/zone.c"
#undef upcr_zone_init
#undef upcr_zone_note_symmetric

#include "runtime/net/net.h"

static _Noreturn void
refuse (int thread, uint64_t bytes)
{
  upcr_usage_error ("no memory for a shared heap of %lu KiB in thread %d of %d: %s",
                    (unsigned long) (bytes >> 10), thread, THREADS, strerror (errno));
}

/* Of the I-th partition of COUNT of PROCESS, THREAD's. */
static bool
map_poison (int process, int thread, int i, int count, uint64_t top)
{
  size_t bytes = (upcr_poison_bytes (top) + UPCR_PAGE - 1) & -UPCR_PAGE;
  size_t offset = count * (UPCR_STRIDE + UPCR_SHADOW_STRIDE) + i * upcr_poison_bytes (UPCR_STRIDE);

  return bytes == 0
         || upcr_net_map (process, upcr_poison_of (upcr_segment_address (thread, 0)), offset, bytes)
                != MAP_FAILED;
}

static void
map_partitions (int process, uint64_t top)
{
  struct upcr_net_range range = upcr_net_range (THREADS, upcr_net_place ().size, process);

  for (int i = 0; i < range.count; i++)
    if (upcr_net_map (process, upcr_segment_address (range.first + i, UPCR_NULL_BYTES),
                      i * UPCR_STRIDE + UPCR_NULL_BYTES, top - UPCR_NULL_BYTES)
            == MAP_FAILED
        || (upcr_is_checked
            && upcr_net_map (process, upcr_shadow_address (range.first + i, 0),
                             range.count * UPCR_STRIDE + i * UPCR_SHADOW_STRIDE,
                             upcr_shadow_bytes (top))
                   == MAP_FAILED)
        || !map_poison (process, range.first + i, i, range.count, top))
      refuse (range.first + i, top);
}

size_t
upcr_partitions_bytes (int threads)
{
  return threads * (UPCR_STRIDE + UPCR_SHADOW_STRIDE + upcr_poison_bytes (UPCR_STRIDE));
}

static bool
does_share (void)
{
  return upcr_net_place ().near > 1;
}

int
upcr_emptying (const void *pages)
{
  return does_share () && upcr_is_near (pages) ? MADV_REMOVE : MADV_DONTNEED;
}

/* The shadow of others' partitions is empty, for whoever looks there. What nobody has is poisoned, which takes memory: with
   AddressSanitizer a partition opens where it is used, as in one process, for the process that has it. */
static void
open_partitions (int threads, uint64_t start, uint64_t top)
{
#ifdef UPCR_ASAN
  for (int t = 0; t < threads; t++)
    if (upcr_is_own_thread (t))
      close_pages (t, start, top);
    else
      store (&upcr_zone.high[t], start);
#else
  for (int t = 0; t < threads; t++)
    if (upcr_is_near (upcr_segment_address (t, 0)) && !open_pages (t, start, top))
      refuse (t, top);
  store (&upcr_zone.low, upcr_symmetric_end ());
  for (int t = 0; t < threads; t++)
    store (&upcr_zone.high[t], upcr_local_start ());
#endif
}

/* Symmetric blocks, of which process 0 has told, open what they take. */
void
upcr_zone_note_symmetric (uint64_t end)
{
  note_symmetric (end);
  pthread_mutex_lock (&lock);
  if (!open_below ((end + UPCR_PAGE - 1) & -UPCR_PAGE))
    refuse (UPCR_FIRST_THREAD, end);
  pthread_mutex_unlock (&lock);
}

void
upcr_zone_init (int threads, uint64_t start, uint64_t top)
{
  struct upcr_net_place place = upcr_net_place ();

  init_bounds (threads, start, top);
  if (does_share ())
    for (int p = place.first_near; p < place.first_near + place.near; p++)
      map_partitions (p, top);
  open_partitions (threads, start, top);
}
