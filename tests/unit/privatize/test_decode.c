/* Instructions as decode.c describes them. */

#include "privatize/arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum
{
  RAX,
  RCX,
  RDX,
  RBX,
  R8 = 8,
  R11 = 11,
  NONE = NO_REGISTER
};

static struct insn
decode (const char *bytes, size_t length)
{
  struct insn insn;

  assert_true (decode_insn ((const uint8_t *) bytes, length, &insn));
  assert_int_equal (insn.outline.length, length);
  return insn;
}

#define DECODE(text) decode (text, sizeof text - 1)

/* What the instruction does with its operand. */
static void
forms (void **state)
{
  (void) state;
  assert_int_equal (DECODE ("\x8b\x05\0\0\0\0").target_insn.form, FORM_OTHER);
  assert_int_equal (DECODE ("\x89\x05\0\0\0\0").target_insn.form, FORM_OTHER);
  assert_int_equal (DECODE ("\x48\x8d\x05\0\0\0\0").target_insn.form, FORM_LEA);
  assert_int_equal (DECODE ("\xff\x15\0\0\0\0").target_insn.form, FORM_CALL);
  assert_int_equal (DECODE ("\xff\x25\0\0\0\0").target_insn.form, FORM_JUMP);
  assert_int_equal (DECODE ("\xff\x1d\0\0\0\0").target_insn.form, FORM_FAR_BRANCH);
  assert_int_equal (DECODE ("\xff\x35\0\0\0\0").target_insn.form, FORM_OTHER);
  assert_int_equal (DECODE ("\xff\x05\0\0\0\0").target_insn.form, FORM_OTHER);
  assert_int_equal (DECODE ("\x68\0\0\0\0").target_insn.form, FORM_PUSH_IMM);
  assert_int_equal (DECODE ("\xbf\0\0\0\0").target_insn.form, FORM_MOVE_IMM);
  assert_int_equal (DECODE ("\x48\xc7\xc7\0\0\0\0").target_insn.form, FORM_MOVE_IMM);
  assert_int_equal (DECODE ("\xa1\0\0\0\0\0\0\0\0").target_insn.form, FORM_MOFFS);
  /* bndmk 8(%rax),%bnd0 */
  assert_int_equal (DECODE ("\xf3\x0f\x1b\x40\x08").target_insn.form, FORM_BOUNDS);
}

/* addq $y, x(%rcx,%r8,4) */
static void
operands (void **state)
{
  struct insn insn = DECODE ("\x4a\x81\x84\x81\0\0\0\0\0\0\0\0");

  (void) state;
  assert_int_equal (insn.outline.disp.at, 4);
  assert_int_equal (insn.outline.disp.bits, 32);
  assert_int_equal (insn.outline.imm.at, 8);
  assert_int_equal (insn.outline.imm.bits, 32);
  assert_int_equal (insn.target_insn.base, RCX);
  assert_int_equal (insn.target_insn.index, R8);
  assert_int_equal (insn.target_insn.scale, 2);
  assert_int_equal (insn.target_insn.operand_bits, 64);
  assert_int_equal (insn.target_insn.register_opcode, 0x01);
  assert_int_equal (insn.target_insn.used, 1u << RCX | 1u << R8 | 1u << RSP);
  assert_false (insn.is_pc_relative);
  assert_false (insn.target_insn.uses_stack_pointer);
}

/* Registers that an instruction leaves nothing of, and copies of 32 bits. */
static void
registers (void **state)
{
  struct insn copy = DECODE ("\x41\x89\xcb"); /* mov %ecx,%r11d */
  struct insn load = DECODE ("\x44\x8b\xd9"); /* the same */
  struct insn narrow = DECODE ("\x88\xcb");   /* mov %cl,%bl */
  struct insn wide = DECODE ("\x49\x89\xcb"); /* mov %rcx,%r11 */

  (void) state;
  assert_int_equal (copy.target_insn.copy_from, RCX);
  assert_int_equal (copy.target_insn.copy_to, R11);
  assert_int_equal (copy.target_insn.written, 1u << R11);
  assert_int_equal (load.target_insn.copy_from, RCX);
  assert_int_equal (load.target_insn.copy_to, R11);
  assert_int_equal (narrow.target_insn.copy_from, NONE);
  assert_int_equal (narrow.target_insn.written, 0);
  assert_int_equal (narrow.target_insn.used, 1u << RCX | 1u << RBX | 1u << RSP);
  assert_int_equal (wide.target_insn.copy_from, NONE);
  assert_true (DECODE ("\x48\x01\xe0").target_insn.uses_stack_pointer);
}

/* Where control goes, and what may be copied. */
static void
flows (void **state)
{
  struct insn jump = DECODE ("\xeb\xfe"), test = DECODE ("\x0f\x84\x0a\0\0\0");

  (void) state;
  assert_int_equal (jump.flow, FLOW_JUMP);
  assert_int_equal (jump.target, 0);
  assert_int_equal (test.flow, FLOW_CONDITIONAL);
  assert_int_equal (test.condition, 4);
  assert_int_equal (test.target, 16);
  assert_true (test.has_relative_imm);
  assert_int_equal (DECODE ("\xe8\0\0\0\0").flow, FLOW_CALL);
  assert_int_equal (DECODE ("\xff\xd0").flow, FLOW_INDIRECT);
  assert_int_equal (DECODE ("\xc3").flow, FLOW_RETURN);
  assert_int_equal (DECODE ("\x5b").flow, FLOW_EPILOGUE);
  assert_int_equal (DECODE ("\xc9").flow, FLOW_EPILOGUE);
  assert_int_equal (DECODE ("\x48\x83\xc4\x08").flow, FLOW_EPILOGUE);
  assert_int_equal (DECODE ("\x01\xc8").flow, FLOW_COPYABLE);
  assert_int_equal (DECODE ("\x53").flow, FLOW_FIXED);
  assert_int_equal (DECODE ("\x48\x89\xe5").flow, FLOW_FIXED);
  assert_int_equal (DECODE ("\x0f\x0b").flow, FLOW_FIXED);
  assert_int_equal (DECODE ("\x0f\x05").flow, FLOW_FIXED);
  assert_int_equal (DECODE ("\xe3\0").flow, FLOW_FIXED);
}

/* movabs $INT64_MAX,%rax: no branch, and nothing overflows. */
static void
largest_immediate (void **state)
{
  struct insn insn = DECODE ("\x48\xb8\xff\xff\xff\xff\xff\xff\xff\x7f");

  (void) state;
  assert_int_equal (insn.outline.imm.bits, 64);
  assert_false (insn.has_relative_imm);
}

static void
no_instructions (void **state)
{
  struct outline outline;
  struct insn insn;

  (void) state;
  assert_false (outline_insn ((const uint8_t *) "\x8b\x05\0", 3, &outline));
  assert_false (decode_insn ((const uint8_t *) "\x06", 1, &insn));
  assert_true (outline_insn ((const uint8_t *) "\x90\x06", 2, &outline));
  assert_int_equal (outline.length, 1);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (forms),
                                      cmocka_unit_test (operands),
                                      cmocka_unit_test (registers),
                                      cmocka_unit_test (flows),
                                      cmocka_unit_test (largest_immediate),
                                      cmocka_unit_test (no_instructions) };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
