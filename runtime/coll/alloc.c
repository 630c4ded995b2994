/* Collective allocation and the memory of locks: thread 0 allocates, and the others get its
   result. */

#include "runtime/coll/coll.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

static upcr_pts
allocate_together (size_t blocks, size_t block_bytes)
{
  struct upcr_broadcast mine = { "upc_all_alloc", { blocks, block_bytes }, upcr_pts_null () };
  const struct upcr_broadcast *first;

  if (MYTHREAD == 0)
    mine.result = upcr_symmetric_alloc_for (blocks, block_bytes, "upc_all_alloc");
  first = upcr_broadcast_from_0 (&mine);
  if (first->arguments[0] != blocks || first->arguments[1] != block_bytes)
    upcr_fatal ("upc_all_alloc (%zu, %zu), but thread 0 calls upc_all_alloc (%zu, %zu)", blocks,
                block_bytes, first->arguments[0], first->arguments[1]);
  return first->result;
}

upcr_pts
upcr_all_alloc (size_t blocks, size_t block_bytes)
{
  upcr_pts block = allocate_together (blocks, block_bytes);

  if (!upcr_pts_is_null (block) || blocks == 0 || block_bytes == 0)
    return block;
  /* Once more with the freed blocks that the threads keep. */
  upcr_heap_release ("upc_all_alloc");
  upcr_collective_barrier ("upc_all_alloc");
  return allocate_together (blocks, block_bytes);
}

upcr_pts
upcr_all_lock_alloc (const void *call)
{
  struct upcr_broadcast mine = { .what = "upc_all_lock_alloc" };

  if (MYTHREAD == 0)
    mine.result = upcr_lock_alloc ("upc_all_lock_alloc", call);
  return upcr_broadcast_from_0 (&mine)->result;
}

void
upcr_all_free (upcr_pts block)
{
  if (upcr_agree_to_free (block, "upc_all_free"))
    upcr_heap_free (block, "upc_all_free");
}

void
upcr_all_lock_free (upcr_pts lock)
{
  if (upcr_agree_to_free (lock, "upc_all_lock_free"))
    upcr_lock_free (lock, "upc_all_lock_free");
}

upcr_pts
upcr_lock_alloc (const char *what, const void *call)
{
  upcr_pts lock = upcr_local_alloc_aligned (UPCR_LOCK_BYTES, UPCR_LOCK_BYTES, what);

  if (!upcr_pts_is_null (lock))
    upcr_lock_init ((struct upcr_lock *) upcr_pts_address (lock), upcr_origin_here (what, call));
  return lock;
}

void
upcr_lock_free (upcr_pts lock, const char *what)
{
  if (upcr_pts_is_null (lock))
    return;
  upcr_lock_destroy (upcr_lock_of (lock, what), what);
  upcr_library_free (lock, what);
}
