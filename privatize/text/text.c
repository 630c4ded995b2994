/* Finds the instructions that reach private data, and rewrites each.

   Relocations say where operands are, but not where the instruction starts; only decoding from a
   known start does. If a relocation is not exactly at an operand, the decoder is out of step, in
   data or in an unknown instruction. From there to the next known start, or to a label that may
   be one, no instruction is touched. */

#include "privatize/text/text.h"

#include "privatize/data/data.h"
#include "privatize/dwarf/dwarf.h"
#include "privatize/text/code_starts.h"
#include "privatize/text/literals.h"
#include "privatize/text/trampolines.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LOOK_AHEAD = 24
};

struct walk
{
  struct object *object;
  struct section *section;
  struct trampoline_run run;
  size_t next; /* the first relocation at or after the offset */
  struct code_starts *labels;
  const struct line_rows *rows;
  size_t row;    /* the first row after the offset */
  bool *targets; /* of branches, by offset, where thunks are described */
  uint32_t free; /* registers that the function leaves to code for it */
  const struct literals *literals;
  bool is_rewritten; /* the section was made by this tool before */
};

static bool
is_site (const struct walk *walk, size_t i)
{
  return wants_private_address (walk->object, &walk->section->rela[i]);
}

static void
report_site (const struct walk *walk, const struct site *site, uint64_t offset, const char *reason)
{
  const Elf64_Rela *rela = private_rela (site);
  int64_t addend = private_addend (site);
  char text[256];

  if (rela == site->imm && site->insn.has_relative_imm)
    addend = moved_addend (addend, site->insn.outline.length - site->insn.outline.imm.at);
  print_insn (&site->insn, text, sizeof text);
  report_error (walk->object, walk->section, offset,
                "cannot make '%s' private: instruction '%s': %s (%s)",
                describe_target (walk->object, rela, addend), text, reason, relocation_name (rela));
}

/* A relocation that no decoded instruction reaches. */
static void
report_lost_site (const struct walk *walk, const Elf64_Rela *rela)
{
  report_error (walk->object, walk->section, rela->r_offset,
                "cannot make '%s' private: not the operand of an instruction (%s)",
                describe_target (walk->object, rela, rela->r_addend), relocation_name (rela));
}

/* Reports the sites from the current one to END. */
static void
report_lost (struct walk *walk, uint64_t end)
{
  struct section *section = walk->section;

  for (; walk->next < section->rela_count && section->rela[walk->next].r_offset < end; walk->next++)
    if (is_site (walk, walk->next)
        && !is_read_literal (walk->literals, walk->run.text, section->rela[walk->next].r_offset))
      report_lost_site (walk, &section->rela[walk->next]);
}

/* Decodes some instructions after SITE for what they do with the address. No known
   start is between: END is the next one. */
static void
look_ahead (const struct walk *walk, uint64_t offset, uint64_t end, struct site *site)
{
  uint64_t at = offset + site->insn.outline.length;
  struct insn next;

  for (unsigned i = 0; i < LOOK_AHEAD; i++)
    {
      if (!decode_insn (walk->section->data + at, end - at, &next)
          || !note_next (site, &next, relocation_at (walk->section, at), i == 0))
        return;
      at += next.outline.length;
    }
}

/* An instruction that cannot be decoded ends the run. */
static void
visit_unknown (struct walk *walk, const struct site *site)
{
  close_run (&walk->run);
  if (site->disp_private)
    report_lost_site (walk, site->disp);
  if (site->imm_private)
    report_lost_site (walk, site->imm);
}

/* The instruction at OFFSET is in a thunk. */
static void
note_rewritten (const struct walk *walk, uint64_t offset, struct site *site)
{
  const struct section *section = walk->section;
  uint64_t next = offset + site->insn.outline.length;

  if (reaches_copy (&site->insn, section->data + next, section->header.sh_size - next))
    site->insn.is_private = true;
}

/* Rewrites the instruction at OFFSET if it is a site, and otherwise lets the thunks
   before it run on. Returns how many bytes after it are done with it. */
