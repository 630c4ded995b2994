/* Conditions under which scattered accesses are fast: that a table of blocks exists, that the number of
   threads is a power of 2, or that a pointer leads to the first element of a block of thread 0, as those
   from upc_all_alloc do. To test them in each iteration takes a tenth of the loop's time, and gcc -O2 does
   not move such a test out of the loop. So the loop is written twice, and the program chooses once.

   The same applies to loops that move by whole blocks, such as down the columns of a matrix whose rows are
   blocks. There a load from the table replaces a comparison with THREADS, which depends on the previous
   one. */

#include "tools/upc2c/plan/internal.h"

static bool
may_be_twice (struct loop *loop)
{
  return may_have_two_forms (loop) && may_be_repeated (loop);
}

static struct sure *
add_sure (struct loop *loop, struct sure sure)
{
  struct sure *s = NEW (struct sure);

  sure.number = ++loop->sure_count;
  sure.next = loop->sure;
  *s = sure;
  loop->sure = s;
  return s;
}

static void
need_table (struct loop *loop, struct tabled *t)
{
  struct sure *s = loop->sure;

  while (s && s->tabled != t)
    s = s->next;
  if (!s)
    add_sure (loop, (struct sure){ .tabled = t });
}

/* The one of ROOT, a pointer, by which L is found. */
static struct sure *
need_start (struct loop *loop, struct expr *root, struct expr *l)
{
  struct sure *s = loop->sure;

  while (s && !(s->pointer && s->pointer->decl == root->decl))
    s = s->next;
  return s ? s : add_sure (loop, (struct sure){ .pointer = root, .l = l });
}

static bool
is_power (uint32_t n)
{
  return (n & (n - 1)) == 0;
}

/* The name of the pointer by which L is found, if it is the same in all iterations. */
static struct expr *
fixed_pointer (struct expr *l, struct loop *around)
{
  struct expr *root = root_of (l).object ? NULL : root_name (l);

  return root && is_outer_name (root, around) && is_loop_invariant (root, around) ? root : NULL;
}

void
find_sure (struct expr *l, struct loop *around)
{
  struct tabled *t = l->plan->tabled;
  struct expr *pointer;

  /* Rows are found before tables are asked. */
  if (block_of (l->type) == 0 || (root_of (l).object && enclosing_row (l))
      || !may_be_twice (around))
    return;
  pointer = fixed_pointer (l, around);
  if (!t && switches.threads && !(pointer && is_power (switches.threads)))
    return;
  l->plan->sure = around;
  if (pointer)
    l->plan->start = need_start (around, pointer, l);
  if (t)
    need_table (around, t);
  else if (!switches.threads)
    around->is_sure_by_power = true;
}

/* The iterations are counted where R is found by a pointer, which is no induction variable (reference.c), since the table may
   end before them. */
static bool
may_be_looked_up (const struct reference *r, struct loop *loop)
{
  return r->stride_kind == BLOCK_STRIDE && (!is_pointer (r) || is_counted (loop));
}

void
find_sure_strides (struct loop *loop)
{
  if (loop->form != LOOP_STRIPS || !may_be_twice (loop))
    return;
  for (struct reference *r = loop->references; r; r = r->next)
    if (may_be_looked_up (r, loop) && (r->tabled = find_tabled (r->l, loop)))
      {
        need_table (loop, r->tabled);
        if (is_pointer (r))
          r->start = need_start (loop, r->root, r->l);
      }
}
