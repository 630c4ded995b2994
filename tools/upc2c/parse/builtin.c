/* Builtins of gcc and clang that have a grammar of their own. */

#include "tools/upc2c/parse/internal.h"

#include <string.h>

/* Arguments of a builtin that may be types. */
enum
{
  MAX_ARGUMENTS = 64
};

struct arguments
{
  struct type_name *names[MAX_ARGUMENTS];
  struct expr *items[MAX_ARGUMENTS];
  uint32_t name_count, count;
  bool translate;
};

static void
parse_arguments (struct arguments *args)
{
  expect ('(', "'('");
  while (peek () != ')')
    {
      if (args->count + args->name_count == MAX_ARGUMENTS)
        syntax_error (here, "more than %d arguments to builtin function", MAX_ARGUMENTS);
      if (at_type ())
        {
          struct type_name *name = parse_type_name ();

          args->translate = args->translate || name->translate;
          args->names[args->name_count++] = name;
        }
      else
        {
          struct expr *e = parse_assignment ();

          args->translate = args->translate || e->translate;
          args->items[args->count++] = e;
        }
      if (!accept (','))
        break;
    }
}

/* designator = name ("." name | "->" name | "[" expression "]")* */
static void
parse_offset_designator (struct expr *e, struct type *type, struct arguments *indices)
{
  int64_t offset = 0;
  bool is_known = true, is_first = true;

  for (;; is_first = false)
    if (is_first || peek () == '.' || peek () == TOKEN_ARROW)
      {
        struct decl *member = NULL;
        uint64_t at = 0;
        struct name *name;

        here += !is_first;
        name = token_at (here)->name;
        if (!name)
          expect (TOKEN_NAME, "member name");
        here++;
        if (type_is_record (type))
          member = find_member (type->record, name, &at);
        offset += at;
        is_known = is_known && member && !type->record->is_unsure && !member->is_bit_field;
        type = member ? member->type : type_unknown;
      }
    else if (peek () == '[')
      {
        struct expr *index;
        int64_t at;

        here++;
        index = value_of (parse_expression ());
        if (indices->count < MAX_ARGUMENTS)
          indices->items[indices->count++] = index;
        indices->translate = indices->translate || index->translate;
        expect (']', "']'");
        type = type->kind == TYPE_ARRAY ? type->base : type_unknown;
        is_known = is_known && index->is_constant && type_size (type).is_known
                   && !__builtin_mul_overflow (index->value, (int64_t) type_size (type).value, &at)
                   && !__builtin_add_overflow (offset, at, &offset);
      }
    else
      break;
  e->is_constant = is_known;
  e->value = offset;
}

/* offsetof = "__builtin_offsetof" "(" type-name "," designator ")" */
static struct expr *
parse_offsetof (void)
{
  struct expr *e = new_expr (EXPR_OFFSETOF, advance (), type_size_t ());
  struct arguments indices = { .count = 0 };

  expect ('(', "'('");
  e->type_name = parse_type_name ();
  expect (',', "','");
  parse_offset_designator (e, e->type_name->type, &indices);
  e->list = new_expr_list (indices.items, indices.count);
  e->translate = e->type_name->translate || indices.translate;
  return finish (e, expect (')', "')'"));
}

/* va-arg = "__builtin_va_arg" "(" assignment "," type-name ")" */
static struct expr *
parse_va_arg (void)
{
  struct expr *e = new_expr (EXPR_VA_ARG, advance (), type_unknown);

  expect ('(', "'('");
  e->a = parse_assignment ();
  expect (',', "','");
  e->type_name = parse_type_name ();
  e->type = unqualified (e->type_name->type);
  e->translate = e->type_name->translate;
  return finish (e, expect (')', "')'"));
}

static bool
are_alike (struct type *a, struct type *b)
{
  return types_match_unqualified (a, b) && type_is_shared (a) == type_is_shared (b)
         && block_of (a) == block_of (b);
}

/* assert-type = "__builtin_upct_assert_type" "(" assignment "," type-name ")": what Berkeley
   UPC's bupc_assert_type is. Its value is 0. */
