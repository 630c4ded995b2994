/* The net room on the engine in one process: what operations do and count, whatever is late and in whatever
   order messages of several processes come. */

#include "runtime/net/engine.h"
#include "runtime/net/net.h"
#include "runtime/net/self.h"
#include "runtime/shared/shared.h"
#include "tests/unit/net/processes.h"
#include "tests/unit/require.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A get sees what the thread has put before, though nobody waited for that. */
static void
put_and_get (int rank)
{
  upcr_net_open puts = 0, gets = 0;
  int other = (rank + 1) % PROCESSES;

  for (uint64_t i = 1; i <= WORDS; i++)
    {
      uint64_t value = i * 1000 + rank, got = 0;

      upcr_net_put (other, &memory[other][i % WORDS], &value, sizeof value, &puts);
      value = 0;
      upcr_net_get (other, &got, &memory[other][i % WORDS], sizeof got, &gets);
      upcr_net_await (&gets);
      REQUIRE (got == i * 1000 + rank);
    }
  upcr_net_await (&puts);
}

static void
gets_follow_puts (void **state)
{
  (void) state;
  run_seeds (put_and_get);
}

static void
put_long (int rank)
{
  static char bytes[sizeof long_memory[0]], back[sizeof long_memory[0]];
  upcr_net_open open = 0;

  if (rank != 0)
    return;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = i * 7;
  upcr_net_put (1, long_memory[1], bytes, sizeof bytes, &open);
  upcr_net_get (1, back, long_memory[1], sizeof back, &open);
  upcr_net_await (&open);
  REQUIRE (memcmp (bytes, back, sizeof bytes) == 0);
  upcr_net_set (1, long_memory[1], 5, sizeof bytes, &open);
  upcr_net_await (&open);
  REQUIRE (long_memory[1][0] == 5 && long_memory[1][sizeof bytes - 1] == 5);
}

static void
long_ones_go_from_memory_to_memory (void **state)
{
  (void) state;
  run (put_long, 2, 3);
  /* The requests for the put, the get and the set, and what is put; that one may be put, two answers, and what the get
     is of. */
  run (put_long, 2, 1);
  assert_int_equal (upcr_self_sent (0).messages, 4);
  assert_int_equal (upcr_self_sent (0).bytes, sizeof long_memory[0]);
  assert_int_equal (upcr_self_sent (1).messages, 4);
  assert_int_equal (upcr_self_sent (1).bytes, sizeof long_memory[0]);
}

/* Each process sends to each, several in a row, without being asked; whoever receives may be late, or early. */
static void
send_unasked (int rank)
{
  static char given[PROCESSES][PROCESSES][3], got[PROCESSES][PROCESSES][3];
  upcr_net_open open = 0;

  for (int i = 0; i < 3 * PROCESSES; i++)
    {
      int other = (rank + i) % PROCESSES, round = i / PROCESSES;

      given[rank][other][round] = (char) (rank + 10 * other + 50 * round);
      if (other != rank)
        upcr_net_send (other, &given[rank][other][round], 1, &open);
    }
  for (int i = 0; i < 3 * PROCESSES; i++)
    if (i % PROCESSES != rank)
      upcr_net_receive (i % PROCESSES, &got[rank][i % PROCESSES][i / PROCESSES], 1, &open);
  upcr_net_await (&open);
  for (int i = 0; i < 3 * PROCESSES; i++)
    if (i % PROCESSES != rank)
      REQUIRE (got[rank][i % PROCESSES][i / PROCESSES]
               == (char) (i % PROCESSES + 10 * rank + 50 * (i / PROCESSES)));
}

static void
what_is_sent_unasked_comes_in_order (void **state)
{
  (void) state;
  run_seeds (send_unasked);
  assert_int_equal (upcr_self_sent (0).messages, 3 * (PROCESSES - 1));
  assert_int_equal (upcr_self_sent (0).bytes, 3 * (PROCESSES - 1));
}

