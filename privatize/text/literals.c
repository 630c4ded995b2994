/* Words that hold addresses, and the instructions that load them. A word that no instruction
   refers to is read in another way, and cannot be private. */

#include "privatize/text/literals.h"

static int
compare_literals (const void *a, const void *b)
{
  const struct literal *x = a, *y = b;

  if (x->section != y->section)
    return x->section < y->section ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static struct literal *
literal_at (const struct literals *literals, uint32_t section, uint64_t offset)
{
  struct literal wanted = { .section = section, .offset = offset };
  size_t n = count_before (&wanted, literals->list, literals->count, sizeof wanted,
                           compare_literals);

  return n < literals->count && compare_literals (&literals->list[n], &wanted) == 0
             ? &literals->list[n]
             : NULL;
}

bool
is_read_literal (const struct literals *literals, uint32_t text, uint64_t offset)
{
  const struct literal *literal = literal_at (literals, text, offset);

  return literal && literal->is_read;
}

/* Without a relocation the assembler knew how far the literal is. */
struct literal *
literal_of (const struct object *object, const struct literals *literals, uint32_t text,
            uint64_t offset, const struct site *site)
{
  const struct symbol *symbol;

  if (!literals->count || site->disp_private)
    return NULL;
  if (!site->disp)
    return site->insn.is_literal
               ? literal_at (literals, text, offset + (uint64_t) site->insn.target)
               : NULL;
  if (type_of (site->disp)->kind != RELOC_LOW_BITS && !site->insn.is_literal)
    return NULL;
  symbol = &object->symbols[ELF64_R_SYM (site->disp->r_info)];
  return is_defined (symbol) ? literal_at (literals, symbol->section,
                                           symbol->elf.st_value + (uint64_t) site->disp->r_addend)
                             : NULL;
}

static void
add_literals (const struct object *object, uint32_t text, struct literals *literals)
{
  struct section *section = object->sections[text];

  sort_relas (section);
  for (size_t i = 0; i < section->rela_count; i++)
    {
      const Elf64_Rela *rela = &section->rela[i];
      if (!is_pointer (rela) || !wants_private_address (object, rela))
        continue;
      literals->list = grow_array (literals->list, literals->count + 1, &literals->capacity,
                                   sizeof *literals->list);
      literals->list[literals->count++]
          = (struct literal){ .section = text, .offset = rela->r_offset, .rela = *rela };
    }
}

/* What the instructions from START to END of section TEXT refer to. */
static void
note_loads (const struct object *object, uint32_t text, uint64_t start, uint64_t end,
            const struct literals *literals)
{
  const struct section *section = object->sections[text];
  struct site site = { 0 };

  for (uint64_t at = start; at < end; at += site.insn.outline.length)
    {
      struct literal *literal;
      size_t i = find_relocation (section, at);
      if (!decode_insn (section->data + at, end - at, &site.insn))
        return;
      site.disp = i < section->rela_count && section->rela[i].r_offset == at ? &section->rela[i]
                                                                             : NULL;
      literal = literal_of (object, literals, text, at, &site);
      if (literal)
        literal->is_read = true;
    }
}

struct literals
collect_literals (const struct object *object, const struct code_starts *starts)
{
  struct literals literals = { 0 };

  for (size_t i = 1; TARGET_HAS_LITERALS && i < object->input_section_count; i++)
    if (object->sections[i]->kind == KIND_TEXT)
      add_literals (object, i, &literals);
  for (size_t i = 0; literals.count && i < starts->count; i++)
    {
      const struct code_start *start = &starts->list[i];
      bool is_last = i + 1 == starts->count || starts->list[i + 1].section != start->section;
      if (!start->is_data)
        note_loads (object, start->section, start->offset,
                    is_last ? object->sections[start->section]->header.sh_size
                            : starts->list[i + 1].offset,
                    &literals);
    }
  return literals;
}
