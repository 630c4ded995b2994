/* Statements. */

#include "tools/upc2c/parse/internal.h"

static struct stmt *parse_statement (void);

struct stmt *
new_stmt (enum stmt_kind kind)
{
  struct stmt *s = NEW (struct stmt);

  s->kind = kind;
  s->first = here;
  s->is_strict = token_at (here)->flags & TOKEN_STRICT;
  return s;
}

static bool
translates (const struct expr *e)
{
  return e && e->translate;
}

struct stmt *
finish_stmt (struct stmt *s)
{
  s->last = here - 1;
  s->translate = s->translate || translates (s->expr) || translates (s->step)
                 || translates (s->affinity) || (s->declaration && s->declaration->translate)
                 || (s->then && s->kind != STMT_BLOCK && s->then->translate)
                 || (s->otherwise && s->otherwise->translate);
  return s;
}

/* A statement that is part of another is a block (C17, 6.8.4, 6.8.5). */
static struct stmt *
parse_nested (void)
{
  struct stmt *s;

  enter_nesting ();
  enter_scope ();
  s = parse_statement ();
  leave_scope ();
  leave_nesting ();
  return s;
}

/* "(" expression ")" as a condition */
static struct expr *
parse_condition (void)
{
  struct expr *e;

  expect ('(', "'('");
  e = condition_of (parse_expression ());
  expect (')', "')'");
  return e;
}

/* if = "if" "(" expression ")" statement ("else" (if | statement))?
   A chain of else if is followed in a loop: it may be long. */
static struct stmt *
parse_if (void)
{
  struct stmt *first = NULL, **link = &first, *before = NULL;

  enter_scope ();
  for (;;)
    {
      struct stmt *s = *link = new_stmt (STMT_IF);

      /* Until the end is known, the link leads back. */
      s->next = before;
      here++;
      s->expr = parse_condition ();
      s->then = parse_nested ();
      before = s;
      if (!accept (KEY_ELSE))
        break;
      link = &s->otherwise;
      if (peek () != KEY_IF)
        {
          s->otherwise = parse_nested ();
          break;
        }
    }
  leave_scope ();
  while (before)
    {
      struct stmt *outer = before->next;

      before->next = NULL;
      finish_stmt (before);
      before = outer;
    }
  return first;
}

/* switch = "switch" "(" expression ")" statement, and while likewise */
static struct stmt *
parse_switch_or_while (enum stmt_kind kind)
{
  struct stmt *s = new_stmt (kind);

  here++;
  enter_scope ();
  if (kind == STMT_WHILE)
    s->expr = parse_condition ();
  else
    {
      expect ('(', "'('");
      s->expr = value_of (parse_expression ());
      if (type_is_pts (s->expr->type))
        error_at (s->expr->first, "switch quantity has type %s, which is not an integer",
                  type_text (s->expr->type));
      expect (')', "')'");
    }
  s->then = parse_nested ();
  leave_scope ();
  return finish_stmt (s);
}

/* do = "do" statement "while" "(" expression ")" ";" */
static struct stmt *
parse_do (void)
{
  struct stmt *s = new_stmt (STMT_DO);

  here++;
  enter_scope ();
  s->then = parse_nested ();
  expect (KEY_WHILE, "'while'");
  s->expr = parse_condition ();
  leave_scope ();
  expect (';', "';'");
  return finish_stmt (s);
}

/* affinity = expression | "continue" */
static void
parse_affinity (struct stmt *s)
{
  struct type *type;

  if (peek () == ')')
    return;
  if (accept (KEY_CONTINUE))
    {
      s->affinity_kind = AFFINITY_CONTINUE;
      return;
    }
  s->affinity = value_of (parse_expression ());
  type = value_type (s->affinity);
  s->affinity_kind = type_is_pts (type) ? AFFINITY_POINTER : AFFINITY_INTEGER;
  if (!type_is_pts (type) && !type_is_integer (type) && type->kind != TYPE_UNKNOWN
      && !has_undeclared (s->affinity))
    error_at (s->affinity->first,
              "affinity of 'upc_forall' must be a pointer-to-shared or "
              "an integer, not %s "
              "(UPC 1.3, 6.6.2)",
              type_text (type));
}

/* for = "for" "(" (declaration | expression? ";") expression? ";" expression? ")" statement
   forall = "upc_forall" "(" … ";" affinity? ")" statement */
