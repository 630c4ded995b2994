"""Programs that upcc instruments and links with the recorder: from source to reports."""

import os
import re

import pytest

from tracer.common import OUTPUTS, dom, matrix, otf2_events, page_data, read, slices, table_rows, tallies

pytestmark = pytest.mark.sample(2)

N = 64


def traced(upct, threads, *flags, source="trace/heat.upc"):
    program = upct.path("heat")
    upct.check_output([upct.tool("upcc"), "-O1", "--profile", "--trace", *flags, upct.fixture(source), "-o", program])
    result = upct.run([program, "-n", threads])
    assert result.returncode == 0, f"status {result.returncode}: {result.stderr}"
    return result, upct.path("heat.trace")


def heat_matrix(threads):
    """Bytes that heat.upc moves between different threads: five steps in which each thread reads
    its neighbours' borders, gives its sum to thread 0's total and adds to a counter of thread 0,
    then reads a whole neighbour and, when it is due, the total; --profile leaves out what is local."""
    moved = [[0] * threads for _ in range(threads)]
    for me in range(threads):
        for other in (me - 1, me + 1):
            if 0 <= other < threads:
                moved[other][me] += 5 * 8
        if me:
            moved[0][me] += 5 * 4 + 5 * 8
            moved[me][0] += 5 * 4
        moved[me][0] += 5 * 8
        moved[(me + 1) % threads][me] += N * 8
    return moved


def fib_calls(n):
    return 1 if n < 2 else 1 + fib_calls(n - 1) + fib_calls(n - 2)


@pytest.mark.parametrize("threads, flags", [
    (threads, flags) for threads in (1, 3, 8) for flags in ("", "-fupc-pts=struct")])
def test_a_program_is_traced_from_its_source(upct, threads, flags):
    result, folder = traced(upct, threads, *flags.split())
    assert result.stdout.startswith(f"{5 * threads} ")
    assert set(OUTPUTS) - set(os.listdir(folder)) == set(), "reports that are not there"
    data = page_data(folder)
    calls, rows = tallies(data), tallies(data, "rows")
    counts = {"main": 1, "relax": 5, "upc_forall": 5, "step": 5, "upc_lock": 5, "upc_unlock": 5, "upc_all_reduce": 5,
              "upc_barrier": 7, "upc_memget": 1, "malloc": 1, "free": 1, "exit": 1, "upc_all_lock_alloc": 1}
    assert {name: calls[name]["count"] for name in counts} == {name: n * threads for name, n in counts.items()}
    assert calls["fib"]["count"] == sum(fib_calls(8 + i) for i in range(threads))
    got = matrix(folder)
    if threads > 1:
        assert got == heat_matrix(threads)
    source = read(upct.fixture("trace"), "heat.upc").splitlines()
    line = 1 + next(i for i, text in enumerate(source) if "upc_memget" in text)
    where = [key for key in rows if key[1] == "upc_memget"]
    assert len(where) == 1 and where[0][0].endswith(f"heat.upc:{line}")
    events = otf2_events(upct, folder)
    shown = slices(upct, folder)
    assert sum(e[0] == "ENTER" for e in events) == sum(len(mine) for mine in shown.values())
    values = [s[4] for s in data["thread"][0]["slices"] if data["site"][s[0]][0] == "step"]
    assert [text.split(";")[0] for text in sorted(values)] == [f"{i} of 5, change 0" for i in range(5)]
    if threads == 3:
        assert len(table_rows(dom(upct, folder), "matrix-table")) == 3


REDUCTIONS = """
#include <upc_relaxed.h>
#include <upc_collective.h>
shared [4] short blocked[4 * THREADS], scanned[4 * THREADS];
shared [] long double there[8];
shared char cyclic[10 * THREADS];
shared long double sum;
#define SYNC UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC
int main (void)
{
  upc_all_reduceS ((shared short *) &sum, &blocked[2], UPC_ADD, 4, 4, NULL, SYNC);
  upc_all_reduceLD (&sum, there, UPC_ADD, 8, 0, NULL, SYNC);
  upc_all_reduceC ((shared signed char *) &cyclic[3], (shared signed char *) cyclic, UPC_MAX, 10 * THREADS, 1, NULL, SYNC);
  upc_all_reduceC ((shared signed char *) &sum, (shared signed char *) cyclic, UPC_MAX, 0, 1, NULL, SYNC);
  upc_all_prefix_reduceS (&scanned[2], &blocked[2], UPC_ADD, 4 * THREADS - 2, 4, NULL, SYNC);
  return 0;
}
"""


