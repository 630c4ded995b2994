/* Builtin functions of gcc and clang: those with a grammar of their own, and what the
   others return. A builtin without a row here has an unknown type, which only matters
   where it meets a pointer-to-shared. */

#include "tools/upc2c/front.h"
#include "tools/upc2c/parse.h"

#include <string.h>

enum result
{
  RESULT_KIND,    /* the basic type of the row */
  RESULT_POINTER, /* void * */
  RESULT_FIRST,   /* the type of the first argument */
  RESULT_POINTEE  /* what the first argument points to */
};

static const struct
{
  const char *name;
  enum result result;
  enum type_kind kind;
} rows[] = {
  { "__builtin_abort", RESULT_KIND, TYPE_VOID },
  { "__builtin_abs", RESULT_KIND, TYPE_INT },
  { "__builtin_add_overflow", RESULT_KIND, TYPE_BOOL },
  { "__builtin_sub_overflow", RESULT_KIND, TYPE_BOOL },
  { "__builtin_mul_overflow", RESULT_KIND, TYPE_BOOL },
  { "__builtin_alloca", RESULT_POINTER, 0 },
  { "__builtin_alloca_with_align", RESULT_POINTER, 0 },
  { "__builtin_assume_aligned", RESULT_POINTER, 0 },
  { "__builtin_bswap16", RESULT_KIND, TYPE_USHORT },
  { "__builtin_bswap32", RESULT_KIND, TYPE_UINT },
  { "__builtin_bswap64", RESULT_KIND, TYPE_ULONG },
  { "__builtin_bswap128", RESULT_KIND, TYPE_UINT128 },
  { "__builtin_calloc", RESULT_POINTER, 0 },
  { "__builtin_clz", RESULT_KIND, TYPE_INT },
  { "__builtin_clzl", RESULT_KIND, TYPE_INT },
  { "__builtin_clzll", RESULT_KIND, TYPE_INT },
  { "__builtin_constant_p", RESULT_KIND, TYPE_INT },
  { "__builtin_ctz", RESULT_KIND, TYPE_INT },
  { "__builtin_ctzl", RESULT_KIND, TYPE_INT },
  { "__builtin_ctzll", RESULT_KIND, TYPE_INT },
  { "__builtin_expect", RESULT_KIND, TYPE_LONG },
  { "__builtin_expect_with_probability", RESULT_KIND, TYPE_LONG },
  { "__builtin_fabs", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_fabsf", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_fabsl", RESULT_KIND, TYPE_LDOUBLE },
  { "__builtin_ffs", RESULT_KIND, TYPE_INT },
  { "__builtin_ffsl", RESULT_KIND, TYPE_INT },
  { "__builtin_ffsll", RESULT_KIND, TYPE_INT },
  { "__builtin_frame_address", RESULT_POINTER, 0 },
  { "__builtin_free", RESULT_KIND, TYPE_VOID },
  { "__builtin_huge_val", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_huge_valf", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_huge_vall", RESULT_KIND, TYPE_LDOUBLE },
  { "__builtin_inf", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_inff", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_infl", RESULT_KIND, TYPE_LDOUBLE },
  { "__builtin_isfinite", RESULT_KIND, TYPE_INT },
  { "__builtin_isgreater", RESULT_KIND, TYPE_INT },
  { "__builtin_isgreaterequal", RESULT_KIND, TYPE_INT },
  { "__builtin_isinf", RESULT_KIND, TYPE_INT },
  { "__builtin_isinf_sign", RESULT_KIND, TYPE_INT },
  { "__builtin_isless", RESULT_KIND, TYPE_INT },
  { "__builtin_islessequal", RESULT_KIND, TYPE_INT },
  { "__builtin_islessgreater", RESULT_KIND, TYPE_INT },
  { "__builtin_isnan", RESULT_KIND, TYPE_INT },
  { "__builtin_isnormal", RESULT_KIND, TYPE_INT },
  { "__builtin_isunordered", RESULT_KIND, TYPE_INT },
  { "__builtin_fpclassify", RESULT_KIND, TYPE_INT },
  { "__builtin_signbit", RESULT_KIND, TYPE_INT },
  { "__builtin_signbitf", RESULT_KIND, TYPE_INT },
  { "__builtin_signbitl", RESULT_KIND, TYPE_INT },
  { "__builtin_malloc", RESULT_POINTER, 0 },
  { "__builtin_memchr", RESULT_POINTER, 0 },
  { "__builtin_memcmp", RESULT_KIND, TYPE_INT },
  { "__builtin_memcpy", RESULT_POINTER, 0 },
  { "__builtin_memmove", RESULT_POINTER, 0 },
  { "__builtin_mempcpy", RESULT_POINTER, 0 },
  { "__builtin_memset", RESULT_POINTER, 0 },
  { "__builtin_nan", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_nanf", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_nanl", RESULT_KIND, TYPE_LDOUBLE },
  { "__builtin_object_size", RESULT_KIND, TYPE_ULONG },
  { "__builtin_dynamic_object_size", RESULT_KIND, TYPE_ULONG },
  { "__builtin_parity", RESULT_KIND, TYPE_INT },
  { "__builtin_parityl", RESULT_KIND, TYPE_INT },
  { "__builtin_parityll", RESULT_KIND, TYPE_INT },
  { "__builtin_popcount", RESULT_KIND, TYPE_INT },
  { "__builtin_popcountl", RESULT_KIND, TYPE_INT },
  { "__builtin_popcountll", RESULT_KIND, TYPE_INT },
  { "__builtin_prefetch", RESULT_KIND, TYPE_VOID },
  { "__builtin_printf", RESULT_KIND, TYPE_INT },
  { "__builtin_realloc", RESULT_POINTER, 0 },
  { "__builtin_return_address", RESULT_POINTER, 0 },
  { "__builtin_sprintf", RESULT_KIND, TYPE_INT },
  { "__builtin_sqrt", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_sqrtf", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_strcmp", RESULT_KIND, TYPE_INT },
  { "__builtin_strlen", RESULT_KIND, TYPE_ULONG },
  { "__builtin_strncmp", RESULT_KIND, TYPE_INT },
  { "__builtin_trap", RESULT_KIND, TYPE_VOID },
  { "__builtin_unreachable", RESULT_KIND, TYPE_VOID },
  { "__builtin_va_copy", RESULT_KIND, TYPE_VOID },
  { "__builtin_va_end", RESULT_KIND, TYPE_VOID },
  { "__builtin_va_start", RESULT_KIND, TYPE_VOID },
  { "__builtin_shuffle", RESULT_FIRST, 0 },
  { "__sync_fetch_and_", RESULT_POINTEE, 0 },
  { "__sync_bool_", RESULT_KIND, TYPE_BOOL },
  { "__sync_val_", RESULT_POINTEE, 0 },
  { "__sync_add_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_sub_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_or_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_and_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_xor_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_nand_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_lock_test_and_set", RESULT_POINTEE, 0 },
  { "__sync_lock_release", RESULT_KIND, TYPE_VOID },
  { "__sync_synchronize", RESULT_KIND, TYPE_VOID },
  { "__atomic_compare_exchange", RESULT_KIND, TYPE_BOOL },
  { "__atomic_test_and_set", RESULT_KIND, TYPE_BOOL },
  { "__atomic_is_lock_free", RESULT_KIND, TYPE_BOOL },
  { "__atomic_always_lock_free", RESULT_KIND, TYPE_BOOL },
  { "__atomic_store", RESULT_KIND, TYPE_VOID },
  { "__atomic_clear", RESULT_KIND, TYPE_VOID },
  { "__atomic_thread_fence", RESULT_KIND, TYPE_VOID },
  { "__atomic_signal_fence", RESULT_KIND, TYPE_VOID },
  { "__atomic_load_n", RESULT_POINTEE, 0 },
  { "__atomic_exchange_n", RESULT_POINTEE, 0 },
  { "__atomic_load", RESULT_KIND, TYPE_VOID },
  { "__atomic_exchange", RESULT_KIND, TYPE_VOID },
  { "__atomic_fetch_", RESULT_POINTEE, 0 },
  { "__atomic_add_fetch", RESULT_POINTEE, 0 },
  { "__atomic_sub_fetch", RESULT_POINTEE, 0 },
  { "__atomic_and_fetch", RESULT_POINTEE, 0 },
  { "__atomic_or_fetch", RESULT_POINTEE, 0 },
  { "__atomic_xor_fetch", RESULT_POINTEE, 0 },
  { "__atomic_nand_fetch", RESULT_POINTEE, 0 },
};

