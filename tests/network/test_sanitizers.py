"""Programs of several processes with AddressSanitizer or UBSan: what is wrong is told as in one process."""

import os
import re

import pytest

from support import FULL
from support.network import MPIS, compile_for, environment_of, run

from .test_checks import FAR, FIXTURES, RIGHT

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them"), pytest.mark.sample(4, plain=2)]

# Processes for 4 threads, and how many of them share memory.
SHAPES = [(1, "all"), (2, "all"), (2, 1), (3, 1), (4, 2), (4, 1)]
# Of checks.upc, without what several threads do wrong: which tells first?
CASES = [*range(1, 8), *range(9, 15), *range(20, 29), *range(40, 53), 55, 56, *range(60, 64)]
# A null pointer-to-shared leads to no memory, or to a question to the process of thread 0.
CRASH = 9
# Strips that are far are looked at as a whole, and so are the units of bit-fields.
AS_A_WHOLE = {11, 27, 28}


def compiled(upct, mpi, source, *switches, sanitizer="address", **settings):
    if not os.path.exists(os.path.join(upct.build, "lib/upct/address/libupc-mpi.a")):
        pytest.skip("no libraries for AddressSanitizer and several processes: scons all makes them")
    return compile_for(upct, mpi, source, "-g", f"-fsanitize={sanitizer}", *switches, **settings)


def error_of(result):
    """What was missed, without where and by which thread it is told."""
    lines = [line for line in result.stderr.splitlines() if re.search(r"\berror: thread", line)] or ["nothing"]
    return re.sub(r"^.*?error: (thread \d: )(access )?(through )?", r"\1", lines[0])


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_errors_are_told_as_in_one_process(upct, mpi, processes, node):
    together = upct.build_once(f"sanitized-{mpi}-n", lambda path: compiled(upct, mpi, FAR, output=path))
    alone = upct.build_once("sanitized-1", lambda path: upct.compile("-O2", "-w", "-g", "-fsanitize=address", FAR, output=path))
    turn = len(MPIS) * SHAPES.index((processes, node)) + MPIS.index(mpi)
    for case in CASES:
        for i, threads in enumerate(((3, 0), (0, 3), (1, 1), (2, 3))):
            if not FULL and (4 * case + i) % 12 != turn:
                continue
            one = upct.run([alone, case, *threads], THREADS=4)
            several = run(upct, processes, 4, together, case, *threads, **environment_of(node))
            wanted, got = error_of(one), error_of(several)
            assert several.returncode and wanted != "nothing", (case, threads, several.stderr)
            if case in AS_A_WHOLE and node != "all":
                assert re.search(r"past the end of a block|'shared \[4\] int rows|affinity to thread 4 of 4", got), several.stderr
            else:
                assert got == wanted, (case, threads, several.stderr)
            assert case == CRASH or several.returncode == 1


