/* Declarators: pointers, arrays and functions around a name.

   A declarator is read from left to right, but its type is made from the outside in,
   so it is first gathered as a list of derivations in the order in which they apply
   to the type of the specifiers: for `*(*a)[3]` pointer, array, pointer. */

#include "tools/upc2c/parse/internal.h"

enum
{
  MAX_DERIVATIONS = 1000
};

struct derivation
{
  enum type_kind kind; /* TYPE_POINTER, TYPE_ARRAY, TYPE_FUNCTION */
  token_index where;
  struct qualifiers quals; /* of the pointer; of a parameter's array */
  struct expr *length;
  bool has_star; /* [*] */
  struct decl *params;
  bool is_variadic;
  bool has_prototype;
  struct derivation *next;
};

struct chain
{
  struct derivation *first, *last;
};

struct declarator
{
  struct decl *decl;
  struct part **tail;
  enum declarator_context context;
  unsigned count;
};

static const struct qualifiers no_qualifiers = { .in_declarator = true,
                                                 .shared_token = NO_TOKEN,
                                                 .reference_token = NO_TOKEN,
                                                 .layout_first = NO_TOKEN,
                                                 .layout_last = NO_TOKEN };

static struct chain parse_rule (struct declarator *declarator);

static struct derivation *
new_derivation (struct declarator *declarator, enum type_kind kind)
{
  struct derivation *derivation = NEW (struct derivation);

  if (++declarator->count > MAX_DERIVATIONS)
    syntax_error (here, "declarator has more than %d parts", MAX_DERIVATIONS);
  derivation->kind = kind;
  derivation->where = here;
  derivation->quals = no_qualifiers;
  return derivation;
}

static void
append (struct chain *chain, struct chain more)
{
  if (!more.first)
    return;
  if (chain->first)
    chain->last->next = more.first;
  else
    chain->first = more.first;
  chain->last = more.last;
}

static void
prepend (struct chain *chain, struct derivation *derivation)
{
  derivation->next = chain->first;
  if (!chain->first)
    chain->last = derivation;
  chain->first = derivation;
}

/* pointer = ("*" (type-qualifier | attribute)*)* */
static struct chain
parse_pointers (struct declarator *declarator)
{
  struct chain chain = { 0 };
  struct attributes ignored = { 0 };

  parse_attributes (&ignored);
  while (peek () == '*' || peek () == '^')
    {
      struct derivation *pointer = new_derivation (declarator, TYPE_POINTER);

      here++;
      do
        parse_attributes (&ignored);
      while (accept_qualifier (&pointer->quals));
      append (&chain, (struct chain){ pointer, pointer });
    }
  return chain;
}

/* parameter-declaration = declaration-specifiers declarator? attributes */
static struct decl *
parse_parameter (void)
{
  struct attributes attributes = { 0 };
  token_index first = here;
  struct specifiers *specifiers;
  struct decl *param;

  if (!at_type () && peek () != TOKEN_NAME)
    syntax_error (here, "expected parameter declaration before '%.*s'",
                  (int) token_at (here)->length, token_at (here)->text);
  specifiers = parse_specifiers (&attributes);
  if (here == first)
    syntax_error (here, "unknown type name '%s'%s", token_at (here)->name->text, suggestion (here));
  param = parse_declarator (specifiers, DECLARATOR_EITHER);
  param->kind = DECL_PARAMETER;
  param->storage = specifiers->storage;
  if (at_attribute ())
    {
      param->suffix_first = here;
      parse_attributes (&attributes);
    }
  param->first = first;
  param->last = here - 1;
  param->type = param->declared_type = apply_attributes (param->type, &attributes);
  check_parameter (param);
  if (type_involves_shared (param->type))
    move_definitions (specifiers);
  if (param->name)
    bind (param);
  return param;
}

static struct decl *
parse_old_name (void)
{
  struct decl *param = NEW (struct decl);

  param->kind = DECL_PARAMETER;
  param->is_old_style = true;
  param->first = param->last = param->name_token = here;
  param->declarator_first = param->declarator_last = here;
  param->suffix_first = NO_TOKEN;
  param->type = param->declared_type = type_int ();
  param->name = token_at (expect (TOKEN_NAME, "identifier"))->name;
  return param;
}