static size_t
visit_instruction (struct walk *walk, uint64_t offset, uint64_t end, struct site *site)
{
  struct section *section = walk->section;
  const struct literal *literal;
  struct code code;
  const char *reason;

  if (!decode_insn (section->data + offset, section->header.sh_size - offset, &site->insn))
    {
      visit_unknown (walk, site);
      return 0;
    }
  if (walk->is_rewritten)
    note_rewritten (walk, offset, site);
  if (site->disp_private && is_right_already (site))
    site->disp_private = false;
  literal = site->insn.is_private
                ? NULL
                : literal_of (walk->object, walk->literals, walk->run.text, offset, site);
  site->literal = literal ? &literal->rela : NULL;
  if (wants_next (site))
    look_ahead (walk, offset, end, site);
  if (!is_private_site (site))
    {
      if (walk->run.is_open)
        extend_run (&walk->run, site, offset);
      return 0;
    }
  if (literal || (site->disp_private && type_of (site->disp)->fields & TEXT_FIELDS))
    site->text = section_symbol (walk->object, literal ? literal->section : walk->run.text);
  site->is_fixed = walk->object->is_fixed;
  site->is_shared = walk->object->is_shared;
  site->free = walk->free;
  if (wants_word (site, &site->word))
    {
      site->word = find_word (walk->object, walk->run.text, &site->word);
      site->is_delta = is_delta_word (walk->object, &site->word);
    }
  reason = rewrite_insn (site, &code);
  if (reason)
    report_site (walk, site, offset, reason);
  else
    patch_site (&walk->run, offset, site, &code);
  return code.covers;
}

/* Whether a debugger wants the run to come back to OFFSET of the text, as one that goes on would
   pass a breakpoint by; offsets never decrease. Where thunks are described, they may go on
   over rows, which are theirs then; but not where other code comes to the text, and not over the
   first of several rows of a line, for the text would have the first one then. */
static bool
wants_return (struct walk *walk, uint64_t offset)
{
  const struct line_rows *rows = walk->rows;
  uint32_t text = walk->run.text;
  bool is_wanted = walk->targets && walk->targets[offset];

  while (walk->row < rows->count && rows->list[walk->row].section == text
         && rows->list[walk->row].offset <= offset)
    {
      const struct line_row *row = &rows->list[walk->row++];
      if (row->offset == offset && (walk->targets ? row->is_repeated : row->begins_line))
        is_wanted = true;
    }
  return is_wanted;
}

/* Decodes from *OFFSET to END, up to LAST and what the last thunk may take along.
   Returns false, with *OFFSET where, when the decoder is out of step. */
static bool
walk_on (struct walk *walk, uint64_t *offset, uint64_t last, uint64_t end)
{
  struct section *section = walk->section;

  while (*offset < last || (walk->run.is_open && *offset < end))
    {
      struct site site = { 0 };
      struct outline insn;
      size_t first = walk->next;
      if (!outline_insn (section->data + *offset, end - *offset, &insn)
          || !take_relocations (walk->object, section, &walk->next, *offset, &insn, &site))
        {
          close_run (&walk->run);
          walk->next = first;
          return false;
        }
      if (wants_return (walk, *offset))
        close_run (&walk->run);
      if (walk->run.is_open || is_private_site (&site) || walk->literals->count)
        *offset += visit_instruction (walk, *offset, end, &site);
      *offset += insn.length;
      while (walk->next < section->rela_count && section->rela[walk->next].r_offset < *offset)
        walk->next++;
    }
  close_run (&walk->run);
  return true;
}

/* From START to END, and where there is data between, from each label after it. */
static void
walk_instructions (struct walk *walk, uint64_t start, uint64_t end)
{
  struct section *section = walk->section;
  uint64_t last = start, offset = start;

  for (size_t i = walk->next; i < section->rela_count && section->rela[i].r_offset < end; i++)
    if (is_site (walk, i))
      last = section->rela[i].r_offset + 1;
  if (walk->literals->count)
    last = end;
  while (offset < last && !walk_on (walk, &offset, last, end))
    {
      offset = next_label (walk->object, walk->labels, walk->run.text, offset, end);
      report_lost (walk, offset);
    }
  report_lost (walk, end);
}

