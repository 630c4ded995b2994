/* The shared heap: what an allocation promises (UPC 1.3, 7.2.2), and what freeing
   the wrong thing says. */

#include "tests/unit/upc_threads.h"

#include <dirent.h>
#include <pthread.h>
#include <string.h>

enum
{
  BLOCKS = 200,
  ROUNDS = 50
};

static const size_t sizes[] = { 1,       7,       8,       9,       15,
                                16,      17,      24,      48,      64,
                                100,     128,     1000,    4095,    4096,
                                4097,    14336,   14337,   16384,   30000,
                                65536,   100000,  1 << 20, 2 << 20, (2 << 20) + 1,
                                5 << 20, 33 << 20 };
enum
{
  SIZES = sizeof sizes / sizeof sizes[0]
};

static void
fill (upcr_pts p, int value, size_t bytes)
{
  memset (upcr_pts_address (p), value, bytes);
}

static bool
is_filled (upcr_pts p, int value, size_t bytes)
{
  const char *s = upcr_pts_address (p);

  for (size_t i = 0; i < bytes; i++)
    if (s[i] != (char) value)
      return false;
  return true;
}

static bool
overlap (upcr_pts a, size_t a_bytes, upcr_pts b, size_t b_bytes)
{
  return upcr_pts_thread (a) == upcr_pts_thread (b)
         && upcr_pts_offset (a) < upcr_pts_offset (b) + b_bytes
         && upcr_pts_offset (b) < upcr_pts_offset (a) + a_bytes;
}

/* Of each size one block at the same time, whole and its own. */
static void
many_sizes (void)
{
  upcr_pts p[SIZES];

  for (int i = 0; i < SIZES; i++)
    {
      p[i] = upcr_local_alloc (sizes[i]);
      CHECK (!upcr_pts_is_null (p[i]));
      CHECK (upcr_pts_thread (p[i]) == (uint32_t) MYTHREAD && upcr_pts_phase (p[i]) == 0);
      CHECK (upcr_pts_offset (p[i]) % 16 == 0);
      fill (p[i], i, sizes[i]);
    }
  for (int i = 0; i < SIZES; i++)
    for (int j = 0; j < i; j++)
      CHECK (!overlap (p[i], sizes[i], p[j], sizes[j]));
  for (int i = 0; i < SIZES; i++)
    {
      CHECK (is_filled (p[i], i, sizes[i]));
      upcr_heap_free (p[i], "upc_free");
    }
}

static void
test_many_sizes (void **state)
{
  (void) state;
  expect_good (1, 0, many_sizes);
  expect_good (4, 0, many_sizes);
}

static void
alignments (void)
{
  for (size_t alignment = 16; alignment <= 4096; alignment *= 2)
    {
      upcr_pts p = upcr_local_alloc_aligned (64, alignment, "test");
      CHECK (!upcr_pts_is_null (p) && upcr_pts_offset (p) % alignment == 0);
    }
}

static void
test_alignment (void **state)
{
  (void) state;
  expect_good (2, 0, alignments);
}

static void
no_size (void)
{
  CHECK (upcr_pts_is_null (upcr_local_alloc (0)));
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (0, 8)));
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (8, 0)));
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (0, 0)));
  upcr_heap_free (upcr_pts_null (), "upc_free");
}

static void
test_no_size_is_null (void **state)
{
  (void) state;
  expect_good (2, 0, no_size);
}

static void
too_large (void)
{
  CHECK (upcr_pts_is_null (upcr_local_alloc (-1ul)));
  CHECK (upcr_pts_is_null (upcr_local_alloc (UPCR_PARTITION_BYTES)));
  CHECK (upcr_pts_is_null (upcr_local_alloc (UPCR_PARTITION_BYTES + 1)));
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (1, -1ul)));
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (-1ul, 1)));
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (-1ul, -1ul)));
  /* 2^32 * 2^33, and products that are small numbers modulo 2^64. */
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (1ul << 32, 1ul << 33)));
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (1ul << 33, 1ul << 33)));
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc ((1ul << 33) + 2, 1ul << 32)));
  CHECK (!upcr_pts_is_null (upcr_local_alloc (64)));
}

static void
test_too_large_is_null (void **state)
{
  (void) state;
  expect_good (2, 0, too_large);
}

/* A full heap is no end: what is freed can be had again. */
static void
exhaust (void)
{
  static upcr_pts p[4][1000];
  upcr_pts *mine = p[MYTHREAD];
  int n = 0;

  while (n < 1000 && !upcr_pts_is_null (mine[n] = upcr_local_alloc (64 << 10)))
    fill (mine[n], n, 64 << 10), n++;
  CHECK (n >= 32 && n < 1000);
  CHECK (upcr_pts_is_null (upcr_local_alloc (1 << 20)));
  for (int i = 0; i < n; i++)
    {
      CHECK (is_filled (mine[i], i, 64 << 10));
      upcr_heap_free (mine[i], "upc_free");
    }
  CHECK (!upcr_pts_is_null (upcr_local_alloc (64 << 10)));
}

