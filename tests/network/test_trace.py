"""Events and traces of programs of several processes."""

import os
import re

import pytest

from support.network import MPIS, SHAPES, compile_for, compiler_of, environment_of, nodes_of, run
from tracer.common import OUTPUTS, matrix, page_data, read, slices, tallies
from tracer.test_programs import heat_matrix

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them")]

PLACES = [(mpi, processes, threads, node) for mpi in MPIS for processes, threads in SHAPES for node in nodes_of(processes)]


def traced(upct, mpi, name, *switches):
    """A program that leaves its trace where UPC_TRACE says."""
    return upct.build_once(f"traced-{name.replace('/', '-')}-{mpi}", lambda path: compile_for(
        upct, mpi, upct.fixture(name), "--trace", *switches, output=path))


@pytest.mark.sample(1, plain=3)
@pytest.mark.parametrize("mpi, processes, threads, node", PLACES)
def test_one_trace_of_all_processes(upct, mpi, processes, threads, node):
    compiler_of(upct, mpi)
    result = run(upct, processes, threads, traced(upct, mpi, "trace/heat.upc"), UPC_TRACE="t", **environment_of(node))
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"{5 * threads} ")
    assert re.fullmatch(rf"\S+: trace: {threads} threads, \d+ events: .*\n", result.stderr)
    folder = upct.path("t")
    assert set(OUTPUTS) - set(os.listdir(folder)) == set(), "reports that are not there"
    calls = tallies(page_data(folder))
    counts = {"main": 1, "relax": 5, "upc_forall": 5, "upc_lock": 5, "upc_unlock": 5, "upc_all_reduce": 5, "upc_barrier": 7,
              "upc_memget": 1, "malloc": 1, "free": 1, "exit": 1, "upc_all_lock_alloc": 1}
    assert {name: calls[name]["count"] for name in counts} == {name: n * threads for name, n in counts.items()}
    assert matrix(folder) == heat_matrix(threads)
    check_order(slices(upct, folder), threads)


def check_order(events, threads):
    """Nobody leaves a barrier, or the run, before all have come."""
    assert len(events) == threads
    for name in "upc_barrier", "exit":
        times = [[(start, start - length) for start, length, what, _ in found if what == name] for found in events.values()]
        for round_of_all in zip(*times):
            assert max(start for start, _ in round_of_all) <= min(end for _, end in round_of_all), name


# Their accesses are of every kind: with events the code is another one.
@pytest.mark.sample(1, plain=3)
@pytest.mark.parametrize("mpi, node", [(mpi, node) for mpi in MPIS for node in (1, 2, "all")])
@pytest.mark.parametrize("name", ["network/memory", "network/litmus", "upc2c/features/records", "upc2c/features/packed",
                                  "upc2c/features/strict", "upc2c/features/transfers", "upc2c/features/pointers",
                                  "upc2c/features/operators", "collective/moves"])
def test_programs_with_events_are_right(upct, mpi, name, node):
    compiler_of(upct, mpi)
    result = run(upct, 3, 4, traced(upct, mpi, f"{name}.upc", "--profile-local"), UPC_TRACE_REPORT="no", UPC_TRACE="t",
                 **environment_of(node))
    assert (result.stdout, result.returncode) == ("ok\n", 0), result.stderr
    assert re.fullmatch(r"\S+: trace: \S+; for the reports run: upc-trace \S+\n", result.stderr)


def own_clock(upct):
    """The words that give a process a clock of its own, 1000 s ahead, which is not the processor's counter."""
    clock = upct.write("clock", "none\n")
    words = ["unshare", "--mount", "--fork", "--time", "--monotonic", "1000", "sh", "-c",
             f'mount --bind {clock} /sys/devices/system/clocksource/clocksource0/current_clocksource && exec "$@"', "sh"]
    if upct.run([*words, "true"]).returncode:
        pytest.skip("no namespaces of clocks")
    return words


@pytest.mark.parametrize("node", [1, "all"])
def test_clocks_are_aligned(upct, node):
    """Two processes whose clocks differ by 1000 s: without their alignment nothing is in order, and the run takes long."""
    compiler_of(upct, "mpich")
    program = traced(upct, "mpich", "trace/heat.upc")
    words = own_clock(upct)
    result = upct.run(["mpiexec.mpich", "-n", 1, program, ":", "-n", 1, *words, program], UPC_THREADS=4, UPC_TRACE="t",
                      **environment_of(node))
    assert result.returncode == 0, result.stderr
    events = slices(upct, upct.path("t"))
    ends = [start - length for found in events.values() for start, length, _, _ in found]
    assert max(ends) < 100 * 10 ** 9
    for name in "upc_barrier", "exit":
        times = [[(start, start - length) for start, length, what, _ in found if what == name] for found in events.values()]
        for round_of_all in zip(*times):
            # By how much the alignment may be wrong, the machine being busy.
            assert max(start for start, _ in round_of_all) < min(end for _, end in round_of_all) + 1000000, name


