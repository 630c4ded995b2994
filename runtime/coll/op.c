/* The work at operations in flight. */

#include "runtime/coll/op.h"

#include "runtime/coll/operator.h"
#include "runtime/coll/share.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <string.h>

static bool
is_scan (const struct upcr_turn *turn)
{
  return turn->call->kind == UPCR_SCAN;
}

/* Says that members may find something to do, or may leave. */
static void
ring (struct upcr_op *op)
{
  atomic_fetch_add_explicit (&op->event, 1, memory_order_release);
  upcr_unpark_all (&op->event);
}

/* Others that wait can only go on when the root is there or all are: a row of this member
   alone it does itself. */
void
upcr_op_arrive (upcr_handle *handle)
{
  struct upcr_op *op = handle->op;
  struct upcr_turn *turn = &handle->turn;
  struct upcr_part *part = &op->parts[turn->me];
  bool is_last;

  upcr_own_addresses (turn, &part->src, &part->dst);
  part->more = turn->call;
  atomic_store_explicit (&part->arrived, 1, memory_order_release);
  is_last = atomic_fetch_add_explicit (&op->arrived, 1, memory_order_acq_rel) + 1 == turn->size;
  if (turn->size > 1 && (is_last || turn->me == turn->call->root))
    ring (op);
}

static bool
have_all_arrived (const struct upcr_turn *turn)
{
  return atomic_load_explicit (&turn->op->arrived, memory_order_acquire) == turn->size;
}

static bool
has_arrived (const struct upcr_turn *turn, uint32_t rank)
{
  return atomic_load_explicit (&turn->op->parts[rank].arrived, memory_order_acquire);
}

/* May the row be done, by what the IN flag says about the data that it touches? */
static bool
is_row_ready (const struct upcr_turn *turn, uint32_t row)
{
  const struct upcr_coll *call = turn->call;

  if (upcr_call_has (call, GASNET_COLL_IN_ALLSYNC))
    return have_all_arrived (turn);
  if (!upcr_call_has (call, GASNET_COLL_IN_MYSYNC | GASNET_COLL_LOCAL) && !call->src_sizes)
    return true;
  if (call->kind <= UPCR_GATHER)
    return has_arrived (turn, row) && has_arrived (turn, call->root);
  if (call->kind == UPCR_REDUCE && upcr_row_is_local (call))
    return has_arrived (turn, row);
  return have_all_arrived (turn);
}

static void *
partial_of (const struct upcr_op *op, uint32_t row)
{
  return op->partials + row * op->partial_bytes;
}

static void *
carry_of (const struct upcr_op *op, uint32_t size, uint32_t row)
{
  return op->partials + (size + row) * op->partial_bytes;
}

/* Folds the partial results of all rows, in their order; for a scan, each row's carry is
   what was there before it. */
static bool
combine (const struct upcr_turn *turn, char *result)
{
  const struct upcr_operator *op = &turn->call->op;
  bool is_begun = false;

  for (uint32_t row = 0; row < turn->size; row++)
    {
      if (!upcr_row_has_partial (turn->call, turn->size, row))
        continue;
      if (is_scan (turn) && is_begun)
        memcpy (carry_of (turn->op, turn->size, row), result, op->bytes);
      op->fold (op, result, is_begun ? result : NULL, partial_of (turn->op, row), 1);
      is_begun = true;
    }
  return is_begun;
}

static bool
is_first_partial (const struct upcr_turn *turn, uint32_t row)
{
  for (uint32_t m = 0; m < row; m++)
    if (upcr_row_has_partial (turn->call, turn->size, m))
      return false;
  return true;
}

/* All rows of the pass are done, and this thread did the last one. */
static void
end_pass (const struct upcr_turn *turn, uint32_t pass)
{
  struct upcr_op *op = turn->op;

  if (turn->call->kind >= UPCR_REDUCE && pass == 0 && turn->call->count > 0)
    {
      _Alignas (16) char near[UPCR_NEAR_BYTES];
      void *result = upcr_element_room (&turn->call->op, near);

      combine (turn, result);
      if (!is_scan (turn))
        upcr_put_result (turn, result);
      upcr_free_element (result, near);
    }
  if (is_scan (turn) && pass == 0)
    atomic_store_explicit (&op->pass, 1, memory_order_release);
  else
    atomic_store_explicit (&op->complete, 1, memory_order_release);
  if (turn->size > 1)
    ring (op);
}

