#include "privatize/dwarf/lists.h"

#include "privatize/dwarf/constants.h"

#include <string.h>

enum
{
  ADDRESS_BYTES = 8,
  INDEX_BYTES = 4
};

static uint32_t
find_section (struct object *object, const char *name)
{
  for (size_t i = 1; i < object->input_section_count; i++)
    if (object->sections[i]->kind == KIND_OTHER && object->sections[i]->data
        && strcmp (object->sections[i]->name, name) == 0)
      {
        sort_relas (object->sections[i]);
        return i;
      }
  return 0;
}

struct list_sections
find_list_sections (struct object *object)
{
  return (struct list_sections){ .object = object,
                                 .info = find_section (object, ".debug_info"),
                                 .addresses = find_section (object, ".debug_addr"),
                                 .ranges = find_section (object, ".debug_ranges"),
                                 .locations = find_section (object, ".debug_loc"),
                                 .rnglists = find_section (object, ".debug_rnglists"),
                                 .loclists = find_section (object, ".debug_loclists") };
}

static bool
read_place (const struct object *object, const struct section *section, uint64_t at,
            struct place *place)
{
  const Elf64_Rela *rela = relocation_at (section, at);
  const struct symbol *symbol = rela ? &object->symbols[ELF64_R_SYM (rela->r_info)] : NULL;

  if (!symbol || !is_defined (symbol))
    return false;
  *place = (struct place){ symbol->section, symbol->elf.st_value + rela->r_addend };
  return true;
}

/* The address at number INDEX of the unit's. */
static bool
read_indexed (const struct list_sections *sections, const struct bases *bases, uint64_t index,
              struct place *place)
{
  uint64_t at;

  return sections->addresses && bases->addresses != UINT64_MAX
         && !__builtin_mul_overflow (index, ADDRESS_BYTES, &at)
         && !__builtin_add_overflow (at, bases->addresses, &at)
         && read_place (sections->object, sections->object->sections[sections->addresses], at,
                        place);
}

bool
read_address (const struct list_sections *sections, const struct bases *bases,
              const struct attribute *attribute, struct place *place)
{
  const struct section *info = sections->object->sections[sections->info];
  struct cursor cursor = { attribute->value, attribute->end, false };

  switch (attribute->form)
    {
    case DW_FORM_addr:
      return read_place (sections->object, info, attribute->value - info->data, place);
    case DW_FORM_addrx:
      return read_indexed (sections, bases, read_uleb (&cursor), place);
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
      return read_indexed (sections, bases,
                           read_number (&cursor, attribute->end - attribute->value), place);
    default:
      return false;
    }
}

bool
read_offset (const struct list_sections *sections, const struct attribute *attribute,
             struct place *place)
{
  const struct section *info = sections->object->sections[sections->info];

  return read_place (sections->object, info, attribute->value - info->data, place);
}

static uint64_t
read_base (const struct list_sections *sections, const struct die *first, uint64_t name)
{
  const struct attribute *base = find_attribute (first, name, DW_FORM_sec_offset);
  struct place place;

  return base && read_offset (sections, base, &place) ? place.offset : UINT64_MAX;
}

struct bases
read_bases (const struct list_sections *sections, unsigned version, const struct die *first)
{
  const struct attribute *low = find_attribute_named (first, DW_AT_low_pc);
  struct bases bases = { .version = version,
                         .addresses = read_base (sections, first, DW_AT_addr_base),
                         .rnglists = read_base (sections, first, DW_AT_rnglists_base),
                         .loclists = read_base (sections, first, DW_AT_loclists_base) };

  if (low)
    read_address (sections, &bases, low, &bases.low);
  return bases;
}

/* The list with the number that ATTRIBUTE is, of those whose offsets are at BASE. */
static bool
find_indexed (const struct section *section, uint64_t base, const struct attribute *attribute,
              uint64_t *at)
{
  struct cursor number = { attribute->value, attribute->end, false };
  struct cursor cursor = { section->data, section->data + section->header.sh_size, false };
  uint64_t index;

  if (base == UINT64_MAX || __builtin_mul_overflow (read_uleb (&number), INDEX_BYTES, &index)
      || __builtin_add_overflow (index, base, &index) || !read_bytes (&cursor, index))
    return false;
  *at = base + read_number (&cursor, INDEX_BYTES);
  return !cursor.is_bad;
}

bool
find_list (const struct list_sections *sections, const struct bases *bases,
           const struct attribute *attribute, uint32_t *index, uint64_t *at)
{
  uint32_t ranges = bases->version < 5 ? sections->ranges : sections->rnglists;
  uint32_t locations = bases->version < 5 ? sections->locations : sections->loclists;
  struct place place;

  if (attribute->form == DW_FORM_rnglistx || attribute->form == DW_FORM_loclistx)
    {
      bool is_range = attribute->form == DW_FORM_rnglistx;
      *index = is_range ? ranges : locations;
      return *index
             && find_indexed (sections->object->sections[*index],
                              is_range ? bases->rnglists : bases->loclists, attribute, at);
    }
  if (attribute->form != DW_FORM_sec_offset || attribute->name == DW_AT_rnglists_base
      || attribute->name == DW_AT_loclists_base || attribute->name == DW_AT_GNU_locviews
      || !read_offset (sections, attribute, &place))
    return false;
  *index = place.section;
  *at = place.offset;
  return place.section && (place.section == ranges || place.section == locations);
}

