/* What upcc puts in line: atomic operations beside C11's on the same objects, and
   non-blocking copies beside blocking ones; Berkeley UPC's beside what they stand on. */

#include <intrinsics.h>
#include <upc.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include <upc_tick.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 101, ROUNDS = 20000 };

static upc_atomicdomain_t *domain;
shared long cell[THREADS];
shared double number[THREADS];
static volatile size_t bytes = sizeof (long);

static inline double
c11_add_double (double *number)
{
  double old, sum;

  __atomic_load (number, &old, __ATOMIC_RELAXED);
  do
    sum = old + 1;
  while (!__atomic_compare_exchange (number, &old, &sum, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

static double
now_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Both loops find the object anew in each round, as a program would. */
#define LOOP(name, statement)                   \
  static void name (int i)                      \
  {                                             \
    long one = 1, old = 0;                      \
    int k;                                      \
    for (k = 0; k < ROUNDS; k++)                \
      {                                         \
        statement;                              \
        __asm__ volatile ("" : : "r" (old) : "memory"); \
      }                                         \
    (void) one;                                 \
  }

LOOP (upc_inc, upc_atomic_relaxed (domain, NULL, UPC_INC, &cell[i], NULL, NULL))
LOOP (c11_inc, (void) __atomic_fetch_add ((long *) &cell[i], 1, __ATOMIC_RELAXED))
LOOP (upc_fetch_add, upc_atomic_relaxed (domain, &old, UPC_ADD, &cell[i], &one, NULL))
LOOP (c11_fetch_add, old = __atomic_fetch_add ((long *) &cell[i], one, __ATOMIC_RELAXED))
LOOP (upc_cswap, upc_atomic_strict (domain, &old, UPC_CSWAP, &cell[i], &one, &one))
LOOP (c11_cswap, (old = one, __atomic_compare_exchange_n ((long *) &cell[i], &old, one, 0,
                                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)))
LOOP (upc_get, upc_atomic_relaxed (domain, &old, UPC_GET, &cell[i], NULL, NULL))
LOOP (c11_get, old = __atomic_load_n ((long *) &cell[i], __ATOMIC_RELAXED))

LOOP (get_nb, upc_sync (upc_memget_nb (&old, &cell[i], bytes)))
LOOP (get, upc_memget (&old, &cell[i], bytes))
LOOP (put_nbi, (upc_memput_nbi (&cell[i], &one, bytes), upc_synci ()))
LOOP (put, upc_memput (&cell[i], &one, bytes))

LOOP (bupc_fetchadd, old = bupc_atomicL_fetchadd_relaxed (&cell[i], one))
LOOP (bupc_cswap, old = bupc_atomicL_cswap_strict (&cell[i], one, one))
LOOP (bupc_read, old = bupc_atomicL_read_relaxed (&cell[i]))
LOOP (bupc_get, bupc_waitsync (bupc_memget_async (&old, &cell[i], bytes)))
LOOP (bupc_put, (bupc_memput_asynci (&cell[i], &one, bytes), bupc_waitsynci ()))
LOOP (bupc_ticks, old = bupc_ticks_now ())
LOOP (upc_ticks, old = upc_ticks_now ())

LOOP (bupc_convert, old = bupc_ticks_to_ns (old + one))
LOOP (upc_convert, old = upc_ticks_to_ns (old + one))
LOOP (amo_add, _amo_aadd_upc (&cell[i], one))
LOOP (amo_fetch_add, old = _amo_afadd_upc (&cell[i], one))
LOOP (bupc_fetchadd_double, old = bupc_atomicD_fetchadd_relaxed (&number[i], 1))
LOOP (c11_fetch_add_double, old = c11_add_double ((double *) &number[i]))

static double
sample (void (*loop) (int))
{
  double start;

  loop (THREADS - 1);
  start = now_ns ();
  loop (THREADS - 1);
  return (now_ns () - start) / ROUNDS;
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name, *reference, *target;
    void (*ours) (int), (*theirs) (int);
  } rows[] = {
    { "inline/inc", "C11", "<= 1.1 ref", upc_inc, c11_inc },
    { "inline/fetch-add", "C11", "<= 1.1 ref", upc_fetch_add, c11_fetch_add },
    { "inline/strict-cswap", "C11", "<= 1.1 ref", upc_cswap, c11_cswap },
    { "inline/get", "C11", "<= ref + 2", upc_get, c11_get },
    { "inline/memget-nb", "upc_memget", "<= ref + 0.5", get_nb, get },
    { "inline/memput-nbi", "upc_memput", "<= ref + 0.5", put_nbi, put },
    { "inline/bupc-fetchadd", "C11", "<= 1.1 ref", bupc_fetchadd, c11_fetch_add },
    { "inline/bupc-strict-cswap", "C11", "<= 1.1 ref", bupc_cswap, c11_cswap },
    { "inline/bupc-read", "C11", "<= ref + 2", bupc_read, c11_get },
    { "inline/bupc-memget-async", "upc_memget", "<= ref + 0.5", bupc_get, get },
    { "inline/bupc-memput-asynci", "upc_memput", "<= ref + 0.5", bupc_put, put },
    { "inline/bupc-ticks", "upc_ticks_now", "<= 1.1 ref", bupc_ticks, upc_ticks },
    { "inline/bupc-ticks-to-ns", "upc_ticks_to_ns", "<= 1.1 ref", bupc_convert, upc_convert },
    { "inline/bupc-atomic-double", "C11", "<= 1.1 ref", bupc_fetchadd_double, c11_fetch_add_double },
    { "inline/amo-aadd", "C11", "<= 1.1 ref", amo_add, c11_inc },
    { "inline/amo-afadd", "C11", "<= 1.1 ref", amo_fetch_add, c11_fetch_add },
  };

  domain = upc_all_atomicdomain_alloc (UPC_LONG, UPC_INC | UPC_ADD | UPC_CSWAP | UPC_GET, 0);
  for (int r = 0; MYTHREAD == 0 && r < (int) (sizeof rows / sizeof *rows); r++)
    if (argc < 2 || strstr (rows[r].name, argv[1]))
      {
        printf ("measure\t%s\tns\t%s\t%s\n", rows[r].name, rows[r].reference, rows[r].target);
        for (int i = 0; i < SAMPLES; i++)
          {
            double ours = sample (rows[r].ours);
            printf ("sample\t%.6g\t%.6g\n", ours, sample (rows[r].theirs));
          }
      }
  upc_barrier;
  upc_all_atomicdomain_free (domain);
  return 0;
}
