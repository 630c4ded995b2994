/* Transfers between regions of memory and of a file: pieces of all lengths, the end of the file,
   devices that refuse. */

#include "runtime/io/transfer.h"
#include "tests/unit/upc_threads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* More than is gathered at a time, and pieces longer than those that are. */
enum
{
  BYTES = 600000,
  LONG_PIECE = 40000,
  MOST_REGIONS = 8
};

static int
open_file (void)
{
  char name[] = "/tmp/upct-transfer-XXXXXX";
  int descriptor = mkstemp (name);

  CHECK (descriptor >= 0 && unlink (name) == 0);
  return descriptor;
}

static unsigned char
byte_at (size_t at)
{
  return at * 31 + at / 257;
}

/* Moves as many bytes as the regions have between them and two extents of the file, the second of
   which begins GAP bytes behind the first. */
static struct upcr_transfer
transfer (int descriptor, bool is_write, const struct upcr_region *regions, size_t bytes, long gap)
{
  struct upcr_filevec extents[] = { { 0, bytes / 3 }, { bytes / 3 + gap, bytes - bytes / 3 } };
  struct upcr_transfer all = { .descriptor = descriptor,
                               .is_write = is_write,
                               .memory = { regions, 0 },
                               .extents = extents,
                               .extent_count = 2 };

  upcr_transfer_run (&all);
  return all;
}

static size_t
make_pieces (struct upcr_region regions[MOST_REGIONS], char *memory, size_t room)
{
  static const size_t lengths[MOST_REGIONS] = { 1, 0, 15, LONG_PIECE, 3, 16 << 10, 0, BYTES / 2 };
  size_t bytes = 0;

  for (int i = 0; i < MOST_REGIONS; i++)
    {
      regions[i] = (struct upcr_region){ .base = memory + bytes, .length = lengths[i] };
      bytes += lengths[i];
    }
  CHECK (bytes <= room);
  return bytes;
}

static void
move_pieces (void)
{
  static char from[BYTES], to[BYTES];
  struct upcr_region regions[MOST_REGIONS];
  size_t bytes = make_pieces (regions, from, sizeof from);
  int descriptor = open_file ();
  struct upcr_transfer done;

  for (size_t i = 0; i < bytes; i++)
    from[i] = byte_at (i);
  done = transfer (descriptor, true, regions, bytes, 100);
  CHECK (done.done == (long) bytes && done.error == 0);
  CHECK (lseek (descriptor, 0, SEEK_END) == (long) bytes + 100);
  make_pieces (regions, to, sizeof to);
  done = transfer (descriptor, false, regions, bytes, 100);
  CHECK (done.done == (long) bytes && done.error == 0 && memcmp (from, to, bytes) == 0);
  close (descriptor);
}

static void
test_pieces (void **state)
{
  (void) state;
  expect_good (1, 0, move_pieces);
}

/* Byte AT of a region that begins on thread START, as its definition says. */
static unsigned char *
byte_of (upcr_pts first, size_t block, size_t at)
{
  size_t thread = upcr_pts_thread (first) + at / block;
  uint64_t offset = upcr_pts_offset (first) + thread / THREADS * block + at % block;

  return (unsigned char *) upcr_segment_address (thread % THREADS, offset);
}

static void
move_blocks (void)
{
  static const size_t blocks[] = { 1, 8, 1000, 16 << 10, LONG_PIECE };
  upcr_pts array;
  int descriptor;

  if (MYTHREAD != 0)
    return;
  array = upcr_symmetric_alloc (2 * THREADS, BYTES);
  descriptor = open_file ();
  for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
    for (int start = 0; start < THREADS; start++)
      {
        upcr_pts first = upcr_pts_make (start, upcr_pts_offset (array), 0);
        struct upcr_region region = upcr_region_of (first, blocks[b], BYTES);

        for (size_t i = 0; i < BYTES; i++)
          *byte_of (first, blocks[b], i) = byte_at (i + b);
        CHECK (transfer (descriptor, true, &region, BYTES, 0).done == BYTES);
        for (int t = 0; t < THREADS; t++)
          memset (upcr_segment_address (t, upcr_pts_offset (array)), 0, 2 * BYTES);
        CHECK (transfer (descriptor, false, &region, BYTES, 0).done == BYTES);
        for (size_t i = 0; i < BYTES; i++)
          CHECK (*byte_of (first, blocks[b], i) == byte_at (i + b));
      }
  close (descriptor);
}

static void
test_blocks (void **state)
{
  (void) state;
  expect_good (1, 0, move_blocks);
  expect_good (3, 0, move_blocks);
}

/* Reads say how much there was, wherever the end is; what lies behind is not touched. */
static void
read_to_the_end (void)
{
  static const long sizes[] = { 0, 1, 15, 16, 20000, 300000 };
  static char memory[BYTES];
  struct upcr_region regions[MOST_REGIONS];
  size_t bytes = make_pieces (regions, memory, sizeof memory);
  int descriptor = open_file ();

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      struct upcr_transfer done;

      CHECK (ftruncate (descriptor, sizes[i]) == 0);
      memset (memory, 'x', sizeof memory);
      done = transfer (descriptor, false, regions, bytes, 0);
      CHECK (done.done == sizes[i] && done.error == 0);
      CHECK (memory[sizes[i]] == 'x' && (sizes[i] == 0 || memory[sizes[i] - 1] == 0));
    }
  close (descriptor);
}

static void
test_end_of_file (void **state)
{
  (void) state;
  expect_good (1, 0, read_to_the_end);
}

static void
refuse (void)
{
  char memory[4] = "abc";
  struct upcr_region region = { .base = memory, .length = sizeof memory };
  int full = open ("/dev/full", O_WRONLY), null = open ("/dev/null", O_RDONLY);
  struct upcr_transfer failed = { .descriptor = full, .is_write = true, .error = EINVAL };

  CHECK (transfer (full, true, &region, sizeof memory, 0).error == ENOSPC);
  CHECK (transfer (null, true, &region, sizeof memory, 0).error == EBADF);
  CHECK (transfer (-1, false, &region, sizeof memory, 0).error == EBADF);
  upcr_transfer_run (&failed);
  CHECK (failed.error == EINVAL && failed.done == 0);
}

static void
test_refusals (void **state)
{
  (void) state;
  expect_good (1, 0, refuse);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_pieces),
    cmocka_unit_test (test_blocks),
    cmocka_unit_test (test_end_of_file),
    cmocka_unit_test (test_refusals),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
