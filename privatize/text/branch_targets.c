/* The targets of branches within a section of text: those of its instructions, of pointers, and
   of tables of offsets for switches. Finding too many does no harm. */

#include "privatize/text/code_starts.h"
#include "privatize/text/trampolines.h"

#include <stdlib.h>

enum
{
  OFFSET_BYTES = 4 /* in a table for a switch */
};

struct targets
{
  const struct object *object;
  uint32_t text;
  uint64_t size;
  bool *list;
};

static void
add_target (struct targets *targets, uint64_t offset)
{
  if (offset < targets->size)
    targets->list[offset] = true;
}

static void
add_branches (struct targets *targets, uint64_t start, uint64_t end)
{
  const struct section *section = targets->object->sections[targets->text];
  struct insn insn;

  for (uint64_t at = start; at < end; at += insn.outline.length)
    {
      if (!decode_insn (section->data + at, end - at, &insn))
        return;
      if (insn.flow == FLOW_JUMP || insn.flow == FLOW_CONDITIONAL)
        add_target (targets, at + (uint64_t) insn.target);
    }
}

/* Where tables for switches may begin in section INDEX: code refers to them. */
static bool *
find_tables (const struct targets *targets, uint32_t index)
{
  const struct section *section = targets->object->sections[targets->text];
  uint64_t size = targets->object->sections[index]->header.sh_size;
  bool *tables = xcalloc (size + 1, sizeof *tables);

  for (size_t i = 0; i < section->rela_count; i++)
    {
      const Elf64_Rela *rela = &section->rela[i];
      const struct symbol *symbol = &targets->object->symbols[ELF64_R_SYM (rela->r_info)];
      uint64_t at = symbol->elf.st_value + rela->r_addend
                    + (is_relative (rela) ? TARGET_RELATIVE_BIAS : 0);
      if (is_defined (symbol) && symbol->section == index && at < size)
        tables[at] = true;
    }
  return tables;
}

/* Pointers, and offsets from where their table begins. */
static void
add_pointers (struct targets *targets, uint32_t index)
{
  const struct section *section = targets->object->sections[index];
  bool *tables = NULL;
  uint64_t table = 0, next = UINT64_MAX;

  for (size_t i = 0; i < section->rela_count; i++)
    {
      const Elf64_Rela *rela = &section->rela[i];
      const struct symbol *symbol = &targets->object->symbols[ELF64_R_SYM (rela->r_info)];
      uint64_t offset = symbol->elf.st_value + rela->r_addend;
      if (!is_defined (symbol) || symbol->section != targets->text)
        continue;
      if (is_relative (rela) && type_of (rela)->bytes == OFFSET_BYTES)
        {
          if (!tables)
            tables = find_tables (targets, index);
          if (rela->r_offset != next
              || (rela->r_offset < section->header.sh_size && tables[rela->r_offset]))
            table = rela->r_offset;
          next = rela->r_offset + OFFSET_BYTES;
          offset -= rela->r_offset - table;
        }
      add_target (targets, offset);
    }
  free (tables);
}

bool *
find_branch_targets (const struct object *object, uint32_t text, const struct code_start *starts,
                     size_t count)
{
  uint64_t size = object->sections[text]->header.sh_size;
  struct targets targets
      = { .object = object, .text = text, .size = size, .list = xcalloc (size + 1, sizeof (bool)) };

  for (size_t i = 0; i < count; i++)
    if (!starts[i].is_data)
      add_branches (&targets, starts[i].offset, i + 1 < count ? starts[i + 1].offset : size);
  for (size_t i = 1; i < object->input_section_count; i++)
    if (object->sections[i]->kind != KIND_OTHER && object->sections[i]->kind != KIND_TEXT)
      add_pointers (&targets, i);
  return targets.list;
}
