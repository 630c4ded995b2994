/* The operators: the types of their results, and UPC's constraints on their operands. */

#include "tools/upc2c/sema/internal.h"

struct expr *
covering (enum expr_kind kind, int op, token_index op_token, struct expr *a, struct expr *b,
          struct type *type)
{
  struct expr *e = new_expr (kind, a->first < op_token ? a->first : op_token, type);

  e->op = op;
  e->token = op_token;
  e->a = a;
  e->b = b;
  return finish (e, b ? b->last : a->last > op_token ? a->last : op_token);
}

/* A bit-field narrower than an int is an int in arithmetic. */
struct type *
operand_type (struct expr *e)
{
  struct expr *inner = strip_conversions (e);

  if (inner->is_bit_field && inner->member->bit_width < 32 && type_is_integer (inner->type))
    return type_int ();
  return value_type (e);
}

static const char *
op_text (token_index op_token)
{
  const struct token *token = token_at (op_token);

  if (token->kind == '[' || token->kind == '?')
    return token->kind == '[' ? "[]" : "?:";
  return arena_format ("%.*s", (int) token->length, token->text);
}

static struct type *
invalid_operands (token_index op_token, struct expr *a, struct expr *b)
{
  if (b)
    error_at (op_token, "invalid operands to operator %s (have %s and %s)", op_text (op_token),
              type_text (value_type (a)), type_text (value_type (b)));
  else
    error_at (op_token, "invalid operand to operator %s (have %s)", op_text (op_token),
              type_text (value_type (a)));
  return type_unknown;
}

/* Pointer arithmetic needs the size of what is pointed to. */
static bool
check_complete (token_index where, const struct type *pointer)
{
  if (type_is_complete (pointer->base))
    return true;
  error_at (where, "arithmetic on pointer to incomplete type %s (UPC 1.3, 6.4.2)",
            type_text (pointer));
  return false;
}

struct expr *
make_unary (int op, token_index op_token, struct expr *a)
{
  struct type *type;
  struct expr *e;

  if (op == '!')
    {
      a = condition_of (a);
      type = a->type->kind == TYPE_VECTOR ? unqualified (a->type) : type_int ();
    }
  else if (op == KEY_EXTENSION)
    type = a->type;
  else if ((op == KEY_REAL || op == KEY_IMAG) && type_is_shared (a->type)
           && a->type->kind == TYPE_COMPLEX)
    {
      /* Half of a shared object is a shared object. */
      type = with_quals (a->type->base, quals_of (a->type), block_of (a->type));
      e = covering (EXPR_UNARY, op, op_token, a, NULL, type);
      e->is_lvalue = true;
      e->is_strict = a->is_strict;
      return e;
    }
  else
    {
      a = value_of (a);
      type = promoted (operand_type (a));
      if (type->kind == TYPE_COMPLEX && (op == KEY_REAL || op == KEY_IMAG))
        type = type->base;
      if (type_is_pts (type)
          || (a->translate && (type_is_record (type) || (op == '~' && type_is_real_float (type)))))
        type = invalid_operands (op_token, a, NULL);
    }
  e = covering (EXPR_UNARY, op, op_token, a, NULL, type);
  if (op == KEY_EXTENSION || ((op == KEY_REAL || op == KEY_IMAG) && a->kind != EXPR_LOAD))
    {
      e->is_lvalue = a->is_lvalue;
      e->is_strict = a->is_strict;
    }
  fold (e);
  return e;
}

/* THREADS and MYTHREAD are values, not objects. */
static bool
check_not_thread_value (struct expr *a, token_index where, const char *what)
{
  struct expr *inner = strip_conversions (a);

  if (inner->kind != EXPR_THREADS && inner->kind != EXPR_MYTHREAD)
    return true;
  error_at (where, "'%s' is not an object: %s (UPC 1.3, 6.3.%d)",
            inner->kind == EXPR_THREADS ? "THREADS" : "MYTHREAD", what,
            inner->kind == EXPR_THREADS ? 1 : 2);
  return false;
}

