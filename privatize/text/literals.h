/* Words in the text that hold addresses of private data, for instructions to load. The words stay
   as they are; the instructions are the sites. */

#ifndef PRIVATIZE_TEXT_LITERALS_H
#define PRIVATIZE_TEXT_LITERALS_H

#include "privatize/text/code_starts.h"

struct literal
{
  uint32_t section;
  uint64_t offset;
  Elf64_Rela rela;
  bool is_read;
};

struct literals
{
  struct literal *list; /* by section and offset */
  size_t count, capacity;
};

/* Those of all text, whose relocations are sorted for it. */
struct literals collect_literals (const struct object *object, const struct code_starts *starts);
/* The one that the instruction of SITE refers to, at OFFSET of section TEXT, or NULL. */
struct literal *literal_of (const struct object *object, const struct literals *literals,
                            uint32_t text, uint64_t offset, const struct site *site);
/* Whether there is one at OFFSET of section TEXT that an instruction refers to. */
bool is_read_literal (const struct literals *literals, uint32_t text, uint64_t offset);

#endif
