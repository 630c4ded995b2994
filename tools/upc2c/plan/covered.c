/* Accesses under conditions to what every iteration accesses, too, as in `if (a[i] > 5) a[i] += 1`. The check that a loop has
   once for the certain access (certain.c) does for these. */

#include "tools/upc2c/plan/internal.h"

/* Whether A and B, elements of declared arrays, are one: all their indexes are the same in each iteration of LOOP. */
static bool
are_one_element (struct expr *a, struct expr *b, struct loop *loop)
{
  struct affine of_a, of_b;
  int64_t apart;

  for (; a->kind == EXPR_INDEX && array_of_element (a); a = array_of_element (a))
    {
      if (b->kind != EXPR_INDEX || !array_of_element (b) || !find_affine (index_of (a), loop, &of_a)
          || !find_affine (index_of (b), loop, &of_b) || !find_apart (&of_a, &of_b, &apart)
          || apart != 0)
        return false;
      b = array_of_element (b);
    }
  return a->kind == EXPR_NAME && b->kind == EXPR_NAME && a->decl == b->decl;
}

static bool
is_covered_by (const struct certain *c, struct expr *l, struct loop *loop)
{
  if (c->reference)
    return l->plan && l->plan->address == ADDRESS_REFERENCE && l->plan->reference == c->reference;
  return are_one_element (l, c->l, loop);
}

/* What E accesses as a whole: an element, or where a pointer leads, by its name; or NULL. Of a declared array it may be a
   part, as only indexes are checked. */
static struct expr *
accessed_whole (struct expr *e)
{
  struct expr *lvalue = strip_parens (e->a), *element = accessed_element (e);

  if (!element || (element->kind == EXPR_NAME && lvalue->kind == EXPR_DEREF))
    return element;
  return element->kind == EXPR_INDEX && (element == lvalue || root_of (element).object) ? element
                                                                                        : NULL;
}

static bool
note_covered (struct expr *e, void *data)
{
  struct loop *loop = data;
  struct expr *l = e->kind == EXPR_LOAD || is_store (e) ? accessed_whole (e) : NULL;

  for (struct certain *c = loop->certain; l && !l->is_checked && c; c = c->next)
    if (is_covered_by (c, l, loop))
      mark_checked (l);
  return false;
}

void
find_covered (struct loop *loop)
{
  if (loop->certain)
    any_in_stmt (loop->stmt->then, note_covered, loop);
}
