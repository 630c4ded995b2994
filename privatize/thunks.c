/* Thunks belong to their functions: who unwinds out of one finds the frame that the
   function has at that place.

   Each function gets an FDE for its thunks, with the rules of its own one. Exceptions
   are not thrown in thunks: they hold no calls.

   Where there are line numbers, a debugger steps through the function. It would stop
   in a thunk as in a function without lines that was jumped to, but not in one that
   was called. So such a thunk has a frame of its own, called by the function; the
   return address is where the thunk's last instruction, a jump, goes. */

#include "privatize/cfi.h"
#include "privatize/privatize.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

enum
{
  DW_EH_PE_PCREL_SDATA4 = 0x1b,
  ENTRY_ALIGNMENT = 8,
  RETURN_EXPRESSION_BYTES = 24,
  JUMP_BYTES = 5
};

/* Version 1, "zR", factors 1 and -8, return address 16; the frame's address is %rsp
   plus 8, with the return address below. */
static const unsigned char common_entry[] = {
  20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, CFI_DATA_FACTOR & 0x7f, FRAME_RETURN,
  1, DW_EH_PE_PCREL_SDATA4,
  DW_CFA_DEF_CFA, FRAME_RSP, 8, 0x80 | FRAME_RETURN, 1, DW_CFA_NOP, DW_CFA_NOP
};

/* What goes to the end of one .eh_frame section. */
struct table
{
  bool is_terminated;
  bool is_begun;
  uint64_t common;         /* where the CIE is */
};

struct description
{
  struct object *object;
  struct frames frames;
  struct table *tables;    /* by section */
  struct walker walker, ahead;
  ZydisDecoder decoder;
};

/* The entry that ends the table goes, until all is added. */
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

/* Where the CIE begins, and what has just been called. */
static void
set_initial_rules (struct rules *rules)
{
  memset (rules, 0, sizeof *rules);
  rules->address = (struct rule) { .kind = RULE_REGISTER, .base = FRAME_RSP, .number = 8 };
  rules->registers[FRAME_RETURN] = (struct rule) { .kind = RULE_OFFSET, .number = -8 };
}

static bool
go_to (struct walker *walker, uint64_t source)
{
  if (source < walker->offset)
    start_walk (walker, walker->frame);
  return walk_to (walker, source);
}

/* How far the stack pointer is below the frame's address, if that is computed from it. */
static int64_t
stack_depth (struct walker *walker, uint64_t source)
{
  const struct rule *address = &walker->rules.address;

  return go_to (walker, source) && address->kind == RULE_REGISTER && address->base == FRAME_RSP
         ? address->number : 0;
}

/* The rules of the original at ORIGIN, as they are with the stack pointer lowered. */
static bool
find_rules (struct description *d, const struct origin *origin, struct rules *rules)
{
  struct walker *walker = &d->walker;

  if (origin->is_called)
    {
      set_initial_rules (rules);
      return true;
    }
  if (!go_to (walker, origin->source) || !can_say (&walker->rules))
    return false;
  *rules = walker->rules;
  if (rules->address.kind == RULE_REGISTER && rules->address.base == FRAME_RSP)
    rules->address.number += origin->lowered;
  return true;
}

/* From AT on NEXT holds instead of RULES; the table has come to PLACE. */
static void
put_row (struct section *section, uint64_t at, uint64_t *place, struct rules *rules,
         const struct rules *next)
{
  if (are_same_rules (next, rules))
    return;
  if (at != *place)
    put_advance (section, at - *place);
  *place = at;
  put_changes (section, rules, next);
  *rules = *next;
}

/* The target of the jump that ends DISTANCE bytes after the instruction pointer, read
   from its last four bytes. */
static struct rule
jump_target_rule (unsigned char *expression, uint64_t distance)
{
  static const unsigned char rest[] = {
    0x12, 0x34, 0x1c, 0x94, 4,             /* dup, lit4, minus, deref_size 4 */
    0x08, 32, 0x24, 0x08, 32, 0x26, 0x22   /* sign-extend: << 32, >> 32; plus */
  };
  size_t n = 0;

  expression[n++] = 0x70 + FRAME_RETURN;   /* breg16 */
  for (; distance >= 0x40; distance >>= 7)
    expression[n++] = (distance & 0x7f) | 0x80;
  expression[n++] = distance;
  memcpy (expression + n, rest, sizeof rest);
  return (struct rule) { .kind = RULE_VALUE_EXPRESSION, .expression = expression,
                         .length = n + sizeof rest };
}

/* The origin of the jump back of the thunk of origin FIRST, or LAST when it leaves by
   itself. */
