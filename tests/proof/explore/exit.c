/* Explores the end of a run: threads that count their ends, the one that waits for them, and the
   meeting of those that a performance tool watches. */

#include "runtime.h"

#include <pthread.h>
#include <semaphore.h>

/* As POSIX has semaphores: a post happens before the wait that it ends. */
static _Atomic uint32_t posts;

static int
post (void)
{
  atomic_fetch_add_explicit (&posts, 1, memory_order_release);
  upcr_unpark_all (&posts);
  return 0;
}

static void
await_post (void)
{
  while (atomic_load_explicit (&posts, memory_order_acquire) == 0)
    upcr_park_while (&posts, 0);
}

#include <unistd.h>

#define sem_post(semaphore) post ()
#define __builtin_thread_pointer() ((void *) (uintptr_t) (explore_self + 1))
#define pause() explore_stop ()
#include "runtime/arch/page.h"
#include "runtime/start/threads.c"
#undef sem_post
#include "runtime/gasp/exit.c"
#include "runtime/gasp/meet.c"

static int data[8];
static _Atomic int enders;
static struct thread table[8];

void
explore_setup (void)
{
  leave_out_diagnosis ();
  /* Bytes of one word, which the explorer does not tell apart: each thread has its own. */
  explore_leave_out (has_arrived, sizeof has_arrived);
}

static void
begin (int threads)
{
  THREADS = threads;
  memset (data, 0, sizeof data);
  memset (has_arrived, 0, sizeof has_arrived);
  atomic_init (&unended, threads - 1);
  atomic_init (&enders, 0);
  memset (table, 0, sizeof table);
  run.threads = table;
  run.pid = getpid ();
}

/* All are POSIX threads of UPC thread 0. */
static void
begin_one (int threads)
{
  begin (threads);
  memset (explore_upc_thread, 0, threads * sizeof *explore_upc_thread);
}

/* What threads have written is there behind the end. */
static void
require_all (void)
{
  for (int t = 1; t < THREADS; t++)
    EXPLORE_REQUIRE (data[t] == 1);
}

static void
await_all (void)
{
  if (MYTHREAD > 0)
    {
      data[MYTHREAD] = 1;
      count_end ();
      return;
    }
  await_post ();
  require_all ();
}

static void
meet (void)
{
  data[MYTHREAD] = 1;
  arrive ();
  wait_for_all ();
  require_all ();
}

/* One goes on, again and again; the others stop. */
static void
claim (void)
{
  upcr_thread_claim_end ();
  EXPLORE_REQUIRE (atomic_fetch_add_explicit (&enders, 1, memory_order_relaxed) == 0);
  upcr_thread_claim_end ();
}

#define CASE(function, threads, begin)                     \
  {                                                        \
#function "_" #threads, threads, begin, function, NULL \
  }
const struct explore_case explore_cases[] = {
  CASE (await_all, 2, begin), CASE (await_all, 3, begin), CASE (meet, 2, begin),
  CASE (meet, 3, begin),      CASE (claim, 2, begin_one), { 0 },
};
