/* Pointers in data. The address of something private is right in the program's own data, which
   is thread 0's. In the copy of another thread, the runtime adds the distance of the copy: to
   the words in table upc_fixups, and to those of thread-local variables in upc_tls_fixups. */

#include "privatize/data/data.h"
#include "privatize/data/names.h"

#include <string.h>

/* The tables that get entries; 0 before there is one. */
struct tables
{
  uint32_t fixups, tls_fixups;
};

static const Elf64_Sym tls_start = { .st_info = ELF64_ST_INFO (STB_LOCAL, STT_TLS) };

/* The one that an earlier run of this tool has added, or 0. */
static uint32_t
find_tls_symbol (const struct object *object, uint32_t section)
{
  const char *name = object->sections[section]->name;

  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      if (symbol->elf.st_info == tls_start.st_info && symbol->section == section
          && !symbol->is_special && symbol->elf.st_value == 0
          && strcmp (symbol_name (object, symbol), name) == 0)
        return i;
    }
  return 0;
}

/* The section's own symbol is not thread-local, and LLVM's linker wants one that is. */
uint32_t
tls_symbol (struct object *object, uint32_t section)
{
  struct section *s = object->sections[section];

  if (!s->tls_symbol)
    s->tls_symbol = find_tls_symbol (object, section);
  if (!s->tls_symbol)
    {
      s->tls_symbol = add_symbol (object, tls_start, section);
      object->symbols[s->tls_symbol].new_name = s->name;
    }
  return s->tls_symbol;
}

static uint32_t
type_of_fixup (const struct object *object, bool is_tls)
{
  if (!is_tls)
    return TARGET_RELOC_PC32;
  return object->is_shared ? TARGET_RELOC_TLS_SHARED : TARGET_RELOC_TLS;
}

/* An entry says where the word at OFFSET of SECTION is: how far from the entry, or, of a
   thread-local one, from the thread pointer, or from the start of the shared library's. Where
   linkers cannot say that of data, it says how far from the entry its initial value is. */
static void
add_fixup (struct object *object, struct tables *tables, uint32_t section, uint64_t offset)
{
  bool is_tls = object->sections[section]->kind == KIND_TLS;
  uint32_t *table = is_tls ? &tables->tls_fixups : &tables->fixups;
  bool is_offset = is_tls && TARGET_RELOC_TLS != TARGET_RELOC_PC32;
  uint64_t symbol = is_offset ? tls_symbol (object, section) : section_symbol (object, section), at;

  if (!*table)
    *table = add_table (object, is_tls ? "upc_tls_fixups" : "upc_fixups", SHF_ALLOC,
                        sizeof (int32_t), section);
  at = append_bytes (object->sections[*table], NULL, sizeof (int32_t));
  append_rela (object, *table,
               (Elf64_Rela){ .r_offset = at,
                             .r_info = ELF64_R_INFO (symbol, type_of_fixup (object, is_tls)),
                             .r_addend = offset });
}

static void
report_pointer (struct object *object, const struct section *section, const Elf64_Rela *rela,
                const char *reason)
{
  report_error (object, section, rela->r_offset, "cannot make '%s' private: %s (%s)",
                describe_target (object, rela, rela->r_addend), reason, relocation_name (rela));
}

/* The distance between two private things is the same in each copy, that between a private one
   and another is not. */
static void
report_distance (struct object *object, const struct section *section, const Elf64_Rela *rela)
{
  report_error (
      object, section, rela->r_offset,
      "cannot make section private: the offset of '%s' differs from thread to thread "
      "(%s)%s",
      describe_target (object, rela, rela->r_addend), relocation_name (rela),
      section->header.sh_flags & SHF_WRITE ? "" : "; merge objects with 'ld -r --unique=.rodata'");
}

/* A word of a private or thread-local section. */
static void
fix_up (struct object *object, uint32_t index, const Elf64_Rela *rela, struct tables *tables)
{
  const struct section *section = object->sections[index];
  bool is_private = wants_private_address (object, rela);
  bool is_word = is_pointer (rela) || type_of (rela)->kind == RELOC_GOTOFF;

  if (is_relative (rela))
    {
      if (is_private != (section->kind == KIND_PRIVATE))
        report_distance (object, section, rela);
    }
  else if (is_private && !is_word)
    report_pointer (object, section, rela,
                    "data of this form cannot hold the address of a thread's copy");
  else if (is_private)
    add_fixup (object, tables, index, rela->r_offset);
}

/* Data that each thread has its copy of. */
static void
make_section_fixups (struct object *object, uint32_t index, struct tables *shared)
{
  struct section *section = object->sections[index];
  struct tables own = { 0 };
  struct tables *tables = leaves_with_group (section) ? &own : shared;

  for (size_t i = 0; i < section->rela_count; i++)
    fix_up (object, index, &section->rela[i], tables);
}

/* Data that all threads share. Tables of this tool, in an object that it has rewritten before,
   say where private data is. */
static void
check_process (struct object *object, const struct section *section)
{
  if (is_table (section->name))
    return;
  for (size_t i = 0; i < section->rela_count; i++)
    if (wants_private_address (object, &section->rela[i]))
      report_pointer (object, section, &section->rela[i],
                      section->kind == KIND_READONLY
                          ? "data of this form cannot hold the address of a thread's copy"
                          : "this data is shared by all threads");
}

void
make_fixups (struct object *object)
{
  struct tables tables = { 0 };

  for (size_t i = 1, n = object->section_count; i < n; i++)
    switch (object->sections[i]->kind)
      {
      case KIND_PRIVATE:
      case KIND_TLS:
        make_section_fixups (object, i, &tables);
        break;
      case KIND_READONLY:
      case KIND_PROCESS:
      case KIND_INIT_ARRAY:
      case KIND_FINI_ARRAY:
        check_process (object, object->sections[i]);
        break;
      default:
        break;
      }
}
