/* Constructors and destructors belong to threads: running them in a thread sets up its copy of
   the data. The runtime does that, from two arrays of function pointers. libc runs none of them.

   The arrays are in order. If other objects are rewritten separately, entries with a priority
   cannot be sorted here: they go to separate arrays, with their priorities. */

#include "privatize/data/data.h"

#include <stdlib.h>
#include <string.h>

enum
{
  POINTER_BYTES = 8,
  FIRST = -1,
  MAX_PRIORITY = 65535,
  LAST
};

/* Where a section comes in the order in which a linker would have sorted them. */
struct ranked_section
{
  uint32_t section;
  int priority;
  bool is_reversed; /* .ctors and .dtors are run from their end */
};

/* .preinit_array comes first, .init_array.N by its N, .ctors.N by 65535 - N, those
   without a number last. */
static struct ranked_section
rank_of (const struct object *object, uint32_t index)
{
  const char *name = object->sections[index]->name;
  const char *number = strchr (name + 1, '.');
  struct ranked_section ranked = { .section = index, .priority = LAST };

  ranked.is_reversed = starts_with (name, ".ctors") || starts_with (name, ".dtors");
  if (strcmp (name, ".preinit_array") == 0)
    ranked.priority = FIRST;
  else if (number)
    {
      unsigned long n = strtoul (number + 1, NULL, 10);
      if (n > MAX_PRIORITY)
        n = MAX_PRIORITY;
      ranked.priority = ranked.is_reversed ? MAX_PRIORITY - n : n;
    }
  return ranked;
}

static int
compare_ranks (const void *a, const void *b)
{
  const struct ranked_section *x = a, *y = b;

  if (x->priority != y->priority)
    return x->priority < y->priority ? -1 : 1;
  return x->section < y->section ? -1 : 1;
}

/* A word that ends or starts an old-style array. */
static bool
is_sentinel (const unsigned char *bytes)
{
  int64_t word;

  memcpy (&word, bytes, sizeof word);
  return word == 0 || word == -1;
}

/* Where entries go: the section, or one for each group that the linker may drop. */
struct array
{
  const char *name, *ranked_name;
  uint32_t section;
};

static void
move_entry (struct object *object, const struct section *from, uint64_t offset, uint32_t to,
            const int64_t *priority)
{
  const Elf64_Rela *rela = relocation_at (from, offset);
  Elf64_Rela moved;

  if (!rela)
    {
      if (!is_sentinel (from->data + offset))
        report_error (object, from, offset, "constructor or destructor is not a function");
      return;
    }
  moved = *rela;
  if (!is_pointer (rela))
    report_error (object, from, offset, "constructor or destructor has unexpected relocation %s",
                  relocation_name (rela));
  moved.r_offset = append_bytes (object->sections[to], NULL, POINTER_BYTES);
  append_rela (object, to, moved);
  if (priority)
    append_bytes (object->sections[to], priority, sizeof *priority);
}

/* The section for the entries of the one that is RANKED. */
static uint32_t
find_target (struct object *object, const struct ranked_section *ranked, bool is_ranked,
             struct array *array)
{
  bool leaves = leaves_with_group (object->sections[ranked->section]);
  uint32_t section;

  if (array->section && !is_ranked && !leaves)
    return array->section;
  section = add_table (object, is_ranked ? array->ranked_name : array->name, SHF_ALLOC | SHF_WRITE,
                       POINTER_BYTES, ranked->section);
  if (!is_ranked && !leaves)
    array->section = section;
  return section;
}

static void
move_array (struct object *object, const struct ranked_section *ranked, struct array *array)
{
  struct section *from = object->sections[ranked->section];
  bool is_ranked = object->is_separate && ranked->priority != LAST;
  uint32_t to = find_target (object, ranked, is_ranked, array);
  int64_t priority = ranked->priority;
  size_t count = from->header.sh_size / POINTER_BYTES;

  sort_relas (from);
  if (!from->data || from->header.sh_size % POINTER_BYTES)
    report_error (object, from, 0, "not an array of functions");
  else
    for (size_t i = 0; i < count; i++)
      move_entry (object, from, (ranked->is_reversed ? count - 1 - i : i) * POINTER_BYTES, to,
                  is_ranked ? &priority : NULL);
  from->header.sh_size = 0;
  from->rela_count = 0;
}

static void
collect (struct object *object, enum kind kind, struct array array)
{
  size_t n = object->section_count, count = 0;
  struct ranked_section *sections = xcalloc (n, sizeof *sections);

  for (size_t i = 1; i < n; i++)
    if (object->sections[i]->kind == kind && object->sections[i]->header.sh_size)
      sections[count++] = rank_of (object, i);
  if (count)
    {
      qsort (sections, count, sizeof *sections, compare_ranks);
      for (size_t i = 0; i < count; i++)
        move_array (object, &sections[i], &array);
    }
  free (sections);
}

void
collect_constructors (struct object *object)
{
  collect (object, KIND_INIT_ARRAY, (struct array){ "upc_ctors", "upc_ranked_ctors", 0 });
  collect (object, KIND_FINI_ARRAY, (struct array){ "upc_dtors", "upc_ranked_dtors", 0 });
}
