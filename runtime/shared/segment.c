/* The reservation of the segment's address space.

   Each partition's reservation begins at its multiple of the stride; how long it is
   depends on what the system grants, and translation does not. So a small limit on
   address space (RLIMIT_AS) costs heap, never speed. */

#include "runtime/shared/shared.h"

#include "runtime/host/host.h"
#include "runtime/shared/checked.h"
#include "runtime/shared/pages.h"
#include "runtime/shared/shadow.h"
#include "runtime/shared/zone.h"
#include "runtime/start/start.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

/* What compiled programs read in place of the symbol (include/upct/pointer.h). */
extern char *const __upc_image_start;
char *const __upc_image_start = __upc_shared_start;

/* Below this a heap is not worth a run. */
#define LEAST_HEAP_BYTES (256ul << 10)
#define MIB (1ul << 20)

static uint64_t
whole_pages (uint64_t bytes)
{
  return (bytes + UPCR_PAGE_BYTES - 1) & -UPCR_PAGE_BYTES;
}

/* COUNT ranges of BYTES, one at each STRIDE from BASE: all, or none. */
static bool
reserve_ranges (char *base, uint64_t stride, uint64_t bytes, int count)
{
  if (bytes == stride)
    return upcr_reserve_at (base, bytes * count);
  for (int i = 0; i < count; i++)
    if (!upcr_reserve_at (base + i * stride, bytes))
      {
        int error = errno;
        while (i-- > 0)
          munmap (base + i * stride, bytes);
        errno = error;
        return false;
      }
  return true;
}

/* What is reserved of each partition for EXTENT bytes of it: a page more, as zones want it. Whole
   ones, with what is between them, are one range. */
static uint64_t
reserved_bytes (uint64_t extent)
{
  return extent == UPCR_PARTITION_BYTES ? UPCR_STRIDE : extent + UPCR_PAGE;
}

uint64_t
upcr_shadow_bytes (uint64_t extent)
{
  return whole_pages (reserved_bytes (extent) / UPCR_SHADOW_UNIT);
}

/* Gives up what lies from FROM to EXTENT in every partition, and its shadow. */
static void
release (int threads, uint64_t from, uint64_t extent)
{
  for (int t = 0; t < threads; t++)
    {
      munmap (upcr_segment_address (t, reserved_bytes (from)),
              reserved_bytes (extent) - reserved_bytes (from));
      if (upcr_shadow_bytes (extent) > upcr_shadow_bytes (from))
        munmap (upcr_shadow_address (t, 0) + upcr_shadow_bytes (from),
                upcr_shadow_bytes (extent) - upcr_shadow_bytes (from));
    }
}

/* Reserves the first EXTENT bytes of every partition and their shadow, or nothing. */
static bool
reserve (int threads, uint64_t extent)
{
  int error;

  if (!reserve_ranges (upcr_segment_address (0, 0), UPCR_STRIDE, reserved_bytes (extent), threads))
    return false;
  if (reserve_ranges (upcr_shadow_address (0, 0), UPCR_SHADOW_STRIDE, upcr_shadow_bytes (extent),
                      threads))
    return true;
  error = errno;
  for (int t = 0; t < threads; t++)
    munmap (upcr_segment_address (t, 0), reserved_bytes (extent));
  errno = error;
  return false;
}

/* Has the system a page to give where shared data begins? Some kernels for ARM have addresses of 39
   bits only. An address that is no order is a wish, which the system grants where it can. */
static bool
is_in_reach (void)
{
  char *wanted = upcr_segment_address (0, 0);
  char *got = mmap (wanted, UPCR_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                    0);

  if (got == MAP_FAILED)
    return true;
  munmap (got, UPCR_PAGE);
  return got == wanted;
}

static _Noreturn void
refuse (int threads, uint64_t extent)
{
  int error = errno;

  if (!is_in_reach ())
    upcr_usage_error (
        "no memory can be had at address %#lx, where shared data begins: something else is "
        "there, or the kernel has addresses of less than 48 bits",
        (unsigned long) UPCR_SEGMENT_BASE);
  errno = error;
  upcr_usage_error ("cannot reserve %lu KiB of address space for each of %d threads: %s",
                    (unsigned long) (extent >> 10), threads, strerror (errno));
}

/* What a sanitizer leaves to a program is not all that is free: it has memory of its own for each
   address that it watches. */
static void
check_sanitizer (int threads)
{
#ifdef UPCR_TSAN
  uintptr_t end = upcr_race_checked_end ();
#elif defined UPCR_ASAN
  uintptr_t end = upcr_address_end ();
#else
  uintptr_t end = UINTPTR_MAX;
#endif
  uint64_t most = end < UPCR_SEGMENT_BASE ? 0 : (end - UPCR_SEGMENT_BASE) / UPCR_STRIDE;

  if ((uint64_t) threads > most)
    upcr_usage_error (
        "the sanitizer leaves memory for shared data of %lu threads, not %d: the kernel, or "
        "the emulator, has addresses up to %#lx",
        (unsigned long) most, threads, (unsigned long) upcr_address_end ());
}

/* Reserves as much as the system grants and returns it. Where the whole partition is
   refused, half of what is granted stays free for stacks and private data. */
