/* Declarations and function definitions. */

#include "tools/upc2c/parse/internal.h"

bool
at_static_assert (void)
{
  token_index i = here;

  while (token_at (i)->kind == KEY_EXTENSION)
    i++;
  return token_at (i)->kind == KEY_STATIC_ASSERT;
}

/* static-assert = "__extension__"* "_Static_assert" "(" constant-expression ("," string)? ")" ";" */
struct declaration *
parse_static_assert (void)
{
  struct declaration *declaration = NEW (struct declaration);

  declaration->kind = DECLARATION_ASSERT;
  declaration->first = here;
  while (accept (KEY_EXTENSION))
    ;
  here++;
  expect ('(', "'('");
  declaration->expr = parse_conditional ();
  declaration->translate = declaration->expr->translate;
  if (accept (','))
    while (peek () == TOKEN_STRING)
      here++;
  expect (')', "')'");
  declaration->last = expect (';', "';'");
  return declaration;
}

/* Attributes, asm and _Alignas of DECL and of its whole declaration. */
static void
parse_suffix (struct decl *decl, const struct attributes *common)
{
  struct attributes attributes = { 0 };

  if (peek () == KEY_ASM || at_attribute ())
    decl->suffix_first = here;
  parse_attributes (&attributes);
  parse_asm_label ();
  parse_attributes (&attributes);
  decl->last = here - 1;
  decl->type = apply_attributes (apply_attributes (decl->type, common), &attributes);
  decl->declared_type = decl->type;
  decl->is_pure = common->is_pure || attributes.is_pure;
  decl->align = common->align > attributes.align ? common->align : attributes.align;
  if (attributes.is_transparent && decl->type->kind == TYPE_UNION)
    decl->type->record->is_transparent = true;
}

/* __auto_type is the type of its initialiser. */
static void
parse_auto_type_value (struct decl *decl)
{
  decl->init = parse_initializer (&decl->type);
  decl->type = decl->init->expr ? value_type (decl->init->expr) : type_unknown;
  if (decl->init->expr)
    decl->init->expr = value_of (decl->init->expr);
  decl->init->type = decl->type;
  decl->translate = decl->translate || decl->type->has_shared;
}

/* "=" initializer */
static void
parse_value (struct decl *decl)
{
  here++;
  if (decl->type->unqualified == &auto_type)
    parse_auto_type_value (decl);
  else
    decl->init = parse_initializer (&decl->type);
  check_initial_value (decl);
  decl->is_definition = true;
  decl->translate = decl->translate || decl->init->translate;
}

/* asm-label attributes ("=" initializer)? behind the declarator of DECL */
static void
finish_declarator (struct decl *decl, const struct attributes *common, bool is_parameter)
{
  bool is_open;

  parse_suffix (decl, common);
  set_kind (decl);
  if (is_parameter)
    {
      decl->kind = DECL_PARAMETER;
      check_parameter (decl);
      /* Lengths of arrays that follow may use it. */
      if (decl->name)
        bind (decl);
      return;
    }
  is_open = peek () == '=' && decl->kind == DECL_VARIABLE && decl->type->kind == TYPE_ARRAY
            && decl->type->length_kind == LENGTH_UNKNOWN;
  if (decl->kind == DECL_TYPEDEF)
    {
      check_object (decl);
      name_typedef (decl);
    }
  else if (!is_open)
    finish_object (decl);
  declare_name (decl);
  if (peek () == '=')
    parse_value (decl);
  if (is_open)
    finish_object (decl);
}

static bool
is_function_definition (const struct decl *decl)
{
  return decl->type->kind == TYPE_FUNCTION && decl->specifiers->storage != STORAGE_TYPEDEF
         && (peek () == '{'
             || (!decl->type->function.has_prototype && at_type () && !at_attribute ()));
}

static void
parse_old_params (struct decl *function)
{
  struct declaration **next = &function->old_params;

  enter_scope ();
  while (peek () != '{' && peek () != TOKEN_END)
    {
      if (!at_type ())
        expect ('{', "'{'");
      *next = parse_declaration (true);
      next = &(*next)->next;
    }
  leave_scope ();
  take_old_types (function);
}

