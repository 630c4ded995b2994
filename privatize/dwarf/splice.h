/* Inserts bytes into a debug section. */

#ifndef PRIVATIZE_DWARF_SPLICE_H
#define PRIVATIZE_DWARF_SPLICE_H

#include "privatize/elf/elf.h"

/* What says where the rest of a section is, and must be kept right. */
enum splice_units
{
  UNITS_NONE,
  UNITS_WITH_LENGTHS, /* each begins with its length, of four bytes */
  UNITS_WITH_INDEXES  /* and behind a header has the offsets of its lists */
};

struct insertion
{
  uint64_t at;    /* in the section, before what was there */
  uint64_t start; /* in the new bytes; they end where those of the next one start */
  uint64_t moves; /* how far this one and those before it move what follows */
};

struct splices
{
  uint32_t section; /* 0 when there is no such section */
  enum splice_units units;
  struct insertion *list;
  size_t count, capacity;
  struct section text; /* only its bytes and relocations */
};

/* What is put into TEXT from here on comes to byte AT of the section. */
void begin_splice (struct splices *splices, uint64_t at);
/* An address of eight bytes at the end of TEXT. */
void put_address (struct section *text, uint32_t symbol, uint64_t offset);
/* LENGTH bytes from OFFSET, as lists of version 4 have them: an entry with the base, one that
   counts from it. */
void put_pair (struct section *text, uint32_t symbol, uint64_t offset, uint64_t length);
/* Bytes START to END of FROM, whose relocations are sorted. */
void put_copy (struct section *text, const struct section *from, uint64_t start, uint64_t end);
/* Takes back the last splice. */
void drop_splice (struct splices *splices);
/* Inserts everything, and has what refers to the section refer to the same bytes as before. */
void apply_splices (struct object *object, struct splices *splices);

#endif
