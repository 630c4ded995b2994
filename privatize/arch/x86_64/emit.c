/* Pieces of machine code that leave the flags alone: mov, lea, push, pop. */

#include "privatize/arch/x86_64/emit.h"

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
  bool with_sib = index != NO_REGISTER || base == NO_REGISTER || (base & 7) == RSP;
  unsigned mod = base == NO_REGISTER ? 0 : 2;

  emit_byte (code, REX | (is_wide ? REX_W : 0) | high_bit (to, REX_R) | high_bit (index, REX_X)
                       | high_bit (base, REX_B));
  emit_byte (code, 0x8d);
  emit_byte (code, mod << 6 | (to & 7) << 3 | (with_sib ? 4 : base & 7));
  if (with_sib)
    emit_byte (code, address->scale << 6 | (index == NO_REGISTER ? 4 : index & 7) << 3
                         | (base == NO_REGISTER ? 5 : base & 7));
  emit_field (code, R_X86_64_TPOFF32, address->rela, address->addend);
}

/* movabs $NUMBER, TO */
void
emit_number (struct code *code, int to, int64_t number)
{
  emit_byte (code, REX | REX_W | high_bit (to, REX_B));
  emit_byte (code, 0xb8 | (to & 7));
  emit (code, &number, sizeof number);
}

/* mov %fs:0, TO: the thread control block begins with its own address. */
void
emit_thread_pointer (struct code *code, int to)
{
  emit_byte (code, FS_PREFIX);
  emit_byte (code, REX | REX_W | high_bit (to, REX_R));
  emit_byte (code, 0x8b);
  emit_byte (code, (to & 7) << 3 | 4);
  emit_byte (code, 0x25);
  emit_field (code, 0, NULL, 0);
}

void
emit_private_address (struct code *code, bool is_wide, int to, const Elf64_Rela *rela,
                      int64_t addend)
{
  struct address address = { .base = to, .index = NO_REGISTER, .rela = rela, .addend = addend };

  emit_thread_pointer (code, to);
  emit_lea (code, is_wide, to, &address);
}

void
emit_push (struct code *code, int reg)
{
  if (reg >= 8)
    emit_byte (code, REX | REX_B);
  emit_byte (code, 0x50 + (reg & 7));
  move_map (code, sizeof (uint64_t));
}

void
emit_pop (struct code *code, int reg)
{
  if (reg >= 8)
    emit_byte (code, REX | REX_B);
  emit_byte (code, 0x58 + (reg & 7));
  move_map (code, -(int) sizeof (uint64_t));
}

/* mov REG, OFFSET(%rsp) */
void
emit_store_above (struct code *code, int reg, int offset)
{
  emit_byte (code, REX | REX_W | high_bit (reg, REX_R));
  emit_byte (code, 0x89);
  emit_byte (code, 0x84 | (reg & 7) << 3);
  emit_byte (code, 0x24);
  emit_field (code, 0, NULL, offset);
}

/* lea BY(%rsp), %rsp */
void
emit_move_stack (struct code *code, int by)
{
  struct address address = { .base = RSP, .index = NO_REGISTER, .addend = by };

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
