/* MPI's side of moves.h. A reduction of all doubles is that of each process's sum, a prefix
   reduction an exclusive scan of the sums before a loop that adds what is before. */

#include "tests/bench/moves.h"

#include <mpi.h>
#include <stdlib.h>

static char *dst, *src;
static int me, size;

static void
broadcast (long bytes)
{
  MPI_Bcast (dst, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void
scatter (long bytes)
{
  MPI_Scatter (src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void
gather (long bytes)
{
  MPI_Gather (src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void
gather_all (long bytes)
{
  MPI_Allgather (src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void
exchange (long bytes)
{
  MPI_Alltoall (src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static double
sum_of (const double *numbers, long count)
{
  double parts[4] = { 0 };
  long i;

  for (i = 0; i + 4 <= count; i += 4)
    for (int k = 0; k < 4; k++)
      parts[k] += numbers[i + k];
  for (; i < count; i++)
    parts[0] += numbers[i];
  return parts[0] + parts[1] + (parts[2] + parts[3]);
}

static void
reduce (long bytes)
{
  double sum = sum_of ((double *) src, bytes / sizeof (double));

  MPI_Reduce (&sum, dst, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void
scan (long bytes)
{
  const double *from = (double *) src;
  double *to = (double *) dst, before = 0, sum = sum_of (from, bytes / sizeof (double));

  MPI_Exscan (&sum, &before, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0)
    before = 0;
  for (long i = 0; i < bytes / (long) sizeof (double); i++)
    to[i] = before += from[i];
}

static void
meet (void)
{
  MPI_Barrier (MPI_COMM_WORLD);
}

static void
barrier (long bytes)
{
  (void) bytes;
  meet ();
}

int
main (int argc, char **argv)
{
  static const struct move moves[] = MOVES;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &me);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  dst = aligned_alloc (4096, (size_t) LARGEST * size);
  src = aligned_alloc (4096, (size_t) LARGEST * size);
  memset (dst, 0, (size_t) LARGEST * size);
  memset (src, 0, (size_t) LARGEST * size);
  measure_moves (moves, sizeof moves / sizeof *moves, argc > 1 ? argv[1] : "", me, meet);
  MPI_Finalize ();
  return 0;
}
