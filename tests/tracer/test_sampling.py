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


def test_long_loops_are_sampled(upct):
    """What is recorded is a small part, and what it stands for is all, to a distance for each thread."""
    _, folder = traced(upct, TIMES)
    data = page_data(folder)
    gets, puts = tallies(data)["get"], tallies(data)["put"]
    accesses = 2 * 1000 * TIMES * 9 // 8
    recorded = sum(row[11] for row in data["calls"] if data["site"][row[0]][0] in ("get", "put"))
    assert recorded < 2 * 10000 + accesses // 100
    assert abs(gets["count"] + puts["count"] - accesses) <= 2 * FARTHEST
    assert gets["count"] == pytest.approx(2 * 1000 * TIMES, rel=0.05)
    assert puts["count"] == pytest.approx(2 * 125 * TIMES, rel=0.2)
    assert (gets["bytes"], puts["bytes"]) == (4 * gets["count"], 4 * puts["count"])
    cells = matrix(folder)
    assert cells[0][0] == cells[1][1] == 0 and cells[0][1] + cells[1][0] == gets["bytes"] + puts["bytes"]
    assert data["remarks"].startswith("Gets and puts are sampled: ")


# All of its accesses are in each iteration, so that most strips are done without asking at each.
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
    assert sum(row[11] for row in data["calls"] if data["site"][row[0]][0] == "get") < 2 * 10000 + 40000000 // 200


@pytest.mark.no_sanitizers("their code takes longer")
def test_a_traced_loop_takes_less_than_three_times_as_long(upct):
    """In CPU time of the two programs; untraced this loop has vectors."""
    def cpu_time(*switches):
        upct.check_output([upct.tool("upcc"), "-O3", *switches, upct.write("loop.upc", STRIPS.replace("20000", "1000000")), "-o", "loop"])
        before = os.times().children_user
        upct.check_output([upct.path("loop"), "-n", "2"], UPC_TRACE_REPORT="no")
        return os.times().children_user - before

    ratios = [cpu_time("--trace") / cpu_time() for _ in range(3)]
    assert sorted(ratios)[0] < 3


@pytest.mark.parametrize("times, environment", [(4, {}), (40, {"UPC_TRACE_SAMPLE": "1"})])
def test_short_runs_have_all(upct, times, environment):
    """And those that are to have them."""
    _, folder = traced(upct, times, **environment)
    data = page_data(folder)
    assert (tallies(data)["get"]["count"], tallies(data)["put"]["count"]) == (2000 * times, 250 * times)
    assert data["remarks"] == ""


@pytest.mark.parametrize("value", ["0", "-1", "x", "8x", "1000001", " 8"])
def test_a_wrong_sample_is_told(upct, value):
    result, _ = traced(upct, 1, UPC_TRACE_SAMPLE=value)
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
    assert "Gets and puts are sampled: 2 stand for 107. " in data["remarks"]
    assert [line.split() for line in section(read(folder, "profile.txt"), "By call") if line.endswith("  get")][0][:4] == ["101", "40", "ns", "40"]
    assert "20 ns" in [line for line in section(read(folder, "profile.txt"), "By call") if line.endswith("  get")][0]
    page = acted(upct, folder, "choose(0, D.thread[0].slices.find(slice => slice[2] == 30));")
    assert "8 B from thread 1 to thread 0, one of 100" in text_of(page, "details")
