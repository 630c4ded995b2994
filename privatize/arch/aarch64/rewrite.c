/* The code that does what an instruction did, with the calling thread's copy.

   The distance from the program's private data to a thread's is in a thread-local variable of
   the runtime. It is a multiple of the page size, so instructions with an address within its
   page stay as they are. Instructions that make the page, or a whole address, add the distance.
   The code preserves the flags, and all registers but x16 and x17, which any branch may change
   when the linker extends it. If the function uses both, one of them is saved. */

#include "privatize/arch/aarch64/emit.h"

#include <string.h>

/* The address itself, where all of it is known, else the distance. */
bool
wants_word (const struct site *site, Elf64_Rela *word)
{
  *word = (Elf64_Rela){ .r_info = TARGET_RELOC_NONE };
  if (site->disp_private && site->copy_length && !site->literal && !site->is_shared)
    *word = (Elf64_Rela){ .r_info = ELF64_R_INFO (ELF64_R_SYM (site->disp->r_info),
                                                  TARGET_RELOC_POINTER),
                          .r_addend = moved_addend (site->disp->r_addend, site->copy_offset) };
  return true;
}

int64_t
target_addend (const struct site *site)
{
  return site->disp->r_addend;
}

static bool
is_add (const struct target_insn *x)
{
  return (x->word & 0xffc00000) == ADD_IMMEDIATE;
}

static bool
is_keep (const struct target_insn *x)
{
  return (x->word & 0xff800000) == 0xf2800000;
}

/* What this file makes of an instruction: the address, in a register, may be completed or be that of a
   word to load; then the distance is added, by an instruction or by the operand of one. */
bool
reaches_copy (const struct insn *insn, const uint8_t *bytes, size_t size)
{
  uint32_t word, address = (uint32_t) insn->target_insn.to;

  for (size_t at = 0; at + sizeof word <= size; at += sizeof word)
    {
      memcpy (&word, bytes + at, sizeof word);
      if ((word >> 5 & 31) != address)
        return false;
      if ((word & 0xffe0fc00) == ADD_REGISTERS || (word & 0x3b20fc00) == 0x38206800)
        return true;
      if ((word & 0xffc00000) != ADD_IMMEDIATE && (word & 0xfffffc00) != LDR_IMMEDIATE)
        return false;
      address = word & 31;
    }
  return false;
}

/* movz, movk and so on, from the lowest bits of an address to the highest or the other way: the last
   instruction of a group, a movk, completes the address. Compilers may have the first ones done
   elsewhere, for several groups. */
bool
is_right_already (const struct site *site)
{
  uint32_t type = ELF64_R_TYPE (site->disp->r_info);

  if (site->insn.is_private)
    return true;
  if (site->insn.target_insn.form != FORM_MOVE || !(type_of (site->disp)->fields & FIELD_MOVE))
    return false;
  if (is_keep (&site->insn.target_insn))
    return type == R_AARCH64_MOVW_UABS_G1_NC || type == R_AARCH64_MOVW_UABS_G2_NC;
  return type != R_AARCH64_MOVW_UABS_G0 && type != R_AARCH64_MOVW_SABS_G0;
}

bool
wants_next (const struct site *site)
{
  if (site->literal)
    return is_add (&site->insn.target_insn);
  return site->disp_private && ELF64_R_TYPE (site->disp->r_info) == R_AARCH64_ADR_PREL_PG_HI21;
}

/* Without optimization gcc has the address of a literal in a register, and the next instruction loads
   what is there. */
static bool
note_load (struct site *site, const struct insn *next)
{
  const struct target_insn *x = &next->target_insn;

  if ((x->word & 0xffffffe0) == with_registers (LDR_IMMEDIATE, 0, site->insn.target_insn.to, 0))
    {
      site->copy_length = next->outline.length;
      site->copy_to = x->to;
    }
  return false;
}

/* Behind adrp one instruction adds the low bits of the address. gcc has one base for the variables of a file, and
   one more adds how far the variable is from it. */
