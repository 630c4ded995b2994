/* Kept memory (kept.h): of a few pieces the largest ones, up to a limit. */

#include "runtime/abi/network/kept.h"

#include <stdlib.h>

enum
{
  PIECES = 4, /* addresses and values of two lists */
  MOST_KEPT = 1 << 20
};

static __thread struct piece
{
  void *memory;
  size_t bytes;
} pieces[PIECES];

void *
upcr_kept_take (size_t bytes, size_t *room)
{
  struct piece piece = { NULL, bytes };

  for (int i = 0; i < PIECES && !piece.memory; i++)
    if (pieces[i].memory && pieces[i].bytes >= bytes)
      {
        piece = pieces[i];
        pieces[i] = (struct piece){ NULL, 0 };
      }
  if (!piece.memory)
    piece.memory = malloc (bytes);
  if (room)
    *room = piece.memory ? piece.bytes : 0;
  return piece.memory;
}

void
upcr_kept_give (void *memory, size_t room)
{
  struct piece *smallest = pieces, given = { memory, room };

  for (int i = 1; i < PIECES; i++)
    if (pieces[i].bytes < smallest->bytes)
      smallest = &pieces[i];
  if (memory && room > smallest->bytes && room <= MOST_KEPT)
    {
      given = *smallest;
      *smallest = (struct piece){ memory, room };
    }
  free (given.memory);
}
