/* Branches between text and thunks, and how an unwinder recognises where one leads. */

#include "privatize/arch/x86_64/emit.h"

#include <string.h>

enum
{
  CALL = 0xe8,
  JUMP = 0xe9,
  CONDITIONAL_JUMP = 0x80, /* behind 0x0f, with the condition in the low four bits */
  NOP = 0x90,
  CS_PREFIX = 0x2e,
  FIELD_BYTES = 4
};

void
emit_branch (struct code *code, enum flow flow, unsigned condition, uint32_t symbol,
             uint64_t target)
{
  Elf64_Rela to = { 0 };

  set_branch_target (&to, symbol, target);
  if (flow == FLOW_CONDITIONAL)
    {
      emit_byte (code, 0x0f);
      emit_byte (code, CONDITIONAL_JUMP | condition);
    }
  else
    emit_byte (code, JUMP);
  emit_field (code, TARGET_RELOC_BRANCH, &to, to.r_addend);
}

/* Of two conditions that differ in the lowest bit one holds. */
unsigned
opposite_condition (unsigned condition)
{
  return condition ^ 1;
}

uint64_t
branch_target (const Elf64_Rela *rela)
{
  return (uint64_t) rela->r_addend + FIELD_BYTES;
}

void
set_branch_target (Elf64_Rela *rela, uint32_t symbol, uint64_t target)
{
  rela->r_info = ELF64_R_INFO ((uint64_t) symbol, TARGET_RELOC_BRANCH);
  rela->r_addend = (int64_t) target - FIELD_BYTES;
}

/* A call has its prefixes before it, so that it pushes the same address as the
   instruction that it replaces did; a jump has nops after it. */
Elf64_Rela
patch_branch (uint8_t *bytes, size_t length, bool is_call, uint32_t symbol, uint64_t target)
{
  size_t start = is_call ? length - BRANCH_BYTES : 0;

  memset (bytes, is_call ? CS_PREFIX : NOP, length);
  bytes[start] = is_call ? CALL : JUMP;
  memset (bytes + start + 1, 0, FIELD_BYTES);
  return (Elf64_Rela){ .r_offset = start + 1,
                       .r_info = ELF64_R_INFO ((uint64_t) symbol, R_X86_64_PC32),
                       .r_addend = (int64_t) target - FIELD_BYTES };
}

void
patch_nops (uint8_t *bytes, size_t count)
{
  memset (bytes, NOP, count);
}

/* endbr64; jmp *%gs:x(%rip) */
void
emit_ifunc_stub (struct code *code, uint32_t symbol, uint64_t offset, const struct site *delta)
{
  static const uint8_t stub[] = { 0xf3, 0x0f, 0x1e, 0xfa, GS_PREFIX, 0xff, 0x25 };
  Elf64_Rela rela = { .r_info = ELF64_R_INFO ((uint64_t) symbol, 0) };

  (void) delta;
  emit (code, stub, sizeof stub);
  emit_field (code, R_X86_64_PC32, &rela, (int64_t) offset - FIELD_BYTES);
}

/* It is read from the last four bytes of the jump. */
size_t
branch_target_expression (uint8_t expression[BRANCH_EXPRESSION_BYTES], uint64_t offset)
{
  static const uint8_t rest[] = {
    0x12, 0x34, 0x1c, 0x94, 4,             /* dup, lit4, minus, deref_size 4 */
    0x08, 32,   0x24, 0x08, 32, 0x26, 0x22 /* sign-extend: << 32, >> 32; plus */
  };
  size_t n = 0;

  expression[n++] = 0x70 + DWARF_RETURN_ADDRESS; /* breg16 */
  for (; offset >= 0x40; offset >>= 7)
    expression[n++] = (offset & 0x7f) | 0x80;
  expression[n++] = offset;
  memcpy (expression + n, rest, sizeof rest);
  return n + sizeof rest;
}