static bool
is_void_list (const struct decl *params)
{
  return params && !params->next && !params->name && params->type->kind == TYPE_VOID
         && !params->type->quals;
}

/* parameters = "(" (parameter (("," | ";") parameter)* ("," "...")? | name ("," name)*)? ")" */
static struct derivation *
parse_parameters (struct declarator *declarator)
{
  struct derivation *function = new_derivation (declarator, TYPE_FUNCTION);
  struct decl **next = &function->params;
  struct part part = { .kind = PART_PARAMS, .first = here };
  bool is_old = unit.tokens[here + 1].kind == TOKEN_NAME && !starts_type (here + 1)
                && (peek_behind (2) == ',' || peek_behind (2) == ')');

  enter_nesting ();
  enter_scope ();
  here++;
  function->has_prototype = peek () != ')' && !is_old;
  while (peek () != ')')
    {
      if (peek () == TOKEN_ELLIPSIS)
        {
          here++;
          function->is_variadic = true;
          break;
        }
      *next = is_old ? parse_old_name () : parse_parameter ();
      part.translate = part.translate || (*next)->translate;
      next = &(*next)->next;
      if (accept (';'))
        {
          /* Those up to here were declared for the lengths of arrays, and are to come. */
          function->params = NULL;
          next = &function->params;
        }
      else if (!accept (','))
        break;
    }
  leave_scope ();
  leave_nesting ();
  part.last = expect (')', "')'");
  if (is_void_list (function->params))
    function->params = NULL;
  part.params = function->params;
  add_part (&declarator->tail, part);
  return function;
}

/* "[" ("static" | type-qualifier)* ("*" | assignment-expression)? "]" */
static struct derivation *
parse_length (struct declarator *declarator)
{
  struct derivation *array = new_derivation (declarator, TYPE_ARRAY);

  here++;
  while (accept (KEY_STATIC) || accept_qualifier (&array->quals))
    ;
  if (array->quals.shared_token != NO_TOKEN)
    error_at (array->quals.shared_token,
              "parameter has shared type but automatic storage duration (UPC 1.3, 6.5.2)");
  if (peek () == '*' && peek_behind (1) == ']')
    {
      here++;
      array->has_star = true;
    }
  else if (peek () != ']')
    {
      struct part part = { .kind = PART_EXPR, .first = here };

      array->where = here;
      part.expr = array->length = parse_assignment ();
      part.last = here - 1;
      part.translate = part.expr->translate;
      add_part (&declarator->tail, part);
    }
  expect (']', "']'");
  return array;
}

/* C23 has attributes behind a name and each suffix. The last ones are the whole declarator's,
   and who asked for it reads them. */
static bool
at_inner_attributes (void)
{
  int behind = token_at (behind_attributes (here))->kind;

  return peek () == '[' && at_attribute ()
         && (behind == '[' || behind == '(' || behind == ')' || behind == '{');
}

/* Suffixes apply from the last to the first. */
static struct chain
parse_suffixes (struct declarator *declarator)
{
  struct chain chain = { 0 };
  struct attributes ignored = { 0 };

  for (;;)
    if (at_inner_attributes ())
      parse_attributes (&ignored);
    else if (peek () == '[' && !at_attribute ())
      prepend (&chain, parse_length (declarator));
    else if (peek () == '(')
      prepend (&chain, parse_parameters (declarator));
    else
      return chain;
}

static bool
requires_name (enum declarator_context context)
{
  return context == DECLARATOR_NAMED || context == DECLARATOR_OLD;
}

/* Whether the ( that is next opens a declarator, and not parameters. */
static bool
opens_declarator (enum declarator_context context)
{
  if (peek () != '(')
    return false;
  if (requires_name (context))
    return true;
  return peek_behind (1) != ')' && peek_behind (1) != TOKEN_ELLIPSIS
         && !starts_type (behind_attributes (here + 1));
}

static void
expect_name (void)
{
  const struct token *token = token_at (here);

  if (token->kind == '[')
    syntax_error (here, "expected identifier before '['; a layout qualifier must follow 'shared' "
                        "(UPC 1.3, 6.5.1.1)");
  if (is_upc_keyword (token->kind))
    syntax_error (here, "'%.*s' is a UPC keyword (UPC 1.3, 6.2)", (int) token->length, token->text);
  expect (TOKEN_NAME, "identifier");
}

