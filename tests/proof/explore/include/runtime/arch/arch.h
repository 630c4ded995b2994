/* In place of the arch room: a processor on which a read-modify-write is no fence, and a pause
   lets the other threads run. */

#ifndef UPCR_ARCH_H
#define UPCR_ARCH_H

#include <stdatomic.h>

#define UPCR_PRIVATE_SEGMENT
#define UPCR_PRIVATE_STORAGE

void explore_pause (void);

#define upcr_pause() explore_pause ()
#define upcr_prefetch(p) ((void) (p))
#define upcr_fence_after_rmw() \
  explore_fence (EXPLORE_SITE ("upcr_fence_after_rmw", ""), memory_order_seq_cst)

static inline bool
upcr_has_fast_string_copy (void)
{
  return false;
}

static inline void
upcr_string_copy (void *dst, const void *src, size_t bytes)
{
  __builtin_memcpy (dst, src, bytes);
}

#endif
