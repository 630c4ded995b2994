/* Encodes the memory operand of an instruction again: the same operand at another address, or
   another operand. */

#include "privatize/arch/x86_64/emit.h"

bool
is_wide (const struct insn *insn)
{
  return insn->target_insn.operand_bits == 64;
}

/* A relative displacement counts from the end of the instruction. */
int64_t
target_addend (const struct site *site)
{
  const struct outline *outline = &site->insn.outline;

  return moved_addend (site->disp->r_addend,
                       site->insn.is_pc_relative ? outline->length - outline->disp.at : 0);
}

/* Without meaning in 64-bit mode, unlike fs and gs; but of two segments the last one counts. */
bool
is_segment_prefix (unsigned byte)
{
  return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e;
}

/* Everything before the ModRM byte. */
void
emit_prefixes (struct code *code, const struct insn *insn, bool with_gs)
{
  if (with_gs)
    emit_byte (code, GS_PREFIX);
  for (unsigned i = 0; i < insn->target_insn.modrm_at; i++)
    if (!(with_gs && i < insn->target_insn.prefix_count && is_segment_prefix (insn->bytes[i])))
      emit_byte (code, insn->bytes[i]);
}

/* ModRM with REG, SIB without base and index, and an address. Processors of Intel since 2021 forward
   what is stored to a load of the same register and displacement at once, and only after five cycles
   where either counts from the instruction. */
static void
emit_absolute_operand (struct code *code, const struct site *site, unsigned reg)
{
  emit_byte (code, reg << 3 | 4);
  emit_byte (code, 0x25);
  emit_field (code, R_X86_64_32S, site->disp, target_addend (site));
}

/* Whether a private operand that counts from the instruction may be an address instead. */
static bool
can_be_absolute (const struct site *site)
{
  return site->is_fixed && site->disp_private && type_of (site->disp)->kind == RELOC_PC_RELATIVE
         && !(site->insn.target_insn.rex & REX_X);
}

/* ModRM with REG, SIB and displacement of the site's operand, for an instruction
   that has TRAILING bytes after them and finds the stack pointer SHIFT lower. */
void
emit_operand (struct code *code, const struct site *site, unsigned reg, int shift, size_t trailing)
{
  const struct insn *insn = &site->insn;
  const struct target_insn *x = &insn->target_insn;
  bool from_stack = shift && x->base == RSP;

  if (insn->is_pc_relative && can_be_absolute (site))
    {
      emit_absolute_operand (code, site, reg);
      return;
    }
  if (insn->is_pc_relative)
    {
      bool is_got = type_of (site->disp)->kind == RELOC_GOT_ENTRY;
      emit_relative_operand (code, is_got ? R_X86_64_GOTPCREL : R_X86_64_PC32, site->disp,
                             target_addend (site), reg, trailing);
      return;
    }
  emit_byte (code, (from_stack ? 2 : x->mod) << 6 | reg << 3 | x->rm);
  if (x->mod == 3)
    return;
  if (x->sib_at)
    emit_byte (code, insn->bytes[x->sib_at]);
  if (site->disp)
    emit_field (code, ELF64_R_TYPE (site->disp->r_info), site->disp,
                moved_addend (site->disp->r_addend, from_stack ? shift : 0));
  else if (from_stack)
    emit_field (code, 0, NULL, x->disp + shift);
  else
    emit (code, insn->bytes + insn->outline.disp.at, insn->outline.disp.bits / 8);
}

/* The same with another BASE, to which the displacement counts from itself, as before. */
void
emit_based_operand (struct code *code, const struct site *site, int base)
{
  const struct target_insn *x = &site->insn.target_insn;

  emit_byte (code, 2 << 6 | x->reg << 3 | (x->sib_at ? RSP : base & 7));
  if (x->sib_at)
    emit_byte (code, (site->insn.bytes[x->sib_at] & ~7) | (base & 7));
  emit_field (code, R_X86_64_PC32, site->disp, site->disp->r_addend);
}

/* Where the displacement, SIB or ModRM byte ends, whatever comes last. */
static size_t
operand_end (const struct insn *insn)
{
  const struct target_insn *x = &insn->target_insn;

  if (insn->outline.disp.bits)
    return insn->outline.disp.at + insn->outline.disp.bits / 8;
  return (x->sib_at ? x->sib_at : x->modrm_at) + 1;
}

size_t
rest_bytes (const struct insn *insn)
{
  return insn->outline.length - operand_end (insn);
}

/* The bytes after the operand, with the relocation of an immediate among them. */
void
emit_rest (struct code *code, const struct site *site)
{
  size_t from = operand_end (&site->insn);

  if (site->imm)
    {
      emit_rela (code, ELF64_R_TYPE (site->imm->r_info), site->imm, site->imm->r_addend);
      code->relas[code->rela_count - 1].r_offset += site->insn.outline.imm.at - from;
    }
  emit (code, site->insn.bytes + from, site->insn.outline.length - from);
}

static int
first_unused (const uint8_t *order, size_t count, unsigned used)
{
  for (size_t i = 0; i < count; i++)
    if (!(used & 1u << order[i]))
      return order[i];
  return NO_REGISTER;
}

/* A general register that the instruction does not use. */
int
free_register (const struct insn *insn)
{
  static const uint8_t order[] = { 11, 10, 9, 8, 0, 1, 2, 6, 7, 3, 5, 12, 13, 14, 15 };

  return first_unused (order, sizeof order, insn->target_insn.used);
}

/* One that can be the base instead of BASE, with the same prefixes. */
int
free_base (const struct insn *insn, int base)
{
  static const uint8_t low[] = { 0, 1, 2, 6, 7, 3, 5 }, high[] = { 11, 10, 9, 8, 13, 14, 15 };

  return first_unused (base >= 8 ? high : low, sizeof low, insn->target_insn.used);
}
