/* Types as people write them, for messages. */

#include "tools/upc2c/ast/ast.h"

#include <string.h>

static const char *const basic_names[] = {
  [TYPE_VOID] = "void",
  [TYPE_BOOL] = "_Bool",
  [TYPE_CHAR] = "char",
  [TYPE_SCHAR] = "signed char",
  [TYPE_UCHAR] = "unsigned char",
  [TYPE_SHORT] = "short",
  [TYPE_USHORT] = "unsigned short",
  [TYPE_INT] = "int",
  [TYPE_UINT] = "unsigned int",
  [TYPE_LONG] = "long",
  [TYPE_ULONG] = "unsigned long",
  [TYPE_LLONG] = "long long",
  [TYPE_ULLONG] = "unsigned long long",
  [TYPE_INT128] = "__int128",
  [TYPE_UINT128] = "unsigned __int128",
  [TYPE_FLOAT16] = "_Float16",
  [TYPE_BFLOAT16] = "__bf16",
  [TYPE_FLOAT] = "float",
  [TYPE_FLOAT32] = "_Float32",
  [TYPE_DOUBLE] = "double",
  [TYPE_FLOAT64] = "_Float64",
  [TYPE_FLOAT32X] = "_Float32x",
  [TYPE_LDOUBLE] = "long double",
  [TYPE_FLOAT64X] = "_Float64x",
  [TYPE_FLOAT128] = "_Float128",
  [TYPE_DECIMAL32] = "_Decimal32",
  [TYPE_DECIMAL64] = "_Decimal64",
  [TYPE_DECIMAL128] = "_Decimal128",
  [TYPE_VA_LIST] = "__builtin_va_list",
};

const char *
basic_type_name (enum type_kind kind)
{
  return kind < sizeof basic_names / sizeof *basic_names ? basic_names[kind] : NULL;
}

static const char *plain_text (const struct type *type);

static const char *
tag_text (const char *keyword, const struct name *tag, const struct decl *namer)
{
  if (tag)
    return arena_format ("%s %s", keyword, tag->text);
  return namer ? namer->name->text : arena_format ("%s <anonymous>", keyword);
}

static const char *
core_text (const struct type *type)
{
  switch (type->kind)
    {
    case TYPE_STRUCT:
      return tag_text ("struct", type->record->tag, type->record->typedef_decl);
    case TYPE_UNION:
      return tag_text ("union", type->record->tag, type->record->typedef_decl);
    case TYPE_ENUM:
      return tag_text ("enum", type->enumeration->tag, NULL);
    case TYPE_COMPLEX:
      return arena_format ("_Complex %s", plain_text (type->base));
    case TYPE_VECTOR:
      return arena_format ("vector of %llu %s", (unsigned long long) type->count,
                           plain_text (type->base));
    default:
      return basic_type_name (type->kind) ? basic_type_name (type->kind) : "<unknown type>";
    }
}

static const char *
quals_text (const struct type *type)
{
  const char *layout = "";

  if (type->quals & QUAL_STAR_LAYOUT)
    layout = "[*] ";
  else if (type->quals & QUAL_SHARED && type->block == 0)
    layout = "[] ";
  else if (type->quals & QUAL_SHARED && type->block != 1)
    layout = arena_format ("[%u] ", type->block);
  return arena_format (
      "%s%s%s%s%s%s%s%s", type->quals & QUAL_STRICT ? "strict " : "",
      type->quals & QUAL_RELAXED ? "relaxed " : "", type->quals & QUAL_SHARED ? "shared " : "",
      layout, type->quals & QUAL_CONST ? "const " : "",
      type->quals & QUAL_VOLATILE ? "volatile " : "",
      type->quals & QUAL_RESTRICT ? "restrict " : "", type->quals & QUAL_ATOMIC ? "_Atomic " : "");
}

const char *
length_text (const struct type *type)
{
  switch (type->length_kind)
    {
    case LENGTH_FIXED:
      return arena_format ("[%llu]", (unsigned long long) type->count);
    case LENGTH_THREADS:
      return type->count == 1 ? "[THREADS]"
                              : arena_format ("[%llu*THREADS]", (unsigned long long) type->count);
    case LENGTH_VARIABLE:
      return "[*]";
    default:
      return "[]";
    }
}

static const char *
params_text (const struct type *type)
{
  const char *text = "";

  if (!type->function.has_prototype)
    return "()";
  if (!type->function.params && !type->function.is_variadic)
    return "(void)";
  for (struct decl *p = type->function.params; p; p = p->next)
    text = arena_format ("%s%s%s", text, *text ? ", " : "", plain_text (p->type));
  return arena_format ("(%s%s)", text, type->function.is_variadic ? ", ..." : "");
}

/* A derived type's text is built from the inside out: INNER is what stands where the
   name would. */
static const char *
derived_text (const struct type *type, const char *inner)
{
  const char *quals;

  if (type->typedef_decl && type->typedef_decl->type && type->kind != TYPE_ARRAY)
    {
      const char *own = type->quals != type->typedef_decl->type->quals ? quals_text (type) : "";

      return arena_format ("%s%s%s%s", own, type->typedef_decl->name->text, *inner ? " " : "",
                           inner);
    }
  switch (type->kind)
    {
    case TYPE_POINTER:
      quals = quals_text (type);
      inner = arena_format ("*%.*s%s", (int) strlen (quals) - (*quals && !*inner), quals, inner);
      if (type->base->kind == TYPE_ARRAY || type->base->kind == TYPE_FUNCTION)
        inner = arena_format ("(%s)", inner);
      return derived_text (type->base, inner);
    case TYPE_ARRAY:
      return derived_text (type->base, arena_format ("%s%s", inner, length_text (type)));
    case TYPE_FUNCTION:
      return derived_text (type->base, arena_format ("%s%s", inner, params_text (type)));
    default:
      return arena_format ("%s%s%s%s", quals_text (type), core_text (type), *inner ? " " : "",
                           inner);
    }
}

static const char *
plain_text (const struct type *type)
{
  return derived_text (type, "");
}

const char *
type_text (const struct type *type)
{
  return arena_format ("'%s'", plain_text (type));
}

const char *
declared_text (const struct type *type, const char *name)
{
  return derived_text (type, name);
}

/* PARAM as it was declared: an array is none to its function. */
static const char *
param_text (const struct decl *param)
{
  const struct type *type = param->declared_type ? param->declared_type : param->type;

  return derived_text (type, param->name ? param->name->text : "");
}

const char *
signature_text (const struct decl *function)
{
  const struct type *type = function->type;
  const char *list = "";

  for (struct decl *p = function->params; p; p = p->next)
    list = arena_format ("%s%s%s", list, *list ? ", " : "", param_text (p));
  if (type->function.is_variadic)
    list = arena_format ("%s%s...", list, *list ? ", " : "");
  else if (type->function.has_prototype && !function->params)
    list = "void";
  return derived_text (type->base, arena_format ("%s(%s)", function->name->text, list));
}
