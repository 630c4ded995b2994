/* The table of relocation types of aarch64: each row says what the ABI's document says of the type,
   and what upc-privatize does with it. A new type is a row there and a row here. */

#include "privatize/arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum
{
  ADDRESS = 1,
  RELATIVE = 2,
  POINTER = 4,
  MOVES = 8
};

struct row
{
  uint32_t number;
  const char *name;
  enum reloc_kind kind;
  unsigned bytes;
  unsigned questions; /* makes_address, is_relative, is_pointer, can_move */
  unsigned fields;
};

#define TYPE(name) R_AARCH64_##name, "R_AARCH64_" #name
#define BOTH (ADDRESS | RELATIVE)

/* clang-format off */
static const struct row rows[] = {
  { TYPE (NONE), RELOC_NONE, 0, 0, 0 },
  { TYPE (ABS64), RELOC_ABSOLUTE, 8, ADDRESS | POINTER, 0 },
  { TYPE (ABS32), RELOC_ABSOLUTE, 4, ADDRESS, 0 },
  { TYPE (ABS16), RELOC_ABSOLUTE, 2, ADDRESS, 0 },
  { TYPE (PREL64), RELOC_PC_RELATIVE, 8, BOTH, 0 },
  { TYPE (PREL32), RELOC_PC_RELATIVE, 4, BOTH, 0 },
  { TYPE (PREL16), RELOC_PC_RELATIVE, 2, BOTH, 0 },
  { TYPE (MOVW_UABS_G0), RELOC_ABSOLUTE, 4, ADDRESS | MOVES, FIELD_MOVE },
  { TYPE (MOVW_UABS_G3), RELOC_ABSOLUTE, 4, ADDRESS | MOVES, FIELD_MOVE },
  { TYPE (MOVW_SABS_G2), RELOC_ABSOLUTE, 4, ADDRESS | MOVES, FIELD_MOVE },
  { TYPE (MOVW_PREL_G0), RELOC_PC_RELATIVE, 4, BOTH, 0 },
  { TYPE (MOVW_PREL_G3), RELOC_PC_RELATIVE, 4, BOTH, 0 },
  { TYPE (LD_PREL_LO19), RELOC_PC_RELATIVE, 4, BOTH, FIELD_LITERAL },
  { TYPE (ADR_PREL_LO21), RELOC_PC_RELATIVE, 4, BOTH, FIELD_ADDRESS },
  { TYPE (ADR_PREL_PG_HI21), RELOC_PC_RELATIVE, 4, BOTH | MOVES, FIELD_PAGE },
  { TYPE (ADR_PREL_PG_HI21_NC), RELOC_PC_RELATIVE, 4, BOTH | MOVES, FIELD_PAGE },
  { TYPE (ADD_ABS_LO12_NC), RELOC_LOW_BITS, 4, MOVES, FIELD_OTHER },
  { TYPE (LDST8_ABS_LO12_NC), RELOC_LOW_BITS, 4, MOVES, FIELD_OTHER },
  { TYPE (LDST16_ABS_LO12_NC), RELOC_LOW_BITS, 4, MOVES, FIELD_OTHER },
  { TYPE (LDST32_ABS_LO12_NC), RELOC_LOW_BITS, 4, MOVES, FIELD_OTHER },
  { TYPE (LDST64_ABS_LO12_NC), RELOC_LOW_BITS, 4, MOVES, FIELD_OTHER },
  { TYPE (LDST128_ABS_LO12_NC), RELOC_LOW_BITS, 4, MOVES, FIELD_OTHER },
  { TYPE (TSTBR14), RELOC_PLT, 4, BOTH, FIELD_BRANCH },
  { TYPE (CONDBR19), RELOC_PLT, 4, BOTH, FIELD_BRANCH },
  { TYPE (JUMP26), RELOC_PLT, 4, BOTH, FIELD_BRANCH },
  { TYPE (CALL26), RELOC_PLT, 4, BOTH, FIELD_BRANCH },
  { TYPE (MOVW_GOTOFF_G0), RELOC_GOT_ENTRY_OFFSET, 4, ADDRESS, 0 },
  { TYPE (GOTREL64), RELOC_GOTOFF, 8, ADDRESS, 0 },
  { TYPE (GOT_LD_PREL19), RELOC_GOT_ENTRY, 4, BOTH, FIELD_LITERAL },
  { TYPE (LD64_GOTOFF_LO15), RELOC_GOT_ENTRY, 4, BOTH | MOVES, FIELD_LOAD },
  { TYPE (ADR_GOT_PAGE), RELOC_GOT_PAGE, 4, MOVES, FIELD_PAGE },
  { TYPE (LD64_GOT_LO12_NC), RELOC_GOT_ENTRY, 4, BOTH | MOVES, FIELD_LOAD },
  { TYPE (LD64_GOTPAGE_LO15), RELOC_GOT_ENTRY, 4, BOTH | MOVES, FIELD_LOAD },
  { TYPE (TLSGD_ADR_PAGE21), RELOC_TLS, 4, 0, 0 },
  { TYPE (TLSLD_ADD_DTPREL_LO12), RELOC_TLS, 4, 0, 0 },
  { TYPE (TLSIE_ADR_GOTTPREL_PAGE21), RELOC_TLS, 4, 0, 0 },
  { TYPE (TLSIE_LD64_GOTTPREL_LO12_NC), RELOC_TLS, 4, 0, 0 },
  { TYPE (TLSLE_ADD_TPREL_HI12), RELOC_TLS_OFFSET, 4, MOVES, FIELD_OTHER },
  { TYPE (TLSLE_LDST64_TPREL_LO12_NC), RELOC_TLS_OFFSET, 4, MOVES, FIELD_OTHER },
  { TYPE (TLSDESC_ADR_PAGE21), RELOC_TLS, 4, 0, 0 },
  { TYPE (TLSDESC_CALL), RELOC_TLS, 0, 0, 0 },
  { TYPE (COPY), RELOC_DYNAMIC, 0, ADDRESS, 0 },
  { TYPE (IRELATIVE), RELOC_DYNAMIC, 8, ADDRESS, 0 },
};
/* clang-format on */

static void
rows_are_the_abi_s (void **state)
{
  (void) state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      const struct row *row = &rows[i];
      const struct reloc_type *type = reloc_type (row->number);
      Elf64_Rela rela = { .r_info = ELF64_R_INFO (1ull, row->number) };
      unsigned questions = (makes_address (&rela) ? ADDRESS : 0)
                           | (is_relative (&rela) ? RELATIVE : 0)
                           | (is_pointer (&rela) ? POINTER : 0) | (can_move (&rela) ? MOVES : 0);
      print_message ("%s\n", row->name);
      assert_string_equal (type->name, row->name);
      assert_int_equal (type->kind, row->kind);
      assert_int_equal (type->bytes, row->bytes);
      assert_int_equal (type->fields, row->fields);
      assert_int_equal (questions, row->questions);
    }
}

static void
other_numbers_are_unknown (void **state)
{
  static const uint32_t numbers[] = { 1, 256, 281, 511, 1023, 1033, UINT32_MAX };

  (void) state;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    {
      assert_null (reloc_type (numbers[i])->name);
      assert_int_equal (reloc_type (numbers[i])->kind, RELOC_UNKNOWN);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (rows_are_the_abi_s),
                                      cmocka_unit_test (other_numbers_are_unknown) };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
