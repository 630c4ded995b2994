/* Gathers on the engine in one process: single elements, runs and sections of any distances, and their messages. */

#include "runtime/net/engine.h"
#include "runtime/net/net.h"
#include "runtime/net/self.h"
#include "tests/unit/net/processes.h"
#include "tests/unit/require.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Elements of two processes in turns, with constant strides, with others, and one twice; the puts before are seen. */
static void
gather_words (int rank)
{
  static const int places[] = { 0, 8, 16, 24, 5, 40, 3, 3, 63 };
  enum
  {
    COUNT = 2 * sizeof places / sizeof *places
  };
  uint64_t got[COUNT], expected[COUNT];
  upcr_net_open open = 0;
  struct upcr_net_gather gather;

  if (rank != 0)
    return;
  for (uint64_t i = 0; i < WORDS; i++)
    for (int p = 1; p < 3; p++)
      upcr_net_put (p, &memory[p][i], &(uint64_t){ i + 1000 * p }, sizeof i, &open);
  upcr_net_gather_begin (&gather, sizeof *got, &open);
  for (int i = 0; i < COUNT; i++)
    {
      int p = 1 + 2 * i / COUNT, place = places[i % (COUNT / 2)];

      expected[i] = place + 1000 * p;
      upcr_net_gather_add (&gather, p, &got[i], &memory[p][place]);
    }
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  REQUIRE (memcmp (got, expected, sizeof got) == 0);
}

static void
gathered_words_go_together (void **state)
{
  (void) state;
  run_seeds (gather_words);
  /* The puts, and one message to each process. */
  run (gather_words, 3, 1);
  assert_int_equal (upcr_self_sent (0).messages, 2 * WORDS + 2);
}

static bool
is_no_multiple_of_7 (const void *address, size_t bytes)
{
  return (((const char *) address - long_memory[1]) % 7 != 0) && bytes == 1;
}

static void
add_run (struct upcr_net_gather *gather, void *to, const char *from, int64_t stride, size_t count)
{
  upcr_net_gather_add_section (gather, 1, to,
                               &(struct upcr_net_section){ from, stride, 0, count, 1 });
}

/* COUNT bytes from FIRST on, by STRIDE. Returns whether one may not be accessed. */
static bool
gather_looked_up (char *to, int first, int stride, size_t count)
{
  char is_bad = 0;
  upcr_net_open open = 0;
  struct upcr_net_gather gather;

  upcr_net_gather_begin (&gather, 1, &open);
  gather.is_bad = &is_bad;
  add_run (&gather, to, &long_memory[1][first], stride, count);
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  return is_bad;
}

static void
gather_what_is_looked_up (int rank)
{
  char got[8000] = { 0 };

  if (rank != 0)
    return;
  for (size_t i = 0; i < 60000; i++)
    long_memory[1][i] = 'x';
  upcr_net_hook_look_up (is_no_multiple_of_7);
  REQUIRE (!gather_looked_up (got, 1, 7, 8000) && got[0] == 'x' && got[7999] == 'x');
  memset (got, 0, sizeof got);
  REQUIRE (gather_looked_up (got, 8, 1, 7) && got[0] == 0 && got[6] == 0);
  REQUIRE (gather_looked_up (got, 14, 1, 1) && got[0] == 0);
  REQUIRE (!gather_looked_up (got, 15, 1, 1) && got[0] == 'x');
  REQUIRE (!gather_looked_up (got, 15, 1, 6) && got[5] == 'x' && got[6] == 0);
}

static void
what_may_not_be_accessed_is_not_gathered (void **state)
{
  (void) state;
  run_seeds (gather_what_is_looked_up);
}

/* More than a body has, and runs longer than one may be: its values go from memory to memory. */
static void
gather_much (int rank)
{
  static unsigned char got[70000];
  upcr_net_open open = 0;
  struct upcr_net_gather gather;

  if (rank != 0)
    return;
  for (size_t i = 0; i < sizeof got; i++)
    long_memory[1][i] = (char) (i * 13);
  upcr_net_gather_begin (&gather, 1, &open);
  for (size_t i = 0; i < sizeof got; i++)
    upcr_net_gather_add (&gather, 1, &got[i], &long_memory[1][i]);
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  REQUIRE (memcmp (got, long_memory[1], sizeof got) == 0);
}

