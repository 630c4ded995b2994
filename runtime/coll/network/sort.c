/* upc_all_sort where other processes have threads: thread 0 sorts the places of the elements, which the
   program's function compares where they are, and moves them. */

#include "runtime/coll/coll.h"

#include "runtime/coll/network/tile.h"
#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>
#include <string.h>

struct sort
{
  upcr_pts a;
  size_t bytes, count;
  struct upcr_layout layout;
  upcr_comparison *compare;
};

static upcr_pts
element (const struct sort *sort, size_t i)
{
  size_t block = sort->layout.block, at = sort->layout.offset + i, thread, index;
  uint64_t start = upcr_pts_offset (sort->a) - (block ? upcr_pts_phase (sort->a) * sort->bytes : 0);

  if (!block)
    return upcr_pts_make (upcr_pts_thread (sort->a), start + i * sort->bytes, 0);
  thread = at / block % THREADS;
  index = at / block / THREADS * block + at % block;
  return upcr_pts_make (thread, start + index * sort->bytes, at % block);
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

static void
move_elements (const struct sort *sort, const size_t *places, char *values)
{
  for (size_t i = 0; i < sort->count; i++)
    upcr_load (values + i * sort->bytes, upcr_pts_address (element (sort, places[i])), sort->bytes);
  for (size_t i = 0; i < sort->count; i++)
    upcr_store (upcr_pts_address (element (sort, i)), values + i * sort->bytes, sort->bytes);
}

static void
sort_all (const struct sort *sort)
{
  size_t *places = malloc (2 * sort->count * sizeof *places + 1);
  char *values = malloc (sort->count * sort->bytes + 1);

  if (!places || !values)
    upcr_fatal ("upc_all_sort: no memory for %zu elements", sort->count);
  for (size_t i = 0; i < sort->count; i++)
    places[i] = i;
  order (sort, places, places + sort->count, sort->count);
  move_elements (sort, places, values);
  free (values);
  free (places);
}

void
upcr_all_sort (upcr_pts a, size_t bytes, size_t count, size_t block, upcr_comparison *compare,
               int flags)
{
  const struct sort sort = { a, bytes, count, upcr_layout_of (a, block), compare };

  if (!(flags & GASNET_COLL_IN_NOSYNC))
    upcr_collective_barrier ("upc_all_sort");
  if (MYTHREAD == 0)
    sort_all (&sort);
  if (!(flags & GASNET_COLL_OUT_NOSYNC))
    upcr_collective_barrier ("upc_all_sort");
  else
    upcr_flush ();
}
