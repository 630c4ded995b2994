/* Memory as C11 has it: see memory.h. */

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times are far apart, so that stores can come in between. */
#define APART (1ull << 40)

struct memory_views memory_views[MOST_THREADS];
int memory_count;
static struct location locations[MOST_LOCATIONS];
static uint64_t sc_times[MOST_LOCATIONS];

static void
give_up (const char *what)
{
  fprintf (stderr, "explore: too many %s\n", what);
  abort ();
}

static bool
acquires (memory_order order)
{
  return order == memory_order_acquire || order >= memory_order_acq_rel;
}

static bool
releases (memory_order order)
{
  return order >= memory_order_release;
}

static void
raise_to (uint64_t *time, uint64_t least)
{
  if (*time < least)
    *time = least;
}

static void
join_times (uint64_t *to, const uint64_t *from)
{
  for (int at = 0; at < memory_count; at++)
    raise_to (&to[at], from[at]);
}

static void
join (struct view *to, const struct view *from)
{
  join_times (to->times, from->times);
  for (int t = 0; t < MOST_THREADS; t++)
    if (to->clocks[t] < from->clocks[t])
      to->clocks[t] = from->clocks[t];
}

uint64_t
memory_mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

static void
rehash (struct location *location)
{
  location->hash = location->address;
  for (int i = 0; i < location->count; i++)
    location->hash = memory_mix (location->hash, location->stores[i].id);
}

struct location *
memory_location (int at)
{
  return &locations[at];
}

int
memory_at (const volatile void *p, size_t bytes)
{
  struct location *location;
  int at = 0;

  while (at < memory_count && locations[at].address != (uintptr_t) p)
    at++;
  if (at < memory_count)
    return at;
  if (memory_count++ == MOST_LOCATIONS)
    give_up ("locations");
  location = &locations[at];
  location->address = (uintptr_t) p;
  location->count = 1;
  memset (&location->stores[0], 0, sizeof location->stores[0]);
  location->stores[0].time = 1;
  memcpy (&location->stores[0].value, (const void *) p, bytes);
  rehash (location);
  return at;
}

/* The index of the oldest store that T may read. */
static int
oldest (int t, int at, memory_order order)
{
  uint64_t least = memory_views[t].current.times[at];
  int i = 0;

  raise_to (&least, memory_views[t].least[at]);
  if (order == memory_order_seq_cst)
    raise_to (&least, sc_times[at]);
  while (locations[at].stores[i].time < least)
    i++;
  return i;
}

void
memory_see (int t, int at, struct store *store, memory_order order)
{
  struct memory_views *mine = &memory_views[t];

  raise_to (&mine->current.times[at], store->time);
  raise_to (&mine->acquired.times[at], store->time);
  join (&mine->acquired, &store->view);
  if (acquires (order))
    join (&mine->current, &store->view);
  if (order == memory_order_seq_cst)
    raise_to (&sc_times[at], store->time);
}

struct store *
memory_load (int t, int at, memory_order order, memory_choose *choose)
{
  struct location *location = &locations[at];
  int first = oldest (t, at, order);
  struct store *store = &location->stores[location->count - 1 - choose (location->count - first)];

  memory_see (t, at, store, order);
  return store;
}

/* Makes room for a store behind index I. */
static struct store *
insert (int at, int i)
{
  struct location *location = &locations[at];
  struct store *store = &location->stores[i + 1];
  uint64_t before = store[-1].time, behind;

  if (location->count == MOST_STORES)
    give_up ("stores");
  behind = i + 1 < location->count ? store->time : before + 2 * APART;
  if (behind - before < 2)
    give_up ("stores between two");
  memmove (store + 1, store, (location->count - i - 1) * sizeof *store);
  location->count++;
  memset (store, 0, sizeof *store);
  store->time = before + (behind - before) / 2;
  return store;
}

/* What the store carries, and what it means to its own thread. */
static void
publish (int t, int at, struct store *store, memory_order order)
{
  struct memory_views *mine = &memory_views[t];

  raise_to (&mine->current.times[at], store->time);
  raise_to (&mine->acquired.times[at], store->time);
  join (&store->view, releases (order) ? &mine->current : &mine->released);
  raise_to (&store->view.times[at], store->time);
  if (order == memory_order_seq_cst)
    raise_to (&sc_times[at], store->time);
  mine->current.clocks[t]++;
  rehash (&locations[at]);
}

/* Can a store come behind index I? */
static bool
has_room (const struct location *location, int i)
{
  return i + 1 == location->count || !location->stores[i + 1].is_rmw;
}

