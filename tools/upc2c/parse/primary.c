/* Primary expressions: names, constants, parentheses, _Generic. */

#include "tools/upc2c/parse/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* C23's constexpr makes constants of objects. */
static bool
is_named_constant (const struct decl *decl)
{
  return decl->kind == DECL_VARIABLE && decl->specifiers && decl->specifiers->is_constexpr
         && type_is_integer (decl->type) && decl->init && decl->init->expr
         && decl->init->expr->is_constant;
}

static struct expr *
name_expr (struct decl *decl)
{
  struct expr *e = new_expr (EXPR_NAME, here, decl->type);

  here++;
  e->decl = decl;
  if (decl->kind == DECL_ENUMERATOR)
    {
      e->is_constant = type_is_integer (decl->type);
      e->value = decl->value;
    }
  else if (decl->kind == DECL_FUNCTION)
    {
      e->translate = decl->type->has_shared;
      decl->times_named++;
    }
  else
    set_lvalue (e, decl->type);
  if (is_named_constant (decl))
    {
      e->is_constant = true;
      e->value = wrap (decl->init->expr->value, decl->type);
    }
  return finish (e, e->first);
}

static bool
is_function_name (const struct name *name)
{
  return strcmp (name->text, "__func__") == 0 || strcmp (name->text, "__FUNCTION__") == 0
         || strcmp (name->text, "__PRETTY_FUNCTION__") == 0;
}

/* Names that the compiler may know itself. */
static bool
may_be_predefined (const struct name *name)
{
  static const char *const words[] = { "true", "false", "nullptr" };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp (name->text, words[i]) == 0)
      return true;
  return strncmp (name->text, "__", 2) == 0;
}

/* Once a name. What an error has skipped may have declared it. */
static void
report_undeclared (struct name *name)
{
  if (name->is_reported || has_skipped || may_be_predefined (name))
    return;
  name->is_reported = true;
  error_at (here, "'%s' undeclared%s", name->text, suggestion (here));
}

/* A name without a declaration. Called, it is a function that returns int. */
static struct expr *
undeclared (struct name *name)
{
  struct expr *e = new_expr (EXPR_UNKNOWN, here, type_unknown);

  if (is_function_name (name) && current_function && current_function->name)
    {
      e->type = array_of (with_quals (type_basic (TYPE_CHAR), QUAL_CONST, 0),
                          current_function->name->length + 1);
      e->is_lvalue = true;
    }
  else if (peek_behind (1) == '(' && strncmp (name->text, "__", 2) != 0)
    {
      check_undeclared_function (here);
      return name_expr (declare_implicit_function (here));
    }
  else
    report_undeclared (name);
  here++;
  return finish (e, e->first);
}

static struct expr *
parse_name (void)
{
  struct name *name = token_at (here)->name;

  if (!name->decl)
    return at_builtin () ? parse_builtin () : undeclared (name);
  if (name->decl->kind == DECL_TYPEDEF)
    syntax_error (here, "expected expression before type name '%s'", name->text);
  return name_expr (name->decl);
}

/* Called after "(" with "{" next: statement-expression = "(" block ")". Its value is
   that of its last statement. */
static struct expr *
parse_statement_expr (token_index open)
{
  struct expr *e = new_expr (EXPR_STATEMENT, open, type_void);
  struct stmt *last = NULL;

  e->body = parse_block ();
  for (struct stmt *s = e->body->items; s; s = s->next)
    last = s;
  while (last && last->kind == STMT_LABEL)
    last = last->then;
  if (last && last->kind == STMT_EXPR)
    e->type = value_type (last->expr);
  e->translate = e->body->translate;
  return finish (e, expect (')', "')'"));
}

static struct expr *
parse_parens (void)
{
  token_index open = advance ();
  struct expr *e;

  if (peek () == '{')
    return parse_statement_expr (open);
  e = new_expr (EXPR_PAREN, open, type_unknown);
  e->a = parse_expression ();
  e->type = e->a->type;
  e->is_lvalue = e->a->is_lvalue;
  e->is_strict = e->a->is_strict;
  e->is_bit_field = e->a->is_bit_field;
  if (e->is_bit_field)
    e->member = strip_conversions (e->a)->member;
  finish (e, expect (')', "')'"));
  fold (e);
  return e;
}

static bool
chooses (struct type *wanted, const struct type_name *arm)
{
  return arm && types_match (wanted, arm->type);
}

/* ARM, the COUNTth, must have a type of its own. Pointers-to-shared look all alike in the generated
   C, which has only the chosen arm. */
static void
check_arm (const struct type_name *arm, struct type_name **names, uint32_t count)
{
  for (uint32_t i = 0; i < count && arm->type->has_shared; i++)
    if (names[i] && types_match (arm->type, names[i]->type))
      {
        error_at (arm->first, "'_Generic' specifies two compatible types");
        note_at (names[i]->first, "compatible type is here");
        return;
      }
}

