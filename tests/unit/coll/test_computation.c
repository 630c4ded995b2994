/* Reductions and scans: with every sync mode, against a sequential model, with threads that
   come late and others that run ahead. */

#include "tests/unit/coll/operations.h"

/* Data whose rounding tells the order: sums of numbers of very different size. */
static double
element (unsigned round, size_t i)
{
  return ((i * 2654435761u + round) % 1000) * (i % 3 ? 1.0 : 1e-9);
}

static void
add_doubles (void *results, size_t result_count, const void *left_operands, size_t left_count,
             const void *right_operands, size_t elem_size, int flags, int arg)
{
  const double *left = left_operands, *right = right_operands;
  double *r = results, sum = 0;

  (void) elem_size, (void) flags, (void) arg;
  for (size_t i = 0; i < left_count; i++)
    sum += left[i];
  for (size_t i = 0; i < result_count; i++)
    r[i] = sum += right[i];
}

/* Maps x -> a x + b modulo 2^32, composed from left to right: associative, and order is
   all that matters. */
struct map
{
  uint32_t a, b;
};

static struct map
compose (struct map f, struct map g)
{
  return (struct map){ f.a * g.a, f.b * g.a + g.b };
}

static void
compose_maps (void *results, size_t result_count, const void *left_operands, size_t left_count,
              const void *right_operands, size_t elem_size, int flags, int arg)
{
  const struct map *left = left_operands, *right = right_operands;
  struct map *r = results, all = { 1, 0 };

  CHECK (elem_size == sizeof all && flags == GASNET_COLL_NONCOMM && arg == 17);
  for (size_t i = 0; i < left_count; i++)
    all = compose (all, left[i]);
  for (size_t i = 0; i < result_count; i++)
    r[i] = all = compose (all, right[i]);
}

static struct map
map_of (unsigned round, size_t i)
{
  return (struct map){ 2 * (i + round) + 3, i * 7 + round };
}

static const gasnet_coll_fn_entry_t table[] = {
  { (gasnet_coll_fn_t) add_doubles, 0 },
  { (gasnet_coll_fn_t) compose_maps, GASNET_COLL_NONCOMM },
};

struct shape
{
  size_t count, block, offset;
};

static const struct shape shapes[] = { { 0, 1, 0 },   { 1, 1, 0 },   { 1, 0, 0 },
                                       { 5, 1, 2 },   { 40, 3, 5 },  { 7, 100, 3 },
                                       { 33, 0, 0 },  { 700, 9, 4 }, { 2000, 500, 77 },
                                       { 1500, 0, 0 } };

static unsigned char *
place_of (unsigned char *mine, struct upcr_layout layout, size_t index, size_t bytes)
{
  struct upcr_extent s = upcr_extent_at (layout, THREADS, index, index + 1);

  return mine + ((int) s.image - MYTHREAD) * (ptrdiff_t) UPCR_STRIDE + s.first * bytes;
}

/* Each thread fills in what it has. */
static void
fill_maps (unsigned char *mine, struct upcr_layout layout, size_t count, unsigned round)
{
  for (size_t i = 0; i < count; i++)
    if (upcr_extent_at (layout, THREADS, i, i + 1).image == (uint32_t) MYTHREAD)
      *(struct map *) place_of (mine, layout, i, sizeof (struct map)) = map_of (round, i);
}

static struct map
model (size_t count, unsigned round)
{
  struct map all = { 1, 0 };

  for (size_t i = 0; i < count; i++)
    all = compose (all, map_of (round, i));
  return all;
}

static bool
is_map (const void *at, struct map wanted)
{
  return memcmp (at, &wanted, sizeof wanted) == 0;
}

