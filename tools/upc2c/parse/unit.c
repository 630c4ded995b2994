/* The file as a whole. */

#include "tools/upc2c/parse/internal.h"

#include <stdarg.h>
#include <string.h>

static const char *
known_words (const struct pragma *p)
{
  if (p->kind == PRAGMA_PUPC_OTHER)
    return "expected on or off (GASP 1.4, 5.1)";
  if (p->kind == PRAGMA_UPC_OTHER)
    return "expected strict, relaxed, c_code or upc_code (UPC 1.3, 6.7.1)";
  return "expected the end of '#pragma upc' (UPC 1.3, 6.7.1)";
}

static void
warn_of_pragmas (void)
{
  for (uint32_t i = 0; i < unit.pragma_count; i++)
    if (unit.pragmas[i].ignored)
      warning_at_pragma (&unit.pragmas[i], known_words (&unit.pragmas[i]));
}

static struct declaration *
external_or_recover (void)
{
  struct recovery recovery;
  struct declaration *volatile declaration = NULL;
  struct part **moved = moved_tail = NEW (struct part *);
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
  if (declaration)
    declaration->moved = *moved;
  return declaration;
}

void
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
  struct declaration **tail = &tree.declarations;

  start_types ();
  declare_builtin_types ();
  if (switches.arm)
    declare_vector_types ();
  warn_of_pragmas ();
  while (peek () != TOKEN_END)
    if ((*tail = external_or_recover ()))
      tail = &(*tail)->next;
}
