/* Blocking operations: which way an operation goes.

   All members must go the same way, so that it is chosen by single-valued arguments
   alone. With only as much waiting as the flags ask for:

   alone    nothing to wait for at all: every member knows all addresses, and the flags
            ask for no synchronisation. It does its part and returns.
   serial   little data, and the flags make all members wait for all anyway: they meet
            once, and the last one to come does the whole work before it lets the others
            go. Else they would have to meet twice.
   small    little data, members that wait for those whose data they get: who has data
            puts it on the board, and need not wait until it is fetched.
   direct   each moves its blocks, or folds its share, straight between the members'
            memory, after and before as much synchronisation as the flags ask for.
   shared   large blocks: a descriptor that all work at, piece by piece (op.h).

   Where all members touch all others' data there is no difference between MYSYNC and
   ALLSYNC but for how they wait: many of them rather meet than look at each other. */

#include "runtime/coll/handle.h"
#include "runtime/coll/share.h"
#include "runtime/coll/small.h"
#include "runtime/coll/turn.h"

#include "runtime/start/start.h"
#include "runtime/sync/sync.h"

/* The most bytes that one member moves for all. Measured with two threads: from here on
   a second meeting is cheaper than to copy alone. */
enum { SERIAL_BYTES = 4096 };

/* From this many members on they meet. With fewer, each looks at each: that is quicker
   while all are awake. */
enum { CROWD = 5 };

static bool
is_to_all (enum upcr_coll_kind kind)
{
  return kind == UPCR_GATHER_ALL || kind == UPCR_EXCHANGE || kind == UPCR_PERMUTE
         || kind >= UPCR_REDUCE_ALL;
}

/* A call's FLAGS, as they are to be carried out. */
static int
flags_for (enum upcr_coll_kind kind, int flags, uint32_t size)
{
  flags &= ~GASNET_COLL_AGGREGATE;
  if (size < CROWD || !is_to_all (kind))
    return flags;
  if (flags & GASNET_COLL_IN_MYSYNC || (flags & GASNET_COLL_LOCAL && flags & GASNET_COLL_IN_NOSYNC))
    flags = (flags & ~(GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_NOSYNC)) | GASNET_COLL_IN_ALLSYNC;
  if (flags & GASNET_COLL_OUT_MYSYNC)
    flags = (flags & ~GASNET_COLL_OUT_MYSYNC) | GASNET_COLL_OUT_ALLSYNC;
  return flags;
}

static size_t
all_bytes (const struct upcr_coll *call, size_t size)
{
  if (call->kind >= UPCR_REDUCE)
    return call->count * call->op.bytes;
  return call->bytes * size * (call->kind == UPCR_GATHER_ALL || call->kind == UPCR_EXCHANGE ? size : 1);
}

static bool
is_serial (const struct upcr_turn *turn, int flags)
{
  const struct upcr_coll *call = turn->call;

  return flags & (GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC) && !call->sizes
         && all_bytes (call, turn->size) <= SERIAL_BYTES;
}

static bool
is_alone (const struct upcr_coll *call, int flags)
{
  return flags & GASNET_COLL_IN_NOSYNC && flags & GASNET_COLL_OUT_NOSYNC && flags & GASNET_COLL_SINGLE
         && call->kind < UPCR_REDUCE && !call->src_sizes;
}

/* Large blocks are worth the descriptor that lets all members work at all of them. */
static bool
is_shared (const struct upcr_turn *turn)
{
  return turn->call->bytes >= UPCR_SHARED_BYTES && turn->size > 1;
}

