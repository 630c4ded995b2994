/* Linear forms of a loop's induction variable. They are stricter than the affine expressions
   of affine.c: they are evaluated before the loop, where the program might not evaluate them.
   So there is no division by what may be 0, and no name that the body declares. */

#include "tools/upc2c/lower/internal.h"

/* Larger numbers are not followed, so that products of two do not overflow. */
enum
{
  MOST_BITS = 30
};

static bool
is_short_unsigned (const struct type *type)
{
  return type_is_unsigned (type) && type_size (type).value <= 4;
}

static bool
is_small (int64_t n)
{
  return n > -(1l << MOST_BITS) && n < 1l << MOST_BITS;
}

uint64_t
common_divisor (uint64_t a, uint64_t b)
{
  while (b)
    {
      uint64_t rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

/* Some value that is fixed, of which no more is known. */
static bool
set_opaque (struct linear *form)
{
  *form = (struct linear){ .divisor = 1 };
  return true;
}

static bool
find_product (const struct linear *a, const struct linear *b, struct linear *form)
{
  const struct linear *constant = b->factor == 0 && b->divisor == 0 ? b : a;
  const struct linear *other = constant == b ? a : b;

  if (constant->factor != 0 || constant->divisor != 0)
    return a->factor == 0 && b->factor == 0 && set_opaque (form);
  *form = (struct linear){
    other->factor * constant->constant, other->constant * constant->constant,
    other->divisor * (uint64_t) (constant->constant < 0 ? -constant->constant : constant->constant)
  };
  return true;
}

/* Whether E, of operands that are known, may be evaluated whatever they are. */
static bool
is_harmless (const struct expr *e)
{
  const struct expr *b = strip_parens (e->b);

  switch (e->op)
    {
    case '+':
    case '-':
    case '*':
    case '&':
    case '|':
    case '^':
      return true;
    case '/':
    case '%':
      return b->is_constant && b->value > 0;
    case TOKEN_SHIFT_LEFT:
    case TOKEN_SHIFT_RIGHT:
      return b->is_constant && b->value >= 0 && b->value < 32;
    default:
      return false;
    }
}

static struct linear
sum_of (const struct expr *e, const struct linear *a, const struct linear *b)
{
  int sign = e->op == '-' ? -1 : 1;

  return (struct linear){ a->factor + sign * b->factor, a->constant + sign * b->constant,
                          common_divisor (a->divisor, b->divisor) };
}

static bool
find_binary (struct expr *e, struct iteration_set *s, struct linear *form)
{
  struct linear a, b;

  if (!is_harmless (e) || !find_linear (e->a, s, &a) || !find_linear (e->b, s, &b))
    return false;
  if (!is_short_unsigned (e->type))
    switch (e->op)
      {
      case '+':
      case '-':
        *form = sum_of (e, &a, &b);
        return true;
      case TOKEN_SHIFT_LEFT:
        b.constant = 1l << b.constant;
        return find_product (&a, &b, form);
      case '*':
        return find_product (&a, &b, form);
      }
  return a.factor == 0 && b.factor == 0 && set_opaque (form);
}

bool
is_outer_name (const struct expr *e, const struct iteration_set *s)
{
  return e->decl && is_variable (e->decl) && e->decl->name_token != NO_TOKEN
         && e->decl->name_token < s->loop->then->first;
}

/* A conversion that keeps each value, or that adds 2^64 to it, which no address sees. */
static bool
keeps_values (const struct type *from, const struct type *to)
{
  if (type_size (from).value == type_size (to).value)
    return type_is_unsigned (from) == type_is_unsigned (to) || type_size (to).value == 8;
  return type_size (from).value < type_size (to).value
         && (type_is_unsigned (from) || !is_short_unsigned (to));
}

static bool
find_cast (struct expr *e, struct iteration_set *s, struct linear *form)
{
  const struct type *from = strip_parens (e->a)->type;

  if (!type_is_integer (from) || e->type->kind == TYPE_BOOL || !find_linear (e->a, s, form))
    return false;
  return keeps_values (from, e->type) || (form->factor == 0 && set_opaque (form));
}

static bool
find_unchecked (struct expr *e, struct iteration_set *s, struct linear *form)
{
  if (e->is_constant)
    {
      *form = (struct linear){ .constant = e->value };
      return true;
    }
  switch (e->kind)
    {
    case EXPR_NAME:
      if (!is_induction (e, s))
        return is_outer_name (e, s) && is_loop_invariant (e, s) && set_opaque (form);
      *form = (struct linear){ .factor = 1 };
      return true;
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return set_opaque (form);
    case EXPR_CAST:
      return find_cast (e, s, form);
    case EXPR_UNARY:
      if ((e->op != '-' && e->op != '+') || !find_linear (e->a, s, form))
        return false;
      if (is_short_unsigned (e->type))
        return form->factor == 0 && set_opaque (form);
      if (e->op == '-')
        *form = (struct linear){ -form->factor, -form->constant, form->divisor };
      return true;
    case EXPR_BINARY:
      return find_binary (e, s, form);
    default:
      return false;
    }
}

bool
find_linear (struct expr *e, struct iteration_set *s, struct linear *form)
{
  e = strip_parens (e);
  return type_is_integer (e->type) && type_size (e->type).value <= 8 && find_unchecked (e, s, form)
         && is_small (form->factor) && is_small (form->constant) && is_small (form->divisor);
}

bool
find_wrapping (struct expr *e, struct iteration_set *s, struct linear *form)
{
  struct linear a, b;

  e = strip_parens (e);
  if (!is_short_unsigned (e->type) || e->kind != EXPR_BINARY || e->is_constant
      || (e->op != '+' && e->op != '-') || !find_linear (e->a, s, &a) || !find_linear (e->b, s, &b))
    return false;
  *form = sum_of (e, &a, &b);
  return form->factor == 1 || form->factor == -1;
}
