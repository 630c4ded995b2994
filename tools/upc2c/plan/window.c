/* Loops over arrays in small blocks, with independent iterations whose elements are at different places in
   blocks:

       shared [4] double a[…][n], b[…][n];
       for (j = 1; j < n - 1; j++) a[i][j] = b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1];

   In the program's order each strip would have one iteration or a few. So the elements that a number of
   iterations read are copied block by block into private memory, a window. The iterations run there as one
   strip, with vectors, and what they write is copied back (upct/window.h). Neighbouring elements share a
   window.

   All that is copied is accessed by some iteration, or lies between such elements: memory beside an array
   may be nobody's. And all that is copied back is written by each iteration: another thread may write what
   is beside it. If pointers lead to the arrays, the program itself tests whether they overlap. */

#include "tools/upc2c/plan/internal.h"

/* In larger blocks strips of the program's order are as good, and of blocks of one residues; where arrays are gone through
   in both directions, earlier. References so far apart do not share a copy: each element between them is accessed, too,
   as there are more iterations. More copies than that would take much of a stack. */
enum
{
  LEAST_BLOCK = 2,
  LEAST_REVERSED = 4,
  MOST_REVERSED = 8,
  MOST_BLOCK = 16,
  MOST_APART = LEAST_WINDOW,
  MOST_WINDOWS = 8
};

static int64_t
least (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Whether LOOP, in the order of the program, may have windows: nobody is told where its strips begin. */
static bool
is_candidate (struct loop *loop)
{
  return moves_by_one (loop) && switches.threads != 1 && !switches.network
         && !tells_of_strips (loop) && does_all (loop->stmt->then);
}

/* Strips of a whole block are as good for longer where it is large. */
static int64_t
least_in_block (int64_t block)
{
  return block > 8 ? 4 * block : 2 * block;
}

int64_t
least_in_windows (const struct loop *loop)
{
  int64_t fewest = LEAST_WINDOW;

  for (const struct reference *r = loop->references; r; r = r->next)
    if (block_of (r->type) <= MOST_BLOCK && least_in_block (block_of (r->type)) > fewest)
      fewest = least_in_block (block_of (r->type));
  return fewest;
}

/* Whether LOOP is known to have fewer iterations than are worth while. */
static bool
is_short (struct loop *loop)
{
  int64_t first, last;

  return find_range (loop, &first, &last)
         && (loop->is_down ? first - last : last - first) < least_in_windows (loop) - 1;
}

/* Whether R may be accessed through a window. */
static bool
suits (const struct reference *r)
{
  return r->is_by_rounds && !r->row && (r->stride == 1 || r->stride == -1)
         && type_is_arithmetic (r->type) && element_bytes (r) <= 8;
}

/* Notes what references of LOOP are for. True: E stores to what is none. What is read and no reference is none of the
   elements that LOOP, which is independent, stores to. */
static bool
note_use (struct expr *e, void *data)
{
  struct loop *loop = data;
  struct reference *r;
  struct expr *l;

  if ((e->kind != EXPR_LOAD && !is_store (e)) || !type_is_shared (element_of (e->a)->type))
    return false;
  l = element_of (e->a);
  r = l->kind == EXPR_INDEX ? reference_to (loop, l) : NULL;
  if (!r)
    return is_store (e);
  r->is_read |= e->kind != EXPR_ASSIGN;
  r->is_written |= is_store (e);
  return false;
}

/* The window of another reference of LOOP in which R may be, too. */
static struct window *
find_shared_window (const struct reference *r, struct loop *loop)
{
  int64_t apart, lowest, highest;

  for (struct window *w = loop->windows; w; w = w->next)
    {
      if (w->is_written || w->first->root->decl != r->root->decl
          || !find_apart (&w->first->at, &r->at, &apart))
        continue;
      lowest = least (0, apart);
      highest = apart > w->farthest ? apart : w->farthest;
      if (highest - lowest <= MOST_APART)
        return w;
    }
  return NULL;
}

/* Puts R into W. */
static void
widen (struct window *w, struct reference *r)
{
  int64_t apart = 0;

  find_apart (&w->first->at, &r->at, &apart);
  if (apart < 0)
    {
      w->first = r;
      w->farthest -= apart;
    }
  else if (apart > w->farthest)
    w->farthest = apart;
  r->window = w;
}

static void
open_window (struct loop *loop, struct reference *r)
{
  struct window *w = r->is_written ? NULL : find_shared_window (r, loop);

  if (!w)
    {
      w = NEW (struct window);
      *w = (struct window){ .first = r, .number = r->number, .next = loop->windows };
      w->is_written = r->is_written;
      w->is_read = r->is_read;
      loop->windows = w;
    }
  widen (w, r);
}

/* Whether A and B, in blocks, are known to be at different places in them, or go through them differently. */
static bool
differ (const struct reference *a, const struct reference *b, struct loop *loop)
{
  int64_t block = block_of (a->type);

  if (block != block_of (b->type))
    return true;
  if (a->stride != b->stride)
    return block >= LEAST_REVERSED && block <= MOST_REVERSED;
  return are_out_of_phase (a, b, loop);
}

/* Whether R differs from a reference before it. */
static bool
differs (const struct reference *r, struct loop *loop)
{
  const struct reference *other = loop->references;

  while (other != r && (block_of (other->type) == 0 || !differ (other, r, loop)))
    other = other->next;
  return other != r;
}

/* Whether the references of LOOP that are in blocks suit, some are in small ones, and some at different places. If the
   order counts, no other strips are longer, in blocks of one element, too. */
static bool
suit (struct loop *loop)
{
  bool are_small = false, differ_somewhere = false;

  for (struct reference *r = loop->references; r; r = r->next)
    {
      uint32_t block = block_of (r->type);

      if (block == 0)
        continue;
      if (!suits (r) || (block < LEAST_BLOCK && !loop->keeps_order))
        return false;
      are_small |= block <= MOST_BLOCK;
      differ_somewhere |= differs (r, loop);
    }
  return are_small && (differ_somewhere || loop->keeps_order);
}

static bool
open_windows (struct loop *loop)
{
  int count = 0;
  int64_t apart = 0;

  for (struct reference *r = loop->references; r; r = r->next)
    if (block_of (r->type) > 0)
      open_window (loop, r);
  for (struct window *w = loop->windows; w; w = w->next)
    count++;
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->window && find_apart (&r->window->first->at, &r->at, &apart))
      r->in_window = apart;
  return count <= MOST_WINDOWS;
}

void
try_windows (struct loop *loop)
{
  const struct loop plain = *loop;

  if (!is_candidate (loop))
    return;
  loop->is_windowed = true;
  loop->references = NULL;
  loop->reference_count = 0;
  find_references (loop);
  find_independence (loop);
  if (!loop->is_independent || !suit (loop) || is_short (loop)
      || any_in_stmt (loop->stmt->then, note_use, loop) || !open_windows (loop))
    *loop = plain;
  else
    keep_in_order (loop, &plain);
}
