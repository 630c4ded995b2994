/* Rows of .debug_line for thunks: the rows of the instructions whose work they do, as separate
   sequences at the end of each unit.

   A debugger stops where a statement begins, and sets one breakpoint for a line and a block. So
   each row that begins a statement does so in one place only, which all executions of it reach.
   If the text jumps to a thunk, that place is in the text, unless thunks lead there by
   themselves. For the later instructions of the thunk, it is in the thunk. No branch leads
   between these, or the run would have ended there. */

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/describe.h"
#include "privatize/dwarf/dwarf.h"
#include "privatize/dwarf/put.h"

#include <stdlib.h>
#include <string.h>

/* A sequence that is being written, and the registers of its program. */
struct sequence
{
  struct splices *splices;
  const struct line_row *unit; /* a row of its unit; NULL where no sequence is open */
  uint64_t at, file, line, column;
  bool is_statement;
};

/* Whether the rows of the unit at START of TABLE begin as statements. */
static bool
begins_as_statement (const struct section *table, uint64_t start)
{
  const unsigned char *unit = table->data + start;
  unsigned version = unit[4];

  return unit[11 + (version >= 5 ? 2 : 0) + (version >= 4)] != 0;
}

static void
put_operand (struct section *text, unsigned operation, uint64_t operand)
{
  put_byte (text, operation);
  put_uleb (text, operand);
}

/* To byte AT of the thunks. */
static void
advance (struct sequence *sequence, uint64_t at)
{
  put_operand (&sequence->splices->text, DW_LNS_advance_pc,
               (at - sequence->at) / sequence->unit->step);
}

static void
end_sequence (struct sequence *sequence, uint64_t at)
{
  struct section *text = &sequence->splices->text;

  if (!sequence->unit)
    return;
  advance (sequence, at);
  append_bytes (text, (unsigned char[]){ 0, 1, DW_LNE_end_sequence }, 3);
  sequence->unit = NULL;
}

/* Where a sequence of the unit that ROW is of begins, byte AT of the thunks with SYMBOL. */
static void
begin_sequence (struct sequence *sequence, const struct section *table, const struct line_row *row,
                uint32_t symbol, uint64_t at)
{
  struct section *text = &sequence->splices->text;
  uint32_t length;

  memcpy (&length, table->data + row->unit, sizeof length);
  begin_splice (sequence->splices, row->unit + sizeof length + length);
  append_bytes (text, (unsigned char[]){ 0, 9, DW_LNE_set_address }, 3);
  put_address (text, symbol, at);
  *sequence = (struct sequence){ .splices = sequence->splices,
                                 .unit = row,
                                 .at = at,
                                 .file = 1,
                                 .line = 1,
                                 .is_statement = begins_as_statement (table, row->unit) };
}

static void
put_row (struct sequence *sequence, const struct line_row *row, uint64_t at, bool is_statement)
{
  struct section *text = &sequence->splices->text;

  if (row->file != sequence->file)
    put_operand (text, DW_LNS_set_file, row->file);
  if (row->column != sequence->column)
    put_operand (text, DW_LNS_set_column, row->column);
  if (is_statement != sequence->is_statement)
    put_byte (text, DW_LNS_negate_stmt);
  if (row->line != sequence->line)
    {
      put_byte (text, DW_LNS_advance_line);
      put_sleb (text, row->line - sequence->line);
    }
  if (at != sequence->at)
    advance (sequence, at);
  put_byte (text, DW_LNS_copy);
  sequence->at = at;
  sequence->file = row->file;
  sequence->line = row->line;
  sequence->column = row->column;
  sequence->is_statement = is_statement;
}

/* The rows at OFFSET of the text, from *FIRST on; returns what is behind them. */
static size_t
find_rows (const struct line_rows *rows, uint32_t text, uint64_t offset, size_t *first)
{
  size_t last = *first = find_line_row (rows, text, offset);

  while (last < rows->count && rows->list[last].section == text
         && rows->list[last].offset == offset)
    last++;
  return last;
}

