/* Where instructions start: at functions, and where unwind tables say so. Between two such
   offsets instructions follow each other, unless an assembler programmer put data there. Then
   they may continue at labels. */

#include "privatize/text/code_starts.h"

#include <stdlib.h>
#include <string.h>

static void
add_start (const struct object *object, struct code_starts *starts, struct code_start start)
{
  const struct section *s = object->sections[start.section];

  if (s->kind != KIND_TEXT || start.offset >= s->header.sh_size)
    return;
  starts->list = grow_array (starts->list, starts->count + 1, &starts->capacity,
                             sizeof *starts->list);
  starts->list[starts->count++] = start;
}

static void
add_code_start (const struct object *object, struct code_starts *starts, uint32_t section,
                uint64_t offset, bool is_data)
{
  add_start (object, starts,
             (struct code_start){ .section = section, .is_data = is_data, .offset = offset });
}

/* A compiler's part of a function that is rarely executed is a function to the linker. */
static void
add_function (const struct object *object, struct code_starts *starts, const struct symbol *symbol)
{
  struct code_start start = { .section = symbol->section, .offset = symbol->elf.st_value };

  start.is_cold = strstr (symbol_name (object, symbol), ".cold");
  add_start (object, starts, start);
}

static void
add_mark (const struct object *object, struct code_starts *starts, const struct symbol *symbol)
{
  const char *name = symbol_name (object, symbol);
  struct code_start start
      = { .section = symbol->section, .offset = symbol->elf.st_value, .is_mark = true };

  start.is_data = is_mark (name, TARGET_DATA_MARK);
  if (start.is_data || is_mark (name, TARGET_CODE_MARK))
    add_start (object, starts, start);
}

static void
add_symbols (const struct object *object, struct code_starts *starts)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      unsigned type = ELF64_ST_TYPE (symbol->elf.st_info);
      if (!is_defined (symbol))
        continue;
      if (type == STT_FUNC || type == STT_GNU_IFUNC)
        add_function (object, starts, symbol);
      else if (type == STT_NOTYPE && TARGET_CODE_MARK)
        add_mark (object, starts, symbol);
      else if (type == STT_OBJECT && symbol->elf.st_size)
        {
          add_code_start (object, starts, symbol->section, symbol->elf.st_value, true);
          add_code_start (object, starts, symbol->section,
                          symbol->elf.st_value + symbol->elf.st_size, false);
        }
    }
}

/* All that .eh_frame refers to in the text is the start of a function: of the one
   that an FDE describes, or of a personality routine. */
static void
add_frames (const struct object *object, struct code_starts *starts)
{
  for (size_t i = 1; i < object->section_count; i++)
    {
      const struct section *section = object->sections[i];
      if (strcmp (section->name, ".eh_frame") != 0)
        continue;
      for (size_t j = 0; j < section->rela_count; j++)
        {
          const Elf64_Rela *rela = &section->rela[j];
          const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
          if (is_defined (symbol))
            add_code_start (object, starts, symbol->section, symbol->elf.st_value + rela->r_addend,
                            false);
        }
    }
}

/* In hand-written code a label is as much as the start of a function has, or a table of
   addresses that point to it. */
static void
add_labels (const struct object *object, struct code_starts *labels)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      if (is_defined (symbol) && ELF64_ST_TYPE (symbol->elf.st_info) == STT_NOTYPE)
        add_code_start (object, labels, symbol->section, symbol->elf.st_value, false);
    }
  for (size_t i = 1; i < object->section_count; i++)
    for (size_t j = 0; j < object->sections[i]->rela_count; j++)
      {
        const Elf64_Rela *rela = &object->sections[i]->rela[j];
        const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
        if (is_pointer (rela) && is_defined (symbol) && object->sections[i]->kind != KIND_OTHER)
          add_code_start (object, labels, symbol->section, symbol->elf.st_value + rela->r_addend,
                          false);
      }
}

static int
compare_code_starts (const void *a, const void *b)
{
  const struct code_start *x = a, *y = b;

  if (x->section != y->section)
    return x->section < y->section ? -1 : 1;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->is_data - y->is_data;
}

/* FROM is at the same offset as TO. Marks know best what is there. */
static void
merge_starts (struct code_start *to, const struct code_start *from)
{
  if (from->is_mark && !to->is_mark)
    to->is_data = from->is_data;
  to->is_mark = to->is_mark && from->is_mark;
  to->is_cold = to->is_cold || from->is_cold;
}

static void
sort_code_starts (struct code_starts *starts)
{
  size_t kept = 0;

  if (starts->count)
    qsort (starts->list, starts->count, sizeof *starts->list, compare_code_starts);
  for (size_t i = 0; i < starts->count; i++)
    if (!kept || starts->list[kept - 1].section != starts->list[i].section
        || starts->list[kept - 1].offset != starts->list[i].offset)
      starts->list[kept++] = starts->list[i];
    else
      merge_starts (&starts->list[kept - 1], &starts->list[i]);
  starts->count = kept;
}

struct code_starts
collect_code_starts (const struct object *object)
{
  struct code_starts starts = { 0 };

  for (size_t i = 1; i < object->section_count; i++)
    add_code_start (object, &starts, i, 0, false);
  add_symbols (object, &starts);
  add_frames (object, &starts);
  sort_code_starts (&starts);
  return starts;
}

uint64_t
next_label (const struct object *object, struct code_starts *labels, uint32_t section,
            uint64_t offset, uint64_t end)
{
  struct code_start after = { .section = section, .offset = offset + 1 };
  size_t n;

  if (!labels->capacity)
    {
      /* Room says that they have been collected, though there may be none. */
      labels->list = xcalloc (labels->capacity = 1, sizeof *labels->list);
      add_labels (object, labels);
      sort_code_starts (labels);
    }
  n = count_before (&after, labels->list, labels->count, sizeof after, compare_code_starts);
  return n < labels->count && labels->list[n].section == section && labels->list[n].offset < end
             ? labels->list[n].offset
             : end;
}
