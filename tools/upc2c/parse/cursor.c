/* The parser's cursor, and its recovery from syntax errors. */

#include "tools/upc2c/parse/internal.h"

#include <stdarg.h>
#include <stdio.h>

enum
{
  MAX_NESTING = 4000
};

token_index here;
bool has_skipped;
struct decl *current_function;

static struct recovery *innermost;
static uint32_t nesting;

void
syntax_error (token_index where, const char *format, ...)
{
  char text[1000];
  va_list args;

  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  error_at (where, "%s", text);
  longjmp (innermost->jump, 1);
}

token_index
expect (int kind, const char *spelled)
{
  const struct token *token = token_at (here);
  int shown = token->length < 60 ? token->length : 60;

  if (token->kind == kind)
    return here++;
  if (token->kind == TOKEN_END)
    syntax_error (here, "expected %s at end of input", spelled);
  if (kind == ';' && here > 0)
    propose_behind (here - 1, ";");
  syntax_error (here, "expected %s before '%.*s'", spelled, shown, token->text);
}

void
skip_parens (void)
{
  uint32_t depth = 0;

  do
    {
      int kind = peek ();

      if (kind == TOKEN_END)
        expect (')', "')'");
      depth += (kind == '(') - (kind == ')');
      here++;
    }
  while (depth > 0);
}

bool
at_misspelt_loop (void)
{
  uint32_t depth = 1;

  if (peek () != TOKEN_NAME || token_at (here)->name->decl || peek_behind (1) != '('
      || !nearest_keyword (token_at (here)->name))
    return false;
  for (token_index i = 2; depth > 0 && peek_behind (i) != TOKEN_END && peek_behind (i) != ';'; i++)
    depth += (peek_behind (i) == '(') - (peek_behind (i) == ')');
  return depth > 0;
}

void
start_recovery (struct recovery *recovery)
{
  recovery->scope = scope_depth ();
  recovery->nesting = nesting;
  recovery->function = current_function;
  recovery->outer = innermost;
  innermost = recovery;
}

void
end_recovery (struct recovery *recovery)
{
  innermost = recovery->outer;
}

/* Behind the next ; or } that is not inside braces opened on the way. The } that
   closes the surrounding block stays. */
static void
skip_to_boundary (void)
{
  uint32_t depth = 0;

  for (; peek () != TOKEN_END; here++)
    switch (peek ())
      {
      case '{':
        depth++;
        break;
      case '}':
        if (depth == 0)
          return;
        if (--depth == 0)
          {
            here++;
            accept (';');
            return;
          }
        break;
      case ';':
        if (depth == 0)
          {
            here++;
            return;
          }
        break;
      }
}

void
recover (struct recovery *recovery, token_index start)
{
  has_skipped = true;
  leave_scopes_to (recovery->scope);
  nesting = recovery->nesting;
  current_function = recovery->function;
  innermost = recovery->outer;
  skip_to_boundary ();
  if (here == start && peek () != '}')
    advance ();
}

void
enter_nesting (void)
{
  if (++nesting > MAX_NESTING)
    {
      error_at (here, "nesting exceeds %d levels", MAX_NESTING);
      /* What follows would only repeat it at each level. */
      fail ("'%s' is nested too deeply", switches.input);
    }
}

void
leave_nesting (void)
{
  nesting--;
}
