/* Checks of a loop's certain accesses, once for a strip (plan/certain.c). */

#include "tools/upc2c/write/internal.h"

/* How much the induction variable changes from one iteration of a strip to the next, FACTOR times. */
static const char *
step_of (struct loop *loop, int64_t factor)
{
  const char *stride = loop->is_consecutive
                           ? ""
                           : arena_format (" * (long) __upc_set%d.__stride", loop->number);

  if (loop->is_down)
    factor = -factor;
  return loop->step ? arena_format ("%ld * __upc_step%d%s", (long) factor, loop->number, stride)
                    : arena_format ("%ld%s", (long) (factor * loop->step_value), stride);
}

/* `(long) INDEX, STEP`: of L, an element of an array. */
static void
put_index_and_step (struct expr *l, struct loop *loop)
{
  struct affine f;

  find_affine (index_of (l), loop, &f);
  put ("(long) ");
  put_early (index_of (l));
  putf (", %s, ", step_of (loop, induction_factor (&f, loop)));
}

/* Calls PUT_ONE for each index of LOOP's certain accesses that may be out of bounds. */
static void
for_each_index (struct loop *loop, void (*put_one) (struct expr *l, struct loop *loop))
{
  for (struct certain *c = loop->certain; c; c = c->next)
    for (struct expr *l = c->l; l->kind == EXPR_INDEX && array_of_element (l);
         l = array_of_element (l))
      if (!is_within_bounds (l))
        put_one (l, loop);
}

static void
put_bounds (struct expr *l, struct loop *loop)
{
  putf ("__upc_strip_bounds (&__upc_left%d, ", loop->number);
  put_index_and_step (l, loop);
  put_array_and_place (l);
  put ("; ");
}

void
put_strip_bounds (struct loop *loop)
{
  for_each_index (loop, put_bounds);
}

static void
put_test (struct expr *l, struct loop *loop)
{
  put (" && __upc_stays_in_bounds (");
  put_index_and_step (l, loop);
  putf ("__upc_end%d - 1 - __upc_set%d.__at, ", loop->number, loop->number);
  put_extent (array_of_element (l));
  put (")");
}

void
put_bounds_test (struct loop *loop)
{
  for_each_index (loop, put_test);
}

/* The element that ADDRESS is of, as it is written; NULL: of none. */
static struct expr *
addressed_element (struct expr *address)
{
  address = strip_parens (address);
  while (address->kind == EXPR_CONVERT || address->kind == EXPR_CAST)
    address = strip_parens (address->a);
  return address->kind == EXPR_ADDRESS || address->kind == EXPR_DECAY ? element_of (address->a)
                                                                      : NULL;
}

/* Checks of the indexes in ADDRESS. Elsewhere they count as checked, as the address may be computed for iterations that
   there are not. */
static const char *
address_checks (struct expr *address)
{
  struct buffering *c = begin_buffering ();
  struct expr *l = addressed_element (address);

  for (; l && l->kind == EXPR_INDEX && array_of_element (l); l = element_of (array_of_element (l)))
    {
      l->is_checked = false;
      if (may_repeat (index_of (l)))
        {
          put ("(void) ");
          put_index_of (l, INDEX_OF_ADDRESS);
          put ("; ");
        }
      l->is_checked = true;
    }
  return end_buffering (c);
}

void
put_affinity_checks (struct loop *loop)
{
  const char *checks = is_checked_code (loop->stmt->first) ? address_checks (loop->stmt->affinity)
                                                           : "";

  if (!*checks || loop->counter || is_by_pointer (loop))
    return;
  putf ("if (__upc_end%d > 0) { %s", loop->number, checks);
  putf ("%s; %s", induction_at (loop, arena_format ("__upc_end%d - 1", loop->number)), checks);
  putf ("%s; } ", induction_at (loop, "0"));
}

void
put_fixed_checks (struct loop *loop)
{
  for (struct certain *c = loop->certain; c; c = c->next)
    if (c->fixed)
      put_fixed_check (c->fixed, c->l);
}

void
put_strip_lookups (struct loop *loop)
{
  bool is_first = true;

  put_fixed_checks (loop);
  for (struct certain *c = loop->certain; c; c = c->next)
    if (c->reference)
      {
        struct reference *r = c->reference;

        /* The addresses are those of the strip's first iteration. */
        if (is_first)
          putf ("__upc_n%d = 0; ", loop->number);
        is_first = false;
        if (r->stride_kind == BLOCK_STRIDE)
          putf ("__upc_blocks_checked (__upc_at%d_%d, %ld, %lu", loop->number, r->number,
                (long) (r->stride / block_of (r->type)),
                (unsigned long) block_of (r->type) * element_bytes (r));
        else
          putf ("__upc_strip_checked (%s, %ld", address_of (loop, r),
                (long) r->stride * (long) element_bytes (r));
        putf (", __upc_left%d, %luul", loop->number, (unsigned long) type_size (r->type).value);
        put_access_and_place (c->access);
        put ("; ");
      }
}
