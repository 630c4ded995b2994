/* Data movement: each member moves the blocks that are its own to move, straight from
   source to destination. Who gets data fetches it; to a root of a gather, who has it
   brings it: so the work is shared evenly. */

#include "runtime/coll/op.h"

#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

/* Unit UNIT of a block: the whole, or with a descriptor one of its pieces. */
static void
copy_unit (const struct upcr_turn *turn, char *dst, const char *src, size_t bytes, uint32_t unit)
{
  size_t offset = (size_t) unit * UPCR_UNIT_BYTES;

  if (!turn->op || turn->call->src_sizes)
    upcr_copy (dst, src, bytes);
  else if (offset < bytes)
    upcr_copy (dst + offset, src + offset,
               bytes - offset < UPCR_UNIT_BYTES ? bytes - offset : UPCR_UNIT_BYTES);
}

static struct upcr_block
broadcast_block (const struct upcr_turn *turn)
{
  if (turn->call->kind == UPCR_BROADCAST)
    return (struct upcr_block){ 0, turn->call->bytes };
  return upcr_block_of (turn->call, turn->me);
}

static void
fetch_from_root (struct upcr_turn *turn, uint32_t unit)
{
  struct upcr_block block = broadcast_block (turn);
  uint32_t root = turn->call->root;

  upcr_turn_meet (turn, root);
  copy_unit (turn, upcr_turn_dst (turn, turn->me), upcr_turn_src (turn, root) + block.offset,
             block.bytes, unit);
}

static void
bring_to_root (struct upcr_turn *turn, uint32_t unit)
{
  struct upcr_block block = upcr_block_of (turn->call, turn->me);
  uint32_t root = turn->call->root;

  upcr_turn_meet (turn, root);
  copy_unit (turn, upcr_turn_dst (turn, root) + block.offset, upcr_turn_src (turn, turn->me),
             block.bytes, unit);
}

static size_t
source_offset (const struct upcr_coll *view, uint32_t image)
{
  size_t offset = 0;

  if (view->src_offsets)
    return view->src_offsets[image];
  for (uint32_t i = 0; i < image; i++)
    offset += view->src_sizes[i];
  return offset;
}

/* What FROM has for this member. */
static const char *
source_at (struct upcr_turn *turn, uint32_t from)
{
  if (turn->call->kind == UPCR_GATHER_ALL)
    return upcr_turn_src (turn, from);
  if (!turn->call->src_sizes)
    return upcr_turn_src (turn, from) + turn->me * turn->call->bytes;
  return upcr_turn_src (turn, from) + source_offset (upcr_turn_view (turn, from), turn->me);
}

/* The block from the member STEP behind this one: each begins with its own, so that not
   all fetch from the same one. */
static void
fetch_one (struct upcr_turn *turn, uint32_t step, uint32_t unit)
{
  uint32_t from = (turn->me + step) % turn->size;
  struct upcr_block block;

  upcr_turn_meet (turn, from);
  block = upcr_block_of (upcr_turn_view (turn, turn->me), from);
  copy_unit (turn, upcr_turn_dst (turn, turn->me) + block.offset, source_at (turn, from),
             block.bytes, unit);
}

/* Of two members one swaps their blocks; which, alternates, so that all have as much to
   do. */
static void
exchange_in_place (struct upcr_turn *turn)
{
  size_t bytes = turn->call->bytes;
  uint32_t me = turn->me;

  for (uint32_t other = 0; other < turn->size; other++)
    {
      bool is_mine = ((me + other) & 1) == (me < other);

      if (other == me || !is_mine)
        continue;
      upcr_turn_meet (turn, other);
      upcr_swap (upcr_turn_dst (turn, me) + other * bytes, upcr_turn_dst (turn, other) + me * bytes,
                 bytes);
    }
}

