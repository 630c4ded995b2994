/* Types written as C: pointers-to-shared become names for __upc_pts, `shared` and its layout
   disappear, the rest is spelled as C spells it. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

static const char *
qualifiers (unsigned quals)
{
  return arena_format (
      "%s%s%s%s", quals & QUAL_CONST ? "const " : "", quals & QUAL_VOLATILE ? "volatile " : "",
      quals & QUAL_RESTRICT ? "__restrict " : "", quals & QUAL_ATOMIC ? "_Atomic " : "");
}

static bool
is_visible (const struct decl *name)
{
  return !name->is_hidden && (name->scope_depth == 0 || !is_initialising);
}

/* A name of ours for RECORD. Where its definition is written already, all is written
   once more. */
static const char *
give_name (struct record *record)
{
  const char *keyword = record->is_union ? "union" : "struct";

  if (record->given_name)
    return record->given_name;
  if (!record->tag)
    {
      const char *tag = arena_format ("__upc_anonymous_%u", record->first);

      insert_before (record->open, arena_format ("%s ", tag));
      return record->given_name = arena_format ("%s %s", keyword, tag);
    }
  record->given_name = arena_format ("__upc_%s_%u", record->tag->text, record->first);
  insert_before (
      declaration_around (record->first)->first,
      arena_format ("typedef %s %s %s; ", keyword, record->tag->text, record->given_name));
  return record->given_name;
}

const char *
record_name (struct record *record)
{
  /* With a tag an anonymous member would be none; its members are the outer one's. */
  while (record->around && !record->tag)
    record = record->around;
  if (record->tag && record->is_hidden && record->is_local)
    error_at (record->first, "tag '%s' is shadowed in an inner scope; rename one of them",
              record->tag->text);
  if (record->tag && (!record->is_hidden || record->is_local))
    return arena_format ("%s %s", record->is_union ? "union" : "struct", record->tag->text);
  if (!record->tag && record->typedef_decl && is_visible (record->typedef_decl))
    return record->typedef_decl->name->text;
  return give_name (record);
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
      if (type->enumeration->tag && !type->enumeration->is_hidden)
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
      return type->length ? gen_buffered (type->length) : "*";
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
    return join (
        arena_format ("%s%s", qualifiers (type->quals & ~QUAL_RESTRICT), pointer_type_name (type)),
        inner);
  if (type->typedef_decl && !type->has_shared && is_visible (type->typedef_decl))
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

/* NAME declared as a pointer to TYPE, which is C's. Only where that is part of an array or
   function the name stands inside of it. */
static const char *
declare_pointer (struct type *type, const char *name)
{
  const char *text = declare (type, "");

  if (text[strcspn (text, "([")])
    return declare (pointer_to (type), name);
  return arena_format ("%s *%s", text, name);
}

const char *
pointer_type (const struct type *type)
{
  return declare_pointer (without_shared (ultimate_type (type)), "");
}

const char *
declare_value (const struct type *type, const char *name)
{
  return declare (unqualified (without_shared ((struct type *) type)), name);
}

const char *
declare_address (const struct type *type, const char *name)
{
  return declare_pointer (unqualified (without_shared ((struct type *) type)), name);
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
  if (type_involves_shared (name->type))
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
      if (type_involves_shared (p->type))
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
  if (!record->tag && (!record->typedef_decl || alone) && !record->around)
    give_name (record);
  copy (part->first, record->open);
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
gen_moved (struct part *moved)
{
  for (; moved; moved = moved->next)
    {
      gen_part (moved, true);
      put ("; ");
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
