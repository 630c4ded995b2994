/* pupc without a tool: what the program itself can see of it. */

#include "tests/unit/upc_threads.h"

#include <string.h>

int pupc_control (int on);
unsigned pupc_create_event (const char *name, const char *description);
void pupc_event_start (unsigned event, ...);
void pupc_event_endg (unsigned event, const char *file, int line, ...);

static void
switch_off_and_on (void)
{
  CHECK (pupc_control (0) == 1);
  barrier ();
  CHECK (pupc_control (MYTHREAD + 5) == 0);
  CHECK (pupc_control (1) == MYTHREAD + 5);
  CHECK (pupc_control (-1) == 1);
  CHECK (pupc_control (0) == -1);
}

static void
test_control_is_each_threads_own (void **state)
{
  (void) state;
  expect_good (3, 0, switch_off_and_on);
}

static void
create_events (void)
{
  static unsigned events[4][10];

  for (int i = 0; i < 10; i++)
    {
      events[MYTHREAD][i] = pupc_create_event ("work", "%d items");
      pupc_event_start (events[MYTHREAD][i], 5);
      pupc_event_endg (events[MYTHREAD][i], "a.upc", 3, 5);
    }
  barrier ();
  for (int i = 0; i < 40; i++)
    {
      CHECK (events[i / 10][i % 10] >= 1000 && events[i / 10][i % 10] < 1040);
      for (int j = 0; j < i; j++)
        CHECK (events[i / 10][i % 10] != events[j / 10][j % 10]);
    }
}

static void
test_events_have_numbers_of_their_own (void **state)
{
  (void) state;
  expect_good (4, 0, create_events);
}

static void
create_too_many (void)
{
  for (int i = 0; i < 1000; i++)
    pupc_create_event ("event", NULL);
  printf ("1000 events\n");
  fflush (stdout);
  pupc_create_event ("event", NULL);
}

static void
test_too_many_events (void **state)
{
  (void) state;
  expect_threads (1, 0, create_too_many, 1,
                  "1000 events\n"
                  "prog: error: thread 0: pupc_create_event: more than 1000 events\n");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_control_is_each_threads_own),
    cmocka_unit_test (test_events_have_numbers_of_their_own),
    cmocka_unit_test (test_too_many_events),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
