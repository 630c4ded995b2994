/* Members, calls, casts and sizeof. */

#include "tools/upc2c/sema/sema.h"

/* A member of a shared record is shared as that is, in one piece: its layout is
   indefinite (UPC 1.3, 6.4.4). */
static struct type *
member_type (struct type *type, unsigned quals)
{
  unsigned inherited = quals
                       & (QUAL_CONST | QUAL_VOLATILE | QUAL_SHARED | QUAL_STRICT | QUAL_RELAXED);

  if (!inherited)
    return type;
  if (inherited & QUAL_SHARED)
    inherited |= QUAL_LAYOUT;
  return with_quals (type, quals_of (type) | inherited, 0);
}

static void
set_member (struct expr *e, struct type *record_type, token_index name_token)
{
  struct name *name = token_at (name_token)->name;

  e->type = type_unknown;
  if (!type_is_record (record_type))
    {
      if ((e->a->translate || type_is_pts (record_type) || type_is_shared (record_type))
          && record_type->kind != TYPE_UNKNOWN)
        error_at (name_token,
                  "request for member '%s' in %s, which is not a structure or "
                  "union",
                  name->text, type_text (record_type));
      return;
    }
  e->member = find_member (record_type->record, name, &e->member_offset);
  if (e->member)
    {
      e->is_bit_field = e->member->is_bit_field;
      set_lvalue (e, member_type (e->member->type, record_type->quals));
    }
  else if (type_is_shared (record_type))
    error_at (name_token,
              record_type->record->is_complete ? "%s has no member named '%s'"
                                               : "%s is incomplete and has no member named '%s'",
              type_text (record_type), name->text);
}

struct expr *
make_member (token_index op_token, struct expr *a, token_index name)
{
  bool is_arrow = token_at (op_token)->kind == TOKEN_ARROW;
  struct expr *e;
  struct type *type;

  if (is_arrow)
    a = value_of (a);
  e = new_expr (is_arrow ? EXPR_ARROW : EXPR_DOT, a->first, type_unknown);
  e->a = a;
  e->op = token_at (op_token)->kind;
  e->token = name;
  finish (e, name);
  e->is_lvalue = is_arrow || a->is_lvalue;
  type = is_arrow ? value_type (a) : a->type;
  if (!is_arrow)
    {
      bool is_lvalue = e->is_lvalue;

      set_member (e, type, name);
      e->is_lvalue = is_lvalue;
    }
  else if (type->kind == TYPE_POINTER)
    set_member (e, type->base, name);
  else if (a->translate && type->kind != TYPE_UNKNOWN)
    error_at (op_token, "invalid type argument of '->' (have %s)", type_text (type));
  e->translate = e->translate || (is_arrow && type_is_pts (type));
  return e;
}

static struct type *
called_type (struct expr *a)
{
  struct type *type = a->type;

  if (type->kind == TYPE_POINTER)
    type = type->base;
  return type->kind == TYPE_FUNCTION ? type : NULL;
}

static void
convert_arguments (struct type *function, struct expr **args, uint32_t count)
{
  struct decl *param = function && function->function.has_prototype ? function->function.params
                                                                    : NULL;

  for (uint32_t i = 0; i < count; i++)
    if (param)
      {
        args[i] = assigned (args[i], param->type, args[i]->token,
                            arena_format ("argument %u", i + 1));
        param = param->next;
      }
    else
      args[i] = value_of (args[i]);
}

struct expr *
make_call (struct expr *a, struct expr **args, uint32_t count, token_index close)
{
  struct expr *e;
  struct type *function;
  struct type *result = NULL;
  bool is_builtin = false;

  if (a->kind == EXPR_NAME)
    a->decl->times_called++;
  a = value_of (a);
  if (a->kind == EXPR_UNKNOWN && token_at (a->first)->name)
    result = builtin_result (token_at (a->first)->name, args, count, &is_builtin);
  function = called_type (a);
  if (a->translate && !function && a->type->kind != TYPE_UNKNOWN)
    error_at (a->token, "called object of type %s is not a function", type_text (a->type));
  convert_arguments (function, args, count);
  e = new_expr (EXPR_CALL, a->first,
                result     ? result
                : function ? unqualified (function->base)
                           : type_unknown);
  e->a = a;
  e->token = a->token;
  e->list = new_expr_list (args, count);
  finish (e, close);
  for (uint32_t i = 0; i < count; i++)
    e->translate = e->translate || args[i]->translate;
  e->translate = e->translate || is_watched_call (e) || (switches.race && memory_function (e));
  check_formatted (e);
  return e;
}

/* Of every pointer that the cast makes into a pointer-to-shared further in, what is
   there now must be one. */
