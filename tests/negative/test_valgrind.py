"""Errors in the shared heap that valgrind finds: one run makes them all."""

import os
import re
import shutil

import pytest

PROGRAM = """#include <upc.h>
#include <stdio.h>

int
main (void)
{
  shared [] int *p = upc_alloc (8 * sizeof (int));
  shared int *all = upc_all_alloc (THREADS, 3 * sizeof (int));
  shared [] int *freed = upc_alloc (80);
  upc_lock_t *lock = upc_all_lock_alloc ();

  upc_barrier;
  if (MYTHREAD == 0)
    {
      p[8] = 1;
      p[-1] = 1;
      all[3 * THREADS + 1] = 1;
      if (p[3])
        puts ("uninitialised");
      ((int *) p)[7] = 1;
      ((int *) p)[9] = 1;
      upc_lock (lock);
      upc_unlock (lock);
      upc_free (freed);
      freed[2] = 1;
    }
  upc_barrier;
  upc_all_lock_free (lock);
  return 0;
}
"""

WANTED = [("Invalid write", 15, "0 bytes after a block of size 32 alloc'd", 7),
          ("Invalid write", 16, "4 bytes before a block of size 32 alloc'd", 7),
          ("Invalid write", 17, "0 bytes after a block of size 12 alloc'd", 8),
          ("Conditional jump or move depends on uninitialised", 18, "", 0),
          ("Invalid write", 21, "4 bytes after a block of size 32 alloc'd", 7),
          ("Invalid write", 25, "8 bytes inside a block of size 80 free'd", 9)]


@pytest.mark.no_sanitizers("valgrind has none")
def test_errors_in_the_heap(upct):
    if not shutil.which("valgrind") or not os.path.exists("/usr/include/valgrind/memcheck.h"):
        pytest.skip("valgrind and its headers are not installed")
    program = upct.compile("-g", "-O0", upct.write("heap.upc", PROGRAM), output="heap")
    result = upct.run(["valgrind", program, "-n", 2])
    reports = re.split(r"==\d+== \n", result.stderr)
    found = [report for report in reports if re.search(r"== (Invalid|Conditional)", report)]
    for report, (what, line, block, allocated) in zip(found, WANTED):
        assert what in report and f"heap.upc:{line})" in report and block in report, report
        assert not allocated or f"heap.upc:{allocated})" in report, report
    assert len(found) == len(WANTED), result.stderr
    assert result.returncode == 0
