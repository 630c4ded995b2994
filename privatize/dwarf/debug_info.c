/* Locations of variables. The location of a private variable becomes that of the selected
   thread's copy, in the same number of bytes. The location of a shared variable becomes its
   address in the shared memory of thread 0: that of a scalar, or of the first block of an array. */

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/dwarf.h"
#include "privatize/dwarf/locations.h"
#include <upct/segment.h>

#include <string.h>

/* Sections with DWARF expressions in them. */
static bool
has_expressions (const char *name)
{
  return strcmp (name, ".debug_info") == 0 || strcmp (name, ".debug_types") == 0
         || strcmp (name, ".debug_loc") == 0 || strcmp (name, ".debug_loclists") == 0;
}

static void
make_private_location (struct section *section, Elf64_Rela *rela)
{
  memcpy (section->data + rela->r_offset - 1, private_location, PRIVATE_LOCATION_BYTES);
  rela->r_info = ELF64_R_INFO (ELF64_R_SYM (rela->r_info), TARGET_RELOC_ABSOLUTE32);
}

static bool
is_in_shared_section (const struct object *object, const Elf64_Rela *rela)
{
  const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];

  return is_defined (symbol) && object->sections[symbol->section]->kind == KIND_SHARED;
}

static bool
names (const struct object *object, const char *name)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    if (strcmp (symbol_name (object, &object->symbols[i]), name) == 0)
      return true;
  return false;
}

/* Where the program has its segment. What a sanitizer instruments starts with a call of this function. */
static uint64_t
segment_base (const struct object *object)
{
  if (names (object, "__asan_init"))
    return TARGET_ASAN_BASE;
  return names (object, "__tsan_init") ? TARGET_TSAN_BASE : __UPC_PLAIN_BASE;
}

/* Offsets in the segment, which begins at BASE, are those in the section, which starts with __upc_shared_start. A number
   that is known needs no relocation; linkers for ARM take none without a symbol. */
static void
make_segment_address (const struct object *object, struct section *section, Elf64_Rela *rela,
                      uint64_t base)
{
  uint64_t start = object->symbols[ELF64_R_SYM (rela->r_info)].elf.st_value;
  uint64_t address = moved_addend (rela->r_addend, base + start);

  memcpy (section->data + rela->r_offset, &address, sizeof address);
  rela->r_info = ELF64_R_INFO (0, TARGET_RELOC_NONE);
}

static void
rewrite_section (struct object *object, struct section *section, uint64_t base)
{
  bool expressions = has_expressions (section->name);

  for (size_t i = 0; i < section->rela_count; i++)
    {
      Elf64_Rela *rela = &section->rela[i];
      if (is_pointer (rela) && is_in_shared_section (object, rela))
        make_segment_address (object, section, rela, base);
      if (expressions && wants_private_address (object, rela) && is_pointer (rela)
          && fits_private_location (rela) && rela->r_offset > 0
          && section->data[rela->r_offset - 1] == DW_OP_addr)
        make_private_location (section, rela);
    }
}

void
rewrite_debug_info (struct object *object)
{
  uint64_t base = segment_base (object);

  rewrite_private_variables (object);
  for (size_t i = 1; i < object->section_count; i++)
    if (object->sections[i]->kind == KIND_OTHER && object->sections[i]->data)
      rewrite_section (object, object->sections[i], base);
}
