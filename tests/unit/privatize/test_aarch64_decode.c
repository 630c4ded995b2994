/* Instructions of aarch64 as decode.c describes them. */

#include "privatize/arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct row
{
  const char *text;
  uint32_t word;
  enum flow flow;
  enum form form;
  uint32_t used; /* 31 is not looked at */
};

#define R(n) (1u << (n))

/* clang-format off */
static const struct row rows[] = {
  { "adr x1, .", 0x10000001, FLOW_COPYABLE, FORM_ADDRESS, R (1) },
  { "adrp x17, .", 0x90000011, FLOW_COPYABLE, FORM_PAGE, R (17) },
  { "add x1, x2, #1", 0x91000441, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) },
  { "add sp, sp, #16", 0x910043ff, FLOW_EPILOGUE, FORM_OTHER, 0 },
  { "sub sp, sp, #16", 0xd10043ff, FLOW_FIXED, FORM_OTHER, 0 },
  { "cmp sp, #16", 0xf10043ff, FLOW_COPYABLE, FORM_OTHER, 0 },
  { "mov x29, sp", 0x910003fd, FLOW_FIXED, FORM_OTHER, R (29) },
  { "mov sp, x29", 0x910003bf, FLOW_EPILOGUE, FORM_OTHER, R (29) },
  { "and sp, x9, #~15", 0x927ced3f, FLOW_FIXED, FORM_OTHER, R (9) },
  { "tst x9, #15", 0xf2400d3f, FLOW_COPYABLE, FORM_OTHER, R (9) },
  { "movz x3, #1", 0xd2800023, FLOW_COPYABLE, FORM_MOVE, R (3) },
  { "movk x3, #1, lsl 16", 0xf2a00023, FLOW_COPYABLE, FORM_MOVE, R (3) },
  { "ubfx x1, x2, #3, #4", 0xd3431841, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) },
  { "extr x1, x2, x16, #3", 0x93d00c41, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) | R (16) },
  { "ldr x0, [x16]", 0xf9400200, FLOW_COPYABLE, FORM_LOAD, R (0) | R (16) },
  { "str w0, [x1, #4]", 0xb9000420, FLOW_COPYABLE, FORM_LOAD, R (0) | R (1) },
  { "ldr q16, [x1]", 0x3dc00030, FLOW_COPYABLE, FORM_OTHER, R (1) },
  { "ldp x1, x17, [x2]", 0xa9404441, FLOW_COPYABLE, FORM_OTHER, R (1) | R (17) | R (2) },
  { "ldp q16, q17, [x2]", 0xad404450, FLOW_COPYABLE, FORM_OTHER, R (2) },
  { "ldp x29, x30, [sp], #16", 0xa8c17bfd, FLOW_EPILOGUE, FORM_OTHER, R (29) | R (30) },
  { "stp x29, x30, [sp, #-16]!", 0xa9bf7bfd, FLOW_FIXED, FORM_OTHER, R (29) | R (30) },
  { "ldr x19, [sp], #16", 0xf84107f3, FLOW_EPILOGUE, FORM_OTHER, R (19) },
  { "str x19, [sp, #-16]!", 0xf81f0ff3, FLOW_FIXED, FORM_OTHER, R (19) },
  { "stp x19, x20, [sp, #16]", 0xa90153f3, FLOW_COPYABLE, FORM_OTHER, R (19) | R (20) },
  { "ldr x1, [x2, x16]", 0xf8706841, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) | R (16) },
  { "ldr d16, [x2, x3]", 0xfc636850, FLOW_COPYABLE, FORM_OTHER, R (2) | R (3) },
  { "ldur x1, [x2, #-8]", 0xf85f8041, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) },
  { "ldadd x16, x2, [x3]", 0xf8300062, FLOW_COPYABLE, FORM_OTHER, R (16) | 0xffu << 2 | R (3) },
  { "ldr x0, .+8", 0x58000040, FLOW_COPYABLE, FORM_LITERAL, R (0) },
  { "ldr q16, .+8", 0x9c000050, FLOW_COPYABLE, FORM_LITERAL, 0 },
  { "ldapur x16, [x2]", 0xd9400050, FLOW_COPYABLE, FORM_OTHER, R (16) | R (2) | R (0) },
  { "ldxr x1, [x16]", 0xc85f7e01, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) | R (16) | R (17) },
  { "ld1 {v16.4s}, [x1], x17", 0x4cd17830, FLOW_COPYABLE, FORM_OTHER, R (1) | R (17) },
  { "add x1, x2, x16", 0x8b100041, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) | R (16) },
  { "mov x1, x17", 0xaa1103e1, FLOW_COPYABLE, FORM_OTHER, R (1) | R (17) },
  { "ccmp x1, x16, #1, eq", 0xfa500021, FLOW_COPYABLE, FORM_OTHER, R (1) | R (16) },
  { "csel x1, x2, x16, eq", 0x9a900041, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) | R (16) },
  { "madd x1, x2, x3, x17", 0x9b034441, FLOW_COPYABLE, FORM_OTHER, R (1) | R (2) | R (3) | R (17) },
  { "b.ne .+8", 0x54000041, FLOW_CONDITIONAL, FORM_BRANCH, 0 },
  { "b.al .+8", 0x5400004e, FLOW_JUMP, FORM_BRANCH, 0 },
  { "cbz x16, .+8", 0xb4000050, FLOW_CONDITIONAL, FORM_BRANCH, R (16) },
  { "tbnz w17, #3, .+8", 0x37180051, FLOW_CONDITIONAL, FORM_BRANCH, R (17) },
  { "b .+8", 0x14000002, FLOW_JUMP, FORM_BRANCH, 0 },
  { "bl .+8", 0x94000002, FLOW_CALL, FORM_BRANCH, 0 },
  { "br x16", 0xd61f0200, FLOW_INDIRECT, FORM_OTHER, R (16) | R (0) },
  { "blr x2", 0xd63f0040, FLOW_INDIRECT, FORM_OTHER, R (2) | R (0) },
  { "ret", 0xd65f03c0, FLOW_RETURN, FORM_OTHER, R (30) },
  { "retaa", 0xd65f0bff, FLOW_INDIRECT, FORM_OTHER, 0 },
  { "paciasp", 0xd503233f, FLOW_FIXED, FORM_OTHER, 0 },
  { "bti c", 0xd503245f, FLOW_FIXED, FORM_OTHER, 0 },
  { "autia1716", 0xd503219f, FLOW_FIXED, FORM_OTHER, R (16) | R (17) },
  { "mrs x1, tpidr_el0", 0xd53bd041, FLOW_COPYABLE, FORM_OTHER, R (1) },
  { "dmb ish", 0xd5033bbf, FLOW_COPYABLE, FORM_OTHER, 0 },
  { "svc #0", 0xd4000001, FLOW_FIXED, FORM_OTHER, 0 },
  { "brk #1", 0xd4200020, FLOW_FIXED, FORM_OTHER, 0 },
  { "fmov x1, d16", 0x9e660201, FLOW_COPYABLE, FORM_OTHER, R (1) | R (16) },
  { "fadd d16, d17, d18", 0x1e722a30, FLOW_COPYABLE, FORM_OTHER, 0 },
  { "dup v0.4s, w16", 0x4e040e00, FLOW_COPYABLE, FORM_OTHER, R (0) | R (16) },
  { "add v16.4s, v17.4s, v0.4s", 0x4ea08630, FLOW_COPYABLE, FORM_OTHER, 0 },
};
/* clang-format on */

