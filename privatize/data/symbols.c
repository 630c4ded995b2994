/* Symbols that are renamed, private symbols, and tentative definitions. */

#include "privatize/data/data.h"
#include "privatize/data/names.h"

#include <stdlib.h>
#include <string.h>

/* What code reaches. */
#define MAX_PRIVATE_BYTES 0x7fffffffull

/* A reference to one of libc's functions becomes one to the runtime's. A weak one finds
   libc's in any program, so it must find this one, which is in an archive. */
static void
refer_to_runtime (struct symbol *symbol, const char *name)
{
  if (runtime_name (name))
    symbol->new_name = runtime_name (name);
  if (is_libc_name (name))
    symbol->elf.st_info = ELF64_ST_INFO (STB_GLOBAL, ELF64_ST_TYPE (symbol->elf.st_info));
}

/* Objects compiled for threads have thread-local variables of the runtime. */
static void
rename_reference (const struct object *object, struct symbol *symbol, const char *name)
{
  if (ELF64_ST_TYPE (symbol->elf.st_info) == STT_TLS && is_runtime_variable (name))
    symbol->new_name = arena_format ("upcr_tls_%s", name);
  else if (!object->is_runtime)
    refer_to_runtime (symbol, starts_with (name, LIBC_PREFIX) ? name + strlen (LIBC_PREFIX) : name);
}

/* The program's main becomes the runtime's upc_main, and undefined functions of
   libc that keep something for a process those of the runtime. */
void
rename_symbols (struct object *object)
{
  struct symbol *plain = NULL, *upc = NULL;

  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      const char *name = symbol_name (object, symbol);
      if (is_global (symbol) && is_defined (symbol) && strcmp (name, "main") == 0)
        plain = symbol;
      else if (is_global (symbol) && is_defined (symbol) && strcmp (name, "upc_main") == 0)
        upc = symbol;
      else if (is_global (symbol) && is_undefined (symbol))
        rename_reference (object, symbol, name);
    }
  if (plain && upc)
    report_error (object, object->sections[plain->section], plain->elf.st_value,
                  "both 'main' and 'upc_main' are defined");
  else if (plain)
    plain->new_name = "upc_main";
}

/* A section for tentative definition SYMBOL alone, weak and in a group: another member
   of the archive may have one, and any number of them be linked. */
static uint32_t
add_common_group (struct object *object, uint32_t symbol)
{
  uint32_t group = add_section (object, ".group", SHT_GROUP, 0, sizeof (uint32_t)), section;
  struct section *s = object->sections[group];
  const char *name = arena_format (".bss.%s", symbol_name (object, &object->symbols[symbol]));

  section = add_section (object, name, SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_GROUP, 1);
  s->header.sh_link = object->symtab;
  s->header.sh_info = symbol;
  s->header.sh_entsize = sizeof (uint32_t);
  append_bytes (s, &(uint32_t){ GRP_COMDAT }, sizeof (uint32_t));
  append_bytes (s, &section, sizeof section);
  object->symbols[symbol].elf.st_info = ELF64_ST_INFO (
      STB_WEAK, ELF64_ST_TYPE (object->symbols[symbol].elf.st_info));
  return section;
}

/* Defines the tentative definitions that no other one replaced. */
static void
define_commons (struct object *object)
{
  uint32_t shared = 0, section;

  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      Elf64_Shdr *header;
      uint64_t alignment = symbol->elf.st_value ? symbol->elf.st_value : 1;

      if (!is_common (symbol))
        continue;
      if (!object->member && !shared)
        shared = add_section (object, ".bss.COMMON", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 1);
      section = object->member ? add_common_group (object, i) : shared;
      header = &object->sections[section]->header;
      if (alignment & (alignment - 1) || alignment > MAX_PRIVATE_BYTES
          || symbol->elf.st_size > MAX_PRIVATE_BYTES || header->sh_size > MAX_PRIVATE_BYTES)
        fail_file (object->path, "symbol '%s' is too large: %llu bytes, aligned to %llu",
                   symbol_name (object, symbol), (unsigned long long) symbol->elf.st_size,
                   (unsigned long long) alignment);
      object->sections[section]->kind = KIND_PRIVATE;
      if (header->sh_addralign < alignment)
        header->sh_addralign = alignment;
      symbol->section = section;
      symbol->is_special = false;
      symbol->elf.st_value = (header->sh_size + alignment - 1) & -alignment;
      header->sh_size = symbol->elf.st_value + symbol->elf.st_size;
    }
}

/* What is private before any pointer has been followed. */
void
find_private_symbols (struct object *object)
{
  define_commons (object);
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      const char *name = symbol_name (object, symbol);
      if (symbol->is_special || symbol->section != SHN_UNDEF)
        continue;
      if (is_runtime_variable (name))
        symbol->is_private = true;
    }
  mark_private_symbols (object);
}

void
mark_private_symbols (struct object *object)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      if (is_defined (symbol) && object->sections[symbol->section]->kind == KIND_PRIVATE)
        symbol->is_private = true;
    }
}
