/* The blocks that the program has allocated and not freed, so that an end of a block has its size: a table
   for all threads, without locks. Where there is no room for a block it is not counted, nor its end.

   A key says how its slot stands:

       0      free
       TAKEN  a thread is writing the slot, or has found the block and takes it
       else   an address: the value is there

   Fields     written by                          read by
   key        who takes the slot: compare and     any thread
              exchange; then that thread alone
   value      the thread that has made it TAKEN   the same, and who makes it TAKEN next */

#include "tools/trace/recorder/recorder.h"

#include <sys/mman.h>

enum
{
  TAKEN = 1,
  EACH_BUCKET = 4,
  BUCKETS = 1 << 20,
  SEARCHED = 4, /* buckets for a key */
  UNIT_BITS
  = 7, /* neighbours in memory are neighbours in the table, so that few pages are touched */
  HIGH_BITS = 27
};

struct slot
{
  _Atomic uint64_t key;
  uint64_t value;
};

/* Pages appear when touched. */
PROCESS_WIDE static struct slot *table;

bool
begin_blocks (void)
{
  void *map = mmap (NULL, sizeof *table * EACH_BUCKET * BUCKETS, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  table = map == MAP_FAILED ? NULL : map;
  return table;
}

/* The slots of a key are EACH_BUCKET * SEARCHED in a row, around the end. */
static struct slot *
slot_of (uint64_t key, unsigned number)
{
  uint64_t bucket = (key >> UNIT_BITS) + (key >> HIGH_BITS) * 0x9e3779b1u;

  return &table[(bucket * EACH_BUCKET + number) % (EACH_BUCKET * BUCKETS)];
}

bool
add_block (uint64_t key, uint64_t value)
{
  for (unsigned i = 0; table && i < EACH_BUCKET * SEARCHED; i++)
    {
      struct slot *slot = slot_of (key, i);
      uint64_t none = 0;

      /* Acquire: the value that was there has been read. */
      if (atomic_load_explicit (&slot->key, memory_order_relaxed) == 0
          && atomic_compare_exchange_strong_explicit (&slot->key, &none, TAKEN,
                                                      memory_order_acquire, memory_order_relaxed))
        {
          slot->value = value;
          atomic_store_explicit (&slot->key, key, memory_order_release);
          return true;
        }
    }
  return false;
}

uint64_t
take_block (uint64_t key)
{
  for (unsigned i = 0; table && i < EACH_BUCKET * SEARCHED; i++)
    {
      struct slot *slot = slot_of (key, i);
      uint64_t wanted = key;

      /* Acquire: the value is that of who added the key. */
      if (atomic_load_explicit (&slot->key, memory_order_relaxed) == key
          && atomic_compare_exchange_strong_explicit (&slot->key, &wanted, TAKEN,
                                                      memory_order_acquire, memory_order_relaxed))
        {
          uint64_t value = slot->value;

          atomic_store_explicit (&slot->key, 0, memory_order_release);
          return value;
        }
    }
  return 0;
}
