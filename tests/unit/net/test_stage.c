/* The stages of calls of upc_io.h over processes (runtime/io/network/stage.c), on the engine in one process: who waits
   goes on when all have come, in whatever order messages come, and each call takes few of them. */

#define UPCR_NETWORK

#include "runtime/host/host.h"

/* Each simulated process and thread has its own. */
static __thread int own_thread, own_first, own_count;
#undef MYTHREAD
#define MYTHREAD own_thread
#undef UPCR_FIRST_THREAD
#define UPCR_FIRST_THREAD own_first
#undef UPCR_OWN_THREADS
#define UPCR_OWN_THREADS own_count

#include "runtime/io/network/stage.c"
#include "runtime/net/engine.h"
#include "runtime/net/self.h"
#include "tests/unit/require.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
  MOST_PROCESSES = 9,
  MOST_THREADS = 12,
  CALLS = 20
};

/* What each process knows of the file. */
static struct upcr_file *files[MOST_PROCESSES];
static pthread_mutex_t locks[MOST_PROCESSES];

static int processes, threads;
static bool all_wait;

/* How many calls a thread has entered and completed. */
static _Atomic uint32_t reached[MOST_THREADS][UPCR_STAGES];
static _Atomic int left;

void
upcr_file_visit (uint32_t number, void (*function) (struct upcr_file *, void *), void *argument)
{
  int rank = upcr_net_place ().rank;

  pthread_mutex_lock (&locks[rank]);
  if (files[rank]->tree.number == number)
    function (files[rank], argument);
  pthread_mutex_unlock (&locks[rank]);
}

void
upcr_await_change (_Atomic uint32_t *word, uint32_t seen)
{
  unsigned looks = 0;

  while (*word == seen)
    upcr_net_relax (&looks);
}

/* The threads of this test have stored nothing by messages. */
void
upcr_flush (void)
{
}

/* Thread 1 waits in some calls alone, unless all wait in all: so others are calls ahead of who waits. */
static void
call (uint32_t number)
{
  struct upcr_file *file = files[upcr_net_place ().rank];

  for (int stage = 0; stage < UPCR_STAGES; stage++)
    {
      bool waits = all_wait || (MYTHREAD == 1 && number % 3 == 0);

      reached[MYTHREAD][stage] = number;
      upcr_file_reach (file, stage, "test", waits);
      for (int t = 0; t < threads && waits; t++)
        REQUIRE (!is_behind (reached[t][stage], number));
    }
}

static void *
run_thread (void *number)
{
  int thread = (int) (intptr_t) number, rank = upcr_net_process_of (threads, processes, thread);
  struct upcr_net_range range = upcr_net_range (threads, processes, rank);
  unsigned looks = 0;

  upcr_self_enter (rank);
  own_thread = thread;
  own_first = range.first;
  own_count = range.count;
  for (uint32_t i = 1; i <= CALLS; i++)
    call (i);
  left--;
  while (left > 0 || atomic_load (&files[rank]->reached_by_all[UPCR_STAGE_COMPLETE]) != CALLS)
    upcr_net_relax (&looks);
  return NULL;
}

static void
run (int size, int count, unsigned seed)
{
  pthread_t made[MOST_THREADS];

  processes = size;
  threads = left = count;
  memset (reached, 0, sizeof reached);
  for (int p = 0; p < size; p++)
    {
      pthread_mutex_init (&locks[p], NULL);
      files[p] = aligned_alloc (64, sizeof *files[p] + MOST_THREADS * sizeof *files[p]->parts);
      memset (files[p], 0, sizeof *files[p] + MOST_THREADS * sizeof *files[p]->parts);
      files[p]->tree.number = 3;
    }
  upcr_serve_files ();
  upcr_self_begin (size, seed, seed % 5 + 1);
  for (int t = 0; t < count; t++)
    assert_int_equal (pthread_create (&made[t], NULL, run_thread, (void *) (intptr_t) t), 0);
  for (int t = 0; t < count; t++)
    pthread_join (made[t], NULL);
  /* Of what is reached that nobody waits for some may be on its way. */
  upcr_self_end ();
  for (int p = 0; p < size; p++)
    free (files[p]);
}

static void
who_waits_goes_on_when_all_have_come (void **state)
{
  static const int shapes[][2] = { { 1, 3 }, { 2, 2 }, { 3, 4 }, { 5, 7 }, { 9, 12 } };

  (void) state;
  for (int wait = 0; wait < 2; wait++)
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      {
        all_wait = wait;
        run (shapes[i][0], shapes[i][1], 7 * i + wait + 1);
      }
}

/* Two up the tree and two down it for each call, of each process but the root. */
static void
a_call_takes_four_messages (void **state)
{
  uint64_t sent = 0;

  (void) state;
  all_wait = true;
  run (7, 7, 1);
  for (int p = 0; p < processes; p++)
    sent += upcr_self_sent (p).messages;
  assert_int_equal (sent, 4 * CALLS * (processes - 1));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (who_waits_goes_on_when_all_have_come),
    cmocka_unit_test (a_call_takes_four_messages),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
