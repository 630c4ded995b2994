/* Code under construction: bytes, relocations, unwind map. */

#include "privatize/arch/arch.h"

#include <assert.h>
#include <string.h>

void
emit (struct code *code, const void *bytes, size_t count)
{
  assert (code->length + count <= CODE_BYTES);
  memcpy (code->bytes + code->length, bytes, count);
  code->length += count;
}

/* A relocation TYPE of the next bytes, against RELA's symbol. */
void
emit_rela (struct code *code, uint32_t type, const Elf64_Rela *rela, int64_t addend)
{
  assert (code->rela_count < CODE_RELAS);
  code->relas[code->rela_count++]
      = (Elf64_Rela){ .r_offset = code->length,
                      .r_info = ELF64_R_INFO (ELF64_R_SYM (rela->r_info), type),
                      .r_addend = addend };
}

void
map_code (struct code *code, uint64_t source, int lowered)
{
  assert (code->unwind_count < CODE_UNWIND);
  code->unwind_map[code->unwind_count++]
      = (struct unwind_entry){ .at = code->length, .source = source, .lowered = lowered };
}
