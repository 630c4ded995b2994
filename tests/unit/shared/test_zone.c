/* The pages of the zones: where blocks of each kind get theirs, that no page is two blocks', that
   what is handed out is accessible, and that what comes back serves either kind. */

#include "runtime/host/host.h"
#include "runtime/shared/pages.h"
#include "runtime/shared/shared.h"
#include "runtime/shared/zone.h"
#include "tests/unit/child.h"

#include <string.h>
#include <sys/mman.h>

enum
{
  PAGE = UPCR_PAGE_BYTES,
  UNITS = 3
};

/* A segment of UNITS threads with HEAP bytes of heap behind the null page and nobody's page. */
static void
make_segment (size_t heap)
{
  THREADS = UNITS;
  upcr_program = "prog";
  upcr_segment_init (THREADS, heap);
}

static int
is_accessible (int thread, uint64_t offset)
{
  int ends[2], written;

  if (pipe (ends))
    return -1;
  written = write (ends[1], upcr_segment_address (thread, offset), 1) == 1;
  close (ends[0]);
  close (ends[1]);
  return written;
}

static void
take_symmetric (const void *unused)
{
  uint64_t first, second;

  (void) unused;
  make_segment (64 * PAGE);
  first = upcr_zone_take_symmetric (2 * PAGE, PAGE);
  second = upcr_zone_take_symmetric (PAGE, PAGE);
  printf ("%lu %lu", first / PAGE, second / PAGE);
  for (int t = 0; t < UNITS; t++)
    printf (" %d%d", is_accessible (t, first), is_accessible (t, second));
  printf (" %d%d%d", upcr_zone_is_open (0, first - 1), upcr_zone_is_open (0, first),
          upcr_zone_is_open (0, 66 * PAGE));
}

static void
test_symmetric_pages_are_low_everywhere (void **state)
{
  (void) state;
  expect_child (take_symmetric, NULL, 0, "2 4 11 11 11 010");
}

static void
take_local (const void *unused)
{
  uint64_t first, second, other;

  (void) unused;
  make_segment (64 * PAGE);
  first = upcr_zone_take_local (1, 2 * PAGE, PAGE);
  second = upcr_zone_take_local (1, PAGE, PAGE);
  other = upcr_zone_take_local (2, PAGE, PAGE);
  printf ("%lu %lu %lu", first / PAGE, second / PAGE, other / PAGE);
  for (int t = 0; t < UNITS; t++)
    printf (" %d%d", is_accessible (t, first), is_accessible (t, second));
  for (int t = 0; t < UNITS; t++)
    printf (" %d%d%d", upcr_zone_is_open (t, second), upcr_zone_is_open (t, 65 * PAGE),
            upcr_zone_is_open (t, 66 * PAGE));
}

static void
test_local_pages_are_high_in_one_partition (void **state)
{
  (void) state;
  expect_child (take_local, NULL, 0, "64 63 65 00 11 11 000 110 110");
}

/* One byte beside the first and the last page of a grant that begins where nothing is open yet, and of
   one that takes all. */
static void
look_beside (const void *unused)
{
  uint64_t offsets[3];

  (void) unused;
  make_segment (64 << 20);
  offsets[0] = upcr_zone_take_symmetric (16 << 20, PAGE);
  offsets[1] = upcr_zone_take_local (1, 16 << 20, PAGE);
  offsets[2] = upcr_zone_take_local (1, 32 << 20, PAGE);
  for (int i = 0; i < 3; i++)
    printf ("%d%d ", is_accessible (1, offsets[i] - 1),
            is_accessible (1, offsets[i] + ((i == 2 ? 32 : 16) << 20)));
  printf ("%d", is_accessible (0, offsets[0] + (16 << 20)));
}

static void
test_what_is_beside_blocks_is_accessible (void **state)
{
  (void) state;
  expect_child (look_beside, NULL, 0, "11 11 11 1");
}

