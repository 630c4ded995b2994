/* Reads .eh_frame: finds the FDEs and executes their instructions. */

#include "privatize/dwarf/frames.h"

#include "privatize/dwarf/constants.h"

#include <stdlib.h>
#include <string.h>

/* What a CIE says about its FDEs. */
struct common
{
  bool has_data; /* augmentation data, of a known length */
  size_t pointer_bytes;
  uint64_t code_factor;
  int64_t data_factor;
  struct cursor initial;
};

static size_t
encoded_bytes (uint64_t encoding)
{
  switch (encoding & 0x0f)
    {
    case 0x00:
    case 0x04:
    case 0x0c:
      return 8;
    case 0x03:
    case 0x0b:
      return 4;
    case 0x02:
    case 0x0a:
      return 2;
    default:
      return 0;
    }
}

/* The augmentation data that LETTERS describe. */
static void
read_augmentation (struct cursor *cursor, const char *letters, struct common *common)
{
  for (; *letters; letters++)
    if (*letters == 'R')
      common->pointer_bytes = encoded_bytes (read_number (cursor, 1));
    else if (*letters == 'L')
      read_number (cursor, 1);
    else if (*letters == 'P')
      {
        uint64_t encoding = read_number (cursor, 1);
        if (encoding == DW_EH_PE_aligned || !encoded_bytes (encoding))
          cursor->is_bad = true;
        read_bytes (cursor, encoded_bytes (encoding));
      }
    else if (*letters != 'B')
      /* 'S', a signal frame, and what is unknown. */
      cursor->is_bad = true;
}

/* Reads a CIE after its identifier. */
static bool
read_common (struct cursor cursor, struct common *common)
{
  uint64_t version = read_number (&cursor, 1), length;
  const char *letters = read_text (&cursor);
  struct cursor data;

  *common = (struct common){ .pointer_bytes = 8, .has_data = *letters == 'z' };
  if ((version != 1 && version != 3) || (*letters && *letters != 'z'))
    return false;
  common->code_factor = read_uleb (&cursor);
  common->data_factor = read_sleb (&cursor);
  if ((version == 1 ? read_number (&cursor, 1) : read_uleb (&cursor)) != DWARF_RETURN_ADDRESS)
    return false;
  if (common->has_data)
    {
      length = read_uleb (&cursor);
      data = cursor;
      if (!read_bytes (&cursor, length))
        return false;
      data.end = cursor.at;
      read_augmentation (&data, letters + 1, common);
      cursor.is_bad |= data.is_bad;
    }
  common->initial = cursor;
  return !cursor.is_bad && common->pointer_bytes;
}

/* The entry at CURSOR, past its length; CURSOR goes on to the next one. */
static struct cursor
read_entry (struct cursor *cursor)
{
  uint64_t length = read_number (cursor, 4);
  struct cursor entry;

  if (length == 0xffffffff)
    length = read_number (cursor, 8);
  entry = *cursor;
  read_bytes (cursor, length);
  entry.end = cursor->at;
  entry.is_bad = cursor->is_bad;
  return entry;
}

static void
add_frame (struct frames *frames, struct frame frame)
{
  frames->list = grow_array (frames->list, frames->count + 1, &frames->capacity,
                             sizeof *frames->list);
  frames->list[frames->count++] = frame;
}

/* Reads an FDE after the pointer to its CIE. Its function is known from a relocation. */
static void
read_frame (const struct object *object, struct frames *frames, uint32_t table,
            struct cursor cursor, const struct common *common)
{
  const struct section *section = object->sections[table];
  const Elf64_Rela *rela = relocation_at (section, cursor.at - section->data);
  const struct symbol *symbol;
  struct frame frame = { .table = table,
                         .code_factor = common->code_factor,
                         .data_factor = common->data_factor,
                         .initial = common->initial };

  read_bytes (&cursor, common->pointer_bytes);
  frame.end = read_number (&cursor, common->pointer_bytes);
  if (common->has_data)
    read_bytes (&cursor, read_uleb (&cursor));
  if (!rela || cursor.is_bad)
    return;
  symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
  if (!is_defined (symbol))
    return;
  frame.text = symbol->section;
  frame.start = symbol->elf.st_value + rela->r_addend;
  frame.program = cursor;
  if (!__builtin_add_overflow (frame.start, frame.end, &frame.end))
    add_frame (frames, frame);
}