/* Of the indexes from FIRST on behind which there is room, one. */
static int
choose_room (const struct location *location, int first, memory_choose *choose)
{
  int rooms[MOST_STORES], count = 0;

  for (int i = location->count - 1; i >= first; i--)
    if (has_room (location, i))
      rooms[count++] = i;
  return rooms[choose (count)];
}

void
memory_store (int t, int at, uint64_t value, uint32_t id, memory_order order, memory_choose *choose)
{
  struct store *store = insert (at, choose_room (&locations[at], oldest (t, at, order), choose));

  store->value = value;
  store->id = id;
  publish (t, at, store, order);
}

struct store *
memory_rmw_reads (int t, int at, const uint64_t *expected, memory_order success,
                  memory_order failure, memory_choose *choose)
{
  struct location *location = &locations[at];
  struct store *stores[MOST_STORES];
  int count = 0;

  for (int i = location->count - 1; i >= 0; i--)
    {
      struct store *store = &location->stores[i];
      bool succeeds = !expected || store->value == *expected;

      if (i >= oldest (t, at, succeeds ? success : failure)
          && (!succeeds || has_room (location, i)))
        stores[count++] = store;
    }
  return stores[choose (count)];
}

void
memory_rmw (int t, int at, struct store *read, uint64_t value, uint32_t id, memory_order order)
{
  struct view carried = read->view;
  struct store *store;

  memory_see (t, at, read, order);
  store = insert (at, read - locations[at].stores);
  store->value = value;
  store->id = id;
  store->is_rmw = true;
  store->view = carried;
  publish (t, at, store, order);
}

void
memory_fence (int t, memory_order order)
{
  struct memory_views *mine = &memory_views[t];

  if (acquires (order))
    join (&mine->current, &mine->acquired);
  if (order == memory_order_seq_cst)
    {
      join_times (mine->current.times, sc_times);
      join_times (sc_times, mine->current.times);
      join (&mine->acquired, &mine->current);
    }
  if (releases (order))
    {
      mine->released = mine->current;
      mine->current.clocks[t]++;
    }
}

uint64_t
memory_hash (void)
{
  uint64_t sum = 0;

  for (int at = 0; at < memory_count; at++)
    {
      struct location *location = &locations[at];
      uint64_t seen = 0;

      for (int i = 0; i < location->count; i++)
        if (location->stores[i].time == sc_times[at])
          seen = location->stores[i].id + 1;
      if (location->count > 1 || seen)
        sum += memory_mix (location->hash, seen);
    }
  return sum;
}

/* Plain data, four bytes at a time: when each thread was last there, by its clock; 0: never. */
enum
{
  GRANULES = 1 << 12,
  GRANULE_BITS = 2
};
static struct granule
{
  uintptr_t number;
  uint32_t execution;
  uint32_t writes[MOST_THREADS], reads[MOST_THREADS];
} granules[GRANULES];
static uint32_t execution;

static struct granule *
find_granule (uintptr_t number)
{
  unsigned i = number * 0x9E3779B97F4A7C15u >> 52;

  for (int tries = 0; tries < GRANULES; tries++, i = (i + 1) % GRANULES)
    {
      if (granules[i].execution == execution && granules[i].number == number)
        return &granules[i];
      if (granules[i].execution != execution)
        {
          granules[i] = (struct granule){ .number = number, .execution = execution };
          return &granules[i];
        }
    }
  give_up ("plain data");
  return NULL;
}

bool
memory_plain (int t, uintptr_t address, size_t bytes, bool is_write)
{
  const uint32_t *clocks = memory_views[t].current.clocks;
  uintptr_t last = (address + bytes - 1) >> GRANULE_BITS;

  for (uintptr_t number = address >> GRANULE_BITS; number <= last; number++)
    {
      struct granule *granule = find_granule (number);

      for (int other = 0; other < MOST_THREADS; other++)
        if (other != t
            && (granule->writes[other] > clocks[other]
                || (is_write && granule->reads[other] > clocks[other])))
          return false;
      (is_write ? granule->writes : granule->reads)[t] = clocks[t];
    }
  return true;
}

void
memory_reset (void)
{
  memory_count = 0;
  execution++;
  memset (memory_views, 0, sizeof memory_views);
  memset (sc_times, 0, sizeof sc_times);
  for (int t = 0; t < MOST_THREADS; t++)
    memory_views[t].current.clocks[t] = 1;
}
