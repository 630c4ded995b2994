/* Inside the room: a walk over the elements of a distributed array in their order, block by
   block, without a division for each block. If blocks are short, elements are copied to or from
   a tile, an array of UPCR_TILE_BYTES with the elements of several blocks. So operators are
   called for many elements at once. */

#ifndef UPCR_COLL_WALK_H
#define UPCR_COLL_WALK_H

#include "runtime/coll/context.h"

#include <string.h>

/* Where an image's data is. */
typedef char *upcr_image_address (const struct upcr_context *ctx, uint32_t image);

struct upcr_walk
{
  struct upcr_context *ctx;
  upcr_image_address *address_of;
  size_t block, bytes; /* elements of a block; bytes of an element */
  uint32_t image;
  size_t in_block; /* elements of the block that are behind */
  size_t first;    /* elements of the image before the block */
  uint32_t begin;  /* the first image */
  uint32_t known;  /* how many from that one on have a base */
  char *bases[UPCR_MAX_THREADS];
};

/* A walk from element INDEX on of an array with LAYOUT. */
void upcr_walk_begin (struct upcr_walk *walk, struct upcr_context *ctx, struct upcr_layout layout,
                      upcr_image_address *address_of, size_t index);

/* Are the blocks of LAYOUT so short that a tile pays? */
static inline bool
upcr_is_walked (struct upcr_layout layout, uint32_t size, size_t bytes)
{
  return layout.block - 1 < UPCR_WALKED_BYTES && size > 1
         && layout.block * bytes <= UPCR_WALKED_BYTES;
}

/* Goes past the next element. */
void upcr_walk_skip (struct upcr_walk *walk);

/* Copies the next COUNT elements to TILE, or from it. */
void upcr_walk_gather (struct upcr_walk *walk, char *tile, size_t count);
void upcr_walk_scatter (struct upcr_walk *walk, const char *tile, size_t count);

#endif
