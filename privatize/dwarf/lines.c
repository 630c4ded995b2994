/* Reads the rows of .debug_line, versions 2 to 5. */

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/cursor.h"
#include "privatize/dwarf/dwarf.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MAX_OPERATION = 256
};

/* One program and its registers. */
struct lines
{
  const struct object *object;
  const struct section *table;
  uint32_t table_index;
  struct line_rows *rows;
  struct cursor program;
  uint64_t step, range, operations; /* minimum_instruction_length and so on */
  int64_t base;
  bool begins_as_statement;
  unsigned char operands[MAX_OPERATION];

  uint32_t section;
  uint64_t unit;                  /* where the unit begins, */
  const unsigned char *operation; /* and the operation that is done */
  uint64_t offset, file, line, column;
  bool is_statement;
  uint64_t last_file, last_line; /* of the last row that is a statement */
};

static void
begin_sequence (struct lines *lines)
{
  lines->section = 0;
  lines->offset = 0;
  lines->file = lines->line = 1;
  lines->column = 0;
  lines->is_statement = lines->begins_as_statement;
  lines->last_file = lines->last_line = UINT64_MAX;
}

static void
add_row (struct lines *lines, bool ends)
{
  struct line_rows *rows = lines->rows;
  const unsigned char *start = lines->table->data;
  bool is_new = lines->file != lines->last_file || lines->line != lines->last_line;

  if (!lines->section)
    return;
  rows->list = grow_array (rows->list, rows->count + 1, &rows->capacity, sizeof *rows->list);
  rows->list[rows->count++] = (struct line_row){ .section = lines->section,
                                                 .table = lines->table_index,
                                                 .offset = lines->offset,
                                                 .unit = lines->unit,
                                                 .step = lines->step,
                                                 .from = lines->operation - start,
                                                 .to = lines->program.at - start,
                                                 .file = lines->file,
                                                 .line = lines->line,
                                                 .column = lines->column,
                                                 .is_statement = lines->is_statement,
                                                 .begins_line = lines->is_statement && is_new
                                                                && !ends,
                                                 .ends = ends };
  if (!lines->is_statement)
    return;
  lines->last_file = lines->file;
  lines->last_line = lines->line;
}

static void
set_address (struct lines *lines, struct cursor *operand)
{
  const Elf64_Rela *rela = relocation_at (lines->table, operand->at - lines->table->data);
  const struct symbol *symbol;

  lines->section = 0;
  if (!rela)
    return;
  symbol = &lines->object->symbols[ELF64_R_SYM (rela->r_info)];
  if (!is_defined (symbol))
    return;
  lines->section = symbol->section;
  lines->offset = symbol->elf.st_value + rela->r_addend;
}

static void
do_extended (struct lines *lines)
{
  uint64_t length = read_uleb (&lines->program);
  struct cursor operand = lines->program;

  if (!read_bytes (&lines->program, length))
    return;
  operand.end = lines->program.at;
  switch (read_number (&operand, 1))
    {
    case DW_LNE_end_sequence:
      add_row (lines, true);
      begin_sequence (lines);
      break;
    case DW_LNE_set_address:
      set_address (lines, &operand);
      break;
    default:
      break;
    }
}

static void
do_standard (struct lines *lines, unsigned operation)
{
  struct cursor *program = &lines->program;

  switch (operation)
    {
    case DW_LNS_copy:
      add_row (lines, false);
      break;
    case DW_LNS_advance_pc:
      lines->offset += read_uleb (program) * lines->step;
      break;
    case DW_LNS_advance_line:
      lines->line += read_sleb (program);
      break;
    case DW_LNS_set_file:
      lines->file = read_uleb (program);
      break;
    case DW_LNS_set_column:
      lines->column = read_uleb (program);
      break;
    case DW_LNS_negate_stmt:
      lines->is_statement = !lines->is_statement;
      break;
    case DW_LNS_const_add_pc:
      lines->offset += (255 - lines->operations) / lines->range * lines->step;
      break;
    case DW_LNS_fixed_advance_pc:
      lines->offset += read_number (program, 2);
      break;
    default:
      for (unsigned i = 0; i < lines->operands[operation]; i++)
        read_uleb (program);
      break;
    }
}

