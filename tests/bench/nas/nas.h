/* Programs that are UPC, with plain accesses to shared data, and C with OpenMP: the same loops over the
   same arrays.

   SHARED (B)                      the layout of an array: blocks of B elements
   ROWS (N)                        N rows, or N for each thread: with dynamic THREADS sizes are multiples of it
   FOR_EACH (I, FROM, TO, OWNER)   a parallel loop; of UPC it has OWNER's affinity
   FOR_EACH_ADDING (…, SUM)        the same, which adds up SUM; TOTAL (SUM) has all threads' then
   MEET                            a barrier, where parallel loops do not end with one */

#ifndef NAS_H
#define NAS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __UPC__
#include <upc_relaxed.h>

#define SHARED(block) shared[block]
#define ROWS(n) ((n) *THREADS)
#define FOR_EACH(i, from, to, owner) upc_forall (i = from; i < (to); i++; &(owner))
#define FOR_EACH_ADDING(i, from, to, owner, sum) FOR_EACH (i, from, to, owner)
#define MEET upc_barrier

static shared double part[THREADS];

static double
nas_total (double sum)
{
  double total = 0;

  upc_barrier;
  part[MYTHREAD] = sum;
  upc_barrier;
  for (int t = 0; t < THREADS; t++)
    total += part[t];
  return total;
}
#define TOTAL(sum) nas_total (sum)

#else
#define NAS_PRAGMA(text) _Pragma (#text)
#define SHARED(block)
#define ROWS(n) (n)
#define FOR_EACH(i, from, to, owner) NAS_PRAGMA (omp parallel for) for (i = from; i < (to); i++)
#define FOR_EACH_ADDING(i, from, to, owner, sum) \
  NAS_PRAGMA (omp parallel for reduction (+ : sum)) for (i = from; i < (to); i++)
#define MEET (void) 0
#define TOTAL(sum) (sum)
#endif

#endif