static void
run_serial (struct upcr_turn *turn)
{
  struct upcr_assembly *assembly = &turn->team->assembly;
  bool is_local = upcr_call_has (turn->call, GASNET_COLL_LOCAL);
  uint32_t epoch;

  /* Addresses and all before them are published by the arrival. */
  if (is_local)
    {
      upcr_turn_enter (turn);
      upcr_turn_post_quietly (turn);
    }
  turn->all_in = true;
  epoch = upcr_assembly_epoch (assembly);
  if (upcr_assembly_arrive (assembly))
    {
      if (turn->call->kind >= UPCR_REDUCE)
        upcr_compute_all (turn);
      else
        upcr_move_all (turn);
      upcr_assembly_open (assembly);
    }
  else
    upcr_assembly_await (assembly, epoch, turn->call->what);
  if (is_local)
    upcr_board_leave (turn->team, turn->me, turn->number);
}

static bool
has_fence (int flags)
{
  return flags & (GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC);
}

static void
run_small (const struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  const void *src;
  void *dst;

  upcr_own_addresses (turn, &src, &dst);
  upcr_move_small (&(struct upcr_small){ call->what, call->kind, turn->me, call->root,
                                         has_fence (call->flags), turn->team, dst, src, call->bytes });
}

static void
run_direct (struct upcr_turn *turn)
{
  upcr_turn_enter (turn);
  if (upcr_call_has (turn->call, GASNET_COLL_IN_ALLSYNC))
    {
      upcr_turn_post_quietly (turn);
      upcr_team_meet (turn->team, turn->call->what);
      turn->all_in = true;
    }
  else if (turn->call->kind < UPCR_REDUCE || !upcr_row_is_local (turn->call))
    upcr_turn_post (turn);
  if (turn->call->kind >= UPCR_REDUCE)
    upcr_compute (turn);
  else
    upcr_move (turn);
  if (upcr_call_has (turn->call, GASNET_COLL_OUT_ALLSYNC) && !turn->all_done)
    upcr_team_meet (turn->team, turn->call->what);
  upcr_board_leave (turn->team, turn->me, turn->number);
}

const struct upcr_coll upcr_no_call;

void
upcr_coll_run (struct upcr_coll *call)
{
  struct upcr_turn turn = { .call = call, .team = upcr_team_of (call->team, call->what) };
  int flags;

  turn.size = turn.team->size;
  turn.me = upcr_team_rank (turn.team, MYTHREAD);
  if (__builtin_expect (upcr_check, 0))
    upcr_check_call (call, turn.team, true);
  flags = call->flags = flags_for (call->kind, call->flags, turn.size);
  if (call->kind >= UPCR_REDUCE)
    call->sharing = upcr_sharing_of (call, turn.size);
  if (is_shared (&turn))
    upcr_coll_run_shared (call);
  else if (is_alone (call, flags))
    upcr_move_alone (&turn);
  else if (is_serial (&turn, flags))
    run_serial (&turn);
  else if (upcr_is_small (call->kind, call->bytes, turn.size, flags))
    run_small (&turn);
  else
    run_direct (&turn);
  if (__builtin_expect (turn.team->members[turn.me].group != NULL, 0))
    upcr_complete_group (turn.team, turn.me);
}

/* What comes most often and has least to do goes the small way without a detour. */
static bool
move_at_once (const struct upcr_move *move)
{
  upcr_team *team = upcr_team_of (GASNET_TEAM_ALL, move->what);
  uint32_t me = MYTHREAD;
  int flags = flags_for (move->kind, move->flags, team->size);

  if (upcr_check || team->members[me].group || !has_fence (flags)
      || !upcr_is_small (move->kind, move->bytes, team->size, flags))
    return false;
  upcr_move_small (&(struct upcr_small){ move->what, move->kind, me, move->root, true, team,
                                         upcr_rebase (move->dst, me), upcr_rebase (move->src, me),
                                         move->bytes });
  return true;
}

void
upcr_coll_move (const struct upcr_move *move)
{
  if (!move_at_once (move))
    upcr_coll_run (&(struct upcr_coll){
      .what = move->what, .kind = move->kind, .flags = move->flags, .root = move->root,
      .dst = move->dst, .src = move->src, .bytes = move->bytes, .permutation = move->permutation });
}
