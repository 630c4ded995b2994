/* Regions of memory, piece by piece. */

#include "runtime/io/memory.h"

#include "runtime/host/host.h"

enum
{
  LARGE_PIECE = 16 << 10
};

struct upcr_region
upcr_region_of (upcr_pts base, size_t block_bytes, size_t length)
{
  char *address = upcr_pts_is_null (base) ? NULL : upcr_pts_address (base);

  return (struct upcr_region){ address, block_bytes, length, upcr_pts_thread (base) };
}

/* Blocks go round from the region's thread, each round one block further in every
   partition. */
char *
upcr_piece_at (const struct upcr_region *region, size_t offset, size_t *length)
{
  size_t block, in_block, thread;
  ptrdiff_t partitions;

  *length = region->length - offset;
  if (region->block_bytes == 0)
    return region->base + offset;
  block = offset / region->block_bytes;
  in_block = offset % region->block_bytes;
  if (*length > region->block_bytes - in_block)
    *length = region->block_bytes - in_block;
  thread = region->thread + block;
  partitions = (ptrdiff_t) (thread % THREADS) - region->thread;
  return region->base + partitions * (ptrdiff_t) UPCR_STRIDE
         + thread / THREADS * region->block_bytes + in_block;
}

void
upcr_visit_region (const struct upcr_region *region, upcr_visit *visit, void *argument)
{
  size_t block = region->block_bytes ? region->block_bytes : region->length;
  size_t round;

  if (__builtin_mul_overflow (block, THREADS, &round))
    round = SIZE_MAX;
  for (size_t start = 0, piece; start < region->length && start < round; start += block)
    {
      size_t left = region->length % round;
      size_t last = left > start ? left - start : 0;

      visit (upcr_piece_at (region, start, &piece),
             region->length / round * block + (last < block ? last : block), argument);
    }
}

static void
check_piece (char *piece, size_t bytes, void *what)
{
  upcr_check_address (piece, bytes, what);
}

void
upcr_check_region (const struct upcr_region *region, const char *what)
{
  if (upcr_is_checked && region->base)
    upcr_visit_region (region, check_piece, (void *) what);
}

/* Goes to the next region that has bytes left, and returns it. */
static const struct upcr_region *
next_region (struct upcr_memory *memory)
{
  while (memory->offset == memory->regions->length)
    {
      memory->regions++;
      memory->offset = 0;
    }
  return memory->regions;
}

static char *
next_piece (struct upcr_memory *memory, size_t *length)
{
  const struct upcr_region *region = next_region (memory);

  return upcr_piece_at (region, memory->offset, length);
}

static size_t
least (size_t a, size_t b)
{
  return a < b ? a : b;
}

static void
copy (char *piece, char *buffer, size_t bytes, bool to_buffer)
{
  if (to_buffer)
    upcr_copy (buffer, piece, bytes);
  else
    upcr_copy (piece, buffer, bytes);
}

/* LENGTH bytes between BUFFER and blocks of REGION from byte OFFSET on: from one block to the
   next by a sum, where piece_at would divide. */
static void
copy_blocks (const struct upcr_region *region, size_t offset, char *buffer, size_t length,
             bool to_buffer)
{
  size_t block_bytes = region->block_bytes, bytes;
  char *piece = upcr_piece_at (region, offset, &bytes), *block = piece - offset % block_bytes;
  size_t thread = (region->thread + offset / block_bytes) % THREADS;

  for (;;)
    {
      bytes = least (bytes, length);
      copy (piece, buffer, bytes, to_buffer);
      buffer += bytes;
      length -= bytes;
      if (length == 0)
        return;
      block += UPCR_STRIDE;
      if (++thread == (size_t) THREADS)
        {
          thread = 0;
          block += block_bytes - THREADS * UPCR_STRIDE;
        }
      piece = block;
      bytes = block_bytes;
    }
}

/* LENGTH bytes between memory and BUFFER. */
void
upcr_memory_copy (struct upcr_memory *memory, char *buffer, size_t length, bool to_buffer)
{
  while (length)
    {
      const struct upcr_region *region = next_region (memory);
      size_t bytes = least (region->length - memory->offset, length);

      if (upcr_is_region_far (region))
        upcr_copy_far (region, memory->offset, buffer, bytes, to_buffer);
      else if (region->block_bytes)
        copy_blocks (region, memory->offset, buffer, bytes, to_buffer);
      else
        copy (region->base + memory->offset, buffer, bytes, to_buffer);
      memory->offset += bytes;
      buffer += bytes;
      length -= bytes;
    }
}

void
upcr_memory_advance (struct upcr_memory *memory, size_t length)
{
  while (length)
    {
      const struct upcr_region *region = next_region (memory);
      size_t bytes = least (region->length - memory->offset, length);

      memory->offset += bytes;
      length -= bytes;
    }
}

int
upcr_memory_large (const struct upcr_memory *memory, size_t length, struct iovec *pieces, int most)
{
  struct upcr_memory ahead = *memory;
  int count = 0;

  while (length && count < most)
    {
      size_t bytes;
      char *piece = next_piece (&ahead, &bytes);

      if ((bytes < LARGE_PIECE && bytes < length) || upcr_is_far (piece))
        break;
      bytes = least (bytes, length);
      pieces[count++] = (struct iovec){ piece, bytes };
      ahead.offset += bytes;
      length -= bytes;
    }
  return count;
}