static void
one_reduce (struct arrays *a, int flags, struct shape shape, unsigned round)
{
  unsigned root = round % THREADS;
  struct map wanted = model (shape.count, round);

  prepare (flags);
  maybe_late (round);
  if (round & 2)
    CALL (reduce, root, a->dst, a->src, shape.block, shape.offset, sizeof (struct map), shape.count,
          1, 17, flags);
  else
    CALL (reducem, root, a->dst, list (a->src_list, flags), shape.block, shape.offset,
          sizeof (struct map), shape.count, 1, 17, flags);
  settle (flags);
  if ((unsigned) MYTHREAD == root && shape.count)
    CHECK (is_map (a->dst, wanted));
}

static void
one_reduce_all (struct arrays *a, int flags, struct shape shape, unsigned round)
{
  prepare (flags);
  maybe_late (round);
  CALL (reduce_all, a->dst, a->src, shape.block, shape.offset, sizeof (struct map), shape.count, 1,
        17, flags);
  settle (flags);
  if (shape.count)
    CHECK (is_map (a->dst, model (shape.count, round)));
}

static void
check_scan (struct arrays *a, struct upcr_layout to, size_t count, bool is_exclusive,
            unsigned round)
{
  struct map all = { 1, 0 };

  for (size_t i = 0; i < count; i++)
    {
      struct map before = all;

      all = compose (all, map_of (round, i));
      if (upcr_extent_at (to, THREADS, i, i + 1).image == (uint32_t) MYTHREAD
          && !(is_exclusive && i == 0))
        CHECK (is_map (place_of (a->dst, to, i, sizeof all), is_exclusive ? before : all));
    }
}

static void
one_scan (struct arrays *a, int flags, struct shape shape, unsigned round)
{
  bool is_exclusive = round & 1;
  struct upcr_layout to = round & 4 ? (struct upcr_layout){ shape.block, shape.offset }
                                    : (struct upcr_layout){ 4, 3 };

  flags |= is_exclusive ? GASNET_COLL_EXCLUSIVE_SCAN : GASNET_COLL_INCLUSIVE_SCAN;
  prepare (flags);
  maybe_late (round);
  if (round & 2)
    CALL (scan, a->dst, to.block, to.offset, a->src, shape.block, shape.offset, sizeof (struct map),
          shape.count, 1, 17, flags);
  else
    CALL (scanm, list (a->dst_list, flags), to.block, to.offset, list (a->src_list, flags),
          shape.block, shape.offset, sizeof (struct map), shape.count, 1, 17, flags);
  settle (flags);
  check_scan (a, to, shape.count, is_exclusive, round);
}

typedef void one_computation (struct arrays *a, int flags, struct shape shape, unsigned round);

static void
computation (void)
{
  static one_computation *const operations[] = { one_reduce, one_reduce_all, one_scan };
  struct arrays a = new_arrays (6, 5000);
  unsigned round = 0;

  gasnet_coll_init (NULL, 0, table, 2, 0);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int mode = 0; mode < MODES; mode++)
      for (size_t o = 0; o < sizeof operations / sizeof *operations; o++, round++)
        for (unsigned variant = 0; variant < 2; variant++)
          {
            struct shape shape = shapes[s];
            unsigned this_round = round * 2 + variant;

            if (shape.block == 0)
              shape.offset = round % THREADS;
            fill_maps (a.src, (struct upcr_layout){ shape.block, shape.offset }, shape.count,
                       this_round);
            operations[o](&a, with_scope (modes[mode], variant), shape, this_round);
            barrier ();
          }
}

static void
test_computation (void **state)
{
  (void) state;
  for (size_t i = 0; i < sizeof some_threads / sizeof *some_threads; i++)
    all_ways (some_threads[i], computation);
}

/* Arrays that do not fit into the caches. */
static void
large_scan (void)
{
  enum
  {
    COUNT = 600000
  };
  struct shape shape = { COUNT, COUNT / THREADS + 1, 0 };
  struct arrays a = new_arrays (1, (COUNT / THREADS + 4096) * sizeof (struct map));

  gasnet_coll_init (NULL, 0, table, 2, 0);
  fill_maps (a.src, (struct upcr_layout){ shape.block, shape.offset }, shape.count, 0);
  for (int mode = 0; mode < MODES; mode += 4)
    for (unsigned round = 4; round < 6; round++)
      {
        barrier ();
        fill_maps (a.src, (struct upcr_layout){ shape.block, shape.offset }, shape.count, round);
        one_scan (&a, with_scope (modes[mode], round), shape, round);
      }
}

