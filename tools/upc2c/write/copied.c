/* Private copies of shared arrays (plan/copied.c, include/upct/copied.h):

       __upc_copy __upc_copy1_1 = …; __upc_copied __upc_copied1_1 = __upc_copied_begin (x);
       for (…)
         if (__upc_is_copied (&__upc_copied1_1, …, x, …))
           for (…) sum += *(double *) (__upc_copied1_1.__at + column[k] * 8);
         else
           for (…) sum += *(double *) __upc_element_address (x, column[k], …);

   The copy is dropped when the outer loop ends. */

#include "tools/upc2c/write/internal.h"

static bool
is_by_name (const struct copied *c)
{
  return type_is_shared (c->root->type);
}

static void
put_start (struct copied *c)
{
  put (is_by_name (c) ? "__upc_object_address (" : "__upc_address (");
  if (is_by_name (c))
    put_object (c->root);
  else
    gen_argument (c->root);
  put (")");
}

static int
count_stores (const struct copied *c)
{
  int count = 0;

  for (struct stored *s = c->stores; s; s = s->next)
    count++;
  return count;
}

/* Behind all declarations, as C90 wants it. */
static void
put_stored_pointers (struct copied *c)
{
  int n = count_stores (c);

  for (struct stored *s = c->stores; s; s = s->next)
    {
      putf ("__upc_stored%d_%d[%d] = ", c->loop->number, c->number, --n);
      gen_argument (s->root);
      put ("; ");
    }
}

static void
put_copies (struct loop *loop)
{
  for (struct copied *c = loop->copied; c; c = c->next)
    {
      int n = loop->number, m = c->number;

      if (c->stores)
        putf ("__upc_pts __upc_stored%d_%d[%d]; ", n, m, count_stores (c));
      putf ("__upc_copy __upc_copy%d_%d __attribute__ ((__cleanup__ (__upc_drop_copy))) = "
            "__upc_no_copy (); __upc_copied __upc_copied%d_%d = __upc_copied_begin (",
            n, m, n, m);
      put_start (c);
      put ("); ");
    }
  for (struct copied *c = loop->copied; c; c = c->next)
    put_stored_pointers (c);
}

static void
put_stores (struct copied *c)
{
  unsigned forward = 0;

  for (struct stored *s = c->stores; s; s = s->next)
    forward = forward << 1 | s->is_forward;
  if (c->stores)
    putf ("__upc_stores_by (__upc_stored%d_%d, %d, %u), ", c->loop->number, c->number,
          count_stores (c), forward);
  else
    put ("__upc_stores_by (0, 0, 0), ");
}

static void
put_elements (const struct type *array)
{
  struct size count = ultimate_count (array);

  putf (", %luul%s", (unsigned long) count.value,
        count.times_threads ? " * (unsigned long) __upc_threads" : "");
}

/* The iterations of LOOP, as far as that is known before it. */
static void
put_known_reads (struct loop *loop)
{
  if (!is_counted (loop))
    {
      put ("0");
      return;
    }
  put ("(");
  put_count (loop);
  put (is_forall (loop) ? ") / (unsigned long) __upc_threads" : ")");
}

/* And behind it. */
static void
put_late_reads (struct loop *loop)
{
  const char *now, *start = arena_format ("__upc_start%d", loop->number);

  if (is_counted (loop))
    return;
  now = arena_format ("(unsigned long) %s", c_name (loop->induction));
  for (struct copied_read *r = loop->reads; r; r = r->next)
    putf ("__upc_count_reads (&__upc_copied%d_%d, (%s - %s) / %luul); ", r->copied->loop->number,
          r->copied->number, loop->is_down ? start : now, loop->is_down ? now : start,
          (unsigned long) loop->step_value);
}

/* Whether C is made, or is now, for LOOP. */
static void
put_is_copied (struct copied *c, struct loop *loop)
{
  int n = c->loop->number, m = c->number;

  putf ("__upc_is_copied (&__upc_copied%d_%d, &__upc_copy%d_%d, ", n, m, n, m);
  put_stores (c);
  if (is_by_name (c))
    {
      put ("__upc_object (");
      put_object (c->root);
      put (")");
    }
  else
    gen_argument (c->root);
  put (", ");
  put_known_reads (loop);
  if (is_by_name (c))
    put_elements (c->root->type);
  else
    put (", 0");
  put_layout (c->l->type);
}

static void
set_made (struct loop *loop, bool is_made)
{
  for (struct copied_read *r = loop->reads; r; r = r->next)
    r->copied->is_made = is_made;
}

static void
gen_in_two_forms (struct loop *loop, void (*gen_form) (struct loop *loop))
{
  put ("if (");
  for (struct copied_read *r = loop->reads; r; r = r->next)
    {
      put_is_copied (r->copied, loop);
      if (r->next)
        put (" & ");
    }
  put (") { ");
  set_made (loop, true);
  gen_form (loop);
  put (" } else { ");
  set_made (loop, false);
  if (loop->is_by_copies)
    {
      gen_other_order (loop);
      put ("} ");
      return;
    }
  if (!is_counted (loop))
    putf ("const unsigned long __upc_start%d = (unsigned long) %s; ", loop->number,
          c_name (loop->induction));
  gen_where_sure (loop, gen_form);
  put (" ");
  put_late_reads (loop);
  put ("} ");
}

void
gen_with_copies (struct loop *loop, void (*gen_form) (struct loop *loop))
{
  bool has_variables = loop->copied || loop->tabled || loop->recents || loop->bounded;

  if (has_variables)
    put (" { ");
  put_tables (loop);
  put_recents (loop);
  put_bounded (loop);
  put_copies (loop);
  if (loop->reads)
    gen_in_two_forms (loop, gen_form);
  else
    gen_where_sure (loop, gen_form);
  if (has_variables)
    put ("} ");
}

const char *
name_of_copied (const struct copied *c)
{
  return arena_format ("__upc_copied%d_%d", c->loop->number, c->number);
}

bool
put_copied_address (struct expr *l)
{
  struct copied *c = l->plan ? l->plan->copied : NULL;

  if (!c || !c->is_made)
    return false;
  putf ("__upc_copied_address (%s, ", name_of_copied (c));
  put_distance (l, INDEX_OF_ACCESS);
  put_layout (l->type);
  return true;
}
