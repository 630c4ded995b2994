/* Thunks in a row. Where two sites are close, the instructions between them are
   copied behind the first thunk, which then runs into the second: one jump there and
   one back for all of them. The originals stay, with the second site's jump in its
   place, so that whoever branches into the middle finds what it expects, and nothing
   has to be known about who does. Where the last thunk would soon come to a branch or
   a return, it takes that along instead of jumping back to it.

   In code with line numbers, sites of the same line only: a breakpoint at a line
   between two sites would be passed by. */

#include "privatize/text.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MAX_FOLLOWERS = 8,         /* instructions copied after one site: more make nothing faster */
  MAX_FOLLOWER_BYTES = CODE_BYTES - 2 * ZYDIS_MAX_INSTRUCTION_LENGTH,
  DISTANCE_BYTES = 4,
  JUMP = 0xe9,
  TRAP = 0xcc,
  THUNK_ALIGNMENT = 16
};

/* The section for the thunks of one text section, so that both are kept, dropped
   or grouped together. */
static void
add_thunk_section (struct chain *chain)
{
  struct object *object = chain->object;
  Elf64_Xword group = object->sections[chain->text]->header.sh_flags & SHF_GROUP;

  chain->thunks = add_section (object, ".text.upc_thunks", SHT_PROGBITS,
                               SHF_ALLOC | SHF_EXECINSTR | group, THUNK_ALIGNMENT);
  object->sections[chain->thunks]->kind = KIND_TEXT;
  object->sections[chain->thunks]->owner = chain->text;
  object->sections[chain->thunks]->is_stepped = chain->has_lines;
}

static void
add_origin (struct section *thunks, struct origin origin)
{
  if (thunks->origin_count == thunks->origin_room)
    {
      thunks->origin_room += thunks->origin_room / 2 + 16;
      thunks->origins = resize (thunks->origins, thunks->origin_room, sizeof *thunks->origins);
    }
  thunks->origins[thunks->origin_count++] = origin;
}

/* Appends CODE, which does the work of what is at SOURCE in the text. */
static uint64_t
append_code (struct chain *chain, const struct code *code, uint64_t source)
{
  struct section *thunks = chain->object->sections[chain->thunks];
  uint64_t at = append_bytes (thunks, code->bytes, code->length);

  add_origin (thunks, (struct origin) { .at = at, .source = source });
  for (size_t i = 0; i < code->mark_count; i++)
    {
      const struct mark *mark = &code->marks[i];
      if (mark->at == 0)
        thunks->origin_count--;
      if (mark->at < code->length)
        add_origin (thunks, (struct origin) { .at = at + mark->at,
                                              .source = source + mark->source,
                                              .lowered = mark->lowered });
    }
  for (size_t i = 0; i < code->rela_count; i++)
    {
      Elf64_Rela rela = code->relas[i];
      rela.r_offset += at;
      append_rela (chain->object, chain->thunks, rela);
    }
  return at;
}

/* The four-byte distance of a branch to byte TARGET of the text. Its type tells it from
   an address that the code computes. */
static void
emit_distance (struct chain *chain, struct code *code, uint64_t target)
{
  Elf64_Rela to = { .r_info = ELF64_R_INFO ((uint64_t) section_symbol (chain->object, chain->text),
                                            0) };

  emit_field (code, R_X86_64_PLT32, &to, (int64_t) target - DISTANCE_BYTES);
}

/* Ends the chain: back to the first instruction that has not been executed. */
void
close_chain (struct chain *chain)
{
  struct code code = { 0 };
  struct section *thunks;

  if (!chain->is_open)
    return;
  emit_byte (&code, JUMP);
  emit_distance (chain, &code, chain->resume);
  append_code (chain, &code, chain->resume);
  thunks = chain->object->sections[chain->thunks];
  thunks->origins[thunks->origin_count - 1].is_return = true;
  chain->is_open = false;
}

/* The followers, from their end on, do the work of what is at OFFSET. */
static void
mark_follower (struct chain *chain, uint64_t offset)
{
  add_mark (&chain->followers, offset - chain->resume, 0);
}

/* The copies that wait for a site to follow. */
static void
commit_followers (struct chain *chain)
{
  if (chain->followers.length)
    append_code (chain, &chain->followers, chain->resume);
  chain->followers = (struct code) { 0 };
}

