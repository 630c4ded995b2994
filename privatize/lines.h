/* Where a debugger may stop the program at a line: the instructions that begin one. */

#ifndef PRIVATIZE_LINES_H
#define PRIVATIZE_LINES_H

#include "privatize/object.h"

struct stop
{
  uint32_t section;
  uint64_t offset;
};

struct stops
{
  struct stop *list;       /* by section and offset */
  size_t count, room;
  bool *is_unknown;        /* by section: it has line numbers that cannot be read */
};

struct stops collect_stops (const struct object *object);
/* The index of the first stop at or after OFFSET of SECTION. */
size_t find_stop (const struct stops *stops, uint32_t section, uint64_t offset);

#endif
