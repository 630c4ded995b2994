/* Machine code that leaves the flags alone: mov, lea, push, pop. */

#include "privatize/arch/x86_64/emit.h"

enum
{
  FIELD_BYTES = 4
};

void
emit_byte (struct code *code, unsigned byte)
{
  uint8_t b = byte;

  emit (code, &b, 1);
}

/* The stack pointer has just moved. */
static void
move_map (struct code *code, int lowered_by)
{
  int lowered = code->unwind_count ? code->unwind_map[code->unwind_count - 1].lowered : 0;

  map_code (code, 0, lowered + lowered_by);
}

void
emit_field (struct code *code, uint32_t type, const Elf64_Rela *rela, int64_t addend)
{
  int32_t number = rela ? 0 : addend;

  if (rela)
    emit_rela (code, type, rela, addend);
  emit (code, &number, sizeof number);
}

void
emit_relative_operand (struct code *code, uint32_t type, const Elf64_Rela *rela, int64_t addend,
                       unsigned reg, size_t trailing)
{
  emit_byte (code, reg << 3 | 5);
  emit_field (code, type, rela, moved_addend (addend, -FIELD_BYTES - (int64_t) trailing));
}

void
emit_word_operand (struct code *code, const Elf64_Rela *word, unsigned reg, size_t trailing)
{
  emit_relative_operand (code, R_X86_64_PC32, word, word->r_addend, reg, trailing);
}

static unsigned
high_bit (int reg, unsigned bit)
{
  return reg >= 8 ? bit : 0;
}

/* lea ADDRESS, TO. The displacement always takes 32 bits. */
void
emit_lea (struct code *code, bool is_wide, int to, const struct address *address)
{
  int base = address->base, index = address->index;
  bool with_sib = index != NO_REGISTER || (base & 7) == RSP;

  emit_byte (code, REX | (is_wide ? REX_W : 0) | high_bit (to, REX_R) | high_bit (index, REX_X)
                       | high_bit (base, REX_B));
  emit_byte (code, 0x8d);
  emit_byte (code, 2 << 6 | (to & 7) << 3 | (with_sib ? 4 : base & 7));
  if (with_sib)
    emit_byte (code,
               address->scale << 6 | (index == NO_REGISTER ? 4 : index & 7) << 3 | (base & 7));
  emit_field (code, 0, NULL, address->offset);
}

void
emit_load_word (struct code *code, bool is_wide, int to, const Elf64_Rela *word)
{
  emit_byte (code, GS_PREFIX);
  if (is_wide || to >= 8)
    emit_byte (code, REX | (is_wide ? REX_W : 0) | high_bit (to, REX_R));
  emit_byte (code, 0x8b);
  emit_word_operand (code, word, to & 7, 0);
}

static void
emit_push (struct code *code, int reg)
{
  if (reg >= 8)
    emit_byte (code, REX | REX_B);
  emit_byte (code, 0x50 + (reg & 7));
  move_map (code, sizeof (uint64_t));
}

static void
emit_pop (struct code *code, int reg)
{
  if (reg >= 8)
    emit_byte (code, REX | REX_B);
  emit_byte (code, 0x58 + (reg & 7));
  move_map (code, -(int) sizeof (uint64_t));
}

/* lea BY(%rsp), %rsp */
static void
emit_move_stack (struct code *code, int by)
{
  struct address address = { .base = RSP, .index = NO_REGISTER, .offset = by };

  emit_lea (code, true, RSP, &address);
  move_map (code, -by);
}

void
emit_save (struct code *code, int reg)
{
  emit_move_stack (code, -RED_ZONE);
  emit_push (code, reg);
}

void
emit_restore (struct code *code, int reg)
{
  emit_pop (code, reg);
  emit_move_stack (code, RED_ZONE);
}