static void
run_program (struct lines *lines)
{
  struct cursor *program = &lines->program;

  begin_sequence (lines);
  while (program->at < program->end && !program->is_bad)
    {
      unsigned operation;
      lines->operation = program->at;
      operation = read_number (program, 1);
      if (operation >= lines->operations)
        {
          operation -= lines->operations;
          lines->offset += operation / lines->range * lines->step;
          lines->line += lines->base + (int64_t) (operation % lines->range);
          add_row (lines, false);
        }
      else if (operation)
        do_standard (lines, operation);
      else
        do_extended (lines);
    }
}

/* Reads the header of a unit after its length. */
static bool
read_header (struct lines *lines, struct cursor unit, size_t offset_bytes)
{
  uint64_t version = read_number (&unit, 2), length;

  if (version >= 5)
    read_bytes (&unit, 2);
  length = read_number (&unit, offset_bytes);
  lines->program = unit;
  read_bytes (&lines->program, length);
  lines->step = read_number (&unit, 1);
  if (version >= 4)
    read_bytes (&unit, 1);
  lines->begins_as_statement = read_number (&unit, 1);
  lines->base = (int8_t) read_number (&unit, 1);
  lines->range = read_number (&unit, 1);
  lines->operations = read_number (&unit, 1);
  for (unsigned i = 1; i < lines->operations; i++)
    lines->operands[i] = read_number (&unit, 1);
  return !unit.is_bad && !lines->program.is_bad && version >= 2 && version <= 5 && lines->range
         && lines->step && lines->operations > DW_LNS_fixed_advance_pc;
}

/* Returns false when the table cannot be read. */
static bool
read_table (const struct object *object, uint32_t index, struct line_rows *rows)
{
  struct section *table = object->sections[index];
  struct cursor cursor = { table->data, table->data + table->header.sh_size, false };

  if (table->header.sh_flags & SHF_COMPRESSED)
    return false;
  sort_relas (table);
  while (cursor.at < cursor.end)
    {
      struct lines lines = { .object = object,
                             .table = table,
                             .table_index = index,
                             .rows = rows,
                             .unit = cursor.at - table->data };
      uint64_t length = read_number (&cursor, 4);
      size_t offset_bytes = length == 0xffffffff ? 8 : 4;
      struct cursor unit;
      if (offset_bytes == 8)
        length = read_number (&cursor, 8);
      unit = cursor;
      if (!read_bytes (&cursor, length))
        return false;
      unit.end = cursor.at;
      if (!read_header (&lines, unit, offset_bytes))
        return false;
      run_program (&lines);
      if (lines.program.is_bad)
        return false;
    }
  return true;
}

static int
compare_line_rows (const void *a, const void *b)
{
  const struct line_row *x = a, *y = b;

  if (x->section != y->section)
    return x->section < y->section ? -1 : 1;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  if (x->ends != y->ends)
    return y->ends - x->ends;
  return x->from < y->from ? -1 : x->from > y->from;
}

struct line_rows
collect_line_rows (const struct object *object)
{
  struct line_rows rows = { .is_unknown = xcalloc (object->section_count, sizeof (bool)) };

  for (size_t i = 1; i < object->section_count; i++)
    {
      struct section *section = object->sections[i];
      if (strcmp (section->name, ".debug_line") != 0 || !section->data
          || read_table (object, i, &rows))
        continue;
      for (size_t j = 0; j < section->rela_count; j++)
        {
          const struct symbol *symbol = &object->symbols[ELF64_R_SYM (section->rela[j].r_info)];
          if (is_defined (symbol))
            rows.is_unknown[symbol->section] = true;
        }
    }
  if (rows.count)
    qsort (rows.list, rows.count, sizeof *rows.list, compare_line_rows);
  return rows;
}

size_t
find_line_row (const struct line_rows *rows, uint32_t section, uint64_t offset)
{
  struct line_row wanted = { .section = section, .offset = offset };

  return count_before (&wanted, rows->list, rows->count, sizeof wanted, compare_line_rows);
}
