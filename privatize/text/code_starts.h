/* Where instructions start. */

#ifndef PRIVATIZE_TEXT_CODE_STARTS_H
#define PRIVATIZE_TEXT_CODE_STARTS_H

#include "privatize/elf/elf.h"

/* An offset in the text where an instruction certainly starts, or data that an assembler
   programmer put between instructions. */
struct code_start
{
  uint32_t section;
  bool is_data;
  bool is_mark; /* within a function, maybe: a symbol that tells instructions from data */
  bool is_cold; /* of a function that goes on elsewhere */
  uint64_t offset;
};

struct code_starts
{
  struct code_start *list; /* by section and offset, one for each */
  size_t count, capacity;
};

struct code_starts collect_code_starts (const struct object *object);
/* The first offset of section SECTION after OFFSET where instructions may go on after data,
   or END. LABELS are collected the first time. */
uint64_t next_label (const struct object *object, struct code_starts *labels, uint32_t section,
                     uint64_t offset, uint64_t end);

#endif
