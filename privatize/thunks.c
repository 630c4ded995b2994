/* Thunks belong to their functions: who unwinds out of one finds the frame that the
   function has at that place, and its name.

   Each function gets an FDE for its thunks, with the rules of its own one, and a local
   symbol for them. Exceptions are not thrown in thunks: they hold no calls.

   Where there are line numbers, a debugger steps through the function. It would stop
   in a thunk as in a function without lines that was jumped to, but not in one that
   was called. So such a thunk has a frame of its own, called by the function; the
   return address is where the thunk's last instruction, a jump, goes. */

#include "privatize/frames.h"
#include "privatize/privatize.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

enum
{
  DW_EH_PE_PCREL_SDATA4 = 0x1b,
  DW_CFA_NOP = 0x00,
  DW_CFA_DEF_CFA = 0x0c,
  DW_CFA_DEF_CFA_EXPRESSION = 0x0f,
  DW_CFA_OFFSET_EXTENDED_SF = 0x11,
  DW_CFA_DEF_CFA_SF = 0x12,
  DW_CFA_VAL_OFFSET_SF = 0x15,
  DATA_FACTOR = -8,
  ENTRY_ALIGNMENT = 8,
  RETURN_EXPRESSION_BYTES = 24,
  JUMP_BYTES = 5
};

/* The operation for each kind of rule. */
static const unsigned char operations[] = {
  [RULE_NONE] = 0x06, [RULE_SAME] = 0x08, [RULE_UNDEFINED] = 0x07,
  [RULE_OFFSET] = DW_CFA_OFFSET_EXTENDED_SF, [RULE_VALUE_OFFSET] = DW_CFA_VAL_OFFSET_SF,
  [RULE_REGISTER] = 0x09, [RULE_EXPRESSION] = 0x10, [RULE_VALUE_EXPRESSION] = 0x16
};

/* Version 1, "zR", factors 1 and -8, return address 16; the frame's address is %rsp
   plus 8, with the return address below. */
static const unsigned char common_entry[] = {
  20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, FRAME_RETURN, 1, DW_EH_PE_PCREL_SDATA4,
  DW_CFA_DEF_CFA, FRAME_RSP, 8, 0x80 | FRAME_RETURN, 1, DW_CFA_NOP, DW_CFA_NOP
};

struct function
{
  uint32_t section;
  uint32_t symbol;
  uint64_t start;
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
  struct function *functions;
  size_t function_count;
  struct walker walker, ahead;
  ZydisDecoder decoder;
};

static void
put_byte (struct section *section, unsigned byte)
{
  append_bytes (section, &(unsigned char) { byte }, 1);
}

static void
put_uleb (struct section *section, uint64_t number)
{
  for (; number >= 0x80; number >>= 7)
    put_byte (section, (number & 0x7f) | 0x80);
  put_byte (section, number);
}

static void
put_sleb (struct section *section, int64_t number)
{
  for (; number < -0x40 || number > 0x3f; number >>= 7)
    put_byte (section, (number & 0x7f) | 0x80);
  put_byte (section, number & 0x7f);
}

static void
put_number (struct section *section, uint32_t number)
{
  append_bytes (section, &number, sizeof number);
}

static void
put_advance (struct section *section, uint64_t distance)
{
  if (distance < 0x40)
    put_byte (section, 0x40 | distance);
  else
    {
      put_byte (section, 0x04);
      put_number (section, distance);
    }
}

static bool
is_same_rule (const struct rule *a, const struct rule *b)
{
  return a->kind == b->kind && a->base == b->base && a->number == b->number
         && a->length == b->length
         && (!a->length || memcmp (a->expression, b->expression, a->length) == 0);
}

static bool
are_same_rules (const struct rules *a, const struct rules *b)
{
  for (unsigned i = 0; i < FRAME_REGISTERS; i++)
    if (!is_same_rule (&a->registers[i], &b->registers[i]))
      return false;
  return is_same_rule (&a->address, &b->address);
}

static void
put_expression (struct section *section, const struct rule *rule)
{
  put_uleb (section, rule->length);
  append_bytes (section, rule->expression, rule->length);
}

static void
put_address_rule (struct section *section, const struct rule *rule)
{
  if (rule->kind == RULE_EXPRESSION)
    {
      put_byte (section, DW_CFA_DEF_CFA_EXPRESSION);
      put_expression (section, rule);
      return;
    }
  put_byte (section, rule->number < 0 ? DW_CFA_DEF_CFA_SF : DW_CFA_DEF_CFA);
  put_uleb (section, rule->base);
  if (rule->number < 0)
    put_sleb (section, rule->number / DATA_FACTOR);
  else
    put_uleb (section, rule->number);
}

