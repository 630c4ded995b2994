/* The memory operand of an instruction, re-encoded: against the thread pointer, or
   as it was but at another place. */

#include "privatize/rewrite.h"

#include <string.h>

bool
is_legacy (const struct site *site, ZydisOpcodeMap map, unsigned opcode)
{
  return site->z.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && site->z.opcode_map == map
         && site->z.opcode == opcode;
}

bool
is_lea (const struct site *site)
{
  return is_legacy (site, ZYDIS_OPCODE_MAP_DEFAULT, 0x8d);
}

bool
is_wide (const struct site *site)
{
  return site->z.operand_width == 64;
}

bool
uses_stack_pointer (const struct site *site)
{
  for (unsigned i = 0; i < site->z.operand_count; i++)
    if (site->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER
        && ZydisRegisterGetLargestEnclosing (ZYDIS_MACHINE_MODE_LONG_64,
                                             site->operands[i].reg.value) == ZYDIS_REGISTER_RSP)
      return true;
  return false;
}

/* The register that the ModRM byte names besides the memory operand. */
int
modrm_register (const struct site *site)
{
  return site->z.raw.modrm.reg | ((site->z.attributes & ZYDIS_ATTRIB_HAS_REX) && site->z.raw.rex.R
                                    ? 8 : 0);
}

/* Address arithmetic ignores segments, in lea and in the bounds instructions. */
bool
has_address_operand (const struct site *site)
{
  for (unsigned i = 0; i < site->z.operand_count; i++)
    if (site->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY
        && site->operands[i].mem.type != ZYDIS_MEMOP_TYPE_MEM
        && site->operands[i].mem.type != ZYDIS_MEMOP_TYPE_VSIB)
      return true;
  return false;
}

bool
is_rip_relative (const struct site *site)
{
  return (site->z.attributes & ZYDIS_ATTRIB_HAS_MODRM) && site->z.raw.modrm.mod == 0
         && site->z.raw.modrm.rm == 5;
}

static bool
has_sib (const struct site *site)
{
  return site->z.attributes & ZYDIS_ATTRIB_HAS_SIB;
}

static const ZydisDecodedOperand *
memory_operand (const struct site *site)
{
  for (unsigned i = 0; i < site->z.operand_count; i++)
    if (site->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY
        && site->operands[i].encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM)
      return &site->operands[i];
  return NULL;
}

static int
register_number (ZydisRegister reg)
{
  if (reg == ZYDIS_REGISTER_NONE || ZydisRegisterGetClass (reg) != ZYDIS_REGCLASS_GPR64)
    return NO_REGISTER;
  return ZydisRegisterGetId (reg);
}

/* The general register that is the operand's base, or NO_REGISTER. */
int
memory_base (const struct site *site)
{
  const ZydisDecodedOperand *operand = memory_operand (site);

  return operand ? register_number (operand->mem.base) : NO_REGISTER;
}

int
memory_index (const struct site *site)
{
  const ZydisDecodedOperand *operand = memory_operand (site);

  return operand ? register_number (operand->mem.index) : NO_REGISTER;
}

/* The addend of the address that the displacement means: a relative one counts
   from the end of the instruction. */
int64_t
target_addend (const struct site *site)
{
  return moved_addend (site->disp->r_addend,
                       is_rip_relative (site) ? site->z.length - site->z.raw.disp.offset : 0);
}

/* Where the displacement, SIB or ModRM byte ends, whatever comes last. */
size_t
operand_end (const struct site *site)
{
  if (site->z.raw.disp.size)
    return site->z.raw.disp.offset + site->z.raw.disp.size / 8;
  return (has_sib (site) ? site->z.raw.sib.offset : site->z.raw.modrm.offset) + 1;
}

/* Everything before the ModRM byte. A segment prefix is without meaning but for fs
   and gs, and would undo ours. */
void
emit_prefixes (struct code *code, const struct site *site, bool with_fs)
{
  if (with_fs)
    emit_byte (code, 0x64);
  for (unsigned i = 0; i < site->z.raw.modrm.offset; i++)
    {
      uint8_t byte = site->bytes[i];
      bool is_segment = byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e;
      if (!(with_fs && is_segment && i < site->z.raw.prefix_count))
        emit_byte (code, byte);
    }
}

/* ModRM with REG, SIB and displacement of the site's operand, for an instruction
   that has TRAILING bytes after them and finds the stack pointer SHIFT lower. */
