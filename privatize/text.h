/* Between the files that rewrite text. */

#ifndef PRIVATIZE_TEXT_H
#define PRIVATIZE_TEXT_H

#include "privatize/object.h"
#include "privatize/rewrite.h"

/* A place in the text where an instruction certainly starts, or data that an
   assembler programmer put between instructions. */
struct anchor
{
  uint32_t section;
  bool is_data;
  uint64_t offset;
};

struct anchors
{
  struct anchor *list;
  size_t count, room;
};

/* anchors.c: all anchors, by section and offset, one per place. */
struct anchors collect_anchors (const struct object *object);
/* The first place of section SECTION after OFFSET where instructions may go on after data,
   or END. LABELS are collected the first time. */
uint64_t next_label (const struct object *object, struct anchors *labels, uint32_t section,
                     uint64_t offset, uint64_t end);

/* chain.c: the thunks of one text section. While the chain is open, the last thunk
   has no end yet, and the instruction at RESUME is the first one that it leaves to
   the text. The followers are copies that are of use only if another site comes. */
struct chain
{
  struct object *object;
  uint32_t text, thunks;    /* sections; no thunks before the first site */
  bool may_join, has_lines;
  bool is_open;
  uint64_t resume;
  struct code followers;
  unsigned follower_count;
  struct entry *entries;    /* of the instructions that jump to a thunk, in order */
  size_t entry_count, entry_room;
};

/* Byte AT of the thunks stands for the instruction at OFFSET of the text. */
struct entry
{
  uint64_t offset, at;
};

uint64_t add_to_chain (struct chain *chain, const struct code *code, uint64_t offset,
                       uint64_t end);
void continue_chain (struct chain *chain, const struct site *site, uint64_t offset);
void close_chain (struct chain *chain);
void end_chains (struct chain *chain);

/* place.c: replaces the instruction of SITE at OFFSET of the chain's text by CODE. */
void place_code (struct chain *chain, uint64_t offset, const struct site *site,
                 const struct code *code);

#endif
