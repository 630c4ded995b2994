/* Search of an unbalanced tree: each thread has a stack of nodes in its shared space, whose
   lower part is open to thieves; a barrier that new work cancels ends the search. */
#include <upc_relaxed.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 8
#define MOST_NODES 20000
#define DEEPEST 7
#define MANY_CHILDREN 40

#define SHARED shared
#define SHARED_INDEF shared [0]
#define LOCK_T upc_lock_t

struct node
{
  int height;
  uint8_t state[20];
};

typedef struct node Node;

/* Of the nodes from BOTTOM to TOP those below LOCAL are for all. The owner alone writes TOP;
   the lock guards the rest. */
typedef struct
{
  int bottom, local, top, available;
  int nodes, leaves, deepest, thefts;
  LOCK_T *lock;
  SHARED_INDEF Node *nodes_g;
  Node *stack;
} Stack;

SHARED Stack stacks[THREADS];
strict SHARED int cancelled, waiting, done;
LOCK_T *barrier_lock;

static void
spawn (const Node *parent, Node *child, int number)
{
  uint64_t hash = UINT64_C (1469598103934665603);

  *child = *parent;
  child->height++;
  child->state[0] += 7 * number + 1;
  for (int i = 0; i < 60; i++)
    {
      hash = (hash ^ child->state[i % 20]) * UINT64_C (1099511628211);
      child->state[i % 20] = (uint8_t) (hash >> 29);
    }
}

static int
count_children (const Node *node)
{
  unsigned random = node->state[17] << 8 | node->state[18];

  if (node->height >= DEEPEST)
    return 0;
  if (node->height == 0)
    return MANY_CHILDREN;
  return random % 16 == 0 ? MANY_CHILDREN / 2 : random % 5;
}

static void
visit (Stack *s)
{
  Node parent = s->stack[--s->top], child;
  int count = count_children (&parent);

  s->nodes++;
  s->leaves += count == 0;
  if (s->deepest < parent.height)
    s->deepest = parent.height;
  if (s->top + count > MOST_NODES)
    upc_global_exit (3);
  for (int i = 0; i < count; i++)
    {
      spawn (&parent, &child, i);
      memcpy (&s->stack[s->top++], &child, sizeof child);
    }
}

/* Opens a chunk to thieves, or takes one back: false if they have it. */
static int
move_border (Stack *s, int nodes)
{
  int good;

  upc_lock (s->lock);
  good = s->local + nodes >= s->bottom;
  if (good)
    {
      s->local += nodes;
      s->available += nodes;
    }
  upc_unlock (s->lock);
  return good;
}

static int
steal (Stack *s, int victim)
{
  SHARED Stack *from = &stacks[victim];
  int good, bottom;

  upc_lock (from->lock);
  bottom = from->bottom;
  good = from->available >= CHUNK && from->local - bottom == from->available;
  if (good)
    {
      upc_memget (&s->stack[s->top], from->nodes_g + bottom, CHUNK * sizeof (Node));
      from->bottom = bottom + CHUNK;
      from->available -= CHUNK;
    }
  upc_unlock (from->lock);
  s->top += good ? CHUNK : 0;
  s->thefts += good;
  return good;
}

static int
steal_from_any (Stack *s)
{
  /* The thief's own stack is empty: it begins anew. */
  upc_lock (s->lock);
  s->bottom = s->local = s->top = 0;
  upc_unlock (s->lock);
  for (int i = 1; i < THREADS; i++)
    if (steal (s, (MYTHREAD + i) % THREADS))
      return 1;
  return 0;
}

/* True: all wait, so there is no work left. */
static int
wait_for_work (void)
{
  int is_done;

  upc_lock (barrier_lock);
  if (++waiting == THREADS)
    done = 1;
  upc_unlock (barrier_lock);
  while (!cancelled && !done)
    ;
  upc_lock (barrier_lock);
  waiting--;
  is_done = done;
  if (!is_done)
    cancelled = 0;
  upc_unlock (barrier_lock);
  return is_done;
}

static void
search (Stack *s)
{
  for (;;)
    {
      while (s->top > s->local)
        {
          visit (s);
          if (s->top - s->local > 2 * CHUNK)
            {
              move_border (s, CHUNK);
              cancelled = 1;
            }
        }
      if (!move_border (s, -CHUNK) && !steal_from_any (s) && wait_for_work ())
        return;
    }
}

int
main (void)
{
  Stack *s = (Stack *) &stacks[MYTHREAD];
  int nodes = 0, leaves = 0, deepest = 0;

  memset (s, 0, sizeof *s);
  s->nodes_g = (SHARED_INDEF Node *) upc_alloc (MOST_NODES * sizeof (Node));
  s->stack = (Node *) s->nodes_g;
  s->lock = upc_global_lock_alloc ();
  barrier_lock = upc_all_lock_alloc ();
  if (MYTHREAD == 0)
    memset (&s->stack[s->top++], 0, sizeof (Node));
  upc_barrier;
  search (s);
  upc_barrier;
  if (MYTHREAD == 0)
    {
      for (int t = 0; t < THREADS; t++)
        {
          nodes += stacks[t].nodes;
          leaves += stacks[t].leaves;
          deepest = stacks[t].deepest > deepest ? stacks[t].deepest : deepest;
        }
      printf ("%d nodes, %d leaves, height %d\n", nodes, leaves, deepest);
    }
  upc_barrier;
  upc_free (s->nodes_g);
  upc_lock_free (s->lock);
  upc_all_lock_free (barrier_lock);
  return 0;
}
