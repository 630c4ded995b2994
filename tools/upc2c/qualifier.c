/* Type qualifiers, and what they make of a type. */

#include "tools/upc2c/front.h"
#include "tools/upc2c/parse.h"

static const char *
section_of (const struct qualifiers *quals)
{
  return quals->in_declarator ? "6.5.2" : "6.5";
}

static void
set_block (struct qualifiers *quals, struct expr *e)
{
  int64_t value;

  /* A block size in error is the default, so as to offend only once. */
  quals->block = 1;
  if (!constant_value (e, &value, "the block size"))
    return;
  if (value < 0)
    error_at (e->first, "block size %lld is negative (UPC 1.3, 6.5.1.1)", (long long) value);
  else if ((uint64_t) value > max_block_size ())
    error_at (e->first, "block size %lld is larger than UPC_MAX_BLOCK_SIZE, %llu%s (UPC 1.3, 6.3.3)",
              (long long) value, (unsigned long long) max_block_size (),
              switches.struct_pts ? "" : "; -fupc-pts=struct allows up to 4294967295");
  else
    quals->block = value;
}

/* layout-qualifier = "[" (constant-expression | "*")? "]" */
static void
parse_layout (struct qualifiers *quals)
{
  uint32_t before = quals->block;
  bool again = quals->quals & QUAL_LAYOUT;
  token_index open = advance ();

  quals->quals |= QUAL_LAYOUT;
  quals->block = 0;
  if (peek () == '*' && peek_behind (1) == ']')
    {
      here++;
      quals->quals |= QUAL_STAR_LAYOUT;
    }
  else if (peek () != ']')
    set_block (quals, parse_conditional ());
  quals->layout_first = open;
  quals->layout_last = expect (']', "']'");
  if (again && before != quals->block)
    error_at (open, "more than one block size is specified (UPC 1.3, %s)", section_of (quals));
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

/* The block size that TYPE's own layout and QUALS agree on. */
static uint32_t
merged_block (struct type *type, const struct qualifiers *quals)
{
  unsigned own = quals_of (type);

  if (!(own & QUAL_SHARED))
    return quals->block;
  if (!(quals->quals & QUAL_LAYOUT))
    return block_of (type);
  if (own & QUAL_LAYOUT
      && (block_of (type) != quals->block
          || (own & QUAL_STAR_LAYOUT) != (quals->quals & QUAL_STAR_LAYOUT)))
    error_at (quals->layout_first, "more than one block size is specified: %s has one already "
              "(UPC 1.3, 6.5)", type_text (ultimate_type (type)));
  return quals->block;
}

struct type *
qualify (struct type *type, const struct qualifiers *quals, token_index where)
{
  unsigned all = quals->quals | quals_of (type);
  uint32_t block;

  if (!quals->quals)
    return type;
  if (quals->quals & QUAL_SHARED && type->kind == TYPE_FUNCTION)
    {
      error_at (quals->shared_token, "a function cannot be shared (UPC 1.3, 6.5.1.1)");
      return type;
    }
  block = merged_block (type, quals);
  if ((all & QUAL_STRICT) && (all & QUAL_RELAXED))
    {
      error_at (quals->reference_token != NO_TOKEN ? quals->reference_token : where,
                "both 'strict' and 'relaxed' (UPC 1.3, %s)", section_of (quals));
      all &= ~QUAL_RELAXED;
    }
  if (all & (QUAL_STRICT | QUAL_RELAXED) && !(all & QUAL_SHARED))
    {
      error_at (quals->reference_token, "'%s' without 'shared' (UPC 1.3, 6.5.1.1)",
                all & QUAL_STRICT ? "strict" : "relaxed");
      all &= ~(QUAL_STRICT | QUAL_RELAXED);
    }
  return with_quals (type, all, block);
}