static size_t
find_return (const struct section *code, size_t first, size_t last)
{
  size_t i = first;

  while (i < last && !code->origins[i].is_return && !code->origins[i].leaves)
    i++;
  return i < last && code->origins[i].is_return ? i : last;
}

/* Rows for the thunk of origins FIRST to JUMP, its jump back: one for each instruction.
   An unwinder takes for the caller the rules before the return address. */
static void
put_called_thunk (struct description *d, struct section *section, const struct section *code,
                  size_t first, size_t jump, uint64_t *place, struct rules *rules)
{
  uint64_t end = code->origins[jump].at + JUMP_BYTES, at = code->origins[first].at;
  int64_t depth = stack_depth (&d->ahead, code->origins[jump].source - 1);

  while (first <= jump && at < end)
    {
      unsigned char expression[RETURN_EXPRESSION_BYTES];
      ZydisDecodedInstruction z;
      struct rules next;
      memset (&next, 0, sizeof next);
      next.address = (struct rule) { .kind = RULE_REGISTER, .base = FRAME_RSP,
                                     .number = code->origins[first].lowered - depth };
      next.address.number += stack_depth (&d->walker, code->origins[first].source);
      next.registers[FRAME_RETURN] = jump_target_rule (expression, end - at);
      put_row (section, at, place, rules, &next);
      rules->registers[FRAME_RETURN] = (struct rule) { .kind = RULE_VALUE_EXPRESSION };
      if (!ZYAN_SUCCESS (ZydisDecoderDecodeInstruction (&d->decoder, NULL, code->data + at,
                                                        end - at, &z)))
        return;
      at += z.length;
      while (first < jump && code->origins[first + 1].at <= at)
        first++;
    }
}

/* Describes origins FIRST to LAST of a section of thunks, with FRAME. */
static void
add_frame (struct description *d, uint32_t thunks, size_t first, size_t last,
           const struct frame *frame)
{
  struct section *code = d->object->sections[thunks], *section = begin_table (d, frame->table);
  const struct origin *origins = code->origins;
  uint64_t begin = origins[first].at, place = begin, start = section->header.sh_size;
  uint64_t end = last < code->origin_count ? origins[last].at : code->header.sh_size;
  struct rules rules, next;
  uint32_t length;

  set_initial_rules (&rules);
  put_number (section, 0);
  put_number (section, start + 4 - d->tables[frame->table].common);
  append_rela (d->object, frame->table, (Elf64_Rela) {
    .r_offset = start + 8,
    .r_info = ELF64_R_INFO ((uint64_t) section_symbol (d->object, thunks), R_X86_64_PC32),
    .r_addend = begin
  });
  put_number (section, 0);
  put_number (section, end - begin);
  put_byte (section, 0);
  start_walk (&d->walker, frame);
  start_walk (&d->ahead, frame);
  for (size_t i = first, jump; i < last; i = jump + 1)
    {
      jump = code->is_stepped ? find_return (code, i, last) : last;
      if (jump < last)
        {
          put_called_thunk (d, section, code, i, jump, &place, &rules);
          continue;
        }
      jump = i;
      if (!find_rules (d, &origins[i], &next))
        break;
      put_row (section, origins[i].at, &place, &rules, &next);
    }
  while ((section->header.sh_size - start) % ENTRY_ALIGNMENT)
    put_byte (section, DW_CFA_NOP);
  length = section->header.sh_size - start - 4;
  memcpy (section->data + start, &length, sizeof length);
}

static const struct frame *
frame_of (const struct description *d, const struct section *thunks, size_t origin)
{
  return find_frame (&d->frames, thunks->owner, thunks->origins[origin].source);
}

static void
add_frames (struct description *d, uint32_t thunks)
{
  const struct section *code = d->object->sections[thunks];
  size_t last;

  for (size_t first = 0; first < code->origin_count; first = last)
    {
      const struct frame *frame = frame_of (d, code, first);
      for (last = first + 1; last < code->origin_count; last++)
        if (!code->origins[last].is_return && frame_of (d, code, last) != frame)
          break;
      if (frame)
        add_frame (d, thunks, first, last, frame);
    }
}

void
describe_thunks (struct object *object)
{
  struct description *d = allocate (1, sizeof *d);

  d->object = object;
  ZydisDecoderInit (&d->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecoderEnableMode (&d->decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
  d->frames = collect_frames (object);
  d->tables = allocate (object->section_count, sizeof *d->tables);
  for (size_t i = object->input_section_count; i < object->section_count; i++)
    if (object->sections[i]->origin_count)
      add_frames (d, i);
  end_tables (d);
  free (d->tables);
  free (d->frames.list);
  free (d);
}
