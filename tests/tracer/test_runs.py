"""Programs that are traced: what they leave, however they end."""

import os
import re
import signal
import subprocess
import time

import pytest

from tracer.common import (OUTPUTS, dom, driver, matrix, otf2_events, page_data, read, report, section, slices,
                           table_rows, tallies)

pytestmark = [pytest.mark.tsan, pytest.mark.sample(2)]

READY = "ready\n"


def traced(upct, *words, status=0, program=None, **options):
    """Runs a scene of the driver; returns its result and its trace's folder."""
    program = program or driver(upct)
    result = upct.run([program, *words], **options)
    assert result.returncode == status, f"status {result.returncode}: {result.stdout}{result.stderr}"
    return result, upct.path("drive.trace")


def known_matrix(threads):
    """Of scene `known`: thread T is read T + 1 times, 8 bytes; each writes 100 to the next."""
    bytes_of = [[8 * (source + 1)] * threads for source in range(threads)]
    for me in range(threads):
        bytes_of[me][(me + 1) % threads] += 100
    return bytes_of


@pytest.mark.parametrize("threads", [1, 3, 8])
def test_known_events_are_all_there(upct, threads):
    result, folder = traced(upct, "-n", threads, "known")
    assert (result.stdout, result.stderr.count("\n")) == ("", 1), "output"
    data = page_data(folder)
    reads = threads * (threads + 1) // 2
    counts = {"main": 1, "upc_barrier": 2, "get": reads, "upc_memput": 1, "recurse": 5, "phase": 2, "plain": 2,
              'odd "one" <&>': 1, "upc_fence": 1, "upc_forall": 1, "exit": 1}
    assert data["command"].split()[1:] == ["-n", str(threads), "known"]
    assert (data["host"], data["date"][-4:]) == (os.uname().nodename, " UTC")
    assert all(0 < thread["cpu"] < 60e9 for thread in data["thread"])
    calls = tallies(data)
    assert {name: call["count"] for name, call in calls.items()} == {name: n * threads for name, n in counts.items()}
    assert (calls["get"]["bytes"], calls["upc_memput"]["bytes"]) == (8 * reads * threads, 100 * threads)
    assert calls["get"]["remote"] == 8 * (reads * threads - reads)
    assert matrix(folder) == known_matrix(threads)
    shown = slices(upct, folder)
    # One more: the other user event splits `plain`.
    points = {"plain": 1, 'odd "one" <&>': 1}
    each_thread = sum(counts.values()) - sum(points.values())
    assert [len(shown[i]) for i in range(threads)] == [each_thread + 1] * threads
    events = otf2_events(upct, folder)
    assert sum(e[0] == "ENTER" for e in events) == (each_thread + 1 + 2) * threads
    assert sum(e[0] == "RMA_GET" for e in events) == reads * threads


def test_values_of_user_events_are_recorded(upct):
    _, folder = traced(upct, "-n", "2", "known")
    data = page_data(folder)
    for thread in data["thread"]:
        texts = [s[4] for s in thread["slices"] if data["site"][s[0]][0] == "phase"]
        assert sorted(texts) == ["step 1 of a, 0.00% of 0x1",
                                 'step 7 of twelve "<b>", 58.33% of 0xff; at its end step 8 of end, 100.00% of 0']
        assert [p[4] for p in thread["points"]] == ["", "   42|st||x|99|1.5|0x10"]


def test_pointers_of_16_bytes_are_read(upct):
    program = upct.path("drive")
    upct.check_output([upct.tool("upcc"), "-fupc-pts=struct", upct.fixture("trace/driver.upc"),
                       upct.library("libgasp-trace-struct.a"), "-o", program])
    _, folder = traced(upct, "-n", "3", "known", program=program)
    assert matrix(folder) == known_matrix(3)


@pytest.mark.parametrize("kind", ["-pie", "-static"])
def test_programs_of_other_kinds_are_traced(upct, kind):
    if kind == "-static" and upct.sanitizers:
        kind = "-no-pie"  # sanitizers are shared libraries
    program = upct.path("drive")
    upct.check_output([upct.tool("upcc"), kind, *(["-fpie"] if kind == "-pie" else []),
                       upct.fixture("trace/driver.upc"), upct.library("libgasp-trace.a"), "-o", program])
    _, folder = traced(upct, "-n", "3", "known", program=program)
    assert matrix(folder) == known_matrix(3)


