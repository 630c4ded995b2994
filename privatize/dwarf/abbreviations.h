/* Gives entries of .debug_info another tag or other attributes in the bytes that they have: each
   gets another abbreviation. */

#ifndef PRIVATIZE_DWARF_ABBREVIATIONS_H
#define PRIVATIZE_DWARF_ABBREVIATIONS_H

#include "privatize/dwarf/dies.h"

/* What the table of a unit gets in addition, from code FIRST_CODE on. */
struct additions
{
  uint64_t first_code;
  struct hash_table *table; /* without their codes, by code */
  struct section text;      /* only its bytes */
};

/* Gives DIE of .debug_info the tag and the attributes of CHANGED. False when there is no code
   as long as its own. */
bool change_abbreviation (struct additions *additions, struct section *info, const struct die *die,
                          const struct die *changed);
/* Gives UNIT a table with the additions, at the end of .debug_abbrev. */
void replace_table (struct section *abbreviations, const struct unit *unit,
                    const struct additions *additions);
void free_additions (struct additions *additions);

#endif