struct list
open_list (const struct list_sections *sections, const struct bases *bases, uint32_t index,
           uint64_t at)
{
  const struct section *section = sections->object->sections[index];
  struct list list
      = { .sections = sections,
          .bases = bases,
          .section = section,
          .has_expressions = index == sections->locations || index == sections->loclists,
          .base = bases->low,
          .cursor = { section->data, section->data + section->header.sh_size, false } };

  read_bytes (&list.cursor, at);
  return list;
}

/* An address of eight bytes in the list: with a relocation, or a number. */
static struct place
read_list_place (struct list *list)
{
  struct place place = { 0 };
  uint64_t at = list->cursor.at - list->section->data;
  uint64_t number = read_number (&list->cursor, ADDRESS_BYTES);

  if (!read_place (list->sections->object, list->section, at, &place))
    place.offset = number;
  return place;
}

static struct place
read_list_index (struct list *list)
{
  struct place place = { 0 };

  read_indexed (list->sections, list->bases, read_uleb (&list->cursor), &place);
  return place;
}

/* What is between START and END, or nothing that is known. */
static void
set_range (struct list_entry *entry, struct place start, struct place end)
{
  entry->has_range = start.section && start.section == end.section && end.offset > start.offset;
  entry->start = start;
  entry->length = end.offset - start.offset;
}

static void
set_length (struct list_entry *entry, struct place start, uint64_t length)
{
  set_range (entry, start, (struct place){ start.section, start.offset + length });
}

static struct place
from_base (const struct list *list, struct place place)
{
  return place.section ? place
                       : (struct place){ list->base.section, list->base.offset + place.offset };
}

/* One that is a range; those before it that tell the base are done. */
static bool
read_pair (struct list *list, struct list_entry *entry)
{
  while (!list->cursor.is_bad)
    {
      struct place start, end;
      list->end = list->cursor.at - list->section->data;
      start = read_list_place (list);
      end = read_list_place (list);
      if (!start.section && !end.section && !start.offset && !end.offset)
        return false;
      if (start.section || start.offset != UINT64_MAX)
        {
          set_range (entry, from_base (list, start), from_base (list, end));
          return !list->cursor.is_bad;
        }
      list->base = end;
    }
  return false;
}

/* The same of version 5. LOCATION is whether it is one of locations. */
static bool
read_kind (struct list *list, struct list_entry *entry)
{
  struct cursor *cursor = &list->cursor;

  while (!cursor->is_bad)
    {
      uint64_t kind, offset;
      struct place place;
      list->end = cursor->at - list->section->data;
      kind = read_number (cursor, 1);
      if (list->has_expressions && kind == DW_LLE_default_location)
        return true;
      /* From here on those of locations are those of ranges and one more. */
      switch (kind - (list->has_expressions && kind > DW_LLE_default_location))
        {
        case DW_RLE_end_of_list:
          return false;
        case DW_RLE_base_addressx:
          list->base = read_list_index (list);
          break;
        case DW_RLE_startx_endx:
          place = read_list_index (list);
          set_range (entry, place, read_list_index (list));
          return !cursor->is_bad;
        case DW_RLE_startx_length:
          place = read_list_index (list);
          set_length (entry, place, read_uleb (cursor));
          return !cursor->is_bad;
        case DW_RLE_offset_pair:
          offset = read_uleb (cursor);
          set_range (entry, from_base (list, (struct place){ 0, offset }),
                     from_base (list, (struct place){ 0, read_uleb (cursor) }));
          return !cursor->is_bad;
        case DW_RLE_base_address:
          list->base = read_list_place (list);
          break;
        case DW_RLE_start_end:
          place = read_list_place (list);
          set_range (entry, place, read_list_place (list));
          return !cursor->is_bad;
        case DW_RLE_start_length:
          place = read_list_place (list);
          set_length (entry, place, read_uleb (cursor));
          return !cursor->is_bad;
        default:
          cursor->is_bad = true;
        }
    }
  return false;
}

bool
read_list_entry (struct list *list, struct list_entry *entry)
{
  struct cursor *cursor = &list->cursor;

  *entry = (struct list_entry){ 0 };
  if (!(list->bases->version < 5 ? read_pair (list, entry) : read_kind (list, entry)))
    return false;
  if (list->has_expressions)
    {
      uint64_t length = list->bases->version < 5 ? read_number (cursor, 2) : read_uleb (cursor);
      entry->expression = *cursor;
      read_bytes (cursor, length);
      entry->expression.end = cursor->at;
    }
  return !cursor->is_bad;
}
