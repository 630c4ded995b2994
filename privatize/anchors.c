/* Where instructions start: at functions, and where unwind tables say that one
   does. Between two such places they follow each other, unless an assembler programmer
   put data there: then labels are where they may go on. */

#include "privatize/text.h"

#include <stdlib.h>
#include <string.h>

static void
add_anchor (const struct object *object, struct anchors *anchors, uint32_t section,
            uint64_t offset, bool is_data)
{
  const struct section *s = object->sections[section];

  if (s->kind != KIND_TEXT || offset >= s->header.sh_size)
    return;
  if (anchors->count == anchors->room)
    {
      anchors->room += anchors->room / 2 + 64;
      anchors->list = resize (anchors->list, anchors->room, sizeof *anchors->list);
    }
  anchors->list[anchors->count++]
    = (struct anchor) { .section = section, .is_data = is_data, .offset = offset };
}

static void
add_symbols (const struct object *object, struct anchors *anchors)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      unsigned type = ELF64_ST_TYPE (symbol->elf.st_info);
      if (!is_defined (symbol))
        continue;
      if (type == STT_FUNC || type == STT_GNU_IFUNC)
        add_anchor (object, anchors, symbol->section, symbol->elf.st_value, false);
      else if (type == STT_OBJECT && symbol->elf.st_size)
        {
          add_anchor (object, anchors, symbol->section, symbol->elf.st_value, true);
          add_anchor (object, anchors, symbol->section,
                      symbol->elf.st_value + symbol->elf.st_size, false);
        }
    }
}

/* All that .eh_frame refers to in the text is the start of a function: of the one
   that an FDE describes, or of a personality routine. */
static void
add_frames (const struct object *object, struct anchors *anchors)
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
            add_anchor (object, anchors, symbol->section,
                        symbol->elf.st_value + rela->r_addend, false);
        }
    }
}

/* In hand-written code a label is as much as the start of a function has, or a table of
   addresses that point to it. */
static void
add_labels (const struct object *object, struct anchors *labels)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      if (is_defined (symbol) && ELF64_ST_TYPE (symbol->elf.st_info) == STT_NOTYPE)
        add_anchor (object, labels, symbol->section, symbol->elf.st_value, false);
    }
  for (size_t i = 1; i < object->section_count; i++)
    for (size_t j = 0; j < object->sections[i]->rela_count; j++)
      {
        const Elf64_Rela *rela = &object->sections[i]->rela[j];
        const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
        if (ELF64_R_TYPE (rela->r_info) == R_X86_64_64 && is_defined (symbol)
            && object->sections[i]->kind != KIND_OTHER)
          add_anchor (object, labels, symbol->section, symbol->elf.st_value + rela->r_addend, false);
      }
}

static int
compare_anchors (const void *a, const void *b)
{
  const struct anchor *x = a, *y = b;

  if (x->section != y->section)
    return x->section < y->section ? -1 : 1;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->is_data - y->is_data;
}

static void
sort_anchors (struct anchors *anchors)
{
  size_t kept = 0;

  if (anchors->count)
    qsort (anchors->list, anchors->count, sizeof *anchors->list, compare_anchors);
  for (size_t i = 0; i < anchors->count; i++)
    if (!kept || anchors->list[kept - 1].section != anchors->list[i].section
        || anchors->list[kept - 1].offset != anchors->list[i].offset)
      anchors->list[kept++] = anchors->list[i];
  anchors->count = kept;
}

struct anchors
collect_anchors (const struct object *object)
{
  struct anchors anchors = { 0 };

  for (size_t i = 1; i < object->section_count; i++)
    add_anchor (object, &anchors, i, 0, false);
  add_symbols (object, &anchors);
  add_frames (object, &anchors);
  sort_anchors (&anchors);
  return anchors;
}

uint64_t
next_label (const struct object *object, struct anchors *labels, uint32_t section,
            uint64_t offset, uint64_t end)
{
  struct anchor wanted = { .section = section, .offset = offset };
  size_t low = 0, high;

  if (!labels->room)
    {
      /* Room says that they have been collected, though there may be none. */
      labels->list = allocate (labels->room = 1, sizeof *labels->list);
      add_labels (object, labels);
      sort_anchors (labels);
    }
  high = labels->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare_anchors (&labels->list[middle], &wanted) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low < labels->count && labels->list[low].section == section
         && labels->list[low].offset < end ? labels->list[low].offset : end;
}
