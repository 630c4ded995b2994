/* The planner: strips of which a tool may hear nothing (--profile). */

#include "tests/unit/upc2c/planned.h"

/* A function for each question: a loop is planned once. */
const char source[] = PLANNED_DECLARATIONS
    "void get (int n, int k) { for (int i = 0; i < n; i++) s += big[i]; }\n"
    "void put (int n, int k) { for (int i = 0; i < n; i++) big[i] = k; }\n"
    "void copy (int n, int k) { for (int i = 0; i < n; i++) big[i] = vast[i]; }\n"
    "void update (int n, int k) { for (int i = 0; i < n; i++) big[i] += k; }\n"
    "void fixed (int n, int k) { for (int i = 0; i < n; i++) s += big[i] * vast[k]; }\n"
    "void cyclic (int n, int k) { for (int i = 0; i < n; i++) c[i] = k; }\n"
    "void walk (int n, int k) { shared [1000] int *p = &big[k]; for (int i = 0; i < n; i++) s += *p++; }\n"
    "void walk_in_header (int n, int k) { shared [1000] int *p = &big[k]; for (int i = 0; i < n; i++, p++) s += *p; }\n"
    "void forall (int n, int k) { upc_forall (int i = 0; i < 4000; i++; &big[i]) big[i] = vast[i]; }\n"
    "void unwatched (int n, int k) { for (int i = 0; i < n; i++) big[i] = k; }\n"
    "void in_processes (int n, int k) { for (int i = 0; i < n; i++) big[i] = k; }\n"
    "void checked (int n, int k) { for (int i = 0; i < n; i++) big[i] = k; }\n"
    "void conditional (int n, int k) { for (int i = 0; i < n; i++) if (own[i]) s += big[i]; }\n"
    "void one_of_two (int n, int k) { for (int i = 0; i < n; i++) if (big[i] > s) s = big[i]; }\n"
    "void uncounted (int n, int k) { for (int i = 0; i < n && own[i]; i++) s += big[i]; }\n"
    "void left (int n, int k) { for (int i = 0; i < n; i++) { if (own[i]) break; s += big[i]; } }\n"
    "void by_blocks (int n, int k) { for (int i = 0; i < n; i++) k = k * 3 + c[i]; }\n"
    "void anywhere (int n, int k) { for (int i = 0; i < n; i++) s += big[own[i]]; }\n"
    "void ordered (int n, int k) { for (int i = 0; i < n; i++) { big[i] = flag; } }\n"
    "void calls (int n, int k) { for (int i = 0; i < n; i++) { f (); big[i] = k; } }\n"
    "void has_static (int n, int k) { for (int i = 0; i < n; i++) { static int x; big[i] = x++; } }\n"
    "void has_loop (int n, int k) { for (int i = 0; i < n; i++) { for (int j = 0; j < k; j++) own[j]++; big[i] = k; } }\n";

static struct loop *
plan_watched (const char *name)
{
  struct loop *loop;

  switches.profile.is_on = true;
  loop = plan_for (name);
  switches.profile.is_on = false;
  return loop;
}

/* Of an iteration of NAME's loop; 0: its strips are not asked. */
static int
count_events_of (const char *name)
{
  int count = 0;

  for (const struct sampled *s = plan_watched (name)->sampled; s; s = s->next)
    count += s->events;
  return count;
}

static void
test_events_of_an_iteration (void **state)
{
  (void) state;
  assert_int_equal (count_events_of ("get"), 1);
  assert_int_equal (count_events_of ("put"), 1);
  assert_int_equal (count_events_of ("update"), 2);
  assert_int_equal (count_events_of ("fixed"), 2);
  assert_int_equal (count_events_of ("walk"), 1);
  assert_int_equal (count_events_of ("walk_in_header"), 1);
}

static void
test_iterations_are_independent_as_without_events (void **state)
{
  struct loop *copy = plan_watched ("copy"), *cyclic = plan_watched ("cyclic");

  (void) state;
  assert_true (copy->sampled && copy->is_independent);
  assert_true (cyclic->sampled && cyclic->is_independent && cyclic->residues);
}

static void
test_own_elements_are_one_strip (void **state)
{
  struct loop *forall = plan_watched ("forall");

  (void) state;
  assert_true (forall->sampled && forall->may_be_flat);
}

static void
test_without_events_nothing_is_asked (void **state)
{
  (void) state;
  assert_null (plan_for ("unwatched")->sampled);
}

static void
test_other_instruments_forbid_it (void **state)
{
  (void) state;
  switches.network = true;
  assert_int_equal (count_events_of ("in_processes"), 0);
  switches.network = false;
  switches.check = true;
  assert_int_equal (count_events_of ("checked"), 0);
  switches.check = false;
}

static void
test_the_number_is_known (void **state)
{
  static const char *const names[] = { "conditional", "one_of_two", "uncounted", "left",
                                       "by_blocks",   "anywhere",   "ordered",   "calls" };

  (void) state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (count_events_of (names[i]) != 0)
      fail_msg ("%s", names[i]);
}

static void
test_bodies_may_stand_twice (void **state)
{
  (void) state;
  assert_int_equal (count_events_of ("has_static"), 0);
  assert_int_equal (count_events_of ("has_loop"), 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_events_of_an_iteration),
    cmocka_unit_test (test_iterations_are_independent_as_without_events),
    cmocka_unit_test (test_own_elements_are_one_strip),
    cmocka_unit_test (test_without_events_nothing_is_asked),
    cmocka_unit_test (test_other_instruments_forbid_it),
    cmocka_unit_test (test_the_number_is_known),
    cmocka_unit_test (test_bodies_may_stand_twice),
  };

  return cmocka_run_group_tests (tests, set_up, NULL);
}
