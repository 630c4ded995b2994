/* The access code of include/upct/access.h against a model that knows only this:
   element I of an array lies in block floor (I / B), blocks are dealt out to the
   threads in turn, and a thread's blocks follow each other in its partition
   (UPC 1.3, 6.5.2.1). Included by one test program for each representation. */

/* The tests change THREADS, programs never. */
#define __UPC_FIXED
#include <upct/access.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

/* Where the static shared data starts; the arrays of the model lie FIRST past it. */
char __upc_shared_start[16384];
enum
{
  FIRST = 8192
};
#define ARRAY (__upc_shared_start + FIRST)

#ifdef __UPC_STATIC_THREADS__
static const int thread_counts[] = { THREADS };
#define MODEL_THREADS THREADS
#else
static const int thread_counts[] = { 1, 2, 3, 4, 5, 7, 16, 64, 1000, 1024 };
#define MODEL_THREADS __upc_threads
#endif
void upcr_set_threads (int threads);
#define SET_THREADS(n) upcr_set_threads (n)

static const long block_sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 12, 60, 64, 100, 1000, 4096, 1048575 };
static const long element_sizes[] = { 1, 2, 3, 4, 7, 8, 12, 16, 24, 40, 4096 };

#define COUNT(a) ((int) (sizeof (a) / sizeof (a)[0]))

static long
floor_divide (long n, long d)
{
  long q = n / d;

  return n % d < 0 ? q - 1 : q;
}

struct place
{
  long thread, phase, offset;
};

static struct place
model (long i, long block, long bytes)
{
  if (block == 0)
    return (struct place){ 0, 0, FIRST + i * bytes };
  long in_blocks = floor_divide (i, block);
  long row = floor_divide (in_blocks, MODEL_THREADS);
  long phase = i - in_blocks * block;

  return (struct place){ in_blocks - row * MODEL_THREADS, phase,
                         FIRST + (row * block + phase) * bytes };
}

static void
check_pointer (__upc_pts p, long i, long block, long bytes, const char *what)
{
  struct place m = model (i, block, bytes);
  unsigned long wrap = (1ul << __UPC_OFFSET_BITS) - 1;

  if (__upc_thread (p) == (unsigned long) m.thread && __upc_phase (p) == (unsigned long) m.phase
      && (__upc_offset (p) & wrap) == ((unsigned long) m.offset & wrap))
    return;
  fail_msg ("%s: element %ld, block %ld, size %ld, threads %d: thread %lu phase %lu offset %ld,"
            " the model says %ld %ld %ld",
            what, i, block, bytes, MODEL_THREADS, __upc_thread (p), __upc_phase (p),
            (long) __upc_offset (p), m.thread, m.phase, m.offset);
}

static void
check_address (void *address, long i, long block, long bytes, const char *what)
{
  struct place m = model (i, block, bytes);
  unsigned long wanted = __UPC_SEGMENT_BASE + m.thread * __UPC_STRIDE + m.offset;

  if ((unsigned long) address != wanted)
    fail_msg ("%s: element %ld, block %ld, size %ld, threads %d: %p, the model says %#lx", what, i,
              block, bytes, MODEL_THREADS, address, wanted);
}

/* All that one element J, reached from another one I, must satisfy. */
static void
check_pair (long i, long j, long block, long bytes)
{
  __upc_pts p = __upc_element (ARRAY, i, block, bytes);
  __upc_pts q = __upc_add (p, j - i, block, bytes);
  __upc_pts r = p;

  check_pointer (p, i, block, bytes, "element");
  check_pointer (q, j, block, bytes, "add");
  check_pointer (__upc_next (q, block, bytes), j + 1, block, bytes, "next");
  check_pointer (__upc_previous (q, block, bytes), j - 1, block, bytes, "previous");
  if (j >= 0)
    {
      check_address (__upc_address (q), j, block, bytes, "address");
      check_address (__upc_index_address (p, j - i, block, bytes), j, block, bytes, "index");
      check_address (__upc_element_address (ARRAY, j, block, bytes), j, block, bytes, "array");
      check_address (__upc_scattered_address (ARRAY, j, block, bytes), j, block, bytes, "table");
      check_address (__upc_scattered_index_address (p, j - i, block, bytes), j, block, bytes,
                     "index by table");
      if (j < block * MODEL_THREADS)
        check_address (__upc_element_address_in_round (ARRAY, j, block, bytes), j, block, bytes,
                       "array of one round");
    }
  if (i >= 0 && j >= 0)
    {
      assert_int_equal (__upc_difference (q, p, block, bytes), j - i);
      assert_int_equal (__upc_difference (p, q, block, bytes), i - j);
      assert_int_equal (__upc_equal (p, q), i == j);
    }
  check_pointer (__upc_advance_after (&r, j - i, block, bytes), i, block, bytes, "old value");
  check_pointer (r, j, block, bytes, "advance");
  check_pointer (__upc_advance (&r, i - j, block, bytes), i, block, bytes, "advance back");
}

