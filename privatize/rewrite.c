/* Which code does what an instruction did, with the calling thread's copy.

   An operand in private memory gets an fs: prefix: the segment's base is the
   thread pointer, and base and index registers add to it as before. An address
   (lea, an immediate, an entry of the GOT) is computed from the thread pointer,
   without touching the flags or the 128 bytes below the stack pointer. */

#include "privatize/rewrite.h"

enum { MODRM_CALL = 2, MODRM_FAR_CALL = 3, MODRM_JUMP = 4, MODRM_FAR_JUMP = 5, MODRM_PUSH = 6 };

static bool
is_group5 (const struct site *site, unsigned reg)
{
  return is_legacy (site, ZYDIS_OPCODE_MAP_DEFAULT, 0xff) && site->z.raw.modrm.reg == reg;
}

static bool
is_got (const Elf64_Rela *rela)
{
  uint32_t type = ELF64_R_TYPE (rela->r_info);

  return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX;
}

static bool
has_segment (const struct site *site)
{
  return site->z.attributes & (ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_GS);
}

/* movabs moffs, %rax and back: the same through ModRM, which is shorter. */
static const char *
rewrite_moffs (const struct site *site, struct code *code)
{
  if (ELF64_R_TYPE (site->disp->r_info) != R_X86_64_64)
    return "its relocation is not one of 64 bits";
  emit_byte (code, 0x64);
  for (unsigned i = 0; i < site->z.raw.prefix_count; i++)
    emit_byte (code, site->bytes[i]);
  /* a0, a1: load, 8a, 8b; a2, a3: store, 88, 89. */
  emit_byte (code, 0x88 | (site->z.opcode & 1) | (site->z.opcode & 2 ? 0 : 2));
  emit_byte (code, 0x04);
  emit_byte (code, 0x25);
  emit_field (code, R_X86_64_TPOFF32, site->disp, site->disp->r_addend);
  return NULL;
}

/* lea with the destination among the registers of its operand, or with two of
   them: one register more holds the thread pointer. */
static const char *
rewrite_lea (const struct site *site, struct code *code)
{
  int to = modrm_register (site), base = memory_base (site), index = memory_index (site);
  unsigned scale = site->z.raw.sib.scale;
  struct address address = { .rela = site->disp, .addend = target_addend (site) };
  bool saves = to == base || to == index;
  int holder = saves ? free_register (site) : to;

  if (site->z.operand_width == 16)
    return "it keeps 16 bits of an address";
  if (to == RSP || base == RSP)
    return "it computes with the stack pointer";
  if (saves)
    {
      emit_move_stack (code, -RED_ZONE);
      emit_push (code, holder);
    }
  emit_thread_pointer (code, holder);
  address.base = holder;
  address.index = index != NO_REGISTER ? index : base;
  address.scale = index != NO_REGISTER ? scale : 0;
  if (base != NO_REGISTER && index != NO_REGISTER)
    {
      struct address sum = { .base = holder, .index = base };
      emit_lea (code, true, holder, &sum);
    }
  emit_lea (code, is_wide (site), to, &address);
  if (saves)
    {
      emit_pop (code, holder);
      emit_move_stack (code, RED_ZONE);
    }
  return NULL;
}

/* push of an address: the word that the push would have written is stored first,
   then the stack pointer comes to it. */
static const char *
rewrite_push (struct code *code, const Elf64_Rela *rela, int64_t addend)
{
  enum { HOLDER = 11 };

  emit_move_stack (code, -(RED_ZONE + SLOT));
  emit_push (code, HOLDER);
  emit_private_address (code, true, HOLDER, rela, addend);
  emit_store_above (code, HOLDER, RED_ZONE + SLOT);
  emit_pop (code, HOLDER);
  emit_move_stack (code, RED_ZONE);
  return NULL;
}

/* True when the memory operand is read and not written, and no larger than an address.
   Less is the beginning of one: Clang reads the lowest byte, for the sanitizers. */
