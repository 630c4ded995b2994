/* The ranges of private data, from the table of its sections. */

#include "runtime/start/block.h"

#include <sys/mman.h>

/* Table of upc-privatize: a section of private data. */
struct section
{
  char *start;
  uint64_t bytes;
  uint32_t is_zero;
  uint32_t alignment;
};

extern const struct section __start_upc_private[] BOUND, __stop_upc_private[] BOUND;

struct upcr_private_data upcr_private_data;

RAW static void
sift_down (struct upcr_range *heap, size_t at, size_t count)
{
  struct upcr_range moved = heap[at];

  for (size_t child; (child = 2 * at + 1) < count; at = child)
    {
      if (child + 1 < count && heap[child + 1].start > heap[child].start)
        child++;
      if (heap[child].start <= moved.start)
        break;
      heap[at] = heap[child];
    }
  heap[at] = moved;
}

/* In place, for there is no malloc yet. */
RAW static void
sort (struct upcr_range *ranges, size_t count)
{
  for (size_t at = count / 2; at-- > 0;)
    sift_down (ranges, at, count);
  while (count > 1)
    {
      struct upcr_range last = ranges[0];

      ranges[0] = ranges[--count];
      ranges[count] = last;
      sift_down (ranges, 0, count);
    }
}

/* Joins what is less than a page apart: what stands between is nobody's in a block. */
RAW static size_t
join (struct upcr_range *ranges, size_t count)
{
  size_t last = 0;

  for (size_t i = 1; i < count; i++)
    if (ranges[i].is_zero == ranges[last].is_zero
        && ranges[i].start < ranges[last].end + PAGE_BYTES)
      {
        if (ranges[last].end < ranges[i].end)
          ranges[last].end = ranges[i].end;
      }
    else
      ranges[++last] = ranges[i];
  return count ? last + 1 : 0;
}

RAW void *
upcr_map_memory (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

RAW bool
upcr_find_ranges (void)
{
  struct upcr_private_data *data = &upcr_private_data;
  size_t count = 0;

  data->alignment = PAGE_BYTES;
  data->ranges = upcr_map_memory ((__stop_upc_private - __start_upc_private + 1)
                                  * sizeof *data->ranges);
  if (!data->ranges)
    return false;
  for (const struct section *s = __start_upc_private; s < __stop_upc_private; s++)
    if (s->bytes)
      {
        data->ranges[count++] = (struct upcr_range){ s->start, s->start + s->bytes, s->is_zero };
        if (data->alignment < s->alignment)
          data->alignment = s->alignment;
        if (s->is_zero)
          data->zero_bytes += s->bytes;
      }
  sort (data->ranges, count);
  data->count = join (data->ranges, count);
  if (count)
    {
      data->start = page_of (data->ranges[0].start);
      data->end = page_after (data->ranges[data->count - 1].end);
    }
  return true;
}