static void
permute (struct upcr_turn *turn, uint32_t unit)
{
  const struct upcr_coll *call = turn->call;
  int to = *(const int *) upcr_rebase (call->permutation, upcr_team_thread (turn->team, turn->me));

  if (__builtin_expect ((uint32_t) to >= turn->size, 0))
    upcr_fatal ("%s: perm[%u] is %d, of %u threads", call->what, turn->me, to, turn->size);
  if (__builtin_expect (upcr_options.check && unit == 0, 0))
    upcr_check_target (turn, turn->me, to);
  upcr_turn_meet (turn, to);
  copy_unit (turn, upcr_turn_dst (turn, to), upcr_turn_src (turn, turn->me), call->bytes, unit);
}

static uint32_t
units_of (size_t bytes)
{
  return bytes <= UPCR_UNIT_BYTES ? 1 : (bytes + UPCR_UNIT_BYTES - 1) / UPCR_UNIT_BYTES;
}

static bool
is_rooted (const struct upcr_coll *call)
{
  return call->kind <= UPCR_GATHER;
}

static bool
is_swap (const struct upcr_coll *call)
{
  return call->kind == UPCR_EXCHANGE && upcr_call_has (call, GASNET_COLL_IN_PLACE);
}

/* The units of one of the row's blocks: as many as the largest needs. */
static uint32_t
block_units (const struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  size_t most = call->bytes;

  if (call->sizes && is_rooted (call))
    most = call->sizes[turn->me];
  else if (call->sizes)
    for (uint32_t i = 0; i < turn->size; i++)
      most = call->sizes[i] > most ? call->sizes[i] : most;
  return units_of (most);
}

static uint32_t
blocks_in_row (const struct upcr_turn *turn)
{
  return is_rooted (turn->call) || turn->call->kind == UPCR_PERMUTE ? 1 : turn->size;
}

uint32_t
upcr_row_units (const struct upcr_turn *turn)
{
  if (is_swap (turn->call))
    return 1;
  /* Each image has its own view of the sizes: a unit a block is what all agree on. */
  if (turn->call->src_sizes)
    return turn->size;
  return block_units (turn) * blocks_in_row (turn);
}

void
upcr_move_unit (struct upcr_turn *turn, uint32_t unit)
{
  const struct upcr_coll *call = turn->call;
  uint32_t step, pieces;

  switch (call->kind)
    {
    case UPCR_BROADCAST:
    case UPCR_SCATTER:
      fetch_from_root (turn, unit);
      break;
    case UPCR_GATHER:
      bring_to_root (turn, unit);
      break;
    case UPCR_PERMUTE:
      permute (turn, unit);
      break;
    default:
      if (is_swap (call))
        {
          exchange_in_place (turn);
          return;
        }
      pieces = upcr_row_units (turn) / turn->size;
      step = unit / pieces;
      fetch_one (turn, step, unit % pieces);
    }
}

/* Without a descriptor a unit is a whole block. */
static void
move_row (struct upcr_turn *turn)
{
  uint32_t blocks = is_swap (turn->call) ? 1 : blocks_in_row (turn);

  if (blocks == 1)
    upcr_move_unit (turn, 0);
  else
    for (uint32_t step = 0; step < blocks; step++)
      fetch_one (turn, step, 0);
}

void
upcr_move_alone (struct upcr_turn *turn)
{
  move_row (turn);
}

void
upcr_move_all (struct upcr_turn *turn)
{
  struct upcr_turn its = *turn;

  for (its.me = 0; its.me < turn->size; its.me++)
    move_row (&its);
}

void
upcr_move (struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;

  move_row (turn);
  /* Other members move data of a root, or of all; or look at this one's sizes. */
  if (!upcr_call_has (call, GASNET_COLL_OUT_MYSYNC)
      && !(call->src_sizes && upcr_call_has (call, GASNET_COLL_OUT_NOSYNC)))
    return;
  upcr_say_done (turn);
  if (!is_rooted (call) || turn->me == call->root)
    upcr_await_all_done (turn);
}
