/* Large pieces of memory are read and written where they are; small ones are gathered in a
   buffer, since a system call takes as long as the copy of some KiB. */

#include "runtime/io/transfer.h"

#include "runtime/shared/shared.h"
#include "runtime/start/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE_PIECE = 16 << 10, STAGE_BYTES = 256 << 10 };

struct upcr_region
upcr_region_of (upcr_pts base, size_t block_bytes, size_t length)
{
  return (struct upcr_region){ upcr_pts_address (base), block_bytes, length,
                               upcr_pts_thread (base) };
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

/* The piece that is next, in a region that has one. */
static char *
next_piece (struct upcr_memory *memory, size_t *length)
{
  while (memory->offset == memory->regions->length)
    {
      memory->regions++;
      memory->offset = 0;
    }
  return piece_at (memory->regions, memory->offset, length);
}

static size_t
least (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* LENGTH bytes between memory and BUFFER. */
static void
copy_pieces (struct upcr_memory *memory, char *buffer, size_t length, bool to_buffer)
{
  while (length)
    {
      size_t bytes;
      char *piece = next_piece (memory, &bytes);

      bytes = least (bytes, length);
      if (to_buffer)
        memcpy (buffer, piece, bytes);
      else
        memcpy (piece, buffer, bytes);
      memory->offset += bytes;
      buffer += bytes;
      length -= bytes;
    }
}

/* LENGTH bytes between BUFFER and the file at OFFSET: how many, or -1. Fewer are read at the
   end of the file alone. */
static ssize_t
move (const struct upcr_transfer *transfer, char *buffer, size_t length, long offset)
{
  size_t done = 0;

  while (done < length)
    {
      ssize_t bytes = transfer->is_write
                        ? pwrite (transfer->descriptor, buffer + done, length - done, offset + done)
                        : pread (transfer->descriptor, buffer + done, length - done, offset + done);

      if (bytes < 0 && errno == EINTR)
        continue;
      if (bytes < 0)
        return -1;
      if (bytes == 0)
        break;
      done += bytes;
    }
  return done;
}

static ssize_t
move_staged (struct upcr_transfer *transfer, char *stage, size_t length, long offset)
{
  ssize_t bytes;

  if (transfer->is_write)
    copy_pieces (&transfer->memory, stage, length, true);
  bytes = move (transfer, stage, length, offset);
  if (!transfer->is_write && bytes > 0)
    copy_pieces (&transfer->memory, stage, bytes, false);
  return bytes;
}

/* Bytes between memory and LENGTH bytes of the file at OFFSET: some of them, all that is left
   of the file, or -1. *WANTED: how many were tried. */
static ssize_t
move_some (struct upcr_transfer *transfer, char *stage, size_t length, long offset, size_t *wanted)
{
  size_t piece_bytes;
  char *piece = next_piece (&transfer->memory, &piece_bytes);
  ssize_t bytes;

  if (piece_bytes < LARGE_PIECE && piece_bytes < length)
    {
      *wanted = least (length, STAGE_BYTES);
      return move_staged (transfer, stage, *wanted, offset);
    }
  *wanted = least (length, piece_bytes);
  bytes = move (transfer, piece, *wanted, offset);
  if (bytes > 0)
    transfer->memory.offset += bytes;
  return bytes;
}

/* False: there is no more to do. */
static bool
move_place (struct upcr_transfer *transfer, char *stage, const struct upcr_filevec *place)
{
  for (size_t done = 0; done < place->length;)
    {
      size_t wanted;
      ssize_t bytes
        = move_some (transfer, stage, place->length - done, place->offset + done, &wanted);

      if (bytes < 0 || (transfer->is_write && (size_t) bytes < wanted))
        {
          /* A device that takes no bytes has no room. */
          transfer->error = bytes < 0 ? errno : ENOSPC;
          return false;
        }
      transfer->done += bytes;
      if ((size_t) bytes < wanted)
        return false;
      done += bytes;
    }
  return true;
}

void
upcr_transfer_run (struct upcr_transfer *transfer)
{
  char *stage;

  if (transfer->error)
    return;
  stage = malloc (STAGE_BYTES);
  if (!stage)
    {
      transfer->error = ENOMEM;
      return;
    }
  if (transfer->lock)
    pthread_mutex_lock (transfer->lock);
  for (size_t i = 0; i < transfer->place_count; i++)
    if (!move_place (transfer, stage, &transfer->places[i]))
      break;
  if (transfer->lock)
    pthread_mutex_unlock (transfer->lock);
  free (stage);
}
