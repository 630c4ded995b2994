/* The grammar of expressions. */

#include "tools/upc2c/parse/internal.h"

#include <string.h>

/* Expressions that are being gathered; few is enough for nearly all calls. */
struct gathered
{
  struct expr **item;
  uint32_t count, capacity;
  struct expr *few[8];
};

static void
gather (struct gathered *list, struct expr *e)
{
  if (!list->item)
    {
      list->item = list->few;
      list->capacity = sizeof list->few / sizeof *list->few;
    }
  if (list->count == list->capacity)
    {
      struct expr **bigger = arena_alloc (2 * list->capacity * sizeof *bigger);

      memcpy (bigger, list->item, list->count * sizeof *bigger);
      list->item = bigger;
      list->capacity *= 2;
    }
  list->item[list->count++] = e;
}

/* arguments = assignment-expression ("," assignment-expression)* */
static struct expr *
parse_call (struct expr *a)
{
  struct gathered args = { 0 };

  here++;
  while (peek () != ')')
    {
      gather (&args, parse_assignment ());
      if (!accept (','))
        break;
    }
  return make_call (a, args.item, args.count, expect (')', "')'"));
}

static token_index
expect_member_name (void)
{
  /* Members of C records may be called like keywords of UPC. */
  if (peek () >= FIRST_UPC_KEYWORD)
    return advance ();
  return expect (TOKEN_NAME, "member name");
}

/* postfix = primary ("[" expression "]" | "(" arguments ")" | "." name | "->" name
                      | "++" | "--")* */
static struct expr *
parse_suffixes (struct expr *e)
{
  for (unsigned count = 0;; count++)
    {
      token_index op = here;

      if (count == MAX_CHAIN)
        syntax_error (here, "more than %d operators in one expression", MAX_CHAIN);
      switch (peek ())
        {
        case '[':
          {
            struct expr *b;

            here++;
            b = parse_expression ();
            e = make_index (op, e, b, expect (']', "']'"));
            break;
          }
        case '(':
          e = parse_call (e);
          break;
        case '.':
        case TOKEN_ARROW:
          here++;
          e = make_member (op, e, expect_member_name ());
          break;
        case TOKEN_INCREMENT:
        case TOKEN_DECREMENT:
          here++;
          e = make_step (token_at (op)->kind, op, e, false);
          break;
        default:
          return e;
        }
    }
}

struct expr *
parse_postfix (void)
{
  return parse_suffixes (parse_primary ());
}

/* sizeof-like = op ("(" type-name ")" | unary). The operand of sizeof (type) { … } is
   a compound literal. */
static struct expr *
parse_sizeof (void)
{
  token_index op_token = advance ();
  int op = token_at (op_token)->kind;
  struct expr *a;

  if (peek () == '(' && starts_type (here + 1))
    {
      token_index open = advance ();
      struct type_name *name = parse_type_name ();
      token_index close = expect (')', "')'");

      if (peek () != '{')
        return make_sizeof (op, op_token, name, NULL, close);
      a = parse_suffixes (parse_literal (open, name));
    }
  else
    a = parse_unary ();
  return make_sizeof (op, op_token, NULL, a, a->last);
}

/* label-address = "&&" name */
static struct expr *
parse_label_address (void)
{
  struct expr *e = new_expr (EXPR_LABEL, here, pointer_to (type_void));

  here++;
  return finish (e, expect (TOKEN_NAME, "label"));
}

/* unary = postfix | ("++" | "--") unary | ("&" | "*" | "+" | "-" | "~" | "!"
           | "__extension__" | "__real__" | "__imag__") cast | sizeof-like | "&&" label */
static struct expr *
parse_unary_rule (void)
{
  token_index op = here;
  int kind = peek ();

  switch (kind)
    {
    case '&':
      here++;
      return make_address (op, parse_cast ());
    case '*':
      here++;
      return make_deref (op, parse_cast ());
    case '+':
    case '-':
    case '~':
    case '!':
    case KEY_EXTENSION:
    case KEY_REAL:
    case KEY_IMAG:
      here++;
      return make_unary (kind, op, parse_cast ());
    case TOKEN_INCREMENT:
    case TOKEN_DECREMENT:
      here++;
      /* The operand may be a compound literal; of a cast the compiler complains. */
      return make_step (kind, op, parse_cast (), true);
    case TOKEN_AND_AND:
      return parse_label_address ();
    case KEY_SIZEOF:
    case KEY_ALIGNOF:
    case KEY_UPC_LOCALSIZEOF:
    case KEY_UPC_BLOCKSIZEOF:
    case KEY_UPC_ELEMSIZEOF:
      return parse_sizeof ();
    default:
      return parse_postfix ();
    }
}

struct expr *
parse_unary (void)
{
  struct expr *e;

  enter_nesting ();
  e = parse_unary_rule ();
  leave_nesting ();
  return e;
}

