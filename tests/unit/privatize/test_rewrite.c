/* The rewriting of single instructions, byte by byte. tests/privatize/test_forms.py
   executes many more. */

#include "privatize/arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum
{
  NONE = -1,
  SYMBOL = 5,
  WORD = 6
};

/* A relocation TYPE at byte AT of an instruction, NONE for no relocation. */
struct operand_rela
{
  int at;
  uint32_t type;
  int64_t addend;
  bool is_private;
};

static Elf64_Rela relas[2];
static bool is_fixed; /* for rewrite */

static void
set_field (struct site *site, const struct operand_rela *field, Elf64_Rela *rela)
{
  *rela = (Elf64_Rela){ .r_offset = field->at,
                        .r_info = ELF64_R_INFO (SYMBOL, field->type),
                        .r_addend = field->addend };
  if (field->at == site->insn.outline.disp.at && site->insn.outline.disp.bits)
    {
      site->disp = rela;
      site->disp_private = field->is_private;
    }
  else
    {
      assert_int_equal (field->at, site->insn.outline.imm.at);
      site->imm = rela;
      site->imm_private = field->is_private;
    }
}

/* The word that the code for the last site asked for, and was given as symbol WORD plus 40. */
static Elf64_Rela wanted;

static const char *
rewrite (const char *bytes, size_t length, struct operand_rela first, struct operand_rela second,
         struct code *code)
{
  struct site site = { .is_fixed = is_fixed };

  assert_true (decode_insn ((const uint8_t *) bytes, length, &site.insn));
  assert_int_equal (site.insn.outline.length, length);
  set_field (&site, &first, &relas[0]);
  if (second.at != NONE)
    set_field (&site, &second, &relas[1]);
  wanted = (Elf64_Rela){ 0 };
  if (wants_word (&site, &wanted))
    site.word = (Elf64_Rela){ .r_info = ELF64_R_INFO (WORD, 0), .r_addend = 40 };
  return rewrite_insn (&site, code);
}

/* Relocation I of CODE is the word's, from the end of the instruction. */
static void
check_word (const struct code *code, size_t i, uint64_t offset, uint32_t type, int64_t addend)
{
  assert_int_equal (ELF64_R_SYM (wanted.r_info), SYMBOL);
  assert_int_equal (ELF64_R_TYPE (wanted.r_info), type);
  assert_int_equal (wanted.r_addend, addend);
  assert_int_equal (code->relas[i].r_offset, offset);
  assert_int_equal (code->relas[i].r_info, ELF64_R_INFO ((uint64_t) WORD, R_X86_64_PC32));
  assert_int_equal (code->relas[i].r_addend, 40 - 4);
}

static void
check (const struct code *code, const char *bytes, size_t length)
{
  assert_int_equal (code->length, length);
  assert_memory_equal (code->bytes, bytes, length);
}

#define BYTES(text) text, sizeof text - 1
static const struct operand_rela nothing = { .at = NONE };

static struct operand_rela
pc32 (int at, int64_t addend)
{
  return (struct operand_rela){ at, R_X86_64_PC32, addend, true };
}

/* mov x(%rip),%eax: behind a gs prefix. */
static void
relative_operand (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x8b\x05\0\0\0\0"), pc32 (2, -4), nothing, &code));
  check (&code, BYTES ("\x65\x8b\x05\0\0\0\0"));
  assert_int_equal (code.rela_count, 1);
  assert_int_equal (code.relas[0].r_offset, 3);
  assert_int_equal (ELF64_R_TYPE (code.relas[0].r_info), R_X86_64_PC32);
  assert_int_equal (ELF64_R_SYM (code.relas[0].r_info), SYMBOL);
  assert_int_equal (code.relas[0].r_addend, -4);
  assert_int_equal (code.entry, ENTRY_JUMP);
}

/* Linked at a fixed address: an address without base and index, wherever the field is. REX.X would
   make the SIB byte mean another register. */
