/* Crossing from block to block. When a reference leaves its block, the next element is at the same offset
   in the next thread's memory, less a block; after the last thread, it is in the memory of thread 0:

       thread 0   0 1 2 3  8 9 …      at += STRIDE - 4 * sizeof *a
       thread 1   4 5 6 7 12 …        at -= (THREADS - 1) * STRIDE

   So a loop locates its elements once, before its first strip. Later strips do one addition for each
   reference that crosses (include/upct/crossing.h). References that always have the same phase, or are
   in one block, cross together. */

#include "tools/upc2c/plan/internal.h"

enum
{
  FEW_PLACES = 3,
  LEAST_PER_PLACE = 3 /* iterations in a strip, by the loops that were measured */
};

bool
tells_of_strips (const struct loop *loop)
{
  return switches.race || is_checked_code (loop->stmt->first);
}

int64_t
least_strip (int64_t block, int64_t stride, const struct loop *loop)
{
  return is_forall (loop) || block % stride != 0 || tells_of_strips (loop) ? MIN_STRIP
                                                                           : MIN_CROSSING_STRIP;
}

static int64_t
step_of (const struct reference *r)
{
  return r->stride < 0 ? -r->stride : r->stride;
}

static bool
leaves_block (const struct reference *r)
{
  return r->stride_kind == STRIDE_IN_BLOCK && !r->stays;
}

/* Whether each strip of R but the first and the last one has as many iterations, and no index wraps around. */
static bool
may_cross (const struct reference *r)
{
  if (r->at.wrap != WRAPS_NEVER || r->row)
    return false;
  return !leaves_block (r) || (!r->is_own && block_of (r->type) % step_of (r) == 0);
}

/* Whether the induction variable may wrap around before the loop ends. */
static bool
may_wrap_around (const struct loop *loop)
{
  const struct decl *d = loop->induction;

  return d && !loop->bound && !is_by_pointer (loop)
         && (type_is_unsigned (d->type) || type_size (d->type).value < 4);
}

/* Whether A and B begin at the same phase, and so always have the same; they are APART. */
static bool
have_same_phase (struct reference *a, struct reference *b, int64_t *apart)
{
  int64_t block = block_of (a->type);

  return block == block_of (b->type) && !a->walk && !b->walk
         && (!is_pointer (a) ? !is_pointer (b) : a->root->decl == b->root->decl)
         && element_bytes (a) == element_bytes (b) && find_apart (&a->at, &b->at, apart)
         && *apart % block == 0;
}

static void
set_crossing (struct loop *loop, struct reference *r)
{
  struct reference *other = loop->references;
  int64_t apart;

  r->crosses = true;
  if (r->neighbour)
    {
      other = r->neighbour;
      r->crosses_with = other->crosses_with ? other->crosses_with : other;
      r->is_beside = !other->crosses_with || other->is_beside;
      return;
    }
  while (other != r
         && !(other->crosses && !other->crosses_with && have_same_phase (other, r, &apart)))
    other = other->next;
  if (other == r)
    return;
  r->crosses_with = other;
  r->is_beside = apart == 0
                 || (switches.threads && apart % (block_of (r->type) * switches.threads) == 0);
}

void
find_crossing (struct loop *loop)
{
  bool any = false;

  if (loop->form != LOOP_STRIPS || is_forall (loop) || loop->residues || loop->step
      || tells_of_strips (loop) || may_wrap_around (loop) || is_better_in_strips (loop))
    return;
  for (struct reference *r = loop->references; r; r = r->next)
    {
      if (!may_cross (r))
        return;
      any = any || leaves_block (r);
    }
  loop->crosses_blocks = any;
  for (struct reference *r = any ? loop->references : NULL; r; r = r->next)
    if (leaves_block (r))
      set_crossing (loop, r);
}

/* Each strip of a loop that crosses_blocks ends where some element leaves its block. If elements do so at many places, strips
   have a few iterations each, and to ask all elements whether they have left costs more than to look each up in a table of
   blocks; not if iterations wait for the values of the ones before anyway. So does to locate the first ones, if few follow. */
bool
crosses_too_often (struct loop *loop, bool is_few)
{
  int64_t longest = INT32_MAX, places = 0;

  /* The far elements of a strip are copied together; an inner loop makes strips long. */
  if (switches.network || any_stmt (loop->stmt->then, is_loop, NULL))
    return false;
  for (const struct reference *r = loop->references; r; r = r->next)
    {
      int64_t strip;

      if (r->crosses && !has_small_table (r->l))
        return false;
      if (!r->crosses || r->crosses_with)
        continue;
      strip = block_of (r->type) / step_of (r);
      longest = strip < longest ? strip : longest;
      places++;
    }
  return (longest < LEAST_PER_PLACE * places && !waits_for_previous (loop))
         || (is_few && places >= FEW_PLACES);
}