static void
check_assignable (struct expr *a, token_index where)
{
  if (a->type->kind == TYPE_UNKNOWN || !check_not_thread_value (a, where, "it cannot be assigned"))
    return;
  if (a->translate && !a->is_lvalue)
    error_at (where, "lvalue required as left operand of %s", op_text (where));
  else if (type_is_shared (a->type) && a->type->kind == TYPE_ARRAY)
    error_at (where, "assignment to expression with array type %s", type_text (a->type));
  else if (type_is_shared (a->type) && quals_of (a->type) & QUAL_CONST)
    error_at (where, "assignment to read-only object of type %s", type_text (a->type));
}

struct expr *
make_step (int op, token_index op_token, struct expr *a, bool is_prefix)
{
  struct type *type = value_type (a);
  struct expr *e;

  check_assignable (a, op_token);
  if (type_is_pts (type))
    check_complete (op_token, type);
  e = covering (EXPR_STEP, op, op_token, a, NULL, type);
  e->is_prefix = is_prefix;
  e->translate = e->translate || type_is_pts (type);
  return e;
}

struct expr *
make_address (token_index op_token, struct expr *a)
{
  check_not_thread_value (a, op_token, "its address cannot be taken");
  if (type_is_shared (a->type) && a->is_bit_field)
    error_at (op_token, "cannot take address of bit-field");
  else if (a->translate && !a->is_lvalue && a->type->kind != TYPE_FUNCTION
           && a->type->kind != TYPE_UNKNOWN && strip_conversions (a)->kind != EXPR_THREADS
           && strip_conversions (a)->kind != EXPR_MYTHREAD)
    error_at (op_token, "lvalue required as unary '&' operand");
  return covering (EXPR_ADDRESS, '&', op_token, a, NULL, pointer_to (a->type));
}

/* What a pointer-to-shared points to becomes an lvalue. */
static void
check_dereference (token_index where, const struct type *pointer)
{
  if (type_is_generic_pts (pointer))
    error_at (where, "cannot dereference %s: pointer to incomplete type", type_text (pointer));
}

struct expr *
make_deref (token_index op_token, struct expr *a)
{
  struct type *type;
  struct expr *e;

  a = value_of (a);
  type = value_type (a);
  check_dereference (op_token, type);
  e = covering (EXPR_DEREF, '*', op_token, a, NULL, type_unknown);
  e->is_lvalue = true;
  if (type->kind == TYPE_POINTER && !type_is_generic_pts (type))
    set_lvalue (e, type->base);
  else if (type->kind != TYPE_UNKNOWN && a->translate && type->kind != TYPE_POINTER)
    invalid_operands (op_token, a, NULL);
  return e;
}

static bool
is_relational (int op)
{
  return op == '<' || op == '>' || op == TOKEN_LESS_EQUAL || op == TOKEN_GREATER_EQUAL;
}

static bool
is_equality (int op)
{
  return op == TOKEN_EQUAL || op == TOKEN_NOT_EQUAL;
}

/* Two pointers-to-shared at one operator must have one type, block size and all. */
void
check_same_pointers (token_index where, const struct type *a, const struct type *b)
{
  if (block_of (a->base) != block_of (b->base))
    error_at (where,
              "operator %s: block sizes of %s and %s differ without a cast "
              "(UPC 1.3, 6.5.1.1)",
              op_text (where), type_text (a), type_text (b));
  else if (!types_match_unqualified (a->base, b->base) && !types_differ_in_sign (a->base, b->base))
    warning_at (where, "operator %s: distinct pointer types %s and %s lack a cast", op_text (where),
                type_text (a), type_text (b));
}

