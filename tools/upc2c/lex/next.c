/* #pragma upc strict next and relaxed next, from the first UPC (CCS-TR-99-157). They apply to the
   statement or declaration that follows, and to nothing after it. Pragmas inside override them for
   their blocks.

   The tokens exist, but are not parsed yet, so statements are recognised by their keywords and
   brackets. */

#include "tools/upc2c/lex/internal.h"

static int
kind_at (token_index i)
{
  return i < unit.token_count ? token_at (i)->kind : 0;
}

/* Where the bracket at I is closed. */
static token_index
closing (token_index i)
{
  uint32_t depth = 0;

  for (; i + 1 < unit.token_count; i++)
    switch (kind_at (i))
      {
      case '(':
      case '[':
      case '{':
        depth++;
        break;
      case ')':
      case ']':
      case '}':
        if (--depth == 0)
          return i;
      }
  return i;
}

/* The body of a function, not the value of an array. */
static bool
is_body (token_index open, token_index close)
{
  int next = kind_at (close + 1);

  return kind_at (open - 1) == ')' && next != ';' && next != ',' && next != '.' && next != '[';
}

/* The last token of a declaration, or of a statement that has no others in it. */
static token_index
end_of_simple (token_index i)
{
  for (; i + 1 < unit.token_count && kind_at (i) != ';'; i++)
    if (kind_at (i) == '(' || kind_at (i) == '[' || kind_at (i) == '{')
      {
        token_index open = i;

        i = closing (open);
        if (kind_at (open) == '{' && is_body (open, i))
          return i;
      }
  return i;
}

static token_index
behind_label (token_index i)
{
  if (kind_at (i) == TOKEN_NAME && kind_at (i + 1) == ':')
    return i + 2;
  if (kind_at (i) != KEY_CASE && kind_at (i) != KEY_DEFAULT)
    return i;
  while (i + 1 < unit.token_count && kind_at (i) != ':')
    i++;
  return i + 1;
}

static token_index end_of_statement (token_index i);

static token_index
end_of_if (token_index i)
{
  token_index end = end_of_statement (closing (i + 1) + 1);

  return kind_at (end + 1) == KEY_ELSE ? end_of_statement (end + 2) : end;
}

/* Recursion ends: each call begins further on. */
static token_index
end_of_statement (token_index i)
{
  for (token_index behind; (behind = behind_label (i)) != i;)
    i = behind;
  switch (kind_at (i))
    {
    case '{':
      return closing (i);
    case KEY_IF:
      return end_of_if (i);
    case KEY_FOR:
    case KEY_WHILE:
    case KEY_SWITCH:
    case KEY_UPC_FORALL:
      return end_of_statement (closing (i + 1) + 1);
    case KEY_DO:
      return end_of_simple (end_of_statement (i + 1) + 1);
    default:
      return end_of_simple (i);
    }
}

/* The end of the block that token I is in. */
static token_index
end_of_block (token_index i)
{
  for (; i + 1 < unit.token_count && kind_at (i) != '}'; i++)
    if (kind_at (i) == '{')
      i = closing (i);
  return i;
}

static bool
is_of_blocks (const struct pragma *pragma)
{
  return pragma->kind == PRAGMA_STRICT || pragma->kind == PRAGMA_RELAXED;
}

/* PRAGMA and all behind it are in the order of the text. */
static void
apply_next (const struct pragma *pragma)
{
  const struct pragma *inner = pragma + 1, *stop = unit.pragmas + unit.pragma_count;
  token_index end = end_of_statement (pragma->before);

  for (token_index i = pragma->before; i <= end && i < unit.token_count; i++)
    {
      for (; inner < stop && inner->before <= i; inner++)
        if (is_of_blocks (inner) && inner->before == i)
          i = end_of_block (i);
      if (pragma->value)
        token_at (i)->flags |= TOKEN_STRICT;
      else
        token_at (i)->flags &= ~TOKEN_STRICT;
    }
}

void
apply_pragmas_for_next (void)
{
  for (uint32_t i = 0; i < unit.pragma_count; i++)
    if (unit.pragmas[i].kind == PRAGMA_NEXT)
      apply_next (&unit.pragmas[i]);
}
