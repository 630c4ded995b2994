/* The thunks of one text section, and the trampoline run that is under construction. While a run
   is open, its last thunk has no end yet, and the instruction at RESUME is the first one that it
   leaves to the text. The tail consists of copies that are used only if another site follows. */

#ifndef PRIVATIZE_TEXT_TRAMPOLINES_H
#define PRIVATIZE_TEXT_TRAMPOLINES_H

#include "privatize/arch/arch.h"
#include "privatize/elf/elf.h"

/* Byte THUNK of the thunks stands for the instruction at OFFSET of the text; byte INNER does where
   register HELD has been loaded, if that is not 0. */
struct thunk_entry
{
  uint64_t offset, thunk, inner;
  int held;
};

/* Loads the register for an entry, and goes on there. RELA is of the jump in the text. */
struct thunk_head
{
  struct code code;
  size_t entry;
  Elf64_Rela *rela;
};

struct trampoline_run
{
  struct object *object;
  uint32_t text, thunks; /* sections; no thunks before the first site */
  bool may_join;
  bool is_stepped;   /* has line numbers that cannot be described */
  bool is_described; /* has others */
  bool is_open;
  int held; /* the register that the open run has loaded, or 0 */
  uint64_t resume;
  struct code tail;
  unsigned tail_count;
  struct thunk_entry *entries; /* of the instructions that jump to a thunk, in order */
  size_t entry_count, entry_capacity;
  struct thunk_head *heads; /* that have no place yet */
  size_t head_count, head_capacity;
  Elf64_Rela *relas; /* of the text, to be added */
  size_t rela_count, rela_capacity;
};

/* Adds the code for the instruction from OFFSET to END; returns where it begins among the
   thunks. RELA is that of the jump in the text, which may change until the runs are finished. */
uint64_t add_to_run (struct trampoline_run *run, const struct code *code, uint64_t offset,
                     uint64_t end, Elf64_Rela *rela);
/* Lets the run go on over an instruction that is no site, at OFFSET of the text, or ends it. */
void extend_run (struct trampoline_run *run, const struct site *site, uint64_t offset);
/* Ends the run: back to the first instruction that has not been executed. */
void close_run (struct trampoline_run *run);
/* After the last thunk of the text. */
void finish_runs (struct trampoline_run *run);

/* append.c: appends CODE, which does the work of what is at SOURCE in the text. AT is where it begins.
   Returns the last entry of its unwind map. */
struct unwind_entry *append_code (struct trampoline_run *run, const struct code *code,
                                  uint64_t source, uint64_t *at);

/* copies.c: gives the operands of the instruction INSN at OFFSET of SECTION their relocations, from
   *NEXT on. Returns false when one is not on an operand. */
bool take_relocations (const struct object *object, const struct section *section, size_t *next,
                       uint64_t offset, const struct outline *insn, struct site *site);
/* Whether the instruction of SITE does the same among the thunks. */
bool can_copy (const struct site *site, bool is_stepped);
/* Appends a copy of it, which is at OFFSET of the text; what CODE does begins at BASE. */
void copy_insn (struct code *code, const struct site *site, uint64_t base, uint64_t offset);

/* heads.c: whether the run has done what CODE begins with. */
bool holds_common (const struct trampoline_run *run, const struct code *code);
/* CODE without that. */
struct code without_common (const struct code *code);
/* The last entry gets a head: for who comes to it from the text, to RELA. */
void add_head (struct trampoline_run *run, const struct code *code, Elf64_Rela *rela);
/* Between two runs. */
void place_heads (struct trampoline_run *run);
/* Where the thunks of the run go on to reach ENTRY. */
uint64_t place_of (const struct trampoline_run *run, const struct thunk_entry *entry);

/* loops.c: the first entry at OFFSET or after it, or NULL. */
const struct thunk_entry *entry_after (const struct trampoline_run *run, uint64_t offset);
/* Writes code that does what is from HEAD of the text to the first thunk behind it, and
   goes on there. Returns false where that takes no more than a branch, or cannot be done. */
bool copy_loop_head (const struct trampoline_run *run, uint64_t head, struct code *code);

/* branch_targets.c: for each byte of the text of section TEXT, whether the program may branch there
   from elsewhere. STARTS are the COUNT ones of the section. */
struct code_start;
bool *find_branch_targets (const struct object *object, uint32_t text,
                           const struct code_start *starts, size_t count);

/* patch.c: the addend of private_rela. */
int64_t private_addend (const struct site *site);
/* Replaces the instruction of SITE at OFFSET of the run's text by CODE. */
void patch_site (struct trampoline_run *run, uint64_t offset, const struct site *site,
                 const struct code *code);

#endif
