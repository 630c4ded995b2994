/* Memory as C11 has it, in the version of RC11 (Lahav et al., 2017) and of C++20 for seq_cst,
   as views.

   A location has its stores in modification order; each has a time, which grows in that
   order. A view has a time for each location: the oldest store there that may still be read. A
   thread has three:

     current   what it has seen
     acquired  what it would have seen, had its loads been acquire: an acquire fence takes it
     released  what it had seen at its last release fence: its relaxed stores carry that

   A store carries a view, too: the thread's current one if it is a release. Who reads the store
   by an acquire load adds that to its own. A store of a read-modify-write also carries the view
   of the store that it has read: release sequences.

   seq_cst operations take place in the order in which they are explored. One more view has the
   stores that they have made and read, and what threads with a seq_cst fence had seen at it. A
   seq_cst operation reads no older store at its location, and a fence adds all of it to the
   current view.

   What is not there: a load never reads a store that comes after it in the order of exploration
   (load buffering). Processors do that, but only where the load does not decide by its value,
   its address or an acquire whether the store is made. */

#ifndef EXPLORE_MEMORY_H
#define EXPLORE_MEMORY_H

#include <stdatomic.h>

enum
{
  MOST_THREADS = 8,
  MOST_LOCATIONS = 96,
  MOST_STORES = 96
};

struct view
{
  uint64_t times[MOST_LOCATIONS];
  /* What of each thread happened before, for races of plain data. Not by seq_cst alone. */
  uint32_t clocks[MOST_THREADS];
};

struct store
{
  uint64_t time, value;
  uint32_t id; /* the same in all executions that have the same history */
  bool is_rmw; /* nothing comes between it and the store before */
  struct view view;
};

struct location
{
  uintptr_t address;
  int count;
  uint64_t hash;
  struct store stores[MOST_STORES]; /* in modification order */
};

/* Of each thread. */
struct memory_views
{
  struct view current, acquired, released;
  uint64_t least[MOST_LOCATIONS]; /* what older stores the search leaves out; not C11's */
};
extern struct memory_views memory_views[MOST_THREADS];
extern int memory_count;

/* All locations have what memory has. */
void memory_reset (void);

/* The location at P; its first store is what memory has there. */
int memory_at (const volatile void *p, size_t bytes);
struct location *memory_location (int at);

/* The operations of C11, by thread T. ID is for the store. CHOOSE decides among so many
   possibilities; 0 is what strong memory would do. */
typedef int memory_choose (int possibilities);
struct store *memory_load (int t, int at, memory_order order, memory_choose *choose);
void memory_store (int t, int at, uint64_t value, uint32_t id, memory_order order,
                   memory_choose *choose);
void memory_fence (int t, memory_order order);

/* The store that a read-modify-write reads. EXPECTED: the value it must have, or the operation is
   a load; NULL: any. */
struct store *memory_rmw_reads (int t, int at, const uint64_t *expected, memory_order success,
                                memory_order failure, memory_choose *choose);
/* Reads it, and makes the store behind it. */
void memory_rmw (int t, int at, struct store *read, uint64_t value, uint32_t id,
                 memory_order order);
void memory_see (int t, int at, struct store *store, memory_order order);

/* Plain data: false where that is a race with what another thread did. */
bool memory_plain (int t, uintptr_t address, size_t bytes, bool is_write);

/* Of all that orders of exploration can differ in, but for the threads' own histories. */
uint64_t memory_hash (void);
uint64_t memory_mix (uint64_t hash, uint64_t value);

#endif
