/* Inside the room: a member's post on the board, and how data gets into it and out of it.

   What takes time here are lines that go from one CPU's cache to another's: those of a post
   are read by others, and written anew some operations later. So short data lies in the line
   of the number that says it is there; longer data has whole lines of its own, which leave
   nothing to be fetched where all of a line is overwritten.

   Long data is copied by the string instruction, which overwrites whole lines without
   fetching them and has more of them on their way at a time than a loop of moves has.
   Measured with two threads on an AMD EPYC, a ring of 16 posts: 2 KiB go through in 68 ns, by
   memcpy in 103 ns; 4 KiB in 120 and 139 ns. Out of a post it is quicker from 256 bytes on,
   into one from 768 bytes on. */

#ifndef UPCR_COLL_POST_H
#define UPCR_COLL_POST_H

#include "runtime/arch/arch.h"
#include "runtime/shared/shared.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { UPCR_LINE_BYTES = 64, UPCR_NEAR_DATA_BYTES = 32, UPCR_PAYLOAD_BYTES = 4096 };

/* From so many bytes on the string instruction copies into a post, and out of one. */
enum { UPCR_STRING_IN_BYTES = 768, UPCR_STRING_OUT_BYTES = 256 };

struct upcr_post
{
  _Alignas (UPCR_LINE_BYTES) _Atomic uint32_t stage;
  _Atomic uint32_t done;
  const void *src;             /* the member's own addresses */
  void *dst;
  const void *more;            /* exchangev: its arguments; large partial results */
  char near[UPCR_NEAR_DATA_BYTES] __attribute__ ((aligned (UPCR_NEAR_DATA_BYTES)));
  char far[UPCR_PAYLOAD_BYTES];
};

/* Where BYTES of data lie, up to UPCR_PAYLOAD_BYTES. */
static inline char *
upcr_post_data (struct upcr_post *post, size_t bytes)
{
  return bytes <= UPCR_NEAR_DATA_BYTES ? post->near : post->far;
}

/* Writes BYTES of SRC to TO, which is within a post. */
static inline void
upcr_copy_into_post (char *to, const void *src, size_t bytes)
{
  if (bytes >= UPCR_STRING_IN_BYTES)
    upcr_copy_string (to, src, bytes);
  else
    upcr_copy (to, src, bytes);
}

/* Fetches BYTES from FROM, which is within a post. */
static inline void
upcr_copy_out_of_post (void *dst, const char *from, size_t bytes)
{
  if (bytes >= UPCR_STRING_OUT_BYTES)
    upcr_copy_string (dst, from, bytes);
  else
    upcr_copy (dst, from, bytes);
}

/* Asks for the lines that BYTES of data need, so that stores to them need not wait. The string
   instruction needs no more than the one with the number. */
static inline void
upcr_post_prepare (struct upcr_post *post, size_t bytes)
{
  upcr_prefetch (post);
  if (bytes <= UPCR_NEAR_DATA_BYTES || bytes >= UPCR_STRING_IN_BYTES)
    return;
  for (size_t i = 0; i < bytes; i += UPCR_LINE_BYTES)
    upcr_prefetch (post->far + i);
}

#endif
