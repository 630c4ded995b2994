/* The unwind tables of the input: the rules at each instruction that restore the caller's
   registers. */

#ifndef PRIVATIZE_FRAMES_H
#define PRIVATIZE_FRAMES_H

#include "privatize/dwarf/cursor.h"
#include "privatize/elf/elf.h"

enum rule_kind
{
  RULE_NONE,
  RULE_SAME,
  RULE_UNDEFINED,
  RULE_OFFSET,       /* saved at the CFA plus NUMBER */
  RULE_VALUE_OFFSET, /* is the CFA plus NUMBER */
  RULE_REGISTER,     /* in register BASE */
  RULE_EXPRESSION,
  RULE_VALUE_EXPRESSION
};

struct rule
{
  enum rule_kind kind;
  uint64_t base;
  int64_t number;
  const unsigned char *expression;
  uint64_t length;
};

/* The CFA is the value of register BASE plus NUMBER (RULE_REGISTER), or
   an expression. */
struct rules
{
  struct rule address;
  struct rule registers[DWARF_REGISTERS];
};

/* One FDE. */
struct frame
{
  uint32_t text;       /* section */
  uint32_t table;      /* the .eh_frame section */
  uint64_t start, end; /* in the text */
  uint64_t code_factor;
  int64_t data_factor;
  struct cursor initial, program;
};

struct frames
{
  struct frame *list; /* by text and start */
  size_t count, capacity;
};

struct frames collect_frames (const struct object *object);
const struct frame *find_frame (const struct frames *frames, uint32_t text, uint64_t offset);

enum
{
  REMEMBERED_STATES = 8
};

/* Walks over a frame, from its start to its end. */
struct walker
{
  const struct frame *frame;
  struct cursor program;
  uint64_t offset;
  struct rules rules, initial;
  struct rules remembered[REMEMBERED_STATES];
  unsigned depth;
};

void start_walk (struct walker *walker, const struct frame *frame);
/* Sets the rules to those at OFFSET, which never decreases. False when the table is
   bad or does something unknown. */
bool walk_to (struct walker *walker, uint64_t offset);

#endif
