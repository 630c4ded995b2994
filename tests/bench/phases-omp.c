/* phases.upc in OpenMP. */

#include <stdlib.h>

int
main (int argc, char **argv)
{
  long phases = atol (argv[1]), turns = atol (argv[2]);

  (void) argc;
#pragma omp parallel
  for (long phase = 0; phase < phases; phase++)
    {
      for (volatile long i = 0; i < turns; i++)
        continue;
#pragma omp barrier
    }
  return 0;
}
