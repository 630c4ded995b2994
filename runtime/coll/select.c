/* Blocking calls: chooses the algorithm (algorithms.h). */

#include "runtime/coll/algorithms.h"
#include "runtime/coll/handle.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

/* The FLAGS of a call, as they are to be carried out. */
static inline int
flags_for (enum upcr_coll_kind kind, int flags, uint32_t size)
{
  flags &= ~GASNET_COLL_AGGREGATE;
  if (size < UPCR_BARRIER_MEMBERS || !upcr_kind_has (kind, TO_ALL))
    return flags;
  if (flags & GASNET_COLL_IN_MYSYNC || (flags & GASNET_COLL_LOCAL && flags & GASNET_COLL_IN_NOSYNC))
    flags = (flags & ~(GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_NOSYNC)) | GASNET_COLL_IN_ALLSYNC;
  if (flags & GASNET_COLL_OUT_MYSYNC)
    flags = (flags & ~GASNET_COLL_OUT_MYSYNC) | GASNET_COLL_OUT_ALLSYNC;
  return flags;
}

static void
run_best (struct upcr_context *ctx)
{
  enum upcr_coll_kind kind = ctx->call->kind;

#define ROW(name, kinds)                                                         \
  if (upcr_kind_has (kind, kinds) && name##_applies (ctx) && name##_suits (ctx)) \
    {                                                                            \
      upcr_run_##name (ctx);                                                     \
      return;                                                                    \
    }
  UPCR_ALGORITHMS (ROW)
#undef ROW
}

/* Runs the algorithm that UPC_COLL names, where it applies. */
static bool
run_forced (struct upcr_context *ctx)
{
  enum upcr_coll_kind kind = ctx->call->kind;

  switch (ctx->team->forced)
    {
#define ROW(name, kinds)                                       \
  case UPCR_ALGORITHM_##name:                                  \
    if (!upcr_kind_has (kind, kinds) || !name##_applies (ctx)) \
      return false;                                            \
    upcr_run_##name (ctx);                                     \
    return true;
      UPCR_ALGORITHMS (ROW)
#undef ROW
    default:
      return false;
    }
}

void
upcr_coll_run (struct upcr_coll *call)
{
  struct upcr_context ctx = upcr_context_of (call);

  if (__builtin_expect (upcr_checks_calls (), 0))
    upcr_check_call (&ctx, true);
  call->flags &= ~GASNET_COLL_AGGREGATE;
  if (__builtin_expect (ctx.team->forced == UPCR_ANY_ALGORITHM, 1) || !run_forced (&ctx))
    {
      call->flags = flags_for (call->kind, call->flags, ctx.size);
      run_best (&ctx);
    }
  if (__builtin_expect (ctx.team->members[ctx.me].group != NULL, 0))
    upcr_complete_group (ctx.team, ctx.me);
}

/* What comes most often and has least to do goes past the table: the next two functions say
   whether a call does. */

static inline bool
may_go_at_once (const upcr_team *team, uint32_t me, int flags)
{
  return !team->has_detour && !team->members[me].group && upcr_implies_fence (flags);
}

void
upcr_coll_move (struct upcr_coll *call)
{
  upcr_team *team = upcr_team_all ();
  uint32_t me = MYTHREAD;
  int flags = flags_for (call->kind, call->flags, team->size);

  if (may_go_at_once (team, me, flags)
      && upcr_eager_applies (call->kind, call->bytes, team->size, flags)
      && upcr_eager_suits (call->kind, call->bytes))
    upcr_move_eagerly (team, me, call);
  else
    upcr_coll_run (call);
}

/* What upcr_coll_compute does not do itself. Apart, so that registers are saved here alone. */
static __attribute__ ((noinline)) void
compute_parts_of_blocks (upcr_team *team, struct upcr_coll *call, int flags)
{
  enum upcr_partition partition = upcr_partition_of (call->kind, call->op, call->source,
                                                     call->count, team->size);

  if (!may_go_at_once (team, MYTHREAD, flags))
    upcr_coll_run (call);
  else if (upcr_one_block_applies (call, partition, team->size, flags))
    upcr_compute_one_block (team, MYTHREAD, call, partition);
  else if (upcr_gathered_applies (call, partition, team->size, flags))
    upcr_scan_gathered (team, MYTHREAD, call);
  else
    upcr_coll_run (call);
}

void
upcr_coll_compute (struct upcr_coll *call)
{
  upcr_team *team = upcr_team_all ();
  int flags = flags_for (call->kind, call->flags, team->size);

  size_t each;

  if (may_go_at_once (team, MYTHREAD, flags) && upcr_goes_by_slots (call, flags)
      && (each = upcr_equal_parts (call, team->size)))
    upcr_compute_equal_parts (team, MYTHREAD, call, each);
  else
    compute_parts_of_blocks (team, call, flags);
}
