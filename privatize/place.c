/* Where the new code goes: into the place of the old, when it fits, or to a thunk
   that the old place jumps to. */

#include "privatize/text.h"

#include <stdio.h>
#include <string.h>

enum { JUMP = 0xe9, CALL = 0xe8, NOP = 0x90, CS_PREFIX = 0x2e };

/* The relocation of SITE to reuse: the entries of a section stay in order. */
static Elf64_Rela *
first_rela (const struct site *site)
{
  return site->disp ? site->disp : site->imm;
}

static void
drop_relas (const struct site *site)
{
  if (site->disp)
    site->disp->r_info = R_X86_64_NONE;
  if (site->imm)
    site->imm->r_info = R_X86_64_NONE;
}

static void
place_in_line (struct section *section, uint64_t offset, const struct site *site,
               const struct code *code)
{
  drop_relas (site);
  memcpy (section->data + offset, code->bytes, code->length);
  memset (section->data + offset + code->length, NOP, site->z.length - code->length);
  *first_rela (site) = code->relas[0];
  first_rela (site)->r_offset += offset;
}

/* A call has its prefixes before it, so that it pushes the same address as the
   instruction in its place did; a jump has nops after it. */
static void
place_jump (struct object *object, struct section *section, uint32_t thunks, uint64_t at,
            uint64_t offset, const struct site *site, enum code_entry entry)
{
  unsigned char *bytes = section->data + offset;
  size_t length = site->z.length, spare = length - JUMP_BYTES;
  size_t start = entry == ENTRY_CALL ? spare : 0;

  drop_relas (site);
  memset (bytes, entry == ENTRY_CALL ? CS_PREFIX : NOP, length);
  bytes[start] = entry == ENTRY_CALL ? CALL : JUMP;
  memset (bytes + start + 1, 0, 4);
  *first_rela (site) = (Elf64_Rela) {
    .r_offset = offset + start + 1,
    .r_info = ELF64_R_INFO (section_symbol (object, thunks), R_X86_64_PC32),
    .r_addend = (int64_t) at - 4
  };
}

void
place_code (struct chain *chain, uint64_t offset, const struct site *site, const struct code *code)
{
  struct object *object = chain->object;
  struct section *text = object->sections[chain->text];
  bool fits = code->entry == ENTRY_JUMP && code->length <= site->z.length && code->rela_count == 1;
  uint64_t thunk;

  if (object->wants_report)
    printf ("%s:%s+0x%llx: %s '%s'\n", object->path, text->name, (unsigned long long) offset,
            fits ? "in place" : "thunk",
            site->disp_private ? describe_target (object, site->disp, target_addend (site))
                               : describe_target (object, site->imm, site->imm->r_addend));
  object->site_count++;
  object->in_place_count += fits;
  if (fits)
    {
      close_chain (chain);
      place_in_line (text, offset, site, code);
      return;
    }
  thunk = add_to_chain (chain, code, offset, offset + site->z.length + code->covers);
  place_jump (object, text, chain->thunks, thunk, offset, site, code->entry);
}
