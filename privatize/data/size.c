/* The limit of private data: code reaches 2 GiB, some of which it needs for other data. */

#include "privatize/data/data.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_BYTES ((2ull << 30) - (16ull << 20))

struct large
{
  uint64_t bytes;
  const char *name;
};

static int
compare_sizes (const void *a, const void *b)
{
  const struct large *x = a, *y = b;

  return x->bytes < y->bytes ? 1 : -(x->bytes > y->bytes);
}

/* Lists the largest symbols, one per line. */
static _Noreturn void
refuse_size (const struct object *objects, size_t count, uint64_t total)
{
  enum
  {
    SHOWN = 10,
    LINE_BYTES = 160
  };
  struct large *largest = NULL;
  char text[SHOWN * LINE_BYTES] = "";
  size_t found = 0, capacity = 0, length = 0;

  for (size_t o = 0; o < count; o++)
    for (size_t i = 1; i < objects[o].symbol_count; i++)
      {
        const struct symbol *symbol = &objects[o].symbols[i];
        if (!symbol->is_private || !is_defined (symbol) || !symbol->elf.st_size)
          continue;
        largest = grow_array (largest, found + 1, &capacity, sizeof *largest);
        largest[found++] = (struct large){ symbol->elf.st_size, symbol_name (&objects[o], symbol) };
      }
  if (found)
    qsort (largest, found, sizeof *largest, compare_sizes);
  for (size_t i = 0; i < found && i < SHOWN; i++)
    length += snprintf (text + length, sizeof text - length, "\n%14llu %.100s",
                        (unsigned long long) largest[i].bytes, largest[i].name);
  fail_file (objects->path,
             "%llu bytes of private data exceed the limit of %llu bytes per thread%s%s",
             (unsigned long long) total, MOST_BYTES, found ? "; the largest symbols:" : "", text);
}

/* Code of the larger models reaches farther. */
static bool
is_limited (const struct section *section)
{
  return section->kind == KIND_PRIVATE && !(section->header.sh_flags & TARGET_LARGE_SECTION);
}

void
check_size (const struct object *objects, size_t count)
{
  uint64_t total = 0;

  for (size_t o = 0; o < count; o++)
    for (size_t i = 1; i < objects[o].section_count; i++)
      if (is_limited (objects[o].sections[i])
          && __builtin_add_overflow (total, objects[o].sections[i]->header.sh_size, &total))
        total = UINT64_MAX;
  if (total > MOST_BYTES)
    refuse_size (objects, count, total);
}
