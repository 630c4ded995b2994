"""Programs of several processes that are checked, by -fupc-check or UPC_CHECK: what is wrong is told as in one process."""

import os
import re

import pytest

from negative.errors import SOURCE as ERRORS
from negative.errors import VARIED, WANTED, line_of
from negative.test_heap_report import SOURCE as LEAKS
from negative.test_heap_report import USE
from support import FULL, ROOT
from support.network import MPIS, compile_for, environment_of, run

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them"), pytest.mark.sample(6, plain=3)]

FIXTURES = os.path.join(ROOT, "tests", "fixtures")
FAR = os.path.join(FIXTURES, "network", "checks.upc")
SHAPES = [(2, "all"), (2, 1), (4, 1)]
# Of checks.upc: the error's number, and whose data it is about, by which thread.
CASES = [*range(1, 15), *range(20, 29), *range(40, 58), *range(60, 64), *range(70, 74)]
THREADS = ((3, 0), (0, 3), (1, 1), (2, 3))
# What all threads do wrong is told by the first one that is found.
ANY_THREAD = range(70, 74)
# Accesses that nothing checks in programs compiled without -fupc-check.
BY_ACCESS = {*range(1, 15), *range(20, 29), 49, 55}


def first_error(result, case):
    lines = [line for line in result.stderr.splitlines() if "error:" in line] or ["nothing"]
    line = re.sub(r"^(?:\S*/)?[\w-]+(\.upc:\d+)?:", r"\1:", lines[0])
    if case in ANY_THREAD:
        line = re.sub(r"hread \d", "hread N", re.sub(r"rows\[\d+\]", "rows[N]", line))
        line = re.sub(r"(nbytes is) 8, but 12|(nbytes is) 12, but 8", "nbytes differ", line)
    return line, result.returncode


def compare(upct, alone, together, processes, node, arguments, **environment):
    one = upct.run([alone, *arguments], THREADS=4, **environment)
    several = run(upct, processes, 4, together, *arguments, **environment, **environment_of(node))
    assert first_error(several, arguments[0]) == first_error(one, arguments[0]), arguments
    return one, several


def programs(upct, mpi, *switches):
    name = "-".join(["checks", mpi, *switches])
    return (upct.build_once(f"{name}-1", lambda path: upct.compile("-O2", "-w", "-g", *switches, FAR, output=path)),
            upct.build_once(f"{name}-n", lambda path: compile_for(upct, mpi, FAR, "-g", *switches, output=path)))


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_errors_are_told_as_in_one_process(upct, mpi, processes, node):
    """Each combination has some of the pairs of threads for each error, and full=1 all."""
    alone, together = programs(upct, mpi, "-fupc-check")
    turn = 2 * SHAPES.index((processes, node)) + MPIS.index(mpi)
    for case in CASES:
        for i, threads in enumerate(THREADS):
            if FULL or (4 * case + i) % 6 == turn:
                compare(upct, alone, together, processes, node, [case, *threads])


@pytest.mark.parametrize("switches", ["-O0", "-fupc-pts=struct", "-fupc-threads-4"])
def test_other_code_is_checked(upct, switches):
    alone, together = programs(upct, "mpich", "-fupc-check", switches)
    for case in (1, 6, 8, 11, 21, 24, 41, 49, 60):
        compare(upct, alone, together, 2, 1, [case, 3, 0])