static void
add_entry (struct chain *chain, uint64_t offset, uint64_t at)
{
  if (chain->entry_count == chain->entry_room)
    {
      chain->entry_room += chain->entry_room / 2 + 16;
      chain->entries = resize (chain->entries, chain->entry_room, sizeof *chain->entries);
    }
  chain->entries[chain->entry_count++] = (struct entry) { offset, at };
}

/* Adds the code for the instruction from OFFSET to END; returns where it begins among
   the thunks. */
uint64_t
add_to_chain (struct chain *chain, const struct code *code, uint64_t offset, uint64_t end)
{
  struct section *thunks;
  struct origin *origin;
  uint64_t at;

  if (!chain->thunks)
    add_thunk_section (chain);
  if (code->entry == ENTRY_CALL)
    close_chain (chain);
  if (chain->is_open)
    commit_followers (chain);
  else
    while (chain->object->sections[chain->thunks]->header.sh_size % THUNK_ALIGNMENT)
      append_bytes (chain->object->sections[chain->thunks], &(unsigned char) { TRAP }, 1);
  at = append_code (chain, code, offset);
  if (code->entry != ENTRY_CALL)
    add_entry (chain, offset, at);
  thunks = chain->object->sections[chain->thunks];
  origin = &thunks->origins[thunks->origin_count - 1];
  origin->is_called = code->entry == ENTRY_CALL;
  origin->leaves = code->entry != ENTRY_JUMP;
  chain->is_open = code->entry == ENTRY_JUMP;
  chain->resume = end;
  chain->followers = (struct code) { 0 };
  chain->follower_count = 0;
  if (!chain->may_join)
    close_chain (chain);
  return at;
}

/* Relocations that mean the same at another place. The linker rewrites the others
   by patterns of several instructions. */
static bool
can_move (const Elf64_Rela *rela)
{
  switch (rela ? ELF64_R_TYPE (rela->r_info) : R_X86_64_32)
    {
    case R_X86_64_PC32:
    case R_X86_64_32:
    case R_X86_64_32S:
    case R_X86_64_64:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      return true;
    default:
      return false;
    }
}

/* The end of a function: what was pushed comes back, the stack pointer goes up. */
static bool
is_epilogue (const struct site *site)
{
  const ZydisDecodedOperand *to = &site->operands[0];

  switch (site->z.mnemonic)
    {
    case ZYDIS_MNEMONIC_LEAVE:
      return true;
    case ZYDIS_MNEMONIC_POP:
      return to->type == ZYDIS_OPERAND_TYPE_REGISTER && to->size == 64
             && to->reg.value != ZYDIS_REGISTER_RSP;
    case ZYDIS_MNEMONIC_ADD:
      return to->type == ZYDIS_OPERAND_TYPE_REGISTER && to->reg.value == ZYDIS_REGISTER_RSP
             && site->operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && !site->imm;
    default:
      return false;
    }
}

/* What sets up a frame stays where the unwind table describes it, what enters the
   kernel or traps where a tracer looks for it. */
static bool
can_follow (const struct site *site)
{
  if (site->z.mnemonic == ZYDIS_MNEMONIC_UD0 || site->z.mnemonic == ZYDIS_MNEMONIC_UD1
      || site->z.mnemonic == ZYDIS_MNEMONIC_UD2 || site->z.raw.imm[0].is_relative)
    return false;
  switch (site->z.meta.category)
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
  for (unsigned i = 0; i < site->z.operand_count; i++)
    {
      const ZydisDecodedOperand *operand = &site->operands[i];
      if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER
          && (operand->reg.value == ZYDIS_REGISTER_RSP || operand->reg.value == ZYDIS_REGISTER_RBP))
        return false;
    }
  return can_move (site->disp) && can_move (site->imm) && !(is_rip_relative (site) && !site->disp);
}

static void
follow (struct code *code, const struct site *site, uint64_t offset)
{
  const Elf64_Rela *relas[] = { site->disp, site->imm };

  for (unsigned i = 0; i < 2; i++)
    if (relas[i])
      {
        code->relas[code->rela_count] = *relas[i];
        code->relas[code->rela_count++].r_offset += code->length - offset;
      }
  emit (code, site->bytes, site->z.length);
}

