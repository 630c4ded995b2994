/* With UPC_CHECK=1: do the regions of a list that is read into overlap? They must not (7.8.6). */

#include "runtime/io/operation.h"

#include "runtime/host/host.h"

#include <stdlib.h>

struct piece
{
  const char *begin, *end;
};

struct pieces
{
  struct piece *array; /* NULL: they are only counted */
  size_t count;
};

static void
add_piece (char *begin, size_t bytes, void *argument)
{
  struct pieces *pieces = argument;

  if (pieces->array)
    pieces->array[pieces->count] = (struct piece){ begin, begin + bytes };
  pieces->count++;
}

static void
add_all (struct pieces *pieces, const struct upcr_region *regions, size_t count)
{
  pieces->count = 0;
  for (size_t i = 0; i < count; i++)
    if (regions[i].length)
      upcr_visit_region (&regions[i], add_piece, pieces);
}

static int
compare (const void *a, const void *b)
{
  const struct piece *x = a, *y = b;

  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Of pieces in order any two overlap only where two neighbours do. */
static bool
overlap (const struct pieces *pieces)
{
  for (size_t i = 1; i < pieces->count; i++)
    if (pieces->array[i].begin < pieces->array[i - 1].end)
      return true;
  return false;
}

void
upcr_refuse_overlap (const struct upcr_operation *operation, size_t memory_count)
{
  struct pieces pieces = { NULL, 0 };

  add_all (&pieces, operation->regions, memory_count);
  pieces.array = malloc ((pieces.count + 1) * sizeof *pieces.array);
  if (!pieces.array)
    upcr_fatal ("%s: no memory to check it", operation->request.what);
  add_all (&pieces, operation->regions, memory_count);
  qsort (pieces.array, pieces.count, sizeof *pieces.array, compare);
  if (overlap (&pieces))
    upcr_fatal ("%s: memvec has regions that overlap", operation->request.what);
  free (pieces.array);
}
