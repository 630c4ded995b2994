/* Unwind information for thunks. A thunk belongs to its function: unwinding from it gives the
   frame that the function has at the original instruction.

   Each function gets an FDE for its thunks, with the rules of its own FDE. No exceptions are
   thrown in thunks, as they contain no calls.

   If there are line numbers that cannot be read, a debugger steps through the function. It would
   stop in a thunk, which looks like a function without lines that was jumped to; but it steps
   over one that was called. So such a thunk gets a frame of its own, called by the function. The
   return address is the target of the thunk's last instruction, a jump. */

#include "privatize/dwarf/cfi.h"
#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/dwarf.h"
#include "privatize/dwarf/put.h"

#include <stdlib.h>
#include <string.h>

enum
{
  ENTRY_ALIGNMENT = 8
};

/* Version 1, "zR", factors 1 and -8, and the rules at the entry of a function. */
/* clang-format off */
static const unsigned char common_entry[] = {
  20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, CFI_DATA_FACTOR & 0x7f, DWARF_RETURN_ADDRESS,
  1, DW_EH_PE_pcrel_sdata4,
  DW_CFA_def_cfa, DWARF_STACK_POINTER, ENTRY_CFA_OFFSET,
  ENTRY_RETURN_OFFSET ? DW_CFA_offset | DWARF_RETURN_ADDRESS : DW_CFA_nop,
  ENTRY_RETURN_OFFSET / CFI_DATA_FACTOR, /* or another DW_CFA_nop */
  DW_CFA_nop, DW_CFA_nop
};
/* clang-format on */

/* What goes to the end of one .eh_frame section. */
struct table
{
  bool is_terminated;
  bool is_begun;
  uint64_t common; /* where the CIE is */
};

struct description
{
  struct object *object;
  struct frames frames;
  struct table *tables; /* by section */
  struct walker walker, ahead;
};

/* Removes the terminator of the table until all entries are added. */
static struct section *
begin_table (struct description *d, uint32_t index)
{
  struct section *section = d->object->sections[index];
  struct table *table = &d->tables[index];
  uint64_t size = section->header.sh_size;

  if (table->is_begun)
    return section;
  table->is_begun = true;
  if (size >= 4 && memcmp (section->data + size - 4, "\0\0\0", 4) == 0)
    {
      struct cursor cursor = { section->data, section->data + size, false };
      while (cursor.at + 4 < cursor.end && !cursor.is_bad)
        {
          uint64_t length = read_number (&cursor, 4);
          read_bytes (&cursor, length == 0xffffffff ? read_number (&cursor, 8) : length);
        }
      table->is_terminated = !cursor.is_bad && cursor.at + 4 == cursor.end;
    }
  if (table->is_terminated)
    section->header.sh_size -= 4;
  table->common = append_bytes (section, common_entry, sizeof common_entry);
  return section;
}

static void
end_tables (struct description *d)
{
  for (size_t i = 1; i < d->object->input_section_count; i++)
    if (d->tables[i].is_terminated)
      put_number (d->object->sections[i], 0);
}

/* The rules at the entry of a function, as in the CIE. */
static void
set_initial_rules (struct rules *rules)
{
  memset (rules, 0, sizeof *rules);
  rules->address = (struct rule){ .kind = RULE_REGISTER,
                                  .base = DWARF_STACK_POINTER,
                                  .number = ENTRY_CFA_OFFSET };
  if (ENTRY_RETURN_OFFSET)
    rules->registers[DWARF_RETURN_ADDRESS] = (struct rule){ .kind = RULE_OFFSET,
                                                            .number = ENTRY_RETURN_OFFSET };
}

static bool
go_to (struct walker *walker, uint64_t source)
{
  if (source < walker->offset)
    start_walk (walker, walker->frame);
  return walk_to (walker, source);
}

/* How far the stack pointer is below the CFA, if that is computed from it. */
static int64_t
stack_depth (struct walker *walker, uint64_t source)
{
  const struct rule *address = &walker->rules.address;

  return go_to (walker, source) && address->kind == RULE_REGISTER
                 && address->base == DWARF_STACK_POINTER
             ? address->number
             : 0;
}

/* The rules for ENTRY: those of its source, with the stack pointer lowered. */
static bool
find_rules (struct description *d, const struct unwind_entry *entry, struct rules *rules)
{
  struct walker *walker = &d->walker;

  if (entry->is_called)
    {
      set_initial_rules (rules);
      return true;
    }
  if (!go_to (walker, entry->source) || !can_say (&walker->rules))
    return false;
  *rules = walker->rules;
  if (rules->address.kind == RULE_REGISTER && rules->address.base == DWARF_STACK_POINTER)
    rules->address.number += entry->lowered;
  return true;
}

/* An FDE that is being written: up to AT of the thunks, with RULES there. */
struct fde
{
  struct section *section;
  uint64_t at;
  struct rules rules;
};

/* From AT on NEXT holds. */
static void
put_rules (struct fde *fde, uint64_t at, const struct rules *next)
{
  if (are_same_rules (next, &fde->rules))
    return;
  if (at != fde->at)
    put_advance (fde->section, at - fde->at);
  fde->at = at;
  put_changes (fde->section, &fde->rules, next);
  fde->rules = *next;
}

/* The target of the jump that ends OFFSET bytes after the instruction pointer. */
static struct rule
jump_target_rule (unsigned char *expression, uint64_t offset)
{
  return (struct rule){ .kind = RULE_VALUE_EXPRESSION,
                        .expression = expression,
                        .length = branch_target_expression (expression, offset) };
}

