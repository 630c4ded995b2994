/* Addresses as offsets: in position-independent code of the large models from the GOT, in
   hand-written code from an address in the text whose address a register holds. Each thread's
   copy is elsewhere, and so are these offsets. */

#include "privatize/arch/x86_64/emit.h"

enum
{
  FIELD_BYTES = 4
};

/* lea SYMBOL+OFFSET(%rip), TO; not TO: the address's negative, less one. The flags stay. */
static void
emit_negative (struct code *code, int to, uint32_t type, uint32_t symbol, int64_t offset)
{
  Elf64_Rela rela = { .r_info = ELF64_R_INFO ((uint64_t) symbol, 0) };

  emit_byte (code, REX | REX_W | (to >= 8 ? REX_R : 0));
  emit_byte (code, 0x8d);
  emit_byte (code, (to & 7) << 3 | 5);
  emit_field (code, type, &rela, offset - FIELD_BYTES);
  emit_byte (code, REX | REX_W | (to >= 8 ? REX_B : 0));
  emit_byte (code, 0xf7);
  emit_byte (code, 0xd0 | (to & 7));
}

/* movabs $x@GOTOFF, %reg: the offset of the thread's copy from the GOT, in code whose
   model leaves all offsets open. */
void
emit_gotoff (const struct site *site, struct code *code, int to)
{
  int holder = free_register (&site->insn);
  struct address difference = { .base = to, .index = holder, .addend = 1 };

  emit_save (code, holder);
  emit_private_address (code, true, to, site->imm, site->imm->r_addend);
  emit_negative (code, holder, R_X86_64_GOTPC32, site->got, 0);
  emit_lea (code, true, to, &difference);
  emit_restore (code, holder);
}

/* x - $$ + N(%base): the displacement is the offset from itself to x, and what is in the
   base is an address in the text that makes up for it. */
bool
is_base_relative (const struct site *site)
{
  return site->text && (type_of (site->disp)->fields & FIELD_BASE_DISP)
         && site->insn.target_insn.base != NO_REGISTER;
}

/* lea: what HOLDER, the index and the displacement add up to, and the thread pointer. */
static void
emit_base_relative_lea (const struct site *site, struct code *code, int holder)
{
  const struct target_insn *x = &site->insn.target_insn;
  struct address offset = { .base = holder,
                            .index = x->index,
                            .scale = x->scale,
                            .rela = site->disp,
                            .addend = site->disp->r_addend };
  struct address sum = { .base = x->to, .index = holder };

  emit_lea (code, true, holder, &offset);
  emit_thread_pointer (code, x->to);
  emit_lea (code, is_wide (&site->insn), x->to, &sum);
}

/* Another register holds the base less the address of the displacement; to that the offset
   of the thread's copy is added. */
const char *
rewrite_base_relative (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  int holder = free_base (&site->insn, x->base);
  struct address difference = { .base = holder, .index = x->base, .addend = 1 };

  if (x->uses_stack_pointer || x->base == RSP || x->is_branch)
    return "it uses the stack pointer";
  if (holder == NO_REGISTER)
    return "it leaves no register free";
  if (x->form == FORM_LEA ? x->operand_bits == 16 : x->form == FORM_BOUNDS)
    return "it computes an address";
  emit_save (code, holder);
  emit_negative (code, holder, R_X86_64_PC32, site->text, site->disp->r_offset);
  emit_lea (code, true, holder, &difference);
  if (x->form == FORM_LEA)
    emit_base_relative_lea (site, code, holder);
  else
    {
      emit_prefixes (code, &site->insn, true);
      emit_private_operand (code, site, holder);
      emit_rest (code, site);
    }
  emit_restore (code, holder);
  return NULL;
}
