/* Reductions and scans in which each member has at most one block, and reductions of several blocks that
   a member may fold at once. They synchronise only members that have a partial result with those that
   need it. Each member folds its own elements, and puts the result into its slot, together with the
   sequence number that announces it, mostly in one cache line. */

#include "runtime/coll/one_block.h"

#include "runtime/coll/algorithms.h"
#include "runtime/shared/shared.h"

/* One member's part. Mostly each member has elements, and nothing is left to be found out about them: that
   is known when this is compiled, once for either kind. Everything is in line: of small operations calls
   would be a good part. */
struct part
{
  upcr_team *team;
  uint32_t me, number;
  struct upcr_mailbox_slot *slot;
  struct upcr_range own; /* its elements */
  size_t offset;         /* in bytes: where they are, behind its addresses */
  bool have_all;         /* elements */
};

#define IN_LINE static inline __attribute__ ((always_inline))

IN_LINE void
fold_own (const struct part *part, const struct upcr_coll *c)
{
  if (part->own.count > 0)
    c->op->fold (c->op, upcr_slot_data (part->slot, c->op->bytes), NULL,
                 (const char *) c->src + part->offset, part->own.count);
}

IN_LINE void
publish_partial (const struct part *part, const struct upcr_coll *c)
{
  upcr_mailbox_publish_and_notify (part->team, part->me, part->slot, part->number, c->op->bytes);
}

IN_LINE void
publish_nothing (const struct part *part, const struct upcr_coll *c)
{
  upcr_slot_publish_quietly (part->slot, part->number, upcr_implies_fence (c->flags));
}

/* Folds member M's partial result behind *RESULT, which is null or where they are, which may be
   in BUFFER. */
IN_LINE const void *
combine_one (const struct part *part, const struct upcr_coll *c, uint32_t m, const void *result,
             void *buffer)
{
  struct upcr_mailbox_slot *slot = part->slot;
  const void *partial;

  if (m != part->me)
    slot = upcr_mailbox_await (part->team, m, part->number, c->what);
  partial = upcr_slot_data (slot, c->op->bytes);
  if (!result)
    return partial;
  c->op->fold (c->op, buffer, result, partial, 1);
  return buffer;
}

/* The partial results of the members before RANK, in their order: where they are, which may
   be in BUFFER. Null: there are none. Blocks are found one behind the other: multiplications
   would be a good part of the time. */
IN_LINE const void *
combine (const struct part *part, const struct upcr_coll *c, uint32_t rank, void *buffer)
{
  size_t block = c->source.block, first = c->source.offset, limit = first + c->count, begin = 0;
  const void *result = NULL;

  if (part->have_all)
    for (uint32_t m = 0; m < rank; m++)
      result = combine_one (part, c, m, result, buffer);
  else if (c->count > 0)
    for (uint32_t m = 0; m < rank && begin < limit; m++, begin += block)
      if (begin + block > first)
        result = combine_one (part, c, m, result, buffer);
  return result;
}

IN_LINE void
reduce (const struct part *part, const struct upcr_coll *c)
{
  _Alignas(16) char buffer[UPCR_NEAR_BYTES];
  bool gets_result = c->kind == UPCR_REDUCE_ALL || part->me == c->root;
  const void *result;

  fold_own (part, c);
  if (part->own.count > 0 && (c->kind == UPCR_REDUCE_ALL || !gets_result))
    publish_partial (part, c);
  else
    publish_nothing (part, c);
  if (gets_result && (result = combine (part, c, part->team->size, buffer)))
    upcr_copy (c->dst, result, c->op->bytes);
}

/* This member's results, behind those of the members before it: a single one without what a
   scan of many takes to begin. */
IN_LINE void
scan_own (const struct part *part, const struct upcr_coll *c, const void *carry)
{
  char *dst = (char *) c->dst + part->offset;
  const char *src = (const char *) c->src + part->offset;

  if (part->own.count > 1)
    c->op->scan (c->op, dst, src, part->own.count, carry);
  else if (carry)
    c->op->fold (c->op, dst, carry, src, 1);
  else
    upcr_copy (dst, src, c->op->bytes);
}

/* The first member's part, where it has little to do: its last result is the sum that the
   others wait for. */
IN_LINE void
scan_first (const struct part *part, const struct upcr_coll *c)
{
  size_t last = (part->own.count - 1) * c->op->bytes;

  scan_own (part, c, NULL);
  upcr_copy (upcr_slot_data (part->slot, c->op->bytes), (const char *) c->dst + part->offset + last,
             c->op->bytes);
  publish_partial (part, c);
}

IN_LINE void
scan (const struct part *part, const struct upcr_coll *c)
{
  _Alignas(16) char buffer[UPCR_NEAR_BYTES];
  struct upcr_range own = part->own;
  /* What comes last is in nobody else's result. */
  bool is_published = own.count > 0 && own.first + own.count < c->count;

  if (is_published && own.first == 0 && own.count * c->op->bytes <= UPCR_SCAN_FIRST_BYTES)
    {
      scan_first (part, c);
      return;
    }
  if (is_published)
    {
      fold_own (part, c);
      publish_partial (part, c);
    }
  else
    publish_nothing (part, c);
  if (own.count > 0)
    scan_own (part, c, combine (part, c, part->me, buffer));
}

IN_LINE void
compute (struct part *part, const struct upcr_coll *c)
{
  part->slot = upcr_mailbox_enter (part->team, part->me, &part->number);
  if (c->kind == UPCR_SCAN)
    scan (part, c);
  else
    reduce (part, c);
  upcr_mailbox_leave (part->team, part->me, part->number, upcr_implies_fence (c->flags));
}

/* All blocks of a member are one extent. */
static void
compute_own_blocks (upcr_team *team, uint32_t me, const struct upcr_coll *c)
{
  struct upcr_extent own = upcr_extent_of (c->source, team->size, me, c->count);
  struct part part = { .team = team, .me = me, .own = { own.first, own.count }, .have_all = true };

  part.offset = own.first * c->op->bytes;
  compute (&part, c);
}

void
upcr_compute_one_block (upcr_team *team, uint32_t me, const struct upcr_coll *c,
                        enum upcr_partition partition)
{
  struct part part = { .team = team, .me = me };

  if (partition == UPCR_OWN_BLOCKS)
    {
      compute_own_blocks (team, me, c);
      return;
    }
  part.own = upcr_block_range (c->source, c->count, me);
  part.offset = (c->source.offset + part.own.first - me * c->source.block) * c->op->bytes;
  compute (&part, c);
}

void
upcr_compute_equal_parts (upcr_team *team, uint32_t me, const struct upcr_coll *c, size_t count)
{
  struct part part = { .team = team, .me = me, .own = { me * count, count }, .have_all = true };

  compute (&part, c);
}

void
upcr_run_one_block (struct upcr_context *ctx)
{
  struct upcr_coll own = *ctx->call;

  upcr_own_addresses (ctx, &own.src, &own.dst);
  upcr_compute_one_block (ctx->team, ctx->me, &own, ctx->partition);
}
