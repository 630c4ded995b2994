/* Atomicity domains: what they say, how they come and go, and what wrong uses of them and of
   their operations end with. */

#include "tests/unit/atomic/atomic.h"

#include <string.h>

static void
fast_or_not (void)
{
  upcr_pts object = new_object (64), odd;
  int pointers_are_fast = sizeof (upcr_pts) == 8;

  odd = upcr_pts_make (upcr_pts_thread (object), upcr_pts_offset (object) + 2, 0);
  CHECK (upc_atomic_isfast (UPC_LONG, UPC_ADD | UPC_GET | UPC_CSWAP | UPC_XOR, object) == 1);
  CHECK (upc_atomic_isfast (UPC_INT32, UPC_INC, object) == 1);
  CHECK (upc_atomic_isfast (UPC_LONG, UPC_ADD | UPC_MULT, object) == 0);
  CHECK (upc_atomic_isfast (UPC_INT, UPC_ADD, odd) == 0);
  CHECK (upc_atomic_isfast (UPC_DOUBLE, UPC_ADD, object) == 0);
  CHECK (upc_atomic_isfast (UPC_DOUBLE, ACCESSES, object) == 1);
  CHECK (upc_atomic_isfast (UPC_PTS, ACCESSES, object) == pointers_are_fast);
  CHECK (upc_atomic_isfast (UPC_CHAR, UPC_GET, object) == 0);
}

static void
test_fast (void **state)
{
  (void) state;
  expect_good (1, 0, fast_or_not);
}

static void
domains_come_and_go (void)
{
  upc_all_atomicdomain_free (upcr_pts_null ());
  for (int i = 0; i < 300; i++)
    {
      upcr_pts a = upc_all_atomicdomain_alloc (UPC_INT, 0, 0);
      upcr_pts b = upc_all_atomicdomain_alloc (UPC_PTS, UPC_GET, 2);

      CHECK (!upcr_pts_equal (a, b));
      upc_all_atomicdomain_free (i % 2 ? a : b);
      upc_all_atomicdomain_free (i % 2 ? b : a);
    }
}

static void
test_domains (void **state)
{
  (void) state;
  expect_good (1, 0, domains_come_and_go);
  expect_good (ALL_THREADS, 0, domains_come_and_go);
}

/* Wrong uses: NUMBER chooses one. */

static int number;

static void
allocate_wrongly (void)
{
  static const struct
  {
    upc_type_t type;
    upc_op_t ops;
  } wrong[] = {
    { UPC_CHAR, UPC_GET },  { UPC_LDOUBLE, UPC_ADD },       { 0, UPC_ADD },
    { 99, UPC_ADD },        { UPC_DOUBLE, UPC_ADD | UPC_XOR }, { UPC_PTS, UPC_INC },
    { UPC_INT, UPC_LOGAND }, { UPC_INT, UPC_ADD | 1ul << 16 },
  };

  upc_all_atomicdomain_alloc (wrong[number].type, wrong[number].ops, 0);
}

static void
test_wrong_domains (void **state)
{
  static const char *const what[]
    = { "UPC_CHAR has no atomic operations", "UPC_LDOUBLE has no atomic operations",
        "0 is no type", "99 is no type", "UPC_DOUBLE has no atomic UPC_XOR",
        "UPC_PTS has no atomic UPC_INC", "UPC_INT has no atomic UPC_LOGAND",
        "0x10000 is no atomic operation" };
  char text[128];

  (void) state;
  for (number = 0; number < (int) (sizeof what / sizeof *what); number++)
    {
      snprintf (text, sizeof text, "prog: error: thread 0: upc_all_atomicdomain_alloc: %s\n",
                what[number]);
      expect_threads (1, 0, allocate_wrongly, 1, text);
    }
}