/* Two processes have neighbouring bits of a byte. */
static void
put_bits (int rank)
{
  unsigned char value[200], mask[200];
  upcr_net_open open = 0;

  if (rank == 0)
    return;
  memset (value, 0xff, sizeof value);
  memset (mask, 1 << rank, sizeof mask);
  upcr_net_put_bits (0, memory[0], value, mask, sizeof mask, &open);
  upcr_net_await (&open);
}

static void
bits_leave_their_neighbours (void **state)
{
  (void) state;
  for (unsigned seed = 1; seed <= 20; seed++)
    {
      run (put_bits, PROCESSES, seed);
      for (int i = 0; i < 200; i++)
        assert_int_equal (((unsigned char *) memory[0])[i], 0x1e);
      assert_int_equal (((unsigned char *) memory[0])[200], 0);
    }
}

/* Each thread is one of this process's here, by its rank. */
static void
join_puts (int rank)
{
  upcr_net_open puts = 0, gets = 0;
  int other = (rank + 1) % PROCESSES;
  uint64_t got[WORDS];

  for (uint64_t round = 1; round <= 5; round++)
    {
      for (uint64_t i = 0; i < WORDS; i++)
        {
          uint64_t value = round * 1000 + i;
          uint16_t half = rank;
          /* One behind the other, then back and forth. */
          uint64_t *at = &memory[other][i < WORDS / 2 ? i : 3 * WORDS / 2 - 1 - i];

          upcr_net_join_put (rank, other, at, &value, sizeof value, &puts);
          upcr_net_join_put (rank, other, (char *) at + 3 * sizeof half, &half, sizeof half, &puts);
          if (i % 7 == 0)
            upcr_net_push (rank);
        }
      upcr_net_push (rank);
      upcr_net_get (other, got, memory[other], sizeof got, &gets);
      upcr_net_await (&gets);
      for (uint64_t i = 0; i < WORDS; i++)
        REQUIRE (got[i < WORDS / 2 ? i : 3 * WORDS / 2 - 1 - i]
                 == round * 1000 + i + ((uint64_t) rank << 48));
    }
  upcr_net_await (&puts);
}

static void
joined_puts_keep_their_order (void **state)
{
  (void) state;
  run_seeds (join_puts);
}

static void
join_many (int rank)
{
  upcr_net_open puts = 0;

  if (rank != 0)
    return;
  for (uint64_t i = 0; i < 1000; i++)
    upcr_net_join_put (0, 1, long_memory[1] + i * sizeof i, &i, sizeof i, &puts);
  upcr_net_push (0);
  upcr_net_await (&puts);
  for (uint64_t i = 0; i < 1000; i++)
    REQUIRE (memcmp (long_memory[1] + i * sizeof i, &i, sizeof i) == 0);
}

/* 8000 bytes one behind the other are two messages, for stores that are joined have no heads of their own. */
static void
neighbours_are_one_message (void **state)
{
  (void) state;
  run (join_many, 2, 1);
  assert_int_equal (upcr_self_sent (0).messages, 2);
  assert_int_equal (upcr_self_sent (0).bytes, 8000 + 2 * 8);
}

static _Atomic int added;

static void
add (struct upcr_net_caller caller, const void *arguments)
{
  added += *(const int *) arguments;
  upcr_net_reply (caller, arguments, sizeof (int));
}

static void
join_calls (int rank)
{
  upcr_net_open calls = 0;

  for (int i = 1; i <= 600; i++)
    upcr_net_join_call (rank, 0, UPCR_NET_ATOMIC, &i, sizeof i, &calls);
  upcr_net_push (rank);
  upcr_net_await (&calls);
}

static void
joined_calls_are_made (void **state)
{
  (void) state;
  upcr_net_serve (UPCR_NET_ATOMIC, add);
  added = 0;
  run (join_calls, PROCESSES, 4);
  assert_int_equal (added, PROCESSES * 600 * 601 / 2);
}