static bool
note_sum (struct site *site, const struct insn *next, const Elf64_Rela *rela, bool is_adjacent)
{
  enum
  {
    IMMEDIATE_SHIFT = 10,
    IMMEDIATE = 0xfff
  };
  uint32_t word = next->target_insn.word;
  int to = site->insn.target_insn.to;

  if ((word & ~((uint32_t) IMMEDIATE << IMMEDIATE_SHIFT))
      != with_registers (ADD_IMMEDIATE, to, to, 0))
    return false;
  if (is_adjacent)
    {
      if (!rela || ELF64_R_TYPE (rela->r_info) != R_AARCH64_ADD_ABS_LO12_NC
          || ELF64_R_SYM (rela->r_info) != ELF64_R_SYM (site->disp->r_info)
          || rela->r_addend != site->disp->r_addend)
        return false;
      site->copy_length = next->outline.length;
      return true;
    }
  if (!rela)
    {
      site->copy_length = 2 * next->outline.length;
      site->copy_offset = word >> IMMEDIATE_SHIFT & IMMEDIATE;
    }
  return false;
}

bool
note_next (struct site *site, const struct insn *next, const Elf64_Rela *rela, bool is_adjacent)
{
  if (!site->literal)
    return note_sum (site, next, rela, is_adjacent);
  return is_adjacent && note_load (site, next);
}

static void
add_delta (struct code *code, const struct scratch *scratch, int to)
{
  emit_insn (code, with_registers (ADD_REGISTERS, to, to, scratch->delta));
}

/* The address that RELA means goes to register TO. */
static void
emit_address (struct code *code, int to, const Elf64_Rela *rela, int64_t addend)
{
  emit_relocated (code, ADRP | (uint32_t) to, R_AARCH64_ADR_PREL_PG_HI21, rela, addend);
  emit_relocated (code, with_registers (ADD_IMMEDIATE, to, to, 0), R_AARCH64_ADD_ABS_LO12_NC, rela,
                  addend);
}

/* adrp to, x */
static const char *
rewrite_page (const struct site *site, struct code *code)
{
  int to = site->insn.target_insn.to;
  struct scratch scratch;

  code->covers = site->copy_length;
  if (!site->is_delta)
    {
      emit_word (code, site, to);
      return NULL;
    }
  scratch = begin_scratch (code, site, 1u << to, site->is_shared);
  emit_delta (code, site, &scratch);
  if (site->copy_length)
    emit_address (code, to, site->disp, site->disp->r_addend + site->copy_offset);
  else
    emit_relocated (code, ADRP | (uint32_t) to, ELF64_R_TYPE (site->disp->r_info), site->disp,
                    site->disp->r_addend);
  add_delta (code, &scratch, to);
  end_scratch (code, &scratch);
  return NULL;
}

/* adr to, x */
static const char *
rewrite_address (const struct site *site, struct code *code)
{
  int to = site->insn.target_insn.to;
  struct scratch scratch = begin_scratch (code, site, 1u << to, site->is_shared);

  emit_delta (code, site, &scratch);
  emit_address (code, to, site->disp, site->disp->r_addend);
  add_delta (code, &scratch, to);
  end_scratch (code, &scratch);
  return NULL;
}

/* An instruction that reads the address from the GOT, with a base, or completes it. */
static const char *
rewrite_with_add (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  struct scratch scratch = begin_scratch (code, site, x->used, site->is_shared);

  if (x->form == FORM_LOAD && x->base == SP && scratch.saved)
    return "it uses the stack pointer";
  emit_delta (code, site, &scratch);
  emit_relocated (code, x->word, ELF64_R_TYPE (site->disp->r_info), site->disp,
                  site->disp->r_addend);
  add_delta (code, &scratch, x->to);
  end_scratch (code, &scratch);
  return NULL;
}

/* ldr to, x: of any size, or prfm. The address goes to the register that is loaded, if that is a
   general one. */
static const char *
rewrite_direct_load (const struct site *site, struct code *code)
{
  static const uint32_t loads[] = { 0xb8606800, LDR_REGISTERS, 0xb8a06800, 0xf8a06800 };
  static const uint32_t vectors[] = { 0xbc606800, 0xfc606800, 0x3ce06800 };
  const struct target_insn *x = &site->insn.target_insn;
  bool is_vector = x->word & 1u << 26;
  unsigned size = x->word >> 30;
  bool wants_other = is_vector || size == 3 || x->to == SP || site->is_shared;
  struct scratch scratch = begin_scratch (code, site, x->used, wants_other);
  int base = is_vector || size == 3 || x->to == SP ? scratch.other : x->to;

  if (is_vector && size == 3)
    return "it is no instruction";
  emit_delta (code, site, &scratch);
  emit_address (code, base, site->disp, site->disp->r_addend);
  emit_insn (code,
             with_registers (is_vector ? vectors[size] : loads[size], x->to, base, scratch.delta));
  end_scratch (code, &scratch);
  return NULL;
}

