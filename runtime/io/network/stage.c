/* The stages of calls that read and write, if other processes have threads. As in stage.c, there is no
   barrier, since a thread may be several calls ahead of one that waits.

   The processes are a tree, in which the parent of process p is (p - 1) / 2. A process counts the calls
   that its own threads and those of the processes below it have all reached, and tells its parent when the
   count has grown. So the root knows the count of all, and tells it down the tree. Counts only grow, so
   the order in which they arrive does not matter.

   field                       written by                                  read by      order
   parts[t].reached[stage]     thread t                                    its process  release, acquire
   tree                        under the lock of upcr_file_visit           likewise
   reached_by_all[stage]       the same                                    its process  release, acquire

   A thread's stores are visible before it counts; a thread that reads a number which follows from its
   count sees them. */

#include "runtime/io/check.h"
#include "runtime/io/file.h"
#include "runtime/net/net.h"
#include "runtime/sync/sync.h"

enum sender
{
  FIRST_CHILD,
  SECOND_CHILD,
  PARENT
};

/* COUNT calls have been reached by all of the sender's threads and those below; from a parent, by all. */
struct message
{
  uint32_t number; /* of the file */
  uint16_t stage;
  uint16_t sender;
  uint32_t count;
};

/* What is to be told when the lock is free. */
struct step
{
  struct message message;
  bool goes_up, goes_down;
};

/* Counts wrap around. */
static bool
is_behind (uint32_t count, uint32_t number)
{
  return (int32_t) (count - number) < 0;
}

static int
child (enum sender which)
{
  return 2 * upcr_net_place ().rank + 1 + (which == SECOND_CHILD);
}

static bool
has_child (enum sender which)
{
  return child (which) < upcr_net_place ().size;
}

static uint32_t
lesser (uint32_t a, uint32_t b)
{
  return is_behind (b, a) ? b : a;
}

/* So many calls have been reached by all threads of this process and of those below. */
static uint32_t
reached_here (const struct upcr_file *file, int stage)
{
  uint32_t least = 0;

  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    {
      uint32_t own = atomic_load_explicit (&file->parts[t].reached[stage], memory_order_acquire);

      least = t == UPCR_FIRST_THREAD ? own : lesser (least, own);
    }
  for (int which = FIRST_CHILD; which <= SECOND_CHILD; which++)
    if (has_child (which))
      least = lesser (least, file->tree.reached_below[stage][which]);
  return least;
}

/* All threads have reached the step's count. */
static void
reached_by_all (struct upcr_file *file, struct step *step)
{
  _Atomic uint32_t *all = &file->reached_by_all[step->message.stage];

  if (!is_behind (atomic_load_explicit (all, memory_order_relaxed), step->message.count))
    return;
  atomic_store_explicit (all, step->message.count, memory_order_release);
  step->goes_down = true;
}

/* Something may have been reached. */
static void
look (struct upcr_file *file, void *argument)
{
  struct step *step = argument;
  int stage = step->message.stage;
  uint32_t now = reached_here (file, stage);

  if (!is_behind (file->tree.reached[stage], now))
    return;
  file->tree.reached[stage] = step->message.count = now;
  if (upcr_net_place ().rank == 0)
    reached_by_all (file, step);
  else
    step->goes_up = true;
}

static void
take (struct upcr_file *file, void *argument)
{
  struct step *step = argument;
  struct message *message = &step->message;
  uint32_t *below;

  if (message->sender == PARENT)
    {
      reached_by_all (file, step);
      return;
    }
  below = &file->tree.reached_below[message->stage][message->sender];
  if (is_behind (*below, message->count))
    *below = message->count;
  look (file, step);
}

static void
tell (int process, struct message message, enum sender sender)
{
  message.sender = sender;
  upcr_net_tell (process, UPCR_NET_STAGE, &message, sizeof message);
}

static void
tell_others (const struct step *step)
{
  int rank = upcr_net_place ().rank;

  if (step->goes_up)
    tell ((rank - 1) / 2, step->message, rank % 2 ? FIRST_CHILD : SECOND_CHILD);
  for (int which = FIRST_CHILD; step->goes_down && which <= SECOND_CHILD; which++)
    if (has_child (which))
      tell (child (which), step->message, PARENT);
}

/* What comes for a file that is closed is of calls that nobody waits for any more. */
static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  struct step step = { .message = *(const struct message *) arguments };

  (void) caller;
  upcr_file_visit (step.message.number, take, &step);
  tell_others (&step);
}

void
upcr_serve_files (void)
{
  upcr_net_serve (UPCR_NET_STAGE, serve);
}

void
upcr_file_reach (struct upcr_file *file, enum upcr_stage stage, const char *what, bool waits)
{
  _Atomic uint32_t *mine = &upcr_file_part (file)->reached[stage];
  uint32_t number = atomic_load_explicit (mine, memory_order_relaxed) + 1;
  struct step step = { .message = { .number = file->tree.number, .stage = stage } };
  _Atomic uint32_t *all = &file->reached_by_all[stage];
  uint32_t seen;

  upcr_set_wait_reason (what, NULL);
  /* Also the one that flags imply (B.3.2). */
  upcr_strict_fence ();
  atomic_store_explicit (mine, number, memory_order_release);
  upcr_file_visit (file->tree.number, look, &step);
  tell_others (&step);
  while (waits && is_behind (seen = atomic_load_explicit (all, memory_order_acquire), number))
    upcr_await_change (all, seen);
}
