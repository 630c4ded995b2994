/* The barrier of the compiler's OpenMP runtime. A file of its own: this one alone
   is compiled with -fopenmp. */

#include <omp.h>

void omp_barriers (int threads, long rounds);
void omp_rest (void);

void
omp_barriers (int threads, long rounds)
{
#pragma omp parallel num_threads(threads)
  for (long i = 0; i < rounds; i++)
    {
#pragma omp barrier
    }
}

/* Ends the team's threads, which spin else, for milliseconds or for ever. */
void
omp_rest (void)
{
  omp_pause_resource_all (omp_pause_hard);
}