def test_times_are_those_of_a_clock(upct):
    """Between what the program measures within its events and around them, in each thread, within 1 %:
    a thread may lose its processor at any moment, between an event and a clock too."""
    result, folder = traced(upct, "-n", "3", "timed", "40")
    by_hand = [line.split() for line in sorted(result.stdout.splitlines())]
    data = page_data(folder)
    place = [i for i, p in enumerate(data["site"]) if p[0] == "timed"][0]
    for (_, within, around), thread in zip(by_hand, data["thread"], strict=True):
        measured = sum(s[3] for s in thread["slices"] if s[0] == place)
        assert 0.99 * float(within) < measured < 1.01 * float(around), f"{measured} ns, not {within} to {around}"
    whole = tallies(data)["timed"]["inclusive"]
    within, around = (sum(float(line[i]) for line in by_hand) for i in (1, 2))
    assert 0.99 * within < whole < 1.01 * around, f"the profile has {whole} ns, not {within} to {around}"


# Sanitizers report crashes themselves, and end otherwise.
def died_of(upct, result, number):
    return result.returncode == -number or (upct.sanitizers and result.returncode > 0)


@pytest.mark.slow
def test_a_crash_leaves_a_trace(upct):
    assert died_of(upct, upct.run([driver(upct), "-n", "3", "segv"]), signal.SIGSEGV)
    folder = upct.path("drive.trace")
    assert not set(OUTPUTS) & set(os.listdir(folder)), "reports of a crash"
    killed_threads_have_all(upct, report(upct, folder), 3)


def test_abort_leaves_reports(upct):
    """It is an end of the program's own, which tools hear of."""
    assert died_of(upct, upct.run([driver(upct), "-n", "3", "abort"]), signal.SIGABRT)
    calls = tallies(page_data(upct.path("drive.trace")))
    assert (calls["main"]["count"], calls["last_one"]["count"]) == (3, 3)
    assert calls["upc_fence"]["count"] >= 3000


def killed_threads_have_all(upct, data, threads):
    calls = tallies(data)
    assert (calls["main"]["count"], calls["last_one"]["count"]) == (threads, threads)
    assert calls["upc_fence"]["count"] >= 1000 * threads
    assert f"{threads} of {threads} threads did not come to an end" in data["remarks"]
    open_at_end = [s for thread in data["thread"] for s in thread["slices"] if len(s) > 4 and s[4] == "unfinished"]
    assert len(open_at_end) >= threads, "main is unfinished"


def test_a_killed_run_leaves_a_trace(upct):
    process = subprocess.Popen(upct.started([driver(upct), "-n", "3", "kill"]), stdout=subprocess.PIPE, text=True, cwd=upct.folder,
                               env={**os.environ, "UPC_TRACE_REPORT": "no"})
    assert process.stdout.readline() == READY
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed_threads_have_all(upct, report(upct, upct.path("drive.trace")), 3)


def test_a_run_that_is_under_way_can_be_looked_at(upct):
    with subprocess.Popen(upct.started([driver(upct), "-n", "2", "kill"]), stdout=subprocess.PIPE, text=True,
                          cwd=upct.folder) as process:
        try:
            assert process.stdout.readline() == READY
            killed_threads_have_all(upct, report(upct, upct.path("drive.trace")), 2)
            other = upct.run([upct.path("drive"), "nothing"])
            assert other.returncode == 0
            assert (other.stderr
                    == (f"drive: error: {upct.path('drive.trace')} is the trace of a run in progress; "
                        "this run is not traced (UPC_TRACE=DIRECTORY chooses another one)\n"))
        finally:
            process.kill()


def test_global_exit_leaves_reports(upct):
    _, folder = traced(upct, "-n", "3", "global-exit", status=3)
    calls = tallies(page_data(folder))
    assert (calls["main"]["count"], calls["last_one"]["count"], calls["upc_global_exit"]["count"]) == (3, 3, 1)
    assert calls["upc_fence"]["count"] >= 3000
    slices(upct, folder)


def test_a_run_without_events_has_reports(upct):
    _, folder = traced(upct, "-n", "2", "nothing")
    assert set(tallies(page_data(folder))) == {"exit"}


@pytest.mark.slow
def test_many_threads_are_traced(upct):
    _, folder = traced(upct, "-n", "256", "pairs", "100")
    data = page_data(folder)
    calls = tallies(data)
    assert (calls["upc_fence"]["count"], calls["exit"]["count"]) == (25600, 256)
    assert len(table_rows(dom(upct, folder), "threads")) == 256
    assert sum(e[0] == "ENTER" for e in otf2_events(upct, folder)) == 25856