static void
print_use (void)
{
  for (int t = 0; t <= UNITS; t++)
    {
      struct upcr_use use = upcr_zone_use (t);
      printf ("%lu/%lu ", use.bytes / PAGE, use.most / PAGE);
    }
}

static void
count_use (const void *unused)
{
  uint64_t both, mine;

  (void) unused;
  make_segment (64 * PAGE);
  both = upcr_zone_take_symmetric (4 * PAGE, PAGE);
  mine = upcr_zone_take_local (1, 8 * PAGE, PAGE);
  upcr_zone_give_symmetric (both, 4 * PAGE);
  print_use ();
  upcr_zone_give_local (1, mine + 2 * PAGE, 2 * PAGE);
  print_use ();
}

static void
test_use_is_counted (void **state)
{
  (void) state;
  expect_child (count_use, NULL, 0, "0/4 8/12 0/4 8/20 0/4 8/12 0/4 8/20 ");
}

/* Pages of one kind serve the other where they are free, between pages in use, too. */
static void
move (const void *unused)
{
  uint64_t low, pin, mine;

  (void) unused;
  make_segment (64 * PAGE);
  low = upcr_zone_take_symmetric (40 * PAGE, PAGE);
  pin = upcr_zone_take_symmetric (PAGE, PAGE);
  printf ("%d", upcr_zone_take_local (1, 40 * PAGE, PAGE) != 0);
  upcr_zone_give_symmetric (low, 40 * PAGE);
  mine = upcr_zone_take_local (1, 40 * PAGE, PAGE);
  printf ("%d %d", mine == low, is_accessible (1, mine));
  printf (" %d", upcr_zone_take_symmetric (24 * PAGE, PAGE) != 0);
  upcr_zone_give_local (1, mine, 40 * PAGE);
  printf ("%d", upcr_zone_take_symmetric (40 * PAGE, PAGE) == low);
  upcr_zone_give_symmetric (pin, PAGE);
  printf ("%d", upcr_zone_take_local (2, 24 * PAGE, PAGE) == pin);
}

static void
test_pages_move_from_kind_to_kind (void **state)
{
  (void) state;
  expect_child (move, NULL, 0, "01 1 011");
}

/* What comes back of a grant waits for the rest of it that follows. */
static void
pieces (const void *unused)
{
  uint64_t first;

  (void) unused;
  make_segment (64 * PAGE);
  first = upcr_zone_take_symmetric (64 * PAGE, PAGE);
  upcr_zone_give_symmetric (first + 60 * PAGE, 4 * PAGE);
  printf ("%d", upcr_zone_take_symmetric (4 * PAGE, PAGE) == first + 60 * PAGE);
  upcr_zone_give_symmetric (first, 20 * PAGE);
  printf ("%d", upcr_zone_take_symmetric (PAGE, PAGE) != 0);
  upcr_zone_give_symmetric (first + 40 * PAGE, 20 * PAGE);
  printf ("%d", upcr_zone_take_symmetric (21 * PAGE, PAGE) != 0);
  upcr_zone_give_symmetric (first + 20 * PAGE, 20 * PAGE);
  printf ("%d", upcr_zone_take_symmetric (60 * PAGE, PAGE) == first);
}

static void
test_pieces_wait_for_what_follows (void **state)
{
  (void) state;
  expect_child (pieces, NULL, 0, "1001");
}

static void
align (const void *unused)
{
  uint64_t up, down;

  (void) unused;
  make_segment (64 * PAGE);
  up = upcr_zone_take_symmetric (PAGE, 16 * PAGE);
  down = upcr_zone_take_local (0, PAGE, 16 * PAGE);
  printf ("%lu %lu", up / PAGE, down / PAGE);
}

static void
test_alignment (void **state)
{
  (void) state;
  expect_child (align, NULL, 0, "16 64");
}

