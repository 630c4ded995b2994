/* Broadcast from thread 0 if other processes have threads: by a letter, behind a barrier. The name of the function is
   sent as text, as its address differs between processes. */

#include "runtime/sync/primitives/broadcast.h"

#include "runtime/host/host.h"
#include "runtime/sync/network/letter.h"
#include "runtime/sync/primitives/barrier.h"

#include <stdio.h>
#include <string.h>

struct letter
{
  char what[40];
  size_t arguments[2];
  upcr_pts result;
};

_Static_assert(sizeof (struct letter) <= UPCR_LETTER_BYTES, "one letter is enough");

/* What each thread got last. */
static struct
{
  _Alignas(64) struct letter letter;
  struct upcr_broadcast got;
} threads[UPCR_MAX_THREADS];

const struct upcr_broadcast *
upcr_broadcast_from_0 (const struct upcr_broadcast *mine)
{
  struct letter *letter = &threads[MYTHREAD].letter;
  struct upcr_broadcast *got = &threads[MYTHREAD].got;

  if (MYTHREAD == 0)
    {
      snprintf (letter->what, sizeof letter->what, "%s", mine->what);
      memcpy (letter->arguments, mine->arguments, sizeof letter->arguments);
      letter->result = mine->result;
    }
  upcr_collective_barrier (mine->what);
  upcr_letter_to_all (mine->what, 0, letter, letter, sizeof *letter);
  *got = (struct upcr_broadcast){ .what = letter->what, .result = letter->result };
  memcpy (got->arguments, letter->arguments, sizeof got->arguments);
  if (strncmp (got->what, mine->what, sizeof letter->what - 1) != 0)
    upcr_fatal ("%s, but thread 0 calls %s", mine->what, got->what);
  return got;
}
