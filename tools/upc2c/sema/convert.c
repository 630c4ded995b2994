/* Conversions of lvalues to values, and of values to another type.

   Nodes are inserted only where a type of UPC takes part. C's other rules are left to the
   compiler, which sees the same code. */

#include "tools/upc2c/sema/sema.h"

/* What a private pointer leads to may be shared data, which the race detector wants to know. */
static bool
is_for_race_detector (const struct expr *e)
{
  return switches.race && !(token_at (e->first)->flags & TOKEN_SYSTEM)
         && (e->kind == EXPR_DEREF || e->kind == EXPR_INDEX || e->kind == EXPR_ARROW);
}

/* C's atomic accesses order all others. In one process the C compiler sees to that. */
static bool
is_ordered_by_calls (const struct type *type)
{
  return switches.network && (quals_of (type) & QUAL_ATOMIC);
}

/* Makes E an lvalue of TYPE, and tells whether an access to it is strict. */
void
set_lvalue (struct expr *e, struct type *type)
{
  e->type = type;
  e->is_lvalue = type->kind != TYPE_FUNCTION;
  e->translate = e->translate || is_for_race_detector (e);
  if (!type_is_shared (type))
    return;
  e->translate = true;
  e->is_strict = type_is_strict (type) || is_ordered_by_calls (type)
                 || (!type_is_relaxed (type) && token_at (e->token)->flags & TOKEN_STRICT);
}

struct type *
value_type (const struct expr *e)
{
  struct type *type = e->type;

  if (type->kind == TYPE_ARRAY)
    return pointer_to (type->base);
  if (type->kind == TYPE_FUNCTION)
    return pointer_to (type);
  return type->quals ? unqualified (type) : type;
}

struct expr *
value_of (struct expr *e)
{
  if (!e->is_lvalue || !type_is_shared (e->type))
    return e;
  if (e->type->kind == TYPE_ARRAY)
    return implicit (EXPR_DECAY, e, value_type (e));
  if (e->type->kind == TYPE_VOID)
    return e;
  if (!type_is_complete (e->type))
    {
      error_at (e->token, "use of value of incomplete type %s", type_text (e->type));
      e->type = type_unknown;
      return e;
    }
  return implicit (EXPR_LOAD, e, value_type (e));
}

struct expr *
condition_of (struct expr *e)
{
  e = value_of (e);
  if (e->translate && type_is_record (e->type))
    error_at (e->first, "%s used where scalar is required", type_text (value_type (e)));
  return type_is_pts (e->type) ? implicit (EXPR_CONVERT, e, type_int ()) : e;
}

bool
is_null_constant (struct expr *e)
{
  e = strip_conversions (e);
  if (e->kind == EXPR_CAST && e->type->kind == TYPE_POINTER && e->type->base->kind == TYPE_VOID
      && !e->type->base->quals)
    return is_null_constant (e->a);
  return e->is_constant && e->value == 0
         && (type_is_integer (e->type) || token_at (e->token)->kind == KEY_NULLPTR);
}

static struct expr *
convert (struct expr *e, struct type *type)
{
  return e->type == type ? e : implicit (EXPR_CONVERT, e, unqualified (type));
}

static void
warn_of_lost_qualifiers (const struct type *from, const struct type *to, token_index where,
                         const char *what)
{
  unsigned lost = quals_of (from) & ~quals_of (to);
  const char *name = lost & QUAL_CONST                             ? "const"
                     : lost & QUAL_VOLATILE                        ? "volatile"
                     : lost & QUAL_STRICT && to->kind != TYPE_VOID ? "strict"
                                                                   : NULL;

  if (name)
    warning_at (where, "%s discards '%s' qualifier from pointer target type", what, name);
}

/* Pointer-to-shared to pointer-to-shared, without a cast. */
static struct expr *
assign_pts (struct expr *e, struct type *type, token_index where, const char *what)
{
  struct type *from = value_type (e)->base, *to = type->base;

  if (from->kind == TYPE_VOID || to->kind == TYPE_VOID)
    warn_of_lost_qualifiers (from, to, where, what);
  else if (block_of (from) != block_of (to))
    error_at (where,
              "%s: block sizes of %s and %s differ without a cast "
              "(UPC 1.3, 6.5.1.1)",
              what, type_text (value_type (e)), type_text (type));
  else if (!types_match_unqualified (from, to) && !types_differ_in_sign (from, to))
    warning_at (where, "%s: incompatible pointer types %s and %s", what, type_text (value_type (e)),
                type_text (type));
  else
    warn_of_lost_qualifiers (from, to, where, what);
  return types_match_unqualified (from, to) && block_of (from) == block_of (to) ? e
                                                                                : convert (e, type);
}

