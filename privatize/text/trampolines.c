/* Trampoline runs. If two sites are close, the instructions between them are copied after the
   first thunk, which then continues into the second: one jump there and one back for all of
   them. The originals stay, with the second site's jump where that site was. So a branch into
   the middle finds what it expects, and nothing need be known about such branches. If the last
   thunk would soon reach a branch or a return, it includes that instead of jumping back.

   In code with line numbers a debugger is told that the thunks are parts of their functions. If
   that cannot be expressed, only sites of the same line are joined: otherwise a breakpoint at a
   line between two sites would be skipped. */

#include "privatize/text/trampolines.h"

#include <stdlib.h>

enum
{
  MAX_TAIL_COUNT = 16, /* instructions copied after one site: a generator's are a dozen apart */
  MAX_TAIL_BYTES = CODE_BYTES - 2 * MAX_INSN_BYTES
};

/* The section for the thunks of one text section, so that both are kept, dropped
   or grouped together. */
static void
add_thunk_section (struct trampoline_run *run)
{
  struct object *object = run->object;
  Elf64_Xword group = object->sections[run->text]->header.sh_flags & SHF_GROUP;

  run->thunks = add_section (object, ".text.upc_thunks", SHT_PROGBITS,
                             SHF_ALLOC | SHF_EXECINSTR | group, THUNK_ALIGNMENT);
  object->sections[run->thunks]->kind = KIND_TEXT;
  object->sections[run->thunks]->owner = run->text;
  mark_code (object, run->thunks);
  object->sections[run->thunks]->is_stepped = run->is_stepped;
  object->sections[run->thunks]->is_described = run->is_described;
}

static struct section *
thunks_of (const struct trampoline_run *run)
{
  return run->object->sections[run->thunks];
}

void
close_run (struct trampoline_run *run)
{
  struct code code = { 0 };
  uint64_t at;

  if (!run->is_open)
    return;
  emit_branch (&code, FLOW_JUMP, 0, section_symbol (run->object, run->text), run->resume);
  append_code (run, &code, run->resume, &at)->is_return = true;
  run->is_open = false;
}

/* The copies that wait for a site to follow. */
static void
commit_tail (struct trampoline_run *run)
{
  uint64_t at;

  if (run->tail.length)
    append_code (run, &run->tail, run->resume, &at);
  run->tail = (struct code){ 0 };
}

static void
add_entry (struct trampoline_run *run, struct thunk_entry entry)
{
  run->entries = grow_array (run->entries, run->entry_count + 1, &run->entry_capacity,
                             sizeof *run->entries);
  run->entries[run->entry_count++] = entry;
}

/* Where thunks are described, there is padding before each run: see dwarf/pieces.c. */
static void
align_thunks (struct section *thunks)
{
  for (bool has_padding = !thunks->is_described;
       !has_padding || thunks->header.sh_size % THUNK_ALIGNMENT; has_padding = true)
    append_bytes (thunks, &(unsigned char){ PADDING_BYTE }, 1);
}

/* Goes on with the open run, or begins one. */
static void
enter_run (struct trampoline_run *run)
{
  if (run->is_open)
    {
      commit_tail (run);
      return;
    }
  place_heads (run);
  align_thunks (thunks_of (run));
  run->held = 0;
}

uint64_t
add_to_run (struct trampoline_run *run, const struct code *code, uint64_t offset, uint64_t end,
            Elf64_Rela *rela)
{
  bool begins, skips;
  struct code rest;
  struct unwind_entry *last;
  uint64_t at;
  size_t first;

  if (!run->thunks)
    add_thunk_section (run);
  if (code->entry == ENTRY_CALL)
    close_run (run);
  begins = !run->is_open;
  skips = rela && holds_common (run, code);
  rest = skips ? without_common (code) : *code;
  enter_run (run);
  first = thunks_of (run)->unwind_count;
  last = append_code (run, &rest, offset, &at);
  thunks_of (run)->unwind_map[first].begins = begins;
  run->held = code->common && !run->is_described ? code->held : 0;
  if (code->entry != ENTRY_CALL)
    add_entry (run, (struct thunk_entry){ offset, at, at + rest.common, run->held });
  if (skips)
    add_head (run, code, rela);
  last->is_called = code->entry == ENTRY_CALL;
  last->leaves = code->entry != ENTRY_JUMP;
  run->is_open = code->entry == ENTRY_JUMP;
  run->resume = end;
  run->tail = (struct code){ 0 };
  run->tail_count = 0;
  if (!run->may_join)
    close_run (run);
  return at;
}

/* The branch at OFFSET leads to the head of a loop: HEAD goes on there. Where the branch has a
   condition, the thunks leave the loop when that is not met. */
