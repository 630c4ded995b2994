/* Addresses that loops around an access have already computed. */

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
      struct reference *r = reference_to (loop, pointed_element (l, loop));

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
find_known_invariant (struct expr *l, struct loop *innermost)
{
  struct access_plan *p;
  struct loop *loop;
  struct reference *r = find_invariant (l, innermost, &loop);

  if (!r)
    return NULL;
  p = new_plan (ADDRESS_INVARIANT, loop);
  p->reference = r;
  return p;
}

struct access_plan *
find_known (struct expr *l, struct loop *innermost)
{
  struct access_plan *p = find_reference (l, innermost);

  if (!p)
    p = find_known_row (l, innermost);
  if (!p)
    p = find_known_invariant (l, innermost);
  return p ? p : new_plan (ADDRESS_COMPUTED, NULL);
}
