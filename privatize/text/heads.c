/* Heads. If code begins like the code before it in the run, the beginning need not be repeated: the
   run continues after it. Branches from the text do need the beginning. They find it in a head,
   which comes after the run and leads into it. So do branches among the thunks, unless they have
   done the beginning themselves.

   Not if thunks are described to debuggers, which follow the order of the text. */

#include "privatize/text/trampolines.h"

#include <string.h>

bool
holds_common (const struct trampoline_run *run, const struct code *code)
{
  return run->is_open && run->held && code->common && code->held == run->held;
}

struct code
without_common (const struct code *code)
{
  struct code rest = *code;
  size_t kept = 0;

  rest.length -= code->common;
  memmove (rest.bytes, code->bytes + code->common, rest.length);
  for (size_t i = 0; i < code->rela_count; i++)
    if (code->relas[i].r_offset >= code->common)
      {
        rest.relas[kept] = code->relas[i];
        rest.relas[kept++].r_offset -= code->common;
      }
  rest.rela_count = kept;
  rest.common = 0;
  return rest;
}

void
add_head (struct trampoline_run *run, const struct code *code, Elf64_Rela *rela)
{
  struct thunk_head head = { .code = *code, .entry = run->entry_count - 1, .rela = rela };

  head.code.length = code->common;
  head.code.rela_count = 0;
  for (size_t i = 0; i < code->rela_count; i++)
    if (code->relas[i].r_offset < code->common)
      head.code.relas[head.code.rela_count++] = code->relas[i];
  run->heads = grow_array (run->heads, run->head_count + 1, &run->head_capacity,
                           sizeof *run->heads);
  run->heads[run->head_count++] = head;
}

void
place_heads (struct trampoline_run *run)
{
  for (size_t i = 0; i < run->head_count; i++)
    {
      struct thunk_head *head = &run->heads[i];
      struct thunk_entry *entry = &run->entries[head->entry];
      uint32_t symbol = section_symbol (run->object, run->thunks);
      emit_branch (&head->code, FLOW_JUMP, 0, symbol, entry->inner);
      append_code (run, &head->code, entry->offset, &entry->thunk);
      set_branch_target (head->rela, symbol, entry->thunk);
    }
  run->head_count = 0;
}

uint64_t
place_of (const struct trampoline_run *run, const struct thunk_entry *entry)
{
  return run->held && entry->held == run->held ? entry->inner : entry->thunk;
}
