/* The net room on the engine in one process: what operations do and count, whatever is late and in whatever
   order messages of several processes come. */

#include "runtime/net/engine.h"
#include "runtime/net/net.h"
#include "runtime/net/self.h"
#include "tests/unit/require.h"
#include "runtime/shared/shared.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum
{
  PROCESSES = 5,
  WORDS = 64
};

/* Of each process: what would be its partition. */
static uint64_t memory[PROCESSES][WORDS];
static char long_memory[2][5 * UPCR_BODY_BYTES / 2];

static void (*body) (int rank);
static _Atomic int left;

static void *
run_process (void *rank)
{
  unsigned looks = 0;

  upcr_self_enter ((int) (intptr_t) rank);
  body ((int) (intptr_t) rank);
  /* Others may still ask this process. */
  left--;
  while (left > 0)
    upcr_net_relax (&looks);
  while (upcr_net_progress ())
    ;
  return NULL;
}

static void
run (void (*function) (int rank), int processes, unsigned seed)
{
  pthread_t threads[PROCESSES];

  memset (memory, 0, sizeof memory);
  body = function;
  left = processes;
  upcr_self_begin (processes, seed, seed % 7 + 1);
  for (int p = 0; p < processes; p++)
    assert_int_equal (pthread_create (&threads[p], NULL, run_process, (void *) (intptr_t) p), 0);
  for (int p = 0; p < processes; p++)
    pthread_join (threads[p], NULL);
  assert_int_equal (upcr_self_end (), 0);
}

static void
run_seeds (void (*function) (int rank))
{
  for (unsigned seed = 1; seed <= 20; seed++)
    run (function, PROCESSES, seed);
}

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

/* Elements of two processes in turns, with constant strides, with others, and one twice; the puts before are seen. */
static void
gather_words (int rank)
{
  static const int places[] = { 0, 8, 16, 24, 5, 40, 3, 3, 63 };
  enum
  {
    COUNT = 2 * sizeof places / sizeof *places
  };
  uint64_t got[COUNT], expected[COUNT];
  upcr_net_open open = 0;
  struct upcr_net_gather gather;

  if (rank != 0)
    return;
  for (uint64_t i = 0; i < WORDS; i++)
    for (int p = 1; p < 3; p++)
      upcr_net_put (p, &memory[p][i], &(uint64_t){ i + 1000 * p }, sizeof i, &open);
  upcr_net_gather_begin (&gather, sizeof *got, &open);
  for (int i = 0; i < COUNT; i++)
    {
      int p = 1 + 2 * i / COUNT, place = places[i % (COUNT / 2)];

      expected[i] = place + 1000 * p;
      upcr_net_gather_add (&gather, p, &got[i], &memory[p][place]);
    }
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  REQUIRE (memcmp (got, expected, sizeof got) == 0);
}

static void
gathered_words_go_together (void **state)
{
  (void) state;
  run_seeds (gather_words);
  /* The puts, and one message to each process. */
  run (gather_words, 3, 1);
  assert_int_equal (upcr_self_sent (0).messages, 2 * WORDS + 2);
}

static bool
is_no_multiple_of_7 (const void *address, size_t bytes)
{
  return (((const char *) address - long_memory[1]) % 7 != 0) && bytes == 1;
}

/* COUNT bytes from FIRST on, by STRIDE. Returns whether one may not be accessed. */
static bool
gather_looked_up (char *to, int first, int stride, size_t count)
{
  char is_bad = 0;
  upcr_net_open open = 0;
  struct upcr_net_gather gather;

  upcr_net_gather_begin (&gather, 1, &open);
  gather.is_bad = &is_bad;
  upcr_net_gather_add_run (&gather, 1, to, &long_memory[1][first], stride, count);
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  return is_bad;
}