/* Left by a thread that does something else; what it stores then comes later all the same. */
static void
leave_puts (int rank)
{
  upcr_net_open puts = 0, gets = 0;
  uint64_t got;

  if (rank != 1)
    return;
  for (uint64_t i = 1; i <= 200; i++)
    {
      upcr_net_join_put (0, 0, &memory[0][0], &i, sizeof i, &puts);
      if (i % 3 == 0)
        {
          upcr_net_push_left ();
          upcr_net_push_left ();
        }
    }
  upcr_net_push (0);
  upcr_net_get (0, &got, &memory[0][0], sizeof got, &gets);
  upcr_net_await (&gets);
  REQUIRE (got == 200);
  upcr_net_join_put (0, 0, &memory[0][1], &got, sizeof got, &puts);
  upcr_net_push_left ();
  REQUIRE (puts == 1);
  upcr_net_push_left ();
  upcr_net_await (&puts);
  REQUIRE (memory[0][1] == 200);
  upcr_net_push (0); /* the next run counts with a variable of its own */
}

static void
what_is_left_goes_by_itself (void **state)
{
  (void) state;
  run_seeds (leave_puts);
}

static struct upcr_net_caller waiting[PROCESSES];
static int count_waiting;

/* Replies to all once all have called. */
static void
meet (struct upcr_net_caller caller, const void *arguments)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int sum = *(const int *) arguments;

  pthread_mutex_lock (&lock);
  waiting[count_waiting++] = caller;
  if (count_waiting == PROCESSES)
    {
      for (int i = 0; i < PROCESSES; i++)
        upcr_net_reply (waiting[i], &sum, sizeof sum);
      count_waiting = 0;
    }
  pthread_mutex_unlock (&lock);
}

static void
call (int rank)
{
  upcr_net_open open = 0;
  int argument = 7, result = 0;

  (void) rank;
  for (int i = 0; i < 10; i++)
    {
      upcr_net_call (0, UPCR_NET_LOCK, &argument, sizeof argument, &result, &open);
      upcr_net_await (&open);
      REQUIRE (result == 7);
    }
}

static void
services_may_reply_later (void **state)
{
  (void) state;
  upcr_net_serve (UPCR_NET_LOCK, meet);
  run_seeds (call);
}

static void
cross_barriers (int rank)
{
  for (int round = 0; round < 30; round++)
    {
      struct upcr_net_most most = { { rank * round, -rank } };
      unsigned looks = 0;

      /* A neighbour may be a round ahead when it is looked at. */
      __atomic_store_n (&memory[rank][0], round, __ATOMIC_RELAXED);
      upcr_net_barrier_begin (most);
      while (!upcr_net_barrier_try (&most))
        upcr_net_relax (&looks);
      REQUIRE (most.value[0] == (PROCESSES - 1) * round && most.value[1] == 0);
      REQUIRE (__atomic_load_n (&memory[(rank + 1) % PROCESSES][0], __ATOMIC_RELAXED)
               >= (uint64_t) round);
    }
}

static void
barriers_agree (void **state)
{
  (void) state;
  run_seeds (cross_barriers);
}

/* How far process 0's clock is ahead. */
static uint64_t ahead;

static void
tell_other_clock (struct upcr_net_caller caller, const void *arguments)
{
  uint64_t now = upcr_ticks_now () + ahead;

  (void) arguments;
  upcr_net_reply (caller, &now, sizeof now);
}

static void
compare_clocks (int rank)
{
  struct upcr_net_moment moment;
  bool differ;

  if (rank == 0)
    return;
  differ = upcr_net_compare_clocks (&moment);
  REQUIRE (differ == (ahead != 0));
  REQUIRE (moment.first - moment.own + moment.width / 2 - ahead <= moment.width);
}

