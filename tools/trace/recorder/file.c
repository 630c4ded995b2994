/* The file of a thread. It is opened anew for each chunk: a program may have as many files
   open as it is allowed to, and may close those that it does not know. */

#include "tools/trace/recorder/processes.h"
#include "tools/trace/recorder/recorder.h"

#include <upc_tick.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum
{
  MAPPED_BYTES = TRACE_HEADER_BYTES + TRACE_CHUNK_BYTES
};

static int
open_own (gasp_context_t context, int flags)
{
  char path[sizeof trace_run.folder + 32];

  snprintf (path, sizeof path, "%s/thread-%d.bin", trace_run.folder, context->thread);
  return open (path, flags | O_CLOEXEC, 0666);
}

/* Says it once for the run, whichever thread meets it first; errno says why. */
static bool
give_up (const char *what)
{
  const char *why = strerror (errno);

  atomic_store_explicit (&trace_run.is_broken, true, memory_order_relaxed);
  if (stop_run ())
    trace_say ("error", "cannot write the trace to %s: %s; %s", trace_run.folder, why, what);
  return false;
}

static bool
write_whole (int file, const void *bytes, size_t count, off_t offset)
{
  ssize_t written = pwrite (file, bytes, count, offset);

  if (written == (ssize_t) count)
    return true;
  if (written >= 0)
    errno = ENOSPC;
  return false;
}

/* Zeros are written before the pages are mapped: on a full disk a store to a page that has
   no place on it is a SIGBUS. */
static void *
map_file (int file)
{
  static const char zeros[4096];

  for (off_t offset = 0; offset < MAPPED_BYTES; offset += sizeof zeros)
    if (!write_whole (file, zeros, sizeof zeros, offset))
      return NULL;
  void *map = mmap (NULL, MAPPED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  return map == MAP_FAILED ? NULL : map;
}

static uint64_t
cpu_ns (void)
{
  struct timespec time;

  return clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time) == 0
             ? (uint64_t) time.tv_sec * 1000000000 + (uint64_t) time.tv_nsec
             : 0;
}

void
begin_time (gasp_context_t context)
{
  struct trace_header *header = context->header;

  memcpy (header->clock, trace_run.header.clock, sizeof header->clock);
  context->last = header->start_ticks = context->chunk->ticks = upc_ticks_now ();
}

static void
fill_header (gasp_context_t context)
{
  struct trace_header *header = context->header;

  *header = trace_run.header;
  header->thread = context->thread;
  context->cpu_at_start = cpu_ns ();
  context->chunk->magic = TRACE_CHUNK_MAGIC;
  begin_time (context);
  memcpy (header->magic, TRACE_MAGIC, sizeof header->magic);
}

bool
open_file (gasp_context_t context)
{
  int file = open_own (context, O_RDWR | O_CREAT | O_EXCL);
  char *map;

  if (file < 0)
    return give_up ("the run is not traced");
  map = map_file (file);
  if (!map)
    {
      give_up ("the run is not traced");
      close (file);
      return false;
    }
  close (file);
  context->header = (struct trace_header *) map;
  context->chunk = (struct trace_chunk *) (map + TRACE_HEADER_BYTES);
  fill_header (context);
  return true;
}

/* Where the file may not grow, a write would end the program by SIGXFSZ. */
static bool
may_grow_to (off_t end)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
      || (rlim_t) end <= limit.rlim_cur)
    return true;
  errno = EFBIG;
  return false;
}

static bool
append_chunk (gasp_context_t context)
{
  off_t offset = MAPPED_BYTES + (off_t) context->chunk->number * TRACE_CHUNK_BYTES;
  int file = open_own (context, O_WRONLY), error;
  bool written;

  if (file < 0)
    return false;
  written = may_grow_to (offset + TRACE_CHUNK_BYTES)
            && write_whole (file, context->chunk, TRACE_CHUNK_BYTES, offset);
  error = errno;
  close (file);
  errno = error;
  return written;
}

/* Bytes are counted for the whole run, so that all threads stop at the same moment. */
static bool
has_room (void)
{
  if (atomic_fetch_sub_explicit (&trace_run.bytes_left, TRACE_CHUNK_BYTES, memory_order_relaxed)
      >= TRACE_CHUNK_BYTES)
    return true;
  if (stop_run ())
    trace_say ("warning",
               "the trace has reached UPC_TRACE_LIMIT; the rest of the run is not in it");
  return false;
}

bool
write_chunk (gasp_context_t context)
{
  struct trace_chunk *chunk = context->chunk;
  uint64_t start = upc_ticks_now ();
  int error = errno;
  bool written = !atomic_load_explicit (&trace_run.is_stopped, memory_order_relaxed) && has_room ();

  if (written && !append_chunk (context))
    written = give_up ("the rest of the run is not traced");
  errno = error;
  if (!written)
    {
      context->header->is_cut = 1;
      context->header->dropped++;
      return false;
    }
  context->header->cpu_ns = cpu_ns () - context->cpu_at_start;
  /* In this order: see record.h. */
  chunk->used = 0;
  atomic_signal_fence (memory_order_release);
  chunk->ticks = context->last;
  chunk->number++;
  context->pause += upc_ticks_now () - start;
  return true;
}

void
end_file (gasp_context_t context, enum trace_state state)
{
  memcpy (context->header->clock, trace_run.header.clock, sizeof context->header->clock);
  context->header->end_ticks = upc_ticks_now ();
  context->header->cpu_ns = cpu_ns () - context->cpu_at_start;
  context->header->state = state;
  /* Another node may be the one that makes the reports. */
  if (has_other_processes ())
    msync (context->header, MAPPED_BYTES, MS_SYNC);
}
