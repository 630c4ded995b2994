/* Moving bytes.

   Large copies are divided into pieces. Measured on an AMD EPYC with 32 MiB of last-level cache,
   in GB/s: 1 MiB in one memcpy 37, in pieces of 256 KiB 89, with non-temporal stores 39; 16 MiB
   33, 45 and 35; 64 MiB 20, 23 and 22. memcpy chooses its method by the length. The one for long
   copies is better only if nobody reads the destination soon, but here it was copied to be read. */

#include "runtime/arch/arch.h"
#include "runtime/shared/copy.h"

#include "runtime/host/host.h"

#include <string.h>

enum
{
  PIECE_BYTES = 256 << 10
};

void
upcr_copy_long (void *dst, const void *src, size_t bytes)
{
  char *to = dst;
  const char *from = src;

  if (dst == src)
    return;
  for (; __builtin_expect (bytes > PIECE_BYTES, 0); bytes -= PIECE_BYTES)
    {
      memcpy (to, from, PIECE_BYTES);
      to += PIECE_BYTES;
      from += PIECE_BYTES;
    }
  memcpy (to, from, bytes);
}

/* Sanitizers see what memcpy does, but not what an instruction does. */
#if !defined UPCR_TSAN && !defined UPCR_ASAN

#include <stdbool.h>

static bool has_quick_strings;

static __attribute__ ((constructor)) void
look_for_quick_strings (void)
{
  has_quick_strings = upcr_has_fast_string_copy ();
}

void
upcr_copy_string (void *dst, const void *src, size_t bytes)
{
  if (has_quick_strings)
    upcr_string_copy (dst, src, bytes);
  else
    memcpy (dst, src, bytes);
}

#else

void
upcr_copy_string (void *dst, const void *src, size_t bytes)
{
  memcpy (dst, src, bytes);
}

#endif

void
upcr_swap (void *a, void *b, size_t bytes)
{
  char part[4096], *x = a, *y = b;

  while (bytes > 0)
    {
      size_t some = bytes < sizeof part ? bytes : sizeof part;

      memcpy (part, x, some);
      memcpy (x, y, some);
      memcpy (y, part, some);
      x += some;
      y += some;
      bytes -= some;
    }
}

/* Pieces of these sizes, of up to eight elements, are a few instructions each. */
#define SHORT_SIZES(CASE) CASE (4) CASE (8) CASE (12) CASE (16) CASE (20) CASE (24)
#define LONG_SIZES(CASE) CASE (28) CASE (32) CASE (40) CASE (48) CASE (56) CASE (64)

void
upcr_gather_pieces (char *tile, const char *pieces, size_t bytes, size_t stride, size_t count)
{
  switch (bytes)
    {
/* Four at a time: elements of arrays in blocks of 1 are copied by the thousand. */
#define CASE(n)                                                           \
  case n:                                                                 \
    for (; count >= 4; count -= 4, tile += 4 * stride, pieces += 4 * (n)) \
      {                                                                   \
        memcpy (tile, pieces, n);                                         \
        memcpy (tile + stride, pieces + (n), n);                          \
        memcpy (tile + 2 * stride, pieces + 2 * (n), n);                  \
        memcpy (tile + 3 * stride, pieces + 3 * (n), n);                  \
      }                                                                   \
    for (size_t i = 0; i < count; i++)                                    \
      memcpy (tile + i * stride, pieces + i * (n), n);                    \
    break;
      SHORT_SIZES (CASE)
#undef CASE
#define CASE(n)                                        \
  case n:                                              \
    for (size_t i = 0; i < count; i++)                 \
      memcpy (tile + i * stride, pieces + i * (n), n); \
    break;
      LONG_SIZES (CASE)
#undef CASE
    default:
      for (size_t i = 0; i < count; i++)
        memcpy (tile + i * stride, pieces + i * bytes, bytes);
    }
}

void
upcr_scatter_pieces (const char *tile, char *pieces, size_t bytes, size_t stride, size_t count)
{
  switch (bytes)
    {
#define CASE(n)                                        \
  case n:                                              \
    for (size_t i = 0; i < count; i++)                 \
      memcpy (pieces + i * (n), tile + i * stride, n); \
    break;
      SHORT_SIZES (CASE)
      LONG_SIZES (CASE)
#undef CASE
    default:
      for (size_t i = 0; i < count; i++)
        memcpy (pieces + i * bytes, tile + i * stride, bytes);
    }
}
