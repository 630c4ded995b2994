/* The memory of locks: a line each, and free for anything else as soon as the last release
   lets another thread go on. */

#include "tests/unit/sync/threads.h"

#include <sys/mman.h>

/* Who is the last to use it unmaps it, while others may still be on their way out of
   upcr_lock_release: what touches it there ends the process. */
static struct upcr_lock *brief;
static int users;

static void
use_and_unmap (void)
{
  enum
  {
    BRIEF_ROUNDS = 300
  };
  const size_t page = sysconf (_SC_PAGESIZE);

  for (int round = 0; round < BRIEF_ROUNDS; round++)
    {
      bool is_last;

      if (MYTHREAD == 0)
        {
          brief = mmap (NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          REQUIRE (brief != MAP_FAILED);
          upcr_lock_init (brief, (struct upcr_lock_origin){ 0 });
          users = THREADS;
        }
      upcr_collective_barrier ("test");
      upcr_lock_acquire (brief);
      is_last = --users == 0;
      upcr_lock_release (brief);
      if (is_last)
        {
          upcr_lock_destroy (brief, "upc_lock_free");
          REQUIRE (munmap (brief, page) == 0);
        }
      upcr_collective_barrier ("test");
    }
}

static void
memory_is_free_after_the_last_release (void **state)
{
  (void) state;
  for (int wait = UPCR_WAIT_ADAPTIVE; wait <= UPCR_WAIT_SLEEP; wait++)
    for (int n = 2; n <= 8; n *= 2)
      {
        upcr_options.wait = wait;
        run_threads (n, use_and_unmap);
      }
  upcr_options.wait = UPCR_WAIT_ADAPTIVE;
}

static void
many_locks (void **state)
{
  enum
  {
    LOCKS = 1000000
  };
  char *locks = aligned_alloc (UPCR_LOCK_BYTES, (size_t) LOCKS * UPCR_LOCK_BYTES);

  (void) state;
  THREADS = 1;
  upcr_sync_init (THREADS, CPUS);
  assert_non_null (locks);
#define NTH(i) ((struct upcr_lock *) (locks + (size_t) (i) *UPCR_LOCK_BYTES))
  for (int i = 0; i < LOCKS; i++)
    {
      upcr_lock_init (NTH (i), (struct upcr_lock_origin){ 0 });
      upcr_lock_acquire (NTH (i));
    }
  for (int i = 0; i < LOCKS; i++)
    {
      upcr_lock_release (NTH (i));
      assert_true (upcr_lock_try (NTH (i)));
      upcr_lock_release (NTH (i));
    }
  for (int i = 0; i < LOCKS; i++)
    upcr_lock_destroy (NTH (i), "upc_lock_free");
  free (locks);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (memory_is_free_after_the_last_release),
    cmocka_unit_test (many_locks),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