static void
absolute_operand (void **state)
{
  struct code code;

  (void) state;
  is_fixed = true;
  assert_null (rewrite (BYTES ("\x8b\x05\0\0\0\0"), pc32 (2, 8), nothing, &code));
  check (&code, BYTES ("\x65\x8b\x04\x25\0\0\0\0"));
  assert_int_equal (code.relas[0].r_offset, 4);
  assert_int_equal (code.relas[0].r_info, ELF64_R_INFO ((uint64_t) SYMBOL, R_X86_64_32S));
  assert_int_equal (code.relas[0].r_addend, 12);
  /* movl $0x12345678,x+16(%rip) */
  assert_null (rewrite (BYTES ("\xc7\x05\0\0\0\0\x78\x56\x34\x12"), pc32 (2, 8), nothing, &code));
  check (&code, BYTES ("\x65\xc7\x04\x25\0\0\0\0\x78\x56\x34\x12"));
  assert_int_equal (code.relas[0].r_addend, 16);
  assert_null (rewrite (BYTES ("\x4a\x8b\x05\0\0\0\0"), pc32 (3, -4), nothing, &code));
  check (&code, BYTES ("\x65\x4a\x8b\x05\0\0\0\0"));
  is_fixed = false;
}

/* The addend counts from the end of the instruction, wherever the field is. */
static void
addend_before_an_immediate (void **state)
{
  struct code code;

  (void) state;
  /* movl $0x12345678,x+16(%rip) */
  assert_null (rewrite (BYTES ("\xc7\x05\0\0\0\0\x78\x56\x34\x12"), pc32 (2, 8), nothing, &code));
  check (&code, BYTES ("\x65\xc7\x05\0\0\0\0\x78\x56\x34\x12"));
  assert_int_equal (code.relas[0].r_addend, 8);
  /* cmpb $3,x-1(%rip) */
  assert_null (rewrite (BYTES ("\x80\x3d\0\0\0\0\x03"), pc32 (2, -6), nothing, &code));
  assert_int_equal (code.relas[0].r_addend, -6);
}

