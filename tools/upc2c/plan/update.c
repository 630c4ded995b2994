/* Scattered updates: the result of `h[x[i]]++` does not depend on the order of iterations, like that of
   sums (reduction.c). So a loop that does nothing else can run by residues or by pieces, if it reads x
   with constant strides. Two iterations may update one element, so it has no vectors. */

#include "tools/upc2c/plan/internal.h"

/* Whether all orders come to the same, and no value between overflows that does not in the program's order. */
static bool
has_free_order (const struct expr *e)
{
  if (e->kind == EXPR_STEP)
    return true;
  if (e->kind != EXPR_COMPOUND || !type_is_integer (e->b->type))
    return false;
  return e->op == '&' || e->op == '|' || e->op == '^'
         || ((e->op == '+' || e->op == '-')
             && (e->b->is_constant || type_is_unsigned (e->a->type)));
}

struct expr *
update_of (struct expr *e, struct loop *loop)
{
  struct expr *l;

  e = strip_parens (e);
  if (!loop->residues || is_forall (loop) || !has_free_order (e))
    return NULL;
  l = strip_parens (e->a);
  return l->kind == EXPR_INDEX && type_is_shared (l->type) && type_is_integer (l->type)
                 && l->type->kind >= TYPE_INT && !reference_to (loop, l)
             ? e
             : NULL;
}

struct search
{
  struct expr *update, *l;
};

/* Whether E, which is not the update, may access what that does. */
static bool
may_meet (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *l;

  if (e == search->update || (e->kind != EXPR_LOAD && !is_store (e)))
    return false;
  l = strip_parens (e->a);
  return type_is_shared (l->type)
         && may_overlap (root_of_name (element_of (l)), root_of_name (search->l))
         && may_alias (search->l->type, l->type);
}

bool
is_updated_alone (struct expr *update, struct loop *loop)
{
  struct search search = { update, strip_parens (update->a) };

  return !any_in_stmt (loop->stmt->then, may_meet, &search);
}
