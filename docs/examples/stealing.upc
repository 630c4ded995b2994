/* Work stealing: counts the nodes of a tree whose shape is not known in advance. A thread that has nothing
   left to do takes half of another thread's work. */

#include <upc.h>
#include <upc_atomic.h>
#include <stdio.h>

#define MOST 4096 /* nodes in a stack, at most */
#define LEAST 8   /* with fewer nodes nothing is stolen */

/* A node is a number, from which the numbers of its children follow. */
typedef unsigned long node;

#define ROOT 1

/* Each thread's stack, protected by its lock: nodes[first] to nodes[first + count - 1]. The owner works at
   the end, thieves take from the beginning. */
struct stack
{
  int first, count;
  node nodes[MOST];
};

shared struct stack stacks[THREADS];
upc_lock_t *shared locks[THREADS];
upc_lock_t *own_lock;
/* The number of nodes that are still to be counted. At 0 the work is done. */
shared long waiting, total;
upc_atomicdomain_t *domain;

static struct stack *
own_stack (void)
{
  return (struct stack *) &stacks[MYTHREAD];
}

static void
add_to (shared long *to, long value)
{
  upc_atomic_relaxed (domain, NULL, UPC_ADD, to, &value, NULL);
}

static unsigned long
mix (unsigned long x)
{
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ul;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ul;
  return x ^ x >> 32;
}

static void
push (node which)
{
  struct stack *stack = own_stack ();

  upc_lock (own_lock);
  if (stack->count == MOST)
    {
      fprintf (stderr, "thread %d: more than %d nodes\n", MYTHREAD, MOST);
      upc_global_exit (1);
    }
  if (stack->first + stack->count == MOST)
    {
      for (int i = 0; i < stack->count; i++)
        stack->nodes[i] = stack->nodes[stack->first + i];
      stack->first = 0;
    }
  stack->nodes[stack->first + stack->count++] = which;
  upc_unlock (own_lock);
}

static int
pop (node *which)
{
  struct stack *stack = own_stack ();
  int is_there;

  upc_lock (own_lock);
  is_there = stack->count > 0;
  if (is_there)
    *which = stack->nodes[stack->first + --stack->count];
  upc_unlock (own_lock);
  return is_there;
}

/* Moves half of VICTIM's nodes to the calling thread, whose own stack is empty. */
static int
steal (int victim)
{
  static node loot[MOST];
  int first, taken = 0;

  upc_lock (locks[victim]);
  if (stacks[victim].count >= LEAST)
    {
      taken = stacks[victim].count / 2;
      first = stacks[victim].first;
      upc_memget (loot, &stacks[victim].nodes[first], taken * sizeof *loot);
      stacks[victim].first = first + taken;
      stacks[victim].count -= taken;
    }
  upc_unlock (locks[victim]);
  for (int i = 0; i < taken; i++)
    push (loot[i]);
  return taken;
}

/* The root has many children, other nodes have three or, mostly, none. */
static void
visit (node which)
{
  int children = which == ROOT ? 2000 : mix (which) % 100 < 32 ? 3 : 0;

  /* Before a thief can have counted one of them. */
  add_to (&waiting, children - 1);
  for (int i = 0; i < children; i++)
    push (mix (which + i + 1));
}

static long
left (void)
{
  long value;

  upc_atomic_relaxed (domain, &value, UPC_GET, &waiting, NULL, NULL);
  return value;
}

int
main (void)
{
  long counted = 0, steals = 0;
  node which;

  domain = upc_all_atomicdomain_alloc (UPC_LONG, UPC_ADD | UPC_GET, 0);
  own_lock = locks[MYTHREAD] = upc_global_lock_alloc ();
  if (MYTHREAD == 0)
    {
      waiting = 1;
      push (ROOT);
    }
  upc_barrier;
  for (int victim = MYTHREAD; left () > 0; victim = (victim + 1) % THREADS)
    {
      for (; pop (&which); counted++)
        visit (which);
      steals += victim != MYTHREAD && steal (victim) > 0;
    }
  add_to (&total, counted);
  upc_barrier;
  if (MYTHREAD == 0)
    printf ("%ld nodes\n", total);
  upc_barrier;
  printf ("thread %d counted %ld%%, and stole %s\n", MYTHREAD, 100 * counted / total,
          steals == 0 ? "nothing" : steals < 10 ? "a few times" : "many times");
  upc_lock_free (own_lock);
  return 0;
}