@pytest.mark.parametrize("form", ["packed", "struct"])
def test_reductions_give_one_result_of_each_thread(upct, form):
    source = upct.write("reduce.upc", REDUCTIONS)
    program = upct.path("reduce")
    upct.check_output([upct.tool("upcc"), f"-fupc-pts={form}", "--trace", source, "-o", program])
    upct.check_output([program, "-n", "4"])
    wanted = [[0] * 4 for _ in range(4)]
    for thread in 0, 1:
        wanted[thread][0] += 2
    wanted[0][0] += 16
    for thread in range(4):
        wanted[thread][3] += 1
    for thread in range(3):
        wanted[thread][thread + 1] += 2
    assert matrix(upct.path("reduce.trace")) == wanted
    details = [s[4] for s in page_data(upct.path("reduce.trace"))["thread"][2]["slices"] if "elements" in str(s[4:])]
    assert sorted(details) == ["0 B from thread 2 to thread 0, elements 0", "0 B from thread 2 to thread 0, elements 4",
                               "0 B from thread 2 to thread 0, elements 8",
                               "1 B from thread 2 to thread 3, elements 40",
                               "2 B from thread 2 to thread 3, elements 14"]
    kinds = [rest.split("Operation: ")[1].split(",")[0] for kind, _, _, rest in otf2_events(upct,
                                                                                            upct.path("reduce.trace"))
             if kind == "RMA_COLLECTIVE_END"]
    assert sorted(kinds) == ["REDUCE"] * 16 + ["SCAN"] * 4


ENDS = {
    "an-error": ("upc_wait;", 1, "upc_wait without upc_notify"),
    "upc_global_exit": ("upc_global_exit (7);", 7, ""),
    "exit": ("exit (9);", 9, ""),
}


@pytest.mark.parametrize("how", sorted(ENDS))
def test_a_run_that_ends_otherwise_has_reports(upct, how):
    statement, status, message = ENDS[how]
    source = upct.write("end.upc", f"""
#include <upc.h>
#include <stdlib.h>
static void inner (void) {{ upc_barrier; if (MYTHREAD == 1) {{ {statement} }} }}
int main (void) {{ inner (); if (MYTHREAD != 1 && {int(how != "exit")}) for (;;) upc_fence; return 0; }}
""")
    program = upct.path("end")
    upct.check_output([upct.tool("upcc"), "--trace", source, "-o", program])
    result = upct.run([program, "-n", "3"])
    assert result.returncode == status, result.stderr
    assert message in result.stderr
    calls = tallies(page_data(upct.path("end.trace")))
    assert (calls["main"]["count"], calls["inner"]["count"], calls["upc_barrier"]["count"]) == (3, 3, 3)
    assert ("exit" in calls, "upc_global_exit" in calls) == (how == "exit", how != "exit")


def test_main_has_nearly_all_of_the_time(upct):
    _, folder = traced(upct, 2)
    data = page_data(folder)
    calls = tallies(data)
    whole = sum(thread["ns"] for thread in data["thread"])
    inside = calls["main"]["inclusive"] + calls["exit"]["inclusive"]
    exclusive = sum(call["exclusive"] for call in calls.values())
    assert 0 < exclusive <= 1.001 * inside <= 1.001 * whole, (exclusive, inside, whole)


def most_of(changes):
    return max(changes[1::2], default=0)


@pytest.mark.parametrize("threads, flags", [(threads, flags) for threads in (1, 3, 8) for flags in ("", "-fupc-pts=struct")])
def test_heaps_and_locks_are_followed(upct, threads, flags):
    """Each heap has been as full as the program says, and is empty at the end, whoever has freed its blocks."""
    upct.check_output([upct.tool("upcc"), "-O1", "--trace", *flags.split(), upct.fixture("trace/heaps.upc"), "-o", "heaps"])
    # AddressSanitizer ends the program where there is no memory, unless told.
    upct.check_output([upct.path("heaps"), "-n", threads], ASAN_OPTIONS="allocator_may_return_null=1")
    data = page_data(upct.path("heaps.trace"))
    for thread in range(threads):
        symmetric = 1000 * -(-(2 * threads + 1) // threads) + 70
        assert most_of(data["shared heap"][thread]) == 10000 * (thread + 1) + symmetric
        assert most_of(data["private heap"][thread]) in range(2000, 2051)
        assert (data["shared heap"][thread][-1], data["private heap"][thread][-1]) == (0, 0)
    given = [(giver, taker) for giver, _, taker, _ in data["handovers"]]
    # Where the system lets a thread come to its lock in time.
    assert set(given) <= {(thread, thread + 1) for thread in range(threads - 1)}
    locks = {slice[4] for thread in data["thread"] for slice in thread["slices"] if data["site"][slice[0]][0] in ("upc_lock", "upc_unlock")}
    assert len(locks) == 1 and re.match("the lock at 0x[0-9a-f]+ of thread 0$", locks.pop())


@pytest.mark.no_sanitizers("their allocators keep what is freed for a while")
def test_blocks_that_libraries_free_are_no_leak(upct):
    """Calls by pointers raise no events. What comes to the place of a block says that it is gone."""
    source = upct.write("quiet.upc", """#include <upc.h>
#include <stdlib.h>
int
main (void)
{
  void (*volatile quiet) (void *) = free;
  for (int i = 0; i < 1000; i++)
    quiet (malloc (64 + i % 8));
  return 0;
}
""")
    upct.check_output([upct.tool("upcc"), "-O1", "--trace", source, "-o", "quiet"])
    upct.check_output([upct.path("quiet"), "-n", "2"])
    for changes in page_data(upct.path("quiet.trace"))["private heap"]:
        assert 0 < most_of(changes) <= 2 * 71
