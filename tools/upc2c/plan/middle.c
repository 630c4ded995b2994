/* The middles of blocks, in a upc_forall that runs phase by phase (residue.c). Between the phases at which
   one of its elements leaves its block and another one enters, all of them stay in theirs:

       shared [8] double a[…], b[…];
       upc_forall (i = 1; i < n - 1; i++; &b[i]) b[i] = a[i - 1] + a[i + 1];

       phase of b[i]        0 | 1 2 3 4 5 6 | 7
       a[i - 1] is in block k-1 |     k       | k
       a[i + 1]             k |     k       | k+1

   So the longest such run of phases is done as one, block after block, with vectors. The other phases run
   one by one. */

#include "tools/upc2c/plan/internal.h"

enum
{
  LEAST_MIDDLE = 4 /* phases; fewer are no vectors */
};

/* Marks the phase at which each reference enters its next block. What is known at run time alone is taken for this and
   tested then: pointers most often lead to the beginning of a block. */
static bool
find_entries (struct loop *loop, bool *enters)
{
  int64_t block = loop->block, apart;

  enters[0] = true;
  for (struct reference *r = loop->references; r; r = r->next)
    {
      if (block_of (r->type) != loop->block || is_row (r) || r->walk
          || !find_apart_from_own (r, loop, &apart, &r->is_in_phase))
        return false;
      r->shift = (apart % block + block) % block;
      enters[(block - r->shift) % block] = true;
    }
  return true;
}

/* The longest run between two of those. */
static void
find_longest (struct loop *loop, const bool *enters)
{
  uint32_t first = 0;

  for (uint32_t phase = 1; phase <= loop->block; phase++)
    if (phase == loop->block || enters[phase])
      {
        if (phase - first > loop->middle_count)
          {
            loop->middle_first = first;
            loop->middle_count = phase - first;
          }
        first = phase;
      }
}

bool
find_middle (struct loop *loop)
{
  bool enters[LARGEST_MIDDLE_BLOCK] = { false };

  if (loop->block > LARGEST_MIDDLE_BLOCK || loop->affinity->kind != EXPR_INDEX
      || tells_of_strips (loop) || switches.network || !find_entries (loop, enters))
    return false;
  find_longest (loop, enters);
  if (loop->middle_count < LEAST_MIDDLE || 2 * loop->middle_count < loop->block)
    loop->middle_first = loop->middle_count = 0;
  return loop->middle_count > 0;
}
