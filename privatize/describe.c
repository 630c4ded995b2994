/* What a relocation refers to, as its programmer calls it. */

#include "privatize/object.h"

#include <stdio.h>

const char *
relocation_name (uint32_t type)
{
  static const char *const names[] = {
    "NONE", "64", "PC32", "GOT32", "PLT32", "COPY", "GLOB_DAT", "JUMP_SLOT", "RELATIVE",
    "GOTPCREL", "32", "32S", "16", "PC16", "8", "PC8", "DTPMOD64", "DTPOFF64", "TPOFF64",
    "TLSGD", "TLSLD", "DTPOFF32", "GOTTPOFF", "TPOFF32", "PC64", "GOTOFF64", "GOTPC32",
    "GOT64", "GOTPCREL64", "GOTPC64", "GOTPLT64", "PLTOFF64", "SIZE32", "SIZE64",
    "GOTPC32_TLSDESC", "TLSDESC_CALL", "TLSDESC", "IRELATIVE", "RELATIVE64", "39", "40",
    "GOTPCRELX", "REX_GOTPCRELX"
  };
  static char other[sizeof "R_X86_64_" + 20];

  if (type < sizeof names / sizeof *names)
    snprintf (other, sizeof other, "R_X86_64_%s", names[type]);
  else
    snprintf (other, sizeof other, "R_X86_64_%u", type);
  return other;
}

/* The last named symbol of SECTION at or before OFFSET. Looked for only to say
   it, so a search through all of them is quick enough. */
static const struct symbol *
symbol_at (const struct object *object, uint32_t section, uint64_t offset)
{
  const struct symbol *best = NULL;

  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      if (is_defined (symbol) && symbol->section == section && symbol->elf.st_name
          && symbol->elf.st_value <= offset
          && (!best || best->elf.st_value <= symbol->elf.st_value))
        best = symbol;
    }
  return best;
}

/* The object at RELA's symbol plus ADDEND: a name, a name and an offset, or a
   section and an offset. The text is good until the next call. */
const char *
describe_target (const struct object *object, const Elf64_Rela *rela, int64_t addend)
{
  static char text[512];
  const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
  uint64_t offset = symbol->elf.st_value + addend;

  if (ELF64_ST_TYPE (symbol->elf.st_info) == STT_SECTION)
    {
      const struct symbol *named = symbol_at (object, symbol->section, offset);
      if (named)
        {
          symbol = named;
          addend = offset - named->elf.st_value;
        }
    }
  if (addend)
    snprintf (text, sizeof text, "%s%+lld", symbol_name (object, symbol), (long long) addend);
  else
    snprintf (text, sizeof text, "%s", symbol_name (object, symbol));
  return text;
}
