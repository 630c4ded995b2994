/* MPI's side of network.h, as a person writes it: one-sided operations on a window that all have open, messages
   for the edges of a line, packed blocks for a transposition. */

#include "tests/bench/network.h"

#include <mpi.h>

static int me, size;
static MPI_Win window;
static long *table; /* the window: TABLE_WORDS, then LONG_BYTES */
static char buffer[LONG_BYTES];
static char *source, *target; /* MOST_BYTES of each process */
static double line[CELLS + 2], next_line[CELLS + 2];
/* Not static: the C compiler would see that nobody writes the first one and nobody reads the second, and leave out what
   packs and unpacks them. */
double square[SIDE * SIDE], turned[SIDE * SIDE];
static double packed[SIDE * SIDE], received[SIDE * SIDE];
static volatile long kept;

static void
get_word (long rounds)
{
  long word;

  for (long i = 0; i < rounds; i++)
    {
      MPI_Get (&word, 1, MPI_LONG, size - 1, 0, 1, MPI_LONG, window);
      MPI_Win_flush (size - 1, window);
      kept = word;
    }
}

static void
put_word (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      MPI_Put (&i, 1, MPI_LONG, size - 1, 0, 1, MPI_LONG, window);
      MPI_Win_flush (size - 1, window);
    }
}

static void
put_words (long rounds)
{
  static long sources[1024];

  for (long i = 0; i < rounds; i++)
    {
      sources[i & 1023] = i;
      MPI_Put (&sources[i & 1023], 1, MPI_LONG, size - 1, i & 1023, 1, MPI_LONG, window);
    }
  MPI_Win_flush (size - 1, window);
}

static void
get_long (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      MPI_Get (buffer, LONG_BYTES, MPI_BYTE, size - 1, TABLE_WORDS, LONG_BYTES, MPI_BYTE, window);
      MPI_Win_flush (size - 1, window);
    }
}

static void
put_long (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      MPI_Put (buffer, LONG_BYTES, MPI_BYTE, size - 1, TABLE_WORDS, LONG_BYTES, MPI_BYTE, window);
      MPI_Win_flush (size - 1, window);
    }
}

static void
meet (long rounds)
{
  for (long i = 0; i < rounds; i++)
    MPI_Barrier (MPI_COMM_WORLD);
}

/* UPC's functions leave what they move in other memory than they find it in, with the root, too. */
static void
broadcast (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      if (me == 0)
        memcpy (target, source, work_size);
      MPI_Bcast (target, work_size, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

static void
reduce (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      double part = 0, sum;

      for (long k = 0; k < work_size / (long) sizeof (double); k++)
        part += ((double *) source)[k];
      MPI_Reduce (&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
}

static void
gather_all (long rounds)
{
  for (long i = 0; i < rounds; i++)
    MPI_Allgather (source, work_size, MPI_BYTE, target, work_size, MPI_BYTE, MPI_COMM_WORLD);
}

static void
exchange (long rounds)
{
  for (long i = 0; i < rounds; i++)
    MPI_Alltoall (source, work_size, MPI_BYTE, target, work_size, MPI_BYTE, MPI_COMM_WORLD);
}

static void
update_words (long rounds)
{
  static unsigned long sources[1024];
  unsigned long random = 88172645463325252ul + me;

  for (long i = 0; i < rounds; i++)
    {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      sources[i & 1023] = random;
      MPI_Accumulate (&sources[i & 1023], 1, MPI_LONG, random / TABLE_WORDS % size,
                      random % TABLE_WORDS, 1, MPI_LONG, MPI_BXOR, window);
      /* A source may change when it was read. */
      if ((i & 1023) == 1023)
        MPI_Win_flush_local_all (window);
    }
  MPI_Win_flush_all (window);
}

static void
exchange_edges (double *of)
{
  int left = me > 0 ? me - 1 : MPI_PROC_NULL, right = me < size - 1 ? me + 1 : MPI_PROC_NULL;

  MPI_Sendrecv (&of[1], 1, MPI_DOUBLE, left, 0, &of[CELLS + 1], 1, MPI_DOUBLE, right, 0,
                MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv (&of[CELLS], 1, MPI_DOUBLE, right, 0, &of[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
}

static void
smooth_to (double *restrict to, double *restrict from)
{
  exchange_edges (from);
  for (long k = 1 + (me == 0); k <= CELLS - (me == size - 1); k++)
    to[k] = (from[k - 1] + from[k] + from[k + 1]) / 3;
}

static void
smooth (long rounds)
{
  for (long i = 0; i < rounds; i++)
    {
      smooth_to (next_line, line);
      smooth_to (line, next_line);
    }
}

/* Rows are dealt out one by one, as UPC's are in blocks of one row. */
static void
transpose (long rounds)
{
  int own = SIDE / size;

  for (long i = 0; i < rounds; i++)
    {
      for (int p = 0; p < size; p++)
        for (int column = 0; column < own; column++)
          for (int row = 0; row < own; row++)
            packed[(p * own + column) * own + row] = square[row * SIDE + column * size + p];
      MPI_Alltoall (packed, own * own, MPI_DOUBLE, received, own * own, MPI_DOUBLE, MPI_COMM_WORLD);
      for (int p = 0; p < size; p++)
        for (int row = 0; row < own; row++)
          for (int column = 0; column < own; column++)
            turned[row * SIDE + column * size + p] = received[(p * own + row) * own + column];
    }
}

static void
compute_alone (long rounds)
{
  for (long i = 0; i < rounds; i++)
    for (long k = 1; k <= CELLS; k++)
      line[k] = line[k] * 0.5 + next_line[k];
}

int
main (int argc, char **argv)
{
  static const struct work works[] = NETWORK_WORKS;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &me);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  source = malloc ((size_t) size * MOST_BYTES);
  target = malloc ((size_t) size * MOST_BYTES);
  memset (source, 0, (size_t) size * MOST_BYTES);
  memset (target, 0, (size_t) size * MOST_BYTES);
  MPI_Win_allocate (TABLE_WORDS * sizeof (long) + LONG_BYTES, sizeof (long), MPI_INFO_NULL,
                    MPI_COMM_WORLD, &table, &window);
  MPI_Win_lock_all (MPI_MODE_NOCHECK, window);
  measure_works (argc, argv, works, sizeof works / sizeof *works, me, meet);
  MPI_Win_unlock_all (window);
  MPI_Win_free (&window);
  MPI_Finalize ();
  return 0;
}
