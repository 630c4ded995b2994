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
  SYMBOL = 5
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

static const char *
rewrite (const char *bytes, size_t length, struct operand_rela first, struct operand_rela second,
         struct code *code)
{
  struct site site = { 0 };

  assert_true (decode_insn ((const uint8_t *) bytes, length, &site.insn));
  assert_int_equal (site.insn.outline.length, length);
  set_field (&site, &first, &relas[0]);
  if (second.at != NONE)
    set_field (&site, &second, &relas[1]);
  return rewrite_insn (&site, code);
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

/* mov x(%rip),%eax: one SIB byte more, behind an fs prefix. */
static void
relative_operand (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x8b\x05\0\0\0\0"), pc32 (2, -4), nothing, &code));
  check (&code, BYTES ("\x64\x8b\x04\x25\0\0\0\0"));
  assert_int_equal (code.rela_count, 1);
  assert_int_equal (code.relas[0].r_offset, 4);
  assert_int_equal (ELF64_R_TYPE (code.relas[0].r_info), R_X86_64_TPOFF32);
  assert_int_equal (ELF64_R_SYM (code.relas[0].r_info), SYMBOL);
  assert_int_equal (code.relas[0].r_addend, 0);
  assert_int_equal (code.entry, ENTRY_JUMP);
}

/* The addend counts from the end of the instruction, wherever the field is. */
static void
addend_before_an_immediate (void **state)
{
  struct code code;

  (void) state;
  /* movl $0x12345678,x+16(%rip) */
  assert_null (rewrite (BYTES ("\xc7\x05\0\0\0\0\x78\x56\x34\x12"), pc32 (2, 8), nothing, &code));
  check (&code, BYTES ("\x64\xc7\x04\x25\0\0\0\0\x78\x56\x34\x12"));
  assert_int_equal (code.relas[0].r_addend, 16);
  /* cmpb $3,x-1(%rip) */
  assert_null (rewrite (BYTES ("\x80\x3d\0\0\0\0\x03"), pc32 (2, -6), nothing, &code));
  assert_int_equal (code.relas[0].r_addend, -1);
}

/* mov x(,%rcx,8),%rax keeps its SIB byte. */
static void
indexed_operand (void **state)
{
  struct operand_rela absolute = { 4, R_X86_64_32S, 24, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x48\x8b\x04\xcd\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x64\x48\x8b\x04\xcd\0\0\0\0"));
  assert_int_equal (code.relas[0].r_addend, 24);
}

/* Any number may be in a file: it is the linker that finds it too large. */
static void
largest_addend (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x8b\x05\0\0\0\0"), pc32 (2, INT64_MAX), nothing, &code));
  assert_int_equal (code.relas[0].r_addend, INT64_MIN + 3);
}

/* lea x(%rip),%r12 */
static void
address (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x4c\x8d\x25\0\0\0\0"), pc32 (3, 4), nothing, &code));
  check (&code, BYTES ("\x64\x4c\x8b\x24\x25\0\0\0\0\x4d\x8d\xa4\x24\0\0\0\0"));
  assert_int_equal (code.relas[0].r_offset, 13);
  assert_int_equal (code.relas[0].r_addend, 8);
}

/* mov $x,%edi fills the whole register, as the zero extension did. */
static void
immediate_address (void **state)
{
  struct operand_rela absolute = { 1, R_X86_64_32, 0, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\xbf\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x64\x48\x8b\x3c\x25\0\0\0\0\x48\x8d\xbf\0\0\0\0"));
}

/* movq $y,x(%rip), only x private: y's relocation goes along. */
static void
other_relocation_moves (void **state)
{
  struct operand_rela text = { 7, R_X86_64_32S, 3, false };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x48\xc7\x05\0\0\0\0\0\0\0\0"), pc32 (3, -8), text, &code));
  check (&code, BYTES ("\x64\x48\xc7\x04\x25\0\0\0\0\0\0\0\0"));
  assert_int_equal (code.rela_count, 2);
  assert_int_equal (code.relas[1].r_offset, 9);
  assert_int_equal (ELF64_R_TYPE (code.relas[1].r_info), R_X86_64_32S);
  assert_int_equal (code.relas[1].r_addend, 3);
}

/* movabs x,%eax shrinks, so that it fits in its place. */
static void
long_absolute_operand (void **state)
{
  struct operand_rela absolute = { 1, R_X86_64_64, 8, true };
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\xa1\0\0\0\0\0\0\0\0"), absolute, nothing, &code));
  check (&code, BYTES ("\x64\x8b\x04\x25\0\0\0\0"));
}

/* vaddsd x(%rip),%xmm17,%xmm9 keeps the EVEX prefix. */
static void
vector_prefix (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\x62\x71\xf7\x00\x58\x0d\0\0\0\0"), pc32 (6, -4), nothing, &code));
  check (&code, BYTES ("\x64\x62\x71\xf7\x00\x58\x0c\x25\0\0\0\0"));
}

/* call *x(%rip) and jmp *x(%rip): the first is called, neither comes back. */
static void
branches (void **state)
{
  struct code code;

  (void) state;
  assert_null (rewrite (BYTES ("\xff\x15\0\0\0\0"), pc32 (2, -4), nothing, &code));
  check (&code, BYTES ("\x64\xff\x24\x25\0\0\0\0"));
  assert_int_equal (code.entry, ENTRY_CALL);
  assert_null (rewrite (BYTES ("\xff\x25\0\0\0\0"), pc32 (2, -4), nothing, &code));
  check (&code, BYTES ("\x64\xff\x24\x25\0\0\0\0"));
  assert_int_equal (code.entry, ENTRY_TAIL);
}

static void
refusals (void **state)
{
  struct code code;
  struct operand_rela absolute = { 3, R_X86_64_32S, 0, true };
  struct operand_rela thread_local = { 2, R_X86_64_GOTTPOFF, -8, false };
  struct operand_rela immediate = { 6, R_X86_64_32, 0, true };

  (void) state;
  /* A segment of its own; a REX.X that means nothing yet; a stack pointer. */
  assert_non_null (rewrite (BYTES ("\x65\x8b\x05\0\0\0\0"), pc32 (3, -4), nothing, &code));
  assert_non_null (rewrite (BYTES ("\x42\x8b\x05\0\0\0\0"), pc32 (3, -4), nothing, &code));
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
    cmocka_unit_test (addend_before_an_immediate),
    cmocka_unit_test (indexed_operand),
    cmocka_unit_test (address),
    cmocka_unit_test (immediate_address),
    cmocka_unit_test (other_relocation_moves),
    cmocka_unit_test (long_absolute_operand),
    cmocka_unit_test (vector_prefix),
    cmocka_unit_test (branches),
    cmocka_unit_test (refusals),
    cmocka_unit_test (largest_addend),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