static uint64_t
reserve_what_is_granted (int threads, uint64_t least)
{
  uint64_t extent = UPCR_PARTITION_BYTES;

  while (!reserve (threads, extent))
    {
      if (errno != ENOMEM || extent / 2 < least)
        refuse (threads, extent);
      extent /= 2;
    }
  if (extent < UPCR_PARTITION_BYTES && extent / 2 >= least)
    {
      extent /= 2;
      release (threads, extent, 2 * extent);
    }
  return extent;
}

/* Programs for Berkeley UPC say in the environment how much they need, often to the byte, or the most
   that they may ever need. jemalloc's blocks are up to a quarter larger than what is asked for; for
   so much, and for what it cuts into small blocks, there is room beyond. */
static uint64_t
extent_of_wish (uint64_t heap_start, size_t heap_bytes)
{
  uint64_t most = UPCR_PARTITION_BYTES - heap_start;

  if (heap_bytes > most)
    {
      upcr_warning ("the shared heap has %lu bytes per thread, not %zu", (unsigned long) most,
                    heap_bytes);
      return UPCR_PARTITION_BYTES;
    }
  heap_bytes += heap_bytes / 4 + MIB;
  return heap_start + (heap_bytes < most ? whole_pages (heap_bytes) : most);
}

static uint64_t
extent_of_heap (uint64_t heap_start, size_t heap_bytes)
{
  uint64_t extent = heap_start + whole_pages (heap_bytes);

  if (upcr_options.heap_is_wish)
    return extent_of_wish (heap_start, heap_bytes);
  if (heap_bytes > UPCR_PARTITION_BYTES || extent > UPCR_PARTITION_BYTES)
    upcr_usage_error ("a shared heap of %zu bytes per thread does not fit into a partition of "
                      "%lu bytes, of which static shared data takes %lu",
                      heap_bytes, UPCR_PARTITION_BYTES, (unsigned long) heap_start);
  return extent;
}

static uint64_t
reserve_for_heap (int threads, uint64_t heap_start, size_t heap_bytes)
{
  uint64_t extent = extent_of_heap (heap_start, heap_bytes);

  if (!reserve (threads, extent))
    refuse (threads, extent);
  return extent;
}

static void
open_static_data (int threads, uint64_t end)
{
  for (int t = 0; t < threads; t++)
    if (!upcr_zone_open (t, UPCR_NULL_BYTES, end - UPCR_NULL_BYTES))
      upcr_usage_error ("no memory for %lu bytes of static shared data in each of %d threads: %s",
                        (unsigned long) end, threads, strerror (errno));
}

/* Programs read the shadow of all that is reserved, and what is not written takes no memory. Static
   objects have their part from the start. */
static void
open_shadow (int threads, uint64_t heap_start, uint64_t extent)
{
  for (int t = 0; t < threads; t++)
    if (mprotect (upcr_shadow_address (t, 0), upcr_shadow_bytes (extent), PROT_READ)
        || mprotect (upcr_shadow_address (t, 0), whole_pages (heap_start / UPCR_SHADOW_UNIT),
                     PROT_READ | PROT_WRITE))
      upcr_usage_error ("no memory for the shadow of the shared heap: %s", strerror (errno));
}

static uint64_t reserved_extent; /* of each partition */

void
upcr_segment_end (int threads)
{
  for (int t = 0; t < threads; t++)
    {
      munmap (upcr_segment_address (t, 0), reserved_bytes (reserved_extent));
      munmap (upcr_shadow_address (t, 0), upcr_shadow_bytes (reserved_extent));
    }
}

/* They may lie further apart than an instruction reaches, so their addresses are read. */
static const char *const volatile static_start = __upc_shared_start;
static const char *const volatile static_end = __upc_shared_end;

void
upcr_segment_init (int threads, size_t heap_bytes)
{
  uint64_t static_bytes = static_end - static_start;
  uint64_t heap_start, extent;

  if (static_bytes < UPCR_NULL_BYTES)
    static_bytes = UPCR_NULL_BYTES;
  /* A page of nobody's lies between static data, or the null page, and the heap (zone.h). */
  heap_start = whole_pages (static_bytes) + UPCR_PAGE;
  if (heap_start + LEAST_HEAP_BYTES > UPCR_PARTITION_BYTES)
    upcr_usage_error ("%lu bytes of static shared data per thread do not fit into a "
                      "partition of %lu bytes",
                      (unsigned long) static_bytes, UPCR_PARTITION_BYTES);
  check_sanitizer (threads);
  if (heap_bytes)
    extent = reserve_for_heap (threads, heap_start, heap_bytes);
  else
    extent = reserve_what_is_granted (threads, heap_start + LEAST_HEAP_BYTES);
  reserved_extent = extent;
  open_static_data (threads, heap_start);
  if (upcr_is_checked)
    open_shadow (threads, heap_start, extent);
  upcr_zone_init (threads, heap_start, extent);
  /* Not what other processes have: it would be read as a whole, and take memory. */
  upcr_keep_range (upcr_segment_address (UPCR_FIRST_THREAD, 0), UPCR_OWN_THREADS * UPCR_STRIDE);
  if (upcr_is_checked)
    upcr_checked_init (static_bytes, heap_start);
}
