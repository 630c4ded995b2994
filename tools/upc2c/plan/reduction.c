/* Reductions: sums and the like, which come to the same value in any order of iterations. So do those of integers, modulo
   2^N; not those of floating-point numbers. A loop over blocks of one element that does no more than add them up then goes
   by residues (residue.c), in one thread's memory after another's. The writer adds as unsigned integers do, since
   partial sums of another order may overflow where the program's do not (write/store.c). */

#include "tools/upc2c/plan/internal.h"

static bool
has_free_order (const struct expr *e)
{
  if (e->kind == EXPR_STEP)
    return true;
  return e->kind == EXPR_COMPOUND
         && (e->op == '+' || e->op == '-' || e->op == '&' || e->op == '|' || e->op == '^');
}

struct uses
{
  const struct decl *decl;
  int count;
};

static bool
count_use (struct expr *e, void *data)
{
  struct uses *uses = data;

  uses->count += e->kind == EXPR_NAME && e->decl == uses->decl;
  return false;
}

/* Whether the body of LOOP has the name of D once. The header of a loop with a known number of iterations has it
   nowhere. */
static bool
is_used_once (const struct decl *d, struct loop *loop)
{
  struct uses uses = { .decl = d };

  any_in_stmt (loop->stmt->then, count_use, &uses);
  return uses.count == 1;
}

/* Narrower ones are rare as sums. */
static bool
is_plain_integer (const struct type *type)
{
  return type->kind >= TYPE_INT && type->kind <= TYPE_UINT128
         && !(quals_of (type) & (QUAL_VOLATILE | QUAL_ATOMIC));
}

struct expr *
reduction_of (struct expr *e, struct loop *loop)
{
  struct expr *name;

  e = strip_parens (e);
  if (loop->residues != 1 || loop->is_by_pieces || is_forall (loop) || !has_free_order (e))
    return NULL;
  name = strip_parens (e->a);
  return name->kind == EXPR_NAME && is_variable (name->decl) && is_outer_name (name, loop)
                 && !name->decl->has_static_duration && !name->decl->has_address_taken
                 && is_plain_integer (name->type) && (!e->b || type_is_integer (e->b->type))
                 && is_used_once (name->decl, loop)
             ? e
             : NULL;
}
