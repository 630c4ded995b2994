/* Reductions: sums and extremes, whose result does not depend on the order of iterations. That holds for
   integers, modulo 2^N, but not for floating-point numbers. A loop over small blocks that only adds
   elements up, or only looks for the largest, can therefore run by residues (residue.c) or pieces
   (pieces.c), in one thread's memory after another. The writer adds as unsigned integers do, since partial
   sums in another order may overflow where the program's do not (write/store.c). */

#include "tools/upc2c/plan/internal.h"

static bool
has_free_order (const struct expr *e)
{
  if (e->kind == EXPR_STEP)
    return true;
  return e->kind == EXPR_COMPOUND
         && (e->op == '+' || e->op == '-' || e->op == '&' || e->op == '|' || e->op == '^');
}

/* Whether the body of LOOP has the name of D so often. The header of a loop with a known number of iterations has it
   nowhere. */
static bool
is_used (const struct decl *d, struct loop *loop, int count)
{
  return uses_in (loop->stmt->then, d).names == count;
}

/* Narrower ones are rare as sums. */
static bool
is_plain_integer (const struct type *type)
{
  return type->kind >= TYPE_INT && type->kind <= TYPE_UINT128
         && !(quals_of (type) & (QUAL_VOLATILE | QUAL_ATOMIC));
}

/* Whether the strips of LOOP gain from another order. */
static bool
may_be_reordered (const struct loop *loop)
{
  return loop->residues == 1 || loop->is_by_pieces;
}

/* Whether E is the name of a variable that nothing but the COUNT names in the body of LOOP can reach. */
static bool
is_result (struct expr *e, struct loop *loop, int count)
{
  return e->kind == EXPR_NAME && is_variable (e->decl) && is_outer_name (e, loop)
         && !e->decl->has_static_duration && !e->decl->has_address_taken
         && is_plain_integer (e->type) && is_used (e->decl, loop, count);
}

/* Whether A and B are written alike and have one value, as nothing is stored between them. */
static bool
are_alike (struct expr *a, struct expr *b)
{
  a = strip_parens (a);
  b = strip_parens (b);
  if (a->kind != b->kind)
    return false;
  switch (a->kind)
    {
    case EXPR_LOAD:
    case EXPR_DECAY:
      return are_alike (a->a, b->a);
    case EXPR_INDEX:
      return are_alike (pointer_of (a), pointer_of (b)) && are_alike (index_of (a), index_of (b));
    case EXPR_UNARY:
      return a->op == b->op && are_alike (a->a, b->a);
    case EXPR_BINARY:
      return a->op == b->op && are_alike (a->a, b->a) && are_alike (a->b, b->b);
    default:
      return are_same_expr (a, b);
    }
}

/* Whether A and B are NAME and X, in any order. */
static bool
are_both (struct expr *a, struct expr *b, struct expr *name, struct expr *x)
{
  return (is_name_of (strip_parens (a), name->decl) && are_alike (b, x))
         || (is_name_of (strip_parens (b), name->decl) && are_alike (a, x));
}

/* Whether E says which of NAME and X, which has the same type when it is compared, is the larger one. */
static bool
compares (struct expr *e, struct expr *name, struct expr *x)
{
  e = strip_parens (e);
  return e->kind == EXPR_BINARY
         && (e->op == '<' || e->op == '>' || e->op == TOKEN_LESS_EQUAL
             || e->op == TOKEN_GREATER_EQUAL)
         && type_is_integer (x->type)
         && promoted (unqualified (x->type))->kind == unqualified (name->type)->kind
         && are_both (e->a, e->b, name, x);
}

/* The value of E, `m = x > m ? x : m` or the like, beside m; or NULL. */
static struct expr *
value_of_choice (struct expr *e)
{
  struct expr *name = strip_parens (e->a), *choice = strip_parens (e->b), *x;

  if (choice->kind != EXPR_CONDITION || !choice->b)
    return NULL;
  x = strip_parens (is_name_of (strip_parens (choice->b), name->decl) ? choice->c : choice->b);
  return are_both (choice->b, choice->c, name, x) && compares (choice->a, name, x) ? x : NULL;
}

struct expr *
reduction_of (struct expr *e, struct loop *loop)
{
  struct expr *name;

  e = strip_parens (e);
  if (!may_be_reordered (loop))
    return NULL;
  name = e->a ? strip_parens (e->a) : NULL;
  if (e->kind == EXPR_ASSIGN)
    return is_result (name, loop, 3) && value_of_choice (e) ? e : NULL;
  return has_free_order (e) && is_result (name, loop, 1) && (!e->b || type_is_integer (e->b->type))
             ? e
             : NULL;
}

struct expr *
reduced_by (struct expr *reduction)
{
  struct expr *choice = reduction->kind == EXPR_ASSIGN ? value_of_choice (reduction) : NULL;

  return choice ? choice : reduction->b;
}

struct expr *
extreme_of (struct stmt *s, struct loop *loop)
{
  struct stmt *then = s->then;
  struct expr *e, *name;

  while (then->kind == STMT_BLOCK && then->items && !then->items->next)
    then = then->items;
  e = then->kind == STMT_EXPR && then->expr ? strip_parens (then->expr) : NULL;
  if (s->otherwise || !e || e->kind != EXPR_ASSIGN || !may_be_reordered (loop))
    return NULL;
  name = strip_parens (e->a);
  return is_result (name, loop, 2) && compares (s->expr, name, strip_parens (e->b)) ? e : NULL;
}
