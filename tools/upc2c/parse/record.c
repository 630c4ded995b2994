/* struct and union specifiers. */

#include "tools/upc2c/parse/internal.h"

#include <string.h>

struct record *
new_record (enum type_kind kind, struct name *tag)
{
  struct record *record = NEW (struct record);

  record->type = new_type (kind, NULL);
  record->type->record = record;
  record->tag = tag;
  record->is_union = kind == TYPE_UNION;
  record->open = record->close = record->tag_token = NO_TOKEN;
  return record;
}

void
declare_tag (struct name *name, enum type_kind kind, struct type *type)
{
  struct tag *tag = NEW (struct tag);

  tag->kind = kind;
  tag->type = type;
  bind_tag (name, tag);
}

/* The record that `struct NAME` means here. A definition, or `struct NAME;`, never
   means one of an outer scope. */
static struct record *
record_of_tag (enum type_kind kind, struct name *name, bool is_own)
{
  struct record *record;

  if (name && name->tag && name->tag->kind == kind
      && (!is_own || name->tag->scope_depth == scope_depth ()))
    {
      record = name->tag->type->record;
      /* A second definition is a mistake that the compiler names. */
      if (!is_own || !record->is_complete || peek () == ';')
        return record;
    }
  record = new_record (kind, name);
  if (name)
    declare_tag (name, kind, record->type);
  return record;
}

/* The limit of #pragma pack that is in effect at the next token. */
static uint32_t
pack_in_effect (void)
{
  static uint32_t next;
  static uint32_t pack;

  /* The parser only moves forward, and so does this. */
  for (; next < unit.pragma_count && unit.pragmas[next].before <= here; next++)
    if (unit.pragmas[next].kind == PRAGMA_PACK)
      pack = unit.pragmas[next].value;
  return pack ? pack : switches.pack;
}

static struct decl *
new_member (struct record *record, struct specifiers *specifiers)
{
  struct decl *member = NEW (struct decl);

  member->kind = DECL_MEMBER;
  member->type = member->declared_type = specifiers->type;
  member->specifiers = specifiers;
  member->parent = record;
  member->name_token = member->suffix_first = NO_TOKEN;
  member->first = member->declarator_first = here;
  member->last = member->declarator_last = here - 1;
  return member;
}

/* ":" constant-expression */
static void
parse_width (struct decl *member)
{
  struct part **tail = &member->parts;
  struct part part = { .kind = PART_EXPR, .first = here + 1 };

  here++;
  member->is_bit_field = true;
  member->width = part.expr = parse_conditional ();
  part.last = here - 1;
  part.translate = part.expr->translate;
  member->translate = member->translate || part.translate;
  while (*tail)
    tail = &(*tail)->next;
  add_part (&tail, part);
  if (part.expr->is_constant && part.expr->value >= 0 && part.expr->value <= 128)
    member->bit_width = part.expr->value;
  else
    member->parent->is_unsure = true;
}

static void
add_attributes (struct decl *decl, const struct attributes *attributes)
{
  decl->type = apply_attributes (decl->type, attributes);
  decl->is_packed = decl->is_packed || attributes->is_packed;
  if (attributes->align > decl->align)
    decl->align = attributes->align;
}

/* member-declarator = declarator? (":" constant-expression)? attributes */
static struct decl *
parse_member (struct record *record, struct specifiers *specifiers, const struct attributes *common)
{
  struct attributes attributes = { 0 };
  struct decl *member;

  if (peek () == ':')
    member = new_member (record, specifiers);
  else
    {
      member = parse_declarator (specifiers, DECLARATOR_NAMED);
      member->kind = DECL_MEMBER;
      member->parent = record;
    }
  if (peek () == ':')
    parse_width (member);
  if (at_attribute ())
    {
      member->suffix_first = here;
      parse_attributes (&attributes);
    }
  member->last = here - 1;
  add_attributes (member, common);
  add_attributes (member, &attributes);
  check_member (member);
  return member;
}

/* `struct { … };` as a member: its members are ours. */
static bool
is_anonymous_member (const struct specifiers *specifiers)
{
  return type_is_record (specifiers->type)
         && (!specifiers->type->record->tag || specifiers->type->typedef_decl
             || (switches.tagged_members && specifiers->type->record->is_complete));
}