static void
put_register_rule (struct section *section, unsigned reg, const struct rule *rule)
{
  put_byte (section, operations[rule->kind]);
  put_uleb (section, reg);
  if (rule->kind == RULE_OFFSET || rule->kind == RULE_VALUE_OFFSET)
    put_sleb (section, rule->number / DATA_FACTOR);
  else if (rule->kind == RULE_REGISTER)
    put_uleb (section, rule->base);
  else if (rule->length)
    put_expression (section, rule);
}

/* The instructions from rules FROM to rules TO. */
static void
put_changes (struct section *section, const struct rules *from, const struct rules *to)
{
  if (!is_same_rule (&from->address, &to->address))
    put_address_rule (section, &to->address);
  for (unsigned i = 0; i < FRAME_REGISTERS; i++)
    if (!is_same_rule (&from->registers[i], &to->registers[i]))
      put_register_rule (section, i, &to->registers[i]);
}

/* True when put_changes can say it; compilers make no other rules. */
static bool
can_say (const struct rules *rules)
{
  const struct rule *address = &rules->address;

  if (address->kind == RULE_REGISTER ? address->number < 0 && address->number % DATA_FACTOR
                                     : address->kind != RULE_EXPRESSION)
    return false;
  for (unsigned i = 0; i < FRAME_REGISTERS; i++)
    if (rules->registers[i].number % DATA_FACTOR)
      return false;
  return true;
}

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

static int
compare_functions (const void *a, const void *b)
{
  const struct function *x = a, *y = b;

  if (x->section != y->section)
    return x->section < y->section ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

static void
collect_functions (struct description *d)
{
  d->functions = allocate (d->object->symbol_count, sizeof *d->functions);
  for (size_t i = 1; i < d->object->symbol_count; i++)
    {
      const struct symbol *symbol = &d->object->symbols[i];
      unsigned type = ELF64_ST_TYPE (symbol->elf.st_info);
      if (is_defined (symbol) && (type == STT_FUNC || type == STT_GNU_IFUNC)
          && d->object->sections[symbol->section]->kind == KIND_TEXT)
        d->functions[d->function_count++]
          = (struct function) { .section = symbol->section, .symbol = i,
                                .start = symbol->elf.st_value };
    }
  if (d->function_count)
    qsort (d->functions, d->function_count, sizeof *d->functions, compare_functions);
}

/* The last function that begins at or before OFFSET, or NULL. */
static const struct function *
find_function (const struct description *d, uint32_t text, uint64_t offset)
{
  size_t low = 0, high = d->function_count;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      const struct function *function = &d->functions[middle];
      if (function->section < text || (function->section == text && function->start <= offset))
        low = middle + 1;
      else
        high = middle;
    }
  return low && d->functions[low - 1].section == text ? &d->functions[low - 1] : NULL;
}

static void
add_name (struct object *object, uint32_t thunks, uint64_t start, uint64_t end,
          const struct symbol *function)
{
  char *name = join_text (symbol_name (object, function), ".upc_private");
  uint32_t symbol = add_symbol (object, (Elf64_Sym) {
    .st_info = ELF64_ST_INFO (STB_LOCAL, STT_FUNC), .st_value = start, .st_size = end - start
  }, thunks);

  object->symbols[symbol].new_name = name;
}

/* A symbol NAME.upc_private for the thunks of each function NAME. */
static void
add_names (struct description *d, uint32_t thunks)
{
  struct object *object = d->object;
  const struct section *code = object->sections[thunks];
  size_t last;

  for (size_t first = 0; first < code->origin_count; first = last)
    {
      const struct function *function
        = find_function (d, code->owner, code->origins[first].source);
      for (last = first + 1; last < code->origin_count; last++)
        if (!code->origins[last].is_return
            && find_function (d, code->owner, code->origins[last].source) != function)
          break;
      if (function)
        add_name (object, thunks, code->origins[first].at,
                  last < code->origin_count ? code->origins[last].at : code->header.sh_size,
                  &object->symbols[function->symbol]);
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
  collect_functions (d);
  for (size_t i = object->input_section_count; i < object->section_count; i++)
    if (object->sections[i]->origin_count)
      {
        add_frames (d, i);
        add_names (d, i);
      }
  end_tables (d);
  free (d->tables);
  free (d->functions);
  free (d->frames.list);
  free (d);
}