static struct stmt *
parse_for (enum stmt_kind kind)
{
  struct stmt *s = new_stmt (kind);

  here++;
  expect ('(', "'('");
  enter_scope ();
  if (at_type () || at_static_assert ())
    s->declaration = parse_declaration (false);
  else
    {
      if (peek () != ';')
        s->init_expr = value_of (parse_expression ());
      s->translate = translates (s->init_expr);
      expect (';', "';'");
    }
  if (peek () != ';')
    s->expr = condition_of (parse_expression ());
  expect (';', "';'");
  if (peek () != (kind == STMT_FOR ? ')' : ';'))
    s->step = value_of (parse_expression ());
  if (kind == STMT_FORALL)
    {
      s->translate = true;
      expect (';', "';' and affinity");
      parse_affinity (s);
    }
  else if (peek () == ';')
    {
      error_at (here, "expected ')' before ';'; the loop with an affinity is 'upc_forall'");
      here++;
      parse_expression ();
    }
  expect (')', "')'");
  s->then = parse_nested ();
  leave_scope ();
  if (kind == STMT_FORALL)
    check_forall_body (s);
  return finish_stmt (s);
}

/* goto = "goto" (name | "*" expression) ";" */
static struct stmt *
parse_goto (void)
{
  struct stmt *s = new_stmt (STMT_GOTO);

  here++;
  if (accept ('*'))
    {
      s->kind = STMT_GOTO_COMPUTED;
      s->expr = value_of (parse_expression ());
    }
  else
    s->name = token_at (expect (TOKEN_NAME, "label"))->name;
  expect (';', "';'");
  return finish_stmt (s);
}

/* return = "return" expression? ";" */
static struct stmt *
parse_return (void)
{
  struct stmt *s = new_stmt (STMT_RETURN);
  bool is_void = current_function && current_function->was_void;
  struct type *type = !current_function ? type_unknown
                      : is_void         ? type_void
                                        : current_function->type->base;

  s->translate = is_void;
  here++;
  if (peek () != ';')
    {
      struct expr *e = parse_expression ();

      s->expr = type->kind == TYPE_VOID ? value_of (e) : assigned (e, type, e->first, "return");
    }
  expect (';', "';'");
  return finish_stmt (s);
}

/* local-labels = "__label__" name ("," name)* ";" */
static struct stmt *
parse_local_labels (void)
{
  struct stmt *s = new_stmt (STMT_LOCAL_LABEL);

  do
    {
      here++;
      expect (TOKEN_NAME, "label");
    }
  while (peek () == ',');
  expect (';', "';'");
  return finish_stmt (s);
}

static struct stmt *
parse_simple (enum stmt_kind kind)
{
  struct stmt *s = new_stmt (kind);

  here++;
  expect (';', "';'");
  return finish_stmt (s);
}

static struct stmt *
parse_expression_statement (void)
{
  struct stmt *s = new_stmt (STMT_EXPR);
  token_index start = here;

  if (at_misspelt_loop ())
    {
      here++;
      skip_parens ();
      syntax_error (start, "'%s' undeclared%s", token_at (start)->name->text, suggestion (start));
    }
  s->expr = value_of (parse_expression ());
  expect (';', "';'");
  return finish_stmt (s);
}

/* Attributes of a statement, and not of a declaration. */
static bool
at_attribute_statement (void)
{
  token_index behind = behind_attributes (here);

  return behind > here && !starts_type (behind);
}

static bool
at_label (void)
{
  return peek () == KEY_CASE || peek () == KEY_DEFAULT
         || (peek () == TOKEN_NAME && peek_behind (1) == ':');
}

/* label = name ":" attributes | "case" constant ("..." constant)? ":" | "default" ":" */
static struct stmt *
parse_label (void)
{
  struct attributes ignored = { 0 };
  struct stmt *s = new_stmt (STMT_LABEL);

  if (accept (KEY_CASE))
    {
      s->kind = STMT_CASE;
      s->expr = value_of (parse_conditional ());
      if (accept (TOKEN_ELLIPSIS))
        s->step = value_of (parse_conditional ());
    }
  else if (accept (KEY_DEFAULT))
    s->kind = STMT_DEFAULT;
  else
    s->name = token_at (advance ())->name;
  expect (':', "':'");
  if (s->kind == STMT_LABEL)
    parse_attributes (&ignored);
  return finish_stmt (s);
}

/* labeled = label+ statement. A run of labels is followed in a loop: it may be long.
   One before a declaration or at the end of a block has no statement of its own. */
