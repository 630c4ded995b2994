/* The code that does what an instruction did, with the calling thread's copy.

   The base of segment gs is the distance from the program's private data to a thread's. So an
   operand in private memory gets a gs: prefix, and is otherwise the same. An address (lea, an
   immediate, an entry of the GOT) is read from a private word that holds it. Neither changes the
   flags or the 128 bytes below the stack pointer. */

#include "privatize/arch/x86_64/emit.h"

enum
{
  MODRM_JUMP = 4,
  ALU_TO_REGISTER = 2, /* added to the opcode: op %reg, x becomes op x, %reg */
  TEST = 0x85
};

/* Operands need none. */
uint32_t
free_registers (const uint8_t *bytes, size_t size)
{
  (void) bytes;
  (void) size;
  return 0;
}

static bool
is_got (const Elf64_Rela *rela)
{
  return type_of (rela)->kind == RELOC_GOT_ENTRY;
}

/* An immediate in the large models: the offset of the symbol from the GOT, or of the entry of
   the GOT that holds its address. */
static bool
is_got_offset (const Elf64_Rela *imm)
{
  return type_of (imm)->kind == RELOC_GOTOFF || type_of (imm)->kind == RELOC_GOT_ENTRY_OFFSET;
}

/* Operands say so themselves. */
bool
reaches_copy (const struct insn *insn, const uint8_t *bytes, size_t size)
{
  (void) insn, (void) bytes, (void) size;
  return false;
}

bool
is_right_already (const struct site *site)
{
  return site->insn.is_private;
}

bool
wants_word (const struct site *site, Elf64_Rela *word)
{
  const Elf64_Rela *rela = site->imm_private ? site->imm : site->disp;
  uint32_t type = R_X86_64_64;

  *word = *rela;
  if (site->imm_private && is_got_offset (rela))
    type = ELF64_R_TYPE (rela->r_info);
  else if (!site->imm_private && is_base_relative (site))
    {
      *word = (Elf64_Rela){ .r_info = R_X86_64_NONE };
      return site->insn.target_insn.form == FORM_LEA;
    }
  else if (!site->imm_private)
    {
      if (!is_got (rela) && site->insn.target_insn.form != FORM_LEA)
        return false;
      word->r_addend = target_addend (site);
    }
  word->r_info = ELF64_R_INFO (ELF64_R_SYM (rela->r_info), type);
  return true;
}

/* movabs moffs, %rax and back. */
static const char *
rewrite_moffs (const struct site *site, struct code *code)
{
  size_t at = site->insn.outline.disp.at;

  emit_byte (code, GS_PREFIX);
  emit (code, site->insn.bytes, at);
  emit_rela (code, R_X86_64_64, site->disp, site->disp->r_addend);
  emit (code, site->insn.bytes + at, sizeof (uint64_t));
  return NULL;
}

/* lea x, %reg, where registers may add to x; another register holds the address if the
   destination is one of them. */
static const char *
rewrite_lea (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  struct address sum = { .index = x->index != NO_REGISTER ? x->index : x->base,
                         .scale = x->index != NO_REGISTER ? x->scale : 0 };
  bool saves = x->to == x->base || x->to == x->index;
  int holder = saves ? free_register (&site->insn) : x->to;

  if (x->operand_bits == 16)
    return "it keeps only 16 bits of the address";
  if (x->to == RSP || x->base == RSP)
    return "it uses the stack pointer";
  if (sum.index == NO_REGISTER)
    {
      emit_load_word (code, is_wide (&site->insn), x->to, &site->word);
      return NULL;
    }
  if (saves)
    emit_save (code, holder);
  emit_load_word (code, true, holder, &site->word);
  sum.base = holder;
  if (x->base != NO_REGISTER && x->index != NO_REGISTER)
    {
      struct address first = { .base = holder, .index = x->base };
      emit_lea (code, true, holder, &first);
    }
  emit_lea (code, is_wide (&site->insn), x->to, &sum);
  if (saves)
    emit_restore (code, holder);
  return NULL;
}

/* An instruction that reads the address of something private from the GOT: it reads the
   private word. */
static const char *
rewrite_got (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;

  if (x->is_branch)
    return "it branches to data";
  if (!x->reads_address)
    return "it does more than read the GOT entry";
  emit_prefixes (code, &site->insn, true);
  emit_word_operand (code, &site->word, x->reg, rest_bytes (&site->insn));
  emit_rest (code, site);
  return NULL;
}

/* The prefixes of an instruction that gets a REX prefix of its own. */
static void
emit_legacy_prefixes (struct code *code, const struct site *site, bool with_gs)
{
  if (with_gs)
    emit_byte (code, GS_PREFIX);
  for (unsigned i = 0; i < site->insn.target_insn.prefix_count; i++)
    {
      uint8_t byte = site->insn.bytes[i];
      bool is_rex = (byte & 0xf0) == REX;
      if (!is_rex && !(is_segment_prefix (byte) && with_gs))
        emit_byte (code, byte);
    }
}

/* op $x, %reg: the same with the private word as the source. */
static void
rewrite_register_immediate (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  unsigned reg = x->modrm_at ? x->rm : 0; /* without ModRM it is %rax */
  bool is_high = x->modrm_at && x->rex & REX_B;

  emit_legacy_prefixes (code, site, true);
  emit_byte (code, REX | (is_wide (&site->insn) ? REX_W : 0) | (is_high ? REX_R : 0));
  emit_byte (code, x->register_opcode + (x->register_opcode == TEST ? 0 : ALU_TO_REGISTER));
  emit_word_operand (code, &site->word, reg, 0);
}

/* op $x, memory: with a register instead of the immediate. */
static const char *
rewrite_immediate (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  int holder = free_register (&site->insn);

  if (!x->register_opcode)
    return "it has no form with a register operand";
  if (x->uses_stack_pointer)
    return "it uses the stack pointer";
  if (!x->modrm_at || x->mod == 3)
    {
      rewrite_register_immediate (site, code);
      return NULL;
    }
  if (site->insn.is_pc_relative && !site->disp)
    return "its PC-relative operand has no relocation";
  emit_save (code, holder);
  emit_load_word (code, true, holder, &site->word);
  emit_legacy_prefixes (code, site, site->disp_private);
  emit_byte (code, REX | (is_wide (&site->insn) ? REX_W : 0) | (holder >= 8 ? REX_R : 0) | x->rex);
  emit_byte (code, x->register_opcode);
  emit_operand (code, site, holder & 7, RED_ZONE + SLOT, 0);
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
note_next (struct site *site, const struct insn *next, const Elf64_Rela *rela, bool is_adjacent)
{
  const struct target_insn *x = &next->target_insn;
  int reg = site->insn.target_insn.to;

  (void) rela;
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
  emit_load_word (code, true, to, &site->word);
  if (site->copy_length)
    {
      struct address address = { .base = to, .index = NO_REGISTER };
      emit_lea (code, true, site->copy_to, &address);
      code->covers = site->copy_length;
    }
  return NULL;
}

/* push $x: push %gs:WORD */
static const char *
rewrite_push (const struct site *site, struct code *code)
{
  enum
  {
    PUSH = 0xff,
    MODRM_PUSH = 6
  };

  emit_byte (code, GS_PREFIX);
  emit_byte (code, PUSH);
  emit_word_operand (code, &site->word, MODRM_PUSH, 0);
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
  emit_operand (code, site, site->insn.target_insn.reg, 0, rest_bytes (&site->insn));
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
      return rewrite_push (site, code);
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
