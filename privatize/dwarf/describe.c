/* Describes thunks to debuggers as parts of their functions. Whatever describes a range of the
   text is extended to the thunks that do the work of that range: rows of the line table, the
   ranges of functions, blocks and inlined calls, the locations of variables. Names, types and
   everything else in .debug_info stay as they are. */

#include "privatize/dwarf/describe.h"

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/dwarf.h"

#include <stdlib.h>
#include <string.h>

static bool
is_debug_section (const struct section *section)
{
  return section->kind == KIND_OTHER && strncmp (section->name, ".debug_", 7) == 0;
}

/* Whether there is one section of entries and one of lines, and nothing is compressed. */
static bool
has_plain_sections (const struct object *object)
{
  size_t infos = 0, lines = 0;

  for (size_t i = 1; i < object->input_section_count; i++)
    {
      const struct section *section = object->sections[i];
      if (is_debug_section (section) && section->header.sh_flags & SHF_COMPRESSED)
        return false;
      infos += is_debug_section (section) && strcmp (section->name, ".debug_info") == 0;
      lines += is_debug_section (section) && strcmp (section->name, ".debug_line") == 0;
    }
  return infos == 1 && lines == 1;
}

/* Whether the range of DIE, if it has one, can become a list. */
static bool
has_known_range (const struct description *d, const struct bases *bases, const struct die *die)
{
  const struct attribute *low = find_attribute_named (die, DW_AT_low_pc);
  const struct attribute *high = find_attribute_named (die, DW_AT_high_pc);
  struct place place;

  return !high
         || (low && (high->form == DW_FORM_data4 || high->form == DW_FORM_data8)
             && read_address (&d->sections, bases, low, &place));
}

static void
check_unit (const struct description *d, struct unit *unit, void *to)
{
  bool *is_good = to;
  struct bases bases;
  struct die die;

  for (bool is_first = true; read_die (unit, &die); is_first = false)
    {
      if (!die.abbreviation)
        continue;
      if (is_first)
        bases = read_bases (&d->sections, unit->version, &die);
      if (find_attribute_named (&die, DW_AT_GNU_dwo_name) || !has_known_range (d, &bases, &die))
        *is_good = false;
      if (is_first && die.tag != DW_TAG_compile_unit)
        *is_good = false;
      if (!*is_good)
        return;
    }
  *is_good = unit->entries.at >= unit->entries.end && !unit->entries.is_bad;
}

bool
can_describe_thunks (struct object *object)
{
  struct description d = open_description (object);
  bool is_good = d.sections.info && d.abbreviations && has_plain_sections (object);

  return is_good && for_each_unit (&d, &is_good, check_unit) && is_good;
}

void
describe_thunks (struct object *object)
{
  struct description d = open_description (object);
  bool has_thunks = false;

  d.thunks = collect_thunks (object);
  for (size_t i = 1; i < object->input_section_count; i++)
    has_thunks |= d.thunks[i] != 0;
  if (has_thunks)
    {
      describe_lines (&d);
      describe_aranges (&d);
      describe_lists (&d);
      describe_scopes (&d);
    }
  free (d.thunks);
}
