/* Loops that wait for other threads by relaxed reads, as old programs do. Each thread passes
   a token on to the next one in each way; optimising compilers would read it once. */
#include <upc_relaxed.h>
#include <stdio.h>

struct mailbox { int pad[3]; long state; };

shared int flag[THREADS];
shared [4] double block[4 * THREADS];
shared struct mailbox boxes[THREADS];
shared [] int *shared table[THREADS];
shared int turn;
static int me;

static void
pass_on (void)
{
  upc_fence;
  turn = (MYTHREAD + 1) % THREADS;
  upc_fence;
}

static void
wait_for_turn (void)
{
  int spins, wanted = MYTHREAD, now;

  for (spins = 0; turn != wanted; spins = 1)
    ;
  (void) spins;
  while ((now = turn) != wanted)
    ;
}

/* Each way of waiting for what the thread before sets. */
static int
ways (int before)
{
  int i, got = 0;
  shared [] int *there = table[before];
  long state;

  while (!flag[before])
    ;
  got++;
  for (i = 0; i < 4; i++)
    while (block[4 * before + i] < 1.0 + i)
      {
      }
  got++;
  do
    got += 0;
  while (boxes[before].state != 7);
  got++;
  for (;;)
    if (there[2] > 4)
      break;
  got++;
  do
    state = boxes[before].state;
  while (state != 7);
  got++;
  while (1)
    {
      state = there[1];
      if (state == 5)
        break;
    }
  got++;
  while (1)
    {
      if (there[3] == 5 && flag[before] == 1)
        break;
    }
  got++;
  return got;
}

static void
set (void)
{
  int i;

  boxes[me].state = 7;
  for (i = 3; i >= 0; i--)
    {
      upc_fence;
      block[4 * me + i] = 1.0 + i;
      table[me][i] = 5;
    }
  upc_fence;
  flag[me] = 1;
}

int
main (void)
{
  int before = (MYTHREAD + THREADS - 1) % THREADS, bad = 0;

  me = MYTHREAD;
  table[me] = upc_alloc (4 * sizeof (int));
  upc_memset (table[me], 0, 4 * sizeof (int));
  upc_barrier;
  if (me == 0)
    set ();
  bad += THREADS > 1 && me > 0 && ways (before) != 7;
  if (me > 0)
    set ();
  bad += me == 0 && ways (before) != 7;
  wait_for_turn ();
  pass_on ();
  upc_barrier;
  if (bad)
    printf ("thread %d: %d ways failed\n", MYTHREAD, bad);
  upc_barrier;
  if (MYTHREAD == 0)
    puts ("all have come");
  return bad != 0;
}
