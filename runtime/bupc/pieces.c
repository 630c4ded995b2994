/* Copies between lists of pieces, and between parts of arrays. */

#include "runtime/bupc/bupc.h"

static void
next_private_piece (struct upcr_side *side)
{
  const struct upcr_private_piece *piece = side->list;

  side->at = piece->address;
  side->left = piece->bytes;
  side->list = piece + 1;
}

static void
next_shared_piece (struct upcr_side *side)
{
  const struct upcr_shared_piece *piece = side->list;

  side->at = upcr_pts_address (piece->address);
  side->left = piece->bytes;
  side->list = piece + 1;
}

static void
next_private_address (struct upcr_side *side)
{
  char *const *address = side->list;

  side->at = *address;
  side->left = side->length;
  side->list = address + 1;
}

static void
next_shared_address (struct upcr_side *side)
{
  const upcr_pts *address = side->list;

  side->at = upcr_pts_address (*address);
  side->left = side->length;
  side->list = address + 1;
}

static void
next_chunk (struct upcr_side *side)
{
  side->at = side->chunk;
  side->left = side->length;
  side->chunk += side->stride;
}

struct upcr_side
upcr_private_pieces (const struct upcr_private_piece *list, size_t count)
{
  struct upcr_side side = { .count = count, .next = next_private_piece, .list = list };

  for (size_t i = 0; i < count; i++)
    side.total += list[i].bytes;
  return side;
}

struct upcr_side
upcr_shared_pieces (const struct upcr_shared_piece *list, size_t count)
{
  struct upcr_side side = { .count = count, .next = next_shared_piece, .list = list };

  for (size_t i = 0; i < count; i++)
    side.total += list[i].bytes;
  return side;
}

static void
refuse_null (const char *what, const char *name, size_t i)
{
  upcr_fatal ("%s: %s[%zu] is null", what, name, i);
}

struct upcr_side
upcr_private_addresses (const char *what, const char *name, char *const *list, size_t count,
                        size_t length)
{
  for (size_t i = 0; i < count; i++)
    if (!list[i])
      refuse_null (what, name, i);
  return (struct upcr_side){ .count = count,
                             .next = next_private_address,
                             .list = list,
                             .length = length,
                             .total = count * length };
}

struct upcr_side
upcr_shared_addresses (const char *what, const char *name, const upcr_pts *list, size_t count,
                       size_t length)
{
  for (size_t i = 0; i < count; i++)
    if (upcr_pts_is_null (list[i]))
      refuse_null (what, name, i);
  return (struct upcr_side){ .count = count,
                             .next = next_shared_address,
                             .list = list,
                             .length = length,
                             .total = count * length };
}

struct upcr_side
upcr_chunks (const char *what, const char *name, char *first, size_t length, size_t stride,
             size_t count)
{
  if (count > 1 && stride < length)
    upcr_fatal ("%s: %schunkstride is %zu, less than %schunklen, %zu", what, name, stride, name,
                length);
  return (struct upcr_side){ .count = count,
                             .next = next_chunk,
                             .chunk = first,
                             .length = length,
                             .stride = stride,
                             .total = count * length };
}

/* Whether there are bytes left; at the next piece where the present one is done. */
static bool
has_bytes (struct upcr_side *side)
{
  while (side->left == 0)
    {
      if (side->count == 0)
        return false;
      side->count--;
      side->next (side);
    }
  return true;
}

/* For checked heaps. */
static void
check_pieces (const char *what, struct upcr_side side)
{
  for (; side.count > 0; side.count--)
    {
      side.next (&side);
      upcr_check_address (side.at, side.left, what);
    }
}

void
upcr_copy_pieces (const char *what, struct upcr_side dst, struct upcr_side src)
{
  if (dst.total != src.total)
    upcr_fatal ("%s: the destination has %zu bytes, the source %zu", what, dst.total, src.total);
  if (__builtin_expect (upcr_is_checked, 0))
    {
      check_pieces (what, dst);
      check_pieces (what, src);
    }
  while (has_bytes (&dst) && has_bytes (&src))
    {
      size_t bytes = dst.left < src.left ? dst.left : src.left;

      upcr_copy (dst.at, src.at, bytes);
      dst.at += bytes;
      dst.left -= bytes;
      src.at += bytes;
      src.left -= bytes;
    }
}

static void
copy_levels (char *dst, const size_t *dst_strides, const char *src, const size_t *src_strides,
             const size_t *count, size_t levels)
{
  if (levels == 0)
    upcr_copy (dst, src, count[0]);
  else
    for (size_t i = 0; i < count[levels]; i++)
      copy_levels (dst + i * dst_strides[levels - 1], dst_strides,
                   src + i * src_strides[levels - 1], src_strides, count, levels - 1);
}

static void
check_strides (const char *what, const char *name, const size_t *strides, const size_t *count,
               size_t levels)
{
  size_t below = count[0];

  for (size_t i = 0; i < levels; i++)
    {
      if (count[i + 1] > 1 && strides[i] < below)
        upcr_fatal ("%s: %sstrides[%zu] is %zu, less than the %zu bytes of a step", what, name, i,
                    strides[i], below);
      below *= count[i + 1];
    }
}

/* For checked heaps: from the first byte to the last one, which are a section's of one array. */
static void
check_section (const char *what, const char *address, const size_t *strides, const size_t *count,
               size_t levels)
{
  size_t bytes = count[0];

  for (size_t i = 0; i < levels; i++)
    {
      if (count[i + 1] == 0)
        return;
      bytes += (count[i + 1] - 1) * strides[i];
    }
  if (count[0] > 0)
    upcr_check_address (address, bytes, what);
}

void
upcr_copy_strided (const char *what, char *dst, const size_t *dst_strides, const char *src,
                   const size_t *src_strides, const size_t *count, size_t levels)
{
  check_strides (what, "dst", dst_strides, count, levels);
  check_strides (what, "src", src_strides, count, levels);
  if (__builtin_expect (upcr_is_checked, 0))
    {
      check_section (what, dst, dst_strides, count, levels);
      check_section (what, src, src_strides, count, levels);
    }
  copy_levels (dst, dst_strides, src, src_strides, count, levels);
}
