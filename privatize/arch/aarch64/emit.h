/* Generators of machine code, for the files in this folder. The code leaves the flags alone. */

#ifndef PRIVATIZE_ARCH_AARCH64_EMIT_H
#define PRIVATIZE_ARCH_AARCH64_EMIT_H

#include "privatize/arch/arch.h"

/* Instructions without their registers and relocated fields. */
enum
{
  ADRP = 0x90000000,
  B = 0x14000000,
  BR = 0xd61f0000,
  NOP = 0xd503201f,
  BTI_C = 0xd503245f
};
#define ADD_IMMEDIATE 0x91000000u
#define ADD_REGISTERS 0x8b000000u
#define LDR_IMMEDIATE 0xf9400000u /* of 64 bits */
#define LDR_REGISTERS 0xf8606800u

void emit_insn (struct code *code, uint32_t word);
/* The same with a relocation of TYPE to RELA's symbol plus ADDEND. */
void emit_relocated (struct code *code, uint32_t word, uint32_t type, const Elf64_Rela *rela,
                     int64_t addend);
/* Registers of bits 0, 5 and 16. */
uint32_t with_registers (uint32_t word, int to, int base, int other);

/* Registers for an instruction's code, and those of them that it saves. */
struct scratch
{
  int delta, other; /* for the thread's distance, and for something else */
  uint32_t saved;
};

/* Chooses them beside those that USED has, and saves what is not free. OTHER is only there if
   WANTS_OTHER. */
struct scratch begin_scratch (struct code *code, const struct site *site, uint32_t used,
                              bool wants_other);
void end_scratch (struct code *code, const struct scratch *scratch);
/* Loads the site's word to register TO. */
void emit_word (struct code *code, const struct site *site, int to);
/* Loads the distance of the thread's copies. */
void emit_delta (struct code *code, const struct site *site, const struct scratch *scratch);

#endif
