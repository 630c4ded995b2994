/* How what processes send and keep grows with their count: each operation by up to 1,024 processes, on the engine in
   one process. Each has one thread and shares memory with none, as one process of each node does.

   docs/cluster.md has the laws that are asserted here, and what they come to for 10,000 processes. */

#define UPCR_NETWORK

#include "tests/unit/net/per_process.h"

#include "runtime/coll/coll.h"
#include "runtime/coll/network/blocks.h"
#include "runtime/coll/network/letters.h"
#include "runtime/coll/operator.h"
#include "runtime/net/engine.h"
#include "runtime/net/self.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"
#include "tests/unit/child.h"
#include "tests/unit/require.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

enum
{
  MOST_PROCESSES = UPCR_SELF_PROCESSES,
  MOST_IN_TURN = 128,  /* where their time grows with the square of the count */
  AT = 4096,           /* where each partition has memory, … */
  PART_BYTES = 1 << 18 /* … and how much: two blocks for each process */
};

/* What runtime/shared/network/remote.c has for programs: a thread's partition is its process's. */

int16_t upcr_processes[UPCR_MAX_THREADS];

int
upcr_process_at (const volatile void *address, size_t bytes)
{
  (void) bytes;
  return (int) (((uintptr_t) address - UPCR_SEGMENT_BASE) / UPCR_STRIDE);
}

char *
upcr_mailbox (int thread)
{
  (void) thread;
  upcr_fatal ("no mailbox is needed");
}

void
upcr_load (void *value, const void *shared, size_t bytes)
{
  upcr_net_open open = 0;

  upcr_net_get (upcr_process_at (shared, bytes), value, shared, bytes, &open);
  upcr_net_await (&open);
}

void
upcr_store (void *shared, const void *value, size_t bytes)
{
  upcr_net_open open = 0;

  upcr_net_put (upcr_process_at (shared, bytes), shared, value, bytes, &open);
  upcr_net_await (&open);
}

/* For what processes share. */
size_t
upcr_partitions_bytes (int threads)
{
  (void) threads;
  return 0;
}

void
upcr_flush (void)
{
}

static char *
partition (int thread)
{
  return (char *) (UPCR_SEGMENT_BASE + thread * UPCR_STRIDE + AT);
}

/* The operations. Each process calls each once; `words` of its partition are its own. */

static uint64_t *
words (void)
{
  return (uint64_t *) partition (MYTHREAD);
}

static uint64_t *
received (void)
{
  return words () + PART_BYTES / 2 / sizeof (uint64_t);
}

static void
nothing (void)
{
}

static void
barrier (void)
{
  upcr_collective_barrier ("a barrier");
}

static void
agree (void)
{
  struct upcr_broadcast mine = { "upc_all_alloc", { MYTHREAD + 1, 8 }, upcr_pts_null () };

  REQUIRE (upcr_broadcast_from_0 (&mine)->arguments[0] == 1);
}

static struct upcr_coll
call_of (enum upcr_coll_kind kind)
{
  words ()[0] = MYTHREAD + 1;
  return (struct upcr_coll){ .what = "test",
                             .kind = kind,
                             .src = (char *) words (),
                             .dst = (char *) received (),
                             .bytes = sizeof (uint64_t) };
}

static void
broadcast (void)
{
  struct upcr_coll call = call_of (UPCR_BROADCAST);

  upcr_move_by_letters (&call);
  REQUIRE (received ()[0] == 1);
}

static void
reduce_with (enum upcr_coll_kind kind)
{
  struct upcr_coll call = { .what = "test",
                            .kind = kind,
                            .src = words (),
                            .dst = received (),
                            .count = THREADS,
                            .op = upcr_operator_of (UPCR_UL, UPC_ADD),
                            .source = { .block = 1 } };

  words ()[0] = MYTHREAD + 1;
  REQUIRE (upcr_is_by_letters (&call));
  upcr_reduce_by_letters (&call);
  if (kind == UPCR_REDUCE_ALL || MYTHREAD == 0)
    REQUIRE (received ()[0] == (uint64_t) THREADS * (THREADS + 1) / 2);
}

