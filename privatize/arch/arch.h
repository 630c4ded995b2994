/* Processor-specific code. Each processor has a folder beside this file, with the same file
   names in each. The tool is compiled once for each processor, with a macro that says for which:

       target.h     the numbers: machine, relocation types that this tool makes, DWARF's
                    registers; the fields of instructions that a relocation may apply to; and
                    what decode.c tells only rewrite.c about an instruction
       relocs.c     the table of relocation types
       decode.c     from the bytes of an instruction to struct insn
       rewrite.c    from an instruction that reaches private data to code that does the same
       branch.c     branches between text, thunks and resolvers

   Nothing else names a register, an opcode or a relocation type of a processor. */

#ifndef PRIVATIZE_ARCH_ARCH_H
#define PRIVATIZE_ARCH_ARCH_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the linker writes into the field of a relocation. */
enum reloc_kind
{
  RELOC_UNKNOWN,
  RELOC_NONE,
  RELOC_ABSOLUTE,         /* the address */
  RELOC_PC_RELATIVE,      /* its offset from the field */
  RELOC_PLT,              /* that, or the offset of the function's entry in the PLT */
  RELOC_PLT_OFFSET,       /* offset of the PLT entry from the GOT */
  RELOC_LOW_BITS,         /* the address within its page, which is the same in each copy */
  RELOC_GOT_ENTRY,        /* offset from the field of the GOT entry with the address */
  RELOC_GOT_PAGE,         /* offset from the field of the page of that entry */
  RELOC_GOT_ENTRY_OFFSET, /* offset of that entry in the GOT */
  RELOC_GOTOFF,           /* offset of the address from the GOT */
  RELOC_GOT_BASE,         /* offset of the GOT from the field; the symbol does not count */
  RELOC_SIZE,             /* the size of the symbol */
  RELOC_TLS_OFFSET,       /* offset from the thread pointer or in the TLS block */
  RELOC_TLS,              /* what else there is of thread-local storage */
  RELOC_DYNAMIC           /* in linked files only */
};

struct reloc_type
{
  const char *name;
  enum reloc_kind kind;
  unsigned bytes;  /* of the field */
  unsigned fields; /* enum operand_field of target.h: where it can be rewritten */
};

/* Of any number; one that is not in the table is RELOC_UNKNOWN. */
const struct reloc_type *reloc_type (uint32_t number);

static inline const struct reloc_type *
type_of (const Elf64_Rela *rela)
{
  return reloc_type (ELF64_R_TYPE (rela->r_info));
}

/* Whether the field depends on the address of the symbol. */
static inline bool
makes_address (const Elf64_Rela *rela)
{
  switch (type_of (rela)->kind)
    {
    case RELOC_NONE:
    case RELOC_LOW_BITS:
    case RELOC_GOT_PAGE:
    case RELOC_SIZE:
    case RELOC_TLS_OFFSET:
    case RELOC_TLS:
      return false;
    default:
      return true;
    }
}

/* Whether the instruction with the field does the same elsewhere: the linker rewrites some by
   patterns of several instructions, and some fields reach no farther than a function does. */
bool can_move (const Elf64_Rela *rela);

/* Whether the field depends on where it is itself. */
static inline bool
is_relative (const Elf64_Rela *rela)
{
  enum reloc_kind kind = type_of (rela)->kind;

  return kind == RELOC_PC_RELATIVE || kind == RELOC_PLT || kind == RELOC_GOT_ENTRY
         || kind == RELOC_GOT_BASE;
}

#if defined PRIVATIZE_TARGET_AARCH64
#include "privatize/arch/aarch64/target.h"
#else
#include "privatize/arch/x86_64/target.h"
#endif

/* A pointer in data. */
static inline bool
is_pointer (const Elf64_Rela *rela)
{
  return ELF64_R_TYPE (rela->r_info) == TARGET_RELOC_POINTER;
}

