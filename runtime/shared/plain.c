/* Looks at all shadow bytes of what the plain heap has accessible. */

#include "runtime/shared/plain.h"

#include "runtime/shared/zone.h"

#include <jemalloc/jemalloc.h>

static unsigned
shadow_at (uint32_t thread, uint64_t offset)
{
  return atomic_load_explicit (upcr_shadow_of (thread, offset), memory_order_relaxed);
}

/* The bytes that the block at OFFSET takes; 0 if it is freed meanwhile. jemalloc looks up the size of
   a large one: in tables that stay, so that a block which another thread frees has a wrong size, and
   no more. */
static uint64_t
block_bytes (uint32_t thread, uint64_t offset, unsigned shadow)
{
  unsigned class = shadow - (shadow < UPCR_SYMMETRIC ? UPCR_LOCAL : UPCR_SYMMETRIC);
  uint64_t bytes = class * UPCR_SHADOW_UNIT;

  if (!class)
    bytes = sallocx (upcr_segment_address (thread, offset), 0);
  return shadow_at (thread, offset) == shadow && bytes <= upcr_zone.top - offset ? bytes : 0;
}

/* Counts the blocks from FROM up to TO whose shadow byte is in THREAD's partition. */
static void
count_blocks (struct upcr_use *uses, uint32_t thread, uint64_t from, uint64_t to)
{
  while (from < to)
    {
      unsigned shadow = shadow_at (thread, from);
      uint64_t bytes = shadow >= UPCR_LOCAL ? block_bytes (thread, from, shadow) : 0;

      if (bytes && shadow < UPCR_SYMMETRIC)
        upcr_use_add (uses, thread, thread + 1, bytes);
      else if (bytes)
        upcr_use_add (uses, 0, THREADS, bytes);
      from += bytes ? (bytes + UPCR_SHADOW_UNIT - 1) & -(uint64_t) UPCR_SHADOW_UNIT
                    : UPCR_SHADOW_UNIT;
    }
}

void
upcr_plain_uses (struct upcr_use *uses)
{
  for (int t = 0; t <= THREADS; t++)
    uses[t] = (struct upcr_use){ 0 };
  for (int t = 0; t < THREADS; t++)
    {
      uint64_t low = atomic_load_explicit (&upcr_zone.low, memory_order_relaxed);
      uint64_t high = atomic_load_explicit (&upcr_zone.high[t], memory_order_relaxed);

      count_blocks (uses, t, upcr_zone.start, low < high ? low : high);
      count_blocks (uses, t, high, upcr_zone.top);
    }
  for (int t = 0; t <= THREADS; t++)
    uses[t].most = upcr_zone_use (t).most;
}
