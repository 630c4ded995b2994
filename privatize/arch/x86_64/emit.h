/* Generators of machine code, for the files in this folder. Those that compute addresses leave
   the flags alone. */

#ifndef PRIVATIZE_ARCH_X86_64_EMIT_H
#define PRIVATIZE_ARCH_X86_64_EMIT_H

#include "privatize/arch/arch.h"

enum
{
  RED_ZONE = 128, /* below the stack pointer, where code may keep something */
  SLOT = 8
};

enum
{
  REX = 0x40,
  REX_W = 8,
  REX_R = 4,
  REX_X = 2,
  REX_B = 1,
  GS_PREFIX = 0x65
};

struct address
{
  int base, index;
  unsigned scale; /* 0 to 3: the power of two */
  int32_t offset;
};

/* emit.c */
void emit_byte (struct code *code, unsigned byte);
/* Four bytes: TYPE of RELA's symbol plus ADDEND; without a relocation, ADDEND. */
void emit_field (struct code *code, uint32_t type, const Elf64_Rela *rela, int64_t addend);
/* ModRM with REG, and a displacement of TYPE to RELA's symbol plus ADDEND from %rip, which
   TRAILING bytes of the instruction follow. */
void emit_relative_operand (struct code *code, uint32_t type, const Elf64_Rela *rela,
                            int64_t addend, unsigned reg, size_t trailing);
/* The same to a private word. */
void emit_word_operand (struct code *code, const Elf64_Rela *word, unsigned reg, size_t trailing);
void emit_lea (struct code *code, bool is_wide, int to, const struct address *address);
/* mov %gs:WORD, TO: WORD is a private word. */
void emit_load_word (struct code *code, bool is_wide, int to, const Elf64_Rela *word);
/* Below the red zone, a register is saved and a new value computed in it. */
void emit_save (struct code *code, int reg);
void emit_restore (struct code *code, int reg);

/* operand.c: the memory operand of a site. */
bool is_wide (const struct insn *insn);
bool is_segment_prefix (unsigned byte);
void emit_prefixes (struct code *code, const struct insn *insn, bool with_gs);
void emit_operand (struct code *code, const struct site *site, unsigned reg, int shift,
                   size_t trailing);
void emit_based_operand (struct code *code, const struct site *site, int base);
void emit_rest (struct code *code, const struct site *site);
size_t rest_bytes (const struct insn *insn);
int free_register (const struct insn *insn);
int free_base (const struct insn *insn, int base);

/* base_relative.c: displacements to an address in the text. */
bool is_base_relative (const struct site *site);
const char *rewrite_base_relative (const struct site *site, struct code *code);

#endif
