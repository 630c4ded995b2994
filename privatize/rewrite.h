/* Rewriting of one instruction: from its bytes and the relocations of its operands
   to bytes that do the same with the calling thread's copy. Knows nothing of the
   object around it, so that it can be tested alone. */

#ifndef PRIVATIZE_REWRITE_H
#define PRIVATIZE_REWRITE_H

#include <Zydis/Zydis.h>
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An instruction and the relocations of its displacement and its immediate; NULL
   when the field has none, private when the thread's copy is meant. */
struct site
{
  const uint8_t *bytes;
  ZydisDecodedInstruction z;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  Elf64_Rela *disp, *imm;
  bool disp_private, imm_private;
  uint32_t got;            /* symbol _GLOBAL_OFFSET_TABLE_, where IMM counts from it */
  uint32_t text;           /* symbol of the section, where DISP counts from its own place */
  /* What note_next found: the length of the next instruction if that copies the
     address on, the register that it copies to, and whether a later one does. */
  size_t copy_length;
  int copy_to;
  bool is_copied_later;
};

enum
{
  CODE_BYTES = 128,
  CODE_RELAS = 4,
  CODE_MARKS = 12,
  JUMP_BYTES = 5,
  RED_ZONE = 128,          /* below the stack pointer, where code may keep something */
  SLOT = 8
};

enum code_entry
{
  ENTRY_JUMP,      /* jumps back when done */
  ENTRY_TAIL,      /* leaves by itself */
  ENTRY_CALL       /* is called, and leaves by itself */
};

/* From byte AT of the code on, it does the work of the instruction SOURCE bytes after
   the first, with the stack pointer LOWERED by so many bytes. */
struct mark
{
  size_t at;
  uint64_t source;
  int lowered;
};

/* ADDEND is any number that a file may hold. */
static inline int64_t
moved_addend (int64_t addend, int64_t by)
{
  return (int64_t) ((uint64_t) addend + (uint64_t) by);
}

/* What is executed instead. Relocations are relative to its start. */
struct code
{
  uint8_t bytes[CODE_BYTES];
  size_t length;
  Elf64_Rela relas[CODE_RELAS];
  size_t rela_count;
  struct mark marks[CODE_MARKS];
  size_t mark_count;
  enum code_entry entry;
  size_t covers;           /* bytes after the instruction that it does as well */
};

/* Notes in SITE whether NEXT, an instruction after it, copies the address on. Returns
   whether those after NEXT matter as well. */
bool note_next (struct site *site, const struct site *next, bool is_adjacent);

/* Returns NULL, or why there is no such code. */
const char *rewrite_instruction (const struct site *site, struct code *code);

/* emit.c: pieces of machine code. */
enum { NO_REGISTER = -1, RSP = 4 };

struct address
{
  int base, index;
  unsigned scale;          /* 0 to 3: the power of two */
  const Elf64_Rela *rela;  /* R_X86_64_TPOFF32 of this symbol, or NULL */
  int64_t addend;          /* in place of the relocation's, or the displacement */
};

void emit (struct code *code, const void *bytes, size_t count);
void emit_byte (struct code *code, unsigned byte);
void add_mark (struct code *code, uint64_t source, int lowered);
void emit_field (struct code *code, uint32_t type, const Elf64_Rela *rela, int64_t addend);
void emit_lea (struct code *code, bool is_wide, int to, const struct address *address);
void emit_number (struct code *code, int to, int64_t number);
void emit_thread_pointer (struct code *code, int to);
void emit_private_address (struct code *code, bool is_wide, int to, const Elf64_Rela *rela,
                           int64_t addend);
void emit_push (struct code *code, int reg);
void emit_pop (struct code *code, int reg);
void emit_store_above (struct code *code, int reg, int offset);
void emit_move_stack (struct code *code, int by);

/* distance.c: addresses as distances from somewhere. */
bool is_distance (const struct site *site);
const char *rewrite_distance (const struct site *site, struct code *code);
void emit_got_distance (const struct site *site, struct code *code, int to);

/* operand.c: the operands of a site, of which one can be in memory. */
bool is_legacy (const struct site *site, ZydisOpcodeMap map, unsigned opcode);
bool is_lea (const struct site *site);
bool is_wide (const struct site *site);
bool uses_stack_pointer (const struct site *site);
int modrm_register (const struct site *site);
bool has_address_operand (const struct site *site);
bool is_rip_relative (const struct site *site);
int memory_base (const struct site *site);
int memory_index (const struct site *site);
int64_t target_addend (const struct site *site);
size_t operand_end (const struct site *site);
void emit_prefixes (struct code *code, const struct site *site, bool with_fs);
void emit_operand (struct code *code, const struct site *site, unsigned reg, int shift,
                   size_t trailing);
void emit_rest (struct code *code, const struct site *site);
void emit_private_operand (struct code *code, const struct site *site, int base);
int free_register (const struct site *site);
int free_base (const struct site *site, int base);

#endif