/* The row that holds for what stands before LAST, or NULL. Code of line 0, which is of none, goes
   with the line before it: gdb would stop in a thunk without lines. */
static const struct line_row *
row_before (const struct line_rows *rows, uint32_t text, size_t last)
{
  for (; last && rows->list[last - 1].section == text && !rows->list[last - 1].ends; last--)
    if (rows->list[last - 1].line)
      return &rows->list[last - 1];
  return NULL;
}

/* Whether entry I of the map is where an instruction of the text begins in the thunks. */
static bool
begins_instruction (const struct section *code, size_t i)
{
  const struct unwind_entry *entry = &code->unwind_map[i];

  return !entry->is_return && !entry->is_called
         && (entry->begins || !i || entry[-1].is_return || entry[-1].source != entry->source);
}

/* Whether the statements of entry I begin in the thunk. */
static bool
begins_statements (const struct section *code, size_t i)
{
  const struct unwind_entry *entry = &code->unwind_map[i];

  return begins_instruction (code, i) && (!entry->begins || entry->is_head);
}

static void
put_entry (struct sequence *sequence, const struct description *d, const struct line_rows *rows,
           uint32_t index, size_t i)
{
  const struct section *code = d->object->sections[index];
  const struct unwind_entry *entry = &code->unwind_map[i];
  size_t first, last = find_rows (rows, code->owner, entry->source, &first);
  const struct line_row *row = row_before (rows, code->owner, last);

  if (entry->is_return)
    return;
  if (entry->is_called || !row || (sequence->unit && sequence->unit->unit != row->unit))
    end_sequence (sequence, entry->at);
  if (entry->is_called || !row)
    return;
  if (!sequence->unit)
    {
      begin_sequence (sequence, d->object->sections[row->table], row,
                      section_symbol (d->object, index), entry->at);
      put_row (sequence, row, entry->at, false);
    }
  else if (entry->begins)
    put_row (sequence, row, entry->at, false);
  if (begins_statements (code, i))
    for (; first < last; first++)
      if (rows->list[first].line && !rows->list[first].ends
          && rows->list[first].unit == sequence->unit->unit)
        put_row (sequence, &rows->list[first], entry->at, rows->list[first].is_statement);
}

/* The rows of the text for which those of the thunks of section INDEX stand now. */
static void
move_statements (const struct description *d, const struct line_rows *rows, struct splices *splices,
                 uint32_t index)
{
  const struct section *code = d->object->sections[index];

  for (size_t i = 0, first; i < code->unwind_count; i++)
    {
      size_t last = find_rows (rows, code->owner, code->unwind_map[i].source, &first);
      for (; begins_statements (code, i) && first < last; first++)
        if (rows->list[first].is_statement && rows->list[first].line && !rows->list[first].ends)
          {
            begin_splice (splices, rows->list[first].from);
            put_byte (&splices->text, DW_LNS_negate_stmt);
            begin_splice (splices, rows->list[first].to);
            put_byte (&splices->text, DW_LNS_negate_stmt);
          }
    }
}

void
describe_lines (const struct description *d)
{
  struct line_rows rows = collect_line_rows (d->object);
  struct splices splices = { .section = rows.count ? rows.list[0].table : 0,
                             .units = UNITS_WITH_LENGTHS };

  for (size_t text = 1; text < d->object->input_section_count; text++)
    {
      struct sequence sequence = { .splices = &splices };
      uint32_t index = d->thunks[text];
      if (!index)
        continue;
      for (size_t i = 0; i < d->object->sections[index]->unwind_count; i++)
        put_entry (&sequence, d, &rows, index, i);
      end_sequence (&sequence, d->object->sections[index]->header.sh_size);
      move_statements (d, &rows, &splices, index);
    }
  apply_splices (d->object, &splices);
  free (rows.list);
  free (rows.is_unknown);
}
