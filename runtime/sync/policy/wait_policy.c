/* The wait policies, and which of them holds.

   field                      written by           read by   order
   upcr_current_wait_policy   who holds counting   all       relaxed: either row will do
   __upc_oversubscribed       who holds counting   all       relaxed
   next_count_ns              who holds counting   all       relaxed: a hint
   counting                   a thread that counts all       acquire, release */

#include "runtime/sync/policy/wait_policy.h"

#include "runtime/host/host.h"
#include "runtime/sync/mechanism/placement.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

/* The policy of each UPC_WAIT, with a CPU for each thread and without.

   With a CPU for each thread a wait spins for about as long as a sleep and a wake-up take,
   some tens of microseconds: a pause takes 10 to 50 ns. No yields: a thread that yields
   gives up the rest of its slice, milliseconds, where another program is there to take it.
   Measured with two threads in barriers beside a program that computes: 0.2 microseconds a
   barrier with 2000 pauses or more, 0.5 with 500, 10 to 200 with yields.

   With fewer CPUs the thread waited for may need this one, so it is yielded at once.
   Measured with a barrier of 8 threads on 2 CPUs: 10 pauses before make it slower by a
   third; without the yields it takes 6 times as long; more than 16 gain nothing and
   burn the slices of threads that have work.

   In the queue of a lock a yield would give a whole slice to a thread that takes the lock
   again and again.

   UPC_WAIT=spin has a budget too: behind it a wait goes on spinning, but recorded as asleep
   for the deadlock detector. */
static const struct upcr_wait_policy policies[][2] = {
  [UPCR_WAIT_ADAPTIVE] = {
    { .spins = 4000, .adapts = true, .sleeps = true,
      .queue_spins = true, .head_looks = 24, .handoff_looks = 500 },
    { .yields = 16, .adapts = true, .sleeps = true,
      .handoff_looks = 16, .head_naps = true },
  },
  [UPCR_WAIT_SPIN] = {
    { .spins = 1 << 20,
      .queue_spins = true, .head_looks = 24, .handoff_looks = 500, .head_rounds = 1000 },
    { .yields = 1 << 14,
      .queue_spins = true, .handoff_looks = 16, .head_rounds = 1000 },
  },
  [UPCR_WAIT_SLEEP] = {
    { .sleeps = true },
    { .sleeps = true },
  },
};

#define MS 1000000ull

/* How often the CPUs are counted at most, and how often the cgroup's quota is read. */
#define COUNT_NS (100 * MS)
#define QUOTA_NS (1000 * MS)

const struct upcr_wait_policy *upcr_current_wait_policy = policies[UPCR_WAIT_ADAPTIVE];
int __upc_oversubscribed;

static int threads_of_run;
static const struct upcr_wait_policy *policies_of_run;
static atomic_flag counting = ATOMIC_FLAG_INIT;
static _Atomic uint64_t next_count_ns;
static uint64_t next_quota_ns; /* under counting */
static int quota;              /* under counting; 0: none */

void
upcr_wait_policy_set_cpus (int cpus)
{
  bool is_oversubscribed = threads_of_run > cpus;

  upcr_placement_set_cpus (cpus);
  __atomic_store_n (&upcr_current_wait_policy, &policies_of_run[is_oversubscribed],
                    __ATOMIC_RELAXED);
  __atomic_store_n (&__upc_oversubscribed, is_oversubscribed, __ATOMIC_RELAXED);
}

void
upcr_wait_policy_init (int threads, int cpus)
{
  threads_of_run = threads;
  policies_of_run = policies[upcr_options.wait];
  quota = 0;
  next_quota_ns = upcr_kernel.coarse_now_ns () + COUNT_NS;
  atomic_init (&next_count_ns, next_quota_ns);
  upcr_wait_policy_set_cpus (cpus);
}

/* errno is left as it was: groups that set no quota have no files of it. */
static void
count_cpus (uint64_t now_ns)
{
  int before = errno, cpus;

  atomic_store_explicit (&next_count_ns, now_ns + COUNT_NS, memory_order_relaxed);
  if (now_ns >= next_quota_ns)
    {
      quota = upcr_cgroup_quota_now ();
      next_quota_ns = now_ns + QUOTA_NS;
    }
  cpus = upcr_count_usable_cpus ();
  errno = before;
  if (quota && quota < cpus)
    cpus = quota;
  if (cpus)
    upcr_wait_policy_set_cpus (cpus);
}

void
upcr_recount_cpus (void)
{
  uint64_t now_ns;

  upcr_record_cpu ();
  now_ns = upcr_kernel.coarse_now_ns ();
  if (now_ns < atomic_load_explicit (&next_count_ns, memory_order_relaxed)
      || atomic_flag_test_and_set_explicit (&counting, memory_order_acquire))
    return;
  count_cpus (now_ns);
  atomic_flag_clear_explicit (&counting, memory_order_release);
}
