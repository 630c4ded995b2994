/* Lists of ranges and of locations. Before its end, each gets the entries for the thunks. */

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/describe.h"
#include "privatize/dwarf/put.h"

#include <stdlib.h>

struct lists
{
  struct splices ranges, locations;  /* version 4 */
  struct splices rnglists, loclists; /* version 5 */
  struct hash_table *done;           /* places of those that were read */
};

static struct splices *
splices_of (const struct description *d, struct lists *lists, uint32_t index)
{
  return index == d->sections.ranges      ? &lists->ranges
         : index == d->sections.locations ? &lists->locations
         : index == d->sections.rnglists  ? &lists->rnglists
                                          : &lists->loclists;
}

/* An entry for PIECE of the thunks with SYMBOL. */
static void
put_entry (struct section *text, const struct list *list, const struct list_entry *entry,
           uint32_t symbol, struct piece piece)
{
  uint64_t start = entry->expression.at - list->section->data;
  uint64_t end = entry->expression.end - list->section->data;

  if (list->bases->version < 5)
    put_pair (text, symbol, piece.from, piece.to - piece.from);
  else
    {
      put_byte (text, list->has_expressions ? DW_LLE_start_length : DW_RLE_start_length);
      put_address (text, symbol, piece.from);
      put_uleb (text, piece.to - piece.from);
    }
  if (!list->has_expressions)
    return;
  if (list->bases->version < 5)
    append_bytes (text, &(uint16_t){ end - start }, sizeof (uint16_t));
  else
    put_uleb (text, end - start);
  put_copy (text, list->section, start, end);
}

/* What ENTRY says, of the thunks. Returns the number of entries. */
static size_t
translate (const struct description *d, struct section *text, const struct list *list,
           const struct list_entry *entry)
{
  uint32_t index;
  const struct section *code = entry->has_range ? thunks_of (d, entry->start, &index) : NULL;
  size_t count = 0, i = code ? find_thunk (code, entry->start.offset) : 0;
  struct piece piece;

  for (; code && next_piece (code, entry->start.offset + entry->length, &i, &piece); count++)
    put_entry (text, list, entry, section_symbol (d->object, index), piece);
  return count;
}

/* The list at AT of section INDEX. VIEWS is where the table is that gives each of its entries
   two numbers more; it ends where the list begins. */
static void
describe_list (const struct description *d, struct lists *lists, const struct bases *bases,
               uint32_t index, uint64_t at, uint64_t views)
{
  struct list list = open_list (&d->sections, bases, index, at);
  struct splices *splices = splices_of (d, lists, index);
  struct list_entry entry;
  size_t count = 0;

  splices->section = index;
  begin_splice (splices, 0);
  while (read_list_entry (&list, &entry))
    count += translate (d, &splices->text, &list, &entry);
  splices->list[splices->count - 1].at = list.end;
  if (!count || list.cursor.is_bad)
    drop_splice (splices);
  else if (views < at)
    {
      begin_splice (splices, at);
      append_bytes (&splices->text, NULL, 2 * count);
    }
}

static void
describe_attribute (const struct description *d, struct lists *lists, const struct bases *bases,
                    const struct die *die, const struct attribute *attribute)
{
  const struct attribute *views = find_attribute (die, DW_AT_GNU_locviews, DW_FORM_sec_offset);
  struct place place = { 0, UINT64_MAX };
  struct
  {
    uint64_t index, at;
  } key = { 0 };
  uint32_t index, count = hash_count (lists->done);

  if (!find_list (&d->sections, bases, attribute, &index, &key.at))
    return;
  key.index = index;
  if (hash_add (lists->done, &key, sizeof key) != count)
    return;
  if (views && attribute->name == DW_AT_location)
    read_offset (&d->sections, views, &place);
  describe_list (d, lists, bases, index, key.at, place.offset);
}

static void
describe_unit (const struct description *d, struct unit *unit, void *to)
{
  struct bases bases = { 0 };
  struct die die;

  for (bool is_first = true; read_die (unit, &die); is_first = false)
    {
      if (is_first && die.abbreviation)
        bases = read_bases (&d->sections, unit->version, &die);
      for (size_t i = 0; die.abbreviation && i < die.attribute_count; i++)
        describe_attribute (d, to, &bases, &die, &die.attributes[i]);
    }
}

void
describe_lists (const struct description *d)
{
  struct lists lists = { .rnglists.units = UNITS_WITH_INDEXES,
                         .loclists.units = UNITS_WITH_INDEXES,
                         .done = hash_new () };

  for_each_unit (d, &lists, describe_unit);
  apply_splices (d->object, &lists.ranges);
  apply_splices (d->object, &lists.locations);
  apply_splices (d->object, &lists.rnglists);
  apply_splices (d->object, &lists.loclists);
  hash_free (lists.done);
}
