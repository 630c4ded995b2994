/* The table of relocation types: each row says what the ABI's document says of the type, and
   what upc-privatize does with it. A new type is a row there and a row here. */

#include "privatize/arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum
{
  ADDRESS = 1,
  RELATIVE = 2,
  POINTER = 4
};

struct row
{
  uint32_t number;
  const char *name;
  enum reloc_kind kind;
  unsigned bytes;
  unsigned questions; /* makes_address, is_relative, is_pointer */
  unsigned fields;
};

#define TYPE(name) R_X86_64_##name, "R_X86_64_" #name
#define BOTH (ADDRESS | RELATIVE)

/* clang-format off */
static const struct row rows[] = {
  { TYPE (NONE), RELOC_NONE, 0, 0, 0 },
  { TYPE (64), RELOC_ABSOLUTE, 8, ADDRESS | POINTER, FIELD_DISP64 | FIELD_IMM64 },
  { TYPE (PC32), RELOC_PC_RELATIVE, 4, BOTH, FIELD_PC_DISP | FIELD_BASE_DISP },
  { TYPE (GOT32), RELOC_GOT_ENTRY_OFFSET, 4, ADDRESS, 0 },
  { TYPE (PLT32), RELOC_PLT, 4, BOTH, 0 },
  { TYPE (COPY), RELOC_DYNAMIC, 0, ADDRESS, 0 },
  { TYPE (GLOB_DAT), RELOC_DYNAMIC, 8, ADDRESS, 0 },
  { TYPE (JUMP_SLOT), RELOC_DYNAMIC, 8, ADDRESS, 0 },
  { TYPE (RELATIVE), RELOC_DYNAMIC, 8, ADDRESS, 0 },
  { TYPE (GOTPCREL), RELOC_GOT_ENTRY, 4, BOTH, FIELD_PC_DISP },
  { TYPE (32), RELOC_ABSOLUTE, 4, ADDRESS, FIELD_DISP | FIELD_IMM },
  { TYPE (32S), RELOC_ABSOLUTE, 4, ADDRESS, FIELD_DISP | FIELD_IMM },
  { TYPE (16), RELOC_ABSOLUTE, 2, ADDRESS, 0 },
  { TYPE (PC16), RELOC_PC_RELATIVE, 2, BOTH, 0 },
  { TYPE (8), RELOC_ABSOLUTE, 1, ADDRESS, 0 },
  { TYPE (PC8), RELOC_PC_RELATIVE, 1, BOTH, 0 },
  { TYPE (DTPMOD64), RELOC_TLS, 8, 0, 0 },
  { TYPE (DTPOFF64), RELOC_TLS_OFFSET, 8, 0, 0 },
  { TYPE (TPOFF64), RELOC_TLS_OFFSET, 8, 0, 0 },
  { TYPE (TLSGD), RELOC_TLS, 4, 0, 0 },
  { TYPE (TLSLD), RELOC_TLS, 4, 0, 0 },
  { TYPE (DTPOFF32), RELOC_TLS_OFFSET, 4, 0, 0 },
  { TYPE (GOTTPOFF), RELOC_TLS, 4, 0, 0 },
  { TYPE (TPOFF32), RELOC_TLS_OFFSET, 4, 0, 0 },
  { TYPE (PC64), RELOC_PC_RELATIVE, 8, BOTH, 0 },
  { TYPE (GOTOFF64), RELOC_GOTOFF, 8, ADDRESS, FIELD_IMM64 },
  { TYPE (GOTPC32), RELOC_GOT_BASE, 4, BOTH, 0 },
  { TYPE (GOT64), RELOC_GOT_ENTRY_OFFSET, 8, ADDRESS, FIELD_IMM64 },
  { TYPE (GOTPCREL64), RELOC_GOT_ENTRY, 8, BOTH, 0 },
  { TYPE (GOTPC64), RELOC_GOT_BASE, 8, BOTH, 0 },
  { TYPE (GOTPLT64), RELOC_GOT_ENTRY_OFFSET, 8, ADDRESS, 0 },
  { TYPE (PLTOFF64), RELOC_PLT_OFFSET, 8, ADDRESS, 0 },
  { TYPE (SIZE32), RELOC_SIZE, 4, 0, 0 },
  { TYPE (SIZE64), RELOC_SIZE, 8, 0, 0 },
  { TYPE (GOTPC32_TLSDESC), RELOC_TLS, 4, 0, 0 },
  { TYPE (TLSDESC_CALL), RELOC_TLS, 0, 0, 0 },
  { TYPE (TLSDESC), RELOC_TLS, 16, 0, 0 },
  { TYPE (IRELATIVE), RELOC_DYNAMIC, 8, ADDRESS, 0 },
  { TYPE (RELATIVE64), RELOC_DYNAMIC, 8, ADDRESS, 0 },
  { TYPE (GOTPCRELX), RELOC_GOT_ENTRY, 4, BOTH, FIELD_PC_DISP },
  { TYPE (REX_GOTPCRELX), RELOC_GOT_ENTRY, 4, BOTH, FIELD_PC_DISP },
};
/* clang-format on */

static void
each_type_means_what_its_document_says (void **state)
{
  (void) state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      const struct row *row = &rows[i];
      const struct reloc_type *type = reloc_type (row->number);
      Elf64_Rela rela = { .r_info = ELF64_R_INFO (1ul, row->number) };
      assert_string_equal (type->name, row->name);
      assert_int_equal (type->kind, row->kind);
      assert_int_equal (type->bytes, row->bytes);
      assert_int_equal (type->fields, row->fields);
      assert_int_equal (makes_address (&rela), !!(row->questions & ADDRESS));
      assert_int_equal (is_relative (&rela), !!(row->questions & RELATIVE));
      assert_int_equal (is_pointer (&rela), !!(row->questions & POINTER));
    }
}

/* All others are unknown, and taken for addresses, so that they are refused. */
static void
the_tests_know_every_row (void **state)
{
  size_t known = 0;

  (void) state;
  for (uint32_t number = 0; number < 300; number++)
    {
      Elf64_Rela rela = { .r_info = ELF64_R_INFO (1ul, number) };
      known += reloc_type (number)->kind != RELOC_UNKNOWN;
      assert_true (reloc_type (number)->name || makes_address (&rela));
    }
  assert_int_equal (known, sizeof rows / sizeof *rows);
  assert_int_equal (reloc_type (UINT32_MAX)->kind, RELOC_UNKNOWN);
  assert_int_equal (reloc_type (UINT32_MAX)->fields, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (each_type_means_what_its_document_says),
                                      cmocka_unit_test (the_tests_know_every_row) };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
