/* The unwind map of thunks is in the order of the text, so that a range of it is one of them,
   with padding between the runs. The last byte of padding is one with what follows. To a debugger
   the first byte of a block is where an inlined function is entered; a run goes on in a block
   that has been entered in the text. */

#include "privatize/dwarf/pieces.h"

#include <stdlib.h>

uint32_t *
collect_thunks (const struct object *object)
{
  uint32_t *thunks = xcalloc (object->input_section_count, sizeof *thunks);

  for (size_t i = object->input_section_count; i < object->section_count; i++)
    if (object->sections[i]->is_described && object->sections[i]->unwind_count)
      thunks[object->sections[i]->owner] = i;
  return thunks;
}

static int
compare_sources (const void *a, const void *b)
{
  const struct unwind_entry *x = a, *y = b;

  return x->source < y->source ? -1 : x->source > y->source;
}

size_t
find_thunk (const struct section *code, uint64_t offset)
{
  struct unwind_entry wanted = { .source = offset };

  return count_before (&wanted, code->unwind_map, code->unwind_count, sizeof wanted,
                       compare_sources);
}

/* Where a piece that begins with entry N begins. */
static uint64_t
boundary (const struct section *code, size_t n)
{
  if (n == code->unwind_count)
    return code->header.sh_size;
  return code->unwind_map[n].at - code->unwind_map[n].begins;
}

bool
next_piece (const struct section *code, uint64_t end, size_t *i, struct piece *piece)
{
  const struct unwind_entry *map = code->unwind_map;
  size_t n = *i;

  while (n < code->unwind_count && map[n].source < end && map[n].is_called)
    n++;
  if (n == code->unwind_count || map[n].source >= end)
    return false;
  piece->from = boundary (code, n);
  while (n < code->unwind_count && map[n].source < end && !map[n].is_called)
    n++;
  piece->to = boundary (code, n);
  *i = n;
  return true;
}
