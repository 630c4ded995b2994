/* Which code does what an instruction did, with the calling thread's copy.

   An operand in private memory gets an fs: prefix: the segment's base is the
   thread pointer, and base and index registers add to it as before. An address
   (lea, an immediate, an entry of the GOT) is computed from the thread pointer,
   without touching the flags or the 128 bytes below the stack pointer. */

#include "privatize/arch/x86_64/emit.h"

enum
{
  MODRM_JUMP = 4
};

static bool
is_got (const Elf64_Rela *rela)
{
  return type_of (rela)->kind == RELOC_GOT_ENTRY;
}

/* movabs moffs, %rax and back: the same through ModRM, which is shorter. */
static const char *
rewrite_moffs (const struct site *site, struct code *code)
{
  unsigned opcode = site->insn.target_insn.opcode;

  emit_byte (code, FS_PREFIX);
  emit (code, site->insn.bytes, site->insn.target_insn.prefix_count);
  /* a0, a1: load, 8a, 8b; a2, a3: store, 88, 89. */
  emit_byte (code, 0x88 | (opcode & 1) | (opcode & 2 ? 0 : 2));
  emit_byte (code, 0x04);
  emit_byte (code, 0x25);
  emit_field (code, R_X86_64_TPOFF32, site->disp, site->disp->r_addend);
  return NULL;
}

/* lea with the destination among the registers of its operand, or with two of
   them: another register holds the thread pointer. */
static const char *
rewrite_lea (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  struct address address = { .rela = site->disp, .addend = target_addend (site) };
  bool saves = x->to == x->base || x->to == x->index;
  int holder = saves ? free_register (&site->insn) : x->to;

  if (x->operand_bits == 16)
    return "it keeps only 16 bits of the address";
  if (x->to == RSP || x->base == RSP)
    return "it uses the stack pointer";
  if (saves)
    emit_save (code, holder);
  emit_thread_pointer (code, holder);
  address.base = holder;
  address.index = x->index != NO_REGISTER ? x->index : x->base;
  address.scale = x->index != NO_REGISTER ? x->scale : 0;
  if (x->base != NO_REGISTER && x->index != NO_REGISTER)
    {
      struct address sum = { .base = holder, .index = x->base };
      emit_lea (code, true, holder, &sum);
    }
  emit_lea (code, is_wide (&site->insn), x->to, &address);
  if (saves)
    emit_restore (code, holder);
  return NULL;
}

/* push of an address: the word that the push would have written is stored first,
   then the stack pointer comes to it. */
static const char *
rewrite_push (struct code *code, const Elf64_Rela *rela, int64_t addend)
{
  enum
  {
    HOLDER = 11
  };

  emit_move_stack (code, -(RED_ZONE + SLOT));
  emit_push (code, HOLDER);
  emit_private_address (code, true, HOLDER, rela, addend);
  emit_store_above (code, HOLDER, RED_ZONE + SLOT);
  emit_pop (code, HOLDER);
  emit_move_stack (code, RED_ZONE);
  return NULL;
}

/* An instruction that reads the address of something private from the GOT: it
   reads it from a word below the red zone. */
static const char *
rewrite_got (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  int holder = free_register (&site->insn);
  int64_t addend = target_addend (site);

  if (x->form == FORM_LOAD && is_wide (&site->insn) && x->to != RSP)
    {
      emit_private_address (code, true, x->to, site->disp, addend);
      return NULL;
    }
  if (x->form == FORM_PUSH && is_wide (&site->insn))
    return rewrite_push (code, site->disp, addend);
  if (x->is_branch)
    return "it branches to data";
  if (x->uses_stack_pointer)
    return "it uses the stack pointer";
  if (!x->reads_address)
    return "it does more than read the GOT entry";
  emit_move_stack (code, -(RED_ZONE + SLOT));
  emit_push (code, holder);
  emit_private_address (code, true, holder, site->disp, addend);
  emit_store_above (code, holder, SLOT);
  emit_pop (code, holder);
  emit_prefixes (code, &site->insn, false);
  emit_byte (code, x->reg << 3 | 4);
  emit_byte (code, 0x24);
  emit_rest (code, site);
  emit_move_stack (code, RED_ZONE + SLOT);
  return NULL;
}

/* The prefixes of an instruction that gets a REX prefix of its own. */
static void
emit_legacy_prefixes (struct code *code, const struct site *site)
{
  if (site->disp_private)
    emit_byte (code, FS_PREFIX);
  for (unsigned i = 0; i < site->insn.target_insn.prefix_count; i++)
    {
      uint8_t byte = site->insn.bytes[i];
      bool is_rex = (byte & 0xf0) == REX;
      if (!is_rex && !(is_segment_prefix (byte) && site->disp_private))
        emit_byte (code, byte);
    }
}

/* An instruction with an address as its immediate: with a register instead. */
static const char *
rewrite_immediate (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  int holder = free_register (&site->insn);

  if (!x->register_opcode)
    return "it has no form with a register operand";
  if (x->uses_stack_pointer)
    return "it uses the stack pointer";
  if (site->insn.is_pc_relative && !site->disp)
    return "its PC-relative operand has no relocation";
  emit_save (code, holder);
  emit_private_address (code, true, holder, site->imm, site->imm->r_addend);
  emit_legacy_prefixes (code, site);
  emit_byte (code, REX | (is_wide (&site->insn) ? REX_W : 0) | (holder >= 8 ? REX_R : 0) | x->rex);
  emit_byte (code, x->register_opcode);
  if (x->modrm_at)
    emit_operand (code, site, holder & 7, RED_ZONE + SLOT, 0);
  else
    emit_byte (code, 0xc0 | (holder & 7) << 3);
  emit_restore (code, holder);
  return NULL;
}