static struct declaration *
parse_function (struct declaration *declaration, struct decl *function,
                const struct attributes *attributes)
{
  struct decl *outer = current_function;

  function->type = apply_attributes (function->type, attributes);
  function->is_pure = attributes->is_pure;
  set_kind (function);
  declaration->kind = DECLARATION_FUNCTION;
  declaration->decls = function;
  function->declaration = declaration;
  function->params = function->type->function.params;
  function->is_old_style = !function->type->function.has_prototype && function->params;
  function->is_definition = true;
  if (peek () != '{')
    parse_old_params (function);
  declare_name (function);
  if (scope_depth () == 0 && is_main_function (function))
    tree.main = function;
  current_function = function;
  enter_scope ();
  for (struct decl *p = function->params; p; p = p->next)
    if (p->name)
      bind (p);
  function->body = parse_body ();
  check_jumps (function->body);
  leave_scope ();
  current_function = outer;
  declaration->translate = declaration->translate || function->translate
                           || function->body->translate || is_watched_function (function);
  declaration->last = here - 1;
  return declaration;
}

static void
expect_end_of_declaration (struct declaration *declaration)
{
  const struct token *token = token_at (here);

  if (is_upc_keyword (token->kind) && peek () != ';')
    syntax_error (here, "'%.*s' is a UPC keyword (UPC 1.3, 6.2)", (int) token->length, token->text);
  declaration->last = expect (';', "';'");
}

/* declaration = specifiers (init-declarator ("," init-declarator)*)? ";"
               | specifiers declarator K&R-declaration* "{" … "}" */
struct declaration *
parse_declaration (bool is_parameter_list)
{
  struct declaration *declaration = NEW (struct declaration);
  struct attributes attributes = { 0 };
  struct decl **next = &declaration->decls;
  bool is_rewritten = false;

  declaration->first = here;
  if (at_static_assert ())
    return parse_static_assert ();
  declaration->specifiers = parse_specifiers (&attributes);
  declaration->translate = declaration->specifiers->translate;
  while (peek () != ';')
    {
      struct attributes own = attributes;
      struct decl *decl;

      if (next != &declaration->decls)
        parse_attributes (&own);
      decl = parse_declarator (declaration->specifiers,
                               is_parameter_list ? DECLARATOR_OLD : DECLARATOR_NAMED);
      if (next == &declaration->decls && !is_parameter_list && is_function_definition (decl))
        return parse_function (declaration, decl, &own);
      finish_declarator (decl, &own, is_parameter_list);
      decl->declaration = declaration;
      declaration->translate = declaration->translate || decl->translate;
      is_rewritten |= type_involves_shared (decl->type);
      *next = decl;
      next = &decl->next;
      if (!accept (','))
        break;
    }
  /* No type can be declared alone among the declarations of an old function's parameters. */
  if (is_rewritten && is_parameter_list)
    move_definitions (declaration->specifiers);
  expect_end_of_declaration (declaration);
  return declaration;
}

/* external-declaration = declaration | asm | ";" */
struct declaration *
parse_external (void)
{
  struct declaration *declaration;

  if (peek () == KEY_ASM)
    {
      declaration = NEW (struct declaration);
      declaration->kind = DECLARATION_ASM;
      declaration->first = advance ();
      while (peek () == KEY_VOLATILE || peek () == KEY_INLINE || peek () == KEY_GOTO)
        here++;
      if (peek () != '(')
        expect ('(', "'('");
      skip_parens ();
      declaration->last = expect (';', "';'");
      return declaration;
    }
  if (peek () == ';')
    {
      declaration = NEW (struct declaration);
      declaration->kind = DECLARATION_EMPTY;
      declaration->first = declaration->last = advance ();
      return declaration;
    }
  if (!at_type () && !at_static_assert () && peek () != TOKEN_NAME && peek () != '*'
      && peek () != '(')
    syntax_error (here, "expected declaration before '%.*s'", (int) token_at (here)->length,
                  token_at (here)->text);
  return parse_declaration (false);
}
