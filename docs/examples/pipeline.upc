/* A pipeline: each thread does one step of the work on every item, and passes it to the next thread through
   a queue with a lock. */

#include <upc.h>
#include <stdio.h>

#define ITEMS 20
#define ROOM 4 /* items in a queue, at most */

struct queue
{
  int first, count;
  long items[ROOM];
};

/* The input queue of each thread, protected by its lock. */
shared struct queue queues[THREADS];
upc_lock_t *shared locks[THREADS];

static int
try_put (int thread, long item)
{
  shared struct queue *queue = &queues[thread];
  int has_room;

  upc_lock (locks[thread]);
  has_room = queue->count < ROOM;
  if (has_room)
    queue->items[(queue->first + queue->count++) % ROOM] = item;
  upc_unlock (locks[thread]);
  return has_room;
}

static int
try_take (long *item)
{
  struct queue *queue = (struct queue *) &queues[MYTHREAD];
  int has_item;

  upc_lock (locks[MYTHREAD]);
  has_item = queue->count > 0;
  if (has_item)
    {
      *item = queue->items[queue->first];
      queue->first = (queue->first + 1) % ROOM;
      queue->count--;
    }
  upc_unlock (locks[MYTHREAD]);
  return has_item;
}

static void
put (int thread, long item)
{
  while (!try_put (thread, item))
    upc_poll ();
}

static long
take (void)
{
  long item;

  while (!try_take (&item))
    upc_poll ();
  return item;
}

int
main (void)
{
  locks[MYTHREAD] = upc_global_lock_alloc ();
  upc_barrier;
  for (int i = 1; i <= ITEMS; i++)
    {
      /* The first thread makes the items, each thread adds one, the last one prints. */
      long item = MYTHREAD == 0 ? 100 * i : take ();

      item++;
      if (MYTHREAD < THREADS - 1)
        put (MYTHREAD + 1, item);
      else
        printf ("%ld%s", item, i % 10 ? " " : "\n");
    }
  upc_barrier;
  upc_lock_free (locks[MYTHREAD]);
  return 0;
}
