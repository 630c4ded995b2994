/* Reductions and scans.

   Each member folds its share of the elements to a partial result, which it posts; the
   partial results are combined in the order of the members. */

#include "runtime/coll/op.h"

#include "runtime/shared/shared.h"
#include "runtime/coll/operator.h"
#include "runtime/coll/share.h"

#include <stdlib.h>
#include <string.h>

/* Folds COUNT elements behind what is in *RESULT, or from the first one on. */
static void
fold_on (const struct upcr_operator *op, void *result, bool *is_begun, const char *elements,
         size_t count)
{
  if (count == 0)
    return;
  op->fold (op, result, *is_begun ? result : NULL, elements, count);
  *is_begun = true;
}

static void
fold_range (struct upcr_turn *turn, struct upcr_range range, void *result)
{
  const struct upcr_coll *call = turn->call;
  size_t index = range.first, limit = range.first + range.count;
  bool is_begun = false;

  while (index < limit)
    {
      struct upcr_stretch s = upcr_stretch_at (call->source, turn->size, index, limit);

      upcr_turn_meet (turn, s.image);
      fold_on (&call->op, result, &is_begun,
               upcr_turn_src (turn, s.image) + s.first * call->op.bytes, s.count);
      index += s.count;
    }
}

void
upcr_fold_row (struct upcr_turn *turn, void *result)
{
  const struct upcr_coll *call = turn->call;
  bool is_begun = false;

  if (upcr_row_is_local (call))
    {
      struct upcr_stretch s = upcr_own_stretch (call, turn->size, turn->me);

      fold_on (&call->op, result, &is_begun,
               upcr_turn_src (turn, turn->me) + s.first * call->op.bytes, s.count);
    }
  else
    fold_range (turn, upcr_range_of (call, turn->size, turn->me), result);
}

/* Where this member's partial result goes. */
static void *
partial_room (struct upcr_turn *turn)
{
  size_t bytes = turn->call->op.bytes;

  if (bytes <= UPCR_PAYLOAD_BYTES)
    return upcr_post_data (turn->post, bytes);
  return upcr_board_room (turn->team, turn->me, turn->number, bytes);
}

static const void *
partial_of (const struct upcr_turn *turn, uint32_t rank)
{
  struct upcr_post *post = upcr_board_post (turn->team, rank, turn->number);
  size_t bytes = turn->call->op.bytes;

  return bytes <= UPCR_PAYLOAD_BYTES ? upcr_post_data (post, bytes) : post->more;
}

static bool
is_posted_late (const struct upcr_turn *turn)
{
  return !turn->all_in && upcr_row_is_local (turn->call);
}

static void
await_partial (const struct upcr_turn *turn, uint32_t rank)
{
  if (rank == turn->me || turn->all_done)
    return;
  if (is_posted_late (turn))
    upcr_await_post (turn, rank);
  else
    upcr_await_done (turn, rank);
}

/* The partial results of the members before LIMIT, in their order. False: none. */
static bool
combine (const struct upcr_turn *turn, uint32_t limit, void *result)
{
  const struct upcr_coll *call = turn->call;
  bool is_begun = false;

  for (uint32_t m = 0; m < limit; m++)
    if (upcr_row_has_partial (call, turn->size, m))
      {
        await_partial (turn, m);
        fold_on (&call->op, result, &is_begun, partial_of (turn, m), 1);
      }
  return is_begun;
}

/* Where shares are local, and nobody has met before, this post is the first that others
   see. */
static void
post_partial (struct upcr_turn *turn)
{
  void *partial = partial_room (turn);

  turn->post->more = partial;
  upcr_fold_row (turn, partial);
  if (upcr_call_has (turn->call, GASNET_COLL_OUT_ALLSYNC) && turn->call->kind != UPCR_SCAN)
    upcr_turn_post_quietly (turn);
  else if (is_posted_late (turn))
    upcr_turn_post (turn);
  else
    upcr_say_done (turn);
}

void
upcr_put_result (const struct upcr_turn *turn, const void *result)
{
  size_t bytes = turn->call->op.bytes;

  if (turn->call->kind == UPCR_REDUCE)
    memcpy (upcr_turn_dst (turn, turn->call->root), result, bytes);
  else
    for (uint32_t m = 0; m < turn->size; m++)
      memcpy (upcr_turn_dst (turn, m), result, bytes);
}

/* All meet at the end anyway: the last one to come combines the partial results, before
   it lets the others go. */
static void
reduce_and_meet (struct upcr_turn *turn)
{
  struct upcr_assembly *assembly = &turn->team->assembly;
  uint32_t epoch = upcr_assembly_epoch (assembly);

  turn->all_done = true;
  if (upcr_assembly_arrive (assembly))
    {
      _Alignas (16) char near[UPCR_NEAR_BYTES];
      void *result = upcr_element_room (&turn->call->op, near);

      combine (turn, turn->size, result);
      upcr_put_result (turn, result);
      upcr_free_element (result, near);
      upcr_assembly_open (assembly);
    }
  else
    upcr_assembly_await (assembly, epoch, turn->call->what);
}

static void
reduce (struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  bool is_all = call->kind == UPCR_REDUCE_ALL;
  _Alignas (16) char near[UPCR_NEAR_BYTES];

  if (call->count == 0)
    return;
  post_partial (turn);
  if (upcr_call_has (call, GASNET_COLL_OUT_ALLSYNC))
    {
      reduce_and_meet (turn);
      return;
    }
  if (is_all || turn->me == call->root)
    {
      void *result = upcr_element_room (&call->op, near);
      uint32_t to = is_all ? turn->me : call->root;

      combine (turn, turn->size, result);
      upcr_copy (upcr_turn_dst (turn, to), result, call->op.bytes);
      upcr_free_element (result, near);
    }
  if (upcr_call_has (call, GASNET_COLL_OUT_MYSYNC) && !upcr_row_is_local (call))
    upcr_await_all_done (turn);
}

