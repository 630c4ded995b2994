/* Where decoding may start. */

#include "privatize/text/code_starts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

const char program_name[] = "test_code_starts";

static struct object object;
static uint32_t text, frames;

static uint32_t
symbol (unsigned type, uint64_t value, uint64_t size)
{
  return add_symbol (
      &object,
      (Elf64_Sym){ .st_info = ELF64_ST_INFO (STB_LOCAL, type), .st_value = value, .st_size = size },
      text);
}

static int
make_object (void **state)
{
  (void) state;
  add_section (&object, "", SHT_NULL, 0, 0);
  text = add_section (&object, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 1);
  object.sections[text]->kind = KIND_TEXT;
  append_bytes (object.sections[text], NULL, 100);
  frames = add_section (&object, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, 8);
  append_bytes (object.sections[frames], NULL, 64);
  add_symbol (&object, (Elf64_Sym){ 0 }, 0);
  return 0;
}

static void
expect (const struct code_starts *starts, size_t i, uint64_t offset, bool is_data)
{
  assert_true (i < starts->count);
  assert_int_equal (starts->list[i].offset, offset);
  assert_int_equal (starts->list[i].is_data, is_data);
}

/* Functions, frames and data objects count; each place once; none outside. */
static void
anchors_are_sorted_and_unique (void **state)
{
  struct code_starts starts;

  (void) state;
  symbol (STT_FUNC, 60, 10);
  symbol (STT_FUNC, 20, 10);
  symbol (STT_NOTYPE, 33, 0);
  symbol (STT_OBJECT, 40, 8);
  symbol (STT_FUNC, 20, 0);
  symbol (STT_FUNC, 100, 4);
  symbol (STT_FUNC, 1ull << 63, 4);
  append_rela (&object, frames,
               (Elf64_Rela){ .r_offset = 8,
                             .r_info = ELF64_R_INFO (section_symbol (&object, text), R_X86_64_PC32),
                             .r_addend = 80 });
  starts = collect_code_starts (&object);
  expect (&starts, 0, 0, false);
  expect (&starts, 1, 20, false);
  expect (&starts, 2, 40, true);
  expect (&starts, 3, 48, false);
  expect (&starts, 4, 60, false);
  expect (&starts, 5, 80, false);
  assert_int_equal (starts.count, 6);
  free (starts.list);
}

/* Labels without a type, and what tables of addresses point to. */
static void
labels_follow_data (void **state)
{
  struct code_starts labels = { 0 };

  (void) state;
  append_rela (&object, text,
               (Elf64_Rela){ .r_offset = 24,
                             .r_info = ELF64_R_INFO (section_symbol (&object, text), R_X86_64_64),
                             .r_addend = 70 });
  assert_int_equal (next_label (&object, &labels, text, 0, 100), 33);
  assert_int_equal (next_label (&object, &labels, text, 33, 100), 70);
  assert_int_equal (next_label (&object, &labels, text, 33, 60), 60);
  assert_int_equal (next_label (&object, &labels, text, 70, 100), 100);
  assert_int_equal (next_label (&object, &labels, frames, 0, 64), 64);
  free (labels.list);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (anchors_are_sorted_and_unique),
                                      cmocka_unit_test (labels_follow_data) };

  return cmocka_run_group_tests (tests, make_object, NULL);
}