/* The entry of the jump back of the thunk that begins with FIRST, or LAST when it leaves by
   itself. */
static size_t
find_return (const struct section *code, size_t first, size_t last)
{
  size_t i = first;

  while (i < last && !code->unwind_map[i].is_return && !code->unwind_map[i].leaves)
    i++;
  return i < last && code->unwind_map[i].is_return ? i : last;
}

/* Rules for the thunk from entry FIRST to JUMP, its jump back: others at each instruction.
   An unwinder takes for the caller the rules before the return address. */
static void
put_called_thunk (struct description *d, struct fde *fde, const struct section *code, size_t first,
                  size_t jump)
{
  uint64_t end = code->unwind_map[jump].at + BRANCH_BYTES, at = code->unwind_map[first].at;
  int64_t depth = stack_depth (&d->ahead, code->unwind_map[jump].source - 1);

  while (first <= jump && at < end)
    {
      unsigned char expression[BRANCH_EXPRESSION_BYTES];
      struct outline insn;
      struct rules next;
      memset (&next, 0, sizeof next);
      next.address = (struct rule){ .kind = RULE_REGISTER,
                                    .base = DWARF_STACK_POINTER,
                                    .number = code->unwind_map[first].lowered - depth };
      next.address.number += stack_depth (&d->walker, code->unwind_map[first].source);
      next.registers[DWARF_RETURN_ADDRESS] = jump_target_rule (expression, end - at);
      put_rules (fde, at, &next);
      fde->rules.registers[DWARF_RETURN_ADDRESS] = (struct rule){ .kind = RULE_VALUE_EXPRESSION };
      if (!outline_insn (code->data + at, end - at, &insn))
        return;
      at += insn.length;
      while (first < jump && code->unwind_map[first + 1].at <= at)
        first++;
    }
}

/* The header of an FDE for bytes BEGIN to END of the thunks. */
static void
put_fde_header (struct description *d, struct section *section, uint32_t table, uint32_t thunks,
                uint64_t begin, uint64_t end)
{
  uint64_t start = section->header.sh_size;
  uint64_t symbol = section_symbol (d->object, thunks);

  put_number (section, 0);
  put_number (section, start + 4 - d->tables[table].common);
  append_rela (d->object, table,
               (Elf64_Rela){ .r_offset = start + 8,
                             .r_info = ELF64_R_INFO (symbol, TARGET_RELOC_PC32),
                             .r_addend = begin });
  put_number (section, 0);
  put_number (section, end - begin);
  put_byte (section, 0);
}

/* The rules for entries FIRST to LAST of the unwind map of CODE. */
static void
put_all_rules (struct description *d, struct fde *fde, const struct section *code, size_t first,
               size_t last)
{
  struct rules next;

  for (size_t i = first, jump; i < last; i = jump + 1)
    {
      jump = code->is_stepped && TARGET_UNWINDS_JUMPS ? find_return (code, i, last) : last;
      if (jump < last)
        {
          put_called_thunk (d, fde, code, i, jump);
          continue;
        }
      jump = i;
      if (!find_rules (d, &code->unwind_map[i], &next))
        return;
      put_rules (fde, code->unwind_map[i].at, &next);
    }
}

/* Describes entries FIRST to LAST of the unwind map of a section of thunks, with FRAME. */
static void
add_frame (struct description *d, uint32_t thunks, size_t first, size_t last,
           const struct frame *frame)
{
  const struct section *code = d->object->sections[thunks];
  uint64_t end = last < code->unwind_count ? code->unwind_map[last].at : code->header.sh_size;
  struct section *section = begin_table (d, frame->table);
  struct fde fde = { .section = section, .at = code->unwind_map[first].at };
  uint64_t start = section->header.sh_size;
  uint32_t length;

  set_initial_rules (&fde.rules);
  put_fde_header (d, section, frame->table, thunks, fde.at, end);
  start_walk (&d->walker, frame);
  start_walk (&d->ahead, frame);
  put_all_rules (d, &fde, code, first, last);
  while ((section->header.sh_size - start) % ENTRY_ALIGNMENT)
    put_byte (section, DW_CFA_nop);
  length = section->header.sh_size - start - 4;
  memcpy (section->data + start, &length, sizeof length);
}

static const struct frame *
frame_of (const struct description *d, const struct section *thunks, size_t entry)
{
  return find_frame (&d->frames, thunks->owner, thunks->unwind_map[entry].source);
}

static void
add_frames (struct description *d, uint32_t thunks)
{
  const struct section *code = d->object->sections[thunks];
  size_t last;

  for (size_t first = 0; first < code->unwind_count; first = last)
    {
      const struct frame *frame = frame_of (d, code, first);
      for (last = first + 1; last < code->unwind_count; last++)
        if (!code->unwind_map[last].is_return && frame_of (d, code, last) != frame)
          break;
      if (frame)
        add_frame (d, thunks, first, last, frame);
    }
}

void
add_thunk_frames (struct object *object)
{
  struct description *d = xcalloc (1, sizeof *d);

  d->object = object;
  d->frames = collect_frames (object);
  d->tables = xcalloc (object->section_count, sizeof *d->tables);
  for (size_t i = object->input_section_count; i < object->section_count; i++)
    if (object->sections[i]->unwind_count)
      add_frames (d, i);
  end_tables (d);
  free (d->tables);
  free (d->frames.list);
  free (d);
}
