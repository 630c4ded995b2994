/* Integer constant expressions. An expression whose operands are constant gets its value when it
   is created. */

#include "tools/upc2c/sema/sema.h"

#include <stdlib.h>

int64_t
wrap (int64_t value, const struct type *type)
{
  switch (type->kind == TYPE_BOOL ? 0 : type_size (type).value)
    {
    case 0:
      return type->kind == TYPE_BOOL ? value != 0 : value;
    case 1:
      return type_is_unsigned (type) ? (int64_t) (uint8_t) value : (int8_t) value;
    case 2:
      return type_is_unsigned (type) ? (int64_t) (uint16_t) value : (int16_t) value;
    case 4:
      return type_is_unsigned (type) ? (int64_t) (uint32_t) value : (int32_t) value;
    default:
      return value;
    }
}

bool
has_undeclared (struct expr *e)
{
  return e
         && ((e->kind == EXPR_UNKNOWN && e->type->kind == TYPE_UNKNOWN) || has_undeclared (e->a)
             || has_undeclared (e->b) || has_undeclared (e->c));
}

bool
mentions_threads (const struct expr *e)
{
  return e
         && (e->kind == EXPR_THREADS
             || (e->kind != EXPR_CALL && e->kind != EXPR_STATEMENT
                 && (mentions_threads (e->a) || mentions_threads (e->b)
                     || mentions_threads (e->c))));
}

bool
constant_value (struct expr *e, int64_t *value, const char *what)
{
  if (e->is_constant)
    {
      *value = e->value;
      return true;
    }
  if (!has_undeclared (e))
    error_at (e->first, "%s is not an integer constant expression%s (UPC 1.3, 6.5.1.1)", what,
              mentions_threads (e) ? " with dynamic THREADS; -fupc-threads-N makes it one" : "");
  return false;
}

static void
set (struct expr *e, int64_t value)
{
  e->is_constant = true;
  e->value = wrap (value, e->type);
}

static void
fold_unary (struct expr *e)
{
  int64_t a = e->a->value;

  if (!e->a->is_constant || !type_is_integer (e->type))
    return;
  switch (e->op)
    {
    case '-':
      set (e, -(uint64_t) a);
      break;
    case '~':
      set (e, ~a);
      break;
    case '!':
      set (e, !a);
      break;
    default:
      set (e, a);
      break;
    }
}

/* Comparisons and divisions ask in which type they are done. */
static bool
fold_by_sign (struct expr *e, int64_t a, int64_t b, bool is_unsigned)
{
  uint64_t x = a, y = b;

  switch (e->op)
    {
    case '<':
      set (e, is_unsigned ? x < y : a < b);
      return true;
    case '>':
      set (e, is_unsigned ? x > y : a > b);
      return true;
    case TOKEN_LESS_EQUAL:
      set (e, is_unsigned ? x <= y : a <= b);
      return true;
    case TOKEN_GREATER_EQUAL:
      set (e, is_unsigned ? x >= y : a >= b);
      return true;
    case '/':
      if (b && !(b == -1 && !is_unsigned))
        set (e, is_unsigned ? (int64_t) (x / y) : a / b);
      else if (b)
        set (e, -x);
      return true;
    case '%':
      if (b && !(b == -1 && !is_unsigned))
        set (e, is_unsigned ? (int64_t) (x % y) : a % b);
      else if (b)
        set (e, 0);
      return true;
    default:
      return false;
    }
}

static void
fold_shift (struct expr *e, int64_t a, int64_t b)
{
  if (b < 0 || b > 63)
    return;
  if (e->op == TOKEN_SHIFT_LEFT)
    set (e, (uint64_t) a << b);
  else
    set (e, type_is_unsigned (e->type) ? (int64_t) ((uint64_t) a >> b) : a >> b);
}

static void
fold_binary (struct expr *e)
{
  struct type *common;
  int64_t a, b;

  if (!e->a->is_constant || !e->b->is_constant || !type_is_integer (e->type))
    return;
  common = common_type (e->a->type, e->b->type);
  if (e->op == TOKEN_SHIFT_LEFT || e->op == TOKEN_SHIFT_RIGHT)
    {
      fold_shift (e, wrap (e->a->value, e->type), e->b->value);
      return;
    }
  a = wrap (e->a->value, common);
  b = wrap (e->b->value, common);
  if (fold_by_sign (e, a, b, type_is_unsigned (common)))
    return;
  switch (e->op)
    {
    case '+':
      set (e, (uint64_t) a + b);
      break;
    case '-':
      set (e, (uint64_t) a - b);
      break;
    case '*':
      set (e, (uint64_t) a * b);
      break;
    case '&':
      set (e, a & b);
      break;
    case '|':
      set (e, a | b);
      break;
    case '^':
      set (e, a ^ b);
      break;
    case TOKEN_EQUAL:
      set (e, a == b);
      break;
    case TOKEN_NOT_EQUAL:
      set (e, a != b);
      break;
    }
}

static void
fold_logical (struct expr *e)
{
  bool stops = e->op == TOKEN_OR_OR;

  if (e->a->is_constant && (e->a->value != 0) == stops)
    set (e, stops);
  else if (e->a->is_constant && e->b->is_constant)
    set (e, e->b->value != 0);
}

static void
fold_condition (struct expr *e)
{
  struct expr *chosen;

  if (!e->a->is_constant || !type_is_integer (e->type))
    return;
  chosen = !e->a->value ? e->c : e->b ? e->b : e->a;
  if (chosen->is_constant)
    set (e, chosen->value);
}

/* A floating constant is one only right under a cast to an integer. */
static void
fold_cast (struct expr *e)
{
  struct expr *a = strip_conversions (e->a);

  if (!type_is_integer (e->type))
    return;
  if (e->a->is_constant)
    set (e, e->type->kind == TYPE_BOOL ? e->a->value != 0 : e->a->value);
  else if (a->kind == EXPR_FLOAT && type_is_real_float (a->type))
    {
      double value = strtod (token_at (a->first)->text, NULL);

      if (value > -9e18 && value < 9e18)
        set (e, (int64_t) value);
    }
}

void
fold (struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_PAREN:
      if (e->a->is_constant)
        set (e, e->a->value);
      break;
    case EXPR_UNARY:
      fold_unary (e);
      break;
    case EXPR_BINARY:
      fold_binary (e);
      break;
    case EXPR_LOGICAL:
      fold_logical (e);
      break;
    case EXPR_CONDITION:
      fold_condition (e);
      break;
    case EXPR_CAST:
      fold_cast (e);
      break;
    default:
      break;
    }
}