/* __sync_ and __atomic_ come in families: their rows are prefixes. */
static bool
is_row_of (const char *row, const struct name *name)
{
  size_t length = strlen (row);

  if (strncmp (row, "__builtin_", 10) == 0)
    return length == name->length && memcmp (row, name->text, length) == 0;
  return name->length >= length && memcmp (row, name->text, length) == 0;
}

/* The row, from 1; kept in the name so that it is looked for once. */
static uint16_t
row_of (struct name *name)
{
  if (!name->builtin)
    {
      name->builtin = UINT16_MAX;
      for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_row_of (rows[i].name, name))
          {
            name->builtin = i + 1;
            break;
          }
    }
  return name->builtin;
}

/* What a call of NAME returns, which is not declared. Of __builtin_foo without a row,
   that is what foo returns. */
struct type *
builtin_result (struct name *name, struct expr **args, uint32_t count, bool *is_builtin)
{
  uint16_t row = row_of (name);
  struct type *first = count ? value_type (args[0]) : type_unknown;

  *is_builtin = row != UINT16_MAX;
  if (!*is_builtin)
    {
      struct name *plain = strncmp (name->text, "__builtin_", 10) == 0
                             ? intern (name->text + 10, name->length - 10)
                             : name;

      return plain->decl && plain->decl->kind == DECL_FUNCTION
               ? unqualified (plain->decl->type->base)
               : NULL;
    }
  switch (rows[row - 1].result)
    {
    case RESULT_KIND:
      return type_basic (rows[row - 1].kind);
    case RESULT_POINTER:
      return pointer_to (type_void);
    case RESULT_FIRST:
      return first;
    default:
      return first->kind == TYPE_POINTER ? unqualified (first->base) : type_unknown;
    }
}

/* Arguments of a builtin that may be types. */
enum { MAX_ARGUMENTS = 64 };

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
        syntax_error (here, "more than %d arguments of a builtin", MAX_ARGUMENTS);
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
          expect (TOKEN_NAME, "a member's name");
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
  e->value = types_match_unqualified (a, b) && type_is_shared (a) == type_is_shared (b)
             && block_of (a) == block_of (b);
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
  e->names = arena (args.name_count * sizeof *e->names);
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
  "__builtin_convertvector", "__builtin_bit_cast", "__builtin_has_attribute",
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
  if (token_is (token, "__builtin_has_attribute"))
    {
      struct expr *e = new_expr (EXPR_UNKNOWN, advance (), type_int ());

      skip_parens ();
      return finish (e, here - 1);
    }
  return parse_any ();
}