static void
clocks_are_compared (void **state)
{
  (void) state;
  ahead = 0;
  upcr_net_serve_clock ();
  run (compare_clocks, 2, 1);
  upcr_net_serve (UPCR_NET_CLOCK, tell_other_clock);
  ahead = (uint64_t) 1 << 50;
  run (compare_clocks, 3, 2);
  ahead = -ahead;
  run (compare_clocks, 2, 3);
}

static _Atomic unsigned heard;

/* It is not done while this runs, whatever else is. */
static void
hear (struct upcr_net_caller caller, const void *arguments)
{
  struct upcr_net_tells tells = upcr_net_count_tells ();

  (void) caller, (void) arguments;
  REQUIRE (tells.done < tells.begun);
  heard++;
}

/* Besides calls and joined calls, which are not counted. */
static void
tell_all (int rank)
{
  upcr_net_open calls = 0, joined = 0;
  int argument = 1, result;
  unsigned looks = 0;

  for (int i = 0; i < 20; i++)
    {
      upcr_net_call (0, UPCR_NET_ATOMIC, &argument, sizeof argument, &result, &calls);
      upcr_net_join_call (rank, 0, UPCR_NET_ATOMIC, &argument, sizeof argument, &joined);
      for (int p = 0; p < PROCESSES; p++)
        if (p != rank)
          upcr_net_tell (p, UPCR_NET_POST, &argument, sizeof argument);
    }
  upcr_net_push (rank);
  upcr_net_await (&calls);
  upcr_net_await (&joined);
  while (heard < 20 * PROCESSES * (PROCESSES - 1))
    upcr_net_relax (&looks);
}

/* As the proof of a deadlock asks: all that are begun are done at the end, and not before they are. */
static void
tells_are_counted (void **state)
{
  (void) state;
  upcr_net_serve (UPCR_NET_POST, hear);
  upcr_net_serve (UPCR_NET_ATOMIC, add);
  for (unsigned seed = 1; seed <= 20; seed++)
    {
      struct upcr_net_tells before = upcr_net_count_tells (), after;

      heard = 0;
      run (tell_all, PROCESSES, seed);
      after = upcr_net_count_tells ();
      assert_int_equal (heard, 20 * PROCESSES * (PROCESSES - 1));
      assert_int_equal (after.begun - before.begun, heard);
      assert_int_equal (after.done - before.done, heard);
    }
}

static void
threads_are_dealt_out (void **state)
{
  static const int cases[][2] = { { 1, 1 }, { 4, 3 },     { 8, 2 },
                                  { 7, 7 }, { 1024, 33 }, { 1000, 999 } };

  (void) state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      int threads = cases[i][0], size = cases[i][1], next = 0;

      for (int rank = 0; rank < size; rank++)
        {
          struct upcr_net_range range = upcr_net_range (threads, size, rank);

          assert_int_equal (range.first, next);
          assert_true (range.count >= threads / size && range.count <= threads / size + 1);
          for (int t = range.first; t < range.first + range.count; t++)
            assert_int_equal (upcr_net_process_of (threads, size, t), rank);
          next += range.count;
        }
      assert_int_equal (next, threads);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (gets_follow_puts),
    cmocka_unit_test (long_ones_go_from_memory_to_memory),
    cmocka_unit_test (what_is_sent_unasked_comes_in_order),
    cmocka_unit_test (joined_puts_keep_their_order),
    cmocka_unit_test (neighbours_are_one_message),
    cmocka_unit_test (joined_calls_are_made),
    cmocka_unit_test (what_is_left_goes_by_itself),
    cmocka_unit_test (bits_leave_their_neighbours),
    cmocka_unit_test (services_may_reply_later),
    cmocka_unit_test (barriers_agree),
    cmocka_unit_test (clocks_are_compared),
    cmocka_unit_test (tells_are_counted),
    cmocka_unit_test (threads_are_dealt_out),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