/* The registers that code for the function at STARTS may change. Marks divide it. A part that is
   rarely executed may leave something in registers for the other part. */
static uint32_t
free_in_function (const struct section *section, const struct code_start *starts, size_t count)
{
  size_t n = 1;

  while (n < count && starts[n].is_mark)
    n++;
  if (starts->is_cold)
    return 0;
  return free_registers (section->data + starts->offset,
                         (n < count ? starts[n].offset : section->header.sh_size) - starts->offset);
}

/* Rewrites one section; STARTS are its own. IS_DESCRIBED says whether thunks can be described to a
   debugger. */
static void
rewrite_section (struct object *object, uint32_t index, const struct code_start *starts,
                 size_t count, struct code_starts *labels, const struct literals *literals,
                 const struct line_rows *rows, bool is_described)
{
  struct walk walk
      = { .object = object,
          .section = object->sections[index],
          .run = { .object = object, .text = index, .may_join = !rows->is_unknown[index] },
          .labels = labels,
          .literals = literals,
          .rows = rows,
          .row = find_line_row (rows, index, 0) };
  bool has_lines = walk.row < rows->count && rows->list[walk.row].section == index;
  bool has_site = literals->count;

  walk.is_rewritten = strncmp (walk.section->name, ".text.upc_", 10) == 0;
  walk.run.is_described = has_lines && is_described && !rows->is_unknown[index];
  walk.run.is_stepped = (has_lines || rows->is_unknown[index]) && !walk.run.is_described;
  for (size_t i = 0; i < walk.section->rela_count; i++)
    has_site |= is_site (&walk, i);
  if (!has_site)
    return;
  sort_relas (walk.section);
  if (walk.run.is_described)
    walk.targets = find_branch_targets (object, index, starts, count);
  for (size_t i = 0; i < count; i++)
    {
      uint64_t end = i + 1 < count ? starts[i + 1].offset : walk.section->header.sh_size;
      if (!starts[i].is_mark)
        walk.free = free_in_function (walk.section, starts + i, count - i);
      if (starts[i].is_data)
        report_lost (&walk, end);
      else
        walk_instructions (&walk, starts[i].offset, end);
    }
  finish_runs (&walk.run);
  free (walk.targets);
  drop_empty_relas (walk.section);
}

/* The function that a row is in, and its line. */
struct function_line
{
  uint64_t start, section, unit, file, line;
};

/* Marks rows that begin a line of which a later row of the function does, too. */
static void
mark_repeated (struct line_rows *rows, const struct code_starts *starts)
{
  struct hash_table *lines = hash_new ();

  for (size_t i = rows->count, n = starts->count; i-- > 0;)
    {
      struct line_row *row = &rows->list[i];
      struct function_line key = { 0, row->section, row->unit, row->file, row->line };
      uint32_t count = hash_count (lines);
      while (n
             && (starts->list[n - 1].section > row->section
                 || (starts->list[n - 1].section == row->section
                     && starts->list[n - 1].offset > row->offset)))
        n--;
      key.start = n ? starts->list[n - 1].offset : 0;
      row->is_repeated = row->begins_line && hash_add (lines, &key, sizeof key) != count;
    }
  hash_free (lines);
}

void
rewrite_text (struct object *object)
{
  struct code_starts starts = collect_code_starts (object), labels = { 0 };
  struct literals literals = collect_literals (object, &starts);
  struct line_rows rows = collect_line_rows (object);
  bool is_described = rows.count && can_describe_thunks (object);

  if (is_described)
    mark_repeated (&rows, &starts);
  for (size_t i = 0, n; i < starts.count; i += n)
    {
      for (n = 1; i + n < starts.count && starts.list[i + n].section == starts.list[i].section;)
        n++;
      rewrite_section (object, starts.list[i].section, starts.list + i, n, &labels, &literals,
                       &rows, is_described);
    }
  free (literals.list);
  free (labels.list);
  free (rows.is_unknown);
  free (rows.list);
  free (starts.list);
}
