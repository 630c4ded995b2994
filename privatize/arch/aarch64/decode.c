/* Decodes an instruction into struct insn, with a table of masks. The table has only what this
   tool needs to know: which fields are general registers, where a branch leads, what can be
   copied. All instructions have four bytes, so an unknown one does not put the decoder out of
   step. A disassembler library would have to know every extension of the architecture. Over
   glibc's text this takes 34 ns for an instruction, Capstone 4 with its details 2200 ns. */

#include "privatize/arch/arch.h"

#include <stdio.h>
#include <string.h>

/* Fields that are, or may be, numbers of general registers. */
enum
{
  D = 1 << 0,         /* bits 0 to 4, */
  N = 1 << 1,         /* 5 to 9, */
  A = 1 << 2,         /* 10 to 14, */
  M = 1 << 3,         /* 16 to 20 */
  PAIRS = 1 << 4,     /* with the next one, */
  EIGHT = 1 << 5,     /* D with the next seven */
  X16_X17 = 1 << 6,   /* those, without a field */
  ALL = D | N | A | M /* what little is known */
};

struct row
{
  uint32_t mask, value;
  unsigned registers;
  enum flow flow;
  enum form form;
};

#define FIXED FLOW_FIXED
#define COPY FLOW_COPYABLE

/* The first row that fits counts. */
/* clang-format off */
static const struct row rows[] = {
  /* immediates */
  { 0x9f000000, 0x10000000, D,         COPY, FORM_ADDRESS },
  { 0x9f000000, 0x90000000, D,         COPY, FORM_PAGE },
  { 0x1f000000, 0x11000000, D | N,     COPY, FORM_OTHER },   /* ADD, SUB */
  { 0x1f800000, 0x12000000, D | N,     COPY, FORM_OTHER },   /* AND, ORR, EOR */
  { 0x1f800000, 0x12800000, D,         COPY, FORM_MOVE },
  { 0x1f800000, 0x13000000, D | N,     COPY, FORM_OTHER },   /* UBFM and so on */
  { 0x1f800000, 0x13800000, D | N | M, COPY, FORM_OTHER },   /* EXTR */
  /* loads and stores */
  { 0x3f000000, 0x39000000, D | N,     COPY, FORM_LOAD },
  { 0x3f000000, 0x3d000000, N,         COPY, FORM_OTHER },
  { 0x3e000000, 0x28000000, D | N | A, COPY, FORM_OTHER },   /* LDP, STP */
  { 0x3e000000, 0x2c000000, N,         COPY, FORM_OTHER },
  { 0x3f200c00, 0x38200800, D | N | M, COPY, FORM_OTHER },   /* with a register as offset */
  { 0x3f200c00, 0x3c200800, N | M,     COPY, FORM_OTHER },
  { 0x3f200000, 0x38000000, D | N,     COPY, FORM_OTHER },   /* LDUR, and with writeback */
  { 0x3f200000, 0x3c000000, N,         COPY, FORM_OTHER },
  { 0x3f200c00, 0x38200000, D | N | M | EIGHT, COPY, FORM_OTHER }, /* LDADD, LD64B and so on */
  { 0x3f200000, 0x38200000, D | N,     COPY, FORM_OTHER },   /* LDRAA */
  { 0x3f000000, 0x18000000, D,         COPY, FORM_LITERAL },
  { 0x3f000000, 0x1c000000, 0,         COPY, FORM_LITERAL },
  { 0x3b000000, 0x19000000, D | N | M, COPY, FORM_OTHER },   /* LDAPUR, STG, CPYF */
  { 0x3f000000, 0x08000000, ALL | PAIRS, COPY, FORM_OTHER }, /* LDXR, LDAR, CAS */
  { 0xbe000000, 0x0c000000, N | M,     COPY, FORM_OTHER },   /* LD1 and so on */
  /* registers */
  { 0x1e000000, 0x0a000000, D | N | M, COPY, FORM_OTHER },   /* AND, ADD and so on */
  { 0x1fe00000, 0x1a400000, N | M,     COPY, FORM_OTHER },   /* CCMP */
  { 0x1f000000, 0x1a000000, D | N | M, COPY, FORM_OTHER },   /* CSEL, UDIV, RBIT */
  { 0x1f000000, 0x1b000000, ALL,       COPY, FORM_OTHER },   /* MADD */
  /* branches */
  { 0xff00000e, 0x5400000e, 0,         FLOW_JUMP, FORM_BRANCH }, /* B.AL */
  { 0xff000000, 0x54000000, 0,         FLOW_CONDITIONAL, FORM_BRANCH },
  { 0x7c000000, 0x34000000, D,         FLOW_CONDITIONAL, FORM_BRANCH }, /* CBZ, TBZ */
  { 0xfc000000, 0x14000000, 0,         FLOW_JUMP, FORM_BRANCH },
  { 0xfc000000, 0x94000000, 0,         FLOW_CALL, FORM_BRANCH },
  { 0xfffffc1f, 0xd65f0000, N,         FLOW_RETURN, FORM_OTHER },
  { 0xfe000000, 0xd6000000, D | N,     FLOW_INDIRECT, FORM_OTHER },
  /* the system */
  { 0xffffff3f, 0xd503211f, X16_X17,   FIXED, FORM_OTHER },  /* PACIA1716 */
  { 0xffffffff, 0xd503251f, X16_X17,   FIXED, FORM_OTHER },  /* CHKFEAT */
  { 0xfffff01f, 0xd503201f, 0,         FIXED, FORM_OTHER },  /* NOP, BTI, PACIASP, WFE */
  { 0xffc00000, 0xd5000000, D,         COPY, FORM_OTHER },   /* MRS, DMB */
  { 0xff000000, 0xd4000000, 0,         FIXED, FORM_OTHER },  /* SVC, BRK */
  /* vectors */
  { 0x7f20fc00, 0x1e200000, D | N,     COPY, FORM_OTHER },   /* FMOV, SCVTF and so on */
  { 0x7f200000, 0x1e000000, D | N,     COPY, FORM_OTHER },
  { 0x9fe08400, 0x0e000400, D | N,     COPY, FORM_OTHER },   /* DUP, INS, UMOV */
  { 0x0e000000, 0x0e000000, 0,         COPY, FORM_OTHER },
  { 0x1e000000, 0x04000000, ALL,       FIXED, FORM_OTHER },  /* SVE */
  { 0x9e000000, 0x80000000, ALL,       FIXED, FORM_OTHER },  /* SME */
  { 0xffffffff, 0x00000000, 0,         FIXED, FORM_OTHER },  /* UDF #0: padding of this tool's own */
};
/* clang-format on */

