/* The barrier of the compiler's OpenMP runtime. A file of its own: this one alone
   is compiled with -fopenmp. */

void omp_barriers (int threads, long rounds);

void
omp_barriers (int threads, long rounds)
{
#pragma omp parallel num_threads(threads)
  for (long i = 0; i < rounds; i++)
    {
#pragma omp barrier
    }
}