/* The function that E calls without a declaration, whose type is but the call's guess. */
static const struct decl *
called_undeclared (struct expr *e)
{
  struct expr *call = strip_conversions (e), *callee = call->a;

  if (call->kind != EXPR_CALL)
    return NULL;
  callee = strip_conversions (callee);
  return callee->kind == EXPR_NAME && callee->decl->is_implicit ? callee->decl : NULL;
}

static struct expr *
refuse (struct expr *e, struct type *type, token_index where, const char *what)
{
  const struct decl *undeclared = called_undeclared (e);
  struct type *from = value_type (e);

  if (from->kind == TYPE_POINTER && from->base->kind == TYPE_UNKNOWN)
    return e;
  if (type_is_pts (from) && type->kind == TYPE_POINTER)
    error_at (where,
              "%s: pointer-to-shared %s converted to pointer-to-local %s without a cast "
              "(UPC 1.3, 6.4.3)",
              what, type_text (from), type_text (type));
  else if (type_is_pts (type) && from->kind == TYPE_POINTER)
    error_at (where,
              "%s: pointer-to-local %s cannot be converted to pointer-to-shared %s "
              "(UPC 1.3, 6.4.3)",
              what, type_text (from), type_text (type));
  else if (undeclared)
    error_at (e->first, "implicit declaration of function '%s'", undeclared->name->text);
  else
    error_at (where, "%s: cannot convert %s to %s", what, type_text (from), type_text (type));
  return e;
}

/* Whether a value of a shared record, or another shared value, is no value of TYPE. */
static bool
is_wrong_record (struct expr *e, struct type *type)
{
  struct type *from = value_type (e);

  if (!e->translate || type->kind == TYPE_VOID || from->kind == TYPE_VOID
      || !(type_is_record (type) || type_is_record (from)))
    return false;
  return type->kind != from->kind || (type->record != from->record);
}

/* Whether TO, a pointee, is FROM with const at some depth and at all above it, as in "shared const
   void *const": nothing can be stored through it that FROM does not lead to. */
static bool
only_gains_const (struct type *from, struct type *to)
{
  while (from->kind == TYPE_POINTER && to->kind == TYPE_POINTER && to->quals & QUAL_CONST
         && !(from->quals & ~to->quals))
    {
      from = from->base;
      to = to->base;
      if (types_match (add_quals (from, QUAL_CONST), to))
        return true;
    }
  return false;
}

/* Pointers to pointers-to-shared, and to functions that take them, look all alike in
   the generated C. */
static void
compare_pointers (struct expr *e, struct type *type, token_index where, const char *what)
{
  struct type *from = value_type (e);

  if (from->kind != TYPE_POINTER || type->kind != TYPE_POINTER
      || (!from->has_shared && !type->has_shared) || from->base->kind == TYPE_VOID
      || type->base->kind == TYPE_VOID)
    return;
  if (!types_match_unqualified (from->base, type->base)
      && !only_gains_const (from->base, type->base))
    warning_at (where, "%s: incompatible pointer types %s and %s", what, type_text (from),
                type_text (type));
}

/* GNU C: an argument for a transparent union may have the type of any member. The member of
   UNION_TYPE that takes FROM, if pointers-to-shared are about; else NULL. */
static struct type *
transparent_member (struct expr *e, struct type *from, struct type *type)
{
  if (type->kind != TYPE_UNION || !type->record->is_transparent || from->kind == TYPE_UNION)
    return NULL;
  for (struct decl *m = type->record->members; m; m = m->next_member)
    if ((type_is_pts (m->type) || type_is_pts (from))
        && (types_match_unqualified (m->type, from)
            || (type_is_pts (m->type)
                && (is_null_constant (e)
                    || (type_is_pts (from) && type_is_generic_pts (m->type))))))
      return m->type;
  return NULL;
}

struct expr *
assigned (struct expr *e, struct type *type, token_index where, const char *what)
{
  struct type *member;
  struct type *from;

  e = value_of (e);
  from = value_type (e);
  type = type->quals ? unqualified (type) : type;
  if (from->kind == TYPE_UNKNOWN || type->kind == TYPE_UNKNOWN)
    return e;
  member = transparent_member (e, from, type);
  if (member)
    type = unqualified (member);
  if (type_is_pts (type))
    {
      if (type_is_pts (from))
        return assign_pts (e, type, where, what);
      return is_null_constant (e) ? convert (e, type) : refuse (e, type, where, what);
    }
  if (type_is_pts (from))
    return type->kind == TYPE_BOOL ? convert (e, type) : refuse (e, type, where, what);
  if (is_wrong_record (e, type))
    return refuse (e, type, where, what);
  compare_pointers (e, type, where, what);
  return e;
}