static unsigned
bits (uint32_t word, unsigned from, unsigned count)
{
  return word >> from & ((1u << count) - 1);
}

/* COUNT bits from FROM, a number with a sign, times 4. */
static int64_t
offset_in (uint32_t word, unsigned from, unsigned count)
{
  int32_t top = (int32_t) (word << (32 - from - count));

  return (int64_t) (top >> (32 - count)) * 4;
}

static const struct row *
find_row (uint32_t word)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if ((word & rows[i].mask) == rows[i].value)
      return &rows[i];
  return NULL;
}

/* A bit for each general register that WORD may mention; 31 is the stack pointer or zero. */
static uint32_t
registers_in (uint32_t word, unsigned fields)
{
  uint32_t d = 1u << bits (word, 0, 5), used = 0;

  if (fields & D)
    used |= d;
  if (fields & N)
    used |= 1u << bits (word, 5, 5);
  if (fields & A)
    used |= 1u << bits (word, 10, 5);
  if (fields & M)
    used |= 1u << bits (word, 16, 5);
  if (fields & PAIRS)
    used |= used << 1;
  if (fields & EIGHT)
    used |= d * 0xff;
  if (fields & X16_X17)
    used |= 3u << 16;
  return used;
}

/* What sets up a frame stays where the unwind table describes it. What takes it down is an
   epilogue. */
