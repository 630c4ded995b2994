/* A hash table with open addressing. (hsearch's have a fixed size and keys that are
   strings; tsearch's trees compare keys a dozen times for one lookup.) */

#include "tools/common/common.h"

#include <obstack.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc xmalloc
#define obstack_chunk_free free

struct key
{
  const char *bytes;
  size_t size;
  uint64_t hash;
};

struct hash_table
{
  struct key *keys; /* by number */
  size_t count, capacity;
  uint32_t *slots;      /* the number and 1; 0: free */
  size_t slot_count;    /* a power of two, at least twice COUNT */
  struct obstack bytes; /* of the keys */
};

struct hash_table *
hash_new (void)
{
  struct hash_table *table = xcalloc (1, sizeof *table);

  table->slot_count = 256;
  table->slots = xcalloc (table->slot_count, sizeof *table->slots);
  obstack_begin (&table->bytes, 0);
  return table;
}

/* FNV-1a, and a mix for the low bits. */
static uint64_t
hash_of (const void *key, size_t size)
{
  const unsigned char *at = key;
  uint64_t hash = 0xcbf29ce484222325u;

  for (size_t i = 0; i < size; i++)
    hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

/* The slot that has the key, or the free one where it would be. */
static size_t
slot_of (const struct hash_table *table, const void *key, size_t size, uint64_t hash)
{
  size_t mask = table->slot_count - 1, at = hash & mask;

  for (; table->slots[at]; at = (at + 1) & mask)
    {
      const struct key *found = &table->keys[table->slots[at] - 1];

      if (found->hash == hash && found->size == size && memcmp (found->bytes, key, size) == 0)
        break;
    }
  return at;
}

static void
enlarge (struct hash_table *table)
{
  size_t mask = table->slot_count * 2 - 1;

  free (table->slots);
  table->slot_count *= 2;
  table->slots = xcalloc (table->slot_count, sizeof *table->slots);
  for (size_t i = 0; i < table->count; i++)
    {
      size_t at = table->keys[i].hash & mask;

      while (table->slots[at])
        at = (at + 1) & mask;
      table->slots[at] = i + 1;
    }
}

uint32_t
hash_add (struct hash_table *table, const void *key, size_t size)
{
  uint64_t hash = hash_of (key, size);
  size_t slot = slot_of (table, key, size, hash);

  if (table->slots[slot])
    return table->slots[slot] - 1;
  table->keys = grow_array (table->keys, table->count + 1, &table->capacity, sizeof *table->keys);
  table->keys[table->count++] = (struct key){ obstack_copy0 (&table->bytes, key, size), size,
                                              hash };
  table->slots[slot] = table->count;
  if (table->count * 2 > table->slot_count)
    enlarge (table);
  return table->count - 1;
}

uint32_t
hash_find (const struct hash_table *table, const void *key, size_t size)
{
  uint32_t found = table->slots[slot_of (table, key, size, hash_of (key, size))];

  return found ? found - 1 : HASH_NONE;
}

const char *
hash_key (const struct hash_table *table, uint32_t number)
{
  return table->keys[number].bytes;
}

uint32_t
hash_count (const struct hash_table *table)
{
  return table->count;
}

void
hash_free (struct hash_table *table)
{
  obstack_free (&table->bytes, NULL);
  free (table->keys);
  free (table->slots);
  free (table);
}