static void
operate_wrongly (void)
{
  upcr_pts domain
    = upc_all_atomicdomain_alloc (UPC_LONG, UPC_GET | UPC_ADD | UPC_INC | UPC_CSWAP, 0);
  upcr_pts object = new_object (8), null = upcr_pts_null (), other = upcr_local_alloc (64);
  long a = 1, b = 2, old;

  memset (upcr_pts_address (object), 0, 8);
  memset (upcr_pts_address (other), 0, 64);
  switch (number)
    {
    case 0: upc_atomic_relaxed (null, &old, UPC_ADD, object, &a, NULL); break;
    case 1: upc_atomic_strict (other, &old, UPC_ADD, object, &a, NULL); break;
    case 2: upc_atomic_relaxed (domain, &old, UPC_SUB, object, &a, NULL); break;
    case 3: upc_atomic_relaxed (domain, &old, UPC_ADD | UPC_INC, object, &a, NULL); break;
    case 4: upc_atomic_strict (domain, &old, 0, object, &a, NULL); break;
    case 5: upc_atomic_relaxed (domain, &old, 1ul << 32, object, &a, NULL); break;
    case 6: upc_atomic_relaxed (domain, &old, UPC_ADD, null, &a, NULL); break;
    case 7: upc_atomic_relaxed (domain, NULL, UPC_GET, object, NULL, NULL); break;
    case 8: upc_atomic_relaxed (domain, &old, UPC_ADD, object, NULL, NULL); break;
    case 9: upc_atomic_relaxed (domain, &old, UPC_CSWAP, object, &a, NULL); break;
    case 10: upc_atomic_relaxed (domain, &old, UPC_INC, object, &a, NULL); break;
    case 11: upc_atomic_strict (domain, &old, UPC_ADD, object, &a, &b); break;
    case 12:
      upc_all_atomicdomain_free (domain);
      upc_atomic_relaxed (domain, &old, UPC_ADD, object, &a, NULL);
      break;
    case 13:
      upc_all_atomicdomain_free (domain);
      upc_all_atomicdomain_free (domain);
      break;
    }
}

static void
test_wrong_operations (void **state)
{
  static const char *const what[] = {
    "upc_atomic_relaxed: a null pointer to an atomicity domain",
    "upc_atomic_strict: not an atomicity domain",
    "upc_atomic_relaxed: the domain was allocated without UPC_SUB",
    "upc_atomic_relaxed: 0x2001 is not one atomic operation",
    "upc_atomic_strict: 0 is not one atomic operation",
    "upc_atomic_relaxed: 0x100000000 is not one atomic operation",
    "upc_atomic_relaxed: the target is a null pointer",
    "upc_atomic_relaxed: UPC_GET without fetch_ptr",
    "upc_atomic_relaxed: UPC_ADD without operand1",
    "upc_atomic_relaxed: UPC_CSWAP without operand2",
    "upc_atomic_relaxed: UPC_INC has no operand1, which must be null",
    "upc_atomic_strict: UPC_ADD has no operand2, which must be null",
    "upc_atomic_relaxed: the atomicity domain was freed; UPC_CHECK=1 tells where",
    "upc_all_atomicdomain_free: the atomicity domain was freed; UPC_CHECK=1 tells where",
  };
  char text[128];

  (void) state;
  for (number = 0; number < (int) (sizeof what / sizeof *what); number++)
    {
      snprintf (text, sizeof text, "prog: error: thread 0: %s\n", what[number]);
      expect_threads (1, 0, operate_wrongly, 1, text);
    }
}

static void
disagree (void)
{
  if (number == 0)
    upc_all_atomicdomain_alloc (MYTHREAD ? UPC_LONG : UPC_INT, UPC_ADD, 0);
  else if (MYTHREAD == 0)
    upc_all_atomicdomain_alloc (UPC_INT, UPC_ADD, 0);
  else
    upcr_all_alloc (1, 8);
}

static void
test_threads_that_disagree (void **state)
{
  (void) state;
  number = 0;
  expect_threads (2, 0, disagree, 1,
                  "prog: error: thread 1: upc_all_atomicdomain_alloc (UPC_LONG, 0x1), but thread 0 "
                  "calls upc_all_atomicdomain_alloc (UPC_INT, 0x1)\n");
  number = 1;
  expect_threads (2, 0, disagree, 1,
                  "prog: error: thread 1: upc_all_alloc, but thread 0 calls "
                  "upc_all_atomicdomain_alloc\n");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_fast),
    cmocka_unit_test (test_domains),
    cmocka_unit_test (test_wrong_domains),
    cmocka_unit_test (test_wrong_operations),
    cmocka_unit_test (test_threads_that_disagree),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