static struct type *
type_of_two_pts (int op, token_index op_token, struct expr *a, struct expr *b)
{
  struct type *left = value_type (a), *right = value_type (b);

  if (op != '-' && !is_relational (op) && !is_equality (op))
    return invalid_operands (op_token, a, b);
  if (is_equality (op) && (type_is_generic_pts (left) || type_is_generic_pts (right)))
    return type_int ();
  if (is_relational (op) && (!type_is_complete (left->base) || !type_is_complete (right->base)))
    error_at (op_token,
              "operator %s on pointer-to-shared to incomplete type %s "
              "(UPC 1.3, 6.4.2)",
              op_text (op_token), type_text (type_is_complete (left->base) ? right : left));
  else if (op == '-' && (!check_complete (op_token, left) || !check_complete (op_token, right)))
    return type_ptrdiff_t ();
  else
    check_same_pointers (op_token, left, right);
  return op == '-' ? type_ptrdiff_t () : type_int ();
}

/* The type of an operator of which at least one operand is a pointer-to-shared. Null
   pointer constants become one. */
static struct type *
type_of_pts (int op, token_index op_token, struct expr **a, struct expr **b)
{
  bool is_left = type_is_pts (value_type (*a));
  struct type *pts = value_type (is_left ? *a : *b);
  struct expr **other = is_left ? b : a;
  struct type *type = value_type (*other);

  if (type_is_pts (type))
    return type_of_two_pts (op, op_token, *a, *b);
  if (is_equality (op) && is_null_constant (*other))
    {
      *other = implicit (EXPR_CONVERT, *other, pts);
      return type_int ();
    }
  if (type->kind == TYPE_POINTER)
    {
      error_at (op_token,
                "operator %s mixes pointer-to-shared and pointer-to-local (have "
                "%s and %s) "
                "(UPC 1.3, 6.4.2)",
                op_text (op_token), type_text (value_type (*a)), type_text (value_type (*b)));
      return is_relational (op) || is_equality (op) ? type_int () : type_unknown;
    }
  if (type_is_integer (type) && (op == '+' || (op == '-' && is_left)))
    return check_complete (op_token, pts) ? pts : type_unknown;
  return invalid_operands (op_token, *a, *b);
}

static struct type *
comparison_type (struct type *a, struct type *b)
{
  return a->kind == TYPE_VECTOR ? a : b->kind == TYPE_VECTOR ? b : type_int ();
}

/* Whether a value of TYPE may be an operand of OP. The compiler sees the same, but at
   another column, and types of its own. */
static bool
may_be_operand (int op, const struct type *type)
{
  bool is_for_integers = op == '%' || op == '&' || op == '|' || op == '^' || op == TOKEN_SHIFT_LEFT
                         || op == TOKEN_SHIFT_RIGHT;

  return !type_is_record (type)
         && !(is_for_integers && type_is_arithmetic (type) && !type_is_integer (type));
}

static bool
are_invalid (int op, struct expr *a, struct expr *b)
{
  return (a->translate || b->translate)
         && !(may_be_operand (op, value_type (a)) && may_be_operand (op, value_type (b)));
}

/* Pointers to pointers-to-shared look all alike in the generated C. */
static void
check_compared (token_index op_token, const struct type *left, const struct type *right)
{
  if (left->kind == TYPE_POINTER && right->kind == TYPE_POINTER
      && (left->has_shared || right->has_shared) && left->base->kind != TYPE_VOID
      && right->base->kind != TYPE_VOID && !types_match_unqualified (left->base, right->base))
    warning_at (op_token, "operator %s: distinct pointer types %s and %s lack a cast",
                op_text (op_token), type_text (left), type_text (right));
}

/* The same without one. */
static struct type *
type_of_plain (int op, token_index op_token, struct expr *a, struct expr *b)
{
  struct type *left = operand_type (a), *right = operand_type (b);

  if (is_relational (op) || is_equality (op))
    {
      check_compared (op_token, left, right);
      return comparison_type (left, right);
    }
  if (left->kind == TYPE_POINTER)
    return right->kind == TYPE_POINTER ? type_ptrdiff_t () : left;
  if (right->kind == TYPE_POINTER)
    return right;
  if (op == TOKEN_SHIFT_LEFT || op == TOKEN_SHIFT_RIGHT)
    return right->kind == TYPE_VECTOR ? right : promoted (left);
  return common_type (left, right);
}

