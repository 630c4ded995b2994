/* Non-blocking copies, synchronised in any order, and casts, through the functions
   that compiled programs call. */

#include "runtime/coll/coll.h"
#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include "tests/unit/upc_threads.h"

#include <string.h>

uint64_t upc_memcpy_nb (upcr_pts dst, upcr_pts src, size_t n);
uint64_t upc_memget_nb (void *dst, upcr_pts src, size_t n);
uint64_t upc_memput_nb (upcr_pts dst, const void *src, size_t n);
uint64_t upc_memset_nb (upcr_pts dst, int c, size_t n);
void upc_memcpy_nbi (upcr_pts dst, upcr_pts src, size_t n);
void upc_memget_nbi (void *dst, upcr_pts src, size_t n);
void upc_memput_nbi (upcr_pts dst, const void *src, size_t n);
void upc_memset_nbi (upcr_pts dst, int c, size_t n);
void upc_sync (uint64_t handle);
int upc_sync_attempt (uint64_t handle);
void upc_synci (void);
int upc_synci_attempt (void);

struct info
{
  int guaranteed, probable, core, node;
};
/* As objects that know only what the specification names declare it. */
struct short_info
{
  int guaranteed, probable;
};
void *upc_cast (upcr_pts p);
struct info upc_thread_info (size_t thread);
struct short_info upc_thread_info_as_others_see_it (size_t thread) __asm__("upc_thread_info");

enum
{
  TRANSFERS = 500,
  MAX_BYTES = 3000,
  THREAD_BYTES = TRANSFERS * MAX_BYTES
};

