/* Pieces of machine code, for the files beside this one. Those that compute addresses leave
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
  FS_PREFIX = 0x64
};

struct address
{
  int base, index;
  unsigned scale;         /* 0 to 3: the power of two */
  const Elf64_Rela *rela; /* the thread's copy of this symbol, or NULL */
  int64_t addend;         /* in place of the relocation's, or the displacement */
};

/* emit.c */
void emit_byte (struct code *code, unsigned byte);
/* Four bytes: TYPE of RELA's symbol plus ADDEND; without a relocation, ADDEND. */
void emit_field (struct code *code, uint32_t type, const Elf64_Rela *rela, int64_t addend);
void emit_lea (struct code *code, bool is_wide, int to, const struct address *address);
void emit_number (struct code *code, int to, int64_t number);
void emit_thread_pointer (struct code *code, int to);
void emit_private_address (struct code *code, bool is_wide, int to, const Elf64_Rela *rela,
                           int64_t addend);
void emit_push (struct code *code, int reg);
void emit_pop (struct code *code, int reg);
void emit_store_above (struct code *code, int reg, int offset);
void emit_move_stack (struct code *code, int by);
/* Below the red zone, a register is saved and a new value computed in it. */
void emit_save (struct code *code, int reg);
void emit_restore (struct code *code, int reg);

/* operand.c: the memory operand of a site. */
bool is_wide (const struct insn *insn);
bool is_segment_prefix (unsigned byte);
void emit_prefixes (struct code *code, const struct insn *insn, bool with_fs);
void emit_operand (struct code *code, const struct site *site, unsigned reg, int shift,
                   size_t trailing);
void emit_private_operand (struct code *code, const struct site *site, int base);
void emit_rest (struct code *code, const struct site *site);
int free_register (const struct insn *insn);
int free_base (const struct insn *insn, int base);

/* gotoff.c: addresses as offsets from the GOT or from the text. */
bool is_base_relative (const struct site *site);
const char *rewrite_base_relative (const struct site *site, struct code *code);
void emit_gotoff (const struct site *site, struct code *code, int to);

#endif