static void
do_unit (struct upcr_turn *turn, uint32_t pass, uint32_t unit)
{
  struct upcr_op *op = turn->op;

  if (turn->call->kind < UPCR_REDUCE)
    upcr_move_unit (turn, unit);
  else if (turn->call->count == 0)
    return;
  else if (pass == 0)
    upcr_fold_row (turn, partial_of (op, turn->me));
  else
    upcr_scan_row (turn, carry_of (op, turn->size, turn->me), !is_first_partial (turn, turn->me));
}

static uint32_t
units_of_row (const struct upcr_turn *turn)
{
  return turn->call->kind < UPCR_REDUCE ? upcr_row_units (turn) : 1;
}

/* Does units of ROW for as long as there are any. TURN is the caller's own. */
static bool
do_row (const struct upcr_turn *turn, uint32_t pass, uint32_t row)
{
  struct upcr_part *part = &turn->op->parts[row];
  struct upcr_turn its = *turn;
  uint32_t units, unit;
  bool did_something = false;

  its.me = row;
  units = units_of_row (&its);
  while ((unit = atomic_load_explicit (&part->cursor[pass], memory_order_relaxed)) < units
         && (unit = atomic_fetch_add_explicit (&part->cursor[pass], 1, memory_order_relaxed)) < units)
    {
      did_something = true;
      do_unit (&its, pass, unit);
      if (atomic_fetch_add_explicit (&part->done[pass], 1, memory_order_acq_rel) + 1 < units)
        continue;
      if (atomic_fetch_add_explicit (&turn->op->rows_done[pass], 1, memory_order_acq_rel) + 1
          == turn->size)
        end_pass (turn, pass);
      else if (row != turn->me)
        ring (turn->op);
    }
  return did_something;
}

bool
upcr_op_advance (upcr_handle *handle)
{
  struct upcr_turn *turn = &handle->turn;
  bool did_something = false;
  uint32_t pass;

  if (atomic_load_explicit (&turn->op->complete, memory_order_acquire))
    return false;
  do
    {
      pass = atomic_load_explicit (&turn->op->pass, memory_order_acquire);
      for (uint32_t i = 0; i < turn->size; i++)
        {
          uint32_t row = (turn->me + i) % turn->size;

          if (is_row_ready (turn, row))
            did_something |= do_row (turn, pass, row);
        }
    }
  while (atomic_load_explicit (&turn->op->pass, memory_order_acquire) != pass);
  return did_something;
}

static bool
is_row_done (const struct upcr_turn *turn)
{
  return atomic_load_explicit (&turn->op->parts[turn->me].done[0], memory_order_acquire)
         == units_of_row (turn);
}

/* Has all data of the calling member moved? For the kinds where that is earlier than all
   has. */
static bool
has_own_moved (const struct upcr_turn *turn)
{
  const struct upcr_coll *call = turn->call;
  bool is_rooted = call->kind <= UPCR_GATHER
                   || (call->kind == UPCR_REDUCE && upcr_row_is_local (call));

  return is_rooted && turn->me != call->root && is_row_done (turn);
}

/* Without output synchronisation a member may leave the rest to the others, but the last
   one; those that have not come yet count as others. Not where the others need its own
   arguments. A blocking call does its share first. */
static bool
leave_the_rest (struct upcr_op *op)
{
  uint32_t refs = atomic_load_explicit (&op->refs, memory_order_relaxed);

  while (refs > 1)
    if (atomic_compare_exchange_weak_explicit (&op->refs, &refs, refs - 1, memory_order_acq_rel,
                                               memory_order_relaxed))
      return true;
  return false;
}

bool
upcr_op_leave (upcr_handle *handle)
{
  const struct upcr_turn *turn = &handle->turn;
  struct upcr_op *op = handle->op;

  if (atomic_load_explicit (&op->complete, memory_order_acquire)
      || (upcr_call_has (turn->call, GASNET_COLL_OUT_MYSYNC) && has_own_moved (turn)))
    {
      upcr_op_put (op);
      return true;
    }
  return upcr_call_has (turn->call, GASNET_COLL_OUT_NOSYNC) && !turn->call->src_sizes
         && (!handle->is_blocking || is_row_done (turn)) && leave_the_rest (op);
}
