/* Blocking operations: entering, the work, leaving. */

#include "runtime/coll/turn.h"

#include "runtime/coll/handle.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"

void
upcr_team_meet (upcr_team *team)
{
  uint32_t epoch = upcr_rendezvous_epoch (&team->rendezvous);

  if (upcr_rendezvous_arrive (&team->rendezvous))
    upcr_rendezvous_open (&team->rendezvous);
  else
    upcr_rendezvous_await (&team->rendezvous, epoch);
}

/* Returns once *WORD is WANTED, which it becomes from an older number. */
static void
await_number (_Atomic uint32_t *word, uint32_t wanted)
{
  uint32_t seen;

  while (seen = atomic_load_explicit (word, memory_order_acquire), seen != wanted)
    upcr_park_while (word, seen);
}

void
upcr_await_post (const struct upcr_turn *turn, uint32_t rank)
{
  await_number (&upcr_board_post (turn->team, rank, turn->number)->stage, turn->number);
}

void
upcr_turn_meet (const struct upcr_turn *turn, uint32_t rank)
{
  if (!turn->op && !turn->all_in && rank != turn->me
      && upcr_call_has (turn->call, GASNET_COLL_IN_MYSYNC | GASNET_COLL_LOCAL))
    upcr_await_post (turn, rank);
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

  await_number (&post->stage, turn->number);
  await_number (&post->done, turn->number);
}

void
upcr_await_all_done (const struct upcr_turn *turn)
{
  for (uint32_t m = 0; m < turn->size; m++)
    if (m != turn->me)
      upcr_await_done (turn, m);
}

static void
enter (struct upcr_turn *turn)
{
  turn->post = upcr_board_enter (turn->team, turn->me, &turn->number);
  upcr_own_addresses (turn, &turn->post->src, &turn->post->dst);
  turn->post->more = turn->call;
  /* Another number than this one's; in order before the stage, which others look at
     first. */
  atomic_store_explicit (&turn->post->done, turn->number - 1, memory_order_relaxed);
  atomic_store_explicit (&turn->post->stage, turn->number, memory_order_release);
  upcr_unpark_all (&turn->post->stage);
  if (upcr_call_has (turn->call, GASNET_COLL_IN_ALLSYNC))
    {
      upcr_team_meet (turn->team);
      turn->all_in = true;
    }
}

static void
run_on_board (struct upcr_turn *turn)
{
  enter (turn);
  if (turn->call->kind >= UPCR_REDUCE)
    upcr_compute (turn);
  else
    upcr_move (turn);
  if (upcr_call_has (turn->call, GASNET_COLL_OUT_ALLSYNC))
    upcr_team_meet (turn->team);
  upcr_board_leave (turn->team, turn->me, turn->number);
}

/* Large blocks are worth the descriptor that lets all members work at all of them. */
static bool
is_shared (const struct upcr_turn *turn)
{
  return turn->call->bytes >= UPCR_SHARED_BYTES && turn->size > 1;
}

void
upcr_coll_run (const struct upcr_coll *call)
{
  struct upcr_turn turn = { .call = call, .team = upcr_team_of (call->team, call->what) };

  turn.size = turn.team->size;
  turn.me = upcr_team_rank (turn.team, MYTHREAD);
  if (is_shared (&turn))
    upcr_coll_run_shared (call);
  else
    run_on_board (&turn);
  if (turn.team->members[turn.me].group)
    upcr_complete_group (turn.team, turn.me);
}
