/* Random access (GUPS) as in HPCC: updates of a large shared table at places that a
   shift register with the polynomial x^63 + x^2 + x + 1 gives, then all of them again
   under a lock for each stripe; at most 1% of the table may differ. */
#include <upc.h>
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>

#define POLY 0x0000000000000007ULL
#define PERIOD 1317624576693539401LL
#define LOG_TABLE 14
#define TABLE_SIZE (UINT64_C (1) << LOG_TABLE)
#define UPDATES (4 * TABLE_SIZE)
#define STRIPES 64

shared uint64_t *Table;
shared uint64_t errors[THREADS];
upc_lock_t *shared locks[STRIPES * THREADS];

static uint64_t
starts (int64_t n)
{
  int i, j;
  uint64_t m2[64], temp, ran;

  while (n < 0)
    n += PERIOD;
  while (n > PERIOD)
    n -= PERIOD;
  if (n == 0)
    return 1;
  temp = 1;
  for (i = 0; i < 64; i++)
    {
      m2[i] = temp;
      temp = (temp << 1) ^ ((int64_t) temp < 0 ? POLY : 0);
      temp = (temp << 1) ^ ((int64_t) temp < 0 ? POLY : 0);
    }
  for (i = 62; i >= 0; i--)
    if ((n >> i) & 1)
      break;
  ran = 2;
  while (i > 0)
    {
      temp = 0;
      for (j = 0; j < 64; j++)
        if ((ran >> j) & 1)
          temp ^= m2[j];
      ran = temp;
      i -= 1;
      if ((n >> i) & 1)
        ran = (ran << 1) ^ ((int64_t) ran < 0 ? POLY : 0);
    }
  return ran;
}

static void
update (int is_locked)
{
  uint64_t first = UPDATES * MYTHREAD / THREADS, last = UPDATES * (MYTHREAD + 1) / THREADS;
  uint64_t ran = starts (first), i;

  for (i = first; i < last; i++)
    {
      uint64_t at;

      ran = (ran << 1) ^ ((int64_t) ran < 0 ? POLY : 0);
      at = ran & (TABLE_SIZE - 1);
      if (is_locked)
        upc_lock (locks[at % STRIPES * THREADS]);
      Table[at] ^= ran;
      if (is_locked)
        upc_unlock (locks[at % STRIPES * THREADS]);
    }
}

int
main (void)
{
  uint64_t i, bad = 0;

  Table = (shared uint64_t *) upc_all_alloc (TABLE_SIZE, sizeof (uint64_t));
  upc_forall (i = 0; i < TABLE_SIZE; i++; Table + i)
    Table[i] = i;
  if (MYTHREAD == 0)
    for (i = 0; i < STRIPES; i++)
      locks[i * THREADS] = upc_global_lock_alloc ();
  upc_barrier;
  update (GUPS_LOCKED);
  upc_barrier;
  update (1);
  upc_barrier;
  upc_forall (i = 0; i < TABLE_SIZE; i++; i)
    if (Table[i] != i)
      bad++;
  errors[MYTHREAD] = bad;
  upc_barrier;
  if (MYTHREAD == 0)
    {
      int t;

      for (t = 1; t < THREADS; t++)
        bad += errors[t];
      printf ("random access: %s\n", bad * 100 <= TABLE_SIZE * !GUPS_LOCKED ? "passed" : "FAILED");
      for (i = 0; i < STRIPES; i++)
        upc_lock_free (locks[i * THREADS]);
    }
  upc_all_free (Table);
  return 0;
}
