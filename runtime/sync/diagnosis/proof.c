/* The proof of a deadlock, in one process.

   Thread 0 sleeps with a time limit. Whenever that expires, it goes three times over all threads
   that have not ended:

   1. Each sleeps; how often it has begun and ended a sleep is noted.
   2. The process has no other threads, and each thread's word is still the one that it
      sleeps on.
   3. None has begun or ended a sleep since 1.

   So at the end of 1 all slept, and as long as all sleep nobody changes a word: by 2, there is
   nobody else. A word that had changed before would have been seen in 2; and the first thread to
   continue would do so because its word changed. Threads that have ended never come back.

   Doubt is cheap: if anything cannot be determined, there is no deadlock. The kernel compares
   words, by a sleep of zero length: the memory of a word may be gone if its thread has continued
   meanwhile. */

#include "runtime/sync/diagnosis/proof.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/start/start.h"
#include "runtime/sync/diagnosis/signals.h"
#include "runtime/sync/mechanism/proc.h"
#include "runtime/sync/mechanism/sleep.h"

#include <errno.h>
#include <stdlib.h>

/* Tests have another one. */
static const char *process_file = "/proc/self/stat";

/* How many threads the process has; 0: unknown. */
static int
count_threads (void)
{
  struct upcr_stat stat;

  if (!upcr_stat_read (process_file, &stat))
    return 0;
  return atoi (upcr_stat_field (&stat, UPCR_STAT_THREADS));
}

/* The threads of a process that has no others than the UPC threads, those that are left of ended
   ones, and the runtime's own. The initial one, which has ended or not, waits for the others. */
static int
own_threads (void)
{
#ifdef UPCR_TSAN
  /* ThreadSanitizer makes one of its own. */
  int threads = 2;
#else
  int threads = 1;
#endif

  for (int t = 1; t < THREADS; t++)
    threads += !upcr_thread_has_ended (t);
  return threads + upcr_left_threads + upcr_helper_threads;
}

/* The sum of all counts, or 0 when a thread is awake or none is left. Counts only grow,
   so the same sum is the same counts. */
static uint64_t
sum_of_sleeps (void)
{
  uint64_t sum = 0;

  for (int t = 0; t < THREADS; t++)
    if (!upcr_thread_has_ended (t))
      {
        uint32_t sleeps = atomic_load_explicit (&upcr_wait_records[t].sleeps, memory_order_acquire);
        if (!(sleeps & 1))
          return 0;
        sum += sleeps;
      }
  return sum;
}

/* All threads sleep, and others of the process cannot be counted. SUM: of their sleeps. Where it
   is another one than the last time, some were about to wake. */
static void
say_that_it_is_off (uint64_t sum)
{
  static bool is_said;
  static uint64_t last;

  if (sum != last)
    {
      last = sum;
      return;
    }
  if (!is_said)
    upcr_print_message ("note",
                        "all threads wait: without /proc deadlocks are not told from other waits");
  is_said = true;
}

/* The sum of the counts when no thread can go on by itself, else 0. */
static uint64_t
prove (void)
{
  uint64_t sum = sum_of_sleeps ();
  int threads;

  if (sum == 0)
    return 0;
  threads = count_threads ();
  if (threads == 0)
    say_that_it_is_off (sum);
  if (threads != own_threads ())
    return 0;
  for (int t = 0; t < THREADS; t++)
    if (!upcr_thread_has_ended (t) && !upcr_sleeps_on (t))
      return 0;
  return sum_of_sleeps () == sum ? sum : 0;
}

struct upcr_proof
upcr_prove_deadlock (void)
{
  uint64_t sleeps = prove ();

  return (struct upcr_proof){ sleeps, sleeps && upcr_program_handles_signals () };
}