/* ldr to, =x, or the same from the GOT: a word that holds the address, which is too far from the
   thunks for an instruction to count to it. What has a base does the same there. */
static const char *
rewrite_word_load (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  Elf64_Rela text = { .r_info = ELF64_R_INFO ((uint64_t) site->text, 0) };
  struct scratch scratch;

  if (x->form == FORM_LOAD && (x->word & 0xffc00000) == LDR_IMMEDIATE)
    return rewrite_with_add (site, code);
  if ((x->word & 0xff000000) != 0x58000000)
    return "it does more than read an address";
  scratch = begin_scratch (code, site, x->used, site->is_shared);
  emit_delta (code, site, &scratch);
  if (site->literal)
    {
      emit_address (code, x->to, &text, (int64_t) site->literal->r_offset);
      emit_insn (code, with_registers (LDR_IMMEDIATE, x->to, x->to, 0));
    }
  else
    {
      emit_relocated (code, ADRP | (uint32_t) x->to, R_AARCH64_ADR_GOT_PAGE, site->disp,
                      site->disp->r_addend);
      emit_relocated (code, with_registers (LDR_IMMEDIATE, x->to, x->to, 0),
                      R_AARCH64_LD64_GOT_LO12_NC, site->disp, site->disp->r_addend);
    }
  add_delta (code, &scratch, x->to);
  end_scratch (code, &scratch);
  return NULL;
}

/* add to, to, literal; ldr other, [to] */
static const char *
rewrite_address_load (const struct site *site, struct code *code)
{
  const struct target_insn *x = &site->insn.target_insn;
  struct scratch scratch = begin_scratch (code, site, x->used | 1u << site->copy_to,
                                          site->is_shared);

  emit_delta (code, site, &scratch);
  emit_relocated (code, x->word, ELF64_R_TYPE (site->disp->r_info), site->disp,
                  site->disp->r_addend);
  emit_insn (code, with_registers (LDR_IMMEDIATE, site->copy_to, x->to, 0));
  add_delta (code, &scratch, site->copy_to);
  end_scratch (code, &scratch);
  code->covers = site->copy_length;
  return NULL;
}

static const char *
rewrite_load (const struct site *site, struct code *code)
{
  if ((site->insn.target_insn.word & 0xffc00000) != LDR_IMMEDIATE)
    return "it does more than read the GOT entry";
  return rewrite_with_add (site, code);
}

static const char *
rewrite_fitting (const struct site *site, struct code *code)
{
  switch (site->insn.target_insn.form)
    {
    case FORM_PAGE:
      return rewrite_page (site, code);
    case FORM_ADDRESS:
      return rewrite_address (site, code);
    case FORM_LITERAL:
      if (type_of (site->disp)->kind == RELOC_GOT_ENTRY)
        return rewrite_word_load (site, code);
      return rewrite_direct_load (site, code);
    case FORM_LOAD:
      return rewrite_load (site, code);
    case FORM_MOVE:
      return rewrite_with_add (site, code);
    default:
      return "it branches to data";
    }
}

/* Whether the instruction is to leave the address in a register. */
static bool
gets_address (const struct site *site)
{
  enum form form = site->insn.target_insn.form;

  return site->literal || (form != FORM_BRANCH && form != FORM_LITERAL)
         || type_of (site->disp)->kind == RELOC_GOT_ENTRY;
}

/* Relocations are those that a linker would accept for the instruction. */
const char *
rewrite_insn (const struct site *site, struct code *code)
{
  static const unsigned fields[]
      = { [FORM_PAGE] = FIELD_PAGE, [FORM_ADDRESS] = FIELD_ADDRESS, [FORM_LITERAL] = FIELD_LITERAL,
          [FORM_LOAD] = FIELD_LOAD, [FORM_MOVE] = FIELD_MOVE,       [FORM_BRANCH] = FIELD_BRANCH };
  enum form form = site->insn.target_insn.form;

  *code = (struct code){ .entry = ENTRY_JUMP };
  if (!site->literal && (form == FORM_OTHER || !(type_of (site->disp)->fields & fields[form])))
    return "its relocation does not fit the operand";
  if (site->insn.target_insn.to == SP && gets_address (site))
    return "it discards the address";
  if (site->literal)
    return site->copy_length ? rewrite_address_load (site, code) : rewrite_word_load (site, code);
  return rewrite_fitting (site, code);
}
