/* Names for thunks in the symbol table. The thunks of function NAME get a local symbol,
   NAME.upc_private, so that backtraces and profiles show to which function they belong. */

#include "privatize/text/text.h"

#include <stdlib.h>

struct function
{
  uint32_t section;
  uint32_t symbol;
  uint64_t start;
};

struct names
{
  struct object *object;
  struct function *functions; /* by section and start */
  size_t function_count;
};

static int
compare_functions (const void *a, const void *b)
{
  const struct function *x = a, *y = b;

  if (x->section != y->section)
    return x->section < y->section ? -1 : 1;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

static void
collect_functions (struct names *n)
{
  n->functions = xcalloc (n->object->symbol_count, sizeof *n->functions);
  for (size_t i = 1; i < n->object->symbol_count; i++)
    {
      const struct symbol *symbol = &n->object->symbols[i];
      unsigned type = ELF64_ST_TYPE (symbol->elf.st_info);
      if (is_defined (symbol) && (type == STT_FUNC || type == STT_GNU_IFUNC)
          && n->object->sections[symbol->section]->kind == KIND_TEXT)
        n->functions[n->function_count++] = (struct function){ .section = symbol->section,
                                                               .symbol = i,
                                                               .start = symbol->elf.st_value };
    }
  if (n->function_count)
    qsort (n->functions, n->function_count, sizeof *n->functions, compare_functions);
}

/* The last function that begins at or before OFFSET, or NULL. */
static const struct function *
find_function (const struct names *n, uint32_t text, uint64_t offset)
{
  struct function after = { .section = text, .start = offset + 1 };
  size_t count = count_before (&after, n->functions, n->function_count, sizeof after,
                               compare_functions);

  return count && n->functions[count - 1].section == text ? &n->functions[count - 1] : NULL;
}

static void
add_name (struct object *object, uint32_t thunks, uint64_t start, uint64_t end,
          const struct symbol *function)
{
  const char *name = arena_format ("%s.upc_private", symbol_name (object, function));
  Elf64_Sym elf = { .st_info = ELF64_ST_INFO (STB_LOCAL, STT_FUNC),
                    .st_value = start,
                    .st_size = end - start };
  uint32_t symbol = add_symbol (object, elf, thunks);

  object->symbols[symbol].new_name = name;
}

static void
add_names (struct names *n, uint32_t thunks)
{
  struct object *object = n->object;
  const struct section *code = object->sections[thunks];
  size_t last;

  for (size_t first = 0; first < code->unwind_count; first = last)
    {
      const struct function *function = find_function (n, code->owner,
                                                       code->unwind_map[first].source);
      for (last = first + 1; last < code->unwind_count; last++)
        if (!code->unwind_map[last].is_return
            && find_function (n, code->owner, code->unwind_map[last].source) != function)
          break;
      if (function)
        add_name (object, thunks, code->unwind_map[first].at,
                  last < code->unwind_count ? code->unwind_map[last].at : code->header.sh_size,
                  &object->symbols[function->symbol]);
    }
}

void
name_thunks (struct object *object)
{
  struct names names = { .object = object };

  collect_functions (&names);
  for (size_t i = object->input_section_count; i < object->section_count; i++)
    if (object->sections[i]->unwind_count)
      add_names (&names, i);
  free (names.functions);
}
