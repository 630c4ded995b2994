"""Races that ThreadSanitizer reports are told by shared object, element and UPC thread."""

import os
import re

import pytest

pytestmark = [pytest.mark.tsan, pytest.mark.host_only("there are no sanitizers' libraries for other processors")]

PROGRAM = """#include <upc.h>
#include <locale.h>
#include <stdlib.h>
#include <time.h>
struct pair { int first, second; };
shared int total;
shared int cyclic[4 * THREADS];
shared [3] double blocked[6 * THREADS];
shared [] int whole[8];
shared [2] struct pair pairs[2 * THREADS];
shared int rows[THREADS][4];
shared int *block;
shared [] int *shared gone;
int
main (int argc, char **argv)
{
  int me = MYTHREAD;

  block = upc_all_alloc (THREADS, 16);
  if (me == 0)
    gone = upc_alloc (64);
  upc_barrier;
  if (me == 1)
    upc_free (gone);
  upc_barrier;
  for (int round = 0, kind = atoi (argv[1]); round < (kind ? 200000 : 50); round++)
    switch (kind)
    {
    case 0: setlocale (LC_ALL, round % 2 ? "C.UTF-8" : "C"); tzset (); break;
    case 1: total += 1; break;
    case 2: total = me; break;
    case 3: cyclic[1] = me; break;
    case 4: if (me) cyclic[2] = 1; else (void) *(volatile shared int *) &cyclic[2]; break;
    case 5: blocked[4] = me; break;
    case 6: whole[5] = me; break;
    case 7: pairs[3].second = me; break;
    case 8: rows[1][2] = me; break;
    case 9: block[1] = me; break;
    case 10: { shared [3] double *p = &blocked[1]; p[6] = me; } break;
    case 11: gone[5] = me; break;
    }
  upc_barrier;
  return 0;
}
"""

# What the line names, by the number that the program is given.
RACES = {1: "total (thread 0) of 'shared int total'", 2: "total (thread 0) of 'shared int total'",
         3: "cyclic[1] (thread 1) of 'shared int cyclic[4*THREADS]'",
         4: "cyclic[2] (thread 0) of 'shared int cyclic[4*THREADS]'",
         5: "blocked[4] (thread 1, phase 1) of 'shared [3] double blocked[6*THREADS]'",
         6: "whole[5] (thread 0, phase 5) of 'shared [] int whole[8]'",
         7: "byte 4 of pairs[3] (thread 1, phase 1) of 'shared [2] struct pair pairs[2*THREADS]'",
         8: "rows[1][2] (thread 0) of 'shared int rows[THREADS][4]'",
         9: "byte 0 of thread 1's piece of a block of up to 16 bytes per thread",
         11: "thread 0's heap where no block is any more, offset 0x",
         10: "blocked[7] (thread 0, phase 1) of 'shared [3] double blocked[6*THREADS]'"}


def compiled(upct, text):
    if "thread" not in upct.sanitizers and not os.path.exists(os.path.join(upct.build, "lib/upct/thread/libupc.a")):
        pytest.skip("no libraries for ThreadSanitizer; 'scons all' makes them")
    return upct.compile("-g", "-fsanitize=thread", upct.write("races.upc", text))


def test_races_are_named(upct):
    program = compiled(upct, PROGRAM)
    for number, wanted in RACES.items():
        # One thread may be done before the other begins: then there is an order, and no race.
        for _ in range(50):
            result = upct.run([program, str(number)], THREADS=2)
            lines = re.findall(r"^prog: race on (.*): (thread [01] (?:reads|writes), thread [01] (?:reads|writes))$",
                               result.stderr, re.M)
            if lines:
                break
        assert lines and all(line[0].startswith(wanted) for line in lines), f"{number}: {result.stderr}"
        for _, who in lines:
            assert "thread 0" in who and "thread 1" in who and "writes" in who
    result = upct.run([program, "0"], THREADS=2)
    assert (result.stderr, result.returncode) == ("", 0)


# Thread 0 finds source lines for its report, and then writes what thread 1 writes.
REPORT = """#include <upc.h>
#include <upct_heap.h>
shared int racy, ordered;
int
main (void)
{
  if (MYTHREAD == 0)
    {
      upc_alloc (1000);
      upc_heap_report ();
      ordered = 1;
    }
  upc_barrier;
  if (MYTHREAD == 1)
    ordered = 2;
  for (int round = 0; round < 1000; round++)
    racy = MYTHREAD;
  return 0;
}
"""


def test_races_are_found_after_a_report(upct):
    program = compiled(upct, REPORT)
    # As above: there may be an order.
    for _ in range(50):
        result = upct.run([program], THREADS=2, UPC_CHECK="1")
        assert "1000 bytes, allocated at " in result.stderr
        raced = set(re.findall("^prog: race on (.*?) ", result.stderr, re.M))
        if raced:
            break
    assert raced == {"racy"}, result.stderr


LATE = """#include <upc.h>
#include <upc_castable.h>
#include <sched.h>
shared [] int *shared box;
shared int step;

/* An order in time that ThreadSanitizer does not see. */
static __attribute__ ((noinline, no_sanitize_thread)) void
tell (volatile int *is_there)
{
  *is_there = 1;
}

static __attribute__ ((noinline, no_sanitize_thread)) void
wait_for (volatile int *is_there)
{
  while (!*is_there)
    sched_yield ();
}

int
main (void)
{
  volatile int *is_there = upc_cast (&step);
  int got = 0;

  if (MYTHREAD == 0)
    box = upc_alloc (10 * sizeof (int));
  upc_barrier;
  upc_notify;
  if (MYTHREAD == 1)
    wait_for (is_there);
  upc_wait;
  if (MYTHREAD == 0)
    box[9] = 1;
  else
    got = box[9];
  upc_notify;
  if (MYTHREAD == 0)
    tell (is_there);
  upc_wait;
  return got > 1;
}
"""


@pytest.mark.parametrize("wait", ["adaptive", "sleep"])
def test_who_is_late_is_not_ordered_by_the_next_barrier(upct, wait):
    """Thread 0 is at the next barrier before thread 1 has left this one."""
    program = compiled(upct, LATE)
    for _ in range(5):
        said = upct.run([program], THREADS=2, UPC_WAIT=wait).stderr
        assert re.search("^prog: race on byte 36 of a block of up to 48 bytes with affinity to thread 0: ", said, re.M), said