/* Where control goes after an instruction, and whether it does the same elsewhere. */
enum flow
{
  FLOW_FIXED,       /* to the next; stays where it is */
  FLOW_COPYABLE,    /* to the next; does the same at another address */
  FLOW_EPILOGUE,    /* the same, and takes down the frame */
  FLOW_JUMP,        /* to TARGET */
  FLOW_CONDITIONAL, /* to TARGET if CONDITION, else to the next */
  FLOW_CALL,        /* to TARGET, and back */
  FLOW_INDIRECT,    /* to what a register or memory says */
  FLOW_RETURN
};

/* A field of an instruction that a relocation can have; BITS is 0 where there is none. */
struct field
{
  uint8_t at, bits;
};

/* The outline of an instruction: all that is needed to walk over it. */
struct outline
{
  uint8_t length;
  struct field disp, imm;
};

/* An instruction, decoded once: nobody looks at its bytes again but to copy them. */
struct insn
{
  const uint8_t *bytes;
  struct outline outline;
  enum flow flow;
  uint32_t condition;  /* as emit_branch wants it */
  int64_t target;      /* from the beginning of the instruction */
  bool is_literal;     /* it refers to what is at TARGET of the text, if no relocation says where */
  bool is_pc_relative; /* its memory operand */
  bool is_private;     /* that is in the thread's copy already: code of this project's own */
  bool has_relative_imm; /* its immediate is the offset of a branch */
  struct target_insn target_insn;
};

/* They return false for what is no instruction of at most LIMIT bytes. */
bool outline_insn (const uint8_t *bytes, size_t limit, struct outline *outline);
bool decode_insn (const uint8_t *bytes, size_t limit, struct insn *insn);
/* The instruction as an assembler would have it, for messages. */
void print_insn (const struct insn *insn, char *text, size_t size);

/* An instruction and the relocations of its displacement and its immediate; NULL when
   the field has none, private when the thread's copy is meant. Of an instruction that has one
   field, that is the displacement. */
struct site
{
  struct insn insn;
  Elf64_Rela *disp, *imm;
  bool disp_private, imm_private;
  const Elf64_Rela *literal; /* of the word in the text, at a private address, that it loads */
  bool is_fixed;             /* addresses are constants */
  bool is_shared;            /* for a shared library */
  uint32_t text;             /* symbol of the section, where code refers to that */
  uint32_t free;             /* a bit for each register that the code may change */
  Elf64_Rela word;           /* symbol and addend of the word that wants_word asked for, */
  bool is_delta;             /* or of the runtime's variable: the distance of the thread's copies */
  /* What note_next found: the length of the next instructions if they copy the address
     to another register, that register, what they add to it, and whether a later instruction copies it. */
  size_t copy_length;
  int copy_to;
  unsigned copy_offset;
  bool is_copied_later;
};

enum
{
  CODE_BYTES = 128,
  CODE_UNWIND = 20
};

enum code_entry
{
  ENTRY_JUMP, /* jumps back when done */
  ENTRY_TAIL, /* leaves by itself */
  ENTRY_CALL  /* is called, and leaves by itself */
};

/* An entry of an unwind map: from byte AT of a thunk on, the code does the work of the
   instruction at byte SOURCE of the text, with the stack pointer LOWERED by so many bytes. */
struct unwind_entry
{
  uint64_t at;
  uint64_t source;
  int lowered;
  bool is_return;         /* a jump to SOURCE, which may be the end of a function */
  bool begins;            /* the text jumps here from SOURCE, */
  bool is_head;           /* and the thunks do, too */
  bool is_called, leaves; /* code that was called, that jumps elsewhere */
};

/* What is executed instead of an instruction, or of several. Relocations and the unwind
   map count from its start, sources from the first instruction. */
struct code
{
  uint8_t bytes[CODE_BYTES];
  size_t length;
  Elf64_Rela relas[CODE_RELAS];
  size_t rela_count;
  struct unwind_entry unwind_map[CODE_UNWIND];
  size_t unwind_count;
  enum code_entry entry;
  size_t covers; /* bytes after the instruction that it does as well */
  /* Its first COMMON bytes only load register HELD with what other code of the function begins with,
     too, and nothing in the function changes it. */
  size_t common;
  int held;
};

