/* Inline definitions (C99, 6.7.4): functions that are declared inline and nowhere extern. C
   generates no code of them for calls that are not inlined: another file must have the
   definition. Without optimisation, a program that has none does not link. Programs for other UPC
   compilers rely on such functions all the same. A function that is only called may as well be
   static, as C leaves open which definition a call uses. A function whose address is taken has
   one address in all files. */

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

static bool
is_text (const struct token *token, const char *text)
{
  return token->length == strlen (text) && strncmp (token->text, text, token->length) == 0;
}

/* In the text of the unit, where TEXT is no longer than what TOKEN has there. */
static void
overwrite (const struct token *token, const char *text)
{
  memset ((char *) token->text, ' ', token->length);
  memcpy ((char *) token->text, text, strlen (text));
}

/* What our headers have beyond the specification is extern and inline as in GNU89, so that inline functions
   of C's may call it. No file has code of it: whoever takes the address of one has its own. Compilers
   refuse calls by such an address of what is always to be inlined. */
static void
make_extension_static (const struct decl *decl)
{
  token_index head = decl->declaration->first;

  if (!decl->body || decl->storage != STORAGE_EXTERN || !decl->is_inline
      || !(token_at (head)->flags & TOKEN_EXTENSION) || decl->times_named == decl->times_called)
    return;
  for (token_index i = head; i < decl->body->first; i++)
    if (token_at (i)->kind == KEY_EXTERN)
      overwrite (token_at (i), "static");
    else if (is_text (token_at (i), "__always_inline__"))
      overwrite (token_at (i), "__unused__");
}

void
make_inline_definitions_static (void)
{
  for (struct declaration *d = tree.declarations; d; d = d->next)
    {
      struct decl *last;

      if (d->kind != DECLARATION_FUNCTION || !d->decls->name || !d->decls->name->decl)
        continue;
      last = d->decls->name->decl;
      make_extension_static (last);
      if (!switches.gnu_inline && is_inline_definition (last))
        for (struct decl *decl = last; decl; decl = decl->previous)
          insert_before (decl->declaration->first, "static ");
    }
}
