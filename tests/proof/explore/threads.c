/* The threads of an execution: see threads.h. */

#include "threads.h"

#include "memory.h"
#include "search.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum
{
  STACK_BYTES = 64 << 10,
  MOST_STEPS = 2000
};

/* How an execution ends. */
enum
{
  ENDED = 1,
  STOPPED,
  KNOWN
};

enum state
{
  RUNS,
  PAUSES,
  SLEEPS,
  HAS_ENDED
};

static struct thread
{
  enum state state;
  uintptr_t asleep_on;
  bool is_at_point; /* chosen to run, and no operation since but loads */
  uint64_t history;
  uint64_t looked[MOST_LOCATIONS]; /* the times of what it read since its last pause; 0: nothing */
  bool has_begun;
  jmp_buf context;
  ucontext_t first;
  _Alignas(16) char stack[STACK_BYTES];
} threads[MOST_THREADS];

static int count;
static unsigned preemptions;
static int steps;
static void (*thread_body) (void);
static ucontext_t main_context;
static jmp_buf main_jump;

int explore_self = -1;
unsigned threads_most_preemptions = 3;

static bool
has_news (struct thread *thread, int at)
{
  struct location *location = memory_location (at);

  return thread->looked[at] && location->stores[location->count - 1].time > thread->looked[at];
}

static bool
can_run (int t)
{
  if (threads[t].state == PAUSES)
    for (int at = 0; at < memory_count; at++)
      if (has_news (&threads[t], at))
        return true;
  return threads[t].state == RUNS;
}

/* Where all that do not sleep pause, they go on: a wait may look for so long and then do something
   else. */
static bool
end_pauses (void)
{
  bool any = false;

  for (int t = 0; t < count; t++)
    if (threads[t].state == PAUSES)
      {
        threads[t].state = RUNS;
        any = true;
      }
  return any;
}

static uint64_t
state_hash (void)
{
  uint64_t hash = memory_mix (memory_hash (), explore_self);

  for (int t = 0; t < count; t++)
    hash = memory_mix (memory_mix (hash, threads[t].history), threads[t].state);
  return hash;
}

/* Those that can run, the running one first. */
static int
find_runnable (int runnable[MOST_THREADS])
{
  int found = 0;

  if (can_run (explore_self))
    runnable[found++] = explore_self;
  for (int t = 0; t < count; t++)
    if (t != explore_self && can_run (t))
      runnable[found++] = t;
  return found;
}

static bool
all_have_ended (void)
{
  for (int t = 0; t < count; t++)
    if (threads[t].state != HAS_ENDED)
      return false;
  return true;
}

/* Who goes on; ends the execution where nobody does, or where it is known what follows. */
static int
choose_thread (void)
{
  int runnable[MOST_THREADS], found, chosen;
  bool may_stay = can_run (explore_self);

  if (all_have_ended ())
    _longjmp (main_jump, ENDED);
  if (++steps > MOST_STEPS)
    explore_fail ("no end after %d steps", MOST_STEPS);
  if ((found = find_runnable (runnable)) == 0)
    {
      if (!end_pauses ())
        explore_fail ("deadlock: all threads sleep");
      found = find_runnable (runnable);
    }
  if (search_has_seen (state_hash () | 1, preemptions))
    _longjmp (main_jump, KNOWN);
  if (may_stay && preemptions == threads_most_preemptions)
    return explore_self;
  chosen = runnable[search_choose (found)];
  preemptions += may_stay && chosen != explore_self;
  return chosen;
}

void
explore_stop (void)
{
  _longjmp (main_jump, STOPPED);
}

static void
switch_to (int t)
{
  explore_self = t;
  if (threads[t].has_begun)
    _longjmp (threads[t].context, 1);
  threads[t].has_begun = true;
  setcontext (&threads[t].first);
}

static void
give_way (void)
{
  int self = explore_self, next = choose_thread ();

  if (next != self && _setjmp (threads[self].context) == 0)
    switch_to (next);
}

static void
thread_main (void)
{
  thread_body ();
  threads[explore_self].state = HAS_ENDED;
  give_way ();
}

