/* References to elements of one block that lie side by side:

       shared [4] double a[…];
       for (i = 0; i < n; i++) { a[2 * i] = re[i]; a[2 * i + 1] = im[i]; }

   Both leave each block together, so the address of a[2 * i + 1] is that of a[2 * i] and 8 in all iterations. By two
   variables C compilers do not see that, and do not load and store both at once. */

#include "tools/upc2c/plan/internal.h"

/* The rest of A / B that is not below 0. */
static int64_t
residue (int64_t a, int64_t b)
{
  return (a % b + b) % b;
}

/* Whether what is at AT, in a static array in blocks of BLOCK elements, is in the block of what is APART elements behind it,
   whatever the iteration: AT is the same modulo the factor of the induction variable, and blocks begin at multiples of
   that. */
static bool
are_in_one_block (const struct affine *at, int64_t apart, int64_t block, struct loop *loop)
{
  int64_t factor = induction_factor (at, loop), moved;

  if (factor == UNKNOWN_FACTOR || factor == 0)
    return false;
  moved = factor < 0 ? -factor : factor;
  if (block % moved != 0 || fixed_divisor (at, loop) % (uint64_t) moved != 0)
    return false;
  apart += residue (at->constant, moved);
  return apart >= 0 && apart < moved;
}

static bool
may_be_beside (const struct reference *r)
{
  return !switches.network && r->stride_kind == STRIDE_IN_BLOCK && !r->walk && !r->row && !r->is_own
         && !r->window && r->at.wrap == WRAPS_NEVER;
}

/* Whether R is at *APART elements behind OTHER in memory in all iterations of LOOP. */
static bool
is_beside (struct reference *r, struct reference *other, struct loop *loop, int64_t *apart)
{
  int64_t block = block_of (r->type);

  if (!may_be_beside (other) || other->neighbour || other->root->decl != r->root->decl
      || element_bytes (other) != element_bytes (r) || other->stride != r->stride
      || block != block_of (other->type) || !find_apart (&other->at, &r->at, apart))
    return false;
  return block == 0 || switches.threads == 1
         || (!is_pointer (r) && are_in_one_block (&other->at, *apart, block, loop));
}

void
find_neighbours (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    {
      struct reference *other = loop->references;

      r->neighbour = NULL;
      while (other != r && !(may_be_beside (r) && is_beside (r, other, loop, &r->apart)))
        other = other->next;
      if (other != r)
        r->neighbour = other;
    }
}

bool
has_all_neighbours (const struct reference *r, const struct loop *loop)
{
  const struct reference *first = r->neighbour ? r->neighbour : r;
  int64_t count = 1;

  for (const struct reference *other = loop->references; other; other = other->next)
    count += other->neighbour == first;
  return r->stride == 1 || r->stride == -1 || count == r->stride || count == -r->stride;
}