static void
test_exhaustion (void **state)
{
  (void) state;
  expect_good (4, 4 << 20, exhaust);
}

static void
exhaust_symmetric (void)
{
  int n = 0;

  if (MYTHREAD == 0)
    {
      while (n < 1000 && !upcr_pts_is_null (upcr_symmetric_alloc (THREADS, 64 << 10)))
        n++;
      CHECK (n >= 32 && n < 1000);
      /* Small ones may still fit. */
      upcr_symmetric_alloc (THREADS, 64);
    }
  barrier ();
  CHECK (upcr_pts_is_null (upcr_symmetric_alloc (THREADS, 1 << 20)));
  CHECK (upcr_pts_is_null (upcr_local_alloc (4 << 20)));
}

static void
test_symmetric_exhaustion (void **state)
{
  (void) state;
  expect_good (3, 4 << 20, exhaust_symmetric);
}

/* The least heap that a run may ask for still gives something, or null. */
static void
tiny (void)
{
  int n = 0;

  while (n < 100000 && !upcr_pts_is_null (upcr_local_alloc (16)))
    n++;
  CHECK (n < 100000);
}

static void
test_tiny_heap (void **state)
{
  (void) state;
  expect_good (2, 1, tiny);
  expect_good (2, 100 << 10, tiny);
}

/* Full of small blocks, and all of them freed: there is room for a large one again. */
static void
small_then_large (void)
{
  for (size_t bytes = 16; bytes <= 4096; bytes *= 2)
    {
      static upcr_pts p[1 << 17];
      int n = 0;

      while (n < 1 << 17 && !upcr_pts_is_null (p[n] = upcr_local_alloc (bytes)))
        n++;
      CHECK (n > 100);
      for (int i = 0; i < n; i++)
        upcr_heap_free (p[i], "upc_free");
      upcr_pts large = upcr_local_alloc (1200 << 10);
      CHECK (!upcr_pts_is_null (large));
      upcr_heap_free (large, "upc_free");
    }
}

static void
test_small_blocks_make_room (void **state)
{
  (void) state;
  expect_good (1, 2 << 20, small_then_large);
}

/* A magazine's blocks are of the size asked for, and each is given out once. */
static void
small_sizes (void)
{
  enum
  {
    EACH = 300
  };
  static upcr_pts p[EACH];

  for (int round = 0; round < 3; round++)
    for (size_t bytes = 1; bytes <= 600; bytes += 7)
      {
        for (int i = 0; i < EACH; i++)
          {
            p[i] = upcr_local_alloc (bytes);
            CHECK (!upcr_pts_is_null (p[i]));
            fill (p[i], i, bytes);
          }
        for (int i = 0; i < EACH; i++)
          {
            CHECK (is_filled (p[i], i, bytes));
            upcr_heap_free (p[i], "upc_free");
          }
      }
}

static void
test_small_sizes (void **state)
{
  (void) state;
  expect_good (1, 0, small_sizes);
}

static void *
allocate_and_free (void *unused)
{
  upcr_pts p = upcr_local_alloc (64), q = upcr_symmetric_alloc (1, 64);

  (void) unused;
  CHECK (!upcr_pts_is_null (p) && !upcr_pts_is_null (q));
  upcr_heap_free (p, "upc_free");
  upcr_heap_free (q, "upc_free");
  return NULL;
}

/* More threads of the program's own than jemalloc has caches for: each gives its own back. */
static void
many_threads (void)
{
  for (int i = 0; i < 5000; i++)
    {
      pthread_t thread;

      CHECK (pthread_create (&thread, NULL, allocate_and_free, NULL) == 0);
      CHECK (pthread_join (thread, NULL) == 0);
    }
}

static void
test_threads_give_back_their_caches (void **state)
{
  (void) state;
  expect_good (1, 0, many_threads);
}

/* A loop that frees what it allocates stays in place. */
static void
reuse (void)
{
  for (int i = 0; i < 10000; i++)
    {
      upcr_pts p = upcr_local_alloc (256 << 10), q = upcr_symmetric_alloc (THREADS, 128 << 10);
      CHECK (!upcr_pts_is_null (p) && !upcr_pts_is_null (q));
      upcr_heap_free (p, "upc_free");
      upcr_heap_free (q, "upc_free");
    }
}

static void
test_reuse (void **state)
{
  (void) state;
  expect_good (4, 8 << 20, reuse);
}

