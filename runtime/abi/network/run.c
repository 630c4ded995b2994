/* A run of several processes, from its start to its end: what run.c does, and what the processes agree on.
   Process 0 reads the options first. So errors in them are reported once, and the number of threads is the
   same for all. */

#include "runtime/abi/abi.h"

static __attribute__ ((unused)) void begin_alone (int *argc, char **argv);
static bool end_alone (void);
#define upcr_run_begin begin_alone
#define upcr_run_end end_alone
#include "runtime/abi/run.c"
#undef upcr_run_begin
#undef upcr_run_end

#include "runtime/atomic/atomic.h"
#include "runtime/bupc/bupc.h"
#include "runtime/coll/coll.h"
#include "runtime/io/io.h"
#include "runtime/net/net.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static struct upcr_net_most
agree (int64_t first, int64_t second)
{
  struct upcr_net_most all = { { first, second } };
  unsigned looks = 0;

  upcr_net_barrier_begin (all);
  while (!upcr_net_barrier_try (&all))
    upcr_net_relax (&looks);
  return all;
}

static void
deal_threads (int threads)
{
  struct upcr_net_place place = upcr_net_place ();
  struct upcr_net_range range = upcr_net_range (threads, place.size, place.rank);

  upcr_options.threads = threads;
  upcr_set_threads (threads);
  upcr_set_own_threads (range.first, range.count);
  upcr_know_processes ();
}

static int
threads_of_all (int *argc, char **argv)
{
  struct upcr_net_place place = upcr_net_place ();

  if (place.rank == 0)
    upcr_options_read (upcr_static_threads (), argc, argv);
  if (place.rank == 0 && upcr_options.threads < place.size)
    upcr_usage_error ("too few threads, %d, for %d processes; UPC_THREADS says how many there are",
                      upcr_options.threads, place.size);
  return agree (place.rank == 0 ? upcr_options.threads : 0, 0).value[0];
}

static void
agree_on_segment (void)
{
  int64_t end = upcr_heap_end ();
  struct upcr_net_most most = agree (end, -end);

  if (most.value[0] != -most.value[1] && upcr_net_place ().rank == 0)
    upcr_usage_error (
        "processes have room for shared heaps of different sizes: set UPC_SHARED_HEAP_SIZE");
}

/* As process 0 has it in its environment. The heap is a checked one in all processes if one of them wants it. */
static void
agree_on_checks (void)
{
  struct upcr_net_most all;

  choose_checks ();
  all = agree (upcr_net_place ().rank == 0 ? upcr_options.check : 0, upcr_is_checked);
  upcr_options.check = all.value[0];
  upcr_is_checked = all.value[1];
}

/* As process 0 has it in its environment. */
static void
share_memory (void)
{
  struct upcr_net_place place = upcr_net_place ();
  int wanted = agree (place.rank == 0 ? upcr_options.network_shared : 0, 0).value[0];
  struct upcr_net_range range;

  upcr_net_share (wanted ? wanted : place.size,
                  upcr_partitions_bytes (UPCR_OWN_THREADS) + upcr_near_bytes (), upcr_cpu_count ());
  range = upcr_net_near_range (THREADS);
  upcr_set_near_threads (range.first, range.count);
}

/* A process may be bound to a CPU of its own, and threads of other nodes need none here: what counts is whether
   the threads of this node have one each. */
static int
cpus_for_all (void)
{
  return upcr_net_is_oversubscribed ? 1 : THREADS;
}

static int
describe_other (const void *address, char *buffer, unsigned long bytes)
{
  uintptr_t distance = (uintptr_t) address - UPCR_SEGMENT_BASE;

  if (distance >= (uintptr_t) THREADS * UPCR_STRIDE || upcr_is_near (address))
    return 0;
  snprintf (buffer, bytes,
            "access by a private pointer to shared data of thread %lu, which another process has",
            (unsigned long) (distance / UPCR_STRIDE));
  return 1;
}

/* Libraries below MPI report crashes in their own way, without the thread. */
static void
drop_handlers_of_libraries (void)
{
  static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    signal (signals[i], SIG_DFL);
}

static upcr_describe_address *const all_describers[] = { describe_other, upcr_block_describe,
                                                         upcr_segment_describe, NULL };

void
upcr_run_begin (int *argc, char **argv)
{
  int threads;

  set_program (*argc, argv);
  upcr_net_parent_begin ();
  upcr_net_init ();
  threads = threads_of_all (argc, argv);
  if (upcr_net_place ().rank > 0)
    upcr_options_read (upcr_static_threads (), argc, argv);
  deal_threads (threads);
  upcr_net_parent_tell (threads);
  if (upcr_options.bind == UPCR_BIND_CORE)
    upcr_bind_init ();
  agree_on_checks ();
  share_memory ();
  upcr_segment_init (THREADS, upcr_options.heap_bytes);
  upcr_near_init ();
  upcr_sync_init (THREADS, cpus_for_all ());
  upcr_net_close_files ();
  upcr_serve_heap ();
  upcr_serve_locks ();
  upcr_serve_atomics ();
  upcr_serve_objects ();
  upcr_serve_post ();
  upcr_serve_survey ();
  upcr_net_serve_clock ();
  upcr_serve_calls ();
  if (upcr_serve_files)
    upcr_serve_files ();
  if (upcr_serve_semaphores)
    upcr_serve_semaphores ();
  agree_on_segment ();
  upcr_find_location = upcr_find_caller;
  drop_handlers_of_libraries ();
  upcr_crash_init (all_describers, upcr_tell_process);
  upcr_gasp_init ();
  upcr_net_start ();
}

/* Each process reports what is wrong with its threads and its memory, which others may change until all have ended. */
bool
upcr_run_end (void)
{
  bool is_right;

  upcr_flush_all ();
  if (upcr_is_checked)
    agree (0, 0);
  is_right = end_alone ();
  upcr_net_is_done = true;
  return is_right;
}