static struct insn
decode (uint32_t word)
{
  static uint8_t bytes[sizeof word];
  struct insn insn;

  memcpy (bytes, &word, sizeof word);
  assert_true (decode_insn (bytes, sizeof bytes, &insn));
  assert_int_equal (insn.outline.length, sizeof word);
  return insn;
}

static void
instructions (void **state)
{
  (void) state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      struct insn insn = decode (rows[i].word);
      print_message ("%s\n", rows[i].text);
      assert_int_equal (insn.flow, rows[i].flow);
      assert_int_equal (insn.target_insn.form, rows[i].form);
      assert_int_equal (insn.target_insn.used & ~R (31), rows[i].used);
    }
}

static void
branches_lead_to_their_targets (void **state)
{
  (void) state;
  assert_int_equal (decode (0x14000002).target, 8);
  assert_int_equal (decode (0x17ffffff).target, -4);
  assert_int_equal (decode (0x54ffffe1).target, -4);
  assert_int_equal (decode (0x54000041).target, 8);
  assert_int_equal (decode (0xb5ffffe0).target, -4);
  assert_int_equal (decode (0x3707ffe0).target, -4);
  assert_int_equal (decode (0x58ffffe0).target, -4);
  assert_int_equal (decode (0x70ffffe0).target, -1);
}

static void
conditions_have_opposites (void **state)
{
  (void) state;
  assert_int_equal (decode (0x54000041).condition, 0x54000001);
  assert_int_equal (opposite_condition (0x54000001), 0x54000000);
  assert_int_equal (opposite_condition (decode (0xb4000050).condition), 0xb5000010);
  assert_int_equal (opposite_condition (decode (0x371fffd1).condition), 0x36180011);
}

static void
what_is_no_instruction_is_not_decoded (void **state)
{
  static const uint8_t bytes[4] = { 1 }, reserved[4] = { 0, 0, 0, 2 };
  struct outline outline;
  struct insn insn;

  (void) state;
  assert_false (decode_insn (bytes, sizeof bytes, &insn));
  assert_false (outline_insn (bytes, sizeof bytes, &outline));
  assert_false (outline_insn (reserved, sizeof reserved, &outline));
  assert_false (decode_insn ((const uint8_t *) "\x02\0\0\x14", 3, &insn));
}

static void
free_registers_are_those_that_nobody_mentions (void **state)
{
  static const uint32_t none[] = { 0xd65f03c0 }, one[] = { 0xd65f03c0, 0xaa1103e1 },
                        both[] = { 0xb4000050, 0xaa1103e1 };

  (void) state;
  assert_int_equal (free_registers ((const uint8_t *) none, sizeof none), R (16) | R (17));
  assert_int_equal (free_registers ((const uint8_t *) one, sizeof one), R (16));
  assert_int_equal (free_registers ((const uint8_t *) both, sizeof both), 0);
}

int
main (void)
{
  const struct CMUnitTest tests[]
      = { cmocka_unit_test (instructions), cmocka_unit_test (branches_lead_to_their_targets),
          cmocka_unit_test (conditions_have_opposites),
          cmocka_unit_test (what_is_no_instruction_is_not_decoded),
          cmocka_unit_test (free_registers_are_those_that_nobody_mentions) };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
