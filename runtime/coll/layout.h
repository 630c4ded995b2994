/* Arithmetic of distributed arrays: where element i is, and which elements an image has. */

#ifndef UPCR_COLL_LAYOUT_H
#define UPCR_COLL_LAYOUT_H

#include "runtime/coll/coll.h"

/* Elements that lie one after the other in the memory of an image, from its address on. */
struct upcr_extent
{
  uint32_t image;
  size_t first, count;
};

/* The longest extent that begins with element INDEX and ends before LIMIT, of an array
   dealt out to IMAGES. */
static inline struct upcr_extent
upcr_extent_at (struct upcr_layout layout, uint32_t images, size_t index, size_t limit)
{
  size_t at = layout.offset + index, block, left;

  if (layout.block == 0)
    return (struct upcr_extent){ layout.offset, index, limit - index };
  if (images == 1)
    return (struct upcr_extent){ 0, at, limit - index };
  block = at / layout.block;
  left = layout.block - at % layout.block;
  return (struct upcr_extent){ block % images, block / images * layout.block + at % layout.block,
                               left < limit - index ? left : limit - index };
}

/* Whole ROUNDS in AT, and what is left. Divided as numbers of 32 bits where they are: with those of 64 the
   division is a good part of a small operation. */
static inline size_t
upcr_rounds_in (size_t at, size_t round, size_t *left)
{
  size_t rounds = (at | round) >> 32 ? at / round : (uint32_t) at / (uint32_t) round;

  *left = at - rounds * round;
  return rounds;
}

/* How many of the elements before the one at AT, counted from the first of image 0,
   belong to IMAGE. */
static inline size_t
upcr_elements_before (size_t block, uint32_t images, uint32_t image, size_t at)
{
  size_t in_round, rounds = upcr_rounds_in (at, block * images, &in_round), start = image * block;
  size_t in_block = in_round <= start ? 0 : in_round - start;

  return rounds * block + (in_block < block ? in_block : block);
}

/* All elements of IMAGE, of the first COUNT: they are one extent, since the blocks of an
   image follow each other. */
static inline struct upcr_extent
upcr_extent_of (struct upcr_layout layout, uint32_t images, uint32_t image, size_t count)
{
  size_t first;

  if (layout.block == 0)
    return (struct upcr_extent){ image, 0, image == layout.offset ? count : 0 };
  first = upcr_elements_before (layout.block, images, image, layout.offset);
  return (struct upcr_extent){
    image, first, upcr_elements_before (layout.block, images, image, layout.offset + count) - first
  };
}

#endif
