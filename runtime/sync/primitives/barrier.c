/* upc_notify, upc_wait, upc_barrier, and the barrier of library functions.

   field                written by    read by        order
   threads[t].notified  thread t      reports, too   relaxed
   threads[t].epoch     thread t      reports, too   relaxed */

#include "runtime/sync/primitives/barrier.h"

#include "runtime/sync/mechanism/fence.h"
#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/primitives/barrier_id.h"
#include "runtime/sync/primitives/tree.h"

#include <stdio.h>

struct upcr_barrier_thread upcr_barrier_threads[UPCR_MAX_THREADS];

static struct upcr_tree program, library;

void
upcr_barrier_init (int threads)
{
  upcr_tree_init (&program, threads, 0);
  upcr_tree_init (&library, threads, 0);
  upcr_barrier_ids_init (threads);
  for (int t = 0; t < threads; t++)
    {
      atomic_init (&upcr_barrier_threads[t].epoch, 0);
      atomic_init (&upcr_barrier_threads[t].notified, false);
    }
}

static void
set_notified (struct upcr_barrier_thread *thread, bool now)
{
  atomic_store_explicit (&thread->notified, now, memory_order_relaxed);
}

static uint32_t
epoch_of (const struct upcr_barrier_thread *thread)
{
  return atomic_load_explicit (&thread->epoch, memory_order_relaxed);
}

/* What precedes an arrival. Returns the phase that the thread is in. */
static uint32_t
begin_phase (struct upcr_barrier_thread *mine, int id)
{
  uint32_t epoch = upcr_tree_epoch (&program);

  atomic_store_explicit (&mine->epoch, epoch, memory_order_relaxed);
  set_notified (mine, true);
  upcr_set_barrier_id (&program, epoch % UPCR_PHASES, id);
  return epoch;
}

static void
arrive (uint32_t epoch)
{
  if (upcr_tree_arrive (&program, epoch))
    {
      upcr_clear_barrier_ids (!(epoch % UPCR_PHASES));
      upcr_tree_release (&program, epoch);
    }
}

void
upcr_notify (int id)
{
  if (upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_notify twice without upc_wait between");
  /* The strict write of upc_notify is the arrival in it. */
  arrive (begin_phase (&upcr_barrier_threads[MYTHREAD], id));
}

bool
upcr_report_notifications (void)
{
  bool is_any = false;

  for (int t = 0; t < THREADS; t++)
    if (upcr_has_notified (t))
      {
        int phase = epoch_of (&upcr_barrier_threads[t]) % UPCR_PHASES;
        char location[UPCR_PLACE_BYTES], line[UPCR_PLACE_BYTES + 64];

        snprintf (line, sizeof line, "thread %d: upc_notify%s without upc_wait at the end", t,
                  upcr_barrier_place (location, t, phase));
        upcr_print_message ("error", line);
        is_any = true;
      }
  return is_any;
}

bool
upcr_barrier_is_over (void)
{
  return atomic_load_explicit (upcr_tree_word (&program), memory_order_acquire)
         != epoch_of (&upcr_barrier_threads[MYTHREAD]);
}

void
upcr_wait (int id)
{
  struct upcr_barrier_thread *mine = &upcr_barrier_threads[MYTHREAD];
  uint32_t epoch;

  if (!upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_wait without upc_notify");
  epoch = epoch_of (mine);
  upcr_set_wait_reason ("upc_wait", NULL);
  upcr_tree_await (&program, epoch);
  upcr_check_barrier_ids (&program, epoch % UPCR_PHASES, id, "upc_wait");
  set_notified (mine, false);
  /* The strict read of upc_wait (B.3.1). Acquiring the epoch is not enough: a
     relaxed write done since upc_notify may sit in the store buffer, and a read
     after upc_wait must not overtake it. */
  upcr_hardware_fence ();
}

/* Without a fence after the wait: nothing of the program lies between it and the
   strict write of the arrival, so no access can be on its wrong side. */
void
upcr_barrier (int id)
{
  struct upcr_barrier_thread *mine = &upcr_barrier_threads[MYTHREAD];
  uint32_t epoch;

  if (upcr_has_notified (MYTHREAD))
    upcr_fatal ("upc_barrier between upc_notify and upc_wait");
  epoch = begin_phase (mine, id);
  upcr_set_wait_reason ("upc_barrier", NULL);
  arrive (epoch);
  upcr_tree_await (&program, epoch);
  upcr_check_barrier_ids (&program, epoch % UPCR_PHASES, id, "upc_barrier");
  set_notified (mine, false);
}

void
upcr_collective_barrier (const char *what)
{
  uint32_t epoch;

  upcr_reject_in_split_phase (what);
  epoch = upcr_tree_epoch (&library);
  if (upcr_tree_arrive (&library, epoch))
    upcr_tree_release (&library, epoch);
  else
    {
      upcr_set_wait_reason (what, NULL);
      upcr_tree_await (&library, epoch);
    }
}
