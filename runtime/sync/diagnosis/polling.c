/* Threads that poll. A loop that waits for another thread changes nothing itself: its registers
   and its stack are the same in each iteration. A loop that computes changes some of them. So a
   thread that is interrupted again and again, and is twice in the same state, polls.

   The first states of a thread that are seen are its references, with which later ones are
   compared. They are kept for the next report. If one of them is seen again then, and the thread
   has not slept in between, it has been in the same loop since. */

#include "runtime/sync/diagnosis/polling.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/sync/mechanism/kernel.h"
#include "runtime/sync/mechanism/sleep.h"

#include <sys/mman.h>
#include <time.h>

enum
{
  ROUNDS = 24,
  REFERENCES = 4
};

/* Where threads wait long for a CPU there are fewer rounds. */
#define MOST_NS 3000000000ull

#define NS_PER_S 1000000000ull

/* What is seen of a thread in a report. */
struct sight
{
  uint64_t references[REFERENCES];
  int count, looks;
  uint32_t sleeps, attempts;
  uint64_t since_ns;
  bool polls;
};

/* Of this report and the one before. Made at the first one: a run has no need of them. */
static struct sight (*sights)[2];

static bool
make_sights (void)
{
  void *memory;

  if (sights)
    return true;
  memory = mmap (NULL, THREADS * sizeof *sights, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  sights = memory;
  return true;
}

static bool
has_reference (const struct sight *sight, uint64_t state)
{
  for (int i = 0; i < sight->count; i++)
    if (sight->references[i] == state)
      return true;
  return false;
}

static uint32_t
sleeps_of (int thread)
{
  return atomic_load_explicit (&upcr_wait_records[thread].sleeps, memory_order_relaxed);
}

static uint32_t
attempts_of (int thread)
{
  return atomic_load_explicit (&upcr_wait_records[thread].attempts, memory_order_relaxed);
}

static void
begin_sight (int thread)
{
  struct sight *now = &sights[thread][0];

  sights[thread][1] = *now;
  *now = (struct sight){ .sleeps = sleeps_of (thread),
                         .attempts = attempts_of (thread),
                         .since_ns = upcr_kernel.now_ns () };
}

static void
take_state (int thread, uint64_t state)
{
  struct sight *now = &sights[thread][0];
  const struct sight *before = &sights[thread][1];

  if (has_reference (now, state))
    now->polls = true;
  else if (now->count < REFERENCES)
    now->references[now->count++] = state;
  if (before->sleeps == now->sleeps && has_reference (before, state))
    now->since_ns = before->since_ns;
}

/* A thread that had no CPU since the last round, as beside other programs, is looked at once more. Who
   watches stands still. */
static void
look_at (int thread)
{
  const struct upcr_sample *sample = upcr_sample_of (thread);
  bool is_watcher = thread == MYTHREAD && upcr_is_upc_thread ();
  bool is_running = sample->is_given && !is_watcher && !upcr_is_asleep (thread);

  if (is_running && !sample->state)
    return;
  sights[thread][0].looks++;
  if (is_running)
    take_state (thread, sample->state);
}

static bool
take_states (void)
{
  if (!upcr_samples_take ())
    return false;
  for (int t = 0; t < THREADS; t++)
    look_at (t);
  upcr_samples_release ();
  return true;
}

static bool
all_are_watched (void)
{
  for (int t = 0; t < THREADS; t++)
    if (sights[t][0].looks < ROUNDS)
      return false;
  return true;
}

void
upcr_polling_watch (void)
{
  static const struct timespec interval = { 0, 1000000 };
  uint64_t end_ns = upcr_kernel.now_ns () + MOST_NS;

  if (!make_sights ())
    return;
  for (int t = 0; t < THREADS; t++)
    begin_sight (t);
  while (!all_are_watched () && upcr_kernel.now_ns () < end_ns && take_states ())
    nanosleep (&interval, NULL);
}

/* A thread that has slept since it was watched has gone on. */
bool
upcr_is_polling (int thread, struct upcr_polling *polling)
{
  const struct upcr_wait_record *record = &upcr_wait_records[thread];
  const struct sight *now = sights ? &sights[thread][0] : NULL;

  if (!now || !now->polls || upcr_is_asleep (thread) || now->sleeps != sleeps_of (thread))
    return false;
  polling->seconds = (upcr_kernel.now_ns () - now->since_ns) / NS_PER_S;
  polling->lock = now->attempts == attempts_of (thread)
                      ? NULL
                      : atomic_load_explicit (&record->lock, memory_order_relaxed);
  return true;
}
