/* Explores the stages of calls that read and write a file. */

#include "runtime.h"

#include "runtime/io/stage.c"

#include "words.h"

#include <string.h>

static _Alignas(
    64) unsigned char memory[sizeof (struct upcr_file) + 4 * sizeof (struct upcr_file_part)];
static struct upcr_file *file;
static int data[4];

void
explore_setup (void)
{
  leave_out_diagnosis ();
  file = (struct upcr_file *) memory;
}

/* Counts wrap around in the second call. */
static void
begin (int threads)
{
  THREADS = threads;
  memset (data, 0, sizeof data);
  memset (seen, 0, sizeof seen);
  atomic_init (&file->reached_by_all[0], UINT32_MAX - 1);
  for (int t = 0; t < threads; t++)
    atomic_init (&file->parts[t].reached[0], UINT32_MAX - 1);
}

static void
reach (bool waits)
{
  upcr_file_reach (file, UPCR_STAGE_ENTERED, "test", waits);
}

static void
expect (int value)
{
  for (int t = 0; t < THREADS; t++)
    EXPLORE_REQUIRE (data[t] == value);
}

/* All wait: what is written before is read behind. */
static void
all_wait (void)
{
  data[MYTHREAD] = 1;
  reach (true);
  expect (1);
}

static void
all_wait_twice (void)
{
  all_wait ();
  reach (true);
  data[MYTHREAD] = 2;
}

/* Thread 0 alone waits, and the others are ahead of it. */
static void
one_waits (void)
{
  data[MYTHREAD] = 1;
  for (int call = 0; call < 3; call++)
    reach (MYTHREAD == 0);
  if (MYTHREAD == 0)
    expect (1);
}

/* Each waits in another call than the others. */
static void
in_turn (void)
{
  for (int call = 0; call < THREADS; call++)
    {
      if (call == 0)
        data[MYTHREAD] = 1;
      reach (call == MYTHREAD);
      if (call == MYTHREAD)
        expect (1);
    }
}

/* The fence that flags imply, where nobody waits. */
static void
strict (void)
{
  atomic_store_explicit (mine (), 1, memory_order_relaxed);
  reach (false);
  seen[MYTHREAD] = atomic_load_explicit (theirs (), memory_order_relaxed);
}

#define CASE(function, threads, end)                      \
  {                                                       \
#function "_" #threads, threads, begin, function, end \
  }
const struct explore_case explore_cases[] = {
  CASE (all_wait, 2, NULL),       CASE (all_wait, 3, NULL),
  CASE (all_wait_twice, 2, NULL), CASE (all_wait_twice, 3, NULL),
  CASE (one_waits, 2, NULL),      CASE (one_waits, 3, NULL),
  CASE (in_turn, 2, NULL),        CASE (in_turn, 3, NULL),
  CASE (strict, 2, end_one_sees), { 0 },
};