/* 64 pages of heap; the two kinds meet, and neither goes past. */
static void
meet (const void *unused)
{
  (void) unused;
  make_segment (64 * PAGE);
  printf ("%d", upcr_zone_take_local (1, 65 * PAGE, PAGE) != 0);
  printf ("%d", upcr_zone_take_symmetric (65 * PAGE, PAGE) != 0);
  printf ("%d", upcr_zone_take_local (1, 1ul << 60, PAGE) != 0);
  printf ("%d", upcr_zone_take_symmetric (1ul << 60, PAGE) != 0);
  printf ("%d", upcr_zone_take_local (1, 40 * PAGE, PAGE) != 0);
  printf ("%d", upcr_zone_take_symmetric (25 * PAGE, PAGE) != 0);
  printf ("%d", upcr_zone_take_symmetric (24 * PAGE, PAGE) != 0);
  printf ("%d", upcr_zone_take_symmetric (PAGE, PAGE) != 0);
  printf ("%d", upcr_zone_take_local (1, PAGE, PAGE) != 0);
  printf ("%d", upcr_zone_take_local (2, 41 * PAGE, PAGE) != 0);
  printf ("%d", upcr_zone_take_local (2, 40 * PAGE, PAGE) != 0);
}

static void
test_zones_share_what_is_between (void **state)
{
  (void) state;
  expect_child (meet, NULL, 0, "00001010001");
}

/* May the pages at ADDRESS be of 2 MiB, as the system lists its mappings? */
static bool
asks_for_huge_pages (const char *address)
{
  FILE *maps = fopen ("/proc/self/smaps", "r");
  char line[4096];
  bool is_inside = false, asks = false;

  while (maps && fgets (line, sizeof line, maps))
    {
      uintptr_t from, to;

      if (sscanf (line, "%lx-%lx ", &from, &to) == 2)
        is_inside = from <= (uintptr_t) address && (uintptr_t) address < to;
      else if (is_inside && strncmp (line, "VmFlags:", 8) == 0)
        asks = strstr (line, " hg") != NULL;
    }
  if (maps)
    fclose (maps);
  return asks;
}

static void
take_much (const void *unused)
{
  uint64_t little, much, mine;

  (void) unused;
  make_segment (64 << 20);
  little = upcr_zone_take_symmetric (1 << 20, PAGE);
  much = upcr_zone_take_symmetric (16 << 20, PAGE);
  mine = upcr_zone_take_local (1, 16 << 20, PAGE);
  for (int t = 0; t < UNITS; t++)
    printf ("%d%d%d ", asks_for_huge_pages (upcr_segment_address (t, little)),
            asks_for_huge_pages (upcr_segment_address (t, much)),
            asks_for_huge_pages (upcr_segment_address (t, mine)));
}

/* Some kernels have no such pages, and qemu keeps the advice for itself. */
static bool
has_huge_pages (void)
{
  const size_t bytes = 16 << 20;
  char *some = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool asks;

  assert_true (some != MAP_FAILED);
  madvise (some, bytes, MADV_HUGEPAGE);
  asks = asks_for_huge_pages (some);
  assert_int_equal (munmap (some, bytes), 0);
  return asks;
}

static void
test_only_large_grants_ask_for_huge_pages (void **state)
{
  bool are_there = has_huge_pages ();

  (void) state;
  expect_child (take_much, NULL, 0, are_there ? "010 011 010 " : "000 000 000 ");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_symmetric_pages_are_low_everywhere),
    cmocka_unit_test (test_local_pages_are_high_in_one_partition),
    cmocka_unit_test (test_what_is_beside_blocks_is_accessible),
    cmocka_unit_test (test_use_is_counted),
    cmocka_unit_test (test_pages_move_from_kind_to_kind),
    cmocka_unit_test (test_pieces_wait_for_what_follows),
    cmocka_unit_test (test_alignment),
    cmocka_unit_test (test_zones_share_what_is_between),
    cmocka_unit_test (test_only_large_grants_ask_for_huge_pages),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
