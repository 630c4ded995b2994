/* The parts of a pointer-to-shared, in both representations: this file is compiled
   once for each. */

#include "runtime/shared/pts.h"
#include "runtime/shared/shared.h"
#include "tests/unit/child.h"

#define MAX_OFFSET ((1ul << UPCR_OFFSET_BITS) - 1)
#define MAX_THREAD ((1u << UPCR_THREAD_BITS) - 1)
#define MAX_PHASE ((1u << UPCR_PHASE_BITS) - 1)

upcr_pts upc_resetphase (upcr_pts p);
size_t upc_threadof (upcr_pts p);
size_t upc_phaseof (upcr_pts p);
size_t upc_addrfield (upcr_pts p);
void *__getaddr (upcr_pts p);
void *__cvtaddr (upcr_pts p);

static const uint64_t offsets[] = { 1, 4096, 0x12345678, 1ul << 33, MAX_OFFSET };
static const uint32_t threads[] = { 0, 1, 511, MAX_THREAD };
static const uint32_t phases[] = { 0, 1, 77777, MAX_PHASE };
#define EACH(i, array) (size_t i = 0; i < sizeof array / sizeof array[0]; i++)

static void
check_parts (uint32_t thread, uint64_t offset, uint32_t phase)
{
  upcr_pts p = upcr_pts_make (thread, offset, phase);

  assert_int_equal (upcr_pts_thread (p), thread);
  assert_int_equal (upcr_pts_offset (p), offset);
  assert_int_equal (upcr_pts_phase (p), phase);
  assert_int_equal (upc_threadof (p), thread);
  assert_int_equal (upc_phaseof (p), phase);
  assert_false (upcr_pts_is_null (p));
  assert_ptr_equal (upcr_pts_address (p), upcr_segment_address (thread, offset));
  assert_ptr_equal (__getaddr (p), upcr_pts_address (p));
  assert_ptr_equal (__cvtaddr (p), upcr_pts_address (p));
  p = upc_resetphase (p);
  assert_int_equal (upcr_pts_thread (p), thread);
  assert_int_equal (upcr_pts_offset (p), offset);
  assert_int_equal (upcr_pts_phase (p), 0);
}

static void
test_parts (void **state)
{
  (void) state;
  for
    EACH (t, threads)
    for
      EACH (o, offsets)
      for
        EACH (p, phases)
      check_parts (threads[t], offsets[o], phases[p]);
}

static void
test_null (void **state)
{
  upcr_pts null = upcr_pts_null ();

  (void) state;
  assert_true (upcr_pts_is_null (null));
  assert_int_equal (upc_threadof (null), 0);
  assert_int_equal (upc_phaseof (null), 0);
  assert_null (__getaddr (null));
  assert_null (__cvtaddr (null));
  assert_false (upcr_pts_is_null (upcr_pts_make (1, 4096, 0)));
}

/* upc_addrfield of two elements of one thread differs by their distance (UPC 1.3,
   7.2.3.4), whatever it is of one alone. */
static void
test_addrfield_distance (void **state)
{
  upcr_pts a = upcr_pts_make (3, 4096, 0), b = upcr_pts_make (3, 5000, 7);

  (void) state;
  assert_int_equal ((ptrdiff_t) upc_addrfield (b) - (ptrdiff_t) upc_addrfield (a), 904);
  assert_int_equal ((ptrdiff_t) upc_addrfield (a) - (ptrdiff_t) upc_addrfield (b), -904);
}

#ifdef UPCR_PTS_STRUCT

/* The object interface: 16 bytes, vaddr counts from __upc_shared_start. */
static void
test_representation (void **state)
{
  upcr_pts p = upcr_pts_make (5, 0x1000, 9);
  uint64_t words[2];

  (void) state;
  assert_int_equal (sizeof p, 16);
  __builtin_memcpy (words, &p, sizeof p);
  assert_int_equal (words[0], 0x1000 + (uintptr_t) __upc_shared_start);
  assert_int_equal (words[1], 9ul << 32 | 5);
}

static void
test_null_with_a_phase (void **state)
{
  upcr_pts null = { 0, 0, 9 };

  (void) state;
  assert_true (upcr_pts_is_null (null));
  assert_int_equal (upc_phaseof (null), 0);
}

#else

/* The object interface: 64 bits, offset in the high ones. */
static void
test_representation (void **state)
{
  upcr_pts p = upcr_pts_make (5, 0x1000, 9);

  (void) state;
  assert_int_equal (sizeof p, 8);
  assert_int_equal (p.bits, 0x1000ul << 30 | 5ul << 20 | 9);
}

static void
test_null_with_a_phase (void **state)
{
  upcr_pts null = { 9 };

  (void) state;
  assert_true (upcr_pts_is_null (null));
  assert_int_equal (upc_phaseof (null), 0);
}

#endif

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_parts),
    cmocka_unit_test (test_null),
    cmocka_unit_test (test_null_with_a_phase),
    cmocka_unit_test (test_addrfield_distance),
    cmocka_unit_test (test_representation),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
