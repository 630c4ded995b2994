/* The linker treats private sections as before. Table upc_private tells the runtime where they
   are, so that it can make the copies of other threads. Other libraries do not see their
   symbols. */

#include "privatize/data/data.h"
#include "privatize/data/names.h"

#include <stdlib.h>
#include <string.h>

/* An entry of upc_private. START is relocated. */
struct entry
{
  uint64_t start, bytes;
  uint32_t is_zero, alignment;
};

static void
add_entry (struct object *object, uint32_t table, uint32_t section)
{
  const Elf64_Shdr *header = &object->sections[section]->header;
  struct entry entry = { .bytes = header->sh_size,
                         .is_zero = header->sh_type == SHT_NOBITS,
                         .alignment = header->sh_addralign };
  uint64_t at = append_bytes (object->sections[table], &entry, sizeof entry);

  append_rela (object, table,
               (Elf64_Rela){ .r_offset = at + offsetof (struct entry, start),
                             .r_info = ELF64_R_INFO ((uint64_t) section_symbol (object, section),
                                                     TARGET_RELOC_POINTER) });
}

/* The linker may not merge what is to be found where it is. */
static void
keep_whole (struct section *section)
{
  if (section->header.sh_flags & SHF_MERGE)
    section->header.sh_entsize = 0;
  section->header.sh_flags &= ~(Elf64_Xword) (SHF_MERGE | SHF_STRINGS);
}

static void
list_sections (struct object *object)
{
  uint32_t shared = 0;

  for (size_t i = 1, n = object->section_count; i < n; i++)
    {
      struct section *section = object->sections[i];
      bool leaves = leaves_with_group (section);
      uint32_t table = leaves ? 0 : shared;
      if (section->kind != KIND_PRIVATE || !section->header.sh_size)
        continue;
      keep_whole (section);
      if (!table)
        table = add_table (object, "upc_private", SHF_ALLOC | SHF_WRITE, sizeof (uint64_t), i);
      if (!leaves)
        shared = table;
      add_entry (object, table, i);
    }
}

/* A shared library that is opened later would take the symbol for that of a variable of the
   process. And if this object is the whole program, nothing that is linked with it can mean
   this variable: a library means its own of that name, or libc's.
   Members of groups keep their binding, as the group of another object may be linked. */
static void
hide (const struct object *object, struct symbol *symbol)
{
  unsigned visibility = ELF64_ST_VISIBILITY (symbol->elf.st_other), binding;
  const struct section *section;

  if (!is_global (symbol) || !is_defined (symbol))
    return;
  section = object->sections[symbol->section];
  binding = object->is_separate || (leaves_with_group (section) && !section->is_alone)
                ? ELF64_ST_BIND (symbol->elf.st_info)
                : STB_LOCAL;
  symbol->elf.st_info = ELF64_ST_INFO (binding, ELF64_ST_TYPE (symbol->elf.st_info));
  if (visibility != STV_INTERNAL)
    symbol->elf.st_other = (symbol->elf.st_other & ~3) | STV_HIDDEN;
}

void
list_private (struct object *object)
{
  list_sections (object);
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      if (symbol->is_private && ELF64_ST_TYPE (symbol->elf.st_info) != STT_SECTION)
        hide (object, symbol);
    }
}
