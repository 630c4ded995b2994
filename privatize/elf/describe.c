/* Names of relocations and symbols, for messages. */

#include "privatize/elf/elf.h"

#include <stdio.h>

const char *
relocation_name (const Elf64_Rela *rela)
{
  static char number[sizeof "relocation type " + 20];

  if (type_of (rela)->name)
    return type_of (rela)->name;
  snprintf (number, sizeof number, "relocation type %u", (unsigned) ELF64_R_TYPE (rela->r_info));
  return number;
}

/* Do people know it by its name? */
static bool
is_named (const struct object *object, const struct symbol *symbol)
{
  const char *name = symbol_name (object, symbol);

  return symbol->elf.st_name && !is_mark (name, TARGET_DATA_MARK)
         && !is_mark (name, TARGET_CODE_MARK);
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
      if (is_defined (symbol) && symbol->section == section && is_named (object, symbol)
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

void
print_private_symbols (const struct object *object, FILE *to)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      if (!symbol->is_private || ELF64_ST_TYPE (symbol->elf.st_info) == STT_SECTION
          || is_mark (symbol_name (object, symbol), TARGET_DATA_MARK))
        continue;
      fprintf (to, "%s:", object->path);
      if (is_defined (symbol))
        fprintf (to, "%s+0x%llx", object->sections[symbol->section]->name,
                 (unsigned long long) symbol->elf.st_value);
      else
        fputs ("undefined", to);
      fprintf (to, ": private '%s' %llu bytes\n", symbol_name (object, symbol),
               (unsigned long long) symbol->elf.st_size);
    }
}
