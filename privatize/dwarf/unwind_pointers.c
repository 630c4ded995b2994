/* The unwinder finds personality routines and exception types through pointers in
   writable data: unwind tables hold their PC-relative offsets, and the dynamic linker may
   have to relocate them. Some compilers give these pointers sections of their own, others
   put them among the program's variables. They never change, so the unwinder gets copies
   that all threads share. */

#include "privatize/dwarf/dwarf.h"

#include <string.h>

static bool
is_unwind_table (const struct section *section)
{
  return section->kind == KIND_PROCESS
         && (strcmp (section->name, ".eh_frame") == 0
             || starts_with (section->name, ".gcc_except_table"));
}

/* Gives RELA, of an unwind table, a copy of the pointer that it refers to, if it is
   one to something that all threads share. */
static void
copy_pointer (struct object *object, Elf64_Rela *rela, uint32_t *copies)
{
  const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
  const Elf64_Rela *pointer;
  Elf64_Rela copy;

  if (!is_defined (symbol))
    return;
  pointer = relocation_at (object->sections[symbol->section],
                           symbol->elf.st_value + (uint64_t) rela->r_addend);
  if (!pointer || !is_pointer (pointer) || wants_private_address (object, pointer))
    return;
  copy = *pointer;
  if (!*copies)
    {
      *copies = add_section (object, ".data.rel.ro.upc_unwind", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
                             sizeof (uint64_t));
      object->sections[*copies]->kind = KIND_PROCESS;
    }
  copy.r_offset = append_bytes (object->sections[*copies], NULL, sizeof (uint64_t));
  append_rela (object, *copies, copy);
  rela->r_addend = copy.r_offset;
  rela->r_info = ELF64_R_INFO ((uint64_t) section_symbol (object, *copies),
                               ELF64_R_TYPE (rela->r_info));
}

void
copy_unwind_pointers (struct object *object)
{
  uint32_t copies = 0;

  for (size_t i = 1, n = object->section_count; i < n; i++)
    if (object->sections[i]->kind == KIND_PRIVATE)
      sort_relas (object->sections[i]);
  for (size_t i = 1, n = object->section_count; i < n; i++)
    {
      struct section *section = object->sections[i];
      if (!is_unwind_table (section))
        continue;
      for (size_t j = 0; j < section->rela_count; j++)
        if (wants_private_address (object, &section->rela[j]))
          copy_pointer (object, &section->rela[j], &copies);
    }
}
