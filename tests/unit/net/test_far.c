/* Memory of other processes for upc_io.h (runtime/io/network/far.c), on the engine in one process: every byte of a
   stretch, however long the blocks are and wherever it begins, and one message for each thread that is far. */

#define UPCR_NETWORK

#include "runtime/io/memory.h"

#include "runtime/io/network/far.c"
#include "runtime/net/engine.h"
#include "runtime/net/net.h"
#include "runtime/net/self.h"
#include "runtime/shared/shared.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

enum
{
  PROCESSES = 3, /* each with one thread */
  AT = 4096,     /* where the region begins in each partition */
  MOST_BYTES = 2000
};

/* A thread's memory is its process's; only process 0 asks. */
int
upcr_process_at (const volatile void *address, size_t bytes)
{
  (void) bytes;
  return (int) (((uintptr_t) address - UPCR_SEGMENT_BASE) / UPCR_STRIDE);
}

void
upcr_flush (void)
{
}

static atomic_bool is_over;

static void *
serve_others (void *rank)
{
  unsigned looks = 0;

  upcr_self_enter ((int) (intptr_t) rank);
  while (!is_over)
    upcr_net_relax (&looks);
  return NULL;
}

static char *
partition (int thread)
{
  return (char *) (UPCR_SEGMENT_BASE + thread * UPCR_STRIDE + AT);
}

/* Byte I of a region in blocks of BLOCK_BYTES that begins at THREAD. */
static char *
byte_at (size_t block_bytes, int thread, size_t i)
{
  size_t block = i / block_bytes + thread;

  return partition ((int) (block % PROCESSES)) + block / PROCESSES * block_bytes + i % block_bytes;
}

static char
value (size_t i)
{
  return (char) (i * 7 + i / 256 + 1);
}

static void
check_stretch (const struct upcr_region *region, size_t offset, size_t length)
{
  char buffer[MOST_BYTES];

  for (size_t i = 0; i < region->length; i++)
    *byte_at (region->block_bytes, region->thread, i) = value (i);
  upcr_copy_far (region, offset, buffer, length, true);
  for (size_t i = 0; i < length; i++)
    assert_int_equal (buffer[i], value (offset + i));
  for (size_t i = 0; i < length; i++)
    buffer[i] = (char) ~buffer[i];
  upcr_copy_far (region, offset, buffer, length, false);
  for (size_t i = 0; i < region->length; i++)
    {
      bool is_changed = i >= offset && i < offset + length;

      assert_int_equal (*byte_at (region->block_bytes, region->thread, i),
                        is_changed ? (char) ~value (i) : value (i));
    }
}

static void
every_byte_is_moved (void **state)
{
  static const size_t blocks[] = { 1, 3, 8, 100, 1500 };
  static const size_t stretches[][2] = { { 0, 1 },    { 0, 600 },   { 5, 7 },
                                         { 99, 202 }, { 250, 350 }, { 599, 1 } };

  (void) state;
  for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
    for (uint32_t thread = 0; thread < PROCESSES; thread++)
      for (size_t s = 0; s < sizeof stretches / sizeof *stretches; s++)
        {
          struct upcr_region region = { byte_at (blocks[b], (int) thread, 0), blocks[b], 600,
                                        thread };

          check_stretch (&region, stretches[s][0], stretches[s][1]);
        }
}

static uint64_t
messages_of_0 (const struct upcr_region *region, bool to_buffer)
{
  char buffer[MOST_BYTES] = { 0 };
  uint64_t before = upcr_self_sent (0).messages;

  upcr_copy_far (region, 0, buffer, region->length, to_buffer);
  return upcr_self_sent (0).messages - before;
}

static void
a_far_thread_takes_one_message (void **state)
{
  struct upcr_region small = { byte_at (1, 0, 0), 1, 600, 0 };
  struct upcr_region one = { partition (2), 0, 600, 2 };

  (void) state;
  assert_int_equal (messages_of_0 (&small, true), PROCESSES - 1);
  assert_int_equal (messages_of_0 (&small, false), PROCESSES - 1);
  assert_int_equal (messages_of_0 (&one, true), 1);
  assert_int_equal (messages_of_0 (&one, false), 1);
}

static void
what_is_far_is_known (void **state)
{
  struct upcr_region blocks = { partition (0), 4, 400, 0 }, own = { partition (0), 0, 400, 0 },
                     far = { partition (1), 0, 400, 1 };

  (void) state;
  assert_true (upcr_is_region_far (&blocks));
  assert_false (upcr_is_region_far (&own));
  assert_true (upcr_is_region_far (&far));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (every_byte_is_moved),
    cmocka_unit_test (a_far_thread_takes_one_message),
    cmocka_unit_test (what_is_far_is_known),
  };
  pthread_t others[PROCESSES];
  int failed;

  upcr_set_threads (PROCESSES);
  for (int t = 0; t < PROCESSES; t++)
    if (mmap (partition (t) - AT, 4 * AT, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
        == MAP_FAILED)
      return 1;
  upcr_self_begin (PROCESSES, 1, 2);
  for (intptr_t p = 1; p < PROCESSES; p++)
    pthread_create (&others[p], NULL, serve_others, (void *) p);
  upcr_self_enter (0);
  failed = cmocka_run_group_tests (tests, NULL, NULL);
  is_over = true;
  for (int p = 1; p < PROCESSES; p++)
    pthread_join (others[p], NULL);
  return failed;
}
