/* Instructions with their relocations, and copies of them among the thunks. */

#include "privatize/text/trampolines.h"

bool
take_relocations (const struct object *object, const struct section *section, size_t *next,
                  uint64_t offset, const struct outline *insn, struct site *site)
{
  for (; *next < section->rela_count; ++*next)
    {
      Elf64_Rela *rela = &section->rela[*next];
      uint64_t at = rela->r_offset - offset;
      if (rela->r_offset >= offset + insn->length)
        break;
      if (type_of (rela)->bytes == 0)
        continue;
      if (insn->disp.bits >= 32 && at == insn->disp.at && !site->disp)
        {
          site->disp = rela;
          site->disp_private = wants_private_address (object, rela);
        }
      else if (insn->imm.bits && at == insn->imm.at && !site->imm)
        {
          site->imm = rela;
          site->imm_private = wants_private_address (object, rela);
        }
      else
        return false;
    }
  return true;
}

bool
can_copy (const struct site *site, bool is_stepped)
{
  switch (site->insn.flow)
    {
    case FLOW_COPYABLE:
      return (!site->disp || can_move (site->disp)) && (!site->imm || can_move (site->imm))
             && !(site->insn.is_pc_relative && !site->disp);
    case FLOW_EPILOGUE:
      return !is_stepped && !site->imm;
    default:
      return false;
    }
}

void
copy_insn (struct code *code, const struct site *site, uint64_t base, uint64_t offset)
{
  const Elf64_Rela *relas[] = { site->disp, site->imm };

  map_code (code, offset - base, 0);
  for (unsigned i = 0; i < 2; i++)
    if (relas[i])
      {
        code->relas[code->rela_count] = *relas[i];
        code->relas[code->rela_count++].r_offset += code->length - offset;
      }
  emit (code, site->insn.bytes, site->insn.outline.length);
}