static struct decl **
append_member (struct declaration *declaration, struct decl *member, struct decl **tail,
               struct decl ***next)
{
  member->declaration = declaration;
  declaration->translate = declaration->translate || member->translate;
  **next = member;
  *next = &member->next;
  *tail = member;
  return &member->next_member;
}

/* member-declaration = specifiers (member-declarator ("," member-declarator)*)? ";" */
static struct declaration *
parse_members (struct record *record, struct decl ***tail)
{
  struct declaration *declaration = NEW (struct declaration);
  struct attributes attributes = { 0 };
  struct decl **next = &declaration->decls;

  declaration->first = here;
  if (at_static_assert ())
    return parse_static_assert ();
  if (peek () == ';')
    {
      declaration->kind = DECLARATION_EMPTY;
      declaration->last = advance ();
      return declaration;
    }
  declaration->specifiers = parse_specifiers (&attributes);
  declaration->translate = declaration->specifiers->translate;
  if (declaration->specifiers->last + 1 == declaration->first)
    syntax_error (here, "expected member declaration before '%.*s'", (int) token_at (here)->length,
                  token_at (here)->text);
  if (peek () == ';' && is_anonymous_member (declaration->specifiers))
    {
      struct decl *member = new_member (record, declaration->specifiers);

      member->type->record->around = record;
      add_attributes (member, &attributes);
      *tail = append_member (declaration, member, *tail, &next);
    }
  else if (peek () != ';' && peek () != '}')
    do
      *tail = append_member (
          declaration, parse_member (record, declaration->specifiers, &attributes), *tail, &next);
    while (accept (','));
  /* Old code leaves the last one out. */
  declaration->last = peek () == '}' ? here - 1 : expect (';', "';'");
  return declaration;
}

static struct declaration *
members_or_recover (struct record *record, struct decl ***tail)
{
  struct recovery recovery;
  struct declaration *volatile declaration = NULL;
  token_index start = here;

  start_recovery (&recovery);
  if (setjmp (recovery.jump) == 0)
    {
      declaration = parse_members (record, tail);
      end_recovery (&recovery);
    }
  else
    recover (&recovery, start);
  return declaration;
}

/* "{" member-declaration* "}" */
static void
parse_record_body (struct record *record)
{
  struct declaration **next = &record->declarations;
  struct decl **tail = &record->members;

  record->open = advance ();
  record->pack = pack_in_effect ();
  enter_nesting ();
  while (peek () != '}' && peek () != TOKEN_END)
    if ((*next = members_or_recover (record, &tail)))
      next = &(*next)->next;
  leave_nesting ();
  record->close = expect ('}', "'}'");
}

/* record-specifier = ("struct" | "union") attributes tag? ("{" … "}" attributes)? */
struct type *
parse_record (struct part *part)
{
  enum type_kind kind = peek () == KEY_UNION ? TYPE_UNION : TYPE_STRUCT;
  struct attributes attributes = { 0 };
  token_index first = advance (), tag_token = NO_TOKEN;
  struct name *tag = NULL;
  struct record *record;

  parse_attributes (&attributes);
  if (peek () == TOKEN_NAME || (peek () >= FIRST_UPC_KEYWORD && peek_behind (1) == '{'))
    {
      tag_token = here;
      tag = token_at (advance ())->name;
    }
  else if (peek () != '{')
    expect ('{', "'{' or tag");
  part->is_definition = peek () == '{';
  record = record_of_tag (kind, tag, peek () == '{' || peek () == ';');
  part->record = record;
  if (!part->is_definition)
    return record->type;
  record->first = first;
  record->tag_token = tag_token;
  parse_record_body (record);
  parse_attributes (&attributes);
  record->last = here - 1;
  record->is_packed = attributes.is_packed;
  record->is_transparent = attributes.is_transparent;
  lay_out_record (record, attributes.align);
  for (struct declaration *d = record->declarations; d; d = d->next)
    part->translate = part->translate || d->translate;
  return record->type;
}
