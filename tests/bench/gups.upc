/* Random updates of a table that all threads share, as GUPS does, beside the same updates of plain memory, as threads of
   pthreads do. A row has the table's layout and its size. With -DFIXED the number of threads is known. */

#include <upc_relaxed.h>

#include "tests/bench/bench.h"

#include <stdlib.h>

#ifdef FIXED
#define KIND "-fixed"
#else
#define KIND ""
#endif

/* Elements of 8 bytes; a thread's block in the third layout, and updates in a round. */
enum { SMALL = 1 << 17, LARGE = 1 << 23, BLOCK = 64, UPDATES = 1000, MOST_THREADS = 64 };

static shared uint64_t cyclic[LARGE * THREADS];
static shared [BLOCK] uint64_t blocked[LARGE * THREADS];
static shared uint64_t *by_pointer;
static shared [] uint64_t *parts[MOST_THREADS];
static shared [] uint64_t *shared directory[THREADS];

/* Plain memory that thread 0 allocates. */
static uint64_t *plain, *plain_parts[MOST_THREADS];
static shared uintptr_t plain_address;

static uint64_t mask, random_state;
static int part_shift;

#define NEXT(r) ((r) << 1 ^ ((int64_t) (r) < 0 ? 7 : 0))

/* COUNT updates of what LVALUE says of the index k. */
#define UPDATES_OF(name, type, table, lvalue)                           \
  static __attribute__ ((noinline)) void name##_loop (long count, type) \
  {                                                                     \
    uint64_t r = random_state, m = mask;                                \
    int shift = part_shift;                                             \
                                                                        \
    (void) shift;                                                       \
    for (long i = 0; i < count; i++)                                    \
      {                                                                 \
        r = NEXT (r);                                                   \
        uint64_t k = r & m;                                             \
        lvalue ^= r;                                                    \
      }                                                                 \
    random_state = r;                                                   \
  }                                                                     \
  static void name (long rounds)                                        \
  {                                                                     \
    name##_loop (rounds * UPDATES, table);                              \
  }

UPDATES_OF (update_cyclic, int nothing, 0, cyclic[k])
UPDATES_OF (update_blocked, int nothing, 0, blocked[k])
UPDATES_OF (update_by_pointer, shared uint64_t *table, by_pointer, table[k])
UPDATES_OF (update_parts, shared [] uint64_t **table, parts, table[k >> shift][k & ((1ul << shift) - 1)])
UPDATES_OF (update_plain, uint64_t *table, plain, table[k])
UPDATES_OF (update_plain_parts, uint64_t **table, plain_parts, table[k >> shift][k & ((1ul << shift) - 1)])

/* The tables have COUNT elements of use. */
static void
set_size (long count)
{
  mask = count - 1;
  random_state = 0x123456789abcdef1ul * (MYTHREAD + 1) | 1;
  part_shift = 0;
  while ((long) THREADS << part_shift < count)
    part_shift++;
  for (int t = 0; t < THREADS; t++)
    plain_parts[t] = plain + ((uint64_t) t << part_shift);
}

static void
allocate (void)
{
  by_pointer = upc_all_alloc (LARGE, sizeof (uint64_t));
  directory[MYTHREAD] = upc_alloc (LARGE * sizeof (uint64_t));
  if (MYTHREAD == 0)
    plain_address = (uintptr_t) malloc (2 * LARGE * sizeof (uint64_t));
  upc_barrier;
  plain = (uint64_t *) plain_address;
  for (int t = 0; t < THREADS; t++)
    parts[t] = directory[t];
}

#define ROWS(size)                                                                                                      \
  { BENCH ("gups/cyclic-" size KIND, update_cyclic, "plain memory", update_plain, "<= 1.05 ref", .rounds = 500),          \
    BENCH ("gups/blocks-" size KIND, update_blocked, "plain memory", update_plain, "<= 1.05 ref", .rounds = 500),         \
    BENCH ("gups/pointer-" size KIND, update_by_pointer, "plain memory", update_plain, "<= 1.05 ref", .rounds = 500),     \
    BENCH ("gups/parts-" size KIND, update_parts, "plain memory", update_plain_parts, "<= 1.05 ref", .rounds = 500) }

static const struct bench rows[][4] = { ROWS ("1M"), ROWS ("64M") };

int
main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  allocate ();
  for (int size = 0; size < 2; size++)
    {
      set_size (size == 0 ? SMALL : LARGE);
      for (int i = 0; i < 4; i++)
        {
          upc_barrier;
          bench_compare (&rows[size][i]);
        }
    }
  upc_barrier;
  return 0;
}
