/* Walks: see walk.h. */

#include "runtime/coll/walk.h"

void
upcr_walk_begin (struct upcr_walk *walk, struct upcr_context *ctx, struct upcr_layout layout,
                 upcr_image_address *address_of, size_t index)
{
  struct upcr_extent at = upcr_extent_at (layout, ctx->size, index, index + 1);

  walk->ctx = ctx;
  walk->address_of = address_of;
  walk->bytes = ctx->call->op->bytes;
  walk->block = layout.block ? layout.block : SIZE_MAX;
  walk->in_block = at.first % walk->block;
  walk->first = at.first - walk->in_block;
  walk->image = walk->begin = at.image;
  walk->known = 0;
}

/* Images follow each other, so that those before this one are known. */
static __attribute__ ((noinline)) void
find_base (struct upcr_walk *walk)
{
  uint32_t size = walk->ctx->size, image = walk->image;

  if ((image + size - walk->begin) % size < walk->known)
    return;
  upcr_await_entry (walk->ctx, image);
  walk->bases[image] = walk->address_of (walk->ctx, image);
  walk->known++;
}

/* Where the next elements are. */
static inline char *
place (struct upcr_walk *walk)
{
  if (walk->known < walk->ctx->size)
    find_base (walk);
  return walk->bases[walk->image] + (walk->first + walk->in_block) * walk->bytes;
}

static inline void
step (struct upcr_walk *walk, size_t count)
{
  walk->in_block += count;
  if (walk->in_block < walk->block)
    return;
  walk->in_block = 0;
  if (++walk->image == walk->ctx->size)
    {
      walk->image = 0;
      walk->first += walk->block;
    }
}

void
upcr_walk_skip (struct upcr_walk *walk)
{
  (void) place (walk);
  step (walk, 1);
}

/* What most pieces are is one instruction to copy. */
static inline void
copy (char *dst, const char *src, size_t bytes)
{
  if (bytes == 8)
    memcpy (dst, src, 8);
  else if (bytes == 4)
    memcpy (dst, src, 4);
  else
    memcpy (dst, src, bytes);
}

static inline size_t
next_piece (const struct upcr_walk *walk, size_t count)
{
  size_t left = walk->block - walk->in_block;

  return left < count ? left : count;
}

/* Copies the next COUNT elements piece by piece. */
static inline void
copy_pieces (struct upcr_walk *walk, char *tile, size_t count, bool is_gather)
{
  while (count > 0)
    {
      size_t some = next_piece (walk, count);
      char *at = place (walk);

      copy (is_gather ? tile : at, is_gather ? at : tile, some * walk->bytes);
      tile += some * walk->bytes;
      count -= some;
      step (walk, some);
    }
}

/* From the first image on, ROUNDS blocks of each: image by image. */
static inline void
copy_rounds (struct upcr_walk *walk, char *tile, size_t rounds, bool is_gather)
{
  size_t bytes = walk->block * walk->bytes, stride = bytes * walk->ctx->size;

  for (walk->image = 0; walk->image < walk->ctx->size; walk->image++, tile += bytes)
    {
      char *pieces = place (walk);

      if (is_gather)
        upcr_gather_pieces (tile, pieces, bytes, stride, rounds);
      else
        upcr_scatter_pieces (tile, pieces, bytes, stride, rounds);
    }
  walk->image = 0;
  walk->first += rounds * walk->block;
}

/* Pieces to the next round, whole rounds, and what is left. */
static inline void
copy_elements (struct upcr_walk *walk, char *tile, size_t count, bool is_gather)
{
  size_t round = walk->ctx->size * walk->block, before, rounds;

  /* The first condition also finds blocks of which ROUND is not a number. */
  if (walk->block >= count || count < 2 * round)
    {
      copy_pieces (walk, tile, count, is_gather);
      return;
    }
  before = walk->image * walk->block + walk->in_block;
  before = before ? round - before : 0;
  copy_pieces (walk, tile, before, is_gather);
  tile += before * walk->bytes;
  rounds = (count - before) / round;
  copy_rounds (walk, tile, rounds, is_gather);
  tile += rounds * round * walk->bytes;
  copy_pieces (walk, tile, count - before - rounds * round, is_gather);
}

void
upcr_walk_gather (struct upcr_walk *walk, char *tile, size_t count)
{
  copy_elements (walk, tile, count, true);
}

void
upcr_walk_scatter (struct upcr_walk *walk, const char *tile, size_t count)
{
  copy_elements (walk, (char *) tile, count, false);
}
