/* Private sections become sections of thread-local storage, and their symbols
   thread-local ones. */

#include "privatize/data/bss.h"
#include "privatize/data/data.h"
#include "privatize/data/names.h"

#include <stdlib.h>
#include <string.h>

enum
{
  PAGE_BYTES = 4096,
  MOST_FILLED_BYTES = 16 << 20
};

/* .data.x is to be .tdata.x, .bss.x .tbss.x, and NAME .tdata.NAME or .tbss.NAME. */
static const char *
thread_local_name (const struct section *section)
{
  const char *prefix = section->header.sh_type == SHT_NOBITS ? ".tbss" : ".tdata";
  const char *name = section->name;

  if (starts_with (name, ".data") && (name[5] == 0 || name[5] == '.'))
    return arena_format ("%s%s", prefix, name + 5);
  if (starts_with (name, ".bss") && (name[4] == 0 || name[4] == '.'))
    return arena_format ("%s%s", prefix, name + 4);
  if (name[0] == '.')
    return arena_format ("%s%s", prefix, name);
  prefix = section->header.sh_type == SHT_NOBITS ? ".tbss." : ".tdata.";
  return arena_format ("%s%s", prefix, name);
}

/* GNU ld makes programs that do not start of a .tbss aligned to more than a page. */
static void
fill_aligned_zeros (struct section *section)
{
  uint64_t size = section->header.sh_size;

  if (section->header.sh_type != SHT_NOBITS || section->header.sh_addralign <= PAGE_BYTES
      || size > MOST_FILLED_BYTES)
    return;
  section->header.sh_type = SHT_PROGBITS;
  section->header.sh_size = 0;
  append_bytes (section, NULL, size);
}

static void
move_sections (struct object *object)
{
  for (size_t i = 1; i < object->section_count; i++)
    {
      struct section *section = object->sections[i];
      if (section->kind != KIND_PRIVATE)
        continue;
      fill_aligned_zeros (section);
      section->new_name = thread_local_name (section);
      if (section->header.sh_type != SHT_NOBITS)
        section->header.sh_type = SHT_PROGBITS;
      section->header.sh_flags = SHF_ALLOC | SHF_WRITE | SHF_TLS
                                 | (section->header.sh_flags & (SHF_GROUP | SHF_GNU_RETAIN));
      section->header.sh_link = 0;
      section->header.sh_entsize = 0;
    }
}

/* The thread-local symbol at the start of a section. */
static uint32_t
start_symbol (struct object *object, uint32_t section, uint32_t *starts)
{
  if (!starts[section])
    {
      Elf64_Sym elf = { .st_info = ELF64_ST_INFO (STB_LOCAL, STT_TLS) };
      starts[section] = add_symbol (object, elf, section);
      object->symbols[starts[section]].new_name = object->sections[section]->name;
    }
  return starts[section];
}

/* A section's own symbol is never STT_TLS, and LLVM's linker wants one that is. */
static void
replace_section_symbols (struct object *object)
{
  uint32_t *starts = xcalloc (object->section_count, sizeof *starts);

  for (size_t i = 1; i < object->section_count; i++)
    for (size_t j = 0; j < object->sections[i]->rela_count; j++)
      {
        Elf64_Rela *rela = &object->sections[i]->rela[j];
        const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
        if (type_of (rela)->kind == RELOC_TLS_OFFSET && is_defined (symbol)
            && ELF64_ST_TYPE (symbol->elf.st_info) == STT_SECTION)
          {
            uint64_t start = start_symbol (object, symbol->section, starts);
            rela->r_info = ELF64_R_INFO (start, ELF64_R_TYPE (rela->r_info));
          }
      }
  free (starts);
}

/* A shared library that is opened later would take the symbol for that of an ordinary
   variable, and read garbage. And if this object is the whole program, nothing that is
   linked with it can mean this variable: a library means its own of that name, or libc's.
   Members of groups keep their binding, as the group of another object may be linked. */
static void
hide (const struct object *object, struct symbol *symbol)
{
  unsigned visibility = ELF64_ST_VISIBILITY (symbol->elf.st_other), binding;

  if (!is_global (symbol) || !is_defined (symbol))
    return;
  binding = object->is_separate || (object->sections[symbol->section]->header.sh_flags & SHF_GROUP)
                ? ELF64_ST_BIND (symbol->elf.st_info)
                : STB_LOCAL;
  symbol->elf.st_info = ELF64_ST_INFO (binding, ELF64_ST_TYPE (symbol->elf.st_info));
  if (visibility != STV_INTERNAL)
    symbol->elf.st_other = (symbol->elf.st_other & ~3) | STV_HIDDEN;
}

/* Moves the private sections to thread-local storage, with their symbols. */
void
make_thread_local (struct object *object)
{
  move_to_bss (object);
  move_sections (object);
  replace_section_symbols (object);
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      if (!symbol->is_private || ELF64_ST_TYPE (symbol->elf.st_info) == STT_SECTION)
        continue;
      symbol->elf.st_info = ELF64_ST_INFO (ELF64_ST_BIND (symbol->elf.st_info), STT_TLS);
      hide (object, symbol);
    }
}