static unsigned
random_number (uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

/* The place of transfer I in an area of pieces that do not touch. */
static upcr_pts
piece (upcr_pts area, int thread, int i)
{
  return upcr_pts_make (thread, upcr_pts_offset (area) + (uint64_t) i * MAX_BYTES, 0);
}

/* Each thread reads what nobody changes, its right neighbour's SOURCE, and writes where
   nobody else does, its left neighbour's TARGET. */
struct areas
{
  upcr_pts source, target;
  char *private_target, *private_source;
};

static struct areas
fill (void)
{
  struct areas a = { upcr_all_alloc (THREADS, THREAD_BYTES), upcr_all_alloc (THREADS, THREAD_BYTES),
                     malloc (THREAD_BYTES), malloc (THREAD_BYTES) };
  char *mine = upcr_pts_address (piece (a.source, MYTHREAD, 0));

  CHECK (!upcr_pts_is_null (a.source) && !upcr_pts_is_null (a.target));
  for (int i = 0; i < THREAD_BYTES; i++)
    {
      mine[i] = i * 7 + i / MAX_BYTES;
      a.private_source[i] = i * 5 + i / MAX_BYTES;
    }
  memset (upcr_pts_address (piece (a.target, MYTHREAD, 0)), 0, THREAD_BYTES);
  memset (a.private_target, 0, THREAD_BYTES);
  barrier ();
  return a;
}

static uint64_t
start (struct areas a, int i, size_t n, bool explicitly)
{
  int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
  upcr_pts from = piece (a.source, right, i), to = piece (a.target, left, i);
  char *out = a.private_target + i * MAX_BYTES, *in = a.private_source + i * MAX_BYTES;

  switch (i % 4)
    {
    case 0:
      return explicitly ? upc_memcpy_nb (to, from, n) : (upc_memcpy_nbi (to, from, n), 0);
    case 1:
      return explicitly ? upc_memget_nb (out, from, n) : (upc_memget_nbi (out, from, n), 0);
    case 2:
      return explicitly ? upc_memput_nb (to, in, n) : (upc_memput_nbi (to, in, n), 0);
    default:
      return explicitly ? upc_memset_nb (to, i, n) : (upc_memset_nbi (to, i, n), 0);
    }
}

/* After its synchronisation a piece has N bytes of what was to come, and no more. */
static void
check_piece (struct areas a, int i, size_t n)
{
  int left = (MYTHREAD + THREADS - 1) % THREADS;
  const char *got = i % 4 == 1 ? a.private_target + i * MAX_BYTES
                               : upcr_pts_address (piece (a.target, left, i));

  for (int k = 0; k < MAX_BYTES; k++)
    {
      int at = i * MAX_BYTES + k;
      char wanted = i % 4 == 3 ? i : i % 4 == 2 ? at * 5 + i : at * 7 + i;

      CHECK (got[k] == ((size_t) k < n ? wanted : 0));
    }
}

static void
transfers (void)
{
  struct areas a = fill ();
  uint64_t seed = MYTHREAD + 1, handle[TRANSFERS];
  size_t n[TRANSFERS];
  int order[TRANSFERS];

  for (int i = 0; i < TRANSFERS; i++)
    {
      n[i] = random_number (&seed) % 8 ? random_number (&seed) % (MAX_BYTES + 1) : 0;
      handle[i] = start (a, i, n[i], i % 3 != 0);
      order[i] = i;
    }
  for (int i = TRANSFERS - 1; i > 0; i--)
    {
      int other = random_number (&seed) % (i + 1), swapped = order[i];

      order[i] = order[other];
      order[other] = swapped;
    }
  upc_synci ();
  for (int k = 0; k < TRANSFERS; k++)
    {
      int i = order[k];

      if (i % 3 != 0 && i % 2)
        upc_sync (handle[i]);
      else if (i % 3 != 0)
        while (!upc_sync_attempt (handle[i]))
          continue;
      check_piece (a, i, n[i]);
    }
  upc_sync (0);
  CHECK (upc_sync_attempt (0) && upc_synci_attempt ());
  barrier ();
  free (a.private_source);
  free (a.private_target);
}

static void
test_transfers_in_any_order (void **state)
{
  (void) state;
  expect_good (1, 0, transfers);
  expect_good (4, 0, transfers);
}

static void
sync_what_is_no_handle (void)
{
  upc_sync (0x1234);
}

static void
attempt_what_is_no_handle (void)
{
  upc_sync_attempt (1);
}

static void
test_wrong_handles (void **state)
{
  (void) state;
  expect_threads (1, 0, sync_what_is_no_handle, 1,
                  "prog: error: thread 0: upc_sync: invalid handle: 0x1234\n");
  expect_threads (1, 0, attempt_what_is_no_handle, 1,
                  "prog: error: thread 0: upc_sync_attempt: invalid handle: 0x1\n");
}

/* Elements of any layout: every thread writes through its casts what the others find. */
static void
casts (void)
{
  enum
  {
    BLOCK = 3,
    BLOCKS = 10
  };
  upcr_pts all = upcr_all_alloc (BLOCKS * THREADS, BLOCK * sizeof (int));
  static upcr_pts local[8], global[8];

  local[MYTHREAD] = upcr_local_alloc (64);
  global[MYTHREAD] = upcr_symmetric_alloc (THREADS, 64);
  for (int i = 0; i < BLOCK * BLOCKS; i++)
    {
      upcr_pts p = upcr_pts_make (MYTHREAD, upcr_pts_offset (all) + i * sizeof (int), i % BLOCK);

      *(int *) upc_cast (p) = 1000 * MYTHREAD + i;
      CHECK (upc_cast (p) == upcr_pts_address (p));
    }
  *(int *) upc_cast (local[MYTHREAD]) = *(int *) upc_cast (global[MYTHREAD]) = MYTHREAD;
  barrier ();
  for (int t = 0; t < THREADS; t++)
    {
      for (int i = 0; i < BLOCK * BLOCKS; i++)
        CHECK (*(int *) upc_cast (
                   upcr_pts_make (t, upcr_pts_offset (all) + i * sizeof (int), i % BLOCK))
               == 1000 * t + i);
      CHECK (*(int *) upc_cast (local[t]) == t && *(int *) upc_cast (global[t]) == t);
    }
  CHECK (upc_cast (upcr_pts_null ()) == NULL);
}

static void
test_casts (void **state)
{
  (void) state;
  expect_good (1, 0, casts);
  expect_good (5, 0, casts);
}

static void
describe_threads (void)
{
  for (int t = 0; t < THREADS; t++)
    {
      struct info info = upc_thread_info (t);
      struct short_info also = upc_thread_info_as_others_see_it (t);

      CHECK (info.guaranteed == 15 && info.probable == 15 && info.core == -1 && info.node == -1);
      CHECK (also.guaranteed == 15 && also.probable == 15);
    }
}

static void
describe_bound_threads (void)
{
  struct info first = upc_thread_info (0), last = upc_thread_info (THREADS - 1);

  CHECK (first.core == 0 && first.node >= 0 && last.core >= 0 && last.node >= 0);
}

static void
bind_and_describe (const void *argument)
{
  upcr_bind_init ();
  run_upc_threads (argument);
}

static void
describe_no_thread (void)
{
  upc_thread_info (THREADS);
}

static void
test_thread_info (void **state)
{
  (void) state;
  expect_good (3, 0, describe_threads);
  expect_child (bind_and_describe, &(struct upc_run){ 3, 0, describe_bound_threads }, 0, "");
  expect_threads (1, 0, describe_no_thread, 1,
                  "prog: error: thread 0: upc_thread_info: invalid thread 1; THREADS is 1\n");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_transfers_in_any_order),
    cmocka_unit_test (test_wrong_handles),
    cmocka_unit_test (test_casts),
    cmocka_unit_test (test_thread_info),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
