/* gasnet_coll_init: the table of functions, and the grouping of images into nodes. */

#include "runtime/coll/images.h"

#include "runtime/coll/operator.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <string.h>

/* Written by thread 0 before, read by all after the barrier of gasnet_coll_init. */
static gasnet_coll_fn_entry_t *table;
static size_t table_rows;
/* The first image of each image's node, and its node; null: one image a node. */
static uint32_t *first_of_node, *node_of_image;

/* Has the UPC thread called gasnet_coll_init? Each writes its own. */
static bool is_initialized[UPCR_MAX_THREADS];

bool
upcr_is_initialized (void)
{
  return is_initialized[MYTHREAD];
}

uint32_t
upcr_index_in_node (uint32_t image)
{
  return first_of_node ? image - first_of_node[image] : 0;
}

/* Where the calling thread knows of several images on a node. */
static bool
are_grouped (void)
{
  return upcr_is_initialized () && node_of_image;
}

gasnet_node_t
gasnet_mynode (void)
{
  return are_grouped () ? node_of_image[MYTHREAD] : (gasnet_node_t) MYTHREAD;
}

gasnet_node_t
gasnet_nodes (void)
{
  return are_grouped () ? node_of_image[THREADS - 1] + 1 : (gasnet_node_t) THREADS;
}

static void *
zeroed (size_t count, size_t bytes)
{
  void *memory = calloc (count ? count : 1, bytes);

  if (!memory)
    upcr_fatal ("gasnet_coll_init: no memory");
  return memory;
}

static void
group (const gasnet_image_t images[])
{
  int image = 0;

  if (!images)
    return;
  first_of_node = zeroed (THREADS, sizeof *first_of_node);
  node_of_image = zeroed (THREADS, sizeof *node_of_image);
  for (size_t node = 0; image < THREADS; node++)
    {
      int first = image;

      if (images[node] == 0 || images[node] > (gasnet_image_t) (THREADS - image))
        upcr_fatal ("gasnet_coll_init: %u images on node %zu, with %d of %d images before it",
                    images[node], node, first, THREADS);
      for (; image < first + (int) images[node]; image++)
        {
          first_of_node[image] = first;
          node_of_image[image] = node;
        }
    }
}

static void
check_rows (const gasnet_coll_fn_entry_t fn_tbl[], size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!fn_tbl[i].fnptr
        || fn_tbl[i].flags & ~(unsigned) (GASNET_COLL_NONCOMM | GASNET_COLL_AMSAFE))
      upcr_fatal ("gasnet_coll_init: function %zu of the table is null, or its flags are wrong", i);
}

static void
keep (const gasnet_image_t images[], const gasnet_coll_fn_entry_t fn_tbl[], size_t count)
{
  check_rows (fn_tbl, count);
  table = zeroed (count, sizeof *table);
  if (count)
    memcpy (table, fn_tbl, count * sizeof *table);
  table_rows = count;
  group (images);
}

void
gasnet_coll_init (const gasnet_image_t images[], gasnet_image_t my_image,
                  const gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count, int init_flags)
{
  UPCR_EXCLUSIVE ("gasnet_coll_init");
  const struct upcr_broadcast mine = { .what = "gasnet_coll_init", .arguments = { fn_count } };

  if (upcr_is_initialized ())
    upcr_fatal ("gasnet_coll_init twice");
  if (images && my_image != (gasnet_image_t) MYTHREAD)
    upcr_fatal ("gasnet_coll_init: my_image is %u, but images are numbered like threads", my_image);
  if (init_flags != 0)
    upcr_fatal ("gasnet_coll_init: init_flags is %d, not 0", init_flags);
  if (MYTHREAD == 0)
    keep (images, fn_tbl, fn_count);
  if (upcr_broadcast_from_0 (&mine)->arguments[0] != fn_count)
    upcr_fatal ("gasnet_coll_init: %zu functions, but %zu on thread 0", fn_count, table_rows);
  is_initialized[MYTHREAD] = true;
}

struct upcr_operator
upcr_operator_in_table (gasnet_coll_fn_handle_t function, size_t bytes, int argument)
{
  if (function < 0 || (size_t) function >= table_rows)
    upcr_fatal ("function %d is not in the table of gasnet_coll_init, which has %zu", function,
                table_rows);
  return upcr_table_operator (&table[function], bytes, argument);
}