static void
check_inner_levels (const struct type *from, const struct type *to, token_index where)
{
  while (from->kind == TYPE_POINTER && to->kind == TYPE_POINTER)
    {
      from = from->base;
      to = to->base;
      if (type_is_pts (to) && from->kind == TYPE_POINTER && !type_is_pts (from))
        {
          warning_at (where, "cast converts pointers-to-local to pointers-to-shared "
                             "(UPC 1.3, 6.4.3)");
          return;
        }
    }
}

static void
check_cast (struct expr *a, struct type *to, token_index where)
{
  struct type *from = value_type (a);

  if (from->kind == TYPE_UNKNOWN || to->kind == TYPE_UNKNOWN)
    return;
  if (type_is_shared (to))
    {
      /* Old programs cast to a typedef, or to the type of the shared pointer that they set: the
         value has no qualifiers. */
      if (!(a->kind == EXPR_LOAD || type_is_shared (a->type) || to->typedef_decl))
        (to->kind == TYPE_POINTER ? warning_at : error_at) (
            where, "cast of %s to shared type %s (UPC 1.3, 6.4.3)", type_text (from),
            type_text (to));
    }
  else if (type_is_pts (to) && !type_is_pts (from) && !is_null_constant (a))
    error_at (where,
              from->kind == TYPE_POINTER
                  ? "pointer-to-local %s cannot be cast to pointer-to-shared %s "
                    "(UPC 1.3, 6.4.3)"
                  : "%s cannot be cast to pointer-to-shared %s (UPC 1.3, 6.4.3)",
              type_text (from), type_text (to));
  else if (type_is_pts (from) && !type_is_integer (to) && to->kind != TYPE_POINTER
           && to->kind != TYPE_VOID)
    error_at (where, "%s cannot be cast to %s", type_text (from), type_text (to));
  else
    check_inner_levels (from, to, where);
}

struct expr *
make_cast (token_index open, struct type_name *name, struct expr *a)
{
  struct expr *e;
  struct type *type = name->type;

  a = value_of (a);
  check_cast (a, type, open);
  if (type_is_shared (type))
    type = without_shared (type);
  e = new_expr (EXPR_CAST, open, unqualified (type));
  e->a = a;
  e->type_name = name;
  finish (e, a->last);
  e->translate = e->translate || name->translate || type_is_pts (value_type (a));
  fold (e);
  return e;
}

static int
size_section (int op)
{
  return op == KEY_UPC_LOCALSIZEOF ? 2 : op == KEY_UPC_BLOCKSIZEOF ? 3 : 4;
}

/* upc_localsizeof, upc_blocksizeof, upc_elemsizeof: constant, of shared types only. */
static void
set_upc_size (struct expr *e, struct type *type, struct expr *operand)
{
  const struct token *op = token_at (e->first);

  e->is_constant = true;
  if (type->kind == TYPE_UNKNOWN)
    e->is_constant = false;
  else if (!type_is_shared (type))
    error_at (e->first, "'%.*s' applied to type %s, which is not shared (UPC 1.3, 6.4.1.%d)",
              (int) op->length, op->text, type_text (type), size_section (e->op));
  else if (operand && operand->is_bit_field)
    error_at (e->first,
              "'%.*s' applied to a bit-field "
              "(UPC 1.3, 6.4.1.%d)",
              (int) op->length, op->text, size_section (e->op));
  else if (!type_is_complete (type))
    error_at (e->first,
              "'%.*s' applied to incomplete type %s "
              "(UPC 1.3, 6.4.1.%d)",
              (int) op->length, op->text, type_text (type), size_section (e->op));
  else if (e->op == KEY_UPC_LOCALSIZEOF)
    e->value = type_local_size (type);
  else
    e->value = e->op == KEY_UPC_BLOCKSIZEOF ? type_block_size (type) : type_element_size (type);
}

static void
set_plain_size (struct expr *e, struct type *type)
{
  struct size size = type_size (type);

  if (type_is_shared (type) && !type_is_complete (type) && type->kind != TYPE_VOID)
    error_at (e->first, "'sizeof' applied to incomplete type %s", type_text (type));
  e->value = size.value;
  e->times_threads = size.times_threads;
  e->is_constant = size.is_known && !size.times_threads;
}

struct expr *
make_sizeof (int op, token_index op_token, struct type_name *name, struct expr *a, token_index last)
{
  struct expr *e = new_expr (EXPR_SIZEOF, op_token, type_size_t ());
  struct type *type = name ? name->type : a->type;

  e->op = op;
  e->a = a;
  e->type_name = name;
  finish (e, last);
  e->translate = e->translate || op > FIRST_UPC_KEYWORD || (name && name->translate);
  if (op == KEY_SIZEOF)
    set_plain_size (e, type);
  else if (op == KEY_ALIGNOF)
    {
      e->is_constant = type->kind != TYPE_UNKNOWN;
      e->value = type_align (type);
    }
  else
    set_upc_size (e, type, a);
  return e;
}
