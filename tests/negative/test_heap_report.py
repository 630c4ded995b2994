"""What is in use of the shared heap (upc_heap_report, UPC_CHECK=heap), and what was never freed
(UPC_CHECK=leaks)."""

import re

import pytest

SOURCE = """#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  shared int *all = upc_all_alloc (THREADS, 1000);
  upc_lock_t *lock = upc_all_lock_alloc ();
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (UPC_INT, UPC_ADD, 0);

  for (int i = 0; i < 3; i++)
    upc_free (upc_alloc (100));
  upc_all_reduceI (all + THREADS, all, UPC_ADD, THREADS, 1, NULL, 0);
  if (argc > 1)
    for (int i = 0; i < 3; i++)
      upc_alloc (100);
  if (argc > 2)
    exit (3);
  upc_barrier;
  if (argc == 1)
    {
      upc_all_free (all);
      upc_all_lock_free (lock);
      upc_all_atomicdomain_free (domain);
    }
  return 0;
}
"""

USE = """#include <upc.h>
#include <upct_heap.h>

int
main (void)
{
  shared [] char *large = upc_alloc (3000000);
  shared [] char *small = upc_alloc (40);

  upc_all_alloc (2 * THREADS, 500);
  upc_barrier;
  if (MYTHREAD == 0)
    {
      for (int i = 0; i < 200; i++)
        upc_free (upc_alloc (100));
      upc_free (large);
      upc_heap_report ();
    }
  upc_barrier;
  upc_free (small);
  return 0;
}
"""

MANY = """#include <upc.h>
int
main (void)
{
""" + "".join(f"  upc_alloc ({100 - n});\n" for n in range(12)) + "}\n"


@pytest.fixture
def program(upct):
    upct.write("prog.upc", SOURCE)
    return upct.compile("-g", "prog.upc", output="prog")


def test_nothing_is_left(upct, program):
    result = upct.run([program, "-n", 3], UPC_CHECK="leaks")
    assert (result.stderr, result.returncode) == ("", 0)


def test_what_is_left_is_told_by_place(upct, program):
    left = """prog: note: 1 block of 3000 bytes, allocated at prog.upc:9 by upc_all_alloc, was never freed
prog: note: 9 blocks of 900 bytes in all, allocated at prog.upc:18 by upc_alloc, were never freed
"""
    for words, status in (["x"], 0), (["x", "y"], 3):
        result = upct.run([program, "-n", 3, *words], UPC_CHECK="leaks")
        lines = result.stderr.replace(upct.folder + "/", "").splitlines(keepends=True)
        assert ("".join(lines[:2]), result.returncode) == (left, status)
        assert sorted(line.split(" by ")[1] for line in lines[2:]) == [
            "upc_all_atomicdomain_alloc, was never freed\n", "upc_all_lock_alloc, was never freed\n"]
    assert upct.run([program, "-n", 3, "x"], UPC_CHECK="1").stderr == ""


def test_ten_places_are_enough(upct):
    upct.write("prog.upc", MANY)
    result = upct.run([upct.compile("-g", "prog.upc", output="prog"), "-n", 2], UPC_CHECK="leaks")
    lines = result.stderr.splitlines()
    assert len(lines) == 11 and lines[-1] == "prog: note: blocks of 2 more places were never freed"
    assert "2 blocks of 200 bytes in all, allocated at " in lines[0] and "prog.upc:5 by upc_alloc" in lines[0]


@pytest.fixture
def use(upct):
    upct.write("use.upc", USE)
    return upct.compile("-g", "use.upc", output="use")


def test_use_by_thread_and_place(upct, use):
    """In the middle of the run, then at its end."""
    result = upct.run([use, "-n", 3], UPC_CHECK="heap")
    assert result.stderr.replace(upct.folder + "/", "") == """\
use: note: shared heap: 6 blocks of 6003120 bytes in use, at most 9003220 bytes
  thread 0: 2 blocks of 1040 bytes in use, at most 3001140 bytes
  threads 1, 2: 3 blocks of 3001040 bytes each in use, at most 3001040 bytes
  2 blocks of 6000000 bytes in all, allocated at use.upc:7 by upc_alloc
  1 block of 3000 bytes, allocated at use.upc:10 by upc_all_alloc
  3 blocks of 120 bytes in all, allocated at use.upc:8 by upc_alloc
use: note: shared heap: 3 blocks of 6003000 bytes in use, at most 9003220 bytes
  thread 0: 1 block of 1000 bytes in use, at most 3001140 bytes
  threads 1, 2: 2 blocks of 3001000 bytes each in use, at most 3001040 bytes
  2 blocks of 6000000 bytes in all, allocated at use.upc:7 by upc_alloc
  1 block of 3000 bytes, allocated at use.upc:10 by upc_all_alloc
"""


@pytest.mark.host_only("pages are larger, and so are the sums")
@pytest.mark.no_sanitizers("AddressSanitizer has a checked heap")
def test_use_of_the_plain_heap(upct, use):
    """Sizes are those of the allocator, and what is freed does not count."""
    lines = upct.run([use, "-n", 3]).stderr.splitlines()
    assert re.fullmatch(r"use: note: shared heap: 6 blocks of 6\d{6} bytes in use, at most 9\d{6} bytes of pages", lines[0])
    assert re.fullmatch(r"  thread 0: 2 blocks of 1072 bytes in use, at most 3\d{6} bytes of pages", lines[1])
    assert re.fullmatch(r"  threads 1, 2: 3 blocks of 3\d{6} bytes each in use, at most 3\d{6} bytes of pages", lines[2])
    assert len(lines) == 3
