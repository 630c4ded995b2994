/* enum specifiers. */

#include "tools/upc2c/parse/internal.h"

#include <limits.h>

/* The range of an enumeration's values. */
struct range
{
  bool has_negative;
  bool is_unknown;
  bool is_large; /* above what a long holds */
  uint64_t high; /* the largest */
  int64_t low;
};

/* enumerator = name attributes ("=" constant-expression)? */
static struct decl *
parse_enumerator (struct enumeration *enumeration, const struct decl *before, struct part ***tail)
{
  struct decl *decl = NEW (struct decl);
  struct attributes attributes = { 0 };

  decl->kind = DECL_ENUMERATOR;
  decl->first = decl->name_token = here;
  decl->suffix_first = NO_TOKEN;
  decl->name = token_at (expect (TOKEN_NAME, "identifier"))->name;
  decl->type = before ? before->type : type_int ();
  decl->value = before ? before->value + 1 : 0;
  parse_attributes (&attributes);
  if (accept ('='))
    {
      struct part part = { .kind = PART_EXPR, .first = here };

      part.expr = parse_conditional ();
      part.last = here - 1;
      part.translate = part.expr->translate;
      add_part (tail, part);
      decl->value = part.expr->value;
      decl->type = part.expr->is_constant ? part.expr->type : type_unknown;
    }
  if (decl->type->kind == TYPE_INT && before && decl->value == (int64_t) INT_MAX + 1)
    decl->type = type_basic (TYPE_LONG);
  if (type_is_integer (decl->type) && decl->value >= INT_MIN && decl->value <= INT_MAX)
    decl->type = type_int ();
  decl->declared_type = enumeration->type;
  decl->last = here - 1;
  declare_name (decl);
  return decl;
}

static void
widen (struct range *range, const struct decl *enumerator)
{
  if (enumerator->type->kind == TYPE_UNKNOWN)
    range->is_unknown = true;
  else if (enumerator->value < 0 && !type_is_unsigned (enumerator->type))
    {
      range->has_negative = true;
      range->low = enumerator->value < range->low ? enumerator->value : range->low;
    }
  else if ((uint64_t) enumerator->value > range->high)
    range->high = enumerator->value;
}

static enum type_kind
underlying_kind (const struct range *range, bool is_packed)
{
  bool is_signed = range->has_negative;

  if (is_packed
      && (is_signed ? range->low >= SCHAR_MIN && range->high <= SCHAR_MAX
                    : range->high <= UCHAR_MAX))
    return is_signed ? TYPE_SCHAR : TYPE_UCHAR;
  if (is_packed
      && (is_signed ? range->low >= SHRT_MIN && range->high <= SHRT_MAX : range->high <= USHRT_MAX))
    return is_signed ? TYPE_SHORT : TYPE_USHORT;
  if (is_signed ? range->low >= INT_MIN && range->high <= INT_MAX : range->high <= UINT_MAX)
    return is_signed ? TYPE_INT : TYPE_UINT;
  return is_signed ? TYPE_LONG : TYPE_ULONG;
}

static void
parse_enumerators (struct enumeration *enumeration, struct part *part,
                   struct attributes *attributes)
{
  struct decl **next = &enumeration->enumerators, *before = NULL;
  struct part **tail = &enumeration->parts;
  struct range range = { 0 };

  here++;
  while (peek () != '}')
    {
      *next = before = parse_enumerator (enumeration, before, &tail);
      next = &before->next;
      widen (&range, before);
      if (!accept (','))
        break;
    }
  expect ('}', "'}'");
  parse_attributes (attributes);
  for (struct part *p = enumeration->parts; p; p = p->next)
    part->translate = part->translate || p->translate;
  if (enumeration->is_fixed)
    {
      for (struct decl *e = enumeration->enumerators; e; e = e->next)
        e->type = enumeration->underlying;
      return;
    }
  enumeration->underlying = type_basic (
      underlying_kind (&range, attributes->is_packed || switches.short_enums));
  enumeration->is_complete = true;
  /* Those that no int holds have the type of the enumeration's. */
  for (struct decl *e = enumeration->enumerators; e; e = e->next)
    if (e->type->kind != TYPE_INT && e->type->kind != TYPE_UNKNOWN)
      e->type = enumeration->underlying;
}

/* "{", or ":" specifiers "{" */
static bool
at_enumerators (void)
{
  token_index i = here;

  if (peek () == ':' && starts_type (here + 1))
    while (token_at (i)->kind != '{' && token_at (i)->kind != ';'
           && token_at (i)->kind != TOKEN_END)
      i++;
  return token_at (i)->kind == '{';
}

static struct enumeration *
new_enumeration (struct name *tag)
{
  struct enumeration *enumeration = NEW (struct enumeration);

  enumeration->type = new_type (TYPE_ENUM, NULL);
  enumeration->type->enumeration = enumeration;
  enumeration->underlying = type_basic (TYPE_UINT);
  enumeration->tag = tag;
  return enumeration;
}

/* ":" specifiers, of C23. Not the width of a bit-field. */
static void
parse_underlying (struct enumeration *enumeration, struct part *part)
{
  struct attributes ignored = { 0 };
  struct specifiers *specifiers;

  if (peek () != ':' || !starts_type (here + 1))
    return;
  here++;
  specifiers = parse_specifiers (&ignored);
  part->translate = part->translate || specifiers->translate;
  enumeration->underlying = unqualified (specifiers->type);
  enumeration->is_fixed = enumeration->is_complete = true;
}

/* enum-specifier = "enum" attributes tag? (":" specifiers)? ("{" enumerator ("," enumerator)* ","? "}"
                    attributes)? */
struct type *
parse_enum (struct part *part)
{
  struct attributes attributes = { 0 };
  token_index first = advance ();
  struct name *tag = NULL;
  struct enumeration *enumeration;

  parse_attributes (&attributes);
  if (peek () == TOKEN_NAME)
    tag = token_at (advance ())->name;
  else if (peek () != '{' && peek () != ':')
    expect ('{', "'{' or tag");
  part->is_definition = at_enumerators ();
  if (tag && tag->tag && tag->tag->kind == TYPE_ENUM
      && (!part->is_definition
          || (tag->tag->scope_depth == scope_depth ()
              && (!tag->tag->type->enumeration->is_complete
                  || tag->tag->type->enumeration->is_fixed))))
    enumeration = tag->tag->type->enumeration;
  else
    {
      enumeration = new_enumeration (tag);
      if (tag)
        declare_tag (tag, TYPE_ENUM, enumeration->type);
    }
  part->enumeration = enumeration;
  parse_underlying (enumeration, part);
  if (part->is_definition)
    {
      enumeration->first = first;
      parse_enumerators (enumeration, part, &attributes);
      enumeration->last = here - 1;
    }
  return enumeration->type;
}
