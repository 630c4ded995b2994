/* Loops that begin before their first site. A branch back to the head would go from the thunks
   to the text, and from there jump to the thunk of that site: one jump more in each iteration
   than in the program. So the thunks do not branch back. The code between the head and the site
   is copied after the condition, and leads directly to the thunk. Other branches to the head
   find it where it was. */

#include "privatize/text/trampolines.h"

enum
{
  MAX_HEAD_COUNT = 8, /* more make nothing faster */
  MAX_HEAD_BYTES = CODE_BYTES - MAX_INSN_BYTES - BRANCH_BYTES
};

static int
compare_entries (const void *a, const void *b)
{
  const struct thunk_entry *x = a, *y = b;

  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

const struct thunk_entry *
entry_after (const struct trampoline_run *run, uint64_t offset)
{
  struct thunk_entry wanted = { .offset = offset };
  size_t n = count_before (&wanted, run->entries, run->entry_count, sizeof wanted, compare_entries);

  return n < run->entry_count ? &run->entries[n] : NULL;
}

/* Copies the instruction at OFFSET of the text; BASE is where the copies begin. Returns its
   length, or 0 when it cannot be copied. */
static size_t
copy_instruction (const struct trampoline_run *run, struct code *code, uint64_t base,
                  uint64_t offset, uint64_t end, size_t *next)
{
  const struct section *text = run->object->sections[run->text];
  struct site site = { 0 };

  if (code->length > MAX_HEAD_BYTES || code->rela_count + 3 > CODE_RELAS
      || !decode_insn (text->data + offset, end - offset, &site.insn)
      || !take_relocations (run->object, text, next, offset, &site.insn.outline, &site)
      || site.disp_private || site.imm_private || !can_copy (&site, run->is_stepped))
    return 0;
  copy_insn (code, &site, base, offset);
  return site.insn.outline.length;
}

bool
copy_loop_head (const struct trampoline_run *run, uint64_t head, struct code *code)
{
  const struct thunk_entry *entry = entry_after (run, head);
  size_t next = find_relocation (run->object->sections[run->text], head);
  uint64_t at = head;

  if (run->is_described || !entry || entry->offset == head)
    return false;
  for (unsigned i = 0; at < entry->offset; i++)
    {
      size_t length = i < MAX_HEAD_COUNT
                          ? copy_instruction (run, code, head, at, entry->offset, &next)
                          : 0;
      if (!length)
        return false;
      at += length;
    }
  map_code (code, at - head, 0);
  code->unwind_map[code->unwind_count - 1].is_return = true;
  emit_branch (code, FLOW_JUMP, 0, section_symbol (run->object, run->thunks),
               place_of (run, entry));
  return true;
}
