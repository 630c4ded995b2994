/* The reservation: its places, its limits, and what its addresses are called. */

#include "runtime/arch/arch.h"
#include "runtime/host/host.h"
#include "runtime/shared/pages.h"
#include "runtime/shared/shared.h"
#include "tests/unit/child.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

struct run
{
  int threads;
  size_t heap_bytes;
  size_t address_space; /* limit in bytes above what is in use; 0: none */
};

/* qemu says 39 bits, keeps a record of each page that is reserved, and takes no limits. */
static void
need_addresses (void)
{
  if (upcr_address_end () < UPCR_SEGMENT_BASE + UPCR_MAX_THREADS * UPCR_PARTITION_BYTES)
    skip ();
}

/* The pages that no block has: the null page, and nobody's. */
static const unsigned long KEPT_BYTES = 2 * UPCR_PAGE_BYTES;

static size_t
address_space_in_use (void)
{
  unsigned long pages = 0;
  FILE *f = fopen ("/proc/self/statm", "r");

  if (!f || fscanf (f, "%lu", &pages) != 1)
    abort ();
  fclose (f);
  return pages * 4096;
}

static void
init_segment (const struct run *run)
{
  struct rlimit limit;

  upcr_program = "prog";
  THREADS = run->threads;
  if (run->address_space)
    {
      getrlimit (RLIMIT_AS, &limit);
      limit.rlim_cur = address_space_in_use () + run->address_space;
      setrlimit (RLIMIT_AS, &limit);
    }
  upcr_segment_init (THREADS, run->heap_bytes);
}

/* What the thread has of heap, found out by filling it: in MiB. */
static size_t
heap_mib (void)
{
  size_t mib = 0;

  while (!upcr_pts_is_null (upcr_local_alloc (1ul << 20)))
    mib++;
  return mib;
}

static void
count_heap (const void *run)
{
  init_segment (run);
  printf ("%s", heap_mib () >= 30 ? "much" : "little");
}

static void
test_limit_of_the_heap (void **state)
{
  (void) state;
  expect_child (count_heap, &(struct run){ 2, 8ul << 20, 0 }, 0, "little");
  expect_child (count_heap, &(struct run){ 2, 64ul << 20, 0 }, 0, "much");
}

static void
just_init (const void *run)
{
  init_segment (run);
  printf ("%d threads", THREADS);
}

static void
test_many_threads (void **state)
{
  (void) state;
  need_addresses ();
  expect_child (just_init, &(struct run){ 1024, 0, 0 }, 0, "1024 threads");
  expect_child (just_init, &(struct run){ 1024, UPCR_PARTITION_BYTES / 2, 0 }, 0, "1024 threads");
}

static void
test_heap_larger_than_a_partition (void **state)
{
  char text[256];

  (void) state;
  need_addresses ();
  snprintf (text, sizeof text,
            "prog: error: a shared heap of %lu bytes per thread does not fit into a "
            "partition of %lu bytes, of which static shared data takes %lu\n",
            UPCR_PARTITION_BYTES, UPCR_PARTITION_BYTES, KEPT_BYTES);
  expect_child (just_init, &(struct run){ 2, UPCR_PARTITION_BYTES, 0 }, 2, text);
  snprintf (text, sizeof text,
            "prog: error: a shared heap of %lu bytes per thread does not fit into a "
            "partition of %lu bytes, of which static shared data takes %lu\n",
            -1ul, UPCR_PARTITION_BYTES, KEPT_BYTES);
  expect_child (just_init, &(struct run){ 2, -1ul, 0 }, 2, text);
  expect_child (just_init, &(struct run){ 2, UPCR_PARTITION_BYTES - KEPT_BYTES, 0 }, 0,
                "2 threads");
}

/* Under a sanitizer every allocation counts on address space of its own. */
#if !defined UPCR_TSAN && !defined UPCR_ASAN

static void
test_small_address_space (void **state)
{
  (void) state;
  need_addresses ();
  expect_child (count_heap, &(struct run){ 4, 0, 1ul << 30 }, 0, "much");
  expect_child (just_init, &(struct run){ 4, 16ul << 20, 1ul << 30 }, 0, "4 threads");
}

static void
test_no_address_space_left (void **state)
{
  char text[256];

  (void) state;
  need_addresses ();
  expect_child (just_init, &(struct run){ 1024, 0, 16ul << 20 }, 2,
                "prog: error: cannot reserve 512 KiB of address space for each of 1024 threads: "
                "Cannot allocate memory\n");
  snprintf (text, sizeof text,
            "prog: error: cannot reserve %lu KiB of address space for each of 4 threads: "
            "Cannot allocate memory\n",
            ((1ul << 30) + KEPT_BYTES) / 1024);
  expect_child (just_init, &(struct run){ 4, 1ul << 30, 1ul << 30 }, 2, text);
}

#endif

static void
init_where_something_is (const void *run)
{
  if (mmap (upcr_segment_address (1, 1ul << 20), 4096, PROT_NONE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
      == MAP_FAILED)
    abort ();
  just_init (run);
}

static void
test_place_is_taken (void **state)
{
  struct child child = run_child (init_where_something_is, &(struct run){ 2, 0, 0 });

  (void) state;
  need_addresses ();
  assert_int_equal (child.status, 2);
  assert_non_null (strstr (child.text, "of address space for each of 2 threads: File exists\n"));
}

static void
describe (uint32_t thread, uint64_t offset, const char *wanted)
{
  char text[128] = "nothing";

  upcr_segment_describe (upcr_segment_address (thread, offset), text, sizeof text);
  assert_string_equal (text, wanted);
}

static void
describe_outside (uint64_t offset)
{
  char wanted[128];

  snprintf (wanted, sizeof wanted, "access outside of the shared data: thread 0, offset %#lx",
            offset);
  describe (0, offset, wanted);
}

static void
test_descriptions (void **state)
{
  /* What a null pointer leads to is as many bytes, from its own offset on. */
  const uint64_t null_end = UPCR_NULL_BYTES - 64;
  int number;
  char text[128];

  (void) state;
  THREADS = 4;
  describe (0, 0, "access through a null pointer-to-shared");
  describe (0, null_end - 1, "access through a null pointer-to-shared");
  describe_outside (null_end);
  describe_outside (UPCR_NULL_BYTES);
  describe (3, 0x123456, "access outside of the shared data: thread 3, offset 0x123456");
  describe (4, 0, "access through a pointer-to-shared with affinity to thread 4 of 4");
  describe (1023, 8, "access through a pointer-to-shared with affinity to thread 1023 of 4");
  describe (1024, 0, "nothing");
  assert_false (upcr_segment_describe (&number, text, sizeof text));
  assert_false (upcr_segment_describe (NULL, text, sizeof text));
  assert_true (upcr_segment_describe ((char *) UPCR_SEGMENT_BASE - 1, text, sizeof text));
  assert_string_equal (text, "access before all shared data; an index below 0 leads there");
  assert_false (upcr_segment_describe (
      (char *) UPCR_SEGMENT_BASE - (UPCR_MAX_THREADS + 1) * UPCR_STRIDE, text, sizeof text));
  THREADS = 1;
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_limit_of_the_heap),
    cmocka_unit_test (test_many_threads),
    cmocka_unit_test (test_heap_larger_than_a_partition),
#if !defined UPCR_TSAN && !defined UPCR_ASAN
    cmocka_unit_test (test_small_address_space),
    cmocka_unit_test (test_no_address_space_left),
#endif
    cmocka_unit_test (test_place_is_taken),
    cmocka_unit_test (test_descriptions),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
