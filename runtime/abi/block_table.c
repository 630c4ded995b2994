/* Tables of blocks for compiled programs (include/upct/block_table.h).

   field                 who writes                     who reads
   __upc_block_tables[]  a thread that adds, under      all threads; acquire, which makes the table
                         `adding`; release              behind the pointer seen whole */

#include "runtime/host/host.h"
#include <upct/block_table.h>
#include <upct/segment.h>

#include <pthread.h>
#include <stdlib.h>

const struct __upc_block_table *__upc_block_tables[__UPC_BLOCK_TABLES];

static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static const struct __upc_block_table *
find_table (const struct __upc_block_table *table, unsigned long size, unsigned long count)
{
  while (table && !(table->__size == size && table->__count >= count))
    table = table->__next;
  return table;
}

/* NULL: there is no memory. */
static const struct __upc_block_table *
make_table (unsigned long size, unsigned long count, const struct __upc_block_table *next)
{
  struct __upc_block_table *table = malloc (sizeof *table + count * sizeof *table->__distance);
  unsigned long threads = (unsigned long) THREADS;

  if (!table)
    return NULL;
  table->__next = next;
  table->__size = size;
  table->__count = count;
  for (unsigned long block = 0; block < count; block++)
    table->__distance[block] = block % threads * __UPC_STRIDE + block / threads * size
                               - block * size;
  return table;
}

const unsigned long *
__upc_make_block_table (unsigned long size, unsigned long count)
{
  const struct __upc_block_table **slot = &__upc_block_tables[__UPC_BLOCK_TABLE_SLOT (size)],
                                 *table;

  pthread_mutex_lock (&adding);
  table = find_table (*slot, size, count);
  if (!table)
    {
      table = make_table (size, count, *slot);
      /* Release: pairs with the acquire in __upc_block_table. */
      if (table)
        __atomic_store_n (slot, table, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&adding);
  return table ? table->__distance : NULL;
}
