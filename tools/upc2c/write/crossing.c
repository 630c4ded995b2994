/* Loops in which addresses in the next block follow from those in the last one (plan/crossing.c,
   include/upct/crossing.h):

       n = 0; at1 = …; next1 = …;
       while (n < end)
         {
           left = min (end, next1);
           for (; n < left; i++, n++) s += *(int *) (at1 + n * 4);
           if (n == next1) { next1 += BLOCK; at1 += __upc_jump_up (…); }
         } */

#include "tools/upc2c/write/internal.h"

static uint64_t
step_of (const struct reference *r)
{
  return (uint64_t) (r->stride < 0 ? -r->stride : r->stride);
}

/* Whether R has a variable of its own for that. */
static bool
leads (const struct reference *r)
{
  return r->crosses && !r->crosses_with;
}

void
put_crossing_variables (struct loop *loop)
{
  putf ("unsigned long __upc_jump%d; ", loop->number);
  for (struct reference *r = loop->references; r; r = r->next)
    if (leads (r))
      putf ("unsigned long __upc_next%d_%d = ~0ul >> 1; ", loop->number, r->number);
}

static void
put_crossed_pointer (struct reference *r)
{
  const char *pointer = c_name (r->root->decl);

  if (r->stride < 0)
    {
      put_walk_end (r);
      put_walk_start (r);
      return;
    }
  putf ("%s = __upc_crossed (%s", pointer, pointer);
  put_layout (r->type);
  put ("; ");
}

static void
put_jump (struct loop *loop, struct reference *r)
{
  int n = loop->number, m = r->number;

  putf ("__upc_jump%d = __upc_jump_%s (&__upc_at%d_%d, %lu); ", n, r->stride < 0 ? "down" : "up", n,
        m, (unsigned long) (block_of (r->type) * element_bytes (r)));
}

/* R and what crosses with it, to the same thread or another one. */
static void
put_crossings_with (struct loop *loop, struct reference *leader)
{
  int n = loop->number;

  put_jump (loop, leader);
  for (struct reference *r = loop->references; r; r = r->next)
    if (r == leader || (r->crosses_with == leader && r->is_beside))
      putf ("__upc_at%d_%d.__at += __upc_jump%d; ", n, r->number, n);
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->crosses_with == leader && !r->is_beside)
      {
        put_jump (loop, r);
        putf ("__upc_at%d_%d.__at += __upc_jump%d; ", n, r->number, n);
      }
  if (leader->walk)
    put_crossed_pointer (leader);
}

/* How many iterations R stays in a block. */
static uint64_t
iterations_in_block (struct reference *r)
{
  return block_of (r->type) / step_of (r);
}

static int
count_leaders (struct loop *loop)
{
  int count = 0;

  for (struct reference *r = loop->references; r; r = r->next)
    count += leads (r);
  return count;
}

void
put_strip_to_crossing (struct loop *loop)
{
  int n = loop->number;
  uint64_t most = UINT64_MAX;

  for (struct reference *r = loop->references; r; r = r->next)
    if (leads (r))
      {
        putf ("__upc_strip_limit (&__upc_left%d, __upc_next%d_%d); ", n, n, r->number);
        if (iterations_in_block (r) < most)
          most = iterations_in_block (r);
      }
  if (!loop->copy_to)
    putf ("__upc_strip_is_short (__upc_n%d, __upc_left%d, %lu); ", n, n, (unsigned long) most);
}

void
put_crossings (struct loop *loop)
{
  int n = loop->number;
  bool is_one = count_leaders (loop) == 1;

  if (is_one)
    putf ("if (__upc_n%d == __upc_end%d) break; ", n, n);
  for (struct reference *r = loop->references; r; r = r->next)
    {
      if (!leads (r))
        continue;
      if (!is_one)
        putf ("if (__upc_n%d == __upc_next%d_%d) ", n, n, r->number);
      putf ("{ __upc_next%d_%d += %lu; ", n, r->number, (unsigned long) iterations_in_block (r));
      put_crossings_with (loop, r);
      put ("} ");
    }
}