/* What blocks of one kind had serves the other, though a block behind it lives. */
static void
change_kind (void)
{
  static upcr_pts behind;

  for (int round = 0; round < 3; round++)
    {
      if (MYTHREAD == 0)
        {
          upcr_pts p = upcr_symmetric_alloc (THREADS, 6 << 20);

          CHECK (!upcr_pts_is_null (p));
          if (round == 0)
            behind = upcr_symmetric_alloc (THREADS, 64 << 10);
          CHECK (upcr_pts_is_null (upcr_local_alloc (6 << 20)));
          upcr_heap_free (p, "upc_free");
        }
      barrier ();
      upcr_pts q = upcr_local_alloc (6 << 20);
      CHECK (!upcr_pts_is_null (q));
      fill (q, MYTHREAD, 6 << 20);
      barrier ();
      CHECK (is_filled (q, MYTHREAD, 6 << 20));
      upcr_heap_free (q, "upc_free");
      barrier ();
    }
  CHECK (!upcr_pts_is_null (behind));
}

static void
test_kinds_share_the_heap (void **state)
{
  (void) state;
  expect_good (3, 8 << 20, change_kind);
}

/* Each thread frees its neighbour's blocks; what it then gets is its own again. */
static void
free_remotely (void)
{
  static upcr_pts p[4][BLOCKS];
  upcr_pts *mine = p[MYTHREAD], *others = p[(MYTHREAD + 1) % THREADS];

  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < BLOCKS; i++)
        {
          mine[i] = upcr_local_alloc (sizes[i % 16]);
          CHECK (upcr_pts_thread (mine[i]) == (uint32_t) MYTHREAD);
        }
      barrier ();
      for (int i = 0; i < BLOCKS; i++)
        upcr_heap_free (others[i], "upc_free");
      barrier ();
    }
}

static void
test_remote_free_keeps_affinity (void **state)
{
  (void) state;
  expect_good (4, 64 << 20, free_remotely);
}

/* The threads of this process that the kernel knows. */
static int
live_threads (void)
{
  DIR *tasks = opendir ("/proc/self/task");
  int count = -2; /* . and .. */

  CHECK (tasks != NULL);
  while (readdir (tasks))
    count++;
  closedir (tasks);
  return count;
}

/* A block outlives its thread: what frees it then may have to give back pages of
   an arena whose thread is gone. Thread 0 joins thread 1 while thread 2 runs. */
static void
free_of_the_dead (void)
{
  static upcr_pts left[BLOCKS];
  /* With what a sanitizer, or qemu, has beside them. */
  int all = live_threads ();

  if (MYTHREAD == 1)
    for (int i = 0; i < BLOCKS; i++)
      {
        left[i] = upcr_local_alloc (256 << 10);
        fill (left[i], 1, 256 << 10);
      }
  barrier ();
  if (MYTHREAD != 2)
    return;
  while (live_threads () >= all)
    usleep (1000);
  usleep (10000);
  for (int i = 0; i < BLOCKS; i++)
    {
      upcr_heap_free (left[i], "upc_free");
      usleep (100);
    }
}

static void
test_free_after_the_thread_is_gone (void **state)
{
  (void) state;
  expect_good (3, 0, free_of_the_dead);
}

/* The same offset is a piece of the block in every partition. */
static void
symmetric (void)
{
  static upcr_pts p;
  size_t rounds = (3 * THREADS + 1 + THREADS - 1) / THREADS;

  if (MYTHREAD == 0)
    p = upcr_symmetric_alloc (3 * THREADS + 1, 1000);
  barrier ();
  CHECK (!upcr_pts_is_null (p) && upcr_pts_thread (p) == 0 && upcr_pts_phase (p) == 0);
  upcr_pts mine = upcr_pts_make (MYTHREAD, upcr_pts_offset (p), 0);
  fill (mine, MYTHREAD + 1, rounds * 1000);
  upcr_pts own = upcr_local_alloc (5000);
  fill (own, 99, 5000);
  barrier ();
  for (int t = 0; t < THREADS; t++)
    CHECK (is_filled (upcr_pts_make (t, upcr_pts_offset (p), 0), t + 1, rounds * 1000));
  barrier ();
  if (MYTHREAD == THREADS - 1)
    upcr_heap_free (p, "upc_free");
}

static void
test_symmetric_blocks (void **state)
{
  (void) state;
  expect_good (1, 0, symmetric);
  expect_good (5, 0, symmetric);
}

static void
free_twice (void)
{
  upcr_pts p = upcr_local_alloc (100);

  upcr_heap_free (p, "upc_free");
  upcr_heap_free (p, "upc_free");
}

/* One line that begins so: where the block is differs. */
static void
expect_message (upc_body *body, const char *begin)
{
  struct child child = run_child (run_upc_threads, &(struct upc_run){ 1, 0, body });

  assert_int_equal (child.status, 1);
  assert_int_equal (strncmp (child.text, begin, strlen (begin)), 0);
  assert_ptr_equal (strchr (child.text, '\n'), child.text + strlen (child.text) - 1);
}