static void
gather_what_is_looked_up (int rank)
{
  char got[8000] = { 0 };

  if (rank != 0)
    return;
  for (size_t i = 0; i < 60000; i++)
    long_memory[1][i] = 'x';
  upcr_net_hook_look_up (is_no_multiple_of_7);
  REQUIRE (!gather_looked_up (got, 1, 7, 8000) && got[0] == 'x' && got[7999] == 'x');
  memset (got, 0, sizeof got);
  REQUIRE (gather_looked_up (got, 8, 1, 7) && got[0] == 0 && got[6] == 0);
  REQUIRE (gather_looked_up (got, 14, 1, 1) && got[0] == 0);
  REQUIRE (!gather_looked_up (got, 15, 1, 1) && got[0] == 'x');
  REQUIRE (!gather_looked_up (got, 15, 1, 6) && got[5] == 'x' && got[6] == 0);
}

static void
what_may_not_be_accessed_is_not_gathered (void **state)
{
  (void) state;
  run_seeds (gather_what_is_looked_up);
}

/* More than a message has, and runs longer than one may be. */
static void
gather_much (int rank)
{
  static unsigned char got[70000];
  upcr_net_open open = 0;
  struct upcr_net_gather gather;

  if (rank != 0)
    return;
  for (size_t i = 0; i < sizeof got; i++)
    long_memory[1][i] = (char) (i * 13);
  upcr_net_gather_begin (&gather, 1, &open);
  for (size_t i = 0; i < sizeof got; i++)
    upcr_net_gather_add (&gather, 1, &got[i], &long_memory[1][i]);
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  REQUIRE (memcmp (got, long_memory[1], sizeof got) == 0);
}

/* Runs that are longer than an answer, of one element, backwards, and between other elements. */
static void
gather_runs (int rank)
{
  static char got[3 * 20000 + 16];
  upcr_net_open open = 0;
  struct upcr_net_gather gather;
  char *to = got;

  if (rank != 0)
    return;
  for (size_t i = 0; i < 60000; i++)
    long_memory[1][i] = (char) (i * 13 / 7);
  upcr_net_gather_begin (&gather, 1, &open);
  upcr_net_gather_add (&gather, 1, to++, &long_memory[1][5]);
  upcr_net_gather_add_run (&gather, 1, to, &long_memory[1][1], 3, 19000);
  upcr_net_gather_add (&gather, 1, to + 19000, &long_memory[1][6]);
  upcr_net_gather_add (&gather, 1, to + 19001, &long_memory[1][8]);
  upcr_net_gather_add_run (&gather, 1, to + 19002, &long_memory[1][59999], -2, 20000);
  upcr_net_gather_add_run (&gather, 1, to + 39002, &long_memory[1][7], 100, 1);
  upcr_net_gather_add_run (&gather, 1, to + 39003, &long_memory[1][7], 100, 0);
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  REQUIRE (to[-1] == long_memory[1][5] && to[19000] == long_memory[1][6]);
  REQUIRE (to[19001] == long_memory[1][8] && to[39002] == long_memory[1][7] && to[39003] == 0);
  for (int i = 0; i < 19000; i++)
    REQUIRE (to[i] == long_memory[1][1 + 3 * i]);
  for (int i = 0; i < 20000; i++)
    REQUIRE (to[19002 + i] == long_memory[1][59999 - 2 * i]);
}

static void
runs_are_gathered_in_parts (void **state)
{
  (void) state;
  run (gather_runs, 2, 1);
  assert_int_equal (upcr_self_sent (0).messages,
                    (39003 + UPCR_GATHERED_BYTES - 1) / UPCR_GATHERED_BYTES);
  run_seeds (gather_runs);
}

static void
much_is_gathered_in_parts (void **state)
{
  (void) state;
  run (gather_much, 2, 1);
  assert_int_equal (upcr_self_sent (0).messages,
                    (70000 + UPCR_GATHERED_BYTES - 1) / UPCR_GATHERED_BYTES);
  run (gather_much, 2, 3);
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
    cmocka_unit_test (gathered_words_go_together),
    cmocka_unit_test (what_may_not_be_accessed_is_not_gathered),
    cmocka_unit_test (much_is_gathered_in_parts),
    cmocka_unit_test (runs_are_gathered_in_parts),
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
