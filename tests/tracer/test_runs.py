"""Programs that are traced: what they leave, however they end."""

import os
import re
import signal
import subprocess
import time

from harness import case
from tracer.common import (OUTPUTS, dom, driver, matrix, otf2_events, page_data, read, report, section, slices,
                           table_rows, tallies)

READY = "ready\n"


def traced(t, *words, status=0, program=None, **options):
    """Runs a scene of the driver; returns its result and its trace's folder."""
    program = program or driver(t)
    result = t.run([program, *words], **options)
    t.check(result.returncode == status, f"status {result.returncode}: {result.stdout}{result.stderr}")
    return result, t.path("drive.trace")


def known_matrix(threads):
    """Of scene `known`: thread T is read T + 1 times, 8 bytes; each writes 100 to the next."""
    bytes_of = [[8 * (source + 1)] * threads for source in range(threads)]
    for me in range(threads):
        bytes_of[me][(me + 1) % threads] += 100
    return bytes_of


@case(each=[1, 3, 8])
def known_events_are_all_there(t, threads):
    result, folder = traced(t, "-n", threads, "known")
    t.equal((result.stdout, result.stderr.count("\n")), ("", 1), "output")
    data = page_data(folder)
    reads = threads * (threads + 1) // 2
    counts = {"main": 1, "upc_barrier": 2, "get": reads, "upc_memput": 1, "recurse": 5, "phase": 2, "plain": 2,
              'odd "one" <&>': 1, "upc_fence": 1, "upc_forall": 1, "exit": 1}
    calls = tallies(data)
    t.equal({name: call["count"] for name, call in calls.items()}, {name: n * threads for name, n in counts.items()})
    t.equal((calls["get"]["bytes"], calls["upc_memput"]["bytes"]), (8 * reads * threads, 100 * threads))
    t.equal(calls["get"]["remote"], 8 * (reads * threads - reads))
    t.equal(matrix(folder), known_matrix(threads))
    shown = slices(t, folder)
    # One more: the other user event splits `plain`.
    points = {"plain": 1, 'odd "one" <&>': 1}
    each_thread = sum(counts.values()) - sum(points.values())
    t.equal([len(shown[i]) for i in range(threads)], [each_thread + 1] * threads)
    events = otf2_events(t, folder)
    t.equal(sum(e[0] == "ENTER" for e in events), (each_thread + 1 + 2) * threads)
    t.equal(sum(e[0] == "RMA_GET" for e in events), reads * threads)


@case
def values_of_user_events_are_recorded(t):
    _, folder = traced(t, "-n", "2", "known")
    data = page_data(folder)
    for thread in data["thread"]:
        texts = [s[4] for s in thread["slices"] if data["place"][s[0]][0] == "phase"]
        t.equal(sorted(texts), ["step 1 of a, 0.00% of 0x1",
                                'step 7 of twelve "<b>", 58.33% of 0xff; at its end step 8 of end, 100.00% of 0'])
        t.equal([p[3] for p in thread["points"]], ["", "   42|st||x|99|1.5|0x10"])


@case
def pointers_of_16_bytes_are_read(t):
    program = t.path("drive")
    t.good([t.tool("upcc"), "-fupc-pts=struct", t.fixture("trace/driver.upc"),
            f"{t.build}/lib/upct/libgasp-trace-struct.a", "-o", program])
    _, folder = traced(t, "-n", "3", "known", program=program)
    t.equal(matrix(folder), known_matrix(3))


@case(each=["-pie", "-static"])
def programs_of_other_kinds_are_traced(t, kind):
    if kind == "-static" and t.sanitizers:
        kind = "-no-pie"  # sanitizers are shared libraries
    program = t.path("drive")
    t.good([t.tool("upcc"), kind, *(["-fpie"] if kind == "-pie" else []), t.fixture("trace/driver.upc"),
            f"{t.build}/lib/upct/libgasp-trace.a", "-o", program])
    _, folder = traced(t, "-n", "3", "known", program=program)
    t.equal(matrix(folder), known_matrix(3))


@case
def times_are_those_of_a_clock(t):
    """What the program measures itself, within 5 %, of each thread and however it is preempted."""
    result, folder = traced(t, "-n", "3", "timed", "40")
    by_hand = {int(line.split()[0]): float(line.split()[1]) for line in result.stdout.splitlines()}
    data = page_data(folder)
    place = [i for i, p in enumerate(data["place"]) if p[0] == "timed"][0]
    for number, thread in enumerate(data["thread"]):
        measured = sum(s[3] for s in thread["slices"] if s[0] == place)
        t.check(0.95 < measured / by_hand[number] < 1.05, f"thread {number}: {measured} ns, by hand {by_hand[number]}")
    whole = tallies(data)["timed"]["inclusive"] / sum(by_hand.values())
    t.check(0.95 < whole < 1.05, f"the profile has {whole} of the time")


