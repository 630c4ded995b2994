/* Addresses that loops around an access have. */

#include "tools/upc2c/plan/internal.h"

static struct access_plan *
new_plan (enum address_kind address, struct loop *loop)
{
  struct access_plan *p = NEW (struct access_plan);

  *p = (struct access_plan){ .address = address, .loop = loop };
  return p;
}

/* The innermost loop whose C has the address of L, an element or a row. */
static struct access_plan *
find_reference (struct expr *l, struct loop *innermost)
{
  for (struct loop *loop = innermost; loop; loop = loop->outer)
    {
      struct reference *r = reference_to (loop, l);

      if (r && (r->stride_kind != RECOMPUTE || loop->is_in_body))
        {
          struct access_plan *p = new_plan (ADDRESS_REFERENCE, loop);

          p->reference = r;
          return p;
        }
    }
  return NULL;
}

struct access_plan *
find_known_row (struct expr *l, struct loop *innermost)
{
  for (l = enclosing_row (l); l; l = enclosing_row (l))
    {
      struct access_plan *p = find_reference (l, innermost);

      if (p)
        {
          p->address = ADDRESS_IN_ROW;
          p->row = l;
          p->count = ultimate_count (l->type).value;
          return p;
        }
    }
  return NULL;
}

static struct access_plan *
find_owned (struct expr *l, struct loop *innermost)
{
  for (struct loop *loop = innermost; loop; loop = loop->outer)
    {
      int64_t apart;

      if (loop->form == LOOP_OWNED && is_own_element (l, loop, &apart)
          && (apart == 0 || loop->is_by_one))
        {
          struct access_plan *p = new_plan (ADDRESS_OWNED, loop);

          p->apart = apart;
          return p;
        }
    }
  return NULL;
}

static struct access_plan *
find_pointed (struct expr *pointer, struct loop *innermost)
{
  for (struct loop *loop = innermost; loop; loop = loop->outer)
    if ((loop->form == LOOP_BLOCKS || loop->form == LOOP_OWNED_POINTERS)
        && is_induction (pointer, loop))
      return new_plan (ADDRESS_POINTED, loop);
  return NULL;
}

struct access_plan *
find_known (struct expr *l, struct loop *innermost)
{
  struct access_plan *p;

  if (l->kind == EXPR_NAME)
    p = find_pointed (l, innermost);
  else if (!(p = find_reference (l, innermost)) && !(p = find_known_row (l, innermost)))
    p = find_owned (l, innermost);
  return p ? p : new_plan (ADDRESS_COMPUTED, NULL);
}
