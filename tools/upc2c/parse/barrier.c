/* upc_barrier, upc_notify, upc_wait and upc_fence. */

#include "tools/upc2c/parse/internal.h"

/* One that may be assigned to an int. */
static struct expr *
parse_barrier_value (token_index keyword)
{
  struct expr *e = value_of (parse_expression ());
  struct type *type = value_type (e);
  const struct token *token = token_at (keyword);

  if (!type_is_arithmetic (type) && type->kind != TYPE_UNKNOWN)
    error_at (e->first,
              "operand of '%.*s' has type %s, which cannot be assigned to 'int' "
              "(UPC 1.3, 6.6.1)",
              (int) token->length, token->text, type_text (type));
  return e;
}

/* barrier = ("upc_barrier" | "upc_notify" | "upc_wait") expression? ";" | "upc_fence" ";" */
struct stmt *
parse_barrier (void)
{
  struct stmt *s = new_stmt (STMT_BARRIER);
  token_index keyword = advance ();

  s->op = token_at (keyword)->kind;
  s->translate = true;
  if (peek () == '(' && peek_behind (1) == ')')
    {
      propose (here, here + 1, "");
      error_at (keyword, "'%.*s' is a statement, not a function; remove the parentheses behind it",
                (int) token_at (keyword)->length, token_at (keyword)->text);
      here += 2;
    }
  if (peek () != ';' && s->op != KEY_UPC_FENCE)
    s->expr = parse_barrier_value (keyword);
  expect (';', "';'");
  return finish_stmt (s);
}
