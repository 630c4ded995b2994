/* Moving bytes. Source and destination do not overlap, but may be the same. */

#ifndef UPCR_SHARED_COPY_H
#define UPCR_SHARED_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

void upcr_copy_long (void *dst, const void *src, size_t bytes);

/* By the CPU's string instruction, where that is quick. */
void upcr_copy_string (void *dst, const void *src, size_t bytes);

/* Copies COUNT pieces of BYTES, which lie one behind the other at PIECES, STRIDE bytes apart to TILE;
   or from it. */
void upcr_gather_pieces (char *tile, const char *pieces, size_t bytes, size_t stride, size_t count);
void upcr_scatter_pieces (const char *tile, char *pieces, size_t bytes, size_t stride,
                          size_t count);

void upcr_swap (void *a, void *b, size_t bytes);

/* What numbers have without a call, which would take longer than they do. */
static inline void
upcr_copy (void *dst, const void *src, size_t bytes)
{
  if (bytes == sizeof (uint64_t))
    memcpy (dst, src, sizeof (uint64_t));
  else if (bytes == sizeof (uint32_t))
    memcpy (dst, src, sizeof (uint32_t));
  else
    upcr_copy_long (dst, src, bytes);
}

#endif