/* Long runs, of one element, backwards, and between other elements. */
static void
gather_runs (int rank)
{
  static char got[3 * 20000 + 16];
  upcr_net_open open = 0;
  struct upcr_net_gather gather;
  char *to = got;

  if (rank != 0)
    return;
  for (size_t i = 0; i < 60000; i++)
    long_memory[1][i] = (char) (i * 13 / 7);
  upcr_net_gather_begin (&gather, 1, &open);
  upcr_net_gather_add (&gather, 1, to++, &long_memory[1][5]);
  add_run (&gather, to, &long_memory[1][1], 3, 19000);
  upcr_net_gather_add (&gather, 1, to + 19000, &long_memory[1][6]);
  upcr_net_gather_add (&gather, 1, to + 19001, &long_memory[1][8]);
  add_run (&gather, to + 19002, &long_memory[1][59999], -2, 20000);
  add_run (&gather, to + 39002, &long_memory[1][7], 100, 1);
  add_run (&gather, to + 39003, &long_memory[1][7], 100, 0);
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  REQUIRE (to[-1] == long_memory[1][5] && to[19000] == long_memory[1][6]);
  REQUIRE (to[19001] == long_memory[1][8] && to[39002] == long_memory[1][7] && to[39003] == 0);
  for (int i = 0; i < 19000; i++)
    REQUIRE (to[i] == long_memory[1][1 + 3 * i]);
  for (int i = 0; i < 20000; i++)
    REQUIRE (to[19002 + i] == long_memory[1][59999 - 2 * i]);
}

static void
runs_are_gathered (void **state)
{
  (void) state;
  run (gather_runs, 2, 1);
  assert_int_equal (upcr_self_sent (0).messages, 1);
  run_seeds (gather_runs);
}

static void
much_is_gathered_at_once (void **state)
{
  (void) state;
  run (gather_much, 2, 1);
  assert_int_equal (upcr_self_sent (0).messages, 1);
  assert_int_equal (upcr_self_sent (1).messages, 1);
  run (gather_much, 2, 3);
}

/* In answers of their own, as a refusal is one: each of so many elements. */
static void
gather_much_that_is_looked_up (int rank)
{
  static char got[2 * UPCR_GATHERED_BYTES + 1];

  if (rank != 0)
    return;
  for (size_t i = 0; i < sizeof long_memory[1]; i++)
    long_memory[1][i] = (char) (i % 101);
  upcr_net_hook_look_up (is_no_multiple_of_7);
  REQUIRE (!gather_looked_up (got, 1, 0, sizeof got) && got[0] == 1 && got[sizeof got - 1] == 1);
}

static void
what_is_looked_up_is_gathered_in_parts (void **state)
{
  (void) state;
  run (gather_much_that_is_looked_up, 2, 1);
  assert_int_equal (upcr_self_sent (0).messages, 3);
}

/* The elements of SECTION, one by one. */
static void
require_section (const char *got, const struct upcr_net_section *s, size_t bytes)
{
  for (size_t row = 0; row < s->rows; row++)
    for (size_t i = 0; i < s->count; i++, got += bytes)
      REQUIRE (memcmp (got, s->from + (int64_t) row * s->distance + (int64_t) i * s->stride, bytes)
               == 0);
}

static void
fill_memory (void)
{
  for (size_t i = 0; i < sizeof long_memory[1]; i++)
    long_memory[1][i] = (char) (i * 31 / 5);
}

