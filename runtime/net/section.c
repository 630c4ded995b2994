/* Copies of sections, such as tiles of columns. Columns that are closer together than the elements of one share cache
   lines, so several are copied at once: a line is loaded for all of them. Words are loaded whole, as other threads may
   store them; who is told of what was loaded is told behind the last fence. */

#include "runtime/net/net.h"

#include "runtime/net/target.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LANES = 8 /* of 8 bytes: a line */
};

/* The next element of a row. */
#define COPY(type, row)                                                                        \
  do                                                                                           \
    {                                                                                          \
      const void *element = source + (row) *distance;                                          \
      type word = atomic_load_explicit ((const _Atomic type *) element, memory_order_relaxed); \
      memcpy (to + (row) *row_step, &word, sizeof word);                                       \
    }                                                                                          \
  while (0)

/* LANES rows, or one. */
#define DEFINE_COPY(name, type)                                                                    \
  static void name (char *to, int64_t step, int64_t row_step, const struct upcr_net_section *from, \
                    size_t rows)                                                                   \
  {                                                                                                \
    const char *source = from->from;                                                               \
    const int64_t stride = from->stride, distance = from->distance;                                \
    for (size_t i = from->count; rows == LANES && i > 0; i--, source += stride, to += step)        \
      {                                                                                            \
        COPY (type, 0);                                                                            \
        COPY (type, 1);                                                                            \
        COPY (type, 2);                                                                            \
        COPY (type, 3);                                                                            \
        COPY (type, 4);                                                                            \
        COPY (type, 5);                                                                            \
        COPY (type, 6);                                                                            \
        COPY (type, 7);                                                                            \
      }                                                                                            \
    for (size_t i = from->count; rows == 1 && i > 0; i--, source += stride, to += step)            \
      COPY (type, 0);                                                                              \
  }

DEFINE_COPY (copy_of_1, uint8_t)
DEFINE_COPY (copy_of_2, uint16_t)
DEFINE_COPY (copy_of_4, uint32_t)
DEFINE_COPY (copy_of_8, uint64_t)

typedef void copy_rows (char *to, int64_t step, int64_t row_step,
                        const struct upcr_net_section *from, size_t rows);

/* NULL: its elements are no words. */
static copy_rows *
copy_for (const struct upcr_net_section *from, size_t bytes)
{
  uintptr_t places = (uintptr_t) from->from | (uintptr_t) from->stride | (uintptr_t) from->distance;

  if (places % bytes != 0)
    return NULL;
  return bytes == 8   ? copy_of_8
         : bytes == 4 ? copy_of_4
         : bytes == 2 ? copy_of_2
         : bytes == 1 ? copy_of_1
                      : NULL;
}

static void
copy_others (char *to, int64_t step, int64_t row_step, const struct upcr_net_section *from,
             size_t bytes)
{
  for (size_t row = 0; row < from->rows; row++)
    for (size_t i = 0; i < from->count; i++)
      upcr_target_load (to + (int64_t) row * row_step + (int64_t) i * step,
                        from->from + (int64_t) row * from->distance + (int64_t) i * from->stride,
                        bytes);
}

void
upcr_net_copy_section (char *to, int64_t step, int64_t row_step,
                       const struct upcr_net_section *section, size_t bytes)
{
  struct upcr_net_section from = *section;
  copy_rows *copy = copy_for (&from, bytes);
  size_t most = llabs (from.distance) < llabs (from.stride) ? LANES : 1;

  if (!copy)
    copy_others (to, step, row_step, &from, bytes);
  else
    for (size_t rows; from.rows > 0; from.rows -= rows)
      {
        rows = from.rows < most ? 1 : most;
        copy (to, step, row_step, &from, rows);
        from.from += (int64_t) rows * from.distance;
        to += (int64_t) rows * row_step;
      }
  atomic_thread_fence (memory_order_acquire);
}
