/* Accesses that have constant strides in a strip. */

#include "tools/upc2c/plan/internal.h"

struct reference *
strided_reference (struct expr *l, struct loop *loop)
{
  struct access_plan *p = l->plan;
  struct reference *r = p ? p->reference : NULL;

  if (!p || p->address != ADDRESS_REFERENCE || p->loop != loop || r->stride_kind != STRIDE_IN_BLOCK
      || (r->is_own && !loop->is_by_one))
    return NULL;
  return r;
}

struct expr *
name_pointed_by (struct expr *lvalue, struct loop *loop)
{
  struct expr *p = lvalue->kind == EXPR_DEREF ? strip_parens (lvalue->a) : NULL;

  if (p && p->kind == EXPR_STEP)
    {
      struct expr *name = strip_parens (p->a);
      const struct access_plan *plan = name->kind == EXPR_NAME ? name->plan : NULL;

      return plan && plan->address == ADDRESS_REFERENCE && plan->loop == loop
                     && plan->reference->walk == p
                 ? name
                 : NULL;
    }
  return p && p->kind == EXPR_NAME ? p : NULL;
}
