/* The grammar of initialisers. */

#include "tools/upc2c/parse/internal.h"

static struct initializer *parse_value (void);

/* designator = "[" constant ("..." constant)? "]" | "." name */
static struct designator *
parse_designator (void)
{
  struct designator *designator = NEW (struct designator);

  if (accept ('['))
    {
      designator->index = value_of (parse_conditional ());
      if (accept (TOKEN_ELLIPSIS))
        designator->end = value_of (parse_conditional ());
      expect (']', "']'");
      return designator;
    }
  expect ('.', "'.'");
  if (!token_at (here)->name)
    expect (TOKEN_NAME, "member name");
  designator->name = token_at (advance ())->name;
  return designator;
}

/* designation = designator+ "="? | name ":" */
static struct designator *
parse_designation (void)
{
  struct designator *first = NULL, **next = &first;

  if (peek () == TOKEN_NAME && peek_behind (1) == ':')
    {
      first = NEW (struct designator);
      first->name = token_at (advance ())->name;
      here++;
      return first;
    }
  while (peek () == '[' || peek () == '.')
    {
      *next = parse_designator ();
      next = &(*next)->next;
    }
  if (first)
    accept ('=');
  return first;
}

static struct init_item *
parse_item (void)
{
  struct init_item *item = NEW (struct init_item);

  item->first = here;
  item->designators = parse_designation ();
  item->value = parse_value ();
  item->last = here - 1;
  return item;
}

static bool
needs_translation (const struct init_item *item)
{
  for (const struct designator *d = item->designators; d; d = d->next)
    if ((d->index && d->index->translate) || (d->end && d->end->translate))
      return true;
  return item->value->translate;
}

/* initializer = assignment-expression | "{" (item ("," item)* ","?)? "}" */
static struct initializer *
parse_value (void)
{
  struct initializer *init = NEW (struct initializer);
  struct init_item **next = &init->items;

  init->first = here;
  init->type = type_unknown;
  if (peek () != '{')
    {
      init->expr = parse_assignment ();
      /* A string keeps its array type: it may initialise one. */
      init->expr = value_of (init->expr);
      init->translate = init->expr->translate;
      init->last = here - 1;
      return init;
    }
  enter_nesting ();
  here++;
  while (peek () != '}')
    {
      *next = parse_item ();
      init->translate = init->translate || needs_translation (*next);
      next = &(*next)->next;
      if (!accept (','))
        break;
    }
  init->last = expect ('}', "'}'");
  leave_nesting ();
  return init;
}

/* initializer of an object of *TYPE */
struct initializer *
parse_initializer (struct type **type)
{
  struct initializer *init = parse_value ();

  resolve_initializer (init, type);
  return init;
}
