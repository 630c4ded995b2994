/* Calls that change no variable of the caller. */

#include "tools/upc2c/plan/internal.h"

#include <string.h>

/* Functions of <math.h> that loops call, without their suffixes. They change errno at most. */
static const char *const math_functions[] = { "acos", "asin",  "atan", "atan2", "cbrt",  "ceil",
                                              "cos",  "cosh",  "exp",  "exp2",  "fabs",  "floor",
                                              "fma",  "fmax",  "fmin", "fmod",  "hypot", "log",
                                              "log2", "log10", "pow",  "rint",  "round", "sin",
                                              "sinh", "sqrt",  "tan",  "tanh",  "trunc" };

enum
{
  MOST_CALLS = 4 /* of functions by each other */
};

/* Those of integers have no suffixes: absf may be the program's. */
static bool
is_absolute_value (const char *name)
{
  return strcmp (name, "abs") == 0 || strcmp (name, "labs") == 0 || strcmp (name, "llabs") == 0;
}

static bool
is_math_function (const char *name)
{
  for (size_t i = 0; i < sizeof math_functions / sizeof *math_functions; i++)
    {
      size_t length = strlen (math_functions[i]);

      if (strncmp (name, math_functions[i], length) == 0
          && (!name[length] || strcmp (name + length, "f") == 0
              || strcmp (name + length, "l") == 0))
        return true;
    }
  return is_absolute_value (name);
}

bool
is_math_call (struct expr *call)
{
  struct expr *name = strip_parens (call->a);

  if (name->kind != EXPR_NAME || !name->decl || name->decl->kind != DECL_FUNCTION
      || !is_math_function (name->decl->name->text))
    return false;
  for (struct decl *d = name->decl; d; d = d->previous)
    if (d->body || d->storage == STORAGE_STATIC)
      return false;
  return true;
}

static bool is_pure (struct expr *call, int most_calls);

static bool
is_asm (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_ASM;
}

/* Whether E, in the body of a function, may change more than the function's own variables. */
static bool
reaches_out (struct expr *e, void *most_calls)
{
  struct expr *target;

  switch (e->kind)
    {
    case EXPR_CALL:
      return !is_pure (e, *(int *) most_calls);
    case EXPR_STATEMENT:
    case EXPR_VA_ARG:
      return true;
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      target = strip_parens (e->a);
      return target->kind != EXPR_NAME || !is_variable (target->decl)
             || target->decl->has_static_duration;
    default:
      return false;
    }
}

/* Whether FUNCTION is what its body here says, and that is pure. */
static bool
has_pure_body (struct decl *function, int most_calls)
{
  return most_calls > 0 && function->body && function->storage == STORAGE_STATIC
         && !any_stmt (function->body, is_asm, NULL)
         && !any_in_stmt (function->body, reaches_out, &(int){ most_calls - 1 });
}

static bool
is_pure (struct expr *call, int most_calls)
{
  struct expr *name = strip_parens (call->a);

  if (name->kind != EXPR_NAME || !name->decl || name->decl->kind != DECL_FUNCTION)
    return false;
  for (struct decl *d = name->decl; d; d = d->previous)
    if (d->is_pure || has_pure_body (d, most_calls))
      return true;
  return is_math_call (call);
}

bool
is_pure_call (struct expr *e)
{
  return is_pure (e, MOST_CALLS);
}
