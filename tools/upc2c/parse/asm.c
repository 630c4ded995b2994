/* asm statements. */

#include "tools/upc2c/parse/internal.h"

/* operand = ("[" name "]")? string+ "(" expression ")" */
static struct expr *
parse_operand (bool is_output)
{
  struct expr *e;

  if (accept ('['))
    {
      here++;
      expect (']', "']'");
    }
  if (peek () != TOKEN_STRING)
    expect (TOKEN_STRING, "constraint string");
  while (accept (TOKEN_STRING))
    ;
  expect ('(', "'('");
  e = parse_expression ();
  if (!is_output)
    e = value_of (e);
  else if (type_is_shared (e->type))
    error_at (e->first, "output operand of 'asm' has shared type %s", type_text (e->type));
  expect (')', "')'");
  return e;
}

/* asm = "asm" qualifier* "(" string+ (":" operands (":" operands (":" …)?)?)? ")" ";" */
struct stmt *
parse_asm (void)
{
  enum
  {
    MAX_OPERANDS = 64
  };
  struct stmt *s = new_stmt (STMT_ASM);
  struct expr *operands[MAX_OPERANDS];
  uint32_t count = 0, colons = 0;

  here++;
  while (accept (KEY_VOLATILE) || accept (KEY_INLINE) || accept (KEY_GOTO))
    ;
  expect ('(', "'('");
  while (accept (TOKEN_STRING))
    ;
  while (peek () != ')')
    if (accept (':'))
      colons++;
    else if (colons == 0)
      expect (')', "')'");
    else if (colons > 2)
      {
        if (peek () == TOKEN_END)
          expect (')', "')'");
        here++;
      }
    else
      {
        if (count == MAX_OPERANDS)
          syntax_error (here, "more than %d operands in 'asm'", MAX_OPERANDS);
        operands[count] = parse_operand (colons == 1);
        s->translate = s->translate || operands[count]->translate;
        count++;
        s->op += colons == 1;
        if (!accept (',') && peek () != ':')
          break;
      }
  expect (')', "')'");
  expect (';', "';'");
  s->list = new_expr_list (operands, count);
  return finish_stmt (s);
}