def test_an_earlier_trace_is_replaced(upct):
    program = driver(upct)
    traced(upct, "-n", "5", "known", program=program)
    upct.write("drive.trace/mine.txt", "keep me")
    _, folder = traced(upct, "-n", "2", "nothing", program=program)
    assert sorted(os.listdir(folder)) == sorted([*OUTPUTS, "mine.txt", "run", "thread-0.bin", "thread-1.bin"])
    assert set(tallies(page_data(folder))) == {"exit"}


def test_the_folder_may_be_chosen(upct):
    traced(upct, "nothing", UPC_TRACE=upct.path("else where"))
    assert "report.html" in os.listdir(upct.path("else where")), "no report there"
    assert not os.path.exists(upct.path("drive.trace")), "a trace in the working directory too"


def test_other_folders_are_left_alone(upct):
    os.makedirs(upct.path("drive.trace"))
    upct.write("drive.trace/thread-0.bin", "mine")
    result, folder = traced(upct, "-n", "2", "known")
    assert result.stderr == (f"drive: error: {folder} exists and is not a trace; the run is not traced "
                             "(UPC_TRACE=DIRECTORY chooses another one)\n")
    assert read(folder, "thread-0.bin") == "mine"


@pytest.mark.parametrize("folder", ["/dev/null/x", "/proc/x", "nowhere/x"])
def test_an_impossible_folder_is_said_once(upct, folder):
    result, _ = traced(upct, "-n", "3", "known", UPC_TRACE=folder)
    path = folder if folder[0] == "/" else upct.path(folder)
    assert re.fullmatch(f"drive: error: cannot write the trace to {path}: [^\n]*; the run is not traced\n",
                        result.stderr)


def test_a_full_disk_is_said_once(upct):
    """A file that may not grow is one: the run goes on, and what was recorded is right."""
    program = driver(upct)
    result = upct.run(["bash", "-c", f"ulimit -f 300; exec {program} -n 2 pairs 50000"])
    folder = upct.path("drive.trace")
    assert result.returncode == 0
    assert (result.stderr
            == (f"drive: error: cannot write the trace to {folder}: File too large; the rest of the run is "
                f"not traced\ndrive: trace: {folder}; for the reports run: upc-trace {folder}\n"))
    cut_run_is_right(upct, report(upct, folder), 2, 50000)


def test_a_limit_is_kept(upct):
    result, folder = traced(upct, "-n", "2", "pairs", "100000", UPC_TRACE_LIMIT="512K")
    assert result.stderr.count("drive: warning: the trace has reached UPC_TRACE_LIMIT") == 1
    size = sum(os.path.getsize(f"{folder}/thread-{i}.bin") for i in range(2))
    assert size <= (512 << 10) + 2 * 69632
    cut_run_is_right(upct, page_data(folder), 2, 100000)


def cut_run_is_right(upct, data, threads, pairs):
    """What is not recorded is counted."""
    calls = tallies(data)
    assert 0 < calls["upc_fence"]["count"] < threads * pairs
    dropped = int(re.search(r"(\d+) events are not in it", data["remarks"])[1])
    assert data["events"] + dropped == threads * (2 * pairs + 2)


@pytest.mark.parametrize("limit", ["", "x", "5X", "-1", "5Mbit", "99999999999999999999", "9999999999G"])
def test_a_limit_is_a_size(upct, limit):
    result, _ = traced(upct, "nothing", UPC_TRACE_LIMIT=limit)
    wanted = "" if limit == "" else (f"drive: error: invalid value '{limit}' for UPC_TRACE_LIMIT; expected a size such as 500M; "
                                     "the run is not traced\n")
    assert result.stderr == wanted if wanted else "report.html" in result.stderr


def test_reports_may_be_left_to_the_user(upct):
    result, folder = traced(upct, "nothing", UPC_TRACE_REPORT="no")
    assert result.stderr == f"drive: trace: {folder}; for the reports run: upc-trace {folder}\n"
    odd = upct.path("it's odd")
    result, _ = traced(upct, "nothing", UPC_TRACE_REPORT="no", UPC_TRACE=odd)
    assert result.stderr == f"drive: trace: {odd}; for the reports run: upc-trace '{upct.folder}/it'\\''s odd'\n"
    upct.check_output(["sh", "-c", upct.tool(result.stderr.split("run: ")[1])])
    result, folder = traced(upct, "nothing", UPC_TRACE_REPORT="/nowhere/upc-trace")
    assert result.stderr == f"drive: trace: {folder}; for the reports run: upc-trace {folder}\n"


