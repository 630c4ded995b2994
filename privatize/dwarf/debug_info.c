/* Locations of variables: that of a private variable becomes a thread-local one of the same
   length, so that a debugger shows the copy of the
   thread that is selected. That of a shared one becomes its address in the shared memory
   of thread 0, where a scalar is, and the first block of an array. */

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/dwarf.h"
#include "privatize/dwarf/locations.h"
#include <upct/segment.h>

#include <string.h>

enum
{
  ADDRESS_BYTES = 8
};

/* Sections with DWARF expressions in them. */
static bool
has_expressions (const char *name)
{
  return strcmp (name, ".debug_info") == 0 || strcmp (name, ".debug_types") == 0
         || strcmp (name, ".debug_loc") == 0 || strcmp (name, ".debug_loclists") == 0;
}

static void
retarget (Elf64_Rela *rela, uint64_t offset, uint32_t type)
{
  rela->r_offset = offset;
  rela->r_info = ELF64_R_INFO (ELF64_R_SYM (rela->r_info), type);
}

/* DW_OP_addr x: DW_OP_const4u, x's offset in the block, DW_OP_GNU_push_tls_address
   and three times DW_OP_nop. */
static void
make_tls_expression (struct section *section, Elf64_Rela *rela)
{
  unsigned char *operation = section->data + rela->r_offset - 1;

  operation[0] = DW_OP_const4u;
  memset (operation + 1, 0, 4);
  operation[5] = DW_OP_GNU_push_tls_address;
  memset (operation + 6, DW_OP_nop, 3);
  retarget (rela, rela->r_offset, TARGET_RELOC_DTPOFF32);
}

static bool
is_in_shared_section (const struct object *object, const Elf64_Rela *rela)
{
  const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];

  return is_defined (symbol) && object->sections[symbol->section]->kind == KIND_SHARED;
}

/* Offsets in the segment are those in the section, which starts with
   __upc_shared_start. The symbol 0 stands for no symbol. */
static void
make_segment_address (const struct object *object, Elf64_Rela *rela)
{
  rela->r_addend += __UPC_SEGMENT_BASE + object->symbols[ELF64_R_SYM (rela->r_info)].elf.st_value;
  rela->r_info = ELF64_R_INFO (0, TARGET_RELOC_POINTER);
}

/* Anything but a location, such as an address range, is set to zero: a linker
   refuses a plain address of something thread-local. In .debug_addr the offset in
   the block stays, which split DWARF has there for TLS variables. */
static void
rewrite_section (struct object *object, struct section *section)
{
  bool expressions = has_expressions (section->name);

  for (size_t i = 0; i < section->rela_count; i++)
    {
      Elf64_Rela *rela = &section->rela[i];
      if (is_pointer (rela) && is_in_shared_section (object, rela))
        make_segment_address (object, rela);
      if (!wants_private_address (object, rela))
        continue;
      if (expressions && is_pointer (rela) && rela->r_offset > 0
          && section->data[rela->r_offset - 1] == DW_OP_addr)
        make_tls_expression (section, rela);
      else if (is_pointer (rela) && strcmp (section->name, ".debug_addr") == 0)
        retarget (rela, rela->r_offset, TARGET_RELOC_DTPOFF64);
      else
        rela->r_info = TARGET_RELOC_NONE;
    }
  drop_empty_relas (section);
}

void
rewrite_debug_info (struct object *object)
{
  rewrite_indexed_locations (object);
  for (size_t i = 1; i < object->section_count; i++)
    if (object->sections[i]->kind == KIND_OTHER && object->sections[i]->data)
      rewrite_section (object, object->sections[i]);
}
