/* Types written as C: pointers-to-shared become __upc_pts, `shared` and its layout
   disappear, the rest is spelled as C spells it. */

#include "tools/upc2c/gen.h"

#include <string.h>

static const char *
qualifiers (unsigned quals)
{
  return arena_format ("%s%s%s%s", quals & QUAL_CONST ? "const " : "",
                       quals & QUAL_VOLATILE ? "volatile " : "",
                       quals & QUAL_RESTRICT ? "__restrict " : "",
                       quals & QUAL_ATOMIC ? "_Atomic " : "");
}

/* A member without a name: with a tag it would declare no member. */
static bool
is_anonymous_member (const struct record *record)
{
  return !record->tag && !record->typedef_decl && record->example && !record->example->name;
}

/* The struct that has MEMBER's name in it. */
static struct record *
enclosing_record (const struct decl *member)
{
  struct record *record = member->parent;

  while (is_anonymous_member (record))
    record = record->example->parent;
  return record;
}

/* RECORD as the type of an expression made of its example. */
static const char *
exemplified (const struct record *record)
{
  const struct decl *decl = record->example;
  const char *name = decl->name->text;

  if (decl->kind == DECL_MEMBER)
    name = arena_format ("((%s *) 0)->%s", record_name (enclosing_record (decl)), name);
  else if (decl->kind == DECL_TYPEDEF)
    name = arena_format ("(*(%s *) 0)", name);
  for (const struct type *type = decl->type; !type_is_record (type); type = type->base)
    name = arena_format ("%s[0]", name);
  return arena_format ("__typeof__ (%s)", name);
}

/* A record without a tag gets one where its definition is ours to write (name_record);
   else a typedef helps, or what is declared of it. */
const char *
record_name (struct record *record)
{
  const char *keyword = record->is_union ? "union" : "struct";

  if (record->tag)
    return arena_format ("%s %s", keyword, record->tag->text);
  if (record->typedef_decl)
    return record->typedef_decl->name->text;
  if (record->example && !is_anonymous_member (record))
    return exemplified (record);
  error_at (record->first, "a %s without a tag cannot be named in the translation: give it one",
            keyword);
  return keyword;
}

static void
name_record (struct record *record)
{
  const char *tag = arena_format ("__upc_anonymous_%u", record->first);

  record->tag = intern (tag, strlen (tag));
  put (tag);
  put (" ");
}

static const char *
base_name (const struct type *type)
{
  switch (type->kind)
    {
    case TYPE_UNKNOWN:
      return "int";
    case TYPE_STRUCT:
    case TYPE_UNION:
      return record_name (type->record);
    case TYPE_ENUM:
      if (type->enumeration->tag)
        return arena_format ("enum %s", type->enumeration->tag->text);
      return base_name (type->enumeration->underlying);
    case TYPE_COMPLEX:
      return arena_format ("_Complex %s", base_name (type->base));
    case TYPE_VECTOR:
      return arena_format ("__attribute__ ((__vector_size__ (%lu))) %s",
                           (unsigned long) type_size (type).value, base_name (type->base));
    default:
      return basic_type_name (type->kind);
    }
}

static const char *
join (const char *specifiers, const char *inner)
{
  size_t n = strlen (specifiers);

  return arena_format ("%s%s%s", specifiers, *inner && n && specifiers[n - 1] != ' ' ? " " : "",
                       inner);
}

static const char *
array_length (const struct type *type)
{
  switch (type->length_kind)
    {
    case LENGTH_UNKNOWN:
      return "";
    case LENGTH_THREADS:
      return arena_format ("%lu * __upc_threads", (unsigned long) type->count);
    case LENGTH_VARIABLE:
      return type->length ? gen_captured (type->length) : "*";
    default:
      return arena_format ("%lu", (unsigned long) type->count);
    }
}

static const char *
parameters (const struct type *type)
{
  const char *list = "";

  if (!type->function.has_prototype)
    return "";
  if (!type->function.params)
    return type->function.is_variadic ? "..." : "void";
  for (struct decl *p = type->function.params; p; p = p->next)
    list = arena_format ("%s%s%s", list, *list ? ", " : "",
                         declare (p->type, p->name ? p->name->text : ""));
  return type->function.is_variadic ? arena_format ("%s, ...", list) : list;
}

