/* Writes what frames.c reads: call-frame instructions, at the end of a section. */

#include "privatize/dwarf/cfi.h"

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/put.h"

#include <string.h>

/* The operation for each kind of rule. */
/* clang-format off */
static const unsigned char operations[] = {
  [RULE_NONE] = DW_CFA_restore_extended,
  [RULE_SAME] = DW_CFA_same_value,
  [RULE_UNDEFINED] = DW_CFA_undefined,
  [RULE_OFFSET] = DW_CFA_offset_extended_sf,
  [RULE_VALUE_OFFSET] = DW_CFA_val_offset_sf,
  [RULE_REGISTER] = DW_CFA_register,
  [RULE_EXPRESSION] = DW_CFA_expression,
  [RULE_VALUE_EXPRESSION] = DW_CFA_val_expression
};
/* clang-format on */

void
put_advance (struct section *section, uint64_t bytes)
{
  if (bytes < 0x40)
    put_byte (section, DW_CFA_advance_loc | bytes);
  else
    {
      put_byte (section, DW_CFA_advance_loc4);
      put_number (section, bytes);
    }
}

static bool
is_same_rule (const struct rule *a, const struct rule *b)
{
  return a->kind == b->kind && a->base == b->base && a->number == b->number
         && a->length == b->length
         && (!a->length || memcmp (a->expression, b->expression, a->length) == 0);
}

bool
are_same_rules (const struct rules *a, const struct rules *b)
{
  for (unsigned i = 0; i < DWARF_REGISTERS; i++)
    if (!is_same_rule (&a->registers[i], &b->registers[i]))
      return false;
  return is_same_rule (&a->address, &b->address);
}

static void
put_expression (struct section *section, const struct rule *rule)
{
  put_uleb (section, rule->length);
  append_bytes (section, rule->expression, rule->length);
}

static void
put_address_rule (struct section *section, const struct rule *rule)
{
  if (rule->kind == RULE_EXPRESSION)
    {
      put_byte (section, DW_CFA_def_cfa_expression);
      put_expression (section, rule);
      return;
    }
  put_byte (section, rule->number < 0 ? DW_CFA_def_cfa_sf : DW_CFA_def_cfa);
  put_uleb (section, rule->base);
  if (rule->number < 0)
    put_sleb (section, rule->number / CFI_DATA_FACTOR);
  else
    put_uleb (section, rule->number);
}

static void
put_register_rule (struct section *section, unsigned reg, const struct rule *rule)
{
  if (reg == DWARF_SIGN_STATE)
    {
      put_byte (section, DW_CFA_AARCH64_negate_ra_state);
      return;
    }
  put_byte (section, operations[rule->kind]);
  put_uleb (section, reg);
  if (rule->kind == RULE_OFFSET || rule->kind == RULE_VALUE_OFFSET)
    put_sleb (section, rule->number / CFI_DATA_FACTOR);
  else if (rule->kind == RULE_REGISTER)
    put_uleb (section, rule->base);
  else if (rule->length)
    put_expression (section, rule);
}

void
put_changes (struct section *section, const struct rules *from, const struct rules *to)
{
  if (!is_same_rule (&from->address, &to->address))
    put_address_rule (section, &to->address);
  for (unsigned i = 0; i < DWARF_REGISTERS; i++)
    if (!is_same_rule (&from->registers[i], &to->registers[i]))
      put_register_rule (section, i, &to->registers[i]);
}

bool
can_say (const struct rules *rules)
{
  const struct rule *address = &rules->address;

  if (address->kind == RULE_REGISTER ? address->number < 0 && address->number % CFI_DATA_FACTOR
                                     : address->kind != RULE_EXPRESSION)
    return false;
  for (unsigned i = 0; i < DWARF_REGISTERS; i++)
    if (rules->registers[i].number % CFI_DATA_FACTOR)
      return false;
  return true;
}
