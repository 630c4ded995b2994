/* Reads lists of ranges and of locations, of versions 4 and 5. */

#ifndef PRIVATIZE_DWARF_LISTS_H
#define PRIVATIZE_DWARF_LISTS_H

#include "privatize/dwarf/dies.h"

/* An address as relocations say it; SECTION is 0 for a number. */
struct place
{
  uint32_t section;
  uint64_t offset;
};

/* The sections that the lists of an object are in, by their indexes; 0 for none. */
struct list_sections
{
  const struct object *object;
  uint32_t info, addresses;
  uint32_t ranges, locations; /* .debug_ranges and .debug_loc */
  uint32_t rnglists, loclists;
};

/* What the attributes of a unit count from. */
struct bases
{
  unsigned version;
  struct place low;                       /* of its code */
  uint64_t addresses, rnglists, loclists; /* in their sections, or UINT64_MAX */
};

struct list
{
  const struct list_sections *sections;
  const struct bases *bases;
  const struct section *section;
  bool has_expressions;
  struct place base;
  struct cursor cursor;
  uint64_t end; /* where the list's last entry is, which says no more than that */
};

struct list_entry
{
  bool has_range; /* LENGTH bytes from START */
  struct place start;
  uint64_t length;
  struct cursor expression;
};

struct list_sections find_list_sections (struct object *object);
struct bases read_bases (const struct list_sections *sections, unsigned version,
                         const struct die *first);
/* The address that ATTRIBUTE of .debug_info is; false when it has no relocation. */
bool read_address (const struct list_sections *sections, const struct bases *bases,
                   const struct attribute *attribute, struct place *place);
/* The place in another debug section that ATTRIBUTE, of form DW_FORM_sec_offset, refers to. */
bool read_offset (const struct list_sections *sections, const struct attribute *attribute,
                  struct place *place);
/* The list that ATTRIBUTE of .debug_info refers to. Sets *INDEX to its section and *AT to where
   it begins; false when it refers to none. */
bool find_list (const struct list_sections *sections, const struct bases *bases,
                const struct attribute *attribute, uint32_t *index, uint64_t *at);
struct list open_list (const struct list_sections *sections, const struct bases *bases,
                       uint32_t index, uint64_t at);
/* False at the end of the list, and, with the cursor bad, where it cannot be read on. */
bool read_list_entry (struct list *list, struct list_entry *entry);

#endif