static void
reduce (void)
{
  reduce_with (UPCR_REDUCE);
}

static void
reduce_all (void)
{
  reduce_with (UPCR_REDUCE_ALL);
}

static void
broadcast_long (void)
{
  struct upcr_coll call = call_of (UPCR_BROADCAST);

  call.bytes = PART_BYTES / 2;
  upcr_move_by_nodes (&call);
  REQUIRE (received ()[0] == 1);
}

static void
scatter (void)
{
  struct upcr_coll call = call_of (UPCR_SCATTER);

  for (int t = 0; t < THREADS; t++)
    words ()[t] = t + 1;
  upcr_move_by_nodes (&call);
  REQUIRE (received ()[0] == (uint64_t) MYTHREAD + 1);
}

static void
gather (void)
{
  struct upcr_coll call = call_of (UPCR_GATHER);

  upcr_move_by_nodes (&call);
  for (int t = 0; t < THREADS && MYTHREAD == 0; t++)
    REQUIRE (received ()[t] == (uint64_t) t + 1);
}

static void
gather_all (void)
{
  struct upcr_coll call = call_of (UPCR_GATHER_ALL);

  upcr_move_by_nodes (&call);
  for (int t = 0; t < THREADS; t++)
    REQUIRE (received ()[t] == (uint64_t) t + 1);
}

static void
exchange (void)
{
  struct upcr_coll call = call_of (UPCR_EXCHANGE);

  for (int t = 0; t < THREADS; t++)
    words ()[t] = MYTHREAD * 10000 + t;
  upcr_move_by_nodes (&call);
  for (int t = 0; t < THREADS; t++)
    REQUIRE (received ()[t] == (uint64_t) t * 10000 + MYTHREAD);
}

/* Of the next process, as none has all to do. */
static int
neighbour (void)
{
  return (MYTHREAD + 1) % THREADS;
}

static void
get (void)
{
  uint64_t value;

  upcr_load (&value, partition (neighbour ()), sizeof value);
}

static void
put (void)
{
  upcr_store (partition (neighbour ()), &(uint64_t){ 1 }, sizeof (uint64_t));
}

static void
get_long (void)
{
  upcr_load (received (), partition (neighbour ()), PART_BYTES / 2);
}

static void
lock (void)
{
  struct upcr_lock *lock = (struct upcr_lock *) partition (0);

  upcr_lock_acquire (lock);
  upcr_lock_release (lock);
}

static void
reply (struct upcr_net_caller caller, const void *arguments)
{
  upcr_net_reply (caller, arguments, sizeof (uint64_t));
}

/* As upc_global_alloc calls process 0, and upc_free and atomic operations the one that has the memory. */
static void
call_first (void)
{
  uint64_t result, argument = MYTHREAD;
  upcr_net_open open = 0;

  upcr_net_call (0, UPCR_NET_ALLOC, &argument, sizeof argument, &result, &open);
  upcr_net_await (&open);
  REQUIRE (result == argument);
}

/* Processes. */

static void (*operation) (void);
static int running;
static size_t allocated;

#undef calloc
void *
upcr_test_calloc (size_t count, size_t bytes)
{
  allocated += count * bytes;
  return calloc (count, bytes);
}

/* One process at a time runs, until it waits and nothing has come: what runtime/net/wait.c is for otherwise. A thousand
   that look for what comes beside each other would take all day. */

static sem_t turns[MOST_PROCESSES];
bool upcr_net_is_oversubscribed = true;

void
upcr_net_look (void)
{
  int rank = upcr_net_place ().rank;

  if (upcr_net_progress ())
    return;
  sem_post (&turns[(rank + 1) % THREADS]);
  sem_wait (&turns[rank]);
}

void
upcr_net_relax (unsigned *looks)
{
  (void) looks;
  upcr_net_look ();
}

void
upcr_net_await (upcr_net_open *open)
{
  while (*open != 0)
    upcr_net_look ();
}

