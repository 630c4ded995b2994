/* The stages of calls that read and write. A thread's own flags say whether it waits for the others;
   in calls with lists they need not be those of the others (7.8.6). So there is no barrier: a thread
   may be several calls ahead of one that waits.

   field                       written by                   read by   order
   parts[t].reached[stage]     thread t                     all       release, acquire, and fences
   reached_by_all[stage]       who finds that all have      all       release, acquire

   Each thread counts its calls, which are the same on all threads. The thread that counts last finds
   that all have reached the call, and publishes that. The stores come before a fence, and the loads
   of the others' counts after it, so of two threads at least one sees the other's count. Both may;
   they publish the same. No other number is published meanwhile, as no later call is complete before
   the thread that publishes this one has counted on. */

#include "runtime/io/file.h"
#include "runtime/sync/sync.h"

/* Counts wrap around. */
static bool
is_behind (uint32_t count, uint32_t number)
{
  return (int32_t) (count - number) < 0;
}

/* Looks at the next thread first: threads often run in turn, and then the first look says no. */
static bool
have_all_reached (struct upcr_file *file, enum upcr_stage stage, uint32_t number)
{
  for (int i = 1; i < THREADS; i++)
    {
      const struct upcr_file_part *part = &file->parts[(MYTHREAD + i) % THREADS];

      if (is_behind (atomic_load_explicit (&part->reached[stage], memory_order_acquire), number))
        return false;
    }
  return true;
}

void
upcr_file_reach (struct upcr_file *file, enum upcr_stage stage, const char *what, bool waits)
{
  _Atomic uint32_t *mine = &upcr_file_part (file)->reached[stage];
  _Atomic uint32_t *all = &file->reached_by_all[stage];
  uint32_t number = atomic_load_explicit (mine, memory_order_relaxed) + 1, seen;

  atomic_store_explicit (mine, number, memory_order_release);
  /* Also the one that flags imply (B.3.2). */
  upcr_hardware_fence ();
  if (have_all_reached (file, stage, number))
    {
      atomic_store_explicit (all, number, memory_order_release);
      upcr_unpark_all (all);
    }
  else if (waits)
    {
      upcr_set_wait_reason (what, NULL);
      while (seen = atomic_load_explicit (all, memory_order_acquire), is_behind (seen, number))
        upcr_park_while (all, seen);
    }
}
