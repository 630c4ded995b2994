/* Tiles of distributed arrays. A thread's elements of a tile are one piece of its memory, which is moved
   at once. The tile holds the blocks of the pieces in turn. */

#include "runtime/coll/network/tile.h"

#include <string.h>

size_t
upcr_elements_before (struct upcr_layout layout, int thread, size_t count)
{
  size_t at = layout.offset + count, round = layout.block * THREADS, rest, before;

  if (!layout.block)
    return (size_t) thread == layout.offset ? count : 0;
  rest = at % round;
  before = thread * layout.block;
  return at / round * layout.block
         + (rest <= before                 ? 0
            : rest - before > layout.block ? layout.block
                                           : rest - before);
}

/* A run of a tile's elements in one block. */
struct run
{
  int thread;
  size_t count;
};

static struct run
run_at (struct upcr_layout layout, size_t element, size_t left)
{
  size_t at = layout.offset + element, in_block;

  if (!layout.block)
    return (struct run){ (int) layout.offset, left };
  in_block = layout.block - at % layout.block;
  return (struct run){ (int) (at / layout.block % THREADS), in_block < left ? in_block : left };
}

/* Between TILE and PIECE, which has the thread's elements one behind the other. */
static void
deal (struct upcr_layout layout, size_t bytes, size_t first, size_t count, int thread, char *tile,
      char *piece, bool is_to_piece)
{
  for (size_t i = 0, some; i < count; i += some)
    {
      struct run run = run_at (layout, first + i, count - i);

      some = run.count;
      if (run.thread != thread)
        continue;
      if (is_to_piece)
        memcpy (piece, tile + i * bytes, some * bytes);
      else
        memcpy (tile + i * bytes, piece, some * bytes);
      piece += some * bytes;
    }
}

/* The piece of THREAD: where it is, and its bytes. */
static char *
piece_of (struct upcr_layout layout, const void *address, size_t bytes, size_t first, size_t count,
          int thread, size_t *piece_bytes)
{
  size_t begin = upcr_elements_before (layout, thread, first);

  *piece_bytes = (upcr_elements_before (layout, thread, first + count) - begin) * bytes;
  return upcr_at_thread (address, thread) + begin * bytes;
}

void
upcr_gather_tile (struct upcr_layout layout, const void *address, size_t bytes, size_t first,
                  size_t count, char *tile)
{
  char piece[UPCR_TILE_OF_ALL];

  for (int t = 0; t < THREADS; t++)
    {
      size_t length;
      const char *at = piece_of (layout, address, bytes, first, count, t, &length);

      if (length == 0)
        continue;
      if (count == 1)
        {
          upcr_load (tile, at, length);
          return;
        }
      upcr_load (piece, at, length);
      deal (layout, bytes, first, count, t, tile, piece, false);
    }
}

void
upcr_scatter_tile (struct upcr_layout layout, void *address, size_t bytes, size_t first,
                   size_t count, const char *tile)
{
  char piece[UPCR_TILE_OF_ALL];

  for (int t = 0; t < THREADS; t++)
    {
      size_t length;
      char *at = piece_of (layout, address, bytes, first, count, t, &length);

      if (length == 0)
        continue;
      if (count == 1)
        {
          upcr_store (at, tile, length);
          return;
        }
      deal (layout, bytes, first, count, t, (char *) tile, piece, true);
      upcr_store (at, piece, length);
    }
}