/* Copies a branch of kind OPCODE, its low four bits the condition, to TARGET. */
static void
copy_branch (struct chain *chain, bool is_conditional, unsigned opcode, uint64_t target)
{
  if (is_conditional)
    {
      emit_byte (&chain->followers, 0x0f);
      emit_byte (&chain->followers, 0x80 | (opcode & 0xf));
    }
  else
    emit_byte (&chain->followers, JUMP);
  emit_distance (chain, &chain->followers, target);
}

/* A branch within the section, with 8 or 32 bits of distance: the thunks take it
   themselves. Returns false for any other instruction. */
static bool
follow_branch (struct chain *chain, const struct site *site, uint64_t offset)
{
  unsigned opcode = site->z.opcode;
  bool is_legacy_map = site->z.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT;
  bool jumps = is_legacy_map && (opcode == 0xe9 || opcode == 0xeb);
  bool tests = is_legacy_map ? (opcode & 0xf0) == 0x70
                             : site->z.opcode_map == ZYDIS_OPCODE_MAP_0F && (opcode & 0xf0) == 0x80;
  uint64_t target = offset + site->z.length + site->z.raw.imm[0].value.s;

  if (site->z.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || !(jumps || tests) || site->imm
      || target >= chain->object->sections[chain->text]->header.sh_size)
    return false;
  mark_follower (chain, offset);
  copy_branch (chain, tests, opcode, target);
  commit_followers (chain);
  chain->resume = offset + site->z.length;
  chain->is_open = tests;
  return true;
}

/* The return of the function, when it is near. */
static bool
follow_return (struct chain *chain, const struct site *site, uint64_t offset)
{
  if (site->z.mnemonic != ZYDIS_MNEMONIC_RET)
    return false;
  mark_follower (chain, offset);
  follow (&chain->followers, site, offset);
  commit_followers (chain);
  chain->is_open = false;
  return true;
}

/* Lets the chain run over an instruction that is no site, at OFFSET of the text, or
   ends it. */
void
continue_chain (struct chain *chain, const struct site *site, uint64_t offset)
{
  if (chain->follower_count++ < MAX_FOLLOWERS && chain->followers.length < MAX_FOLLOWER_BYTES
      && chain->followers.rela_count + 2 < CODE_RELAS)
    {
      /* In code with line numbers a debugger waits where the thunks come back. */
      if (!chain->has_lines
          && (follow_branch (chain, site, offset) || follow_return (chain, site, offset)))
        return;
      if (can_follow (site) || (!chain->has_lines && is_epilogue (site)))
        {
          mark_follower (chain, offset);
          follow (&chain->followers, site, offset);
          return;
        }
    }
  close_chain (chain);
}

static int
compare_entries (const void *offset, const void *entry)
{
  uint64_t wanted = *(const uint64_t *) offset, found = ((const struct entry *) entry)->offset;

  return wanted < found ? -1 : wanted > found;
}

/* Branches of the thunks to an instruction that is no more than a jump to a thunk go
   there at once: a loop whose head is one runs among the thunks. Code with line numbers
   goes by its lines. */
static void
shorten_branches (struct chain *chain)
{
  struct section *thunks = chain->object->sections[chain->thunks];
  uint32_t text = section_symbol (chain->object, chain->text);

  for (size_t i = 0; i < thunks->rela_count; i++)
    {
      Elf64_Rela *rela = &thunks->rela[i];
      uint64_t target = (uint64_t) rela->r_addend + DISTANCE_BYTES;
      const struct entry *entry;
      if (rela->r_info != ELF64_R_INFO ((uint64_t) text, R_X86_64_PLT32))
        continue;
      entry = bsearch (&target, chain->entries, chain->entry_count, sizeof *entry, compare_entries);
      if (!entry)
        continue;
      rela->r_info
        = ELF64_R_INFO ((uint64_t) section_symbol (chain->object, chain->thunks), R_X86_64_PLT32);
      rela->r_addend = (int64_t) entry->at - DISTANCE_BYTES;
    }
}

/* After the last thunk of the text. */
void
end_chains (struct chain *chain)
{
  close_chain (chain);
  if (chain->thunks && !chain->has_lines)
    shorten_branches (chain);
  free (chain->entries);
}