@pytest.mark.parametrize("mpi, node", [("mpich", 1), ("openmpi", "all")])
def test_errors_by_kind_of_access(upct, mpi, node):
    """Those of -fupc-check in one process, with the same messages."""
    program = upct.build_once(f"errors-{mpi}", lambda path: compile_for(upct, mpi, ERRORS, "-g", "-fupc-check", output=path))
    result = run(upct, 2, 2, program, 0, **environment_of(node))
    assert (result.stderr, result.returncode) == ("", 0), "no error"
    for turn, case in enumerate(WANTED):
        if not FULL and turn % 4 != MPIS.index(mpi):
            continue
        result = run(upct, 2, 2, program, case, **environment_of(node))
        line = re.sub(r"^.*?(errors\.upc:\d+: error: )thread \d+: ", r"\1", (result.stderr or "nothing").splitlines()[0])
        wanted = f"errors.upc:{line_of(case)}: error: " + ("" if case in VARIED else WANTED[case].replace("@", ERRORS))
        assert (line[:len(wanted)] if case in VARIED else line, result.returncode) == (wanted, 1), f"case {case}"


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_calls_are_checked_without_the_switch(upct, mpi, processes, node):
    alone, together = programs(upct, mpi)
    for case in CASES:
        if case not in BY_ACCESS and (FULL or (case + MPIS.index(mpi)) % 3 == SHAPES.index((processes, node))):
            compare(upct, alone, together, processes, node, [case, *THREADS[case % len(THREADS)]], UPC_CHECK=1)


RIGHT = ["network/memory", "network/strips", "network/batches", "network/runs", "network/joined", "network/long",
         "network/meetings", "collective/moves", "collective/reduce", "upc2c/features/elements", "upc2c/features/packed",
         "upc2c/features/records", "upc2c/features/strict", "upc2c/features/transfers", "network/parts"]


