/* Calls of C's functions that read or write the memory that their arguments lead to. */

#include "tools/upc2c/ast/ast.h"

#include <string.h>

/* Each has a version for the race detector, in include/upct/race.h. */
static const struct
{
  const char *name;
  uint32_t arguments;
} known[] = {
  { "memcpy", 3 }, { "memmove", 3 }, { "memset", 3 },
  { "memcmp", 3 }, { "strcpy", 2 },  { "strlen", 1 },
};

/* What CALL names, if it is no function of the program's own. */
static const struct decl *
library_function (const struct expr *call)
{
  const struct expr *callee = strip_conversions (call->a);

  return callee->kind == EXPR_NAME && callee->decl && callee->decl->kind == DECL_FUNCTION
                 && !callee->decl->is_internal && !callee->decl->is_implicit
             ? callee->decl
             : NULL;
}

const char *
memory_function (const struct expr *call)
{
  const struct decl *function = library_function (call);

  for (size_t i = 0; function && i < sizeof known / sizeof *known; i++)
    if (strcmp (function->name->text, known[i].name) == 0
        && call->list->count == known[i].arguments)
      return known[i].name;
  return NULL;
}
