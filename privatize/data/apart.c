/* Names that a program and the runtime use for different things. A program may define any name,
   such as `read`, while the runtime means libc's. */

#include "privatize/data/data.h"
#include "privatize/data/names.h"

#include <string.h>

/* The addresses of shared data are offsets, which nobody outside knows what to do with. */
static bool
is_shared_data (const struct object *object, const struct symbol *symbol)
{
  return is_defined (symbol) && object->sections[symbol->section]->kind == KIND_SHARED
         && !starts_with (symbol_name (object, symbol), "__upc_");
}

/* A program may replace malloc and its kind for everybody, as in C: what libc allocates, such as
   a result of strdup, goes to the program's free. */
bool
replaces_allocator (const struct object *object, const struct symbol *symbol)
{
  return is_defined (symbol) && object->sections[symbol->section]->kind == KIND_TEXT
         && is_allocator (symbol_name (object, symbol));
}

/* Where OBJECT is the whole program, nobody else sees the definition. Otherwise it gets another
   name in all objects, but not an archive's: another member's `read` may be libc's. */
void
keep_apart (struct object *object, struct symbol *symbol, bool is_renamed)
{
  const char *name = symbol_name (object, symbol);
  bool is_wanted = !object->is_runtime && is_global (symbol) && is_runtime_name (name)
                   && !replaces_allocator (object, symbol);
  bool is_shared = is_shared_data (object, symbol);

  if (is_undefined (symbol) && starts_with (name, LIBC_PREFIX))
    symbol->new_name = name + strlen (LIBC_PREFIX);
  else if (is_wanted && is_renamed)
    symbol->new_name = arena_format ("%s.upc_program", name);
  if (is_shared)
    symbol->elf.st_other = (symbol->elf.st_other & ~3) | STV_HIDDEN;
  if (!object->is_separate && !is_undefined (symbol) && (is_wanted || is_shared))
    symbol->elf.st_info = ELF64_ST_INFO (STB_LOCAL, ELF64_ST_TYPE (symbol->elf.st_info));
}
