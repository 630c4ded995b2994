/* Dining philosophers: a lock for each fork, in a shared array of pointers to locks;
   who cannot have the second fork puts the first one down. */
#include <stdio.h>
#include <unistd.h>
#include <upc.h>

#define LIFE 20

enum state { THINKING, HUNGRY, EATING } typedef state_t;

upc_lock_t *shared forks[THREADS];
shared strict state_t states[THREADS];
shared int meals[THREADS], spoiled;

#define LEFT MYTHREAD
#define RIGHT ((MYTHREAD + 1) % THREADS)

static int
take_forks (upc_lock_t *first, upc_lock_t *second)
{
  states[MYTHREAD] = HUNGRY;
  upc_lock (first);
  if (first == second || upc_lock_attempt (second))
    return 1;
  upc_unlock (first);
  usleep (1 + MYTHREAD * 10);
  return 0;
}

static void
eat (void)
{
  states[MYTHREAD] = EATING;
  if (THREADS > 1 && (states[RIGHT] == EATING || states[(MYTHREAD + THREADS - 1) % THREADS] == EATING))
    spoiled++;
  meals[MYTHREAD]++;
  states[MYTHREAD] = THINKING;
}

int
main (void)
{
  int i, total = 0;
  upc_lock_t *left, *right;

  forks[MYTHREAD] = upc_global_lock_alloc ();
  upc_barrier;
  left = forks[LEFT], right = forks[RIGHT];
  for (i = 0; i < LIFE; )
    switch (states[MYTHREAD])
      {
      case THINKING:
        states[MYTHREAD] = HUNGRY;
        break;
      case HUNGRY:
        if (!take_forks (left, right))
          continue;
        eat ();
        upc_unlock (left);
        if (right != left)
          upc_unlock (right);
        i++;
        break;
      default:
        upc_global_exit (1);
      }
  upc_barrier;
  upc_lock_free (forks[MYTHREAD]);
  if (MYTHREAD)
    return 0;
  for (i = 0; i < THREADS; i++)
    total += meals[i];
  printf ("%s, %d meals missed\n", spoiled ? "fought" : "in peace", LIFE * THREADS - total);
  return 0;
}