ENDS = """#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>
int main (int argc, char **argv)
{
  upc_barrier;
  if (MYTHREAD == THREADS - 1 && !strcmp (argv[1], "global"))
    upc_global_exit (3);
  if (MYTHREAD == THREADS - 1 && !strcmp (argv[1], "kill"))
    kill (getpid (), SIGKILL);
  upc_barrier;
  return 0;
}
"""


@pytest.mark.parametrize("how", ["global", "kill"])
@pytest.mark.parametrize("mpi", MPIS)
def test_a_run_that_is_cut_short_leaves_its_trace(upct, mpi, how):
    program = compile_for(upct, mpi, upct.write("a.upc", ENDS), "--trace")
    result = run(upct, 2, 4, program, how, UPC_TRACE="t")
    assert result.returncode in ((3,) if how == "global" else (9, 137)), result.stderr
    again = upct.run([upct.tool("upc-trace"), "t"])
    assert again.returncode == 0, again.stderr
    assert tallies(page_data(upct.path("t")))["upc_barrier"]["count"] >= 4


def test_the_directory_is_for_all(upct):
    """What another process sees in its place is said, and the threads that can be traced are."""
    compiler_of(upct, "mpich")
    program = traced(upct, "mpich", "trace/heat.upc")
    folder = upct.path("shared")
    os.mkdir(folder)
    hidden = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs none {folder} && exec "$@"', "sh"]
    if upct.run([*hidden, "true"]).returncode:
        pytest.skip("no namespaces of mounts")
    result = upct.run(["mpiexec.mpich", "-n", 1, program, ":", "-n", 1, *hidden, program], UPC_THREADS=4,
                      UPC_TRACE=f"{folder}/t")
    assert result.returncode == 0
    assert re.search(rf": error: {folder}/t on \S+ is not the directory that thread 0 has made; the process of thread [23] is "
                     r"not traced \(UPC_TRACE=DIRECTORY chooses one that all nodes have\)\n", result.stderr)
    assert "2 threads have left nothing" in read(f"{folder}/t", "profile.txt")


def test_each_process_has_its_part_of_the_limit(upct):
    compiler_of(upct, "mpich")
    source = upct.write("a.upc", """#include <upc.h>
shared int a[THREADS];
int main (void)
{
  for (int i = 0; i < 100000; i++)
    a[(MYTHREAD + 1) % THREADS] = i;
  return 0;
}
""")
    result = run(upct, 2, 4, compile_for(upct, "mpich", source, "--trace"), UPC_TRACE="t", UPC_TRACE_LIMIT="1M", UPC_TRACE_SAMPLE=1)
    assert result.returncode == 0
    assert result.stderr.count("the trace has reached UPC_TRACE_LIMIT") == 2
    size = sum(os.path.getsize(upct.path(f"t/thread-{t}.bin")) for t in range(4))
    assert size < 2 << 20


def test_events_of_other_compilers_code(upct):
    """The forms of entry points that have a place, and functions that raise their events themselves."""
    mpicc = compiler_of(upct, "mpich")
    upct.write("b.c", """#include <stddef.h>
#include <stdint.h>
typedef uint64_t pts;
extern unsigned __getgsi3 (pts, const char *, int);
extern void __putgsi4 (pts, unsigned, const char *, int);
extern void upc_memgetg (void *, pts, size_t, const char *, int);
extern uint64_t upc_memget_nb (void *, pts, size_t);
extern void upc_sync (uint64_t);
int use (pts p)
{
  unsigned x, y;
  __putgsi4 (p, 41, "other.upc", 7);
  upc_memgetg (&x, p, sizeof x, "other.upc", 8);
  upc_sync (upc_memget_nb (&y, p, sizeof y));
  return (x == 41) + (y == 41) + (__getgsi3 (p, "other.upc", 9) == 41);
}
""")
    source = upct.write("a.upc", """#include <stdio.h>
#include <string.h>
#include <upc.h>
shared int a[THREADS];
extern int use (unsigned long);
int main (void)
{
  shared int *p = &a[THREADS - 1 - MYTHREAD];
  unsigned long bits;
  memcpy (&bits, &p, sizeof bits);
  if (use (bits) != 3)
    puts ("wrong");
  return 0;
}
""")
    upct.check_output([upct.tool("upcc"), "-O1", "-fupc-network=mpi", "--trace", source, "b.c", "-o", "prog"], UPCC_MPICC=mpicc)
    result = run(upct, 2, 2, upct.path("prog"), UPC_TRACE="t", UPC_NETWORK_SHARED=1)
    assert (result.stdout, result.returncode) == ("", 0), result.stderr
    rows = tallies(page_data(upct.path("t")), "rows")
    counts = {key: row["count"] for key, row in rows.items() if key[0].startswith("other.upc")}
    assert counts == {("other.upc:7", "put"): 2, ("other.upc:8", "upc_memget"): 2, ("other.upc:9", "get"): 2}
    calls = tallies(page_data(upct.path("t")))
    assert (calls["upc_memget_nb"]["count"], calls["upc_sync"]["count"]) == (2, 2)
