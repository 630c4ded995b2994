/* What the tests of blocking and started operations share: calls in both ways, and arrays
   on each thread. */

#ifndef UPCR_TEST_OPERATIONS_H
#define UPCR_TEST_OPERATIONS_H

#include "runtime/coll/coll.h"

#include "tests/unit/coll/collective.h"

/* Each test runs with blocking calls, and with started and completed ones. */
static bool is_blocking;

#define CALL(name, ...)                                            \
  (is_blocking ? gasnet_coll_##name (GASNET_TEAM_ALL, __VA_ARGS__) \
               : gasnet_coll_wait_sync (gasnet_coll_##name##_nb (GASNET_TEAM_ALL, __VA_ARGS__)))

/* A symmetric block of BLOCKS * BYTES on each thread, as each sees its own. */
static inline unsigned char *
symmetric (unsigned blocks, size_t bytes)
{
  upcr_pts block = upcr_all_alloc (THREADS, blocks * bytes);

  CHECK (!upcr_pts_is_null (block));
  return (unsigned char *) upcr_segment_address (MYTHREAD, upcr_pts_offset (block));
}

/* Between rounds: what was given out without synchronisation must not be touched before. */
static inline void
settle (int flags)
{
  if (flags & GASNET_COLL_OUT_NOSYNC)
    barrier ();
}

static inline void
prepare (int flags)
{
  if (flags & GASNET_COLL_IN_NOSYNC)
    barrier ();
}

struct arrays
{
  unsigned char *src, *dst;
  void *src_list[64], *dst_list[64];
};

static inline struct arrays
new_arrays (unsigned blocks, size_t bytes)
{
  struct arrays a = { symmetric (blocks, bytes), symmetric (blocks, bytes), { 0 }, { 0 } };

  for (int t = 0; t < THREADS; t++)
    {
      a.src_list[t] = a.src + (t - MYTHREAD) * (ptrdiff_t) UPCR_STRIDE;
      a.dst_list[t] = a.dst + (t - MYTHREAD) * (ptrdiff_t) UPCR_STRIDE;
    }
  return a;
}

static inline int
with_scope (int flags, unsigned round)
{
  return flags | (round & 1 ? GASNET_COLL_LOCAL : GASNET_COLL_SINGLE);
}

/* The list argument of an `m` form. */
static inline void *const *
list (void *const *all, int flags)
{
  return flags & GASNET_COLL_LOCAL ? all + MYTHREAD : all;
}

/* With blocking calls, then with started ones. */
static inline void
both_ways (int threads, upc_body *body)
{
  is_blocking = true;
  expect_good (threads, 0, body);
  is_blocking = false;
  expect_good (threads, 0, body);
}

/* The same, and by each algorithm wherever it applies where members are few but more than
   two. */
static inline void
all_ways (int threads, upc_body *body)
{
  static const char *const algorithms[] = { "pipelined", "unsynchronised", "central",
                                            "eager",     "one_block",      "direct" };

  both_ways (threads, body);
  if (threads != 3 && threads != 5)
    return;
  is_blocking = true;
  for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
    {
      setenv ("UPC_COLL", algorithms[i], 1);
      expect_good (threads, 0, body);
    }
  unsetenv ("UPC_COLL");
  is_blocking = false;
}

#endif
