/* Decodes an instruction into struct insn. Only this file uses Zydis. */

#include "privatize/arch/arch.h"

#include <Zydis/Zydis.h>
#include <string.h>

_Static_assert(MAX_INSN_BYTES == ZYDIS_MAX_INSTRUCTION_LENGTH, "target.h has another length");

enum
{
  MODRM_CALL = 2,
  MODRM_FAR_CALL,
  MODRM_JUMP,
  MODRM_FAR_JUMP
};
enum
{
  GROUP5 = 0xff,
  NEAR_CALL = 0xe8,
  NEAR_JUMP = 0xe9,
  SHORT_JUMP = 0xeb
};

static const ZydisDecoder *
decoder (bool is_minimal)
{
  static ZydisDecoder decoders[2];
  static bool is_ready;

  if (!is_ready)
    {
      for (unsigned i = 0; i < 2; i++)
        ZydisDecoderInit (&decoders[i], ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
      ZydisDecoderEnableMode (&decoders[1], ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
      is_ready = true;
    }
  return &decoders[is_minimal];
}

static struct outline
outline_of (const ZydisDecodedInstruction *z)
{
  return (struct outline){ .length = z->length,
                           .disp = { z->raw.disp.offset, z->raw.disp.size },
                           .imm = { z->raw.imm[0].offset, z->raw.imm[0].size } };
}

bool
outline_insn (const uint8_t *bytes, size_t limit, struct outline *outline)
{
  ZydisDecodedInstruction z;

  if (!ZYAN_SUCCESS (ZydisDecoderDecodeInstruction (decoder (true), NULL, bytes, limit, &z)))
    return false;
  *outline = outline_of (&z);
  return true;
}

static bool
is_legacy (const ZydisDecodedInstruction *z, ZydisOpcodeMap map)
{
  return z->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && z->opcode_map == map;
}

static bool
has_rex_bit (const ZydisDecodedInstruction *z, ZyanU8 bit)
{
  return (z->attributes & ZYDIS_ATTRIB_HAS_REX) && bit;
}

/* The number of a general register of 64 bits, or NO_REGISTER. */
static int
register_number (ZydisRegister reg)
{
  if (reg == ZYDIS_REGISTER_NONE || ZydisRegisterGetClass (reg) != ZYDIS_REGCLASS_GPR64)
    return NO_REGISTER;
  return ZydisRegisterGetId (reg);
}

/* The bit of the general register that REG is all or part of. */
static unsigned
register_bit (ZydisRegister reg)
{
  int n = register_number (ZydisRegisterGetLargestEnclosing (ZYDIS_MACHINE_MODE_LONG_64, reg));

  return n == NO_REGISTER ? 0 : 1u << n;
}

/* What the registers among the operands say. */
static void
decode_register (const ZydisDecodedOperand *operand, struct target_insn *insn)
{
  unsigned bit = register_bit (operand->reg.value);

  insn->used |= bit;
  if (bit == 1u << RSP)
    insn->uses_stack_pointer = true;
  if (operand->size >= 32 && (operand->actions & ZYDIS_OPERAND_ACTION_WRITE))
    insn->written |= bit;
}

static void
decode_memory (const ZydisDecodedOperand *operand, struct target_insn *insn)
{
  insn->used |= register_bit (operand->mem.base) | register_bit (operand->mem.index);
  if (operand->encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM)
    {
      insn->base = register_number (operand->mem.base);
      insn->index = register_number (operand->mem.index);
    }
}

/* Address arithmetic ignores segments, in lea and in the bounds instructions. */
static bool
has_address_operand (const ZydisDecodedInstruction *z, const ZydisDecodedOperand *operands)
{
  for (unsigned i = 0; i < z->operand_count; i++)
    if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY
        && operands[i].mem.type != ZYDIS_MEMOP_TYPE_MEM
        && operands[i].mem.type != ZYDIS_MEMOP_TYPE_VSIB)
      return true;
  return false;
}

/* Less than an address is the beginning of one: Clang reads the lowest byte, for the
   sanitizers. */
static bool
reads_address (const ZydisDecodedInstruction *z, const ZydisDecodedOperand *operands)
{
  for (unsigned i = 0; i < z->operand_count; i++)
    if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
      return operands[i].size <= 64 && !(operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
  return false;
}

static void
decode_operands (const ZydisDecodedInstruction *z, const ZydisDecodedOperand *operands,
                 struct target_insn *insn)
{
  insn->base = insn->index = NO_REGISTER;
  insn->used = 1u << RSP;
  for (unsigned i = 0; i < z->operand_count; i++)
    if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
      decode_register (&operands[i], insn);
    else if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
      decode_memory (&operands[i], insn);
  insn->reads_address = reads_address (z, operands);
}

/* The fields of the encoding. */
static void
decode_fields (const ZydisDecodedInstruction *z, struct target_insn *insn)
{
  insn->opcode = z->opcode;
  insn->operand_bits = z->operand_width;
  insn->prefix_count = z->raw.prefix_count;
  insn->modrm_at = z->attributes & ZYDIS_ATTRIB_HAS_MODRM ? z->raw.modrm.offset : 0;
  insn->sib_at = z->attributes & ZYDIS_ATTRIB_HAS_SIB ? z->raw.sib.offset : 0;
  insn->mod = z->raw.modrm.mod;
  insn->reg = z->raw.modrm.reg;
  insn->rm = z->raw.modrm.rm;
  insn->scale = z->raw.sib.scale;
  insn->rex = has_rex_bit (z, z->raw.rex.X) << 1 | has_rex_bit (z, z->raw.rex.B);
  insn->disp = z->raw.disp.value;
  insn->is_branch = z->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE;
}

static enum form
form_of_group5 (unsigned reg)
{
  switch (reg)
    {
    case MODRM_CALL:
      return FORM_CALL;
    case MODRM_JUMP:
      return FORM_JUMP;
    case MODRM_FAR_CALL:
    case MODRM_FAR_JUMP:
      return FORM_FAR_BRANCH;
    default:
      return FORM_OTHER;
    }
}

static enum form
form_of (const ZydisDecodedInstruction *z, const ZydisDecodedOperand *operands)
{
  if (z->raw.disp.size == 64)
    return FORM_MOFFS;
  if (is_legacy (z, ZYDIS_OPCODE_MAP_DEFAULT))
    switch (z->opcode)
      {
      case 0x8d:
        return FORM_LEA;
      case 0x68:
        return FORM_PUSH_IMM;
      case 0xb8 ... 0xbf:
        return FORM_MOVE_IMM;
      case 0xc7:
        if (z->raw.modrm.mod == 3 && z->raw.modrm.reg == 0)
          return FORM_MOVE_IMM;
        break;
      case GROUP5:
        return form_of_group5 (z->raw.modrm.reg);
      default:
        break;
      }
  return has_address_operand (z, operands) ? FORM_BOUNDS : FORM_OTHER;
}

static int
destination (const ZydisDecodedInstruction *z, enum form form)
{
  unsigned low = z->opcode == 0xc7 ? z->raw.modrm.rm : z->opcode & 7;

  if (form == FORM_MOVE_IMM)
    return low | (has_rex_bit (z, z->raw.rex.B) ? 8 : 0);
  return z->raw.modrm.reg | (has_rex_bit (z, z->raw.rex.R) ? 8 : 0);
}

/* The opcode with a register operand for one with a 32-bit immediate, or 0. */
static unsigned
register_opcode (const ZydisDecodedInstruction *z)
{
  unsigned opcode = z->opcode, reg = z->raw.modrm.reg;

  if (!is_legacy (z, ZYDIS_OPCODE_MAP_DEFAULT))
    return 0;
  if (opcode < 0x40 && (opcode & 7) == 5)
    return opcode - 4;
  if (opcode == 0x81)
    return reg << 3 | 1;
  if (opcode == 0xc7 && reg == 0)
    return 0x89;
  if (opcode == 0xa9 || (opcode == 0xf7 && reg < 2))
    return 0x85;
  return 0;
}

static void
decode_copy (const ZydisDecodedInstruction *z, struct target_insn *insn)
{
  bool is_load = z->opcode == 0x8b;
  int reg = z->raw.modrm.reg | (has_rex_bit (z, z->raw.rex.R) ? 8 : 0);
  int rm = z->raw.modrm.rm | (has_rex_bit (z, z->raw.rex.B) ? 8 : 0);

  insn->copy_from = insn->copy_to = NO_REGISTER;
  if (!is_legacy (z, ZYDIS_OPCODE_MAP_DEFAULT) || (z->opcode != 0x89 && !is_load)
      || z->operand_width != 32 || z->raw.modrm.mod != 3)
    return;
  insn->copy_from = is_load ? rm : reg;
  insn->copy_to = is_load ? reg : rm;
}

/* Why no operand of this instruction can be in private memory, or NULL. */
static const char *
refusal_of (const ZydisDecodedInstruction *z, enum form form)
{
  if (z->attributes & ZYDIS_ATTRIB_HAS_SEGMENT_FS)
    return "it already has a segment override";
  if (z->address_width != 64)
    return "its address size is 32 bits";
  if (form == FORM_FAR_BRANCH)
    return "it is a far branch";
  if (z->length == MAX_INSN_BYTES)
    return "it leaves no room for a prefix";
  return NULL;
}

/* The end of a function: what was pushed comes back, the stack pointer goes up. */
static bool
is_epilogue (const ZydisDecodedInstruction *z, const ZydisDecodedOperand *operands)
{
  bool is_register = operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER;

  switch (z->mnemonic)
    {
    case ZYDIS_MNEMONIC_LEAVE:
      return true;
    case ZYDIS_MNEMONIC_POP:
      return is_register && operands[0].size == 64 && operands[0].reg.value != ZYDIS_REGISTER_RSP;
    case ZYDIS_MNEMONIC_ADD:
      return is_register && operands[0].reg.value == ZYDIS_REGISTER_RSP
             && operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    default:
      return false;
    }
}

/* What sets up a frame stays where the unwind table describes it, what enters the
   kernel or traps where a tracer looks for it. */
static bool
is_copyable (const ZydisDecodedInstruction *z, const ZydisDecodedOperand *operands)
{
  if (z->mnemonic == ZYDIS_MNEMONIC_UD0 || z->mnemonic == ZYDIS_MNEMONIC_UD1
      || z->mnemonic == ZYDIS_MNEMONIC_UD2 || z->raw.imm[0].is_relative)
    return false;
  switch (z->meta.category)
    {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_CET:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_UNCOND_BR:
      return false;
    default:
      break;
    }
  for (unsigned i = 0; i < z->operand_count; i++)
    if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER
        && (operands[i].reg.value == ZYDIS_REGISTER_RSP
            || operands[i].reg.value == ZYDIS_REGISTER_RBP))
      return false;
  return true;
}

static enum flow
flow_of (const ZydisDecodedInstruction *z, const ZydisDecodedOperand *operands)
{
  if (z->mnemonic == ZYDIS_MNEMONIC_RET)
    return FLOW_RETURN;
  if (is_legacy (z, ZYDIS_OPCODE_MAP_DEFAULT))
    {
      if (z->opcode == NEAR_JUMP || z->opcode == SHORT_JUMP)
        return FLOW_JUMP;
      if ((z->opcode & 0xf0) == 0x70)
        return FLOW_CONDITIONAL;
      if (z->opcode == NEAR_CALL)
        return FLOW_CALL;
      if (z->opcode == GROUP5 && z->raw.modrm.reg >= MODRM_CALL
          && z->raw.modrm.reg <= MODRM_FAR_JUMP)
        return FLOW_INDIRECT;
    }
  if (is_legacy (z, ZYDIS_OPCODE_MAP_0F) && (z->opcode & 0xf0) == 0x80)
    return FLOW_CONDITIONAL;
  if (is_epilogue (z, operands))
    return FLOW_EPILOGUE;
  return is_copyable (z, operands) ? FLOW_COPYABLE : FLOW_FIXED;
}

bool
decode_insn (const uint8_t *bytes, size_t limit, struct insn *insn)
{
  ZydisDecodedInstruction z;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  struct target_insn *target = &insn->target_insn;

  if (!ZYAN_SUCCESS (ZydisDecoderDecodeFull (decoder (false), bytes, limit, &z, operands)))
    return false;
  *insn = (struct insn){ .bytes = bytes, .outline = outline_of (&z) };
  insn->is_pc_relative = (z.attributes & ZYDIS_ATTRIB_HAS_MODRM) && z.raw.modrm.mod == 0
                         && z.raw.modrm.rm == 5;
  insn->is_private = z.attributes & ZYDIS_ATTRIB_HAS_SEGMENT_GS;
  insn->has_relative_imm = z.raw.imm[0].is_relative;
  insn->flow = flow_of (&z, operands);
  insn->condition = z.opcode & 0xf;
  insn->target = moved_addend (z.raw.imm[0].value.s, z.length);
  decode_fields (&z, target);
  decode_operands (&z, operands, target);
  decode_copy (&z, target);
  target->form = form_of (&z, operands);
  target->to = destination (&z, target->form);
  target->register_opcode = register_opcode (&z);
  target->refusal = refusal_of (&z, target->form);
  return true;
}

/* Zydis prints what it has decoded, so it decodes once more. */
void
print_insn (const struct insn *insn, char *text, size_t size)
{
  ZydisDecodedInstruction z;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  ZydisFormatter formatter;

  ZydisFormatterInit (&formatter, ZYDIS_FORMATTER_STYLE_ATT);
  if (!ZYAN_SUCCESS (
          ZydisDecoderDecodeFull (decoder (false), insn->bytes, insn->outline.length, &z, operands))
      || !ZYAN_SUCCESS (ZydisFormatterFormatInstruction (&formatter, &z, operands,
                                                         z.operand_count_visible, text, size,
                                                         ZYDIS_RUNTIME_ADDRESS_NONE, NULL)))
    strcpy (text, "?");
}
