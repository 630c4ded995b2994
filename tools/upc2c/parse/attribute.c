/* Attributes. Those that change types and layout are noted, the others are skipped. */

#include "tools/upc2c/parse/internal.h"

bool
at_attribute (void)
{
  return peek () == KEY_ATTRIBUTE || (peek () == '[' && peek_behind (1) == '[');
}

token_index
behind_attributes (token_index at)
{
  while (token_at (at)->kind == KEY_ATTRIBUTE
         || (token_at (at)->kind == '[' && token_at (at + 1)->kind == '['))
    {
      int depth = 0;

      for (at += token_at (at)->kind == KEY_ATTRIBUTE; token_at (at)->kind != TOKEN_END; at++)
        {
          int kind = token_at (at)->kind;

          depth += (kind == '(' || kind == '[') - (kind == ')' || kind == ']');
          if (depth <= 0)
            break;
        }
      at += token_at (at)->kind != TOKEN_END;
    }
  return at;
}

static size_t number_capacity;

/* upc_blocksizeof and its kin are numbers for the compiler. Arguments may be looked through
   more than once. */
static void
note_number (void)
{
  struct number number = { .first = here };
  struct expr *e = parse_unary ();

  number.last = e->last;
  number.value = e->value;
  if (tree.number_count && tree.numbers[tree.number_count - 1].first >= number.first)
    return;
  tree.numbers = grow_array (tree.numbers, tree.number_count + 1, &number_capacity,
                             sizeof *tree.numbers);
  tree.numbers[tree.number_count++] = number;
}

/* "(" … ")" */
static void
skip_arguments (void)
{
  uint32_t depth = 0;

  do
    switch (peek ())
      {
      case TOKEN_END:
        expect (')', "')'");
        break;
      case KEY_UPC_LOCALSIZEOF:
      case KEY_UPC_BLOCKSIZEOF:
      case KEY_UPC_ELEMSIZEOF:
        note_number ();
        break;
      default:
        depth += (peek () == '(') - (peek () == ')');
        here++;
      }
  while (depth > 0);
}

/* "(" constant ")", or DEFAULT_VALUE without one */
static uint64_t
parse_size_argument (uint64_t default_value)
{
  token_index open = here;
  struct expr *e;

  if (!accept ('('))
    return default_value;
  e = parse_assignment ();
  expect (')', "')'");
  here = open;
  return e->is_constant && e->value > 0 ? (uint64_t) e->value : 0;
}

/* attribute = name ("(" … ")")? */
static void
parse_attribute (struct attributes *attributes)
{
  struct name *name = token_at (here)->name;

  if (!name)
    {
      if (peek () != ',' && peek () != ')')
        syntax_error (here, "expected attribute name");
      return;
    }
  here++;
  if (is_attribute (name, "aligned"))
    {
      uint64_t align = parse_size_argument (16);

      if (align > attributes->align && align <= 1 << 28)
        attributes->align = align;
    }
  else if (is_attribute (name, "packed"))
    attributes->is_packed = true;
  else if (is_attribute (name, "transparent_union"))
    attributes->is_transparent = true;
  else if (is_attribute (name, "pure") || is_attribute (name, "const"))
    attributes->is_pure = true;
  else if (is_attribute (name, "vector_size"))
    attributes->vector_bytes = parse_size_argument (0);
  else if (is_attribute (name, "ext_vector_type"))
    attributes->vector_count = parse_size_argument (0);
  else if (is_attribute (name, "mode") && peek () == '(' && unit.tokens[here + 1].name)
    attributes->mode = unit.tokens[here + 1].name;
  if (peek () == '(')
    skip_arguments ();
}

/* attribute = (name ":" ":")? name ("(" … ")")?. Only gnu's matter here. */
static void
parse_standard_attribute (struct attributes *attributes)
{
  struct attributes ignored = { 0 };
  bool is_gnu = false;

  if (peek_behind (1) == ':' && peek_behind (2) == ':')
    {
      is_gnu = token_at (here)->name && is_attribute (token_at (here)->name, "gnu");
      here += 3;
    }
  if (!token_at (here)->name)
    syntax_error (here, "expected attribute name");
  parse_attribute (is_gnu ? attributes : &ignored);
}

/* "[" "[" attribute? ("," attribute?)* "]" "]", of C23 */
static void
parse_standard_attributes (struct attributes *attributes)
{
  expect ('[', "'['");
  expect ('[', "'['");
  while (peek () != ']')
    if (!accept (','))
      parse_standard_attribute (attributes);
  expect (']', "']'");
  expect (']', "']'");
}

/* attributes = ("__attribute__" "(" "(" attribute ("," attribute)* ")" ")"
                 | "[" "[" … "]" "]")* */
void
parse_attributes (struct attributes *attributes)
{
  while (at_attribute ())
    {
      if (!accept (KEY_ATTRIBUTE))
        {
          parse_standard_attributes (attributes);
          continue;
        }
      expect ('(', "'('");
      expect ('(', "'('");
      while (peek () != ')')
        {
          parse_attribute (attributes);
          if (!accept (','))
            break;
        }
      expect (')', "')'");
      expect (')', "')'");
    }
}

/* asm-label = ("asm" "(" string+ ")")? */
void
parse_asm_label (void)
{
  if (!accept (KEY_ASM))
    return;
  if (peek () != '(')
    expect ('(', "'('");
  skip_parens ();
}