/* One behind the other, with a run and an element between them. */
static void
gather_sections (int rank)
{
  static char got[100000];
  const char *start = long_memory[1], *middle = start + sizeof long_memory[1] / 2;
  const struct upcr_net_section sections[] = {
    { start, 800, 8, 19, 17 },      { start + 8, 16, 0, 30, 3 },    { middle, -2000, 1, 11, 100 },
    { start + 3, 1, 500, 200, 21 }, { middle, 8, -1600, 1, 30 },    { middle, 100, -10, 9, 10 },
    { start, 8, 8, 1, 1 },          { start + 1, 24, 3000, 60, 2 }, { middle, 0, 0, 5, 9 },
    { start, 8, 0, 0, 5 },          { start, 8, 16, 7, 0 },
  };
  enum
  {
    COUNT = sizeof sections / sizeof *sections
  };
  upcr_net_open open = 0;
  struct upcr_net_gather gather;

  if (rank != 0)
    return;
  fill_memory ();
  for (size_t bytes = 1; bytes <= 12; bytes++)
    {
      char *to = got;

      upcr_net_gather_begin (&gather, bytes, &open);
      for (int i = 0; i < COUNT; to += bytes * sections[i].rows * sections[i].count, i++)
        upcr_net_gather_add_section (&gather, 1, to, &sections[i]);
      upcr_net_gather_end (&gather);
      upcr_net_await (&open);
      to = got;
      for (int i = 0; i < COUNT; to += bytes * sections[i].rows * sections[i].count, i++)
        require_section (to, &sections[i], bytes);
    }
}

static void
sections_are_gathered (void **state)
{
  (void) state;
  run_seeds (gather_sections);
  run (gather_sections, 2, 1);
  /* Of each size one message; from memory to memory where they are long. */
  assert_int_equal (upcr_self_sent (0).messages, 12);
  assert_int_equal (upcr_self_sent (1).messages, 12);
}

/* More than an answer has, of rows that end elsewhere: in one section, and each row longer than that. */
static void
gather_long_sections (int rank)
{
  static char got[4 * UPCR_MOST_GATHERED];
  const struct upcr_net_section tile = { long_memory[1], 40, 8, 300, 150 },
                                rows = { long_memory[1] + 1, 0, 8, UPCR_MOST_GATHERED / 8 + 50, 2 };
  upcr_net_open open = 0;
  struct upcr_net_gather gather;
  char *to = got + 8 * tile.rows * tile.count;

  if (rank != 0)
    return;
  fill_memory ();
  memset (got, 0, sizeof got);
  upcr_net_gather_begin (&gather, 8, &open);
  upcr_net_gather_add_section (&gather, 1, got, &tile);
  upcr_net_gather_add_section (&gather, 1, to, &rows);
  upcr_net_gather_end (&gather);
  upcr_net_await (&open);
  require_section (got, &tile, 8);
  require_section (to, &rows, 8);
  REQUIRE (to[8 * rows.rows * rows.count] == 0);
}

static void
long_sections_are_gathered_in_parts (void **state)
{
  (void) state;
  run (gather_long_sections, 2, 1);
  assert_int_equal (upcr_self_sent (0).messages, 4);
  run_seeds (gather_long_sections);
}

/* To any places, from any. */
static void
copy_sections (size_t bytes, int64_t stride, int64_t distance)
{
  static char to[40000];
  const size_t rows = 21, count = 5;
  const struct upcr_net_section from = { long_memory[1] + sizeof long_memory[1] / 2 - bytes % 3,
                                         stride, distance, count, rows };
  const int64_t step = 17, row_step = -150;

  memset (to, 'x', sizeof to);
  upcr_net_copy_section (to + 20000, step, row_step, &from, bytes);
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < count; i++)
      {
        char *value = to + 20000 + (int64_t) row * row_step + (int64_t) i * step;

        assert_memory_equal (value, from.from + (int64_t) row * distance + (int64_t) i * stride,
                             bytes);
        memset (value, 'x', bytes);
      }
  for (size_t i = 0; i < sizeof to; i++)
    assert_int_equal (to[i], 'x');
}

static void
sections_are_copied (void **state)
{
  (void) state;
  fill_memory ();
  for (size_t bytes = 1; bytes <= 16; bytes++)
    for (int64_t stride = -1200; stride <= 1200; stride += 150)
      for (int64_t distance = -16; distance <= 16; distance += 4)
        {
          copy_sections (bytes, stride, distance);
          copy_sections (bytes, distance, stride);
        }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (gathered_words_go_together),
    cmocka_unit_test (what_may_not_be_accessed_is_not_gathered),
    cmocka_unit_test (what_is_looked_up_is_gathered_in_parts),
    cmocka_unit_test (much_is_gathered_at_once),
    cmocka_unit_test (runs_are_gathered),
    cmocka_unit_test (sections_are_gathered),
    cmocka_unit_test (long_sections_are_gathered_in_parts),
    cmocka_unit_test (sections_are_copied),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
