/* A workaround for linkers for aarch64. They have one GOT entry for each local symbol, and ignore
   the addend of the relocation. Assemblers still write the section's symbol for a local one, and
   'ld -r' adds the place of the section in the merged one. */

#include "privatize/data/data.h"

#include <stdlib.h>

/* A symbol for each place, by its number in TABLE. */
struct places
{
  struct hash_table *table;
  uint32_t *symbols;
  size_t capacity;
};

static uint32_t
symbol_at (struct object *object, struct places *places, uint32_t section, uint64_t offset)
{
  uint64_t key[] = { section, offset };
  uint32_t count = hash_count (places->table), number = hash_add (places->table, key, sizeof key);
  Elf64_Sym elf = { .st_info = ELF64_ST_INFO (STB_LOCAL, STT_NOTYPE), .st_value = offset };
  struct symbol *symbol;

  if (number < count)
    return places->symbols[number];
  places->symbols = grow_array (places->symbols, number + 1, &places->capacity,
                                sizeof *places->symbols);
  places->symbols[number] = add_symbol (object, elf, section);
  symbol = &object->symbols[places->symbols[number]];
  symbol->new_name = ".Lupc_got";
  symbol->is_private = object->sections[section]->kind == KIND_PRIVATE;
  return places->symbols[number];
}

static bool
is_overlooked (const struct object *object, const Elf64_Rela *rela)
{
  const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
  enum reloc_kind kind = type_of (rela)->kind;

  return rela->r_addend && ELF64_ST_TYPE (symbol->elf.st_info) == STT_SECTION && is_defined (symbol)
         && (kind == RELOC_GOT_ENTRY || kind == RELOC_GOT_PAGE || kind == RELOC_GOT_ENTRY_OFFSET);
}

void
name_got_places (struct object *object)
{
  struct places places = { .table = hash_new () };

  for (size_t i = 1; TARGET_GOT_IGNORES_ADDENDS && i < object->input_section_count; i++)
    for (size_t n = 0; n < object->sections[i]->rela_count; n++)
      {
        Elf64_Rela *rela = &object->sections[i]->rela[n];
        if (is_overlooked (object, rela))
          {
            uint32_t section = object->symbols[ELF64_R_SYM (rela->r_info)].section;
            uint32_t symbol = symbol_at (object, &places, section, (uint64_t) rela->r_addend);
            rela->r_info = ELF64_R_INFO ((uint64_t) symbol, ELF64_R_TYPE (rela->r_info));
            rela->r_addend = 0;
          }
      }
  free (places.symbols);
  hash_free (places.table);
}
