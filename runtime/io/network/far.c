/* Memory of other processes. A thread's part of a region is contiguous in its memory, whatever the blocks.
   So a stretch of the region takes one message for each thread. */

#include "runtime/io/memory.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>

/* What one thread has of a stretch. */
struct run
{
  char *memory;
  char *copy; /* MEMORY itself, where that is near */
  size_t at;  /* of its first byte in the region */
  size_t bytes;
};

bool
upcr_is_region_far (const struct upcr_region *region)
{
  return region->block_bytes ? !upcr_are_all_near () : upcr_is_far (region->base);
}

static size_t
lesser (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Of the stretch of LENGTH bytes from OFFSET on, what the thread has whose block is the Ith. */
static struct run
run_of (const struct upcr_region *region, size_t offset, size_t length, size_t i)
{
  size_t block_bytes = region->block_bytes, end = offset + length, rest;
  size_t first = offset / block_bytes + i, last = (end - 1) / block_bytes;
  size_t last_own = first + (last - first) / THREADS * THREADS;
  struct run run = { .at = i == 0 ? offset : first * block_bytes };

  run.memory = upcr_piece_at (region, run.at, &rest);
  run.bytes = (last_own - first) / THREADS * block_bytes
              + lesser (end, (last_own + 1) * block_bytes) - last_own * block_bytes
              - (run.at - first * block_bytes);
  return run;
}

static size_t
count_runs (const struct upcr_region *region, size_t offset, size_t length)
{
  size_t first = offset / region->block_bytes;
  size_t last = (offset + length - 1) / region->block_bytes;

  return lesser (last - first + 1, THREADS);
}

/* Between the run's copy and BUFFER, which has the region from OFFSET on. */
static void
copy_run (const struct upcr_region *region, const struct run *run, char *buffer, size_t offset,
          bool to_buffer)
{
  size_t block_bytes = region->block_bytes, at = run->at, bytes;

  for (size_t done = 0; done < run->bytes; done += bytes)
    {
      bytes = lesser (block_bytes - at % block_bytes, run->bytes - done);
      upcr_copy (to_buffer ? buffer + (at - offset) : run->copy + done,
                 to_buffer ? run->copy + done : buffer + (at - offset), bytes);
      at = (at / block_bytes + THREADS) * block_bytes;
    }
}

static void
fetch (struct run *run, upcr_net_open *open)
{
  upcr_net_get (upcr_process_at (run->memory, run->bytes), run->copy, run->memory, run->bytes,
                open);
}

static void
put (const struct run *run, upcr_net_open *open)
{
  upcr_net_put (upcr_process_at (run->memory, run->bytes), run->memory, run->copy, run->bytes,
                open);
}

/* The runs of all threads, whose copies are in MEMORY where they are far. */
static size_t
list_runs (const struct upcr_region *region, size_t offset, size_t length, struct run *runs,
           char *memory)
{
  size_t count = count_runs (region, offset, length);

  for (size_t i = 0; i < count; i++)
    {
      runs[i] = run_of (region, offset, length, i);
      runs[i].copy = upcr_is_near (runs[i].memory) ? runs[i].memory : memory;
      memory += runs[i].bytes;
    }
  return count;
}

static void
copy_runs (const struct upcr_region *region, size_t offset, char *buffer, size_t length,
           bool to_buffer)
{
  struct run *runs = malloc (count_runs (region, offset, length) * sizeof *runs);
  char *memory = malloc (length);
  upcr_net_open open = 0;
  size_t count;

  if (!runs || !memory)
    upcr_fatal ("no memory for file data of other processes");
  count = list_runs (region, offset, length, runs, memory);
  for (size_t i = 0; i < count && to_buffer; i++)
    if (upcr_is_far (runs[i].memory))
      fetch (&runs[i], &open);
  upcr_net_await (&open);
  for (size_t i = 0; i < count; i++)
    {
      copy_run (region, &runs[i], buffer, offset, to_buffer);
      if (!to_buffer && upcr_is_far (runs[i].memory))
        put (&runs[i], &open);
    }
  upcr_net_await (&open);
  free (memory);
  free (runs);
}

void
upcr_copy_far (const struct upcr_region *region, size_t offset, char *buffer, size_t length,
               bool to_buffer)
{
  struct run whole = { .memory = region->base + offset, .copy = buffer, .bytes = length };
  upcr_net_open open = 0;

  if (region->block_bytes)
    {
      copy_runs (region, offset, buffer, length, to_buffer);
      return;
    }
  if (to_buffer)
    fetch (&whole, &open);
  else
    put (&whole, &open);
  upcr_net_await (&open);
}
