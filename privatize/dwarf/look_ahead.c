#include "privatize/dwarf/look_ahead.h"

#include "privatize/dwarf/constants.h"

#include <ctype.h>
#include <string.h>

/* The target of a reference within a unit. */
static uint64_t
target_of (const struct attribute *reference)
{
  struct cursor cursor = { reference->value, reference->end, false };

  return read_number (&cursor, reference->end - reference->value);
}

struct hash_table *
collect_specified (struct unit unit)
{
  struct hash_table *offsets = hash_new ();
  struct die die;

  while (read_die (&unit, &die))
    {
      const struct attribute *target = find_attribute (&die, DW_AT_specification, DW_FORM_ref4);
      if (target)
        hash_add (offsets, &(uint64_t){ target_of (target) }, sizeof (uint64_t));
    }
  return offsets;
}

static bool
is_name_of_helper (const char *name)
{
  return name && strncmp (name, "__upc_", strlen ("__upc_")) == 0
         && isdigit ((unsigned char) name[strlen (name) - 1]);
}

struct hash_table *
collect_helpers (struct unit unit, const struct strings *strings)
{
  struct hash_table *offsets = hash_new ();
  size_t depth = 0;
  struct die die;

  while (read_die (&unit, &die))
    {
      if (!die.abbreviation)
        {
          depth--;
          continue;
        }
      /* Those of functions: the unit's own entries are at depth 1. */
      if (die.tag == DW_TAG_variable && depth > 1
          && is_name_of_helper (linkage_name (strings, &die)))
        hash_add (offsets, &(uint64_t){ die.at - unit.start }, sizeof (uint64_t));
      depth += die.abbreviation->has_children;
    }
  return offsets;
}

bool
is_helper (const struct hash_table *helpers, const struct unit *unit, const struct die *die)
{
  const struct attribute *origin = find_attribute (die, DW_AT_abstract_origin, DW_FORM_ref4);
  uint64_t offset = origin ? target_of (origin) : (uint64_t) (die->at - unit->start);

  return hash_find (helpers, &offset, sizeof offset) != HASH_NONE;
}
