/* Loop-invariant expressions. */

#include "tools/upc2c/plan/internal.h"

#include <string.h>

/* What might change a variable. */
struct change
{
  struct decl *decl;
  bool by_pointer; /* stores through pointers and calls may be to it */
};

bool
may_alias (const struct type *stored, const struct type *variable)
{
  return stored->kind == variable->kind || stored->kind == TYPE_CHAR || stored->kind == TYPE_UCHAR
         || stored->kind == TYPE_SCHAR || stored->kind == TYPE_UNKNOWN || type_is_record (stored)
         || type_is_record (variable)
         || (type_is_integer (stored) && type_size (stored).value == type_size (variable).value);
}

bool
may_be_element (struct expr *e, const struct type *type)
{
  return (e->kind == EXPR_INDEX || e->kind == EXPR_DEREF || e->kind == EXPR_ARROW)
         && !type_is_shared (e->type) && e->type->kind != TYPE_ARRAY && !is_private_name (e)
         && (may_alias (e->type, type) || may_alias (type, e->type));
}

/* No store to shared data is to a variable, which is private. */
static bool
changes (struct expr *e, void *data)
{
  struct change *c = data;
  struct expr *target;

  if (e->kind == EXPR_CALL)
    return c->by_pointer && !is_pure_call (e);
  if (!is_store (e))
    return false;
  target = element_of (e->a);
  if (target->kind == EXPR_NAME)
    return target->decl == c->decl;
  return c->by_pointer && !type_is_shared (strip_parens (e->a)->type)
         && may_alias (strip_parens (e->a)->type, c->decl->type);
}

/* Whether operand N of S, an asm, is an input in a register, or a constant: the constraint before
   its parenthesis is a single string and does not offer memory. */
static bool
is_register_input (struct stmt *s, uint32_t n)
{
  const struct token *constraint = token_at (s->list->item[n]->first - 2);

  return n >= s->op && constraint[-1].kind != TOKEN_STRING
         && !memchr (constraint->text, 'm', constraint->length)
         && !memchr (constraint->text, 'X', constraint->length);
}

static bool
note_name (struct expr *e, void *nothing)
{
  (void) nothing;
  if (e->kind == EXPR_NAME && e->decl)
    e->decl->has_address_taken = true;
  return false;
}

/* What asm stores to, and what nested functions see, may change as if by a pointer. */
static bool
note_statement (struct stmt *s, void *nothing)
{
  (void) nothing;
  if (s->kind == STMT_DECLARATION && s->declaration->kind == DECLARATION_FUNCTION)
    any_in_stmt (s, note_name, NULL);
  for (uint32_t i = 0; s->kind == STMT_ASM && s->list && i < s->list->count; i++)
    if (!is_register_input (s, i))
      any_in_expr (s->list->item[i], note_name, NULL);
  return false;
}

static bool
note_address (struct expr *e, void *nothing)
{
  struct expr *base = e->kind == EXPR_ADDRESS ? element_of (e->a) : e;

  (void) nothing;
  if (e->kind == EXPR_ADDRESS && base->kind == EXPR_NAME && base->decl)
    base->decl->has_address_taken = true;
  if (e->kind == EXPR_STATEMENT)
    any_stmt (e->body, note_statement, NULL);
  return false;
}

static bool is_known;

void
enter_function (struct stmt *body, bool known)
{
  is_known = known;
  any_stmt (body, note_statement, NULL);
  any_in_stmt (body, note_address, NULL);
}

bool
knows_variables (void)
{
  return is_known;
}

static bool
is_asm (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_ASM;
}

static bool
holds_asm (struct expr *e, void *nothing)
{
  return e->kind == EXPR_STATEMENT && any_stmt (e->body, is_asm, nothing);
}

static bool
has_asm (struct stmt *s)
{
  return any_stmt (s, is_asm, NULL) || any_in_stmt (s, holds_asm, NULL);
}

/* The name of an array in a record is its address, so records may be stored to from
   anywhere. */
bool
is_unchanged (struct decl *d, struct stmt *loop)
{
  struct change change = { .decl = d };

  if ((!type_is_scalar (d->type) && !type_is_record (d->type)) || !is_known)
    return false;
  change.by_pointer = d->has_static_duration || type_is_record (d->type) || d->has_address_taken;
  return !(change.by_pointer && (has_asm (loop->then) || any_in_expr (loop->expr, holds_asm, NULL)))
         && !any_in_stmt (loop->then, changes, &change)
         && !any_in_expr (loop->expr, changes, &change)
         && !any_in_expr (loop->step, changes, &change)
         && !any_in_expr (loop->affinity, changes, &change);
}

/* Whether the value of the name may differ from one iteration to another. */
static bool
is_varying_name (struct expr *e, struct loop *loop)
{
  if (!is_variable (e->decl) || e->is_constant)
    return false;
  if (e->decl == loop->induction || quals_of (e->decl->type) & QUAL_VOLATILE)
    return true;
  /* A shared object's name is read by EXPR_LOAD; without that it is an lvalue. */
  if (type_is_shared (e->decl->type) || loop->form == LOOP_ONE_BY_ONE)
    return false;
  return !is_unchanged (e->decl, loop->stmt);
}

static bool
varies (struct expr *e, void *data)
{
  struct loop *loop = data;

  if (has_effect (e))
    return true;
  switch (e->kind)
    {
    case EXPR_ASSIGN:
    case EXPR_LABEL:
    case EXPR_BUILTIN_TYPES:
      return true;
    case EXPR_NAME:
      return is_varying_name (e, loop);
    case EXPR_LOAD:
      return loop->form != LOOP_ONE_BY_ONE || e->a->is_strict
             || quals_of (e->a->type) & QUAL_VOLATILE;
    case EXPR_ARROW:
    case EXPR_DEREF:
    case EXPR_INDEX:
      return !type_is_shared (e->type)
             && (loop->form != LOOP_ONE_BY_ONE || quals_of (e->type) & QUAL_VOLATILE);
    default:
      return false;
    }
}

bool
is_loop_invariant (struct expr *e, struct loop *loop)
{
  return !any_in_expr (e, varies, loop);
}
