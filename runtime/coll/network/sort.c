/* upc_all_sort if other processes have threads. Thread 0 fetches the elements to its own partition, where
   the program's function compares them, sorts their indexes, and stores the elements in their order. */

#include "runtime/coll/coll.h"

#include "runtime/coll/network/check.h"
#include "runtime/coll/network/tile.h"
#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>
#include <string.h>

struct sort
{
  size_t bytes, count;
  struct upcr_layout layout;
  char *array;
  upcr_comparison *compare;
  upcr_pts copy;
};

static upcr_pts
element (const struct sort *sort, size_t i)
{
  return upcr_pts_make (upcr_pts_thread (sort->copy),
                        upcr_pts_offset (sort->copy) + i * sort->bytes, 0);
}

/* Merges the ordered places of A and B; equal elements keep their order. */
static void
merge (const struct sort *sort, const size_t *a, size_t count_a, const size_t *b, size_t count_b,
       size_t *to)
{
  while (count_a && count_b)
    if (sort->compare (element (sort, *b), element (sort, *a)) < 0)
      {
        *to++ = *b++;
        count_b--;
      }
    else
      {
        *to++ = *a++;
        count_a--;
      }
  memcpy (to, a, count_a * sizeof *to);
  memcpy (to + count_a, b, count_b * sizeof *to);
}

/* Orders COUNT places by way of OTHER. */
static void
order (const struct sort *sort, size_t *places, size_t *other, size_t count)
{
  size_t half = count / 2;

  if (count < 2)
    return;
  order (sort, places, other, half);
  order (sort, places + half, other, count - half);
  memcpy (other, places, count * sizeof *places);
  merge (sort, other, half, other + half, count - half, places);
}

/* As many elements as a tile has; one where it has none, as it is moved in parts. */
static size_t
tile_elements (const struct sort *sort, size_t left)
{
  size_t most = UPCR_TILE_OF_ALL / sort->bytes;

  return most == 0 ? 1 : left < most ? left : most;
}

static void
fetch (const struct sort *sort)
{
  char *copy = upcr_pts_address (sort->copy);

  for (size_t i = 0, some; i < sort->count; i += some)
    {
      some = tile_elements (sort, sort->count - i);
      upcr_gather_tile (sort->layout, sort->array, sort->bytes, i, some, copy + i * sort->bytes);
    }
}

static void
put_back (const struct sort *sort, const size_t *places, char *tile)
{
  const char *copy = upcr_pts_address (sort->copy);

  for (size_t i = 0, some; i < sort->count; i += some)
    {
      some = tile_elements (sort, sort->count - i);
      for (size_t j = 0; j < some; j++)
        memcpy (tile + j * sort->bytes, copy + places[i + j] * sort->bytes, sort->bytes);
      upcr_scatter_tile (sort->layout, sort->array, sort->bytes, i, some, tile);
    }
}

static void
sort_all (struct sort *sort)
{
  size_t *places = malloc (2 * sort->count * sizeof *places);
  char *tile = malloc (sort->bytes > UPCR_TILE_OF_ALL ? sort->bytes : UPCR_TILE_OF_ALL);

  sort->copy = upcr_local_alloc (sort->count * sort->bytes);
  if (!places || !tile || upcr_pts_is_null (sort->copy))
    upcr_fatal ("upc_all_sort: no memory for %zu elements", sort->count);
  fetch (sort);
  for (size_t i = 0; i < sort->count; i++)
    places[i] = i;
  order (sort, places, places + sort->count, sort->count);
  put_back (sort, places, tile);
  upcr_heap_free (sort->copy, "upc_all_sort");
  free (tile);
  free (places);
}

/* As a reduction that nobody has the result of. */
static void
check (const struct sort *sort, int flags)
{
  struct upcr_operator op = { .bytes = sort->bytes, .function = (void (*) (void)) sort->compare };

  upcr_compare_call (&(struct upcr_coll){ .what = "upc_all_sort",
                                          .kind = UPCR_REDUCE,
                                          .flags = flags,
                                          .dst = sort->array,
                                          .src = sort->array,
                                          .count = sort->count,
                                          .op = &op,
                                          .source = sort->layout });
}

void
upcr_all_sort (upcr_pts a, size_t bytes, size_t count, size_t block, upcr_comparison *compare,
               int flags)
{
  struct sort sort = { .bytes = bytes,
                       .count = count,
                       .layout = upcr_layout_of (a, block),
                       .array = upcr_layout_address (a, block, bytes),
                       .compare = compare };

  if (upcr_options.check)
    check (&sort, flags);
  if (!(flags & GASNET_COLL_IN_NOSYNC))
    upcr_collective_barrier ("upc_all_sort");
  if (MYTHREAD == 0 && count > 0 && bytes > 0)
    sort_all (&sort);
  if (!(flags & GASNET_COLL_OUT_NOSYNC))
    upcr_collective_barrier ("upc_all_sort");
  else
    upcr_flush ();
}