@pytest.mark.parametrize("turn, name", enumerate(RIGHT))
def test_right_programs_are_left_alone(upct, turn, name):
    mpi, (processes, node) = MPIS[turn % 2], SHAPES[turn % len(SHAPES)]
    program = compile_for(upct, mpi, os.path.join(FIXTURES, name + ".upc"), "-fupc-check")
    result = run(upct, processes, 4, program, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


def reports(upct, mpi, source, processes, node, *arguments, **environment):
    """What one process prints, and what several do. Their atomicity domains have memory in each partition."""
    upct.write("report.upc", source)
    alone = upct.compile("-g", "-O2", "report.upc", output="one/report")
    together = compile_for(upct, mpi, "report.upc", "-g", output="several/report")
    one = upct.run([alone, *arguments], THREADS=4, **environment)
    several = run(upct, processes, 4, together, *arguments, **environment, **environment_of(node))
    return [(re.sub(r".*\b(64|256) bytes, allocated.*domain_alloc", "a domain", result.stderr), result.returncode)
            for result in (one, several)]


@pytest.fixture(autouse=True)
def folders(upct):
    for name in "one", "several":
        os.makedirs(os.path.join(upct.folder, name), exist_ok=True)


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_leaks_are_those_of_one_process(upct, mpi, processes, node):
    for arguments in ([], ["x"]):
        one, several = reports(upct, mpi, LEAKS, processes, node, *arguments, UPC_CHECK="leaks")
        assert sorted(several[0].splitlines()) == sorted(one[0].splitlines()) and one[1] == several[1]
        assert bool(one[0]) == bool(arguments)


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_heap_reports_are_those_of_one_process(upct, mpi, processes, node):
    """Of the checked heap, twice, and of the plain one. The last thread's process asks."""
    for check in "heap", "0":
        source = USE.replace("MYTHREAD == 0", "MYTHREAD == THREADS - 1")
        one, several = reports(upct, mpi, source, processes, node, UPC_CHECK=check)
        assert several == one and "at most" in one[0]


REUSE = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
shared [] char *shared mine[THREADS];
int
main (int argc, char **argv)
{
  shared [] char *keep = NULL;

  /* More than the quarantine holds, in all sizes: what is given up and taken again is whole for all. */
  for (int i = 1; i < 200; i++)
    {
      size_t bytes = 1 + (size_t) i * 7919 % 200000;
      shared char *all = upc_all_alloc (THREADS, bytes);
      shared [] char *next = upc_alloc (bytes);
      int other = (MYTHREAD + i) % THREADS;

      mine[MYTHREAD] = next;
      upc_barrier;
      upc_memset ((shared [] char *) &all[other], i, bytes);
      mine[other][bytes - 1] = i;
      mine[other][0] = i;
      upc_barrier;
      if (MYTHREAD == i % THREADS)
        upc_free (all);
      if (i % 3 == 0 && keep)
        upc_free (keep), keep = NULL;
      if (i % 3)
        upc_free (mine[other]);
      else
        keep = next;
      upc_barrier;
    }
  if (MYTHREAD == 0)
    puts ("ok");
  return 0;
}
"""


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_memory_is_used_again(upct, mpi, processes, node):
    upct.write("reuse.upc", REUSE)
    program = compile_for(upct, mpi, "reuse.upc", "-fupc-check")
    result = run(upct, processes, 4, program, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_large_blocks_are_freed(upct, mpi, processes, node):
    """By themselves they are more than the quarantine holds: pieces are looked at before they are given up."""
    upct.write("large.upc", """#include <upc.h>
int main (void)
{
  for (int i = 0; i < 3; i++)
    {
      shared char *block = upc_all_alloc (THREADS, 20 << 20);
      block[MYTHREAD] = 1;
      upc_barrier;
      if (MYTHREAD == i)
        upc_free (block);
      upc_barrier;
    }
  return 0;
}
""")
    program = compile_for(upct, mpi, "large.upc", "-fupc-check")
    result = run(upct, processes, 4, program, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


def checked_as_alone(upct, mpi, node, text, forms, arguments, some):
    """Each form of the program does in two processes what it does in one. The first combination has all arguments, the others
    SOME. Each argument, and what happened."""
    source = upct.write("case.upc", text)
    alone = upct.compile("-O2", "-w", "-g", "-fupc-check", source, output="alone")
    together = compile_for(upct, mpi, source, "-g", "-fupc-check", output="together")
    for how in range(forms):
        for n in arguments if (mpi, node) == ("mpich", 1) or FULL else (some,):
            one, several = compare(upct, alone, together, 2, node, [how, n])
            assert several.stdout == one.stdout, (how, n)
            yield n, several


# Strips, which are looked up and moved as a whole, of as many elements of a block of 3000 as the second argument says.
STRIPS = """#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_relaxed.h>
shared [4000] int array[4000 * THREADS];
int
main (int argc, char **argv)
{
  shared [4000] int *heap = upc_all_alloc (THREADS, 3000 * sizeof (int)), *p = heap + 4000l * (THREADS - 1);
  int how = atoi (argv[1]), n = atoi (argv[2]);
  long sum = 0;
  for (int i = 0; i < 3000; i++)
    heap[4000l * MYTHREAD + i] = array[4000l * MYTHREAD + i] = i;
  upc_barrier;
  if (MYTHREAD > 0)
    return 0;
  if (how == 0)
    for (int i = 0; i < n; i++)
      sum += p[i];
  if (how == 1)
    for (int i = n - 1; i >= 0; i--)
      p[i] += i;
  if (how == 2)
    for (int i = 0; i < n; i++)
      array[4000 * (THREADS - 1) + i] = p[i] + 1;
  if (how == 3)
    for (int i = 0; i < n; i++)
      p[3000 - n + i] = i;
  if (how == 4)
    for (int i = 0; i < n; i++)
      sum += array[4000 * (THREADS - 1) + 4000 - 3000 + i];
  for (int i = 0; i < 3000; i++)
    sum += 3 * p[i] + array[4000 * (THREADS - 1) + i];
  printf ("%ld\\n", sum);
  return 0;
}
"""


@pytest.mark.parametrize("mpi, node", [("mpich", 1), ("openmpi", 1), ("mpich", "all")])
def test_strips_are_checked(upct, mpi, node):
    for n, several in checked_as_alone(upct, mpi, node, STRIPS, 5, (1, 3000, 3001, 3050), 3001):
        assert (several.returncode == 0) == (n <= 3000)


# Batches of elements, of which the one at INDEX is the last argument: most are far. The element that may not be accessed
# is looked up where it is fetched, and told of where it is read.
BATCHES = """#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_relaxed.h>
enum { N = 3000 };
struct pair { char name; double value; };
shared [4000] int array[4000 * THREADS];
shared [2] int dealt[2 * 10 * THREADS];
shared [] int *mine;
int index[N], dealt_index[N];
double result[N];
int
main (int argc, char **argv)
{
  shared [N] int *heap = upc_all_alloc (THREADS, N * sizeof (int)), *p = heap + (long) N * (THREADS - 1);
  shared [N] struct pair *pairs = upc_all_alloc (THREADS, N * sizeof (struct pair)), *q = pairs + (long) N * (THREADS - 1);
  shared [] int *freed = upc_alloc (N * sizeof (int));
  int how = atoi (argv[1]), last = atoi (argv[2]);
  double sum = 0;
  for (int i = 0; i < N; i++)
    {
      index[i] = (i * 7l + 5) % N;
      dealt_index[i] = i % (20 * THREADS);
      heap[(long) N * MYTHREAD + i] = array[4000l * MYTHREAD + i] = (i * 3) % N;
      pairs[(long) N * MYTHREAD + i].value = i;
    }
  index[N - 100] = last;
  upc_barrier;
  if (MYTHREAD > 0)
    return 0;
  if (how == 0)
    for (int i = 0; i < N; i++)
      sum += p[index[i]];
  if (how == 1)
    for (int i = 0; i < N; i++)
      result[i] = array[4000 * (THREADS - 1) + index[i]] + (i & 1 ? p[index[i]] : 0);
  if (how == 2)
    for (int i = 0; i < N; i++)
      if (index[i] >= 0)
        result[i] = q[index[i]].value;
  if (how == 3)
    for (int i = 0; i < N; i++)
      result[i] = heap[p[index[i]]] + p[i];
  if (how == 4)
    for (int i = 0; i < N; i++)
      result[i] = heap[index[i]] * 2. + p[i];
  if (how == 5)
    for (int i = 0; i < N; i++)
      result[i] = dealt[dealt_index[i] + (i == N - 1 && last >= N ? 20 * THREADS : 0)];
  if (how == 6 && last >= N)
    upc_free (freed);
  if (how == 6)
    for (int i = 0; i < N - 100; i++)
      result[i] = freed[index[i]] * 0. + p[index[i]];
  for (int i = 0; i < N; i++)
    sum += result[i];
  printf ("%g\\n", sum);
  return 0;
}
"""


@pytest.mark.parametrize("mpi, node", [("mpich", 1), ("openmpi", 1), ("mpich", "all")])
def test_batches_are_checked(upct, mpi, node):
    for _ in checked_as_alone(upct, mpi, node, BATCHES, 7, (7, 3000, 3005), 3005):
        pass


# Columns, which are looked up where they are fetched from: one that ends behind its array or its block, whose memory is
# freed, or whose second index is too large, and loops without iterations.
COLUMNS = """#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_relaxed.h>
enum { N = 60, ROWS = 15 };
shared [N] int array[ROWS * THREADS][N], behind[ROWS * THREADS][N];
shared [] int *shared given[THREADS];
double result[N + 8][ROWS * 64 + 8];
int
main (int argc, char **argv)
{
  shared [N] long *heap = upc_all_alloc (ROWS * THREADS, N * sizeof (long));
  shared [] int *last;
  int how = atoi (argv[1]), rows = atoi (argv[2]), far = THREADS - 1;
  double sum = 0;
  given[MYTHREAD] = upc_alloc (ROWS * N * sizeof (int));
  for (int i = 0; i < ROWS * N; i++)
    given[MYTHREAD][i] = i;
  upc_forall (int i = 0; i < ROWS * THREADS; i++; i)
    for (int j = 0; j < N; j++)
      array[i][j] = behind[i][j] = heap[i * N + j] = i * 1000 + j;
  upc_barrier;
  last = given[far];
  if (MYTHREAD > 0)
    return 0;
  if (how == 0)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < (THREADS - 1) * ROWS + rows; j++)
        result[i][j] = array[j][i];
  if (how == 1)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < (THREADS - 1) * ROWS + rows; j++)
        result[i][j] = heap[(long) N * j + i];
  if (how == 2)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < rows; j++)
        result[i][j] = last[N * j + i];
  if (how == 3)
    for (int i = 0; i < N - ROWS + rows; i++)
      for (int j = 0; j < ROWS * THREADS; j++)
        result[i][j] = array[j][i];
  if (how == 4)
    for (int i = 0; i < 2 * N; i++)
      for (int j = 0; j < (i < N ? ROWS : 0); j++)
        sum += array[ROWS + j - (i < N ? 0 : 10000)][i];
  if (how == 5 && rows > ROWS)
    upc_free (last);
  if (how == 5)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < ROWS; j++)
        result[i][j] = array[j][i] + last[N * j + i];
  if (how == 6)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < ROWS * THREADS; j++)
        result[i][j] = array[ROWS * THREADS - 1 + (ROWS - rows) - j][i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < ROWS * THREADS; j++)
      sum += result[i][j] * (j + 1) - i;
  printf ("%.17g\\n", sum);
  return 0;
}
"""


@pytest.mark.parametrize("mpi, node", [("mpich", 1), ("openmpi", 1), ("mpich", "all")])
def test_columns_are_checked(upct, mpi, node):
    for n, several in checked_as_alone(upct, mpi, node, COLUMNS, 7, (15, 16, 19), 16):
        assert n > 15 or several.returncode == 0


# A private pointer writes to what was freed, of the thread that the first argument says. So many other blocks are freed
# then that it leaves the quarantine, or, if the second argument is 0, the run ends.
STALE = """#include <stdlib.h>
#include <upc.h>
int
main (int argc, char **argv)
{
  shared [] char *shared *parts = upc_all_alloc (THREADS, sizeof *parts);
  shared int *all = upc_all_alloc (10 * THREADS, sizeof *all), *kept = upc_all_alloc (300 * THREADS, 1);
  int *mine = (int *) &all[MYTHREAD], *other = (int *) &kept[MYTHREAD];

  upc_barrier;
  if (MYTHREAD == 0)
    upc_free (all), upc_free (kept);
  upc_barrier;
  if (MYTHREAD == atoi (argv[1]))
    mine[4] = 5, other[70] = 6;
  upc_barrier;
  for (int i = 0; i < atoi (argv[2]); i++)
    {
      shared char *block = upc_all_alloc (THREADS, 1 << 20);

      upc_barrier;
      if (MYTHREAD == i % THREADS)
        upc_free (block);
      upc_barrier;
    }
  return parts == NULL;
}
"""


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", SHAPES)
def test_freed_symmetric_blocks_are_looked_at(upct, mpi, processes, node):
    upct.write("stale.upc", STALE)
    alone = upct.compile("-g", "-w", "stale.upc", output="one/stale")
    together = compile_for(upct, mpi, "stale.upc", "-g", output="several/stale")
    for thread, blocks in ((0, 0), (3, 0), (1, 40), (3, 40)):
        one = upct.run([alone, thread, blocks], THREADS=4, UPC_CHECK=1)
        several = run(upct, processes, 4, together, thread, blocks, UPC_CHECK=1, **environment_of(node))
        lines = [[line.split("error: ")[1] for line in result.stderr.splitlines() if "error: " in line] for result in (one, several)]
        if blocks:
            lines = [[re.sub(r"^thread \d: ", "", line) for line in some] for some in lines]
        assert lines[0] == lines[1] and several.returncode == 1, (thread, blocks)
        assert len(lines[0]) == (1 if blocks else 2) and f"thread 0 freed at stale.upc:" in lines[0][0]


def test_freed_memory_is_used_again(upct):
    """Blocks that have left the quarantine, and what lies in their place, are right."""
    upct.write("again.upc", STALE.replace("1 << 20", "(1 + i * 7919 % 40) << 16").replace("mine[4] = 5, other[70] = 6", "{}"))
    program = compile_for(upct, "mpich", "again.upc", "-g")
    result = run(upct, 4, 4, program, 0, 200, UPC_CHECK=1, UPC_NETWORK_SHARED=1)
    assert (result.stderr, result.returncode) == ("", 0)