const char *
declare (const struct type *type, const char *inner)
{
  const char *quals = qualifiers (type->quals);

  if (type_is_pts (type))
    return join (arena_format ("%s__upc_pts", qualifiers (type->quals & ~QUAL_RESTRICT)), inner);
  if (type->typedef_decl && !type->has_shared)
    return join (arena_format ("%s%s", quals, type->typedef_decl->name->text), inner);
  switch (type->kind)
    {
    case TYPE_POINTER:
      inner = arena_format ("*%s%s", quals, inner);
      if (type->base->kind == TYPE_ARRAY || type->base->kind == TYPE_FUNCTION)
        inner = arena_format ("(%s)", inner);
      return declare (type->base, inner);
    case TYPE_ARRAY:
      return declare (type->base, arena_format ("%s[%s]", inner, array_length (type)));
    case TYPE_FUNCTION:
      return declare (type->base, arena_format ("%s (%s)", inner, parameters (type)));
    default:
      return join (arena_format ("%s%s", quals, base_name (type)), inner);
    }
}

const char *
plain_type (const struct type *type)
{
  if (type->kind == TYPE_ARRAY)
    return declare (without_shared ((struct type *) type), "");
  return declare (unqualified ((struct type *) type), "");
}

const char *
element_type (const struct type *type)
{
  return declare (without_shared (ultimate_type (type)), "");
}

void
gen_type_name (const struct type_name *name)
{
  if (!name->translate)
    {
      copy (name->first, name->last);
      return;
    }
  open_at (name->first);
  if (name->type->has_shared || type_is_shared (name->type))
    put (declare (without_shared (name->type), ""));
  else
    {
      struct specifiers *s = name->specifiers;

      gen_parts (s->parts, s->first, s->last);
      if (name->declarator)
        gen_parts (name->declarator->parts, name->declarator->declarator_first,
                   name->declarator->declarator_last);
    }
  close_at (name->last);
}

static void
gen_parameters (struct part *part)
{
  token_index at = part->first;

  for (struct decl *p = part->params; p; p = p->next)
    {
      if (p->first == NO_TOKEN || !p->translate)
        continue;
      if (p->first > 0)
        copy (at, p->first - 1);
      open_at (p->first);
      if (p->type->has_shared || type_is_shared (p->type))
        put (declare (without_shared (p->type), p->name ? p->name->text : ""));
      else
        {
          if (p->specifiers)
            gen_parts (p->specifiers->parts, p->specifiers->first, p->specifiers->last);
          if (p->declarator_first <= p->declarator_last)
            gen_parts (p->parts, p->declarator_first, p->declarator_last);
        }
      close_at (p->last);
      at = p->last + 1;
    }
  copy (at, part->last);
}

static void
gen_record (struct part *part, bool alone)
{
  struct record *record = part->record;

  if (!part->is_definition || record->open == NO_TOKEN)
    {
      copy (part->first, part->last);
      return;
    }
  copy (part->first, record->open - 1);
  if (!record->tag && (!record->typedef_decl || alone) && !is_anonymous_member (record))
    name_record (record);
  copy (record->open, record->open);
  for (struct declaration *d = record->declarations; d; d = d->next)
    gen_declaration (d);
  copy (record->close, part->last);
}

void
gen_part (struct part *part, bool alone)
{
  switch (part->kind)
    {
    case PART_EXPR:
      gen_expr (part->expr);
      break;
    case PART_TYPE_NAME:
      gen_type_name (part->type_name);
      break;
    case PART_RECORD:
      gen_record (part, alone);
      break;
    case PART_PARAMS:
      gen_parameters (part);
      break;
    case PART_ENUM:
      gen_parts (part->is_definition ? part->enumeration->parts : NULL, part->first, part->last);
      break;
    }
}

void
gen_parts (struct part *parts, token_index first, token_index last)
{
  for (struct part *part = parts; part; part = part->next)
    {
      if (!part->translate || part->first < first || part->last > last)
        continue;
      if (part->first > first)
        copy (first, part->first - 1);
      gen_part (part, false);
      first = part->last + 1;
    }
  copy (first, last);
}
