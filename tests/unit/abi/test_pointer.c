/* upc_affinitysize against a model, and the page cache of inlined access code.
   Compiled once for each representation of a pointer-to-shared. */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/start/start.h"
#include "tests/unit/child.h"

#include <pthread.h>

size_t upc_affinitysize (size_t total, size_t block, size_t thread);
size_t upc_affinitysizeg (size_t total, size_t block, size_t thread, const char *file, int line);

/* Deals out the bytes of an object one by one, as the declaration says. */
static size_t
model (size_t total, size_t block, size_t thread)
{
  size_t mine = 0;

  for (size_t i = 0; i < total; i++)
    if ((block ? i / block % THREADS : 0) == thread)
      mine++;
  return mine;
}

static void
check_sizes (size_t total, size_t block)
{
  for (int t = 0; t < THREADS; t++)
    {
      assert_int_equal (upc_affinitysize (total, block, t), model (total, block, t));
      assert_int_equal (upc_affinitysizeg (total, block, t, "a.upc", 1), model (total, block, t));
    }
}

static void
test_affinity_size (void **state)
{
  (void) state;
  for (THREADS = 1; THREADS <= 7; THREADS++)
    for (size_t total = 0; total <= 60; total++)
      for (size_t block = 0; block <= 20; block++)
        check_sizes (total, block);
  THREADS = 1;
}

static void
test_affinity_size_of_large_objects (void **state)
{
  (void) state;
  THREADS = 1024;
  assert_int_equal (upc_affinitysize (1ul << 44, 1ul << 20, 1023), 1ul << 34);
  assert_int_equal (upc_affinitysize ((1ul << 44) + 5, 1ul << 20, 0), (1ul << 34) + 5);
  assert_int_equal (upc_affinitysize (1ul << 34, 0, 0), 1ul << 34);
  assert_int_equal (upc_affinitysize (1ul << 34, 0, 1), 0);
  THREADS = 1;
}

typedef void *address;
UPCR_PRIVATE unsigned long __upc_page1_ref, __upc_page2_ref;
UPCR_PRIVATE address __upc_page1_base, __upc_page2_base;
void *__upc_vm_map_addr (upcr_pts p);

enum
{
  PAGE_BITS = 25
};
#define PAGE (1ul << PAGE_BITS)

static int calls;

/* What compilers inline for an access. */
static void *
inlined_address (upcr_pts p)
{
  uint64_t offset = upcr_pts_offset (p);
  unsigned long tag = offset >> PAGE_BITS << 10 | upcr_pts_thread (p);

  if (tag == __upc_page1_ref)
    return (char *) __upc_page1_base + (offset & (PAGE - 1));
  if (tag == __upc_page2_ref)
    return (char *) __upc_page2_base + (offset & (PAGE - 1));
  calls++;
  return __upc_vm_map_addr (p);
}

static void
look_up (uint32_t thread, uint64_t offset, int wanted_calls)
{
  calls = 0;
  assert_ptr_equal (inlined_address (upcr_pts_make (thread, offset, 0)),
                    upcr_segment_address (thread, offset));
  assert_int_equal (calls, wanted_calls);
}

/* Not through assertions: they leave a test by longjmp, which ends in its thread. */
static void *
is_fresh (void *thread)
{
  if (thread)
    upcr_block_begin (1);
  return __upc_page1_ref == -1ul && __upc_page2_ref == -1ul ? &calls : NULL;
}

static void
test_page_cache_of_a_thread (void **state)
{
  pthread_t thread;
  void *fresh;

  (void) state;
  assert_non_null (is_fresh (NULL));
  look_up (0, 4096, 1);
  look_up (0, 8192, 0);
  upcr_blocks_map (2);
  assert_int_equal (pthread_create (&thread, NULL, is_fresh, &calls), 0);
  pthread_join (thread, &fresh);
  assert_non_null (fresh);
}

/* They might see a page's tag with another one's address. */
static void
test_page_cache_stays_where_threads_share_it (void **state)
{
  (void) state;
  look_up (0, 4096, 0);
  upcr_has_threads = true;
  look_up (3, 4096, 1);
  look_up (3, 4096, 1);
  look_up (0, 8192, 0);
  upcr_has_threads = false;
  look_up (3, 4096, 1);
  look_up (3, 4096, 0);
}

/* The last two pages are known; a third one takes the place of the older. */
static void
test_page_cache_keeps_two (void **state)
{
  (void) state;
  look_up (1, 5 * PAGE - 8, 1);
  look_up (1, 5 * PAGE, 1);
  look_up (1, 5 * PAGE - 4, 0);
  look_up (1, 5 * PAGE + 4, 0);
  look_up (2, 5 * PAGE, 1);
  look_up (1, 5 * PAGE + 8, 0);
  look_up (1, 4 * PAGE, 1);
  look_up (2, 6 * PAGE - 1, 0);
  look_up (1, 5 * PAGE + 8, 1);
  look_up (1023, (1ul << 34) - 1, 1);
  look_up (1, 6 * PAGE - 1, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_affinity_size),
    cmocka_unit_test (test_affinity_size_of_large_objects),
    cmocka_unit_test (test_page_cache_of_a_thread),
    cmocka_unit_test (test_page_cache_stays_where_threads_share_it),
    cmocka_unit_test (test_page_cache_keeps_two),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
