"""Of gets and puts in loops one of many is recorded, and stands for the others."""

import os

import pytest

from tracer.common import acted, matrix, page_data, read, report, section, tallies, text_of
from tracer.traces import FUNCTION, GET, PUT, Thread, transfer, write

# Each thread reads the next one's integers in turn, and writes one of eight.
LOOP = """#include <upc.h>
#include <stdio.h>
#define N 1000
shared [N] int a[N * THREADS];
int
main (void)
{
  int other = (MYTHREAD + 1) %% THREADS, sum = 0;
  for (int k = 0; k < %d; k++)
    for (int i = 0; i < N; i++)
      {
        sum += a[N * other + i];
        if (i %% 8 == 0)
          a[N * other + i] = sum;
      }
  upc_barrier;
  return 0;
}
"""
TIMES = 25600
# What may not be counted at the end of a thread.
FARTHEST = 65536 * 3 // 2


def traced(upct, times, threads=2, status=0, **environment):
    upct.check_output([upct.tool("upcc"), "-O2", "--trace", upct.write("loop.upc", LOOP % times), "-o", "loop"])
    result = upct.run([upct.path("loop"), "-n", threads], **environment)
    assert result.returncode == status, result.stderr
    return result, upct.path("loop.trace")


def recorded(data):
    """How many gets and puts are in the trace."""
    return sum(row[11] for row in data["calls"] if data["site"][row[0]][0] in ("get", "put"))


def test_long_loops_are_sampled(upct):
    """What is recorded is a small part, and what it stands for is all: to a distance for each thread of what each iteration
    does, about of what some do."""
    _, folder = traced(upct, TIMES)
    data = page_data(folder)
    gets, puts = tallies(data)["get"], tallies(data)["put"]
    assert recorded(data) < 2 * 11250 + 2 * 1000 * TIMES // 100
    assert abs(gets["count"] - 2 * 1000 * TIMES) <= 2 * FARTHEST
    assert puts["count"] == pytest.approx(2 * 125 * TIMES, rel=0.2)
    assert (gets["bytes"], puts["bytes"]) == (4 * gets["count"], 4 * puts["count"])
    cells = matrix(folder)
    assert cells[0][0] == cells[1][1] == 0 and cells[0][1] + cells[1][0] == gets["bytes"] + puts["bytes"]
    assert data["remarks"].startswith("Gets and puts are sampled: ")


# Where nobody knows how many iterations there will be each access asks whether it is to be recorded.
LIST = """#include <upc.h>
shared int next[1000 * THREADS];
int
main (void)
{
  int n = 0;
  upc_forall (int i = 0; i < 1000 * THREADS; i++; &next[i])
    next[i] = (i + 1001) % (1000 * THREADS);
  upc_barrier;
  for (int k = 0; k < 8000; k++)
    for (int i = next[1]; i != 1; i = next[i])
      n++;
  upc_barrier;
  return n == 0;
}
"""


def test_accesses_of_unknown_number_are_sampled(upct):
    upct.check_output([upct.tool("upcc"), "-O2", "--trace", upct.write("list.upc", LIST), "-o", "list"])
    upct.check_output([upct.path("list"), "-n", "2"])
    data = page_data(upct.path("list.trace"))
    cells = matrix(upct.path("list.trace"))
    assert tallies(data)["get"]["count"] == pytest.approx(2 * 1000 * 8000, abs=2 * FARTHEST)
    assert cells[0][0] == cells[1][1] == 0 and cells[0][1] == pytest.approx(cells[1][0], rel=0.1)
    assert recorded(data) < 2 * 10000 + 2 * 1000 * 8000 // 200


# Most iterations are done without asking.
STRIPS = """#include <upc.h>
#define N 1000
shared [N] int a[N * THREADS];
int
main (void)
{
  int other = (MYTHREAD + 1) % THREADS, sum = 0;
  for (int k = 0; k < 20000; k++)
    for (int i = 0; i < N; i++)
      sum += a[N * other + i];
  upc_barrier;
  return sum;
}
"""


def test_strips_are_sampled(upct):
    upct.check_output([upct.tool("upcc"), "-O2", "--trace", upct.write("loop.upc", STRIPS), "-o", "loop"])
    upct.check_output([upct.path("loop"), "-n", "2"])
    data = page_data(upct.path("loop.trace"))
    gets = tallies(data)["get"]
    assert abs(gets["count"] - 2 * 20000 * 1000) <= 2 * FARTHEST
    cells = matrix(upct.path("loop.trace"))
    assert cells[0][0] == cells[1][1] == 0 and cells[0][1] + cells[1][0] == gets["bytes"] == 4 * gets["count"]
    assert recorded(data) < 2 * 10000 + 40000000 // 200


