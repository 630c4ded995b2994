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
   own range  the same for reductions and scans of which each member has one block: partial
            results are put on the board.
   direct   each moves its blocks, or folds its share, straight between the members'
            memory, after and before as much synchronisation as the flags ask for.
   shared   large blocks: a descriptor that all work at, piece by piece (op.h).

   Where all members touch all others' data there is no difference between MYSYNC and
   ALLSYNC but for how they wait: many of them rather meet than look at each other. */

#include "runtime/coll/handle.h"
#include "runtime/coll/own_range.h"
#include "runtime/coll/share.h"
#include "runtime/coll/small.h"
#include "runtime/coll/turn.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

/* The most bytes that one member moves for all. Measured with two threads: from here on
   a second meeting is cheaper than to copy alone. */
enum { SERIAL_BYTES = 4096 };

/* From this many members on they meet. With fewer, each looks at each: that is quicker
   while all are awake. */
enum { CROWD = 5 };

static inline bool
is_to_all (enum upcr_coll_kind kind)
{
  return kind == UPCR_GATHER_ALL || kind == UPCR_EXCHANGE || kind == UPCR_PERMUTE
         || kind >= UPCR_REDUCE_ALL;
}

/* A call's FLAGS, as they are to be carried out. */
static inline int
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
    upcr_board_leave (turn->team, turn->me, turn->number, false);
}

static void
run_small (const struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  struct upcr_move move = { .what = call->what, .kind = call->kind, .flags = call->flags,
                            .root = call->root, .bytes = call->bytes };

  upcr_own_addresses (turn, &move.src, &move.dst);
  upcr_move_small (turn->team, turn->me, &move);
}

static void
run_own_range (const struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  struct upcr_computation computation = { .what = call->what, .kind = call->kind,
                                          .flags = call->flags, .root = call->root,
                                          .count = call->count, .source = call->source, .op = &call->op };

  upcr_own_addresses (turn, &computation.src, &computation.dst);
  upcr_compute_own_range (turn->team, turn->me, &computation);
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
  upcr_board_leave (turn->team, turn->me, turn->number, false);
}

void
upcr_coll_run (struct upcr_coll *call)
{
  struct upcr_turn turn = { .call = call, .team = upcr_team_of (call->team, call->what) };
  int flags;

  turn.size = turn.team->size;
  turn.me = upcr_team_rank (turn.team, MYTHREAD);
  if (__builtin_expect (upcr_options.check, 0))
    upcr_check_call (call, turn.team, true);
  flags = call->flags = flags_for (call->kind, call->flags, turn.size);
  if (call->kind >= UPCR_REDUCE)
    call->sharing = upcr_sharing_of (call->kind, &call->op, call->source, call->count, turn.size);
  if (is_shared (&turn))
    upcr_coll_run_shared (call);
  else if (is_alone (call, flags))
    upcr_move_alone (&turn);
  else if (is_serial (&turn, flags))
    run_serial (&turn);
  else if (upcr_is_small (call->kind, call->bytes, turn.size, flags))
    run_small (&turn);
  else if (call->kind >= UPCR_REDUCE
           && upcr_goes_by_own_range (call->kind, call->sharing, call->source, call->destination,
                                      call->op.bytes, flags))
    run_own_range (&turn);
  else
    run_direct (&turn);
  if (__builtin_expect (turn.team->members[turn.me].group != NULL, 0))
    upcr_complete_group (turn.team, turn.me);
}

/* What comes most often and has least to do goes without a detour: these two say whether it
   does. */

static inline bool
may_go_at_once (const upcr_team *team, uint32_t me, int flags)
{
  return !upcr_options.check && !team->members[me].group && upcr_implies_fence (flags);
}

static inline bool
move_at_once (const struct upcr_move *move)
{
  upcr_team *team = upcr_team_all ();
  uint32_t me = MYTHREAD;
  int flags = flags_for (move->kind, move->flags, team->size);

  if (!may_go_at_once (team, me, flags)
      || !upcr_is_small (move->kind, move->bytes, team->size, flags))
    return false;
  upcr_move_small (team, me, move);
  return true;
}

static __attribute__ ((noinline)) void
move_with_detour (const struct upcr_move *move)
{
  upcr_coll_run (&(struct upcr_coll){
    .what = move->what, .kind = move->kind, .flags = move->flags, .root = move->root, .dst = move->dst,
    .src = move->src, .bytes = move->bytes, .permutation = move->permutation });
}

static void
compute_with_detour (const struct upcr_computation *c)
{
  upcr_coll_run (&(struct upcr_coll){
    .what = c->what, .kind = c->kind, .flags = c->flags, .root = c->root, .dst = c->dst, .src = c->src,
    .count = c->count, .source = c->source, .destination = c->destination, .op = *c->op });
}

/* What upcr_coll_compute does not do itself. Apart, so that registers are saved here alone. */
static __attribute__ ((noinline)) void
compute_parts_of_blocks (upcr_team *team, const struct upcr_computation *c, int flags)
{
  enum upcr_sharing sharing = upcr_sharing_of (c->kind, c->op, c->source, c->count, team->size);

  if (may_go_at_once (team, MYTHREAD, flags)
      && upcr_goes_by_own_range (c->kind, sharing, c->source, c->destination, c->op->bytes, flags))
    upcr_compute_own_range (team, MYTHREAD, c);
  else
    compute_with_detour (c);
}

void
upcr_coll_move (const struct upcr_move *move)
{
  if (!move_at_once (move))
    move_with_detour (move);
}

void
upcr_coll_compute (const struct upcr_computation *c)
{
  upcr_team *team = upcr_team_all ();
  int flags = flags_for (c->kind, c->flags, team->size);

  if (may_go_at_once (team, MYTHREAD, flags) && upcr_goes_by_whole_blocks (c, team->size, flags))
    upcr_compute_whole_blocks (team, MYTHREAD, c);
  else
    compute_parts_of_blocks (team, c, flags);
}