static void
test_large_scan (void **state)
{
  (void) state;
  is_blocking = true;
  expect_good (2, 0, large_scan);
}

/* The last member's partial result is in nobody's, but others wait for it where they write to
   its memory: asleep, as it comes late. */
static void
scan_into_the_last (void)
{
  static const gasnet_coll_fn_entry_t sums[] = { { add_longs, 0 } };
  static const struct timespec late = { .tv_nsec = 50000000 };
  long *block = (long *) symmetric (3, sizeof *block);
  int last = MYTHREAD == 0 ? THREADS : MYTHREAD;

  gasnet_coll_init (NULL, 0, (gasnet_coll_fn_entry_t *) sums, 1, 0);
  for (int round = 0; round < 3; round++)
    {
      block[0] = MYTHREAD + 1;
      barrier ();
      if (MYTHREAD == THREADS - 1)
        nanosleep (&late, NULL);
      gasnet_coll_scan (GASNET_TEAM_ALL, block + 1, 1, 1, block, 1, 0, sizeof *block, THREADS, 0, 0,
                        MYMY | GASNET_COLL_SINGLE | GASNET_COLL_INCLUSIVE_SCAN);
      CHECK (block[MYTHREAD == 0 ? 2 : 1] == last * (last + 1) / 2);
    }
}

static void
test_scan_into_the_last (void **state)
{
  (void) state;
  expect_good (2, 0, scan_into_the_last);
  expect_good (3, 0, scan_into_the_last);
}

/* Blocks of which no array has a second one: their number of bytes is none, nor that of a round. */
static void
scan_into_a_huge_block (void)
{
  static const gasnet_coll_fn_entry_t sums[] = { { add_longs, GASNET_COLL_AMSAFE } };
  enum
  {
    EACH = 20
  };
  long *src = (long *) symmetric (EACH, sizeof *src);
  long *dst = (long *) symmetric (EACH * THREADS, sizeof *dst);

  gasnet_coll_init (NULL, 0, sums, 1, 0);
  for (int i = 0; i < EACH; i++)
    src[i] = 1;
  gasnet_coll_scan (GASNET_TEAM_ALL, dst, 1ul << 63, 0, src, 1, 0, sizeof *src, EACH * THREADS, 0,
                    0, ALLALL | GASNET_COLL_SINGLE | GASNET_COLL_INCLUSIVE_SCAN);
  for (int i = 0; MYTHREAD == 0 && i < EACH * THREADS; i++)
    CHECK (dst[i] == i + 1);
}

static void
test_scan_into_a_huge_block (void **state)
{
  (void) state;
  expect_good (2, 0, scan_into_a_huge_block);
  expect_good (3, 0, scan_into_a_huge_block);
}

/* Rounding does not depend on who comes first. */
static void
rounding (void)
{
  struct arrays a = new_arrays (4, 5000);
  double *data = (double *) a.src, first = 0, sum;

  gasnet_coll_init (NULL, 0, table, 2, 0);
  for (size_t i = 0; i < 2000; i++)
    data[i] = element (MYTHREAD, i);
  barrier ();
  for (unsigned round = 0; round < 50; round++)
    {
      maybe_late (round);
      CALL (reduce_all, &sum, data, 2000, 0, sizeof sum, 2000 * THREADS, 0, 0,
            GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC);
      CHECK (round == 0 || sum == first);
      first = sum;
    }
}

static void
test_rounding (void **state)
{
  (void) state;
  all_ways (3, rounding);
  all_ways (7, rounding);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_computation),        cmocka_unit_test (test_large_scan),
    cmocka_unit_test (test_scan_into_the_last), cmocka_unit_test (test_scan_into_a_huge_block),
    cmocka_unit_test (test_rounding),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