static enum flow
flow_with_frame (uint32_t word)
{
  bool is_load = bits (word, 22, 1), is_pair = (word & 0x3a000000) == 0x28000000;
  bool is_single = (word & 0x3b200400) == 0x38000400; /* with writeback */

  if ((word & 0x1f000000) == 0x11000000 && bits (word, 0, 5) == SP && !bits (word, 29, 1))
    return bits (word, 30, 1) ? FLOW_FIXED : FLOW_EPILOGUE;
  if ((word & 0x1f800000) == 0x12000000 && bits (word, 0, 5) == SP && bits (word, 29, 2) != 3)
    return FLOW_FIXED;
  if (((is_pair && bits (word, 23, 1)) || is_single) && bits (word, 5, 5) == SP)
    return is_load ? FLOW_EPILOGUE : FLOW_FIXED;
  /* mov x29, sp */
  return (word & 0x1f00001f) == 0x1100001d ? FLOW_FIXED : FLOW_COPYABLE;
}

static void
decode_branch (uint32_t word, struct insn *insn)
{
  bool tests_bit = (word & 0x7e000000) == 0x36000000;

  if ((word & 0x7c000000) == 0x14000000)
    insn->target = offset_in (word, 0, 26);
  else
    insn->target = offset_in (word, 5, tests_bit ? 14 : 19);
  insn->condition = word & ~(tests_bit ? 0x7ffe0u : 0xffffe0u);
}

bool
outline_insn (const uint8_t *bytes, size_t limit, struct outline *outline)
{
  uint32_t word;

  *outline = (struct outline){ .length = sizeof word, .disp = { 0, 32 } };
  if (limit < sizeof word)
    return false;
  memcpy (&word, bytes, sizeof word);
  return find_row (word);
}

bool
decode_insn (const uint8_t *bytes, size_t limit, struct insn *insn)
{
  const struct row *row;
  uint32_t word;

  if (limit < sizeof word)
    return false;
  memcpy (&word, bytes, sizeof word);
  row = find_row (word);
  if (!row)
    return false;
  *insn = (struct insn){ .bytes = bytes,
                         .outline = { .length = sizeof word, .disp = { 0, 32 } },
                         .flow = row->flow };
  insn->target_insn = (struct target_insn){ .form = row->form,
                                            .word = word,
                                            .used = registers_in (word, row->registers),
                                            .to = (int8_t) bits (word, 0, 5),
                                            .base = (int8_t) bits (word, 5, 5) };
  if (row->flow == FLOW_COPYABLE)
    insn->flow = flow_with_frame (word);
  if (row->form == FORM_BRANCH)
    decode_branch (word, insn);
  insn->is_literal = row->form == FORM_LITERAL || row->form == FORM_ADDRESS;
  if (row->form == FORM_LITERAL)
    insn->target = offset_in (word, 5, 19);
  else if (row->form == FORM_ADDRESS)
    insn->target = offset_in (word, 5, 19) | bits (word, 29, 2);
  insn->is_pc_relative = insn->is_literal || row->form == FORM_PAGE;
  return true;
}

uint32_t
free_registers (const uint8_t *bytes, size_t size)
{
  uint32_t free = 3u << 16, word;

  for (size_t at = 0; free && at + sizeof word <= size; at += sizeof word)
    {
      const struct row *row;
      memcpy (&word, bytes + at, sizeof word);
      row = find_row (word);
      free &= ~registers_in (word, row ? row->registers : 0);
    }
  return free;
}

/* The name of those that have relocations; others are numbers. */
static const char *
mnemonic (const struct insn *insn)
{
  static const char *const forms[]
      = { [FORM_PAGE] = "adrp", [FORM_ADDRESS] = "adr", [FORM_LITERAL] = "ldr",
          [FORM_LOAD] = "ldr",  [FORM_MOVE] = "mov",    [FORM_BRANCH] = "b" };

  return insn->flow == FLOW_CALL ? "bl" : forms[insn->target_insn.form];
}

void
print_insn (const struct insn *insn, char *text, size_t size)
{
  const struct target_insn *x = &insn->target_insn;
  const char *name = mnemonic (insn);

  if (!name)
    snprintf (text, size, ".inst 0x%08x", x->word);
  else if (insn->flow == FLOW_CALL || insn->flow == FLOW_JUMP || insn->flow == FLOW_CONDITIONAL)
    snprintf (text, size, "%s", name);
  else
    snprintf (text, size, "%s x%d", name, x->to);
}