# Loops that untraced have vectors, tables of blocks, pieces, or none of these. O is the other thread.
LOOPS = {
    "in order": "sum += a[N * o + i];",
    "anywhere": "sum += a[at[i]];",
    "the largest": "if (a[N * o + i] > sum) sum = a[N * o + i];",
    "some": "if (a[N * o + i] % 2 == 0) sum += b[N * o + i];",
    "a search": "if (a[N * o + i] == N) break; sum++;",
    "updates": "c[2 * i + o] += i;",
    "small blocks": "d[i] += o;",
    "short loops": "for (int j = 0; j < 16; j++) sum += a[N * o + i / 16 * 16 + j];",
    "short updates": "for (int j = 0; j < 8; j++) b[N * o + i / 8 * 8 + j] += i;",
}
FINE = """#include <upc.h>
#include <stdlib.h>
#define N 4096
shared [N] int a[N * THREADS], b[N * THREADS];
shared int c[2 * N * THREADS];
shared [8] int d[N * THREADS];
static unsigned at[N];
static volatile int result;
int
main (int argc, char **argv)
{
  int o = (MYTHREAD + 1) %% THREADS, sum = 0;
  for (int i = 0; i < N; i++)
    at[i] = (i * 7919u) %% (N * THREADS), a[N * MYTHREAD + i] = i * 7919 %% N, b[N * MYTHREAD + i] = i;
  upc_barrier;
  for (int k = atoi (argv[1]); k > 0; k--)
    {
      __asm__ volatile ("" ::: "memory"); /* or one round is enough to the compiler */
      for (int i = 0; i < N; i++)
        { %s }
    }
  result = sum;
  upc_barrier;
  return 0;
}
"""


@pytest.mark.no_sanitizers("their code takes longer")
@pytest.mark.parametrize("switches", ["-O2", "-O3"])
@pytest.mark.parametrize("loop", LOOPS)
def test_a_traced_loop_takes_less_than_three_times_as_long(upct, loop, switches):
    """In CPU time of the two programs, which have the same number of iterations."""
    def cpu_time(program, times):
        before = os.times()
        upct.check_output([upct.path(program), "-n", "2", times], UPC_TRACE_REPORT="no")
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system

    upct.write("loop.upc", FINE % LOOPS[loop])
    upct.check_output([upct.tool("upcc"), switches, "loop.upc", "-o", "plain"])
    upct.check_output([upct.tool("upcc"), switches, "--trace", "loop.upc", "-o", "traced"])
    times = 1000
    while cpu_time("plain", times) < 0.2:
        times *= 3
        assert times < 10_000_000, "the compiler has removed the loop"
    ratios = []
    while len(ratios) < 3 and min(ratios, default=3) >= 3:
        ratios.append(cpu_time("traced", times) / cpu_time("plain", times))
    assert min(ratios) < 3, ratios


@pytest.mark.parametrize("times, environment", [(4, {}), (40, {"UPC_TRACE_SAMPLE": "1"})])
def test_short_runs_have_all(upct, times, environment):
    """And those that are to have them."""
    _, folder = traced(upct, times, **environment)
    data = page_data(folder)
    assert (tallies(data)["get"]["count"], tallies(data)["put"]["count"]) == (2000 * times, 250 * times)
    assert data["remarks"] == ""


@pytest.mark.parametrize("value", ["0", "-1", "x", "8x", "1000001", " 8"])
def test_a_wrong_sample_is_told(upct, value):
    result, _ = traced(upct, 40, UPC_TRACE_SAMPLE=value)
    assert result.stderr == (f"loop: error: invalid value '{value}' for UPC_TRACE_SAMPLE; expected a number from 1 to 1000000; "
                             "the run is not traced\n")


def test_code_of_other_compilers_is_recorded_whole(upct):
    """It raises all of its events, and asks nobody."""
    source = upct.write("all.upc", """#include <upc.h>
#include <gasp_upc.h>
#include <upct/gasp.h>
shared int a[THREADS];
int
main (void)
{
  static const struct upct_site site = { "other.upc", 7, 0 };
  shared int *p = &a[(MYTHREAD + 1) % THREADS];
  int x;
  for (int i = 0; i < 25000; i++)
    {
      upct_gasp_event (&site, GASP_UPC_GET, 0, 1, &x, &p, sizeof x);
      upct_gasp_event (&site, GASP_UPC_GET, 1, 1, &x, &p, sizeof x);
    }
  return 0;
}
""")
    upct.check_output([upct.tool("upcc"), "-O1", "--trace", source, "-o", "all"])
    upct.check_output([upct.path("all"), "-n", "2"])
    data = page_data(upct.path("all.trace"))
    assert tallies(data)["get"]["count"] == 50000
    assert data["remarks"] == ""


@pytest.mark.host_only("a browser of the host shows the report")
def test_what_stands_for_others_counts_for_them(upct):
    threads = [Thread(i, 2, begin=0) for i in range(2)]
    main, get, put = (threads[0].site(tag, tag) for tag in (FUNCTION, GET, PUT))
    threads[0].start(main, 0)
    threads[0].both(get, 10, 20, transfer(8, 1, 0))
    threads[0].both(get, 30, 60, transfer(8, 1, 0), 100)
    threads[0].both(put, 70, 75, transfer(4, 0, 1), 7)
    threads[0].end(main, 200)
    folder = write(upct.path("a.trace"), threads)
    data = report(upct, folder)
    calls = tallies(data)
    assert (calls["get"]["count"], calls["get"]["bytes"], calls["get"]["inclusive"]) == (101, 808, 40)
    assert (calls["put"]["count"], calls["put"]["remote"]) == (7, 28)
    assert matrix(folder) == [[0, 28], [808, 0]]
    assert "Gets and puts are sampled: 2 were recorded, and stand for 107. " in data["remarks"]
    assert [line.split() for line in section(read(folder, "profile.txt"), "By call") if line.endswith("  get")][0][:4] == ["101", "40", "ns", "40"]
    assert "20 ns" in [line for line in section(read(folder, "profile.txt"), "By call") if line.endswith("  get")][0]
    page = acted(upct, folder, "choose(0, D.thread[0].slices.find(slice => slice[2] == 30));")
    assert "8 B from thread 1 to thread 0, one of 100" in text_of(page, "details")