static struct expr *
parse_assert_type (void)
{
  struct expr *e = new_expr (EXPR_TYPES_COMPATIBLE, advance (), type_int ()), *a;
  struct type *wanted;

  expect ('(', "'('");
  a = parse_assignment ();
  expect (',', "','");
  wanted = parse_type_name ()->type;
  if (ultimate_type (a->type)->kind != TYPE_UNKNOWN && ultimate_type (wanted)->kind != TYPE_UNKNOWN
      && !are_alike (a->type, wanted))
    warning_at (a->first, "bupc_assert_type: the expression has type %s, not %s",
                type_text (a->type), type_text (wanted));
  e->is_constant = true;
  e->translate = true;
  return finish (e, expect (')', "')'"));
}

static void
finish_types_compatible (struct expr *e, const struct arguments *args)
{
  struct type *a, *b;

  e->type = type_int ();
  if (args->name_count != 2)
    return;
  e->kind = EXPR_TYPES_COMPATIBLE;
  a = args->names[0]->type;
  b = args->names[1]->type;
  if (ultimate_type (a)->kind == TYPE_UNKNOWN || ultimate_type (b)->kind == TYPE_UNKNOWN)
    return;
  e->is_constant = true;
  e->value = are_alike (a, b);
}

static void
finish_choose (struct expr *e, struct arguments *args)
{
  if (args->count != 3)
    return;
  e->kind = EXPR_CHOOSE;
  if (!args->items[0]->is_constant)
    return;
  e->a = args->items[args->items[0]->value ? 1 : 2];
  e->type = e->a->type;
  e->is_lvalue = e->a->is_lvalue;
  e->is_strict = e->a->is_strict;
  e->is_constant = e->a->is_constant;
  e->value = e->a->value;
}

/* Any other builtin: each argument is an expression or a type. */
static struct expr *
parse_any (void)
{
  struct expr *e = new_expr (EXPR_BUILTIN_TYPES, here, type_unknown);
  const struct token *name = token_at (advance ());
  struct arguments args = { .count = 0 };
  token_index close;

  parse_arguments (&args);
  close = expect (')', "')'");
  e->names = arena_alloc (args.name_count * sizeof *e->names);
  memcpy (e->names, args.names, args.name_count * sizeof *e->names);
  if (token_is (name, "__builtin_types_compatible_p"))
    finish_types_compatible (e, &args);
  else if (token_is (name, "__builtin_choose_expr"))
    finish_choose (e, &args);
  else if (token_is (name, "__builtin_complex") && args.count == 2)
    e->type = complex_of (value_type (args.items[0]));
  else if (args.name_count == 1)
    e->type = unqualified (args.names[0]->type);
  if (e->kind == EXPR_BUILTIN_TYPES)
    for (uint32_t i = 0; i < args.count; i++)
      args.items[i] = value_of (args.items[i]);
  e->list = new_expr_list (args.items, args.count);
  e->translate = args.translate;
  return finish (e, close);
}

static const char *const special[] = {
  "__builtin_types_compatible_p", "__builtin_choose_expr", "__builtin_complex",
  "__builtin_convertvector",      "__builtin_bit_cast",    "__builtin_has_attribute",
  "__builtin_upct_assert_type",
};

static bool
is_special (const struct token *token)
{
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (token_is (token, special[i]))
      return true;
  return false;
}

/* Whether a builtin is next that is no call like others. */
bool
at_builtin (void)
{
  const struct token *token = token_at (here);

  return peek_behind (1) == '(' && strncmp (token->name->text, "__builtin_", 10) == 0
         && (is_special (token) || token_is (token, "__builtin_va_arg")
             || token_is (token, "__builtin_offsetof"));
}

struct expr *
parse_builtin (void)
{
  const struct token *token = token_at (here);

  if (token_is (token, "__builtin_va_arg"))
    return parse_va_arg ();
  if (token_is (token, "__builtin_offsetof"))
    return parse_offsetof ();
  if (token_is (token, "__builtin_upct_assert_type"))
    return parse_assert_type ();
  if (token_is (token, "__builtin_has_attribute"))
    {
      struct expr *e = new_expr (EXPR_UNKNOWN, advance (), type_int ());

      skip_parens ();
      return finish (e, here - 1);
    }
  return parse_any ();
}