@pytest.mark.parametrize("turn, name", enumerate(RIGHT))
def test_right_programs_are_left_alone(upct, turn, name):
    mpi, (processes, node) = MPIS[turn % 2], SHAPES[turn % len(SHAPES)]
    program = compiled(upct, mpi, os.path.join(FIXTURES, name + ".upc"), *([], ["-fupc-pts=struct"], ["-O1"])[turn % 3])
    result = run(upct, processes, 4, program, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


# What ends with its block, and each member of its last record: no access reaches further. Then a large block of all threads,
# and pieces of it that one thread after the other frees.
ENDS = """#include <stdio.h>
#include <upc.h>
struct record { double x, y; int last; };
int
main (void)
{
  shared [100] struct record *all = upc_all_alloc (THREADS, 100 * sizeof (struct record));
  shared [100] struct record *other = all + 100 * ((MYTHREAD + 1) % THREADS);
  double sum = 0;

  for (int i = 0; i < 100; i++)
    other[i].last = i;
  for (int i = 0; i < 100; i++)
    other[i].x = i;
  for (int i = 0; i < 100; i++)
    other[i].y = other[i].last;
  upc_barrier;
  for (int i = 0; i < 100; i++)
    sum += other[i].last + other[i].x;
  for (int i = 0; i < 100 * THREADS; i++)
    sum += all[i].y;
  if (sum != 4950 * (2 + THREADS))
    printf ("%g\\n", sum);
  for (size_t bytes = 1 << 20; bytes <= 64 << 20; bytes *= 4)
    {
      shared char *large = upc_all_alloc (THREADS, bytes);
      shared [] char *own = upc_alloc (bytes);
      shared [] char *piece = (shared [] char *) &large[(MYTHREAD + 1) % THREADS];

      piece[0] = piece[bytes - 1] = own[bytes - 1] = 1;
      upc_memset (piece, 1, bytes);
      upc_barrier;
      upc_free (own);
      if (MYTHREAD == THREADS - 1)
        upc_free (large);
      upc_barrier;
    }
  if (MYTHREAD == 0)
    puts ("ok");
  return 0;
}
"""


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_ends_of_blocks(upct, mpi, processes, node):
    program = compiled(upct, mpi, upct.write("ends.upc", ENDS))
    result = run(upct, processes, 4, program, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


# Errors of private memory, of what no block has reached, of what is cast, and of another process's atomic object.
PRIVATE = """#include <stdlib.h>
#include <upc.h>
shared [] int *shared given[THREADS];
int *volatile kept;
int
main (int argc, char **argv)
{
  int how = atoi (argv[1]), me = atoi (argv[2]);

  given[MYTHREAD] = upc_alloc (40);
  upc_barrier;
  if (how == 1 && MYTHREAD == me)
    {
      kept = malloc (12);
      kept[3] = 1;
    }
  if (how == 2 && MYTHREAD == me)
    given[me][1 << 28] = 1;
  if (how == 3 && MYTHREAD == me)
    ((int *) given[me])[10] = 1;
  if (how == 4 && MYTHREAD == me)
    {
      kept = malloc (1234);
      kept = NULL;
    }
  if (how == 5 && MYTHREAD == (me + 2) % THREADS)
    ((shared [] _Atomic int *) given[me])[10] += 1;
  upc_barrier;
  return 0;
}
"""
REPORTS = {1: ("heap-buffer-overflow", None),
           3: ("use-after-poison", "thread 2: access 4 bytes past the end of a block of 40 bytes that thread 2 allocated at @ by upc_alloc")}
CRASH_LINE = "thread 2: access outside of the shared data: thread 2, offset"


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", [(2, "all"), (2, 1), (3, 1)])
def test_reports_name_the_process(upct, mpi, processes, node):
    program = compiled(upct, mpi, upct.write("private.upc", PRIVATE), "-O0")
    for how, (what, line) in REPORTS.items():
        result = run(upct, processes, 4, program, how, 2, **environment_of(node))
        assert result.returncode == 1 and f"ERROR: AddressSanitizer: {what}" in result.stderr, result.stderr
        assert line is None or "prog: error: " + line.replace("@", upct.path("private.upc:10")) in result.stderr, result.stderr
        assert re.search(r"^prog: note: on \S+: thread 2 in process 1 \(pid \d+\)$", result.stderr, re.MULTILINE), result.stderr
    result = run(upct, processes, 4, program, 5, 2, **environment_of(node))
    assert result.returncode == 1 and "4 bytes past the end of a block of 40 bytes that thread 2 allocated" in result.stderr, result.stderr
    # Crashes are reported as without the sanitizer.
    result = run(upct, processes, 4, program, 2, 2, **environment_of(node))
    assert result.returncode and f"prog: error: {CRASH_LINE}" in result.stderr and "#0 " in result.stderr, result.stderr


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("thread", [0, 3])
def test_leaks_are_those_of_the_program(upct, mpi, thread):
    program = compiled(upct, mpi, upct.write("private.upc", PRIVATE))
    result = run(upct, 2, 4, program, 4, thread)
    assert result.returncode == 1
    assert re.findall(r"SUMMARY: .*", result.stderr) == ["SUMMARY: AddressSanitizer: 1234 byte(s) leaked in 1 allocation(s)."]
    result = run(upct, 2, 4, program, 0, thread)
    assert (result.stderr, result.returncode) == ("", 0)


@pytest.mark.parametrize("sanitizer", ["undefined", "address,undefined"])
def test_undefined_behaviour(upct, sanitizer):
    upct.write("sum.upc", """#include <upc.h>
shared int a[THREADS];
int main (void)
{
  a[MYTHREAD] = 0x7fffffff;
  upc_barrier;
  if (MYTHREAD == 0)
    a[THREADS - 1] += THREADS;
  return 0;
}
""")
    for node in "all", 1:
        result = run(upct, 2, 2, compiled(upct, "mpich", "sum.upc", sanitizer=sanitizer), **environment_of(node))
        assert re.search(r"sum.upc:8:\d+: runtime error: signed integer overflow", result.stderr), result.stderr
        assert result.returncode == 0
        result = run(upct, 2, 2, compiled(upct, "mpich", "sum.upc", "-fno-sanitize-recover=all", sanitizer=sanitizer), **environment_of(node))
        assert re.search(r"sum.upc:8:\d+: runtime error: signed integer overflow", result.stderr) and result.returncode == 1
