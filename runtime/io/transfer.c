/* Transfers. Large pieces of memory are read and written in place, many with one system call.
   Small ones are gathered in a buffer, since the system takes longer for a piece than for a copy
   of some KiB. */

#include "runtime/io/transfer.h"

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/uio.h>

enum
{
  MOST_PIECES = 64,
  BOUNCE_BYTES = 256 << 10
};

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
    upcr_memory_copy (&ahead, bounce, length, true);
  bytes = move (transfer, &(struct iovec){ bounce, length }, 1, offset);
  if (bytes <= 0)
    return bytes;
  if (transfer->is_write)
    upcr_memory_advance (&transfer->memory, bytes);
  else
    upcr_memory_copy (&transfer->memory, bounce, bytes, false);
  return bytes;
}

/* Bytes between memory and LENGTH bytes of the file at OFFSET, as move says. */
static ssize_t
move_some (struct upcr_transfer *transfer, size_t length, long offset)
{
  struct iovec pieces[MOST_PIECES];
  int count = upcr_memory_large (&transfer->memory, length, pieces, MOST_PIECES);
  ssize_t bytes;

  if (count == 0)
    return move_staged (transfer, length < BOUNCE_BYTES ? length : BOUNCE_BYTES, offset);
  bytes = move (transfer, pieces, count, offset);
  if (bytes > 0)
    upcr_memory_advance (&transfer->memory, bytes);
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

/* Against other threads of the process, and then against other processes, which have descriptors of their own. False,
   and an error: the file system has no locks. */
static bool
lock (struct upcr_transfer *transfer)
{
  pthread_mutex_lock (transfer->lock);
#ifdef UPCR_NETWORK
  while (flock (transfer->descriptor, LOCK_EX) != 0)
    if (errno != EINTR)
      {
        transfer->error = errno;
        pthread_mutex_unlock (transfer->lock);
        return false;
      }
#endif
  return true;
}

static void
unlock (const struct upcr_transfer *transfer)
{
#ifdef UPCR_NETWORK
  flock (transfer->descriptor, LOCK_UN);
#endif
  pthread_mutex_unlock (transfer->lock);
}

void
upcr_transfer_run (struct upcr_transfer *transfer)
{
  if (transfer->error || (transfer->lock && !lock (transfer)))
    return;
  for (size_t i = 0; i < transfer->extent_count; i++)
    if (!move_extent (transfer, &transfer->extents[i]))
      break;
  if (transfer->lock)
    unlock (transfer);
  free (transfer->bounce);
  transfer->bounce = NULL;
}
