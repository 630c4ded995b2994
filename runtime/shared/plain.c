/* Reads the shadow bytes of the accessible parts of the plain heap. It takes no lock, so a signal
   handler may ask for blocks. Only jemalloc may take a lock of its own, for a thread that never
   called it before; such a thread has not crashed with that lock. */

#include "runtime/shared/plain.h"

#include "runtime/shared/zone.h"

#include <jemalloc/jemalloc.h>

/* How far blocks are searched for: few are larger. */
#define SEARCHED_BYTES (1ul << 30)

static unsigned
shadow_at (uint32_t thread, uint64_t offset)
{
  return upcr_is_own_thread (thread)
             ? atomic_load_explicit (upcr_shadow_of (thread, offset), memory_order_relaxed)
             : UPCR_NO_BLOCK;
}

/* The bytes that the block at OFFSET takes; 0 if it is freed meanwhile. jemalloc looks up the size of
   a large one: in tables that stay, so that a block which another thread frees has a wrong size, and
   no more. */
static uint64_t
block_bytes (uint32_t thread, uint64_t offset, unsigned shadow)
{
  unsigned class = shadow == UPCR_OF_LIBRARY ? 0
                   : shadow < UPCR_SYMMETRIC ? shadow - UPCR_LOCAL
                                             : shadow - UPCR_SYMMETRIC;
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
      uint64_t bytes = shadow >= UPCR_OF_LIBRARY ? block_bytes (thread, from, shadow) : 0;

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
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    {
      uint64_t low, high;

      upcr_zone_marks (t, &low, &high);
      count_blocks (uses, t, upcr_zone.start, low);
      count_blocks (uses, t, high, upcr_zone.top);
    }
  for (int t = 0; t <= THREADS; t++)
    uses[t].most = upcr_zone_use (t).most;
}

/* Does a block in use begin at OFFSET of THREAD's partition? Symmetric ones have their shadow in the
   partition of thread 0. */
static bool
find_at (uint32_t thread, uint64_t offset, struct upcr_plain_block *block)
{
  unsigned local = upcr_zone_is_open (thread, offset) ? shadow_at (thread, offset) : UPCR_NO_BLOCK;
  unsigned symmetric = upcr_zone_is_open (0, offset) ? shadow_at (0, offset) : UPCR_NO_BLOCK;

  if (symmetric >= UPCR_SYMMETRIC)
    *block = (struct upcr_plain_block){ offset, block_bytes (0, offset, symmetric), true };
  else if (local >= UPCR_OF_LIBRARY)
    *block = (struct upcr_plain_block){ offset, block_bytes (thread, offset, local), false };
  else
    return false;
  return block->bytes > 0;
}

uint64_t
upcr_symmetric_bytes (uint64_t offset)
{
  struct upcr_plain_block block;

  return !upcr_is_checked && offset % UPCR_SHADOW_UNIT == 0 && find_at (0, offset, &block)
                 && block.is_symmetric
             ? block.bytes
             : 0;
}

bool
upcr_begins_block (uint32_t thread, uint64_t offset)
{
  struct upcr_plain_block block;

  return !upcr_is_checked && offset % UPCR_SHADOW_UNIT == 0 && find_at (thread, offset, &block)
         && (thread == 0 || !block.is_symmetric);
}

/* No block begins between the accessible pages of the two kinds. */
static uint64_t
low_of (uint32_t thread)
{
  uint64_t low = atomic_load_explicit (&upcr_zone.low, memory_order_relaxed);
  uint64_t high = atomic_load_explicit (&upcr_zone.high[thread], memory_order_relaxed);

  return low < high ? low : high;
}

bool
upcr_plain_up_to (uint32_t thread, uint64_t offset, struct upcr_plain_block *block)
{
  uint64_t unit = offset & -(uint64_t) UPCR_SHADOW_UNIT, end;

  if (offset >= upcr_zone.top)
    unit = upcr_zone.top - UPCR_SHADOW_UNIT;
  if (!upcr_zone_is_open (thread, unit))
    unit = low_of (thread) - UPCR_SHADOW_UNIT;
  for (end = unit; unit >= upcr_zone.start && end - unit < SEARCHED_BYTES; unit -= UPCR_SHADOW_UNIT)
    if (find_at (thread, unit, block))
      return true;
  return false;
}

bool
upcr_plain_after (uint32_t thread, uint64_t offset, struct upcr_plain_block *block)
{
  uint64_t unit = (offset & -(uint64_t) UPCR_SHADOW_UNIT) + UPCR_SHADOW_UNIT, begin;

  if (unit < upcr_zone.start)
    unit = upcr_zone.start;
  if (!upcr_zone_is_open (thread, unit))
    unit = atomic_load_explicit (&upcr_zone.high[thread], memory_order_relaxed);
  for (begin = unit; unit < upcr_zone.top && unit - begin < SEARCHED_BYTES;
       unit += UPCR_SHADOW_UNIT)
    if (find_at (thread, unit, block))
      return true;
  return false;
}
