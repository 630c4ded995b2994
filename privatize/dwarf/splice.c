#include "privatize/dwarf/splice.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LENGTH_BYTES = 4,
  INDEX_BYTES = 4,
  COUNT_AT = 8, /* the number of indexes in a unit */
  INDEXES_AT = 12
};

void
begin_splice (struct splices *splices, uint64_t at)
{
  splices->list = grow_array (splices->list, splices->count + 1, &splices->capacity,
                              sizeof *splices->list);
  splices->list[splices->count++] = (struct insertion){ .at = at,
                                                        .start = splices->text.header.sh_size };
}

static void
put_rela (struct section *text, uint32_t type, uint32_t symbol, uint64_t offset)
{
  text->rela = grow_array (text->rela, text->rela_count + 1, &text->rela_capacity,
                           sizeof *text->rela);
  text->rela[text->rela_count++] = (Elf64_Rela){ .r_offset = text->header.sh_size,
                                                 .r_info = ELF64_R_INFO ((uint64_t) symbol, type),
                                                 .r_addend = offset };
}

void
put_address (struct section *text, uint32_t symbol, uint64_t offset)
{
  put_rela (text, TARGET_RELOC_POINTER, symbol, offset);
  append_bytes (text, NULL, 8);
}

void
put_pair (struct section *text, uint32_t symbol, uint64_t offset, uint64_t length)
{
  append_bytes (text, &(uint64_t){ UINT64_MAX }, 8);
  put_address (text, symbol, offset);
  append_bytes (text, NULL, 8);
  append_bytes (text, &length, 8);
}

void
put_copy (struct section *text, const struct section *from, uint64_t start, uint64_t end)
{
  uint64_t by = text->header.sh_size - start;

  for (size_t i = find_relocation (from, start);
       i < from->rela_count && from->rela[i].r_offset < end; i++)
    {
      Elf64_Rela rela = from->rela[i];
      rela.r_offset += by;
      text->rela = grow_array (text->rela, text->rela_count + 1, &text->rela_capacity,
                               sizeof *text->rela);
      text->rela[text->rela_count++] = rela;
    }
  append_bytes (text, from->data + start, end - start);
}

void
drop_splice (struct splices *splices)
{
  struct section *text = &splices->text;

  text->header.sh_size = splices->list[--splices->count].start;
  while (text->rela_count && text->rela[text->rela_count - 1].r_offset >= text->header.sh_size)
    text->rela_count--;
}