@case(each=["segv", "abort"])
def a_crash_leaves_a_trace(t, how):
    result = t.run([driver(t), "-n", "3", how])
    folder = t.path("drive.trace")
    # Sanitizers report crashes themselves, and end otherwise.
    t.check(result.returncode == -(signal.SIGSEGV if how == "segv" else signal.SIGABRT)
            or (t.sanitizers and result.returncode > 0), result.returncode)
    t.check(not set(OUTPUTS) & set(os.listdir(folder)), "reports of a crash")
    data = report(t, folder)
    killed_threads_have_all(t, data, 3)


def killed_threads_have_all(t, data, threads):
    calls = tallies(data)
    t.equal((calls["main"]["count"], calls["last_one"]["count"]), (threads, threads))
    t.check(calls["upc_fence"]["count"] >= 1000 * threads, calls["upc_fence"])
    t.check(f"{threads} of {threads} threads did not come to an end" in data["remarks"], data["remarks"])
    open_at_end = [s for thread in data["thread"] for s in thread["slices"] if len(s) > 4 and s[4] == "unfinished"]
    t.check(len(open_at_end) >= threads, "main is unfinished")


@case
def a_killed_run_leaves_a_trace(t):
    process = subprocess.Popen([driver(t), "-n", "3", "kill"], stdout=subprocess.PIPE, text=True, cwd=t.folder,
                               env={**os.environ, "UPC_TRACE_REPORT": "no"})
    t.equal(process.stdout.readline(), READY)
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed_threads_have_all(t, report(t, t.path("drive.trace")), 3)


@case
def a_run_that_is_under_way_can_be_looked_at(t):
    with subprocess.Popen([driver(t), "-n", "2", "kill"], stdout=subprocess.PIPE, text=True, cwd=t.folder) as process:
        try:
            t.equal(process.stdout.readline(), READY)
            killed_threads_have_all(t, report(t, t.path("drive.trace")), 2)
            other = t.run([t.path("drive"), "nothing"])
            t.equal(other.returncode, 0)
            t.equal(other.stderr, f"drive: error: {t.path('drive.trace')} is the trace of a run that is under way; "
                    "this one is not traced (UPC_TRACE=FOLDER names another place)\n")
        finally:
            process.kill()


@case
def global_exit_leaves_reports(t):
    _, folder = traced(t, "-n", "3", "global-exit", status=3)
    calls = tallies(page_data(folder))
    t.equal((calls["main"]["count"], calls["last_one"]["count"], calls["upc_global_exit"]["count"]), (3, 3, 1))
    t.check(calls["upc_fence"]["count"] >= 3000, calls["upc_fence"])
    slices(t, folder)


@case
def a_run_without_events_has_reports(t):
    _, folder = traced(t, "-n", "2", "nothing")
    t.equal(set(tallies(page_data(folder))), {"exit"})


@case
def many_threads_are_traced(t):
    _, folder = traced(t, "-n", "256", "pairs", "100")
    data = page_data(folder)
    calls = tallies(data)
    t.equal((calls["upc_fence"]["count"], calls["exit"]["count"]), (25600, 256))
    t.equal(len(table_rows(dom(t, folder), "threads")), 256)
    t.equal(sum(e[0] == "ENTER" for e in otf2_events(t, folder)), 25856)


@case
def an_earlier_trace_is_replaced(t):
    program = driver(t)
    traced(t, "-n", "5", "known", program=program)
    t.write("drive.trace/mine.txt", "keep me")
    _, folder = traced(t, "-n", "2", "nothing", program=program)
    t.equal(sorted(os.listdir(folder)), sorted([*OUTPUTS, "mine.txt", "run", "thread-0.bin", "thread-1.bin"]))
    t.equal(set(tallies(page_data(folder))), {"exit"})


@case
def the_folder_may_be_chosen(t):
    traced(t, "nothing", UPC_TRACE=t.path("else where"))
    t.check("report.html" in os.listdir(t.path("else where")), "no report there")
    t.check(not os.path.exists(t.path("drive.trace")), "a trace in the working directory too")


@case
def other_folders_are_left_alone(t):
    os.makedirs(t.path("drive.trace"))
    t.write("drive.trace/thread-0.bin", "mine")
    result, folder = traced(t, "-n", "2", "known")
    t.equal(result.stderr, f"drive: error: {folder} is there and is no trace; the run is not traced "
            "(UPC_TRACE=FOLDER names another place)\n")
    t.equal(read(folder, "thread-0.bin"), "mine")


@case(each=["/dev/null/x", "/proc/x", "nowhere/x"])
def an_impossible_folder_is_said_once(t, folder):
    result, _ = traced(t, "-n", "3", "known", UPC_TRACE=folder)
    path = folder if folder[0] == "/" else t.path(folder)
    t.check(re.fullmatch(f"drive: error: cannot write the trace to {path}: [^\n]*; the run is not traced\n",
                         result.stderr), result.stderr)


