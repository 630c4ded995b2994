/* The unit: its tokens, files and pragmas. */

#include "tools/upc2c/lex/internal.h"

#include <string.h>

struct unit unit;
struct source_position scanned;

static size_t file_capacity;

uint32_t
enter_file (const char *name, size_t length, bool is_system)
{
  for (uint32_t i = unit.file_count; i-- > 0;)
    if (unit.files[i].is_system == is_system && strlen (unit.files[i].name) == length
        && memcmp (unit.files[i].name, name, length) == 0)
      return i;
  unit.files = grow_array (unit.files, unit.file_count + 1, &file_capacity, sizeof *unit.files);
  unit.files[unit.file_count].name = intern (name, length)->text;
  unit.files[unit.file_count].is_system = is_system;
  return unit.file_count++;
}