/* compound-literal = "(" type-name ")" "{" initializers "}", from the brace on */
struct expr *
parse_literal (token_index open, struct type_name *name)
{
  struct expr *e = new_expr (EXPR_LITERAL, open, type_unknown);
  struct type *type = name->type;

  e->type_name = name;
  if (type_is_shared (type))
    {
      error_at (open, "compound literal has shared type %s (UPC 1.3, 6.5.2)", type_text (type));
      type = without_shared (type);
    }
  e->init = parse_initializer (&type);
  e->translate = e->type_name->translate || e->init->translate;
  e->is_lvalue = true;
  e->type = type_is_shared (name->type) ? name->type : type;
  return finish (e, e->init->last);
}

/* cast = "(" type-name ")" cast | compound-literal suffix* | unary */
struct expr *
parse_cast (void)
{
  struct type_name *name;
  token_index open = here;
  struct expr *e;

  if (peek () != '(' || !starts_type (here + 1))
    return parse_unary ();
  enter_nesting ();
  here++;
  name = parse_type_name ();
  expect (')', "')'");
  if (peek () == '{')
    e = parse_suffixes (parse_literal (open, name));
  else
    {
      e = make_cast (open, name, parse_cast ());
      if (type_is_pts (e->a->type) && !type_involves_shared (name->type))
        move_definitions (name->specifiers);
    }
  leave_nesting ();
  return e;
}

/* How tightly a binary operator binds, 0 if KIND is none. */
static int
precedence (int kind)
{
  switch (kind)
    {
    case '*':
    case '/':
    case '%':
      return 10;
    case '+':
    case '-':
      return 9;
    case TOKEN_SHIFT_LEFT:
    case TOKEN_SHIFT_RIGHT:
      return 8;
    case '<':
    case '>':
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER_EQUAL:
      return 7;
    case TOKEN_EQUAL:
    case TOKEN_NOT_EQUAL:
      return 6;
    case '&':
      return 5;
    case '^':
      return 4;
    case '|':
      return 3;
    case TOKEN_AND_AND:
      return 2;
    case TOKEN_OR_OR:
      return 1;
    default:
      return 0;
    }
}

/* binary = cast (operator binary)*, operators of at least LEAST precedence */
static struct expr *
parse_binary (int least)
{
  struct expr *a = parse_cast ();

  for (unsigned count = 0;; count++)
    {
      token_index op_token = here;
      int op = peek (), strength = precedence (op);
      struct expr *b;

      if (strength < least || strength == 0)
        return a;
      if (count == MAX_CHAIN)
        syntax_error (here, "more than %d operators in one expression", MAX_CHAIN);
      here++;
      b = parse_binary (strength + 1);
      a = strength <= 2 ? make_logical (op, op_token, a, b) : make_binary (op, op_token, a, b);
    }
}

/* conditional = binary ("?" expression? ":" conditional)? */
struct expr *
parse_conditional (void)
{
  struct expr *a = parse_binary (1), *b = NULL, *c;
  token_index op_token = here;

  if (!accept ('?'))
    return a;
  enter_nesting ();
  if (peek () != ':')
    b = parse_expression ();
  expect (':', "':'");
  c = parse_conditional ();
  leave_nesting ();
  return make_condition (op_token, a, b, c);
}

/* The operator of a compound assignment, 0 if KIND is none. */
static int
operator_of (int kind)
{
  switch (kind)
    {
    case TOKEN_MULTIPLY_ASSIGN:
      return '*';
    case TOKEN_DIVIDE_ASSIGN:
      return '/';
    case TOKEN_REMAINDER_ASSIGN:
      return '%';
    case TOKEN_ADD_ASSIGN:
      return '+';
    case TOKEN_SUBTRACT_ASSIGN:
      return '-';
    case TOKEN_LEFT_ASSIGN:
      return TOKEN_SHIFT_LEFT;
    case TOKEN_RIGHT_ASSIGN:
      return TOKEN_SHIFT_RIGHT;
    case TOKEN_AND_ASSIGN:
      return '&';
    case TOKEN_XOR_ASSIGN:
      return '^';
    case TOKEN_OR_ASSIGN:
      return '|';
    default:
      return 0;
    }
}

/* assignment = conditional (("=" | "*=" | …) assignment)? */
struct expr *
parse_assignment (void)
{
  struct expr *a = parse_conditional (), *b;
  token_index op_token = here;
  int op = operator_of (peek ());

  if (!op && peek () != '=')
    return a;
  here++;
  enter_nesting ();
  b = parse_assignment ();
  leave_nesting ();
  return op ? make_compound (op, op_token, a, b) : make_assign (op_token, a, b);
}

/* expression = assignment ("," assignment)* */
struct expr *
parse_expression (void)
{
  struct expr *e = parse_assignment ();

  for (unsigned count = 0; peek () == ','; count++)
    {
      token_index op_token = advance ();

      if (count == MAX_CHAIN)
        syntax_error (here, "more than %d operators in one expression", MAX_CHAIN);
      e = make_comma (op_token, e, parse_assignment ());
    }
  return e;
}