static struct stmt *
parse_labeled (void)
{
  struct stmt *first = NULL, **link = &first, *target;

  while (at_label ())
    {
      *link = parse_label ();
      link = &(*link)->then;
    }
  if (peek () == '}' || (at_type () && !at_attribute_statement ()))
    {
      token_at (here)->flags |= TOKEN_LABELED;
      return first;
    }
  target = *link = parse_nested ();
  for (struct stmt *s = first; s != target; s = s->then)
    {
      s->last = target->last;
      s->translate = s->translate || target->translate;
    }
  return first;
}

/* attributes (";" | statement) */
static struct stmt *
parse_attribute_statement (void)
{
  struct stmt *s = new_stmt (STMT_EMPTY);
  struct attributes ignored = { 0 };

  parse_attributes (&ignored);
  if (peek () != ';')
    return parse_statement ();
  here++;
  return finish_stmt (s);
}

static struct stmt *
parse_statement (void)
{
  settle_old_keyword (here);
  switch (peek ())
    {
    case '{':
      return parse_block ();
    case ';':
      {
        struct stmt *s = new_stmt (STMT_EMPTY);

        here++;
        return finish_stmt (s);
      }
    case KEY_IF:
      return parse_if ();
    case KEY_SWITCH:
      return parse_switch_or_while (STMT_SWITCH);
    case KEY_WHILE:
      return parse_switch_or_while (STMT_WHILE);
    case KEY_DO:
      return parse_do ();
    case KEY_FOR:
      return parse_for (STMT_FOR);
    case KEY_UPC_FORALL:
      return parse_for (STMT_FORALL);
    case KEY_GOTO:
      return parse_goto ();
    case KEY_CONTINUE:
      return parse_simple (STMT_CONTINUE);
    case KEY_BREAK:
      return parse_simple (STMT_BREAK);
    case KEY_RETURN:
      return parse_return ();
    case KEY_ASM:
      return parse_asm ();
    case KEY_UPC_BARRIER:
    case KEY_UPC_NOTIFY:
    case KEY_UPC_WAIT:
    case KEY_UPC_FENCE:
      return parse_barrier ();
    case KEY_ATTRIBUTE:
    case '[':
      if (at_attribute () && at_attribute_statement ())
        return parse_attribute_statement ();
      break;
    }
  if (at_label ())
    return parse_labeled ();
  return parse_expression_statement ();
}

/* item = declaration | statement | local-labels */
static struct stmt *
parse_item (void)
{
  struct stmt *s;

  settle_old_keyword (here);
  if (peek () == KEY_LABEL)
    return parse_local_labels ();
  if (at_label () || (at_attribute () && at_attribute_statement ()))
    return parse_statement ();
  /* `x y` is no expression: let the declaration say that x is no type. */
  if (!at_type () && !at_static_assert () && !at_nearly_qualifier ()
      && !(peek () == TOKEN_NAME && peek_behind (1) == TOKEN_NAME))
    return parse_statement ();
  s = new_stmt (STMT_DECLARATION);
  s->declaration = parse_declaration (false);
  return finish_stmt (s);
}

static struct stmt *
item_or_recover (void)
{
  struct recovery recovery;
  struct stmt *volatile item = NULL;
  struct part **outer = moved_tail, **moved = moved_tail = NEW (struct part *);
  token_index start = here;

  start_recovery (&recovery);
  if (setjmp (recovery.jump) == 0)
    {
      item = parse_item ();
      end_recovery (&recovery);
    }
  else
    recover (&recovery, start);
  moved_tail = outer;
  if (item)
    item->moved = *moved;
  return item;
}

static struct stmt *
parse_items (void)
{
  struct stmt *block = new_stmt (STMT_BLOCK);
  struct stmt **next = &block->items;

  expect ('{', "'{'");
  while (peek () != '}' && peek () != TOKEN_END)
    if ((*next = item_or_recover ()))
      {
        block->translate = block->translate || (*next)->translate;
        next = &(*next)->next;
      }
  expect ('}', "'}'");
  return finish_stmt (block);
}

/* block = "{" item* "}" */
struct stmt *
parse_block (void)
{
  struct stmt *block;

  enter_nesting ();
  enter_scope ();
  block = parse_items ();
  leave_scope ();
  leave_nesting ();
  return block;
}

/* The block of a function: the scope of its parameters is open, and is the block's. */
struct stmt *
parse_body (void)
{
  return parse_items ();
}
