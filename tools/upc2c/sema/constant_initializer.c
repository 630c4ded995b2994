/* C's requirements on the initial value of a static object. Code stores the values of shared
   objects and of pointers-to-shared, so no C compiler checks that they are constants. */

#include "tools/upc2c/sema/sema.h"

static struct expr *nonconstant (struct expr *e);

/* The value of an lvalue: that of a const object may be known. */
static struct expr *
varying_object (struct expr *e)
{
  if (e->type->kind == TYPE_ARRAY || e->type->kind == TYPE_FUNCTION || e->type->kind == TYPE_UNKNOWN
      || quals_of (e->type) & QUAL_CONST)
    return NULL;
  return e;
}

static struct expr *
varying_name (struct expr *e)
{
  return e->decl && (e->decl->kind == DECL_VARIABLE || e->decl->kind == DECL_PARAMETER)
             ? varying_object (e)
             : NULL;
}

static struct expr *
varying_call (struct expr *e)
{
  struct expr *callee = strip_conversions (e->a);

  return callee->kind == EXPR_NAME && callee->decl && callee->decl->kind != DECL_BUILTIN
                 && callee->decl->name->text[0] != '_'
             ? e
             : NULL;
}

static struct expr *
varying_operand (struct expr *e)
{
  struct expr *part = e->a ? nonconstant (e->a) : NULL;

  if (!part && e->b)
    part = nonconstant (e->b);
  if (!part && e->c)
    part = nonconstant (e->c);
  return part;
}

/* The first part of E that is no constant, or NULL. THREADS is one, at run time. */
static struct expr *
nonconstant (struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_NAME:
      return varying_name (e);
    case EXPR_LOAD:
      return varying_object (e->a);
    case EXPR_INDEX:
    case EXPR_DOT:
    case EXPR_ARROW:
    case EXPR_DEREF:
      return varying_object (e);
    case EXPR_CALL:
      return varying_call (e);
    case EXPR_MYTHREAD:
    case EXPR_STEP:
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STATEMENT:
      return e;
    case EXPR_PAREN:
    case EXPR_UNARY:
    case EXPR_CAST:
    case EXPR_CONVERT:
    case EXPR_BINARY:
    case EXPR_LOGICAL:
    case EXPR_CONDITION:
    case EXPR_COMMA:
      return varying_operand (e);
    default:
      return NULL;
    }
}

/* DECL has an initialiser. */
void
check_initial_value (struct decl *decl)
{
  bool is_shared = type_is_shared (decl->type);

  if (!decl->has_static_duration)
    return;
  for (struct decl *d = decl->previous; is_shared && d; d = d->previous)
    if (d->init)
      error_at (decl->name_token, "'%s' is already initialized", decl->name->text);
  for (struct init_leaf *leaf = decl->init->leaves; leaf; leaf = leaf->next)
    if (is_shared || type_is_pts (leaf->type))
      {
        struct expr *part = nonconstant (leaf->expr);

        if (part)
          error_at (part->token, "initializer of '%s' is not constant", decl->name->text);
      }
}