void
emit_operand (struct code *code, const struct site *site, unsigned reg, int shift, size_t trailing)
{
  unsigned mod = site->z.raw.modrm.mod, rm = site->z.raw.modrm.rm;
  bool from_stack = shift && memory_base (site) == RSP;
  int64_t disp = site->z.raw.disp.value;

  if (is_rip_relative (site) && !site->disp_private)
    {
      emit_byte (code, reg << 3 | 5);
      emit_field (code, ELF64_R_TYPE (site->disp->r_info) == R_X86_64_PC32 ? R_X86_64_PC32
                                                                           : R_X86_64_GOTPCREL,
                  site->disp, moved_addend (target_addend (site), -4 - (int64_t) trailing));
      return;
    }
  if (is_rip_relative (site))
    {
      emit_byte (code, reg << 3 | 4);
      emit_byte (code, 0x25);
      emit_field (code, R_X86_64_TPOFF32, site->disp, target_addend (site));
      return;
    }
  emit_byte (code, (from_stack ? 2 : mod) << 6 | reg << 3 | rm);
  if (mod == 3)
    return;
  if (has_sib (site))
    emit_byte (code, site->bytes[site->z.raw.sib.offset]);
  if (site->disp)
    emit_field (code, site->disp_private ? R_X86_64_TPOFF32 : ELF64_R_TYPE (site->disp->r_info),
                site->disp, moved_addend (site->disp->r_addend, from_stack ? shift : 0));
  else if (from_stack)
    emit_field (code, 0, NULL, disp + shift);
  else
    emit (code, site->bytes + site->z.raw.disp.offset, site->z.raw.disp.size / 8);
}

/* The same with another BASE, and a displacement to the thread's copy. */
void
emit_private_operand (struct code *code, const struct site *site, int base)
{
  emit_byte (code, 2 << 6 | site->z.raw.modrm.reg << 3 | (has_sib (site) ? RSP : base & 7));
  if (has_sib (site))
    emit_byte (code, (site->bytes[site->z.raw.sib.offset] & ~7) | (base & 7));
  emit_field (code, R_X86_64_TPOFF32, site->disp, site->disp->r_addend);
}

/* The bytes after the operand, with the relocation of an immediate among them. */
void
emit_rest (struct code *code, const struct site *site)
{
  size_t from = operand_end (site);

  if (site->imm)
    {
      Elf64_Rela *rela = &code->relas[code->rela_count++];
      *rela = *site->imm;
      rela->r_offset = code->length + site->z.raw.imm[0].offset - from;
    }
  emit (code, site->bytes + from, site->z.length - from);
}

/* A bit for each general register that the instruction knows of, and the stack pointer's. */
static uint32_t
used_registers (const struct site *site)
{
  uint32_t used = 1u << RSP;

  for (unsigned i = 0; i < site->z.operand_count; i++)
    {
      const ZydisDecodedOperand *operand = &site->operands[i];
      ZydisRegister regs[3] = { ZYDIS_REGISTER_NONE };
      if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
        regs[0] = operand->reg.value;
      if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
        {
          regs[1] = operand->mem.base;
          regs[2] = operand->mem.index;
        }
      for (unsigned j = 0; j < 3; j++)
        {
          int n = register_number (
            ZydisRegisterGetLargestEnclosing (ZYDIS_MACHINE_MODE_LONG_64, regs[j]));
          if (n != NO_REGISTER)
            used |= 1u << n;
        }
    }
  return used;
}

static int
first_unused (const uint8_t *order, size_t count, uint32_t used)
{
  for (size_t i = 0; i < count; i++)
    if (!(used & 1u << order[i]))
      return order[i];
  return NO_REGISTER;
}

/* A general register that the instruction does not know of. */
int
free_register (const struct site *site)
{
  static const uint8_t order[] = { 11, 10, 9, 8, 0, 1, 2, 6, 7, 3, 5, 12, 13, 14, 15 };

  return first_unused (order, sizeof order, used_registers (site));
}

/* One that can be the base instead of BASE, with the same prefixes. */
int
free_base (const struct site *site, int base)
{
  static const uint8_t low[] = { 0, 1, 2, 6, 7, 3, 5 }, high[] = { 11, 10, 9, 8, 13, 14, 15 };

  return first_unused (base >= 8 ? high : low, sizeof low, used_registers (site));
}