static void
begin_thread (int t)
{
  struct thread *thread = &threads[t];

  thread->state = RUNS;
  thread->has_begun = false;
  thread->is_at_point = true;
  thread->history = t + 1;
  memset (thread->looked, 0, sizeof thread->looked);
  getcontext (&thread->first);
  thread->first.uc_stack.ss_sp = thread->stack;
  thread->first.uc_stack.ss_size = STACK_BYTES;
  thread->first.uc_link = &main_context;
  makecontext (&thread->first, thread_main, 0);
}

bool
threads_run (int n, void (*body) (void))
{
  int how;

  count = n;
  preemptions = 0;
  steps = 0;
  thread_body = body;
  for (int t = 0; t < n; t++)
    begin_thread (t);
  if ((how = _setjmp (main_jump)) == 0)
    {
      explore_self = 0;
      switch_to (choose_thread ());
    }
  explore_self = -1;
  return how == ENDED;
}

void
threads_point (bool is_load)
{
  struct thread *mine = &threads[explore_self];

  if (!mine->is_at_point)
    give_way ();
  mine->is_at_point = is_load;
}

void
threads_did (uint64_t what, uint64_t value)
{
  struct thread *mine = &threads[explore_self];

  mine->history = memory_mix (memory_mix (mine->history, what), value);
}

void
threads_looked (int at, uint64_t time)
{
  threads[explore_self].looked[at] = time;
}

void
threads_stored (void)
{
  memset (threads[explore_self].looked, 0, sizeof threads[explore_self].looked);
}

uint32_t
threads_store_id (void)
{
  return threads[explore_self].history >> 32;
}

/* One of the locations that have news: there, an older store is not read again. Another round
   with the same values would do the same as the last one. */
static void
read_something_new (struct thread *mine)
{
  int news[MOST_LOCATIONS], found = 0, at, i = 0;
  struct location *location;

  for (at = 0; at < memory_count; at++)
    if (has_news (mine, at))
      news[found++] = at;
  if (found == 0)
    return;
  at = news[search_choose (found)];
  location = memory_location (at);
  while (location->stores[i].time <= mine->looked[at])
    i++;
  memory_views[explore_self].least[at] = location->stores[i].time;
  threads_did (location->address, location->stores[i].id);
}

void
explore_pause (void)
{
  struct thread *mine = &threads[explore_self];

  mine->state = PAUSES;
  threads_did (PAUSES, 0);
  give_way ();
  mine->state = RUNS;
  mine->is_at_point = true;
  read_something_new (mine);
  threads_stored ();
}

static int
always_newest (int possibilities)
{
  (void) possibilities;
  return 0;
}

/* The kernel has the sleepers of a word under a lock. So that threads do not rely on more, there
   is nothing else that orders what it does. */
static void
kernel_lock (const _Atomic uint32_t *word)
{
  static char locks[1 << 16];
  char *lock = &locks[(uintptr_t) word / 4 % sizeof locks];
  int at = memory_at (lock, 1);
  struct store *last;

  last = memory_rmw_reads (explore_self, at, NULL, memory_order_acq_rel, memory_order_relaxed,
                           always_newest);
  threads_did ((uintptr_t) word, last->id);
  memory_rmw (explore_self, at, last, 0, threads_store_id (), memory_order_acq_rel);
}

int
explore_futex_wait (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit)
{
  struct thread *mine = &threads[explore_self];
  struct store *store;
  int at;

  if (limit)
    {
      explore_pause ();
      return ETIMEDOUT;
    }
  threads_point (false);
  kernel_lock (word);
  at = memory_at (word, sizeof *word);
  store = memory_load (explore_self, at, memory_order_relaxed, search_choose);
  threads_did ((uintptr_t) word, store->id);
  if ((uint32_t) store->value != seen)
    return EAGAIN;
  mine->state = SLEEPS;
  mine->asleep_on = (uintptr_t) word;
  give_way ();
  mine->is_at_point = true;
  return 0;
}

int
explore_futex_wake (_Atomic uint32_t *word, int most)
{
  threads_point (false);
  kernel_lock (word);
  for (int t = 0; t < count && most > 0; t++)
    if (threads[t].state == SLEEPS && threads[t].asleep_on == (uintptr_t) word)
      {
        threads[t].state = RUNS;
        most--;
      }
  return 0;
}
