/* The parser's cursor, its recovery from syntax errors, and the file as a whole. */

#include "tools/upc2c/front.h"
#include "tools/upc2c/parse.h"

#include <stdarg.h>
#include <string.h>

enum { MAX_NESTING = 4000 };

struct unit unit;
struct switches switches;
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
      error_at (here, "nested more than %d levels deep", MAX_NESTING);
      /* What follows would only repeat it at each level. */
      fail ("'%s' is nested too deeply", switches.input);
    }
}

void
leave_nesting (void)
{
  nesting--;
}

uint64_t
max_block_size (void)
{
  return switches.struct_pts ? UINT32_MAX : (1 << 20) - 1;
}

static const char *
known_words (enum pragma_kind kind)
{
  switch (kind)
    {
    case PRAGMA_UPC_OTHER:
      return "strict, relaxed, c_code and upc_code are known (UPC 1.3, 6.7.1)";
    case PRAGMA_PUPC_OTHER:
      return "on and off are known (GASP 1.4, 5.1)";
    default:
      return NULL;
    }
}

static void
warn_of_pragmas (void)
{
  for (uint32_t i = 0; i < unit.pragma_count; i++)
    {
      struct pragma *p = &unit.pragmas[i];

      if (known_words (p->kind))
        warning_at_pragma (p, "ignored: %s", known_words (p->kind));
    }
}

static struct declaration *
external_or_recover (void)
{
  struct recovery recovery;
  struct declaration *volatile declaration = NULL;
  token_index start = here;

  start_recovery (&recovery);
  if (setjmp (recovery.jump) == 0)
    {
      declaration = parse_external ();
      end_recovery (&recovery);
    }
  else
    {
      recover (&recovery, start);
      if (peek () == '}')
        advance ();
    }
  return declaration;
}

static void
declare_type (const char *text, struct type *type)
{
  struct decl *decl = NEW (struct decl);

  decl->kind = DECL_TYPEDEF;
  decl->name = intern (text, strlen (text));
  decl->storage = STORAGE_TYPEDEF;
  decl->declared_type = type;
  decl->name_token = decl->suffix_first = NO_TOKEN;
  decl->type = named_by (type, decl);
  bind (decl);
}

/* Types that compilers name without a header. */
static void
declare_builtin_types (void)
{
  declare_type ("__int128_t", type_basic (TYPE_INT128));
  declare_type ("__uint128_t", type_basic (TYPE_UINT128));
  declare_type ("__builtin_sysv_va_list", type_basic (TYPE_VA_LIST));
  declare_type ("__builtin_ms_va_list", pointer_to (type_basic (TYPE_CHAR)));
}

/* translation-unit = external-declaration* */
void
parse_unit (void)
{
  struct declaration **tail = &unit.declarations;

  start_types ();
  declare_builtin_types ();
  warn_of_pragmas ();
  while (peek () != TOKEN_END)
    if ((*tail = external_or_recover ()))
      tail = &(*tail)->next;
}
