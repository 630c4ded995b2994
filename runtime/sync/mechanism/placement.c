/* CPU placement.

   field               written by                 read by     order
   placements[t].cpu   thread t                   all         relaxed: a hint
   placements[t].tid   thread t, once             all         relaxed
   placements[t].next  thread t                   thread t    its own
   load[c]             who comes to c or leaves   all         relaxed RMW: a hint
   fair_share          who counts CPUs            all         relaxed
   restricted[t]       thread t                   thread t    its own
   moving              a thread that moves        all         acquire, release

   To move is to narrow the thread's own affinity mask to the new CPU, and to set it back
   at once. Where there is a CPU for each thread, one thread at a time moves, so that two that
   share a CPU do not both leave it, and the CPUs of all threads together stay those of the
   run; where there are fewer, as many as find room. A mask that anybody sets meanwhile is
   left alone.

   Threads that the program made have no placement. */

#include "runtime/sync/mechanism/placement.h"

#include "runtime/host/host.h"
#include "runtime/sync/mechanism/kernel.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* A move takes some tens of microseconds. In oversubscribed runs other programs may make
   the kernel's mind differ: longer. */
enum
{
  MOVE_NS = 1000000,
  BALANCE_NS = 20000000
};

/* CPU as number + 1, 0: not known. */
static struct
{
  _Alignas(64) _Atomic uint32_t cpu;
  _Atomic uint32_t tid;
  uint64_t next_move_ns;
} placements[UPCR_MAX_THREADS];

/* The threads recorded on each CPU, and how many are fair. */
static _Atomic uint32_t load[CPU_SETSIZE];
static _Atomic uint32_t fair_share;
static cpu_set_t restricted[UPCR_MAX_THREADS];
static int threads_of_run;
static atomic_flag moving = ATOMIC_FLAG_INIT;

void
upcr_placement_init (int threads)
{
  threads_of_run = threads;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    atomic_init (&load[cpu], 0);
  for (int t = 0; t < threads; t++)
    {
      atomic_init (&placements[t].cpu, 0);
      atomic_init (&placements[t].tid, 0);
      placements[t].next_move_ns = 0;
    }
}

void
upcr_placement_set_cpus (int cpus)
{
  atomic_store_explicit (&fair_share, (threads_of_run + cpus - 1) / cpus, memory_order_relaxed);
}

static int
recorded_cpu (void)
{
  return (int) atomic_load_explicit (&placements[MYTHREAD].cpu, memory_order_relaxed) - 1;
}

/* To CPU, where the thread is counted already. */
static void
change_place (int cpu)
{
  int before = recorded_cpu ();

  if (before >= 0)
    atomic_fetch_sub_explicit (&load[before], 1, memory_order_relaxed);
  atomic_store_explicit (&placements[MYTHREAD].cpu, cpu + 1, memory_order_relaxed);
}

void
upcr_record_cpu (void)
{
  int cpu;

  if (!upcr_is_upc_thread ())
    return;
  cpu = upcr_kernel.cpu ();
  if (cpu >= CPU_SETSIZE)
    cpu = -1;
  if (cpu != recorded_cpu ())
    {
      if (cpu >= 0)
        atomic_fetch_add_explicit (&load[cpu], 1, memory_order_relaxed);
      change_place (cpu);
    }
  if (atomic_load_explicit (&placements[MYTHREAD].tid, memory_order_relaxed) == 0)
    atomic_store_explicit (&placements[MYTHREAD].tid, gettid (), memory_order_relaxed);
}

/* The first thread from FIRST on, but the calling one, that is recorded on CPU; -1: none. */
static int
next_on (int cpu, int first)
{
  for (int t = first; t < threads_of_run; t++)
    if (t != MYTHREAD
        && atomic_load_explicit (&placements[t].cpu, memory_order_relaxed) == (uint32_t) cpu + 1)
      return t;
  return -1;
}

bool
upcr_shares_cpu (void)
{
  upcr_record_cpu ();
  return upcr_is_upc_thread () && recorded_cpu () >= 0 && next_on (recorded_cpu (), 0) >= 0;
}

int
upcr_count_usable_cpus (void)
{
  cpu_set_t all, one;

  CPU_ZERO (&all);
  for (int t = 0; t < threads_of_run; t++)
    {
      pid_t tid = atomic_load_explicit (&placements[t].tid, memory_order_relaxed);
      if (tid == 0)
        return 0;
      /* One that has ended has no mask. */
      if (upcr_kernel.get_mask (tid, &one))
        CPU_OR (&all, &all, &one);
    }
  return CPU_COUNT (&all);
}

/* Records tell where threads were when they last waited for long: ask the kernel. */
static bool
is_needed_by_other (int cpu)
{
  for (int t = next_on (cpu, 0); t >= 0; t = next_on (cpu, t + 1))
    {
      pid_t tid = atomic_load_explicit (&placements[t].tid, memory_order_relaxed);
      if (tid != 0 && upcr_kernel.runs_on (tid) == cpu)
        return true;
    }
  return false;
}

