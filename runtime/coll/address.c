/* Where the members' data is. */

#include "runtime/coll/node.h"
#include "runtime/coll/op.h"
#include "runtime/coll/turn.h"

/* Element RANK of a list, or the address that stands for all. */
static inline char *
single (const struct upcr_turn *turn, const void *address, void *const *list, uint32_t rank)
{
  if (list)
    return list[rank];
  return upcr_rebase (address, upcr_team_thread (turn->team, rank));
}

static inline char *
own (const struct upcr_turn *turn, const void *address, void *const *list)
{
  if (list)
    return list[turn->team->is_all ? upcr_index_in_node (turn->me) : 0];
  return (char *) address;
}

/* Without the shifts that IN_PLACE means. */
static inline char *
given_src (const struct upcr_turn *turn, uint32_t rank)
{
  const struct upcr_coll *call = turn->call;

  if (upcr_call_has (call, GASNET_COLL_SINGLE))
    return single (turn, call->src, call->src_list, rank);
  return own (turn, call->src, call->src_list);
}

static inline char *
given_dst (const struct upcr_turn *turn, uint32_t rank)
{
  const struct upcr_coll *call = turn->call;

  if (upcr_call_has (call, GASNET_COLL_SINGLE))
    return single (turn, call->dst, call->dst_list, rank);
  return own (turn, call->dst, call->dst_list);
}

static char *
src_in_place (const struct upcr_turn *turn, uint32_t rank)
{
  const struct upcr_coll *call = turn->call;

  switch (call->kind)
    {
    case UPCR_GATHER:
      if (rank != call->root)
        return given_src (turn, rank);
      /* fall through */
    case UPCR_GATHER_ALL:
      return given_dst (turn, rank) + upcr_block_of (call, rank).offset;
    case UPCR_SCATTER:
      return given_src (turn, rank);
    default:
      return given_dst (turn, rank);
    }
}

static inline char *
meant_src (const struct upcr_turn *turn, uint32_t rank)
{
  if (upcr_call_has (turn->call, GASNET_COLL_IN_PLACE))
    return src_in_place (turn, rank);
  return given_src (turn, rank);
}

static inline char *
meant_dst (const struct upcr_turn *turn, uint32_t rank)
{
  const struct upcr_coll *call = turn->call;

  if (upcr_call_has (call, GASNET_COLL_IN_PLACE) && call->kind == UPCR_SCATTER
      && rank == call->root)
    return given_src (turn, rank) + upcr_block_of (call, rank).offset;
  return given_dst (turn, rank);
}

const char *
upcr_turn_src (const struct upcr_turn *turn, uint32_t rank)
{
  if (upcr_call_has (turn->call, GASNET_COLL_SINGLE))
    return meant_src (turn, rank);
  if (turn->op)
    return turn->op->parts[rank].src;
  return upcr_board_post (turn->team, rank, turn->number)->src;
}

char *
upcr_turn_dst (const struct upcr_turn *turn, uint32_t rank)
{
  if (upcr_call_has (turn->call, GASNET_COLL_SINGLE))
    return meant_dst (turn, rank);
  if (turn->op)
    return turn->op->parts[rank].dst;
  return upcr_board_post (turn->team, rank, turn->number)->dst;
}

const struct upcr_coll *
upcr_turn_view (const struct upcr_turn *turn, uint32_t rank)
{
  if (!turn->call->src_sizes)
    return turn->call;
  if (turn->op)
    return turn->op->parts[rank].more;
  upcr_await_post (turn, rank);
  return upcr_board_post (turn->team, rank, turn->number)->more;
}

void
upcr_own_addresses (const struct upcr_turn *turn, const void **src, void **dst)
{
  *src = meant_src (turn, turn->me);
  *dst = meant_dst (turn, turn->me);
}
