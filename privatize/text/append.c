/* Appends code to the thunks: bytes, unwind map, relocations. */

#include "privatize/text/trampolines.h"

static struct unwind_entry *
add_unwind_entry (struct section *thunks, struct unwind_entry entry)
{
  thunks->unwind_map = grow_array (thunks->unwind_map, thunks->unwind_count + 1,
                                   &thunks->unwind_capacity, sizeof *thunks->unwind_map);
  thunks->unwind_map[thunks->unwind_count] = entry;
  return &thunks->unwind_map[thunks->unwind_count++];
}

struct unwind_entry *
append_code (struct trampoline_run *run, const struct code *code, uint64_t source, uint64_t *at)
{
  struct section *thunks = run->object->sections[run->thunks];
  struct unwind_entry *last = NULL;

  *at = append_bytes (thunks, code->bytes, code->length);
  if (!code->unwind_count || code->unwind_map[0].at)
    last = add_unwind_entry (thunks, (struct unwind_entry){ .at = *at, .source = source });
  for (size_t i = 0; i < code->unwind_count; i++)
    {
      struct unwind_entry entry = code->unwind_map[i];
      if (entry.at >= code->length)
        continue;
      entry.at += *at;
      entry.source += source;
      last = add_unwind_entry (thunks, entry);
    }
  for (size_t i = 0; i < code->rela_count; i++)
    {
      Elf64_Rela rela = code->relas[i];
      rela.r_offset += *at;
      append_rela (run->object, run->thunks, rela);
    }
  return last;
}
