/* Phases of work with a barrier behind each: `phases PHASES TURNS`. */

#include <upc_relaxed.h>

#include <stdlib.h>

int
main (int argc, char **argv)
{
  long phases = atol (argv[1]), turns = atol (argv[2]);

  while (phases-- > 0)
    {
      for (volatile long i = 0; i < turns; i++)
        continue;
      upc_barrier;
    }
  return 0;
}
