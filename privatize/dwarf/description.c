#include "privatize/dwarf/describe.h"

#include "privatize/dwarf/constants.h"

#include <string.h>

struct description
open_description (struct object *object)
{
  struct description d = { .object = object, .sections = find_list_sections (object) };

  for (size_t i = 1; i < object->input_section_count && !d.abbreviations; i++)
    if (object->sections[i]->data && strcmp (object->sections[i]->name, ".debug_abbrev") == 0)
      d.abbreviations = i;
  return d;
}

const struct section *
thunks_of (const struct description *d, struct place place, uint32_t *index)
{
  *index = place.section < d->object->input_section_count ? d->thunks[place.section] : 0;
  return *index ? d->object->sections[*index] : NULL;
}

/* A unit of types alone, of version 5, has no code. */
static bool
has_types_only (const struct section *info, const unsigned char *start)
{
  return start + 6 < info->data + info->header.sh_size && start[4] == 5 && start[6] == DW_UT_type;
}

bool
for_each_unit (const struct description *d, void *to,
               void (*visit) (const struct description *d, struct unit *unit, void *to))
{
  struct section *info = d->object->sections[d->sections.info];
  struct cursor cursor = { info->data, info->data + info->header.sh_size, false };
  bool is_good = true;

  while (cursor.at < cursor.end && !cursor.is_bad)
    {
      struct unit unit;
      const unsigned char *start = cursor.at;
      if (read_unit (d->object, info, d->object->sections[d->abbreviations], &cursor, &unit)
          && unit.version >= 4 && unit.offset_bytes == 4)
        visit (d, &unit, to);
      else
        is_good = is_good && has_types_only (info, start);
      free_unit (&unit);
    }
  return is_good && !cursor.is_bad;
}