/* mov x(,%rcx,8),%rax keeps its SIB byte. */
static void
indexed_operand (void **state)
{
  struct operand_rela absolute = { 4, R_X86_64_32S, 24, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x48\x8b\x04\xcd\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x65\x48\x8b\x04\xcd\0\0\0\0"));
  assert_int_equal (ELF64_R_TYPE (code.relas[0].r_info), R_X86_64_32S);
  assert_int_equal (code.relas[0].r_addend, 24);
}

/* Any number may be in a file: it is the linker that finds it too large. */
static void
largest_addend (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x8b\x05\0\0\0\0"), pc32 (2, INT64_MAX), nothing, &code));
  assert_int_equal (code.relas[0].r_addend, INT64_MAX);
}

/* lea x(%rip),%r12: mov %gs:word(%rip),%r12 */
static void
address (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x4c\x8d\x25\0\0\0\0"), pc32 (3, 4), nothing, &code));
  check (&code, BYTES ("\x65\x4c\x8b\x25\0\0\0\0"));
  check_word (&code, 0, 4, R_X86_64_64, 8);
}

/* lea x(%rax,%rcx,4),%rdx: the registers add to the word; in lea x(,%rcx,4),%rcx another
   register than %rcx holds it. */
static void
indexed_address (void **state)
{
  struct operand_rela absolute = { 4, R_X86_64_32S, 0, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x48\x8d\x94\x88\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x65\x48\x8b\x15\0\0\0\0"
                       "\x48\x8d\x94\x02\0\0\0\0"
                       "\x48\x8d\x94\x8a\0\0\0\0"));
  check_word (&code, 0, 4, R_X86_64_64, 0);
  assert_null (rewrite (BYTES ("\x48\x8d\x0c\x8d\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x48\x8d\xa4\x24\x80\xff\xff\xff\x41\x53"
                       "\x65\x4c\x8b\x1d\0\0\0\0"
                       "\x49\x8d\x8c\x8b\0\0\0\0"
                       "\x41\x5b\x48\x8d\xa4\x24\x80\0\0\0"));
}

/* mov $x,%edi fills the whole register, as the zero extension did. */
static void
immediate_address (void **state)
{
  struct operand_rela absolute = { 1, R_X86_64_32, 0, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\xbf\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x65\x48\x8b\x3d\0\0\0\0"));
  check_word (&code, 0, 4, R_X86_64_64, 0);
}

/* What compares or adds an immediate to a register takes the word as its operand. */
static void
immediate_of_a_register (void **state)
{
  struct operand_rela third = { 3, R_X86_64_32S, 8, true }, second = { 2, R_X86_64_32S, 8, true };
  struct code code;

  (void) state;
  /* cmp $x+8,%r9 */
  assert_null (rewrite (BYTES ("\x49\x81\xf9\0\0\0\0"), third, nothing, &code));
  check (&code, BYTES ("\x65\x4c\x3b\x0d\0\0\0\0"));
  check_word (&code, 0, 4, R_X86_64_64, 8);
  /* add $x+8,%rax */
  assert_null (rewrite (BYTES ("\x48\x05\0\0\0\0"), second, nothing, &code));
  check (&code, BYTES ("\x65\x48\x03\x05\0\0\0\0"));
  /* test $x+8,%edi */
  assert_null (rewrite (BYTES ("\xf7\xc7\0\0\0\0"), second, nothing, &code));
  check (&code, BYTES ("\x65\x40\x85\x3d\0\0\0\0"));
}

/* push $x, and push x@GOTPCREL(%rip) */
static void
pushed_address (void **state)
{
  struct operand_rela absolute = { 1, R_X86_64_32S, 0, true };
  struct operand_rela entry = { 2, R_X86_64_GOTPCREL, -4, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x68\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x65\xff\x35\0\0\0\0"));
  check_word (&code, 0, 3, R_X86_64_64, 0);
  assert_null (rewrite (BYTES ("\xff\x35\0\0\0\0"), entry, nothing, &code));
  check (&code, BYTES ("\x65\xff\x35\0\0\0\0"));
  check_word (&code, 0, 3, R_X86_64_64, 0);
}

/* What reads an entry of the GOT reads the word. */
static void
entry_of_the_got (void **state)
{
  struct operand_rela entry = { 3, R_X86_64_REX_GOTPCRELX, -4, true };
  struct code code;

  (void) state;
  /* cmp x@GOTPCREL(%rip),%rcx */
  assert_null (rewrite (BYTES ("\x48\x3b\x0d\0\0\0\0"), entry, nothing, &code));
  check (&code, BYTES ("\x65\x48\x3b\x0d\0\0\0\0"));
  check_word (&code, 0, 4, R_X86_64_64, 0);
}

/* movabs $x@GOTOFF,%rdx: the word has the offset. */
static void
offset_from_the_got (void **state)
{
  struct operand_rela offset = { 2, R_X86_64_GOTOFF64, 0, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x48\xba\0\0\0\0\0\0\0\0"), offset, nothing, &code));
  check (&code, BYTES ("\x65\x48\x8b\x15\0\0\0\0"));
  check_word (&code, 0, 4, R_X86_64_GOTOFF64, 0);
}

/* movq $y,x(%rip), only x private: y's relocation goes along. */
static void
other_relocation_moves (void **state)
{
  struct operand_rela text = { 7, R_X86_64_32S, 3, false };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x48\xc7\x05\0\0\0\0\0\0\0\0"), pc32 (3, -8), text, &code));
  check (&code, BYTES ("\x65\x48\xc7\x05\0\0\0\0\0\0\0\0"));
  assert_int_equal (code.rela_count, 2);
  assert_int_equal (code.relas[0].r_addend, -8);
  assert_int_equal (code.relas[1].r_offset, 8);
  assert_int_equal (ELF64_R_TYPE (code.relas[1].r_info), R_X86_64_32S);
  assert_int_equal (code.relas[1].r_addend, 3);
}

/* movabs x,%eax keeps the whole address: data of the large model may be anywhere. */
static void
long_absolute_operand (void **state)
{
  struct operand_rela absolute = { 1, R_X86_64_64, 8, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\xa1\0\0\0\0\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x65\xa1\0\0\0\0\0\0\0\0"));
  assert_int_equal (code.relas[0].r_offset, 2);
  assert_int_equal (ELF64_R_TYPE (code.relas[0].r_info), R_X86_64_64);
  assert_int_equal (code.relas[0].r_addend, 8);
}

/* vaddsd x(%rip),%xmm17,%xmm9 keeps the EVEX prefix; a REX.X that means nothing stays. */
static void
other_prefixes (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x62\x71\xf7\x00\x58\x0d\0\0\0\0"), pc32 (6, -4), nothing, &code));
  check (&code, BYTES ("\x65\x62\x71\xf7\x00\x58\x0d\0\0\0\0"));
  assert_null (rewrite (BYTES ("\x42\x8b\x05\0\0\0\0"), pc32 (3, -4), nothing, &code));
  check (&code, BYTES ("\x65\x42\x8b\x05\0\0\0\0"));
}

/* call *x(%rip) and jmp *x(%rip): the first is called, neither comes back. */
static void
branches (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\xff\x15\0\0\0\0"), pc32 (2, -4), nothing, &code));
  check (&code, BYTES ("\x65\xff\x25\0\0\0\0"));
  assert_int_equal (code.entry, ENTRY_CALL);
  assert_null (rewrite (BYTES ("\xff\x25\0\0\0\0"), pc32 (2, -4), nothing, &code));
  check (&code, BYTES ("\x65\xff\x25\0\0\0\0"));
  assert_int_equal (code.entry, ENTRY_TAIL);
}

/* An instruction with a gs prefix reaches the thread's copy as it is. */
static void
own_prefix (void **state)
{
  struct insn insn;

  (void) state;
  assert_true (decode_insn ((const uint8_t *) "\x65\x8b\x05\0\0\0\0", 7, &insn));
  assert_true (insn.is_private);
  assert_true (decode_insn ((const uint8_t *) "\x64\x8b\x05\0\0\0\0", 7, &insn));
  assert_false (insn.is_private);
}

static void
refusals (void **state)
{
  struct code code;
  struct operand_rela absolute = { 3, R_X86_64_32S, 0, true };
  struct operand_rela thread_local = { 2, R_X86_64_GOTTPOFF, -8, false };
  struct operand_rela immediate = { 6, R_X86_64_32, 0, true };

  (void) state;
  /* A segment of its own; a stack pointer. */
  assert_non_null (rewrite (BYTES ("\x64\x8b\x05\0\0\0\0"), pc32 (3, -4), nothing, &code));
  assert_non_null (rewrite (BYTES ("\x48\x8d\x25\0\0\0\0"), pc32 (3, -4), nothing, &code));
  /* An absolute relocation in a relative operand. */
  assert_non_null (rewrite (BYTES ("\x48\x8b\x05\0\0\0\0"), absolute, nothing, &code));
  /* cmpl $x,y@gottpoff(%rip): the linker knows such an operand in other instructions only. */
  assert_non_null (rewrite (BYTES ("\x81\x3d\0\0\0\0\0\0\0\0"), thread_local, immediate, &code));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (relative_operand),
    cmocka_unit_test (absolute_operand),
    cmocka_unit_test (addend_before_an_immediate),
    cmocka_unit_test (indexed_operand),
    cmocka_unit_test (address),
    cmocka_unit_test (indexed_address),
    cmocka_unit_test (immediate_address),
    cmocka_unit_test (immediate_of_a_register),
    cmocka_unit_test (pushed_address),
    cmocka_unit_test (entry_of_the_got),
    cmocka_unit_test (offset_from_the_got),
    cmocka_unit_test (other_relocation_moves),
    cmocka_unit_test (long_absolute_operand),
    cmocka_unit_test (other_prefixes),
    cmocka_unit_test (own_prefix),
    cmocka_unit_test (branches),
    cmocka_unit_test (refusals),
    cmocka_unit_test (largest_addend),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
