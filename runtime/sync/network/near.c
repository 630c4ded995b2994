/* Memory that near processes have in common, and waiting for its words.

   If all processes are near, a waiting thread looks at the word, and now and then for messages. Then it
   yields the CPU; then it sleeps, until the word changes or some time has passed: another process may have
   ended the run. With more threads than CPUs on the node it sleeps soon. If there are processes that are
   not near, it looks for their requests all the time, as threads that wait for them do
   (runtime/net/wait.c).

   A long wait is recorded (mechanism/sleep.h): threads that only wait do nothing else but deliver
   messages.

   A thread that goes to sleep counts itself, then looks at the word once more. A thread that changes the
   word does so, then looks whether anybody sleeps. So one of the two sees the other (seq_cst). */

#include "runtime/sync/network/near.h"

#include "runtime/arch/arch.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/mechanism/sleep.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum
{
  SPINS = 4000,
  SPINS_A_LOOK = 64, /* for messages */
  YIELDS = 200,
  OVERSUBSCRIBED_YIELDS = 4,
  LONG_LOOKS = 100, /* so many are a long wait */
  NAP_S = 1         /* the progress thread looks for what others say meanwhile */
};

UPCR_PER_PROCESS struct upcr_near *upcr_near;
UPCR_PER_PROCESS int upcr_near_first, upcr_near_threads;

size_t
upcr_near_bytes (void)
{
  return sizeof (struct upcr_near);
}

void
upcr_near_init (void)
{
  struct upcr_net_place place = upcr_net_place ();
  struct upcr_net_range first = upcr_net_range (THREADS, place.size, place.first_near);
  void *memory;

  if (place.near > 1)
    memory = upcr_net_map (place.first_near, NULL, upcr_partitions_bytes (first.count),
                           sizeof *upcr_near);
  else
    memory = mmap (NULL, sizeof *upcr_near, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                   0);
  if (memory == MAP_FAILED)
    upcr_usage_error ("no memory for what processes have in common: %s", strerror (errno));
  upcr_near = memory;
  upcr_near_first = upcr_net_near_range (THREADS).first;
  upcr_near_threads = upcr_net_near_range (THREADS).count;
}

static bool
has_changed (struct upcr_near_word *word, uint32_t seen)
{
  return atomic_load_explicit (&word->value, memory_order_acquire) != seen;
}

/* The NAPS-th one. The hooks are there in one process (watch.c). */
static void
sleep_on (struct upcr_near_word *word, uint32_t seen, unsigned naps)
{
  const struct upcr_sleep_hooks *hooks = upcr_sleep_hooks;
  struct timespec nap = { .tv_sec = NAP_S }, limit;
  int before = errno, error = 0;

  if (hooks && hooks->limit (naps, &limit))
    nap = limit;
  atomic_fetch_add (&word->sleepers, 1);
  if (atomic_load (&word->value) == seen
      && syscall (SYS_futex, &word->value, FUTEX_WAIT, seen, &nap, NULL, 0) < 0)
    error = errno;
  errno = before;
  atomic_fetch_sub_explicit (&word->sleepers, 1, memory_order_relaxed);
  if (hooks && error == ETIMEDOUT)
    hooks->timed_out ();
}

static void
await_near (struct upcr_near_word *word, uint32_t seen)
{
  for (int i = upcr_net_is_oversubscribed ? SPINS : 0; i < SPINS; i++)
    {
      if (has_changed (word, seen))
        return;
      upcr_pause ();
      if (i % SPINS_A_LOOK == SPINS_A_LOOK - 1)
        upcr_net_look ();
    }
  for (int i = 0, yields = upcr_net_is_oversubscribed ? OVERSUBSCRIBED_YIELDS : YIELDS;
       !has_changed (word, seen); i++)
    {
      upcr_net_look ();
      if (has_changed (word, seen))
        break;
      if (i == yields)
        upcr_sleep_begins (&word->value, seen);
      if (i < yields)
        sched_yield ();
      else
        sleep_on (word, seen, i - yields);
    }
  upcr_sleep_ends ();
}

void
upcr_await_change (_Atomic uint32_t *word, uint32_t seen)
{
  unsigned looks = 0;

  for (unsigned i = 0; atomic_load_explicit (word, memory_order_acquire) == seen; i++)
    {
      if (i == LONG_LOOKS)
        upcr_sleep_begins (word, seen);
      upcr_net_relax (&looks);
    }
  upcr_sleep_ends ();
}

void
upcr_near_await (struct upcr_near_word *word, uint32_t seen)
{
  if (upcr_are_all_near ())
    await_near (word, seen);
  else
    upcr_await_change (&word->value, seen);
}

void
upcr_near_set (struct upcr_near_word *word, uint32_t value)
{
  atomic_store (&word->value, value);
  if (atomic_load (&word->sleepers) > 0)
    syscall (SYS_futex, &word->value, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}