/* mov $x, %ecx; mov %ecx, %edi: what clang writes, without optimization, to
   load an address below 4 GiB into a 64-bit register. The thread's copy is elsewhere, so
   the second instruction must copy 64 bits. It also stays where it is, for
   branches to it. If the two are not adjacent, the site is refused. */
bool
wants_next (const struct site *site)
{
  return site->imm_private && site->insn.target_insn.form == FORM_MOVE_IMM
         && !is_wide (&site->insn);
}

bool
note_next (struct site *site, const struct insn *next, bool is_adjacent)
{
  const struct target_insn *x = &next->target_insn;
  int reg = site->insn.target_insn.to;

  if (x->copy_from != reg)
    return !x->is_branch && !(x->written & 1u << reg);
  if (is_adjacent && x->copy_to != RSP)
    {
      site->copy_length = next->outline.length;
      site->copy_to = x->copy_to;
      return x->copy_to != reg;
    }
  site->is_copied_later = true;
  return false;
}

/* movabs $x+N, %reg with an N that is no offset within data: compilers fold what they
   know of an index into it. It is added as a number, out of reach of the linker's range checks. */
static bool
is_far (const struct site *site)
{
  enum
  {
    BEFORE = 1 << 16
  };
  int64_t addend = site->imm->r_addend;

  return site->insn.outline.imm.bits == 64 && (addend < -BEFORE || addend > INT32_MAX);
}

static void
emit_far_address (const struct site *site, struct code *code, int to)
{
  int holder = free_register (&site->insn);
  struct address sum = { .base = to, .index = holder };

  emit_save (code, holder);
  emit_private_address (code, true, to, site->imm, 0);
  emit_number (code, holder, site->imm->r_addend);
  emit_lea (code, true, to, &sum);
  emit_restore (code, holder);
}

/* mov $x, %reg: the assembler's choice of 32 bits, zero-extended or sign-extended,
   was one for an address below 2 GiB. The address of the thread's copy needs all 64 bits. */
static const char *
rewrite_move (const struct site *site, struct code *code)
{
  int to = site->insn.target_insn.to;

  if (to == RSP)
    return "it uses the stack pointer";
  if (site->is_copied_later)
    return "its address is copied as 32 bits";
  if (site->got)
    emit_gotoff (site, code, to);
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
  if (site->insn.target_insn.base == RSP)
    return "it uses the stack pointer";
  emit_prefixes (code, &site->insn, true);
  emit_operand (code, site, MODRM_JUMP, 0, 0);
  code->entry = ENTRY_CALL;
  return NULL;
}

/* The general case: an operand in private memory. */
static const char *
rewrite_memory (const struct site *site, struct code *code)
{
  emit_prefixes (code, &site->insn, true);
  emit_operand (code, site, site->insn.target_insn.reg, 0, 0);
  emit_rest (code, site);
  if (site->insn.target_insn.form == FORM_JUMP)
    code->entry = ENTRY_TAIL;
  return NULL;
}

/* True when the relocations are those that a linker would accept for the operands:
   others are of another machine, or not operands at all. */
static bool
has_fitting_relocations (const struct site *site)
{
  const struct insn *insn = &site->insn;
  enum operand_field field = insn->outline.disp.bits == 64 ? FIELD_DISP64
                             : insn->is_pc_relative        ? FIELD_PC_DISP
                                                           : FIELD_DISP;

  if (site->disp_private && !(type_of (site->disp)->fields & field)
      && (field != FIELD_DISP || !is_base_relative (site)))
    return false;
  if (!site->imm_private)
    return true;
  /* The operand is encoded again, relative to another address. */
  if (site->disp && field == FIELD_PC_DISP && !(type_of (site->disp)->fields & field))
    return false;
  return !insn->has_relative_imm
         && (type_of (site->imm)->fields
             & (insn->outline.imm.bits == 64 ? FIELD_IMM64 : FIELD_IMM));
}

static const char *
rewrite_private_imm (const struct site *site, struct code *code)
{
  switch (site->insn.target_insn.form)
    {
    case FORM_MOVE_IMM:
      return rewrite_move (site, code);
    case FORM_PUSH_IMM:
      return rewrite_push (code, site->imm, site->imm->r_addend);
    default:
      return rewrite_immediate (site, code);
    }
}

static const char *
rewrite_private_disp (const struct site *site, struct code *code)
{
  enum form form = site->insn.target_insn.form;

  if (form == FORM_MOFFS)
    return rewrite_moffs (site, code);
  if (is_got (site->disp))
    return rewrite_got (site, code);
  if (is_base_relative (site))
    return rewrite_base_relative (site, code);
  switch (form)
    {
    case FORM_LEA:
      return rewrite_lea (site, code);
    case FORM_BOUNDS:
      return "it computes an address";
    case FORM_CALL:
      return rewrite_call (site, code);
    default:
      return rewrite_memory (site, code);
    }
}

const char *
rewrite_insn (const struct site *site, struct code *code)
{
  const char *refusal = site->disp_private ? site->insn.target_insn.refusal : NULL;

  *code = (struct code){ .entry = ENTRY_JUMP };
  if (refusal)
    return refusal;
  if (!has_fitting_relocations (site))
    return "its relocation does not fit the operand";
  if (site->imm_private && site->disp_private && is_got (site->disp))
    return "it has two private addresses";
  return site->imm_private ? rewrite_private_imm (site, code) : rewrite_private_disp (site, code);
}
