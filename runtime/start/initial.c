/* The initial values of private data, as they are before anything of the program or of its
   libraries runs, which may change thread 0's.

   Large parts that are still as in the program's file are mapped from that file into each block,
   and appear when they are touched. Everything else is copied when a thread begins: small parts,
   and parts into which the loader has put addresses, most of which fix-ups write anyway. */

#include "runtime/start/block.h"

#include "runtime/arch/arch.h"

#include <sys/mman.h>

/* Measured in microseconds of a thread: 16 KiB are copied in 7, 64 KiB in 27, 1 MiB in 570;
   mapped in 4, with 3 more for the first page written; where all pages are written, mapping
   takes 1.3 to 2.8 times as long as copying. */
#define LARGE_BYTES (32l << 10)

/* A range has so many mapped pieces at most: each is a mapping of every thread's, of which a
   process has some ten thousands. */
#define MOST_RUNS 16

/* Part of a range. */
struct piece
{
  char *start, *end;
  bool is_mapped;    /* in whole pages: its values are in the program's file, */
  off_t offset;      /* here; else */
  const char *image; /* there */
};

/* Written before there are other threads. */
static struct
{
  struct piece *pieces;
  size_t count;
  struct upcr_program_file program; /* until the blocks are mapped */
} saved = { .program = { .file = -1, .page_map = -1 } };

RAW static size_t
bytes_of (const struct piece *piece)
{
  return piece->end - piece->start;
}

RAW static void
add_piece (char *start, char *end)
{
  saved.pieces[saved.count++] = (struct piece){ .start = start, .end = end };
}

RAW static void
add_mapped_piece (char *start, char *end)
{
  saved.pieces[saved.count++] = (struct piece){
    .start = start,
    .end = end,
    .is_mapped = true,
    .offset = upcr_program_offset (&saved.program, start),
  };
}

/* Divides a range where long runs of pages of the program's file begin and end. Beyond its ends there
   may be no memory: the kernel's pages may be smaller than PAGE_BYTES. */
RAW static void
divide (const struct upcr_range *range)
{
  long least = (range->end - range->start) / MOST_RUNS;
  char *end = page_after (range->end), *copied = range->start, *run, *stop;

  upcr_program_seek (&saved.program, range->start);
  for (run = page_of (copied); run < end; run = stop + PAGE_BYTES)
    {
      for (stop = run; stop < end && upcr_program_has (&saved.program, stop);)
        stop += PAGE_BYTES;
      if (stop - run < LARGE_BYTES || stop - run < least)
        continue;
      if (copied < run)
        add_piece (copied, run);
      add_mapped_piece (run, stop);
      copied = stop;
    }
  if (copied < range->end)
    add_piece (copied, range->end);
}

/* False where there is no memory for them. */
RAW static bool
find_pieces (void)
{
  const struct upcr_private_data *data = &upcr_private_data;
  bool has_program = false;

  saved.pieces = upcr_map_memory ((data->count + 1) * (2 * MOST_RUNS + 1) * sizeof *saved.pieces);
  if (!saved.pieces)
    return false;
  for (size_t i = 0; i < data->count; i++)
    {
      const struct upcr_range *range = &data->ranges[i];
      bool is_large = range->end - range->start >= LARGE_BYTES;

      if (range->is_zero)
        continue;
      has_program = has_program || (is_large && upcr_program_open (&saved.program));
      if (is_large && has_program)
        divide (range);
      else
        add_piece (range->start, range->end);
    }
  return true;
}

RAW bool
upcr_initial_save (void)
{
  size_t bytes = 0;
  char *image;

  if (!find_pieces ())
    return false;
  for (size_t i = 0; i < saved.count; i++)
    bytes += saved.pieces[i].is_mapped ? 0 : bytes_of (&saved.pieces[i]);
  image = bytes ? upcr_map_memory (bytes) : NULL;
  if (bytes && !image)
    return false;
  for (size_t i = 0; i < saved.count; i++)
    if (!saved.pieces[i].is_mapped)
      {
        saved.pieces[i].image = image;
        upcr_string_copy (image, saved.pieces[i].start, bytes_of (&saved.pieces[i]));
        image += bytes_of (&saved.pieces[i]);
      }
  return true;
}

bool
upcr_initial_map (long delta)
{
  for (size_t i = 0; i < saved.count; i++)
    {
      const struct piece *piece = &saved.pieces[i];

      if (piece->is_mapped
          && mmap (piece->start + delta, bytes_of (piece), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, saved.program.file, piece->offset)
                 == MAP_FAILED)
        return false;
    }
  return true;
}

void
upcr_initial_close (void)
{
  upcr_program_close (&saved.program);
}

RAW void
upcr_initial_copy (long delta)
{
  for (size_t i = 0; i < saved.count; i++)
    if (!saved.pieces[i].is_mapped)
      upcr_string_copy (saved.pieces[i].start + delta, saved.pieces[i].image,
                        bytes_of (&saved.pieces[i]));
}