/* generic = "_Generic" "(" (assignment | type-name) ("," (type-name | "default") ":"
             assignment)+ ")" */
static struct expr *
parse_generic (void)
{
  enum
  {
    MAX_ARMS = 256
  };
  struct expr *e = new_expr (EXPR_GENERIC, advance (), type_unknown);
  struct expr *arms[MAX_ARMS], *otherwise = NULL;
  struct type_name *names[MAX_ARMS];
  uint32_t count = 0;

  expect ('(', "'('");
  e->a = parse_assignment ();
  while (accept (','))
    {
      if (count == MAX_ARMS)
        syntax_error (here, "more than %d associations in '_Generic'", MAX_ARMS);
      names[count] = NULL;
      if (!accept (KEY_DEFAULT))
        {
          names[count] = parse_type_name ();
          check_arm (names[count], names, count);
        }
      expect (':', "':'");
      arms[count] = parse_assignment ();
      e->translate = e->translate || arms[count]->translate
                     || (names[count] && names[count]->translate);
      if (!names[count])
        otherwise = arms[count];
      else if (!e->b && e->a->type->kind != TYPE_UNKNOWN
               && chooses (value_type (e->a), names[count]))
        e->b = arms[count];
      count++;
    }
  if (!e->b)
    e->b = otherwise;
  e->names = arena_alloc (count * sizeof *names);
  memcpy (e->names, names, count * sizeof *names);
  e->list = new_expr_list (arms, count);
  if (e->b)
    {
      e->type = e->b->type;
      e->is_lvalue = e->b->is_lvalue;
      e->is_strict = e->b->is_strict;
      e->is_constant = e->b->is_constant;
      e->value = e->b->value;
    }
  return finish (e, expect (')', "')'"));
}

/* "true" | "false" | "nullptr", of C23 */
static struct expr *
parse_constant (struct type *type, int64_t value)
{
  struct expr *e = new_expr (EXPR_INTEGER, here, type);

  here++;
  e->is_constant = true;
  e->value = value;
  return finish (e, e->first);
}

static struct expr *
parse_upc_value (enum expr_kind kind)
{
  struct expr *e = new_expr (kind, here, type_int ());

  here++;
  e->translate = true;
  if (kind == EXPR_THREADS && switches.threads)
    {
      e->is_constant = true;
      e->value = switches.threads;
    }
  else if (kind == EXPR_MAX_BLOCK)
    {
      e->is_constant = true;
      e->value = max_block_size ();
      e->type = type_basic (e->value > INT32_MAX ? TYPE_LONG : TYPE_INT);
    }
  return finish (e, e->first);
}

/* primary = name | number | character | string | "(" expression ")" | "(" block ")"
             | generic | "true" | "false" | "nullptr" | "THREADS" | "MYTHREAD" | "UPC_MAX_BLOCK_SIZE" */
struct expr *
parse_primary (void)
{
  const struct token *token = token_at (here);
  struct expr *e;

  switch (token->kind)
    {
    case TOKEN_NAME:
      return parse_name ();
    case TOKEN_NUMBER:
      e = new_expr (EXPR_INTEGER, here, type_unknown);
      parse_number (e);
      here++;
      return finish (e, e->first);
    case TOKEN_CHARACTER:
      e = new_expr (EXPR_INTEGER, here, type_unknown);
      parse_character (e);
      here++;
      return finish (e, e->first);
    case TOKEN_STRING:
      return parse_string ();
    case '(':
      return parse_parens ();
    case KEY_GENERIC:
      return parse_generic ();
    case KEY_TRUE:
    case KEY_FALSE:
      return parse_constant (type_basic (TYPE_BOOL), token->kind == KEY_TRUE);
    case KEY_NULLPTR:
      return parse_constant (pointer_to (type_void), 0);
    case KEY_THREADS:
      return parse_upc_value (EXPR_THREADS);
    case KEY_MYTHREAD:
      return parse_upc_value (EXPR_MYTHREAD);
    case KEY_UPC_MAX_BLOCK_SIZE:
      return parse_upc_value (EXPR_MAX_BLOCK);
    default:
      break;
    }
  if (token->kind == TOKEN_END)
    syntax_error (here, "expected expression at end of input");
  if (token->kind == TOKEN_STRAY && (*token->text == '"' || *token->text == '\''))
    syntax_error (here, "missing terminating %c character", *token->text);
  if (token->kind == TOKEN_STRAY)
    syntax_error (here,
                  isgraph ((unsigned char) *token->text) ? "stray '%c' in program"
                                                         : "stray '\\%03o' in program",
                  (unsigned char) *token->text);
  syntax_error (here, "expected expression before '%.*s'", (int) token->length, token->text);
}
