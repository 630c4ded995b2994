/* Integer sort as NAS IS does it, class S: random keys are dealt into buckets, one
   range of them a thread, sent to their owners in one copy per pair of threads,
   ranked, and verified. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>

#define TOTAL_KEYS_LOG_2 16
#define MAX_KEY_LOG_2 11
#define TOTAL_KEYS (1 << TOTAL_KEYS_LOG_2)
#define MAX_KEY (1 << MAX_KEY_LOG_2)
#define MAX_ITERATIONS 10
#define TEST_ARRAY_SIZE 5
#define MAX_THREADS 64

typedef int INT_TYPE;

static const INT_TYPE test_index_array[TEST_ARRAY_SIZE] = { 48427, 17148, 23627, 62548, 4431 };
static const INT_TYPE test_rank_array[TEST_ARRAY_SIZE] = { 0, 18, 346, 64917, 65463 };

/* Pieces of the keys: thread t has keys t * piece to (t + 1) * piece. */
static INT_TYPE *key_array;
static INT_TYPE my_first, my_count;

typedef shared [] INT_TYPE *keys_t;

/* What thread t gets from each of the others is in row t. */
shared [MAX_THREADS] keys_t inbox[THREADS][MAX_THREADS];
shared [MAX_THREADS] INT_TYPE inbox_count[THREADS][MAX_THREADS];
shared INT_TYPE total_below[THREADS];
shared INT_TYPE test_value[TEST_ARRAY_SIZE * THREADS];
shared INT_TYPE passed;
upc_lock_t *verify_lock;

static double
randlc (double *X, double A)
{
  static const double r23 = 0x1p-23, r46 = 0x1p-46, t23 = 0x1p23, t46 = 0x1p46;
  double T1, T2, T3, T4, A1, A2, X1, X2, Z;

  T1 = r23 * A, A1 = (long) T1, A2 = A - t23 * A1;
  T1 = r23 * *X, X1 = (long) T1, X2 = *X - t23 * X1;
  T1 = A1 * X2 + A2 * X1;
  T2 = (long) (r23 * T1), Z = T1 - t23 * T2;
  T3 = t23 * Z + A2 * X2;
  T4 = (long) (r46 * T3), *X = T3 - t46 * T4;
  return r46 * *X;
}

static void
create_seq (double seed, double a)
{
  INT_TYPE i, k = MAX_KEY / 4;

  for (i = 0; i < my_first; i++)
    {
      randlc (&seed, a), randlc (&seed, a);
      randlc (&seed, a), randlc (&seed, a);
    }
  for (i = 0; i < my_count; i++)
    {
      double x = randlc (&seed, a);

      x += randlc (&seed, a);
      x += randlc (&seed, a);
      x += randlc (&seed, a);
      key_array[i] = k * x;
    }
}

#define OWNER(key) ((int) ((long) (key) * THREADS / MAX_KEY))

static void
rank (int iteration)
{
  INT_TYPE *send, *at, i, k, t, *owned, below = 0;
  int count_of[THREADS], start[THREADS];

  for (i = 0; i < my_count; i++)
    {
      if (my_first + i == iteration)
        key_array[i] = iteration;
      if (my_first + i == iteration + MAX_ITERATIONS)
        key_array[i] = MAX_KEY - iteration;
    }
  for (i = 0; i < TEST_ARRAY_SIZE; i++)
    if (test_index_array[i] >= my_first && test_index_array[i] < my_first + my_count)
      for (t = 0; t < THREADS; t++)
        test_value[i * THREADS + t] = key_array[test_index_array[i] - my_first];

  for (t = 0; t < THREADS; t++)
    count_of[t] = 0;
  for (i = 0; i < my_count; i++)
    count_of[OWNER (key_array[i])]++;
  for (t = 0, k = 0; t < THREADS; k += count_of[t++])
    start[t] = k;
  send = malloc ((my_count + 1) * sizeof *send);
  for (i = 0; i < my_count; i++)
    {
      at = &send[start[OWNER (key_array[i])]++];
      *at = key_array[i];
    }
  for (t = 0; t < THREADS; t++)
    {
      inbox_count[t][MYTHREAD] = count_of[t];
      inbox[t][MYTHREAD] = (keys_t) upc_alloc (count_of[t] * sizeof (INT_TYPE));
      if (count_of[t])
        upc_memput (inbox[t][MYTHREAD], send + start[t] - count_of[t], count_of[t] * sizeof *send);
    }
  free (send);
  upc_barrier iteration;

  owned = calloc (MAX_KEY + 1, sizeof *owned);
  for (t = 0, k = 0; t < THREADS; t++)
    {
      INT_TYPE n = inbox_count[MYTHREAD][t];
      INT_TYPE *keys = malloc ((n + 1) * sizeof *keys);

      if (n)
        upc_memget (keys, inbox[MYTHREAD][t], n * sizeof *keys);
      for (i = 0; i < n; i++)
        owned[keys[i] + 1]++;
      k += n;
      free (keys);
    }
  total_below[MYTHREAD] = k;
  upc_barrier;
  for (t = 0; t < MYTHREAD; t++)
    below += total_below[t];
  for (i = 0; i < MAX_KEY; i++)
    owned[i + 1] += owned[i];
  for (i = 0; i < TEST_ARRAY_SIZE; i++)
    {
      INT_TYPE key = test_value[i * THREADS + MYTHREAD];
      INT_TYPE want = i <= 2 ? test_rank_array[i] + iteration : test_rank_array[i] - iteration;

      /* What NAS calls the rank is the number of smaller keys. */
      if (key > 0 && key < MAX_KEY && OWNER (key) == MYTHREAD)
        {
          INT_TYPE key_rank = below + owned[key];

          if (key_rank == want)
            {
              upc_lock (verify_lock);
              passed++;
              upc_unlock (verify_lock);
            }
          else
            printf ("iteration %d, test %d: rank %d of key %d, not %d\n", iteration, i, key_rank, key, want);
        }
    }
  free (owned);
  upc_barrier;
  for (t = 0; t < THREADS; t++)
    upc_free (inbox[t][MYTHREAD]);
  upc_barrier;
}

int
main (int argc, char **argv)
{
  int iteration;

  my_first = (long) TOTAL_KEYS * MYTHREAD / THREADS;
  my_count = (long) TOTAL_KEYS * (MYTHREAD + 1) / THREADS - my_first;
  key_array = (INT_TYPE *) malloc (sizeof (INT_TYPE) * my_count);
  verify_lock = upc_all_lock_alloc ();
  create_seq (314159265.00, 1220703125.00);
  rank (1);
  if (!MYTHREAD)
    passed = 0;
  upc_barrier;
  for (iteration = 1; iteration <= MAX_ITERATIONS; iteration++)
    rank (iteration);
  if (MYTHREAD == 0)
    printf ("IS class S: %d of %d verified\n", passed, 5 * MAX_ITERATIONS);
  free (key_array);
  upc_all_lock_free (verify_lock);
  return 0;
}
