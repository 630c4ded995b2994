/* UPC_COLL: the algorithm that it names is the one that is taken, where it applies. What each
   leaves behind tells them apart. */

#include "runtime/coll/algorithms.h"
#include "runtime/coll/pending.h"

#include "tests/unit/coll/collective.h"

/* What the first operation of all threads has left on this one. */
struct traces
{
  uint32_t started;   /* with a descriptor */
  uint32_t sequence;  /* with a slot */
  uint32_t epoch;     /* in the central barrier */
  bool has_published; /* its call in the slot */
};

static struct traces
traces (void)
{
  upcr_team *team = upcr_team_all ();
  const struct upcr_member *member = &team->members[MYTHREAD];

  return (struct traces){ member->started, member->sequence, team->barrier.epoch,
                          member->slots[1].addresses.more != NULL };
}

static void
move (int flags)
{
  static long words[64];
  long word = 42;

  gasnet_coll_broadcast (GASNET_TEAM_ALL, &words[MYTHREAD], 0, &word, sizeof word,
                         flags | GASNET_COLL_LOCAL);
  CHECK (words[MYTHREAD] == 42);
}

static void
pipelined (void)
{
  move (MYMY);
  CHECK (traces ().started == 1 && traces ().sequence == 0);
}

static void
central (void)
{
  move (ALLALL);
  CHECK (traces ().started == 0 && traces ().epoch == 1);
}

static void
eager (void)
{
  move (MYMY);
  CHECK (traces ().started == 0 && traces ().sequence == 1 && !traces ().has_published);
}

static void
direct (void)
{
  move (MYMY);
  CHECK (traces ().started == 0 && traces ().sequence == 1 && traces ().has_published);
}

/* Where central does not apply the best one is taken. */
static void
unforced (void)
{
  eager ();
}

static void
unsynchronised (void)
{
  long *block = (long *) upcr_own_address (upcr_all_alloc (THREADS, (1 + THREADS) * sizeof *block));

  *block = 42;
  barrier ();
  gasnet_coll_gather_all (GASNET_TEAM_ALL, block + 1, block, sizeof *block,
                          NOSYNC | GASNET_COLL_SINGLE);
  CHECK (traces ().started == 0 && traces ().sequence == 0 && traces ().epoch == 0);
}

static void
expect (const char *algorithm, upc_body *body)
{
  setenv ("UPC_COLL", algorithm, 1);
  expect_good (2, 0, body);
  unsetenv ("UPC_COLL");
}

static void
is_the_one_that_is_named (void **state)
{
  (void) state;
  expect ("pipelined", pipelined);
  expect ("unsynchronised", unsynchronised);
  expect ("central", central);
  expect ("central", unforced);
  expect ("eager", eager);
  expect ("direct", direct);
}

static void
refuses_a_name_that_is_none (void **state)
{
  (void) state;
  setenv ("UPC_COLL", "fast", 1);
  expect_threads (
      1, 0, eager, 1,
      "prog: error: thread 0: UPC_COLL: no algorithm is called 'fast'; there are: pipelined "
      "unsynchronised central eager one_block gathered direct\n");
  unsetenv ("UPC_COLL");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (is_the_one_that_is_named),
    cmocka_unit_test (refuses_a_name_that_is_none),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
