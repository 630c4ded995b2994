/* The effect of qualifiers on a type. */

#include "tools/upc2c/sema/sema.h"

const char *
section_of (const struct qualifiers *quals)
{
  return quals->in_declarator ? "6.5.2" : "6.5";
}

void
set_block (struct qualifiers *quals, struct expr *e)
{
  int64_t value;

  /* A block size in error is the default, so that it is reported only once. */
  quals->block = 1;
  if (!constant_value (e, &value, "block size"))
    return;
  if (value < 0)
    error_at (e->first, "block size %lld is negative (UPC 1.3, 6.5.1.1)", (long long) value);
  else if ((uint64_t) value > max_block_size ())
    error_at (e->first,
              "block size %lld exceeds UPC_MAX_BLOCK_SIZE, which is %llu%s "
              "(UPC 1.3, 6.3.3)",
              (long long) value, (unsigned long long) max_block_size (),
              switches.struct_pts ? "" : "; -fupc-pts=struct allows up to 4294967295");
  else
    quals->block = value;
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
  if (quals->quals & QUAL_STAR_LAYOUT && own & QUAL_LAYOUT && block_of (type))
    return block_of (type); /* settle_star_layout compares it */
  if (own & QUAL_LAYOUT
      && (block_of (type) != quals->block
          || (own & QUAL_STAR_LAYOUT) != (quals->quals & QUAL_STAR_LAYOUT)))
    error_at (quals->layout_first,
              "more than one block size specified; %s already has one "
              "(UPC 1.3, 6.5)",
              type_text (ultimate_type (type)));
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
      error_at (quals->shared_token, "function cannot have shared type (UPC 1.3, 6.5.1.1)");
      return type;
    }
  block = merged_block (type, quals);
  if ((all & QUAL_STRICT) && (all & QUAL_RELAXED))
    {
      error_at (quals->reference_token != NO_TOKEN ? quals->reference_token : where,
                "both 'strict' and 'relaxed' specified (UPC 1.3, %s)", section_of (quals));
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
