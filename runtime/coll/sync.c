/* Waiting for members of a team, on the board and in its assembly. */

#include "runtime/coll/turn.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

void
upcr_team_meet (upcr_team *team, const char *what)
{
  uint32_t epoch = upcr_assembly_epoch (&team->assembly);

  if (upcr_assembly_arrive (&team->assembly))
    upcr_assembly_open (&team->assembly);
  else
    upcr_assembly_await (&team->assembly, epoch, what);
}

/* Looks where each thread has a CPU, before the wait proper begins: mostly what is waited for
   is about to be posted. With a pause between them, as in barriers. */
enum { QUICK_LOOKS = 8 };

static bool
is_number_soon (_Atomic uint32_t *word, uint32_t number)
{
  for (int looks = 0; looks < QUICK_LOOKS && !upcr_is_oversubscribed (); looks++)
    {
      if (atomic_load_explicit (word, memory_order_acquire) == number)
        return true;
      upcr_pause ();
    }
  return false;
}

void
upcr_await_number_slowly (_Atomic uint32_t *word, uint32_t number, const char *what)
{
  uint32_t seen;

  if (is_number_soon (word, number))
    return;
  upcr_set_wait_reason (what, NULL);
  while (seen = atomic_load_explicit (word, memory_order_acquire), seen != number)
    upcr_park_while (word, seen);
}

void
upcr_await_post (const struct upcr_turn *turn, uint32_t rank)
{
  upcr_board_await (turn->team, rank, turn->number, turn->call->what);
}

void
upcr_turn_meet (const struct upcr_turn *turn, uint32_t rank)
{
  if (!turn->op && !turn->all_in && rank != turn->me
      && upcr_call_has (turn->call, GASNET_COLL_IN_MYSYNC | GASNET_COLL_LOCAL))
    upcr_await_post (turn, rank);
}

void
upcr_turn_enter (struct upcr_turn *turn)
{
  turn->post = upcr_board_enter (turn->team, turn->me, &turn->number);
  if (upcr_call_has (turn->call, GASNET_COLL_LOCAL))
    upcr_own_addresses (turn, &turn->post->src, &turn->post->dst);
  turn->post->more = turn->call;
  upcr_board_prepare (turn->team, turn->me, turn->number, 0);
  /* Another number than this one's. Relaxed: whoever waits for `done` acquires `stage`
     before. */
  atomic_store_explicit (&turn->post->done, turn->number - 1, memory_order_relaxed);
}

/* unpark_all is a full fence, and so those that the flags imply at entry and return: of
   the program's own accesses there is none between them (UPC 1.3, B.3.2). */
void
upcr_turn_post (const struct upcr_turn *turn)
{
  atomic_store_explicit (&turn->post->stage, turn->number, memory_order_release);
  upcr_unpark_all (&turn->post->stage);
}

void
upcr_turn_post_quietly (const struct upcr_turn *turn)
{
  upcr_board_show_quietly (turn->post, turn->number, upcr_implies_fence (turn->call->flags));
}

void
upcr_say_done (const struct upcr_turn *turn)
{
  atomic_store_explicit (&turn->post->done, turn->number, memory_order_release);
  upcr_unpark_all (&turn->post->done);
}

void
upcr_await_done (const struct upcr_turn *turn, uint32_t rank)
{
  struct upcr_post *post = upcr_board_post (turn->team, rank, turn->number);

  upcr_await_number (&post->stage, turn->number, turn->call->what);
  upcr_await_number (&post->done, turn->number, turn->call->what);
}

void
upcr_await_all_done (const struct upcr_turn *turn)
{
  for (uint32_t m = 0; m < turn->size; m++)
    if (m != turn->me)
      upcr_await_done (turn, m);
}
