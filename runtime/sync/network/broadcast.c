/* Broadcast from thread 0 if other processes have threads. Thread 0 writes its request and its result to
   its mailbox, and the others fetch them after a barrier. As in broadcast.c there are two copies. The name
   of the function is sent as text, as its address differs between processes. */

#include "runtime/sync/primitives/broadcast.h"

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/primitives/barrier.h"

#include <stdio.h>
#include <string.h>

struct letter
{
  char what[40];
  size_t arguments[2];
  upcr_pts result;
};

_Static_assert(2 * sizeof (struct letter) <= UPCR_MAILBOX_PLACES, "two letters fit");

/* Each thread's own: how often it has been here, and what it got last. */
static struct
{
  _Alignas(64) unsigned calls;
  struct letter letter;
  struct upcr_broadcast got;
} threads[UPCR_MAX_THREADS];

const struct upcr_broadcast *
upcr_broadcast_from_0 (const struct upcr_broadcast *mine)
{
  struct letter *letter = &threads[MYTHREAD].letter;
  struct upcr_broadcast *got = &threads[MYTHREAD].got;
  char *box = upcr_mailbox (0) + (threads[MYTHREAD].calls++ & 1) * sizeof *letter;

  if (MYTHREAD == 0)
    {
      snprintf (letter->what, sizeof letter->what, "%s", mine->what);
      memcpy (letter->arguments, mine->arguments, sizeof letter->arguments);
      letter->result = mine->result;
      memcpy (box, letter, sizeof *letter);
    }
  upcr_collective_barrier (mine->what);
  upcr_load (letter, box, sizeof *letter);
  *got = (struct upcr_broadcast){ .what = letter->what, .result = letter->result };
  memcpy (got->arguments, letter->arguments, sizeof got->arguments);
  if (strncmp (got->what, mine->what, sizeof letter->what - 1) != 0)
    upcr_fatal ("%s, but thread 0 calls %s", mine->what, got->what);
  return got;
}
