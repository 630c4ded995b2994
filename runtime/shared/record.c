/* Where the records of blocks are. */

#include "runtime/shared/record.h"

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

upcr_leaf *upcr_leaves;

/* Zeros, which take memory when they are written. */
static void *
reserve (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

static upcr_leaf *
leaf_of (uint32_t thread, uint64_t payload)
{
  return &upcr_leaves[thread * (UPCR_STRIDE / UPCR_LEAF_BYTES) + payload / UPCR_LEAF_BYTES];
}

static struct upcr_block_record *
record_in (struct upcr_block_record *leaf, uint64_t payload)
{
  return &leaf[payload % UPCR_LEAF_BYTES / UPCR_RECORD_STRIDE];
}

void
upcr_records_init (int threads)
{
  upcr_leaves = reserve (threads * (UPCR_STRIDE / UPCR_LEAF_BYTES) * sizeof *upcr_leaves);
  if (!upcr_leaves)
    upcr_usage_error ("no memory for the records of the shared heap: %s", strerror (errno));
}

/* Acquire: a report may read what another thread has just made. */
struct upcr_block_record *
upcr_record_of (uint32_t thread, uint64_t payload)
{
  struct upcr_block_record *leaf = atomic_load_explicit (leaf_of (thread, payload),
                                                         memory_order_acquire);

  return leaf ? record_in (leaf, payload) : NULL;
}

/* Of two threads that make a leaf one keeps its. */
struct upcr_block_record *
upcr_record_make (uint32_t thread, uint64_t payload)
{
  const size_t bytes = UPCR_LEAF_BYTES / UPCR_RECORD_STRIDE * sizeof (struct upcr_block_record);
  struct upcr_block_record *record = upcr_record_of (thread, payload), *leaf, *other = NULL;

  if (record)
    return record;
  leaf = reserve (bytes);
  if (!leaf)
    upcr_fatal ("not enough memory for the records of the shared heap");
  if (!atomic_compare_exchange_strong_explicit (leaf_of (thread, payload), &other, leaf,
                                                memory_order_release, memory_order_acquire))
    {
      munmap (leaf, bytes);
      leaf = other;
    }
  return record_in (leaf, payload);
}