/* The next CPU of MASK behind CPU where no thread is recorded; -1: none. */
static int
free_cpu (const cpu_set_t *mask, int cpu)
{
  for (int i = 1; i < CPU_SETSIZE; i++)
    {
      int other = (cpu + i) % CPU_SETSIZE;
      if (CPU_ISSET (other, mask) && next_on (other, 0) < 0)
        return other;
    }
  return -1;
}

/* Is MASK all that the kernel gives to who asks for all? Then nobody restricted the thread,
   as far as that can be told. A mask that was a restriction once is not asked about again. */
static bool
is_whole (const cpu_set_t *mask, const cpu_set_t *all)
{
  cpu_set_t *restriction = &restricted[MYTHREAD], widest;

  if (CPU_EQUAL (mask, restriction) || !upcr_kernel.set_mask (all))
    return false;
  if (upcr_kernel.get_mask (0, &widest) && CPU_EQUAL (&widest, mask))
    return true;
  *restriction = *mask;
  upcr_kernel.set_mask (mask);
  return false;
}

/* A thread that nobody restricted may use all CPUs of its cpuset, also those that it gets
   later: it asks for all again, not for those that there are now. */
static bool
narrow_and_widen (int cpu, const cpu_set_t *mask)
{
  cpu_set_t all, narrow, now;
  bool was_whole;

  memset (&all, 0xff, sizeof all);
  CPU_ZERO (&narrow);
  CPU_SET (cpu, &narrow);
  was_whole = is_whole (mask, &all);
  if (!upcr_kernel.set_mask (&narrow))
    return false;
  if (upcr_kernel.get_mask (0, &now) && CPU_EQUAL (&now, &narrow))
    upcr_kernel.set_mask (was_whole ? &all : mask);
  return true;
}

/* A handler of a signal that ran meanwhile, or a process that it made, would find the narrow
   mask. */
static bool
go_to (int cpu, const cpu_set_t *mask)
{
  sigset_t all, old;
  bool has_moved;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  has_moved = narrow_and_widen (cpu, mask);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  return has_moved;
}

static bool
leave_shared_cpu (void)
{
  cpu_set_t mask;
  int cpu = recorded_cpu (), other;

  if (!is_needed_by_other (cpu) || !upcr_kernel.get_mask (0, &mask))
    return false;
  other = free_cpu (&mask, cpu);
  if (other < 0 || !go_to (other, &mask))
    return false;
  upcr_record_cpu ();
  return true;
}

bool
upcr_move_to_free_cpu (void)
{
  uint64_t now_ns = upcr_kernel.now_ns ();
  bool has_moved;

  if (now_ns < placements[MYTHREAD].next_move_ns
      || atomic_flag_test_and_set_explicit (&moving, memory_order_acquire))
    return false;
  placements[MYTHREAD].next_move_ns = now_ns + MOVE_NS;
  has_moved = leave_shared_cpu ();
  atomic_flag_clear_explicit (&moving, memory_order_release);
  return has_moved;
}

static uint32_t
load_of (int cpu)
{
  return atomic_load_explicit (&load[cpu], memory_order_relaxed);
}

/* Some more than the share is no reason to move: the kernel never has it exactly. */
static bool
is_overloaded (int cpu)
{
  uint32_t most = atomic_load_explicit (&fair_share, memory_order_relaxed);

  return cpu >= 0 && load_of (cpu) > most + most / 8;
}

/* The CPU of MASK with the fewest threads, where there is room for one; -1: none. */
static int
least_loaded_cpu (const cpu_set_t *mask)
{
  uint32_t fewest = atomic_load_explicit (&fair_share, memory_order_relaxed);
  int found = -1;

  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, mask) && load_of (cpu) < fewest)
      {
        fewest = load_of (cpu);
        found = cpu;
      }
  return found;
}

/* The thread counts itself before it goes, so that no more go there than have room. */
static bool
reserve (int cpu)
{
  if (atomic_fetch_add_explicit (&load[cpu], 1, memory_order_relaxed)
      < atomic_load_explicit (&fair_share, memory_order_relaxed))
    return true;
  atomic_fetch_sub_explicit (&load[cpu], 1, memory_order_relaxed);
  return false;
}

void
upcr_balance_load (void)
{
  cpu_set_t mask;
  uint64_t now_ns;
  int cpu;

  upcr_record_cpu ();
  if (!is_overloaded (recorded_cpu ())
      || (now_ns = upcr_kernel.now_ns ()) < placements[MYTHREAD].next_move_ns
      || !upcr_kernel.get_mask (0, &mask) || (cpu = least_loaded_cpu (&mask)) < 0 || !reserve (cpu))
    return;
  placements[MYTHREAD].next_move_ns = now_ns + BALANCE_NS;
  change_place (cpu);
  go_to (cpu, &mask);
  upcr_record_cpu ();
}