@case
def a_full_disk_is_said_once(t):
    """A file that may not grow is one: the run goes on, and what was recorded is right."""
    program = driver(t)
    result = t.run(["bash", "-c", f"ulimit -f 300; exec {program} -n 2 pairs 50000"])
    folder = t.path("drive.trace")
    t.equal(result.returncode, 0)
    t.equal(result.stderr, f"drive: error: cannot write the trace to {folder}: File too large; the rest of the run is "
            f"not traced\ndrive: trace: {folder}; for the reports run: upc-trace {folder}\n")
    cut_run_is_right(t, report(t, folder), 2, 50000)


@case
def a_limit_is_kept(t):
    result, folder = traced(t, "-n", "2", "pairs", "100000", UPC_TRACE_LIMIT="512K")
    t.equal(result.stderr.count("drive: warning: the trace has reached UPC_TRACE_LIMIT"), 1)
    size = sum(os.path.getsize(f"{folder}/thread-{i}.bin") for i in range(2))
    t.check(size <= (512 << 10) + 2 * 69632, size)
    cut_run_is_right(t, page_data(folder), 2, 100000)


def cut_run_is_right(t, data, threads, pairs):
    """What is not recorded is counted."""
    calls = tallies(data)
    t.check(0 < calls["upc_fence"]["count"] < threads * pairs, calls["upc_fence"])
    dropped = int(re.search(r"(\d+) events are not in it", data["remarks"])[1])
    t.equal(data["events"] + dropped, threads * (2 * pairs + 2))


@case(each=["", "x", "5X", "-1", "5Mb", "99999999999999999999", "9999999999G"])
def a_limit_is_a_size(t, limit):
    result, _ = traced(t, "nothing", UPC_TRACE_LIMIT=limit)
    wanted = "" if limit == "" else (f"drive: error: UPC_TRACE_LIMIT is '{limit}', not a size such as 500M; "
                                     "the run is not traced\n")
    t.check(result.stderr == wanted if wanted else "report.html" in result.stderr, result.stderr)


@case
def reports_may_be_left_to_the_user(t):
    result, folder = traced(t, "nothing", UPC_TRACE_REPORT="no")
    t.equal(result.stderr, f"drive: trace: {folder}; for the reports run: upc-trace {folder}\n")
    odd = t.path("it's odd")
    result, _ = traced(t, "nothing", UPC_TRACE_REPORT="no", UPC_TRACE=odd)
    t.equal(result.stderr, f"drive: trace: {odd}; for the reports run: upc-trace '{t.folder}/it'\\''s odd'\n")
    t.good(["sh", "-c", t.tool(result.stderr.split("run: ")[1])])
    result, folder = traced(t, "nothing", UPC_TRACE_REPORT="/nowhere/upc-trace")
    t.equal(result.stderr, f"drive: trace: {folder}; for the reports run: upc-trace {folder}\n")


@case(each=[("no-such", "no such folder"), (".", "not a trace: there is no file 'run' in it")])
def what_is_no_trace_is_told(t, folder, why):
    result = t.run([t.tool("upc-trace"), folder])
    t.equal((result.returncode, result.stderr), (1, f"{folder}: error: {why}\n"))


@case
def usage_is_told(t):
    for words, why in [([], "no folder given"), (["a", "b"], "more than one folder: 'b'"), (["-x"], "unknown option '-x'")]:
        result = t.run([t.tool("upc-trace"), *words])
        t.equal((result.returncode, result.stderr), (2, f"upc-trace: error: {why}; see 'upc-trace --help'\n"))
    t.check(t.good([t.tool("upc-trace"), "--help"]).startswith("usage: upc-trace FOLDER\n"), "--help")


@case
def errno_is_the_programs(t):
    """A chunk that cannot be written leaves no trace in errno."""
    source = t.write("errno.upc", """
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
    program = t.path("drive")
    t.good([t.tool("upcc"), source, f"{t.build}/lib/upct/libgasp-trace.a", "-o", program])
    for limit in (None, "200K"):
        t.equal(t.good([program, "-n", "1"], UPC_TRACE_LIMIT=limit, UPC_TRACE_REPORT="no"), "77\n")


@case
def a_forked_child_records_nothing(t):
    source = t.write("fork.upc", """
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
    program = t.path("drive")
    t.good([t.tool("upcc"), source, f"{t.build}/lib/upct/libgasp-trace.a", "-o", program])
    result, folder = traced(t, "-n", "1", program=program)
    t.equal(set(tallies(page_data(folder))), {"exit"})
    t.check("upc-trace" not in result.stderr, result.stderr)


@case(stress=True)
def a_hundred_million_events_survive(t):
    start = time.monotonic()
    _, folder = traced(t, "-n", "2", "pairs", "25000000", timeout=3600)
    data = page_data(folder)
    t.equal((data["events"], tallies(data)["upc_fence"]["count"]), (100000004, 50000000))
    for name in ("report.html", "trace.json"):
        t.check(os.path.getsize(f"{folder}/{name}") < 200 << 20, f"{name} is large")
    t.check(section(read(folder, "profile.txt"), "By call"), f"no profile after {time.monotonic() - start:.0f} s")