static void
take_loop (struct trampoline_run *run, const struct site *site, uint64_t offset,
           const struct code *head)
{
  uint64_t at, target = offset + (uint64_t) site->insn.target;

  if (site->insn.flow == FLOW_CONDITIONAL)
    emit_branch (&run->tail, FLOW_CONDITIONAL, opposite_condition (site->insn.condition),
                 section_symbol (run->object, run->text), offset + site->insn.outline.length);
  commit_tail (run);
  append_code (run, head, target, &at);
  run->is_open = false;
}

/* A branch to TARGET of the text, or to the thunk there if the run has what it wants. */
static void
emit_taken (struct trampoline_run *run, enum flow flow, uint32_t condition, uint64_t target)
{
  const struct thunk_entry *entry = run->held ? entry_after (run, target) : NULL;

  if (entry && entry->offset == target && entry->held == run->held)
    emit_branch (&run->tail, flow, condition, section_symbol (run->object, run->thunks),
                 entry->inner);
  else
    emit_branch (&run->tail, flow, condition, section_symbol (run->object, run->text), target);
}

/* A branch within the section, with its target in the instruction: the thunks take it
   themselves. Returns false for any other instruction. */
static bool
take_branch (struct trampoline_run *run, const struct site *site, uint64_t offset)
{
  enum flow flow = site->insn.flow;
  uint64_t target = offset + (uint64_t) site->insn.target;
  struct code head = { 0 };

  if ((flow != FLOW_JUMP && flow != FLOW_CONDITIONAL) || site->imm || site->disp
      || target >= run->object->sections[run->text]->header.sh_size)
    return false;
  map_code (&run->tail, offset - run->resume, 0);
  if (copy_loop_head (run, target, &head))
    {
      take_loop (run, site, offset, &head);
      return true;
    }
  emit_taken (run, flow, site->insn.condition, target);
  commit_tail (run);
  run->resume = offset + site->insn.outline.length;
  run->is_open = flow == FLOW_CONDITIONAL;
  return true;
}

/* The return of the function, when it is near, or a call in place of that. */
static bool
take_return (struct trampoline_run *run, const struct site *site, uint64_t offset)
{
  if (site->insn.flow != FLOW_RETURN && (site->insn.flow != FLOW_JUMP || !site->disp))
    return false;
  copy_insn (&run->tail, site, run->resume, offset);
  commit_tail (run);
  run->is_open = false;
  return true;
}

void
extend_run (struct trampoline_run *run, const struct site *site, uint64_t offset)
{
  if (run->tail_count++ < MAX_TAIL_COUNT && run->tail.length < MAX_TAIL_BYTES
      && run->tail.rela_count + 2 < CODE_RELAS)
    {
      /* Where thunks are stepped over, a debugger waits where they come back. */
      if (!run->is_stepped && (take_branch (run, site, offset) || take_return (run, site, offset)))
        return;
      if (can_copy (site, run->is_stepped))
        {
          copy_insn (&run->tail, site, run->resume, offset);
          return;
        }
    }
  close_run (run);
}

static int
compare_places (const void *a, const void *b)
{
  const struct unwind_entry *x = a, *y = b;

  return x->at < y->at ? -1 : x->at > y->at;
}

/* The entry of the unwind map of THUNKS that begins at byte AT. */
static struct unwind_entry *
entry_at (const struct section *thunks, uint64_t at)
{
  struct unwind_entry wanted = { .at = at };

  return &thunks->unwind_map[count_before (&wanted, thunks->unwind_map, thunks->unwind_count,
                                           sizeof wanted, compare_places)];
}

/* Branches of the thunks to an instruction that is no more than a jump to a thunk go
   there at once: a loop whose head is one runs among the thunks. Code whose thunks are stepped
   over goes by its lines. */
static void
shorten_branches (struct trampoline_run *run)
{
  struct section *thunks = thunks_of (run);
  uint64_t text = section_symbol (run->object, run->text);

  for (size_t i = 0; i < thunks->rela_count; i++)
    {
      Elf64_Rela *rela = &thunks->rela[i];
      uint64_t target = branch_target (rela);
      const struct thunk_entry *entry;
      if (rela->r_info != ELF64_R_INFO (text, TARGET_RELOC_BRANCH))
        continue;
      entry = entry_after (run, target);
      if (!entry || entry->offset != target)
        continue;
      set_branch_target (rela, section_symbol (run->object, run->thunks), entry->thunk);
      entry_at (thunks, entry->thunk)->is_head = true;
    }
}

void
finish_runs (struct trampoline_run *run)
{
  close_run (run);
  if (run->thunks)
    place_heads (run);
  if (run->thunks && !run->is_stepped)
    shorten_branches (run);
  for (size_t i = 0; i < run->rela_count; i++)
    append_rela (run->object, run->text, run->relas[i]);
  if (run->rela_count)
    sort_relas (run->object->sections[run->text]);
  free (run->heads);
  free (run->relas);
  free (run->entries);
}