static void *
run_process (void *number)
{
  int rank = (int) (intptr_t) number;

  sem_wait (&turns[rank]);
  upcr_self_enter (rank);
  upcr_set_own_threads (rank, 1);
  upcr_set_near_threads (rank, 1);
  upcr_near_init ();
  upcr_barrier_init (THREADS);
  operation ();
  running--;
  while (running > 0)
    upcr_net_look ();
  while (upcr_self_has_more ())
    upcr_net_progress ();
  munmap (upcr_near, sizeof *upcr_near);
  sem_post (&turns[(rank + 1) % THREADS]);
  return NULL;
}

static void
run (void (*function) (void))
{
  static pthread_t threads[MOST_PROCESSES];

  upcr_lock_init ((struct upcr_lock *) partition (0), (struct upcr_lock_origin){ 0 });
  operation = function;
  running = THREADS;
  upcr_self_begin (THREADS, 1, 1);
  for (int p = 0; p < THREADS; p++)
    sem_init (&turns[p], 0, p == 0);
  for (intptr_t p = 0; p < THREADS; p++)
    REQUIRE (pthread_create (&threads[p], NULL, run_process, (void *) p) == 0);
  for (int p = 0; p < THREADS; p++)
    pthread_join (threads[p], NULL);
  REQUIRE (upcr_self_end () == 0);
}

/* What one process sends at most, and all of them: one that others ask much shows by its answers. */
static void
check_count (const char *name, void (*function) (void), uint64_t most, uint64_t sum)
{
  uint64_t sent, most_sent = 0, all_sent = 0;

  run (function);
  for (int p = 0; p < THREADS; p++)
    {
      sent = upcr_self_sent (p).messages;
      all_sent += sent;
      if (sent > most_sent)
        most_sent = sent;
    }
  if (most_sent != most || all_sent != sum)
    upcr_fatal ("%d processes: %s: one sends %lu of %lu messages, not %lu of %lu", THREADS, name,
                most_sent, all_sent, most, sum);
}

/* R is the rounds of a barrier, and the levels of a tree. */
static void
check_counts (uint64_t p, uint64_t r)
{
  check_count ("nothing", nothing, 0, 0);
  check_count ("a barrier", barrier, r, p * r);
  check_count ("what thread 0 decides", agree, 2 * r, p * r + p - 1);
  check_count ("broadcast", broadcast, r, p - 1);
  check_count ("broadcast of a long block", broadcast_long, r, p - 1);
  check_count ("reduction", reduce, 1, p - 1);
  check_count ("reduction to all", reduce_all, r, 2 * (p - 1));
  check_count ("scatter", scatter, p - 1, p - 1);
  check_count ("gather", gather, 1, p - 1);
  /* What goes round at the end goes in two pieces. */
  check_count ("gather to all", gather_all, 2 * r - 1, p * r + p - 1 - r);
  check_count ("get", get, 2, 2 * p);
  check_count ("get of a long block", get_long, 2, 2 * p);
  check_count ("put", put, 2, 2 * p);
  check_count ("a call of process 0", call_first, p - 1, 2 * (p - 1));
  if (p > MOST_IN_TURN)
    return;
  check_count ("exchange", exchange, p - 1, p * (p - 1));
  check_count ("lock and unlock", lock, 2 * (p - 1), 4 * (p - 1));
}

static void
start_processes (const void *count)
{
  int processes = *(const int *) count;

  upcr_set_threads (processes);
  upcr_serve_post ();
  upcr_serve_locks ();
  upcr_net_serve (UPCR_NET_ALLOC, reply);
  upcr_self_begin (processes, 1, 1);
  upcr_self_enter (0);
  upcr_net_share (1, 0, 1);
  upcr_net_close_files ();
  if (allocated > 4 * (size_t) processes + 256)
    upcr_fatal ("%d processes: each keeps %zu bytes", processes, allocated);
  for (int p = 0; p < processes; p++)
    {
      upcr_processes[p] = p;
      REQUIRE (mmap (partition (p), PART_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
               != MAP_FAILED);
    }
  check_counts (processes, 32 - __builtin_clz (processes - 1));
}

static void
messages_grow_by_their_laws (void **state)
{
  static const int counts[] = { 2, 16, 128, MOST_PROCESSES };

  (void) state;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    expect_child (start_processes, &counts[i], 0, "");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (messages_grow_by_their_laws),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