struct expr *
make_binary (int op, token_index op_token, struct expr *a, struct expr *b)
{
  struct type *type;
  struct expr *e;

  a = value_of (a);
  b = value_of (b);
  if (a->type->kind == TYPE_UNKNOWN || b->type->kind == TYPE_UNKNOWN)
    type = is_relational (op) || is_equality (op) ? type_int () : type_unknown;
  else if (type_is_pts (value_type (a)) || type_is_pts (value_type (b)))
    type = type_of_pts (op, op_token, &a, &b);
  else if (are_invalid (op, a, b))
    type = invalid_operands (op_token, a, b);
  else
    type = type_of_plain (op, op_token, a, b);
  e = covering (EXPR_BINARY, op, op_token, a, b, type);
  e->translate = e->translate || type_is_pts (value_type (a)) || type_is_pts (value_type (b));
  fold (e);
  return e;
}

struct expr *
make_logical (int op, token_index op_token, struct expr *a, struct expr *b)
{
  struct expr *e;

  a = condition_of (a);
  b = condition_of (b);
  e = covering (EXPR_LOGICAL, op, op_token, a, b, comparison_type (value_type (a), value_type (b)));
  fold (e);
  return e;
}

struct expr *
make_assign (token_index op_token, struct expr *a, struct expr *b)
{
  struct type *type = value_type (a);

  check_assignable (a, op_token);
  b = a->type->kind == TYPE_ARRAY ? value_of (b) : assigned (b, type, op_token, "assignment");
  return covering (EXPR_ASSIGN, '=', op_token, a, b, type);
}

struct expr *
make_compound (int op, token_index op_token, struct expr *a, struct expr *b)
{
  struct type *type = value_type (a), *right;
  struct expr *e;

  b = value_of (b);
  right = value_type (b);
  check_assignable (a, op_token);
  if (type_is_pts (type) && right->kind != TYPE_UNKNOWN)
    {
      if ((op != '+' && op != '-') || !type_is_integer (right))
        invalid_operands (op_token, a, b);
      else
        check_complete (op_token, type);
    }
  else if ((type_is_pts (right) && type->kind != TYPE_UNKNOWN) || are_invalid (op, a, b))
    invalid_operands (op_token, a, b);
  e = covering (EXPR_COMPOUND, op, op_token, a, b, type);
  e->translate = e->translate || type_is_pts (type);
  return e;
}

struct expr *
make_comma (token_index op_token, struct expr *a, struct expr *b)
{
  a = value_of (a);
  b = value_of (b);
  return covering (EXPR_COMMA, ',', op_token, a, b, value_type (b));
}

struct expr *
make_index (token_index open, struct expr *a, struct expr *b, token_index close)
{
  struct expr *e, *pointer;
  struct type *type;

  a = value_of (a);
  b = value_of (b);
  e = covering (EXPR_INDEX, '[', open, a, b, type_unknown);
  e->last = close;
  e->is_lvalue = true;
  e->index_swapped = value_type (b)->kind == TYPE_POINTER && value_type (a)->kind != TYPE_POINTER;
  pointer = e->index_swapped ? b : a;
  type = value_type (pointer);
  if (type->kind == TYPE_VECTOR)
    e->type = type->base;
  else if (type->kind == TYPE_POINTER)
    {
      struct expr *index = e->index_swapped ? a : b;

      if ((type_is_pts (type) || type_is_pts (value_type (index)))
          && value_type (index)->kind != TYPE_UNKNOWN && !type_is_integer (value_type (index)))
        invalid_operands (open, a, b);
      if (!type_is_pts (type) || check_complete (open, type))
        set_lvalue (e, type->base);
    }
  else if (e->translate && type->kind != TYPE_UNKNOWN && b->type->kind != TYPE_UNKNOWN)
    invalid_operands (open, a, b);
  return e;
}