static int
compare_insertions (const void *a, const void *b)
{
  const struct insertion *x = a, *y = b;

  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

/* Where byte AT of the section has gone: behind what was inserted before it. */
static uint64_t
moved (const struct splices *splices, uint64_t at)
{
  struct insertion after = { .at = at + 1 };
  size_t n = count_before (&after, splices->list, splices->count, sizeof after, compare_insertions);

  return n ? at + splices->list[n - 1].moves : at;
}

/* Sorts the insertions; returns how many bytes each has, by where it starts. */
static void
measure (struct splices *splices, uint64_t *lengths)
{
  uint64_t moves = 0;

  for (size_t i = 0; i < splices->count; i++)
    {
      uint64_t end = i + 1 < splices->count ? splices->list[i + 1].start
                                            : splices->text.header.sh_size;
      splices->list[i].moves = end - splices->list[i].start;
    }
  qsort (splices->list, splices->count, sizeof *splices->list, compare_insertions);
  for (size_t i = 0; i < splices->count; i++)
    {
      lengths[i] = splices->list[i].moves;
      moves += lengths[i];
      splices->list[i].moves = moves;
    }
}

/* The bytes of the section with those that are new, and all relocations. */
static void
merge (struct object *object, struct splices *splices, const uint64_t *lengths)
{
  struct section *section = object->sections[splices->section], *text = &splices->text;
  uint64_t size = section->header.sh_size, from = 0, to = 0;
  unsigned char *data = xcalloc (size + text->header.sh_size, 1);

  sort_relas (text);
  for (size_t i = 0; i < section->rela_count; i++)
    section->rela[i].r_offset = moved (splices, section->rela[i].r_offset);
  for (size_t i = 0; i < splices->count; i++)
    {
      const struct insertion *new = &splices->list[i];
      if (new->at > from)
        memcpy (data + to, section->data + from, new->at - from);
      to += new->at - from;
      from = new->at;
      if (lengths[i])
        memcpy (data + to, text->data + new->start, lengths[i]);
      for (size_t j = find_relocation (text, new->start);
           j < text->rela_count && text->rela[j].r_offset < new->start + lengths[i]; j++)
        {
          Elf64_Rela rela = text->rela[j];
          rela.r_offset += to - new->start;
          append_rela (object, splices->section, rela);
        }
      to += lengths[i];
    }
  if (size > from)
    memcpy (data + to, section->data + from, size - from);
  if (section->capacity)
    free (section->data);
  section->data = data;
  section->header.sh_size = section->capacity = size + text->header.sh_size;
  sort_relas (section);
}

/* The indexes of the unit that begins at AT now, and began at START: offsets from the first. */
static void
move_indexes (const struct splices *splices, unsigned char *at, uint64_t start, uint64_t end)
{
  uint32_t count, offset;

  if (end - start < INDEXES_AT)
    return;
  memcpy (&count, at + COUNT_AT, sizeof count);
  if (count > (end - start - INDEXES_AT) / INDEX_BYTES)
    return;
  start += INDEXES_AT;
  for (uint32_t i = 0; i < count; i++)
    {
      unsigned char *index = at + INDEXES_AT + (size_t) i * INDEX_BYTES;
      memcpy (&offset, index, sizeof offset);
      offset = moved (splices, start + offset) - moved (splices, start);
      memcpy (index, &offset, sizeof offset);
    }
}

/* SIZE is how many bytes the section had. */
static void
move_units (const struct object *object, const struct splices *splices, uint64_t size)
{
  unsigned char *data = object->sections[splices->section]->data;

  for (uint64_t start = 0, end; size - start > LENGTH_BYTES; start = end)
    {
      unsigned char *at = data + moved (splices, start);
      uint32_t length;
      memcpy (&length, at, sizeof length);
      if (length > size - start - LENGTH_BYTES)
        return;
      end = start + LENGTH_BYTES + length;
      if (splices->units == UNITS_WITH_INDEXES)
        move_indexes (splices, at, start, end);
      length = moved (splices, end) - moved (splices, start) - LENGTH_BYTES;
      memcpy (at, &length, sizeof length);
    }
}

/* Relocations count from symbols, which move as well. */
static void
move_references (struct object *object, const struct splices *splices)
{
  for (size_t i = 1; i < object->section_count; i++)
    for (size_t j = 0; j < object->sections[i]->rela_count; j++)
      {
        Elf64_Rela *rela = &object->sections[i]->rela[j];
        const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
        uint64_t value = symbol->elf.st_value;
        if (is_defined (symbol) && symbol->section == splices->section)
          rela->r_addend = moved (splices, value + rela->r_addend) - moved (splices, value);
      }
  for (size_t i = 1; i < object->symbol_count; i++)
    if (is_defined (&object->symbols[i]) && object->symbols[i].section == splices->section)
      object->symbols[i].elf.st_value = moved (splices, object->symbols[i].elf.st_value);
}

void
apply_splices (struct object *object, struct splices *splices)
{
  if (splices->count)
    {
      uint64_t size = object->sections[splices->section]->header.sh_size;
      uint64_t *lengths = xcalloc (splices->count, sizeof *lengths);
      measure (splices, lengths);
      merge (object, splices, lengths);
      free (lengths);
      if (splices->units != UNITS_NONE)
        move_units (object, splices, size);
      move_references (object, splices);
    }
  free (splices->list);
  free (splices->text.data);
  free (splices->text.rela);
}
