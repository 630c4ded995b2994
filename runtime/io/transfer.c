/* Large pieces of memory are read and written where they are, many by one system call; small
   ones are gathered in a buffer, since the system takes longer for a piece than a copy of some
   KiB does. */

#include "runtime/io/transfer.h"

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>

enum
{
  LARGE_PIECE = 16 << 10,
  MOST_PIECES = 64,
  BOUNCE_BYTES = 256 << 10
};

struct upcr_region
upcr_region_of (upcr_pts base, size_t block_bytes, size_t length)
{
  char *address = upcr_pts_is_null (base) ? NULL : upcr_pts_address (base);

  return (struct upcr_region){ address, block_bytes, length, upcr_pts_thread (base) };
}

/* The address of byte OFFSET of REGION; *LENGTH: how many bytes follow there in one piece.
   Blocks go round from the region's thread, each round one block further in every
   partition. */
static char *
piece_at (const struct upcr_region *region, size_t offset, size_t *length)
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

      visit (piece_at (region, start, &piece),
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

  return piece_at (region, memory->offset, length);
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
  char *piece = piece_at (region, offset, &bytes), *block = piece - offset % block_bytes;
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
static void
copy_pieces (struct upcr_memory *memory, char *buffer, size_t length, bool to_buffer)
{
  while (length)
    {
      const struct upcr_region *region = next_region (memory);
      size_t bytes = least (region->length - memory->offset, length);

      if (region->block_bytes)
        copy_blocks (region, memory->offset, buffer, bytes, to_buffer);
      else
        copy (region->base + memory->offset, buffer, bytes, to_buffer);
      memory->offset += bytes;
      buffer += bytes;
      length -= bytes;
    }
}

static void
advance (struct upcr_memory *memory, size_t length)
{
  while (length)
    {
      const struct upcr_region *region = next_region (memory);
      size_t bytes = least (region->length - memory->offset, length);

      memory->offset += bytes;
      length -= bytes;
    }
}

/* Bytes between PIECES and the file at OFFSET: some of them, 0 at the end of the file, or -1. */
static ssize_t
move (const struct upcr_transfer *transfer, const struct iovec *pieces, int count, long offset)
{
  ssize_t bytes;

  do
    bytes = transfer->is_write ? pwritev (transfer->descriptor, pieces, count, offset)
                               : preadv (transfer->descriptor, pieces, count, offset);
  while (bytes < 0 && errno == EINTR);
  return bytes;
}

static ssize_t
move_staged (struct upcr_transfer *transfer, size_t length, long offset)
{
  struct upcr_memory ahead = transfer->memory;
  char *bounce = transfer->bounce;
  ssize_t bytes;

  /* Without memory errno is what malloc says. */
  if (!bounce && !(bounce = transfer->bounce = malloc (BOUNCE_BYTES)))
    return -1;
  if (transfer->is_write)
    copy_pieces (&ahead, bounce, length, true);
  bytes = move (transfer, &(struct iovec){ bounce, length }, 1, offset);
  if (bytes <= 0)
    return bytes;
  if (transfer->is_write)
    advance (&transfer->memory, bytes);
  else
    copy_pieces (&transfer->memory, bounce, bytes, false);
  return bytes;
}

/* The large pieces that are next, LENGTH bytes at most: how many. */
static int
large_pieces (const struct upcr_memory *memory, size_t length, struct iovec pieces[MOST_PIECES])
{
  struct upcr_memory ahead = *memory;
  int count = 0;

  while (length && count < MOST_PIECES)
    {
      size_t bytes;
      char *piece = next_piece (&ahead, &bytes);

      if (bytes < LARGE_PIECE && bytes < length)
        break;
      bytes = least (bytes, length);
      pieces[count++] = (struct iovec){ piece, bytes };
      ahead.offset += bytes;
      length -= bytes;
    }
  return count;
}

/* Bytes between memory and LENGTH bytes of the file at OFFSET, as move says. */
static ssize_t
move_some (struct upcr_transfer *transfer, size_t length, long offset)
{
  struct iovec pieces[MOST_PIECES];
  int count = large_pieces (&transfer->memory, length, pieces);
  ssize_t bytes;

  if (count == 0)
    return move_staged (transfer, least (length, BOUNCE_BYTES), offset);
  bytes = move (transfer, pieces, count, offset);
  if (bytes > 0)
    advance (&transfer->memory, bytes);
  return bytes;
}

/* False: there is no more to do. */
static bool
move_extent (struct upcr_transfer *transfer, const struct upcr_filevec *extent)
{
  for (size_t done = 0; done < extent->length;)
    {
      ssize_t bytes = move_some (transfer, extent->length - done, extent->offset + done);

      /* A device that takes no bytes has no room. */
      if (bytes < 0 || (bytes == 0 && transfer->is_write))
        transfer->error = bytes < 0 ? errno : ENOSPC;
      if (bytes <= 0)
        return false;
      transfer->done += bytes;
      done += bytes;
    }
  return true;
}

void
upcr_transfer_run (struct upcr_transfer *transfer)
{
  if (transfer->error)
    return;
  if (transfer->lock)
    pthread_mutex_lock (transfer->lock);
  for (size_t i = 0; i < transfer->extent_count; i++)
    if (!move_extent (transfer, &transfer->extents[i]))
      break;
  if (transfer->lock)
    pthread_mutex_unlock (transfer->lock);
  free (transfer->bounce);
  transfer->bounce = NULL;
}
