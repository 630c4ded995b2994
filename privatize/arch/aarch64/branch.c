/* Branches between text and thunks. */

#include "privatize/arch/aarch64/emit.h"

#include <string.h>

enum
{
  SKIP = 2 << 5, /* over the next instruction */
  CONDITION_BIT = 1,
  COMPARE_BIT = 1 << 24
};

/* Conditional branches do not reach far: over a branch. */
void
emit_branch (struct code *code, enum flow flow, unsigned condition, uint32_t symbol,
             uint64_t target)
{
  Elf64_Rela to = { 0 };

  set_branch_target (&to, symbol, target);
  if (flow == FLOW_CONDITIONAL)
    emit_insn (code, opposite_condition (condition) | SKIP);
  emit_relocated (code, B, TARGET_RELOC_BRANCH, &to, to.r_addend);
}

/* Of B.cond, or of CBZ and its kind. */
unsigned
opposite_condition (unsigned condition)
{
  bool is_flags = (condition & 0xff000000) == 0x54000000;

  return condition ^ (is_flags ? CONDITION_BIT : COMPARE_BIT);
}

uint64_t
branch_target (const Elf64_Rela *rela)
{
  return (uint64_t) rela->r_addend;
}

void
set_branch_target (Elf64_Rela *rela, uint32_t symbol, uint64_t target)
{
  rela->r_info = ELF64_R_INFO ((uint64_t) symbol, TARGET_RELOC_BRANCH);
  rela->r_addend = (int64_t) target;
}

/* No code is called: none pushes an address. */
Elf64_Rela
patch_branch (uint8_t *bytes, size_t length, bool is_call, uint32_t symbol, uint64_t target)
{
  uint32_t word = B;
  Elf64_Rela rela = { 0 };

  (void) length;
  (void) is_call;
  memcpy (bytes, &word, sizeof word);
  set_branch_target (&rela, symbol, target);
  return rela;
}

void
patch_nops (uint8_t *bytes, size_t count)
{
  uint32_t word = NOP;

  for (size_t at = 0; at + sizeof word <= count; at += sizeof word)
    memcpy (bytes + at, &word, sizeof word);
}

/* bti c; the address of the pointer in the thread's copy; br. A function may change x16 and x17
   before its first instruction: veneers do. */
void
emit_ifunc_stub (struct code *code, uint32_t symbol, uint64_t offset, const struct site *delta)
{
  const struct scratch scratch = { .delta = 17, .other = 16 };
  Elf64_Rela pointer = { .r_info = ELF64_R_INFO ((uint64_t) symbol, 0) };
  int to = scratch.other;

  emit_insn (code, BTI_C);
  emit_delta (code, delta, &scratch);
  emit_relocated (code, ADRP | (uint32_t) to, R_AARCH64_ADR_PREL_PG_HI21, &pointer,
                  (int64_t) offset);
  emit_insn (code, with_registers (ADD_REGISTERS, to, to, scratch.delta));
  emit_relocated (code, with_registers (LDR_IMMEDIATE, to, to, 0), R_AARCH64_LDST64_ABS_LO12_NC,
                  &pointer, (int64_t) offset);
  emit_insn (code, with_registers (BR, 0, to, 0));
}

size_t
branch_target_expression (uint8_t expression[BRANCH_EXPRESSION_BYTES], uint64_t offset)
{
  (void) expression;
  (void) offset;
  return 0;
}