/* Elements that are about to be overwritten. */
enum { TILE_BYTES = 4096 };

/* COUNT elements of SRC to DST, each reduced with all before it; *CARRY is the reduction
   of those before, and of these too afterwards. */
static void
scan_stretch (const struct upcr_operator *op, char *dst, const char *src, size_t count, void *carry,
              bool *is_begun)
{
  op->scan (op, dst, src, count, *is_begun ? carry : NULL);
  upcr_copy (carry, dst + (count - 1) * op->bytes, op->bytes);
  *is_begun = true;
}

/* The same with each reduced with those before it alone; where there are none DST is left
   as it is. */
static void
scan_before (const struct upcr_operator *op, char *dst, const char *src, size_t count, void *carry,
             bool *is_begun)
{
  if (*is_begun)
    memcpy (dst, carry, op->bytes);
  if (count > 1)
    {
      op->scan (op, dst + op->bytes, src, count - 1, *is_begun ? carry : NULL);
      memcpy (carry, dst + (count - 1) * op->bytes, op->bytes);
      *is_begun = true;
    }
  fold_on (op, carry, is_begun, src + (count - 1) * op->bytes, 1);
}

static void
scan_before_in_place (const struct upcr_operator *op, char *data, size_t count, void *carry,
                      bool *is_begun)
{
  _Alignas (16) char near[TILE_BYTES];
  size_t most = op->bytes < sizeof near ? sizeof near / op->bytes : 1;
  char *tile = op->bytes <= sizeof near ? near : upcr_element_room (op, near);

  for (size_t i = 0; i < count; i += most)
    {
      size_t some = count - i < most ? count - i : most;

      memcpy (tile, data + i * op->bytes, some * op->bytes);
      scan_before (op, data + i * op->bytes, tile, some, carry, is_begun);
    }
  upcr_free_element (tile, near);
}

static void
scan_any (const struct upcr_coll *call, char *dst, const char *src, size_t count, void *carry,
          bool *is_begun)
{
  if (upcr_call_has (call, GASNET_COLL_INCLUSIVE_SCAN))
    scan_stretch (&call->op, dst, src, count, carry, is_begun);
  else if (dst != src)
    scan_before (&call->op, dst, src, count, carry, is_begun);
  else
    scan_before_in_place (&call->op, dst, count, carry, is_begun);
}

static void
scan_range (struct upcr_turn *turn, struct upcr_range range, void *carry, bool is_begun)
{
  const struct upcr_coll *call = turn->call;
  size_t index = range.first, limit = range.first + range.count, bytes = call->op.bytes;

  while (index < limit)
    {
      struct upcr_stretch from = upcr_stretch_at (call->source, turn->size, index, limit);
      struct upcr_stretch to = upcr_stretch_at (call->destination, turn->size, index, limit);
      size_t count = from.count < to.count ? from.count : to.count;

      upcr_turn_meet (turn, from.image);
      upcr_turn_meet (turn, to.image);
      scan_any (call, upcr_turn_dst (turn, to.image) + to.first * bytes,
                upcr_turn_src (turn, from.image) + from.first * bytes, count, carry, &is_begun);
      index += count;
    }
}

/* Are each member's elements and results all its own? */
static bool
is_scan_local (const struct upcr_coll *call)
{
  return upcr_row_is_local (call) && call->source.block == call->destination.block
         && call->source.offset == call->destination.offset;
}

void
upcr_scan_row (struct upcr_turn *turn, void *carry, bool has_carry)
{
  const struct upcr_coll *call = turn->call;
  struct upcr_stretch own;

  if (!is_scan_local (call))
    {
      scan_range (turn, upcr_range_of (call, turn->size, turn->me), carry, has_carry);
      return;
    }
  own = upcr_own_stretch (call, turn->size, turn->me);
  if (own.count > 0)
    scan_any (call, upcr_turn_dst (turn, turn->me) + own.first * call->op.bytes,
              upcr_turn_src (turn, turn->me) + own.first * call->op.bytes, own.count, carry, &has_carry);
}

static void
scan (struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  struct upcr_range range = upcr_range_of (call, turn->size, turn->me);
  _Alignas (16) char near[UPCR_NEAR_BYTES];

  if (call->count == 0)
    return;
  /* What comes last is in nobody else's result. */
  if (is_posted_late (turn) && range.first + range.count == call->count)
    upcr_turn_post_quietly (turn);
  else
    post_partial (turn);
  if (range.count > 0)
    {
      void *carry = upcr_element_room (&call->op, near);

      upcr_scan_row (turn, carry, combine (turn, turn->me, carry));
      upcr_free_element (carry, near);
    }
  /* Others may still write here. */
  if (upcr_call_has (call, GASNET_COLL_OUT_MYSYNC) && !is_scan_local (call))
    upcr_team_meet (turn->team, call->what);
}

/* The whole work, by the last member to come. */
void
upcr_compute_all (struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  struct upcr_range all = { 0, call->count };
  _Alignas (16) char near[UPCR_NEAR_BYTES];
  void *result;

  if (call->count == 0)
    return;
  result = upcr_element_room (&call->op, near);
  if (call->kind == UPCR_SCAN)
    scan_range (turn, all, result, false);
  else
    {
      fold_range (turn, all, result);
      upcr_put_result (turn, result);
    }
  upcr_free_element (result, near);
}

void
upcr_compute (struct upcr_turn *turn)
{
  if (turn->call->kind == UPCR_SCAN)
    scan (turn);
  else
    reduce (turn);
}
