/* Affine expressions of a loop's induction variable: 2 * i + c, i * THREADS + k, -i, … */

#include "tools/upc2c/lower/internal.h"

/* Values of such types wrap around at 2^32, which no longer is affine. */
static bool
is_short_unsigned (const struct type *type)
{
  return type_is_unsigned (type) && type_size (type).value <= 4;
}

static int64_t
times (int64_t factor, struct expr *e)
{
  e = strip_parens (e);
  if (factor == UNKNOWN_FACTOR || !e->is_constant || e->value > INT32_MAX || e->value < -INT32_MAX
      || factor > INT32_MAX || factor < -INT32_MAX)
    return UNKNOWN_FACTOR;
  return factor * e->value;
}

int64_t
plus_factor (int64_t a, int64_t b)
{
  return a == UNKNOWN_FACTOR || b == UNKNOWN_FACTOR ? UNKNOWN_FACTOR : a + b;
}

int64_t
minus_factor (int64_t a)
{
  return a == UNKNOWN_FACTOR ? a : -a;
}

static bool
is_affine_binary (struct expr *e, struct iteration_set *s, int64_t *factor)
{
  int64_t a, b;
  struct expr *invariant;

  if (!is_affine (e->a, s, &a) || !is_affine (e->b, s, &b))
    return false;
  switch (e->op)
    {
    case '+':
      *factor = plus_factor (a, b);
      return !is_short_unsigned (e->type)
             || !((strip_parens (e->a)->is_constant && strip_parens (e->a)->value > INT32_MAX)
                  || (strip_parens (e->b)->is_constant && strip_parens (e->b)->value > INT32_MAX));
    case '-':
      *factor = plus_factor (a, minus_factor (b));
      return !is_short_unsigned (e->type);
    case '*':
      if (a != 0 && b != 0)
        return false;
      invariant = a == 0 ? e->a : e->b;
      *factor = times (a == 0 ? b : a, invariant);
      /* Large factors are those of hash functions, which wrap around on purpose. */
      return !is_short_unsigned (e->type)
             && !(strip_parens (invariant)->is_constant && *factor == UNKNOWN_FACTOR);
    default:
      return false;
    }
}

bool
is_induction (struct expr *e, struct iteration_set *s)
{
  return is_name_of (strip_parens (e), s->induction);
}

bool
is_affine (struct expr *e, struct iteration_set *s, int64_t *factor)
{
  *factor = 0;
  e = strip_parens (e);
  if (!type_is_integer (e->type))
    return false;
  if (is_loop_invariant (e, s))
    return true;
  switch (e->kind)
    {
    case EXPR_NAME:
      *factor = 1;
      return is_induction (e, s);
    case EXPR_CAST:
      if (is_short_unsigned (e->type) && !is_induction (e->a, s))
        return false;
      return type_size (e->type).value >= type_size (s->induction->type).value
             && is_affine (e->a, s, factor);
    case EXPR_UNARY:
      if (e->op == '-' && !is_short_unsigned (e->type) && is_affine (e->a, s, factor))
        {
          *factor = minus_factor (*factor);
          return true;
        }
      return e->op == '+' && is_affine (e->a, s, factor);
    case EXPR_BINARY:
      return is_affine_binary (e, s, factor);
    default:
      return false;
    }
}
