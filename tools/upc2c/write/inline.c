/* Inline definitions (C99, 6.7.4): functions that are declared inline and nowhere extern. C makes no
   code of them for calls that are not inlined: another file must have the definition, and without
   optimisation a program that has none does not link. Programs for other UPC compilers rely on
   it all the same. What is only called may as well be static, for C leaves open which definition a
   call takes; a function whose address is taken has the one address in all files. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

/* Attributes of what is no function of this file alone. */
static bool
is_for_linkers (const struct token *token)
{
  static const char *const names[] = { "alias", "gnu_inline", "ifunc", "weak",
                                       "externally_visible" };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      size_t length = strlen (names[i]);
      bool is_quoted = token->length == length + 4 && strncmp (token->text, "__", 2) == 0;

      if ((is_quoted && strncmp (token->text + 2, names[i], length) == 0)
          || (token->length == length && strncmp (token->text, names[i], length) == 0))
        return true;
    }
  return false;
}

static bool
is_inline_alone (const struct decl *decl)
{
  const struct declaration *d = decl->declaration;
  token_index head = decl->body ? decl->body->first : decl->last;

  if (decl->scope_depth > 0 || !decl->is_inline || decl->storage == STORAGE_EXTERN
      || decl->storage == STORAGE_STATIC || !d || decl->next || decl->specifiers->is_extension
      || token_at (d->first)->kind == '[')
    return false;
  for (token_index i = d->first; i < head; i++)
    if (is_for_linkers (token_at (i)))
      return false;
  return true;
}

/* LAST is the last of its declarations. */
static bool
is_inline_definition (const struct decl *last)
{
  uint32_t names = 0, calls = 0;
  bool has_body = false;

  for (const struct decl *decl = last; decl; decl = decl->previous)
    {
      if (!is_inline_alone (decl))
        return false;
      names += decl->times_named;
      calls += decl->times_called;
      has_body |= decl->body != NULL;
    }
  return has_body && names == calls;
}

void
make_inline_definitions_static (void)
{
  if (switches.gnu_inline)
    return;
  for (struct declaration *d = tree.declarations; d; d = d->next)
    if (d->kind == DECLARATION_FUNCTION && d->decls->name && d->decls->name->decl
        && is_inline_definition (d->decls->name->decl))
      for (struct decl *decl = d->decls->name->decl; decl; decl = decl->previous)
        insert_before (decl->declaration->first, "static ");
}