static void
check_layout (long block, long bytes)
{
  long row = (block ? block : 10) * MODEL_THREADS;
  long edges[] = { 0, 1, block - 1, block, block + 1, row - 1, row, row + 1, 5 * row + 3 };

  for (int a = 0; a < COUNT (edges); a++)
    for (int b = 0; b < COUNT (edges); b++)
      {
        check_pair (edges[a], edges[b], block, bytes);
        check_pair (edges[a], -edges[b], block, bytes);
        check_pair (-edges[a], edges[b], block, bytes);
      }
  for (int n = 0; n < 50; n++)
    check_pair (random () % (4 * row), random () % (4 * row), block, bytes);
}

static void
every_layout_is_the_model (void **state)
{
  (void) state;
  srandom (1);
  for (int t = 0; t < COUNT (thread_counts); t++)
    {
      SET_THREADS (thread_counts[t]);
      for (int b = 0; b < COUNT (block_sizes); b++)
        for (int e = 0; e < COUNT (element_sizes); e++)
          /* What does not fit into a partition has no right answer. */
          if (block_sizes[b] * element_sizes[e] < 1l << 30)
            check_layout (block_sizes[b], element_sizes[e]);
    }
}

static void
steps_visit_every_element_in_order (void **state)
{
  (void) state;
  for (int t = 0; t < COUNT (thread_counts); t++)
    for (int b = 0; b < COUNT (block_sizes); b++)
      {
        long block = block_sizes[b], i;
        __upc_pts p, q;

        SET_THREADS (thread_counts[t]);
        p = q = __upc_object (ARRAY);
        for (i = 0; i < 3000; i++)
          {
            check_pointer (p, i, block, 12, "p++");
            check_pointer (__upc_post_increment (&p, block, 12), i, block, 12, "p++, old");
            check_pointer (__upc_pre_increment (&q, block, 12), i + 1, block, 12, "++p");
          }
        for (; i > -3000; i--)
          {
            check_pointer (p, i, block, 12, "p--");
            check_pointer (__upc_post_decrement (&p, block, 12), i, block, 12, "p--, old");
            check_pointer (__upc_pre_decrement (&q, block, 12), i - 1, block, 12, "--p");
          }
      }
}

/* p - far, and back: what lies between may be before the partition. */
static void
pointers_out_of_range_come_back (void **state)
{
  (void) state;
  for (int t = 0; t < COUNT (thread_counts); t++)
    for (int b = 0; b < COUNT (block_sizes); b++)
      {
        long block = block_sizes[b];

        SET_THREADS (thread_counts[t]);
        for (long far = 1; far < 1l << 28; far = far * 3 + 1)
          {
            __upc_pts p = __upc_element (ARRAY, 17, block, 8);
            __upc_pts q = __upc_add (p, -far, block, 8);

            check_pointer (q, 17 - far, block, 8, "p - far");
            check_pointer (__upc_add (q, far, block, 8), 17, block, 8, "p - far + far");
            check_address (__upc_index_address (q, far, block, 8), 17, block, 8, "(p - far)[far]");
          }
      }
}

static void
differences_are_right_up_to_the_partition (void **state)
{
  (void) state;
  for (int t = 0; t < COUNT (thread_counts); t++)
    {
      long last;

      SET_THREADS (thread_counts[t]);
      last = ((1l << 34) - FIRST) / 8 * MODEL_THREADS - 1;
      assert_int_equal (
          __upc_difference (__upc_element (ARRAY, last, 1, 8), __upc_object (ARRAY), 1, 8), last);
      check_address (__upc_element_address (ARRAY, last, 1, 8), last, 1, 8, "last");
    }
}

static void
null_is_null (void **state)
{
  __upc_pts p = __upc_make (0, FIRST, 5);

  (void) state;
  SET_THREADS (thread_counts[0]);
  assert_true (__upc_is_null (__upc_null ()));
  assert_false (__upc_is_set (__upc_null ()));
  assert_null (__upc_local (__upc_null ()));
  assert_true (__upc_is_set (p));
  assert_ptr_equal (__upc_local (p), (char *) __UPC_SEGMENT_BASE + FIRST);
  assert_true (__upc_equal (p, __upc_reset_phase (p)));
  assert_int_equal (__upc_phase (__upc_reset_phase (p)), 0);
  assert_int_equal (__upc_offset (__upc_member (p, 12)), FIRST + 12);
  assert_int_equal (__upc_phase (__upc_member (p, 12)), 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (every_layout_is_the_model),
    cmocka_unit_test (steps_visit_every_element_in_order),
    cmocka_unit_test (pointers_out_of_range_come_back),
    cmocka_unit_test (differences_are_right_up_to_the_partition),
    cmocka_unit_test (null_is_null),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
