/* Batches of loops (include/upct/batch.h): the lists of their elements, and fetching the far
   ones. */

#include "runtime/abi/network/kept.h"
#include "runtime/abi/network/runs.h"

#include <stdlib.h>

enum
{
  FEW = 8192,              /* elements of a list, of several iterations */
  MOST_OF_ONE = 1ul << 20, /* … and of one */
  NO_ELEMENT = -1
};

static bool
make_room (__upc_gathered *g, unsigned long room)
{
  const void **at = g->__at ? realloc (g->__at, room * sizeof *at)
                            : upcr_kept_take (room * sizeof *at, NULL);

  if (!at)
    return false;
  g->__at = at;
  g->__room = room;
  free (g->__values);
  g->__values = NULL;
  return true;
}

/* An iteration that finds no room is done in the next batch, unless it is the first one. Without memory elements are
   read one by one. */
void
__upc_batch_more (__upc_batch *b, __upc_gathered *g, const void *p)
{
  unsigned long room = g->__room == 0 ? FEW : 2 * g->__room;

  if (b->__iterations > 1 && g->__room > 0)
    {
      b->__is_full = 1;
      return;
    }
  if (room <= MOST_OF_ONE && make_room (g, room))
    g->__at[g->__count++] = p;
}

/* The far elements of each thread, in their order: FIRST of a thread, NEXT of an element. */
struct chains
{
  int first[UPCR_MAX_THREADS], last[UPCR_MAX_THREADS];
  int *next;
};

/* *IS_BAD, if IS_BAD is not NULL, becomes 1 if one of them may not be accessed; then nothing is far. */
static bool
find_far (const __upc_gathered *g, struct chains *chains, char *is_bad)
{
  bool is_any = false;

  for (int t = 0; t < THREADS; t++)
    chains->first[t] = NO_ELEMENT;
  for (unsigned long i = 0; i < g->__count; i++)
    {
      const void *at = g->__at[i];
      int thread;

      if (is_bad && !upcr_may_access (at, g->__bytes))
        {
          *is_bad = 1;
          return false;
        }
      if (upcr_is_near (at))
        continue;
      upcr_process_at (at, g->__bytes);
      thread = (int) (((uintptr_t) at - UPCR_SEGMENT_BASE) / UPCR_STRIDE);
      if (chains->first[thread] == NO_ELEMENT)
        chains->first[thread] = (int) i;
      else
        chains->next[chains->last[thread]] = (int) i;
      chains->last[thread] = (int) i;
      chains->next[i] = NO_ELEMENT;
      is_any = true;
    }
  return is_any;
}

/* Asks for them, each process for those of its threads; the list says where they are going to be. */
static void
ask_for (__upc_gathered *g, const struct chains *chains, char *is_bad, upcr_net_open *open)
{
  char *value = g->__values;
  struct upcr_net_gather gather;

  upcr_net_gather_begin (&gather, g->__bytes, open);
  gather.is_bad = is_bad;
  for (int t = 0; t < THREADS; t++)
    {
      int process = upcr_process_of (t);

      for (int i = chains->first[t]; i != NO_ELEMENT; i = chains->next[i])
        {
          upcr_net_gather_add (&gather, process, value, g->__at[i]);
          g->__at[i] = value;
          value += g->__bytes;
        }
    }
  upcr_net_gather_end (&gather);
}

/* Fetches what is far of a list. False: there is no memory for that. */
static bool
gather (__upc_gathered *g, int *has_far, char *is_bad, upcr_net_open *open)
{
  static __thread int few[FEW];
  struct chains chains = { .next = g->__count <= FEW ? few
                                                     : malloc (g->__count * sizeof *chains.next) };
  bool is_any = chains.next && find_far (g, &chains, is_bad);

  *has_far |= is_any;
  if (is_any && !g->__values)
    g->__values = upcr_kept_take (g->__room * g->__bytes, NULL);
  if (is_any && g->__values)
    ask_for (g, &chains, is_bad, open);
  if (chains.next != few)
    free (chains.next);
  return chains.next && (!is_any || g->__values);
}

/* The same of a list of runs: FAR is a list of what is to be placed when all has come. */
static bool
gather_runs (__upc_gathered *g, int *has_far, struct upcr_far_runs **far, char *is_bad,
             upcr_net_open *open)
{
  struct upcr_far_runs *one = upcr_runs_gather (g, is_bad, open);

  if (!one)
    return false;
  *has_far |= one->far_elements > 0;
  one->next = *far;
  *far = one;
  return true;
}

/* The last iteration is left out if it is not complete. */
static void
settle (__upc_batch *b)
{
  b->__most = b->__iterations - (unsigned long) b->__is_full;
  b->__is_full = 0;
  b->__iterations = 0;
}

/* An element of that level may not be accessed: all of them are read one by one, and each is checked by itself. */
static void
give_up (__upc_batch *b, int level)
{
  for (int i = 0; i < b->__many; i++)
    if (b->__gathered[i].__level == level)
      b->__gathered[i].__count = 0;
}

static bool
is_checked (const __upc_batch *b)
{
#ifdef UPCR_ASAN
  (void) b;
  return true;
#else
  return b->__is_checked;
#endif
}

void
__upc_batch_fetch (__upc_batch *b, int level)
{
  struct upcr_far_runs *far = NULL;
  upcr_net_open open = 0;
  char is_bad = 0, *is_bad_if_checked = is_checked (b) ? &is_bad : NULL;

  settle (b);
  upcr_net_push (MYTHREAD);
  for (int i = 0; i < b->__many; i++)
    {
      __upc_gathered *g = &b->__gathered[i];

      if (g->__level == level && g->__count > 0
          && !(g->__runs ? gather_runs (g, &b->__has_far, &far, is_bad_if_checked, &open)
                         : gather (g, &b->__has_far, is_bad_if_checked, &open)))
        g->__count = 0;
      g->__next = 0;
    }
  upcr_net_await (&open);
  upcr_runs_place (far);
  if (is_bad)
    give_up (b, level);
}

void
__upc_batch_end (__upc_batch *b)
{
  for (int i = 0; i < b->__many; i++)
    {
      __upc_gathered *g = &b->__gathered[i];

      if (g->__runs)
        upcr_runs_end (g);
      else
        {
          upcr_kept_give (g->__at, g->__room * sizeof *g->__at);
          upcr_kept_give (g->__values, g->__room * g->__bytes);
        }
    }
}