/* declarator = pointer (name | "(" declarator ")")? suffix* */
static struct chain
parse_rule (struct declarator *declarator)
{
  struct chain chain = parse_pointers (declarator), inner = { 0 };

  if (opens_declarator (declarator->context))
    {
      enter_nesting ();
      here++;
      inner = parse_rule (declarator);
      leave_nesting ();
      expect (')', "')'");
    }
  else if (peek () == TOKEN_NAME && declarator->context != DECLARATOR_ABSTRACT)
    {
      declarator->decl->name_token = here;
      declarator->decl->name = token_at (advance ())->name;
    }
  else if (requires_name (declarator->context))
    expect_name ();
  append (&chain, parse_suffixes (declarator));
  append (&chain, inner);
  return chain;
}

static struct type *
make_pointer (struct type *base, const struct derivation *pointer,
              const struct specifiers *specifiers)
{
  struct type *ultimate = ultimate_type (base);
  token_index where = specifiers->layout_first != NO_TOKEN ? specifiers->layout_first
                                                           : pointer->where;

  if (ultimate->quals & QUAL_STAR_LAYOUT)
    {
      error_at (where, "layout qualifier '[*]' in pointer target type (UPC 1.3, 6.5.1.1)");
      base = with_quals (base, ultimate->quals & ~QUAL_STAR_LAYOUT, 0);
    }
  if (base->kind == TYPE_VOID && base->quals & QUAL_LAYOUT)
    error_at (where, "pointer to 'shared void' cannot have a block size (UPC 1.3, 6.5.1.1)");
  check_array_types (base, pointer->where, false);
  return qualify (pointer_to (base), &pointer->quals, pointer->where);
}

/* The outermost length of a parameter is not a length: the parameter is a pointer. */
static struct type *
make_array (struct type *base, const struct derivation *array, bool is_parameter)
{
  if (is_parameter && !array->next && type_is_shared (base))
    return array_of_kind (base, LENGTH_UNKNOWN, 0, NULL);
  if (array->has_star)
    return array_of_kind (base, LENGTH_VARIABLE, 0, NULL);
  return array_with_length (base, array->length);
}

static struct type *
make_function (struct type *base, const struct derivation *function)
{
  struct type *type = function_returning (base, function->params, function->is_variadic,
                                          function->has_prototype);

  check_function_type (type, function->where);
  return type;
}

struct decl *
parse_declarator (struct specifiers *specifiers, enum declarator_context context)
{
  struct decl *decl = NEW (struct decl);
  struct declarator declarator = { .decl = decl, .tail = &decl->parts, .context = context };
  struct type *type = specifiers->type;
  struct chain chain;

  decl->specifiers = specifiers;
  decl->name_token = decl->suffix_first = NO_TOKEN;
  decl->first = decl->declarator_first = here;
  enter_nesting ();
  chain = parse_rule (&declarator);
  leave_nesting ();
  decl->last = decl->declarator_last = here - 1;
  for (struct derivation *d = chain.first; d; d = d->next)
    if (d->kind == TYPE_POINTER)
      type = make_pointer (type, d, specifiers);
    else if (d->kind == TYPE_ARRAY)
      type = make_array (type, d, context == DECLARATOR_EITHER || context == DECLARATOR_OLD);
    else
      type = make_function (type, d);
  decl->type = decl->declared_type = type;
  decl->translate = specifiers->translate || type_involves_shared (type)
                    || (specifiers->storage == STORAGE_TYPEDEF && type->kind == TYPE_ARRAY);
  for (struct part *p = decl->parts; p; p = p->next)
    decl->translate = decl->translate || p->translate;
  return decl;
}

/* type-name = specifier-qualifier-list abstract-declarator? */
struct type_name *
parse_type_name (void)
{
  struct type_name *name = NEW (struct type_name);
  struct attributes attributes = { 0 };

  name->first = here;
  name->specifiers = parse_specifiers (&attributes);
  name->declarator = parse_declarator (name->specifiers, DECLARATOR_ABSTRACT);
  parse_attributes (&attributes);
  name->last = here - 1;
  settle_star_layout (name->declarator);
  name->type = apply_attributes (name->declarator->type, &attributes);
  name->translate = name->declarator->translate;
  check_array_types (name->type, name->first, false);
  if (type_involves_shared (name->type))
    move_definitions (name->specifiers);
  return name;
}
