/* Reads .debug_info: its entries, and the attributes of each. */

#ifndef PRIVATIZE_DIES_H
#define PRIVATIZE_DIES_H

#include "privatize/dwarf/cursor.h"
#include "privatize/elf/elf.h"

enum
{
  MOST_ATTRIBUTES = 64
};

/* The declaration of one kind of entry. */
struct abbreviation
{
  uint64_t code, tag;
  bool has_children;
  const unsigned char *attributes; /* pairs of ULEB128, an SLEB128 behind some */
};

/* The table of one unit, from START to END, which is its closing zero. */
struct abbreviations
{
  struct abbreviation *list; /* by code */
  size_t count, capacity;
  const unsigned char *start, *end, *limit;
  uint64_t largest;
};

struct attribute
{
  uint64_t name, form;
  int64_t implicit;                 /* of DW_FORM_implicit_const */
  const unsigned char *value, *end; /* in .debug_info */
};

/* An entry; ABBREVIATION is NULL for those that end a list of children. */
struct die
{
  const unsigned char *at;
  const struct abbreviation *abbreviation;
  uint64_t tag;
  struct attribute attributes[MOST_ATTRIBUTES + 1]; /* one may be added */
  size_t attribute_count;
};

/* A unit; the entries are read one by one from ENTRIES. */
struct unit
{
  const Elf64_Rela *table; /* of the offset of its abbreviations */
  struct abbreviations abbreviations;
  const unsigned char *start;
  struct cursor entries;
  unsigned version;
  size_t offset_bytes;
};

/* Reads the next unit at CURSOR of SECTION, whose relocations are sorted. False for one
   that cannot be read or is of an unknown version. ABBREVIATIONS is .debug_abbrev. */
bool read_unit (const struct object *object, const struct section *section,
                const struct section *abbreviations, struct cursor *cursor, struct unit *unit);
void free_unit (struct unit *unit);

/* False at the end of the unit, and where it cannot be read on. */
bool read_die (struct unit *unit, struct die *die);
const struct attribute *find_attribute (const struct die *die, uint64_t name, uint64_t form);
/* With any form. */
const struct attribute *find_attribute_named (const struct die *die, uint64_t name);

#endif