static void
read_table (const struct object *object, struct frames *frames, uint32_t table)
{
  struct section *section = object->sections[table];
  struct cursor cursor = { section->data, section->data + section->header.sh_size, false };
  const unsigned char *known = NULL; /* the CIE that COMMON is of */
  struct common common;
  bool is_good = false;

  sort_relas (section);
  while (cursor.at < cursor.end && !cursor.is_bad)
    {
      struct cursor entry = read_entry (&cursor), from;
      const unsigned char *field = entry.at;
      uint64_t offset = entry.at < entry.end ? read_number (&entry, 4) : 0;
      if (entry.is_bad || !offset || offset > (uint64_t) (field - section->data))
        continue;
      from = (struct cursor){ field - offset, cursor.at, false };
      if (from.at != known)
        {
          known = from.at;
          from = read_entry (&from);
          is_good = read_number (&from, 4) == 0 && read_common (from, &common);
        }
      if (is_good)
        read_frame (object, frames, table, entry, &common);
    }
}

static int
compare_frames (const void *a, const void *b)
{
  const struct frame *x = a, *y = b;

  if (x->text != y->text)
    return x->text < y->text ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

/* The FDEs of the input; they point into its bytes. */
struct frames
collect_frames (const struct object *object)
{
  struct frames frames = { 0 };

  for (size_t i = 1; i < object->input_section_count; i++)
    if (strcmp (object->sections[i]->name, ".eh_frame") == 0 && object->sections[i]->data)
      read_table (object, &frames, i);
  if (frames.count)
    qsort (frames.list, frames.count, sizeof *frames.list, compare_frames);
  return frames;
}

/* The frame of the instruction at OFFSET of the text, or NULL. */
const struct frame *
find_frame (const struct frames *frames, uint32_t text, uint64_t offset)
{
  struct frame after = { .text = text, .start = offset + 1 };
  size_t n = count_before (&after, frames->list, frames->count, sizeof after, compare_frames);

  if (!n || frames->list[n - 1].text != text || offset >= frames->list[n - 1].end)
    return NULL;
  return &frames->list[n - 1];
}

static struct rule
read_expression (struct cursor *cursor, enum rule_kind kind)
{
  struct rule rule = { .kind = kind, .length = read_uleb (cursor) };

  rule.expression = read_bytes (cursor, rule.length);
  return rule;
}

/* OPERATION on register REG, if it is one that sets a rule. */
static bool
set_register (struct walker *walker, unsigned operation, uint64_t reg)
{
  struct cursor *program = &walker->program;
  int64_t factor = walker->frame->data_factor;
  struct rule rule = { 0 };

  switch (operation)
    {
    case DW_CFA_offset:
    case DW_CFA_offset_extended:
      rule = (struct rule){ .kind = RULE_OFFSET, .number = read_uleb (program) * factor };
      break;
    case DW_CFA_offset_extended_sf:
      rule = (struct rule){ .kind = RULE_OFFSET,
                            .number = (uint64_t) read_sleb (program) * factor };
      break;
    case DW_CFA_val_offset:
      rule = (struct rule){ .kind = RULE_VALUE_OFFSET, .number = read_uleb (program) * factor };
      break;
    case DW_CFA_val_offset_sf:
      rule = (struct rule){ .kind = RULE_VALUE_OFFSET,
                            .number = (uint64_t) read_sleb (program) * factor };
      break;
    case DW_CFA_undefined:
      rule.kind = RULE_UNDEFINED;
      break;
    case DW_CFA_same_value:
      rule.kind = RULE_SAME;
      break;
    case DW_CFA_register:
      rule = (struct rule){ .kind = RULE_REGISTER, .base = read_uleb (program) };
      break;
    case DW_CFA_expression:
      rule = read_expression (program, RULE_EXPRESSION);
      break;
    case DW_CFA_val_expression:
      rule = read_expression (program, RULE_VALUE_EXPRESSION);
      break;
    case DW_CFA_restore:
    case DW_CFA_restore_extended:
      if (reg < DWARF_REGISTERS)
        rule = walker->initial.registers[reg];
      break;
    default:
      return false;
    }
  if (reg >= DWARF_REGISTERS)
    return false;
  walker->rules.registers[reg] = rule;
  return true;
}

/* The return address has been signed, or is not any more. */
static bool
negate_sign_state (struct rules *rules)
{
  struct rule *state = &rules->registers[DWARF_SIGN_STATE % DWARF_REGISTERS];

  if (DWARF_SIGN_STATE == DWARF_REGISTERS)
    return false;
  state->kind = state->kind == RULE_NONE ? RULE_UNDEFINED : RULE_NONE;
  return true;
}

/* OPERATION on the CFA, or on all rules. */
static bool
set_address (struct walker *walker, unsigned operation)
{
  struct cursor *program = &walker->program;
  struct rule *address = &walker->rules.address;

  switch (operation)
    {
    case DW_CFA_nop:
      return true;
    case DW_CFA_AARCH64_negate_ra_state:
      return negate_sign_state (&walker->rules);
    case DW_CFA_GNU_args_size:
      read_uleb (program);
      return true;
    case DW_CFA_remember_state:
      if (walker->depth == REMEMBERED_STATES)
        return false;
      walker->remembered[walker->depth++] = walker->rules;
      return true;
    case DW_CFA_restore_state:
      if (!walker->depth)
        return false;
      walker->rules = walker->remembered[--walker->depth];
      return true;
    case DW_CFA_def_cfa:
    case DW_CFA_def_cfa_sf:
      *address = (struct rule){ .kind = RULE_REGISTER, .base = read_uleb (program) };
      address->number = operation == DW_CFA_def_cfa
                            ? read_uleb (program)
                            : (uint64_t) read_sleb (program) * walker->frame->data_factor;
      return true;
    case DW_CFA_def_cfa_register:
      address->base = read_uleb (program);
      return address->kind == RULE_REGISTER;
    case DW_CFA_def_cfa_offset:
      address->number = read_uleb (program);
      return address->kind == RULE_REGISTER;
    case DW_CFA_def_cfa_offset_sf:
      address->number = (uint64_t) read_sleb (program) * walker->frame->data_factor;
      return address->kind == RULE_REGISTER;
    case DW_CFA_def_cfa_expression:
      *address = read_expression (program, RULE_EXPRESSION);
      return true;
    default:
      return set_register (walker, operation, read_uleb (program));
    }
}

/* How far OPERATION advances; false when it is another one. */
static bool
read_advance (struct cursor *program, unsigned operation, uint64_t *bytes)
{
  if ((operation & 0xc0) == DW_CFA_advance_loc)
    *bytes = operation & 0x3f;
  else if (operation >= DW_CFA_advance_loc1 && operation <= DW_CFA_advance_loc4)
    *bytes = read_number (program, 1u << (operation - DW_CFA_advance_loc1));
  else
    return false;
  return true;
}

bool
walk_to (struct walker *walker, uint64_t offset)
{
  struct cursor *program = &walker->program;

  while (program->at < program->end && !program->is_bad)
    {
      struct cursor before = *program;
      unsigned operation = read_number (program, 1);
      uint64_t bytes;
      bool is_good = true;
      if (read_advance (program, operation, &bytes))
        {
          bytes *= walker->frame->code_factor;
          if (bytes > offset - walker->offset)
            {
              *program = before;
              return true;
            }
          walker->offset += bytes;
        }
      else if (operation & 0xc0)
        is_good = set_register (walker, operation & 0xc0, operation & 0x3f);
      else
        is_good = set_address (walker, operation);
      if (!is_good)
        program->is_bad = true;
    }
  return !program->is_bad;
}

void
start_walk (struct walker *walker, const struct frame *frame)
{
  memset (walker, 0, sizeof *walker);
  walker->frame = frame;
  walker->offset = frame->start;
  walker->program = frame->initial;
  if (walk_to (walker, frame->start))
    walker->program = frame->program;
  walker->initial = walker->rules;
}
