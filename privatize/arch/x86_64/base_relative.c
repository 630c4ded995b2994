/* Hand-written code that holds an address of its text in a register, and reaches data by
   displacements from there: x - $$ + N(%base). Such a displacement is the offset from itself to
   x, which the base corrects. In a thunk the displacement is elsewhere, so the base must change
   accordingly. */

#include "privatize/arch/x86_64/emit.h"

#include <string.h>

bool
is_base_relative (const struct site *site)
{
  return site->text && (type_of (site->disp)->fields & FIELD_BASE_DISP)
         && site->insn.target_insn.base != NO_REGISTER;
}

/* mov $(where the displacement was - OPERAND), HOLDER; not HOLDER; lea 1(HOLDER, BASE),
   HOLDER: the base of a displacement at byte OPERAND of CODE. The flags stay. The caller
   sets the addend of the relocation when it knows OPERAND. */
static Elf64_Rela *
emit_base (const struct site *site, struct code *code, int holder)
{
  struct address base = { .base = holder, .index = site->insn.target_insn.base, .offset = 1 };
  Elf64_Rela text = { .r_info = ELF64_R_INFO ((uint64_t) site->text, 0) };
  Elf64_Rela *rela = &code->relas[code->rela_count];

  emit_byte (code, REX | REX_W | (holder >= 8 ? REX_B : 0));
  emit_byte (code, 0xc7);
  emit_byte (code, 0xc0 | (holder & 7));
  emit_field (code, R_X86_64_PC32, &text, (int64_t) site->disp->r_offset);
  emit_byte (code, REX | REX_W | (holder >= 8 ? REX_B : 0));
  emit_byte (code, 0xf7);
  emit_byte (code, 0xd0 | (holder & 7));
  emit_lea (code, true, holder, &base);
  return rela;
}

/* The displacement that was emitted last is what RELA's field counts to. */
static void
count_to_displacement (const struct code *code, Elf64_Rela *rela)
{
  const Elf64_Rela *disp = &code->relas[code->rela_count - 1];

  rela->r_addend -= (int64_t) (disp->r_offset - rela->r_offset);
}

/* The address of the program's x, and what the thread's copy is apart from it. */
static void
emit_base_relative_lea (const struct site *site, struct code *code, int holder, Elf64_Rela *base)
{
  const struct target_insn *x = &site->insn.target_insn;
  struct address sum = { .base = x->to, .index = holder };

  emit_byte (code,
             REX | REX_W | (x->to >= 8 ? REX_R : 0) | (x->rex & REX_X) | (holder >= 8 ? REX_B : 0));
  emit_byte (code, 0x8d);
  emit_based_operand (code, site, holder);
  count_to_displacement (code, base);
  emit_load_word (code, true, holder, &site->word);
  emit_lea (code, is_wide (&site->insn), x->to, &sum);
}

const char *
rewrite_base_relative (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  int holder = free_base (&site->insn, x->base);
  Elf64_Rela *base;

  if (x->uses_stack_pointer || x->base == RSP || x->is_branch)
    return "it uses the stack pointer";
  if (holder == NO_REGISTER)
    return "it leaves no register free";
  if (x->form == FORM_LEA ? x->operand_bits == 16 : x->form == FORM_BOUNDS)
    return "it computes an address";
  emit_save (code, holder);
  base = emit_base (site, code, holder);
  if (x->form == FORM_LEA)
    emit_base_relative_lea (site, code, holder, base);
  else
    {
      emit_prefixes (code, &site->insn, true);
      emit_based_operand (code, site, holder);
      count_to_displacement (code, base);
      emit_rest (code, site);
    }
  emit_restore (code, holder);
  return NULL;
}
