/* Type qualifiers. */

#include "tools/upc2c/parse/internal.h"

/* layout-qualifier = "[" (constant-expression | "*")? "]"
   Beside [*] the block is another layout qualifier's: what that of the array must be. */
static void
parse_layout (struct qualifiers *quals)
{
  uint32_t before = quals->block;
  bool again = quals->quals & QUAL_LAYOUT, was_star = quals->quals & QUAL_STAR_LAYOUT;
  bool is_star = peek_behind (1) == '*' && peek_behind (2) == ']';
  token_index open = advance ();

  quals->quals |= QUAL_LAYOUT;
  if (is_star)
    {
      here++;
      quals->quals |= QUAL_STAR_LAYOUT;
      quals->block = again ? before : 0;
    }
  else
    {
      quals->block = 0;
      if (peek () != ']')
        set_block (quals, parse_conditional ());
    }
  quals->layout_first = open;
  quals->layout_last = expect (']', "']'");
  if (again
      && (is_star || was_star ? is_star != was_star && quals->block == 0 : before != quals->block))
    error_at (open, "more than one block size specified (UPC 1.3, %s)", section_of (quals));
}

/* shared-type-qualifier = "shared" layout-qualifier? */
static void
parse_shared (struct qualifiers *quals)
{
  quals->shared_token = advance ();
  if (!(quals->quals & QUAL_SHARED))
    quals->block = 1;
  quals->quals |= QUAL_SHARED;
  if (peek () == '[')
    parse_layout (quals);
}

static bool
accept_reference (struct qualifiers *quals, unsigned qual)
{
  quals->reference_token = advance ();
  quals->quals |= qual;
  return true;
}

/* type-qualifier = "const" | "volatile" | "restrict" | "_Atomic"
                  | shared-type-qualifier | "strict" | "relaxed" */
bool
accept_qualifier (struct qualifiers *quals)
{
  switch (peek ())
    {
    case KEY_CONST:
      quals->quals |= QUAL_CONST;
      break;
    case KEY_VOLATILE:
      quals->quals |= QUAL_VOLATILE;
      break;
    case KEY_RESTRICT:
      quals->quals |= QUAL_RESTRICT;
      break;
    case KEY_ATOMIC:
      if (peek_behind (1) == '(')
        return false;
      quals->quals |= QUAL_ATOMIC;
      break;
    case KEY_IGNORED_QUALIFIER:
      break;
    case KEY_SHARED:
      parse_shared (quals);
      return true;
    case KEY_STRICT:
      return accept_reference (quals, QUAL_STRICT);
    case KEY_RELAXED:
      return accept_reference (quals, QUAL_RELAXED);
    default:
      return false;
    }
  here++;
  return true;
}