/* ADDEND is any number that a file may hold. */
static inline int64_t
moved_addend (int64_t addend, int64_t by)
{
  return (int64_t) ((uint64_t) addend + (uint64_t) by);
}

/* code.c: what is the same for all processors. */
void emit (struct code *code, const void *bytes, size_t count);
void emit_rela (struct code *code, uint32_t type, const Elf64_Rela *rela, int64_t addend);
/* What is emitted from here on is for the instruction at SOURCE. */
void map_code (struct code *code, uint64_t source, int lowered);

/* Whether the displacement is private and yet right: in code of this project's own, which reaches the
   thread's copy already; or of an address that another instruction, a site, completes. */
bool is_right_already (const struct site *site);
/* In a thunk of an earlier run of the tool: whether SIZE BYTES, what stands behind INSN, make the address
   that INSN has, or begins, one in the thread's copy. */
bool reaches_copy (const struct insn *insn, const uint8_t *bytes, size_t size);
/* The addend of the address that the displacement means. */
int64_t target_addend (const struct site *site);
/* Whether SITE is one; and the relocation that makes it one. */
static inline bool
is_private_site (const struct site *site)
{
  return site->disp_private || site->imm_private || site->literal;
}

static inline const Elf64_Rela *
private_rela (const struct site *site)
{
  return site->literal ? site->literal : site->disp_private ? site->disp : site->imm;
}

/* A bit for each register that code for an instruction of a function, SIZE BYTES, may change:
   calls do, and the function does not use it. */
uint32_t free_registers (const uint8_t *bytes, size_t size);
/* Whether note_next is to be called for the instructions after SITE. */
bool wants_next (const struct site *site);
/* Notes in SITE whether NEXT, an instruction after it, copies the address to another
   register. RELA is the relocation of its first bytes or NULL. Returns whether those after NEXT matter
   as well. */
bool note_next (struct site *site, const struct insn *next, const Elf64_Rela *rela,
                bool is_adjacent);
/* Whether the code for SITE is to read an address, or an offset, from a private word; sets
   WORD to the relocation, but for the place, of such a word. One without a relocation is the
   runtime's variable that holds the distance of the thread's copies. */
bool wants_word (const struct site *site, Elf64_Rela *word);
/* Returns NULL, or why there is no code that does the same with the thread's copy. */
const char *rewrite_insn (const struct site *site, struct code *code);

/* Emits a jump to SYMBOL plus TARGET, or a FLOW_CONDITIONAL one. */
void emit_branch (struct code *code, enum flow flow, unsigned condition, uint32_t symbol,
                  uint64_t target);
unsigned opposite_condition (unsigned condition);
/* Where a relocation of emit_branch leads: an offset from its symbol; and away from there. */
uint64_t branch_target (const Elf64_Rela *rela);
void set_branch_target (Elf64_Rela *rela, uint32_t symbol, uint64_t target);
/* Writes a jump or a call to SYMBOL plus TARGET over an instruction of LENGTH bytes. A call
   pushes the address after it. Returns the relocation, from BYTES. */
Elf64_Rela patch_branch (uint8_t *bytes, size_t length, bool is_call, uint32_t symbol,
                         uint64_t target);
void patch_nops (uint8_t *bytes, size_t count);
/* Emits a function that jumps to the address that the thread has in private SYMBOL plus
   OFFSET. DELTA is the runtime's variable of find_word, where TARGET_STUB_WANTS_DELTA. */
void emit_ifunc_stub (struct code *code, uint32_t symbol, uint64_t offset,
                      const struct site *delta);
/* A DWARF expression for the target of the jump of emit_branch that ends OFFSET bytes
   after the instruction pointer. Returns its length. */
size_t branch_target_expression (uint8_t expression[BRANCH_EXPRESSION_BYTES], uint64_t offset);

#endif