static void
free_symmetric_twice (void)
{
  upcr_pts p = upcr_symmetric_alloc (1, 100);

  upcr_heap_free (p, "upc_all_free");
  upcr_heap_free (p, "upc_all_free");
}

/* Large blocks too, whose pages may be given back to the system at once. */
static void
free_large_twice (void)
{
  upcr_pts p = upcr_local_alloc (8 << 20);

  fill (p, 1, 8 << 20);
  upcr_heap_free (p, "upc_free");
  upcr_heap_free (p, "upc_free");
}

static void
test_double_free (void **state)
{
  (void) state;
  expect_message (free_twice,
                  "prog: error: thread 0: upc_free: block already freed: thread 0, offset 0x");
  expect_message (free_symmetric_twice,
                  "prog: error: thread 0: upc_all_free: block already freed: thread 0, offset 0x");
  expect_message (free_large_twice,
                  "prog: error: thread 0: upc_free: block already freed: thread 0, offset 0x");
}

static void
free_at (upcr_pts p, ptrdiff_t distance, uint32_t phase)
{
  upcr_heap_free (upcr_pts_make (upcr_pts_thread (p), upcr_pts_offset (p) + distance, phase),
                  "upc_free");
}

static void
free_8_inside (void)
{
  free_at (upcr_local_alloc (100), 8, 0);
}
static void
free_16_inside (void)
{
  free_at (upcr_local_alloc (100), 16, 0);
}
static void
free_page_inside (void)
{
  free_at (upcr_local_alloc (100000), 4096, 0);
}
static void
free_symmetric_inside (void)
{
  free_at (upcr_symmetric_alloc (4, 1 << 20), 1 << 20, 0);
}
static void
free_with_phase (void)
{
  free_at (upcr_symmetric_alloc (4, 100), 0, 1);
}
static void
free_static (void)
{
  upcr_heap_free (upcr_pts_make (0, 4100, 0), "upc_free");
}
static void
free_wild (void)
{
  upcr_heap_free (upcr_pts_make (0, UPCR_PARTITION_BYTES - 16, 0), "upc_free");
}
static void
free_foreign (void)
{
  upcr_heap_free (upcr_pts_make (1000, 4096, 0), "upc_free");
}

static void
test_free_of_what_is_no_block (void **state)
{
#define WRONG "prog: error: thread 0: upc_free: "
#define NO_START WRONG "not the start of a block in the shared heap: "
  static const struct
  {
    upc_body *body;
    const char *message;
  } mistakes[] = {
    { free_8_inside, NO_START "byte 8 of a block of up to 112 bytes with affinity to thread 0" },
    { free_16_inside, NO_START "byte 16 of a block of up to 112 bytes with affinity to thread 0" },
    { free_page_inside, NO_START "byte 4096 of a block of up to " },
    { free_symmetric_inside, NO_START "byte 1048576 of thread 0's piece of a block of up to " },
    { free_with_phase, WRONG "phase 1 is not that of the start of a block: byte 0 of thread 0's " },
    { free_static, NO_START "thread 0, offset 0x1004\n" },
    { free_wild, NO_START },
    { free_foreign, NO_START "thread 1000, offset 0x1000\n" },
  };

  (void) state;
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
    expect_message (mistakes[i].body, mistakes[i].message);
}

/* What a block holds is its own until it is given out again: a freed lock says so. */
static void
keep_contents (void)
{
  upcr_pts p = upcr_local_alloc (64);

  fill (p, 0x5a, 64);
  upcr_heap_free (p, "upc_free");
  CHECK (is_filled (p, 0x5a, 64));
}

static void
test_free_leaves_the_contents (void **state)
{
  (void) state;
  expect_good (1, 0, keep_contents);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_many_sizes),
    cmocka_unit_test (test_alignment),
    cmocka_unit_test (test_no_size_is_null),
    cmocka_unit_test (test_too_large_is_null),
    cmocka_unit_test (test_exhaustion),
    cmocka_unit_test (test_symmetric_exhaustion),
    cmocka_unit_test (test_tiny_heap),
    cmocka_unit_test (test_small_blocks_make_room),
    cmocka_unit_test (test_small_sizes),
    cmocka_unit_test (test_threads_give_back_their_caches),
    cmocka_unit_test (test_reuse),
    cmocka_unit_test (test_kinds_share_the_heap),
    cmocka_unit_test (test_remote_free_keeps_affinity),
    cmocka_unit_test (test_free_after_the_thread_is_gone),
    cmocka_unit_test (test_symmetric_blocks),
    cmocka_unit_test (test_double_free),
    cmocka_unit_test (test_free_of_what_is_no_block),
    cmocka_unit_test (test_free_leaves_the_contents),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