static bool
reads_address (const struct site *site)
{
  for (unsigned i = 0; i < site->z.operand_count; i++)
    if (site->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
      return site->operands[i].size <= 64
             && !(site->operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
  return false;
}

/* An instruction that reads the address of something private from the GOT: it
   reads it from a word below the red zone. */
static const char *
rewrite_got (const struct site *site, struct code *code)
{
  int holder = free_register (site);
  int64_t addend = target_addend (site);

  if (is_legacy (site, ZYDIS_OPCODE_MAP_DEFAULT, 0x8b) && is_wide (site)
      && modrm_register (site) != RSP)
    {
      emit_private_address (code, true, modrm_register (site), site->disp, addend);
      return NULL;
    }
  if (is_group5 (site, MODRM_PUSH) && is_wide (site))
    return rewrite_push (code, site->disp, addend);
  if (site->z.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)
    return "it calls data";
  if (uses_stack_pointer (site))
    return "it computes with the stack pointer";
  if (!reads_address (site))
    return "it does more with the GOT than to read an address";
  emit_move_stack (code, -(RED_ZONE + SLOT));
  emit_push (code, holder);
  emit_private_address (code, true, holder, site->disp, addend);
  emit_store_above (code, holder, SLOT);
  emit_pop (code, holder);
  emit_prefixes (code, site, false);
  emit_byte (code, site->z.raw.modrm.reg << 3 | 4);
  emit_byte (code, 0x24);
  emit_rest (code, site);
  emit_move_stack (code, RED_ZONE + SLOT);
  return NULL;
}

/* The opcode with a register operand for one with a 32-bit immediate, or 0. */
static unsigned
register_opcode (const struct site *site)
{
  unsigned opcode = site->z.opcode, reg = site->z.raw.modrm.reg;

  if (site->z.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY
      || site->z.opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
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

/* The prefixes of an instruction that gets a REX prefix of its own. */
static void
emit_legacy_prefixes (struct code *code, const struct site *site)
{
  if (site->disp_private)
    emit_byte (code, 0x64);
  for (unsigned i = 0; i < site->z.raw.prefix_count; i++)
    {
      uint8_t byte = site->z.raw.prefixes[i].value;
      bool is_rex = (byte & 0xf0) == 0x40;
      bool is_segment = byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e;
      if (!is_rex && !(is_segment && site->disp_private))
        emit_byte (code, byte);
    }
}

/* An instruction with an address as its immediate: with a register instead. */
static const char *
rewrite_immediate (const struct site *site, struct code *code)
{
  unsigned opcode = register_opcode (site);
  bool has_modrm = site->z.attributes & ZYDIS_ATTRIB_HAS_MODRM;
  int holder = free_register (site);
  unsigned rex;

  if (!opcode)
    return "it has no form with a register";
  if (uses_stack_pointer (site))
    return "it computes with the stack pointer";
  if (is_rip_relative (site) && !site->disp)
    return "its operand is relative to it without a relocation";
  rex = 0x40 | (is_wide (site) ? 8 : 0) | (holder >= 8 ? 4 : 0);
  if (site->z.attributes & ZYDIS_ATTRIB_HAS_REX)
    rex |= site->z.raw.rex.X << 1 | site->z.raw.rex.B;
  emit_move_stack (code, -RED_ZONE);
  emit_push (code, holder);
  emit_private_address (code, true, holder, site->imm, site->imm->r_addend);
  emit_legacy_prefixes (code, site);
  emit_byte (code, rex);
  emit_byte (code, opcode);
  if (has_modrm)
    emit_operand (code, site, holder & 7, RED_ZONE + SLOT, 0);
  else
    emit_byte (code, 0xc0 | (holder & 7) << 3);
  emit_pop (code, holder);
  emit_move_stack (code, RED_ZONE);
  return NULL;
}

static bool
is_move_to_register (const struct site *site)
{
  return is_legacy (site, ZYDIS_OPCODE_MAP_DEFAULT, 0xb8 | (site->z.opcode & 7))
         || (is_legacy (site, ZYDIS_OPCODE_MAP_DEFAULT, 0xc7) && site->z.raw.modrm.mod == 3
             && site->z.raw.modrm.reg == 0);
}

static int
move_target (const struct site *site)
{
  unsigned low = site->z.opcode == 0xc7 ? site->z.raw.modrm.rm : site->z.opcode & 7;

  return low | ((site->z.attributes & ZYDIS_ATTRIB_HAS_REX) && site->z.raw.rex.B ? 8 : 0);
}

/* Whether Z is a mov of 32 bits from register FROM to *TO. */
static bool
is_short_copy (const ZydisDecodedInstruction *z, int from, int *to)
{
  bool has_rex = z->attributes & ZYDIS_ATTRIB_HAS_REX, is_load = z->opcode == 0x8b;
  int reg = z->raw.modrm.reg | (has_rex && z->raw.rex.R ? 8 : 0);
  int rm = z->raw.modrm.rm | (has_rex && z->raw.rex.B ? 8 : 0);

  *to = is_load ? reg : rm;
  return z->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY
         && z->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (z->opcode == 0x89 || is_load)
         && z->operand_width == 32 && z->raw.modrm.mod == 3 && (is_load ? rm : reg) == from;
}

/* True when NEXT leaves nothing of what was in REG, or when control may go elsewhere. */
static bool
ends_life (const struct site *next, int reg)
{
  if (next->z.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)
    return true;
  for (unsigned i = 0; i < next->z.operand_count; i++)
    {
      const ZydisDecodedOperand *operand = &next->operands[i];
      if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->size >= 32
          && (operand->actions & ZYDIS_OPERAND_ACTION_WRITE)
          && ZydisRegisterGetLargestEnclosing (ZYDIS_MACHINE_MODE_LONG_64, operand->reg.value)
               == ZydisRegisterEncode (ZYDIS_REGCLASS_GPR64, reg))
        return true;
    }
  return false;
}

/* mov $x, %ecx; mov %ecx, %edi: clang's way, without optimisation, to give a
   64-bit register an address below 4 GiB. The copy of a thread is not there, so the
   second instruction has to be one of 64 bits. It stays in its place too, for who
   jumps to it. With something between the two, it would be left as it is: such a
   site is refused. */
bool
note_next (struct site *site, const struct site *next, bool is_adjacent)
{
  int reg, to;

  if (!site->imm_private || !is_move_to_register (site) || is_wide (site))
    return false;
  reg = move_target (site);
  if (!is_short_copy (&next->z, reg, &to))
    return !ends_life (next, reg);
  if (is_adjacent && to != RSP)
    {
      site->copy_length = next->z.length;
      site->copy_to = to;
      return to != reg;
    }
  site->is_copied_later = true;
  return false;
}

/* movabs $x+N, %reg with an N that is no offset within data: compilers fold what they
   know of an index into it. It is added as a number, where the linker has no say. */
static bool
is_far (const struct site *site)
{
  enum { BEFORE = 1 << 16 };
  int64_t addend = site->imm->r_addend;

  return site->z.raw.imm[0].size == 64 && (addend < -BEFORE || addend > INT32_MAX);
}

static void
emit_far_address (const struct site *site, struct code *code, int to)
{
  int holder = free_register (site);
  struct address sum = { .base = to, .index = holder };

  emit_move_stack (code, -RED_ZONE);
  emit_push (code, holder);
  emit_private_address (code, true, to, site->imm, 0);
  emit_number (code, holder, site->imm->r_addend);
  emit_lea (code, true, to, &sum);
  emit_pop (code, holder);
  emit_move_stack (code, RED_ZONE);
}

/* mov $x, %reg: the assembler's choice of 32 bits, zero-extended or sign-extended,
   was one for an address below 2 GiB. The thread's copy has all 64. */
static const char *
rewrite_move (const struct site *site, struct code *code)
{
  int to = move_target (site);

  if (to == RSP)
    return "it computes with the stack pointer";
  if (site->is_copied_later)
    return "its address is copied on in 32 bits";
  if (site->got)
    emit_got_distance (site, code, to);
  else if (is_far (site))
    emit_far_address (site, code, to);
  else
    emit_private_address (code, true, to, site->imm, site->imm->r_addend);
  if (site->copy_length)
    {
      struct address address = { .base = to, .index = NO_REGISTER };
      emit_lea (code, true, site->copy_to, &address);
      code->covers = site->copy_length;
    }
  return NULL;
}

/* call *x: the thunk is called, so that the address after this instruction is
   pushed, and jumps on. */
static const char *
rewrite_call (const struct site *site, struct code *code)
{
  if (memory_base (site) == RSP)
    return "it computes with the stack pointer";
  emit_prefixes (code, site, true);
  emit_operand (code, site, MODRM_JUMP, 0, 0);
  code->entry = ENTRY_CALL;
  return NULL;
}

/* The general case: an operand in private memory. */
static const char *
rewrite_memory (const struct site *site, struct code *code)
{
  emit_prefixes (code, site, true);
  emit_operand (code, site, site->z.raw.modrm.reg, 0, 0);
  emit_rest (code, site);
  if (is_group5 (site, MODRM_JUMP))
    code->entry = ENTRY_TAIL;
  return NULL;
}

/* True when the relocations are those that a linker would accept for the operands:
   others are of another machine, or not operands at all. */
static bool
has_fitting_relocations (const struct site *site)
{
  uint32_t type;

  if (site->disp_private)
    {
      type = ELF64_R_TYPE (site->disp->r_info);
      if (site->z.raw.disp.size == 64)
        return type == R_X86_64_64 && !site->imm_private;
      if (is_rip_relative (site) ? type != R_X86_64_PC32 && !is_got (site->disp)
                                 : type != R_X86_64_32 && type != R_X86_64_32S && !is_distance (site))
        return false;
    }
  if (site->imm_private)
    {
      type = ELF64_R_TYPE (site->imm->r_info);
      if (site->z.raw.imm[0].is_relative)
        return false;
      if (type == R_X86_64_GOTOFF64 && site->got && is_move_to_register (site))
        return !site->disp_private;
      if (site->z.raw.imm[0].size == 64 ? type != R_X86_64_64
                                        : type != R_X86_64_32 && type != R_X86_64_32S)
        return false;
    }
  return true;
}

/* Why no operand of this instruction can be in private memory, or NULL. */
static const char *
refuse_operand (const struct site *site)
{
  if (has_segment (site))
    return "it has a segment already";
  if (site->z.address_width != 64)
    return "its address has 32 bits";
  if (is_group5 (site, MODRM_FAR_CALL) || is_group5 (site, MODRM_FAR_JUMP))
    return "it jumps to another segment";
  /* With rip these bits count for nothing, with a SIB byte they do. VEX and EVEX
     have them inverted. */
  if (is_rip_relative (site)
      && (((site->z.attributes & ZYDIS_ATTRIB_HAS_REX) && site->z.raw.rex.X)
          || (site->z.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX && !site->z.raw.vex.X)
          || (site->z.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && !site->z.raw.evex.X)))
    return "its encoding is unusual";
  if (site->z.length > ZYDIS_MAX_INSTRUCTION_LENGTH - 2)
    return "it is too long";
  return NULL;
}

const char *
rewrite_instruction (const struct site *site, struct code *code)
{
  const char *reason = site->disp_private ? refuse_operand (site) : NULL;

  *code = (struct code) { .entry = ENTRY_JUMP };
  if (reason)
    return reason;
  if (!has_fitting_relocations (site))
    return "its relocation does not fit it";
  if (site->imm_private && site->disp_private && is_got (site->disp))
    return "it has two addresses";
  if (site->imm_private && is_move_to_register (site))
    return rewrite_move (site, code);
  if (site->imm_private && is_legacy (site, ZYDIS_OPCODE_MAP_DEFAULT, 0x68))
    return rewrite_push (code, site->imm, site->imm->r_addend);
  if (site->imm_private)
    return rewrite_immediate (site, code);
  if (site->z.raw.disp.size == 64)
    return rewrite_moffs (site, code);
  if (is_got (site->disp))
    return rewrite_got (site, code);
  if (is_distance (site))
    return rewrite_distance (site, code);
  if (is_lea (site))
    return rewrite_lea (site, code);
  if (has_address_operand (site))
    return "it computes an address";
  if (is_group5 (site, MODRM_CALL))
    return rewrite_call (site, code);
  return rewrite_memory (site, code);
}
