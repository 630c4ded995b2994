#include "tools/trace/report/report.h"

#include <stdlib.h>
#include <string.h>

struct key
{
  char *bytes;   /* with an end */
  size_t count;
  uint64_t hash;
};

struct table
{
  struct key *key;      /* by number */
  size_t count, room;
  uint32_t *slot;       /* the number and 1; 0: free */
  size_t slots;         /* a power of two, at least twice `count` */
};

struct table *
table_make (void)
{
  struct table *table = take_memory (1, sizeof *table);

  table->slots = 256;
  table->slot = take_memory (table->slots, sizeof *table->slot);
  return table;
}

/* FNV-1a, and a mix for the low bits. */
static uint64_t
hash_of (const void *key, size_t bytes)
{
  const unsigned char *at = key;
  uint64_t hash = 0xcbf29ce484222325u;

  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}

static void
enlarge (struct table *table)
{
  free (table->slot);
  table->slots *= 2;
  table->slot = take_memory (table->slots, sizeof *table->slot);
  for (size_t i = 0; i < table->count; i++)
    {
      size_t at = table->key[i].hash & (table->slots - 1);

      while (table->slot[at])
        at = (at + 1) & (table->slots - 1);
      table->slot[at] = i + 1;
    }
}

uint32_t
table_number (struct table *table, const void *key, size_t bytes)
{
  uint64_t hash = hash_of (key, bytes);
  size_t at = hash & (table->slots - 1);
  struct key *new;

  for (; table->slot[at]; at = (at + 1) & (table->slots - 1))
    {
      const struct key *found = &table->key[table->slot[at] - 1];

      if (found->hash == hash && found->count == bytes && memcmp (found->bytes, key, bytes) == 0)
        return table->slot[at] - 1;
    }
  table->key = grow_memory (table->key, &table->room, table->count + 1, sizeof *table->key);
  new = &table->key[table->count++];
  *new = (struct key){ take_memory (bytes + 1, 1), bytes, hash };
  memcpy (new->bytes, key, bytes);
  table->slot[at] = table->count;
  if (table->count * 2 > table->slots)
    enlarge (table);
  return table->count - 1;
}

const char *
table_key (const struct table *table, uint32_t number)
{
  return table->key[number].bytes;
}

void
table_free (struct table *table)
{
  for (size_t i = 0; i < table->count; i++)
    free (table->key[i].bytes);
  free (table->key);
  free (table->slot);
  free (table);
}
