/* Puts the new code over the old code if it fits, or else into a thunk, and makes the old
   instruction a jump to it. */

#include "privatize/text/trampolines.h"

#include <stdio.h>
#include <string.h>

/* The relocation of SITE to reuse: the entries of a section stay in order. */
static Elf64_Rela *
first_rela (const struct site *site)
{
  return site->disp ? site->disp : site->imm;
}

/* RELA, from OFFSET, replaces the relocations of SITE. Where it has none it is added in the end,
   for the walk goes by the numbers of relocations. */
static void
replace_relas (struct trampoline_run *run, const struct site *site, uint64_t offset,
               Elf64_Rela rela)
{
  if (!site->disp && !site->imm)
    {
      rela.r_offset += offset;
      run->relas = grow_array (run->relas, run->rela_count + 1, &run->rela_capacity,
                               sizeof *run->relas);
      run->relas[run->rela_count++] = rela;
      return;
    }
  if (site->disp)
    site->disp->r_info = TARGET_RELOC_NONE;
  if (site->imm)
    site->imm->r_info = TARGET_RELOC_NONE;
  rela.r_offset += offset;
  *first_rela (site) = rela;
}

static void
patch_in_place (struct trampoline_run *run, uint64_t offset, const struct site *site,
                const struct code *code)
{
  struct section *section = run->object->sections[run->text];

  memcpy (section->data + offset, code->bytes, code->length);
  patch_nops (section->data + offset + code->length, site->insn.outline.length - code->length);
  replace_relas (run, site, offset, code->relas[0]);
}

int64_t
private_addend (const struct site *site)
{
  return site->disp_private ? target_addend (site) : private_rela (site)->r_addend;
}

static void
report_site (const struct object *object, const struct section *text, uint64_t offset,
             const struct site *site, bool fits)
{
  printf ("%s:%s+0x%llx: %s '%s'\n", object->path, text->name, (unsigned long long) offset,
          fits ? "in place" : "thunk",
          describe_target (object, private_rela (site), private_addend (site)));
}

void
patch_site (struct trampoline_run *run, uint64_t offset, const struct site *site,
            const struct code *code)
{
  struct object *object = run->object;
  struct section *text = object->sections[run->text];
  size_t length = site->insn.outline.length;
  bool fits = code->entry == ENTRY_JUMP && code->length <= length && code->rela_count == 1;
  uint64_t thunk;

  if (object->wants_report)
    report_site (object, text, offset, site, fits);
  object->site_count++;
  object->in_place_count += fits;
  if (fits)
    {
      close_run (run);
      patch_in_place (run, offset, site, code);
      return;
    }
  thunk = add_to_run (run, code, offset, offset + length + code->covers, first_rela (site));
  replace_relas (run, site, offset,
                 patch_branch (text->data + offset, length, code->entry == ENTRY_CALL,
                               section_symbol (object, run->thunks), thunk));
}
