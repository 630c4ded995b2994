#include "privatize/arch/aarch64/emit.h"

enum
{
  MRS_TPIDR = 0xd53bd040,
  PUSH = 0xf81f0fe0, /* str xN, [sp, #-16]! */
  POP = 0xf84107e0,  /* ldr xN, [sp], #16 */
  SLOT = 16
};

void
emit_insn (struct code *code, uint32_t word)
{
  emit (code, &word, sizeof word);
}

void
emit_relocated (struct code *code, uint32_t word, uint32_t type, const Elf64_Rela *rela,
                int64_t addend)
{
  emit_rela (code, type, rela, addend);
  emit_insn (code, word);
}

uint32_t
with_registers (uint32_t word, int to, int base, int other)
{
  return word | (uint32_t) to | (uint32_t) base << 5 | (uint32_t) other << 16;
}

/* A register beside those of USED: one that is free, if there is one. */
static int
choose_register (uint32_t free, uint32_t used)
{
  static const uint8_t order[] = { 17, 16, 15, 14, 13, 12, 11, 10, 9 };

  for (size_t i = 0; i < sizeof order; i++)
    if (free & ~used & 1u << order[i])
      return order[i];
  for (size_t i = 0; i < sizeof order; i++)
    if (!(used & 1u << order[i]))
      return order[i];
  return NO_REGISTER;
}

/* The stack pointer has just moved. */
static void
move_map (struct code *code, int lowered_by)
{
  int lowered = code->unwind_count ? code->unwind_map[code->unwind_count - 1].lowered : 0;

  map_code (code, 0, lowered + lowered_by);
}

static void
save (struct code *code, struct scratch *scratch, uint32_t free, int reg)
{
  if (free & 1u << reg)
    return;
  emit_insn (code, PUSH | (uint32_t) reg);
  move_map (code, SLOT);
  scratch->saved |= 1u << reg;
}

struct scratch
begin_scratch (struct code *code, const struct site *site, uint32_t used, bool wants_other)
{
  struct scratch scratch = { .delta = choose_register (site->free, used), .other = NO_REGISTER };

  save (code, &scratch, site->free, scratch.delta);
  if (!wants_other)
    return scratch;
  scratch.other = choose_register (site->free, used | 1u << scratch.delta);
  save (code, &scratch, site->free, scratch.other);
  return scratch;
}

void
end_scratch (struct code *code, const struct scratch *scratch)
{
  const int order[] = { scratch->other, scratch->delta };

  for (unsigned i = 0; i < 2; i++)
    if (order[i] != NO_REGISTER && scratch->saved & 1u << order[i])
      {
        emit_insn (code, POP | (uint32_t) order[i]);
        move_map (code, -SLOT);
      }
}

/* The code begins with it, if nothing had to be saved. */
static void
set_common (struct code *code, const struct scratch *scratch)
{
  if (scratch->saved)
    return;
  code->common = code->length;
  code->held = scratch->delta;
}

/* To register TO. In a program words are thread-local variables that one load reaches. */
void
emit_word (struct code *code, const struct site *site, int to)
{
  emit_insn (code, MRS_TPIDR | (uint32_t) to);
  emit_relocated (code, with_registers (LDR_IMMEDIATE, to, to, 0),
                  R_AARCH64_TLSLE_LDST64_TPREL_LO12_NC, &site->word, site->word.r_addend);
}

/* In a program the linker knows how far from the thread pointer the variable is; the runtime has
   it within reach of one load. In a shared library, the loader does. */
void
emit_delta (struct code *code, const struct site *site, const struct scratch *scratch)
{
  int delta = scratch->delta, other = scratch->other;

  if (!site->is_shared)
    {
      emit_word (code, site, delta);
      set_common (code, scratch);
      return;
    }
  emit_relocated (code, ADRP | (uint32_t) delta, R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21, &site->word,
                  0);
  emit_relocated (code, with_registers (LDR_IMMEDIATE, delta, delta, 0),
                  R_AARCH64_TLSIE_LD64_GOTTPREL_LO12_NC, &site->word, 0);
  emit_insn (code, MRS_TPIDR | (uint32_t) other);
  emit_insn (code, with_registers (LDR_REGISTERS, delta, other, delta));
  set_common (code, scratch);
}