@pytest.mark.parametrize("folder, why", [("no-such", "no such directory"),
                                         (".", "not a trace: no file 'run' in it")])
def test_what_is_no_trace_is_told(upct, folder, why):
    result = upct.run([upct.tool("upc-trace"), folder])
    assert (result.returncode, result.stderr) == (1, f"{folder}: error: {why}\n")


def test_usage_is_told(upct):
    for words, why in [([], "no directory given"), (["a", "b"], "more than one directory: 'b'"), (["-x"], "unknown switch '-x'")]:
        result = upct.run([upct.tool("upc-trace"), *words])
        assert (result.returncode, result.stderr) == (2, f"upc-trace: error: {why}; see 'upc-trace --help'\n")
    assert upct.check_output([upct.tool("upc-trace"), "--help"]).startswith("usage: upc-trace DIRECTORY\n")
    assert ".TP\n\\fBprofile.txt\\fR" in upct.check_output([upct.tool("upc-trace"), "--manual=files"])
    assert ".TP\n\\fB\\-\\-version\\fR" in upct.check_output([upct.tool("upc-trace"), "--manual=switches"])


def test_errno_is_the_programs(upct):
    """A chunk that cannot be written leaves no trace in errno."""
    source = upct.write("errno.upc", """
#include <upc.h>
#include <errno.h>
#include <stdio.h>
#include <gasp.h>
int main (void)
{
  gasp_context_t tool = gasp_init (GASP_LANG_UPC, NULL, NULL);
  errno = 77;
  for (int i = 0; i < 100000; i++)
    {
      gasp_event_notify (tool, GASP_UPC_FENCE, GASP_START, "x", 1, 1);
      gasp_event_notify (tool, GASP_UPC_FENCE, GASP_END, "x", 1, 1);
    }
  printf ("%d\\n", errno);
  return 0;
}
""")
    program = upct.path("drive")
    upct.check_output([upct.tool("upcc"), source, upct.library("libgasp-trace.a"), "-o", program])
    for limit in (None, "200K"):
        assert upct.check_output([program, "-n", "1"], UPC_TRACE_LIMIT=limit, UPC_TRACE_REPORT="no") == "77\n"


@pytest.mark.host_only("qemu has no pages that a child finds empty")
def test_a_forked_child_records_nothing(upct):
    source = upct.write("fork.upc", """
#include <upc.h>
#include <gasp.h>
#include <sys/wait.h>
#include <unistd.h>
int main (void)
{
  gasp_context_t tool = gasp_init (GASP_LANG_UPC, NULL, NULL);
  int status = 1;
  pid_t child = fork ();
  if (child == 0)
    {
      gasp_event_notify (tool, GASP_UPC_FENCE, GASP_START, "x", 1, 1);
      gasp_event_notify (tool, GASP_UPC_COLLECTIVE_EXIT, GASP_END, "x", 1, 1, 0);
      _exit (0);
    }
  waitpid (child, &status, 0);
  gasp_event_notify (tool, GASP_UPC_COLLECTIVE_EXIT, GASP_START, "x", 2, 1, 0);
  gasp_event_notify (tool, GASP_UPC_COLLECTIVE_EXIT, GASP_END, "x", 2, 1, 0);
  return status != 0;
}
""")
    program = upct.path("drive")
    upct.check_output([upct.tool("upcc"), source, upct.library("libgasp-trace.a"), "-o", program])
    result, folder = traced(upct, "-n", "1", program=program)
    assert set(tallies(page_data(folder))) == {"exit"}
    assert "upc-trace" not in result.stderr


@pytest.mark.stress
def test_a_hundred_million_events_survive(upct):
    start = time.monotonic()
    _, folder = traced(upct, "-n", "2", "pairs", "25000000")
    data = page_data(folder)
    assert (data["events"], tallies(data)["upc_fence"]["count"]) == (100000004, 50000000)
    for name in ("report.html", "trace.json"):
        assert os.path.getsize(f"{folder}/{name}") < 200 << 20, f"{name} is large"
    assert section(read(folder, "profile.txt"), "By call"), f"no profile after {time.monotonic() - start:.0f} s"
