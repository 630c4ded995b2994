"""The end of a run under every order of events: threads that return, exit, crash and
wait, in all combinations that differ. Each prints a line before, which must be seen
once, or not at all where the process is killed."""

import os
import signal

import pytest

from support import FULL, NO_DEADLOCKS

pytestmark = [pytest.mark.tsan, pytest.mark.sample(3)]



def ends(upct):
    """The path of the program."""
    return upct.build_once("ends", lambda program: upct.check_output(
        [upct.tool("upcc"), "-w", "-g", upct.fixture("run/ends.upc"), "-o", program]))


def run(upct, roles, threads, delay=0):
    # A pipe that stays open: reads of standard input wait.
    ours, theirs = os.pipe()
    try:
        return upct.run(["bash", "-c", f"exec {ends(upct)} -n {threads} {roles} <&{ours}"],
                        pass_fds=(ours,), ENDS_DELAY_US=delay or None)
    finally:
        os.close(ours)
        os.close(theirs)


WAITS = "b w c l r i p".split()

# Roles, the status of the run, and what is printed beside a line for each thread.
ENDS = [
    ("R0", 0, ()), ("R0 R0 R4 R5", 4, ()), ("R3 E4", 3, ()), ("E0 R9", 9, ()), ("R256 R2", 2, ()), ("E-1", 255, ()),
    ("P0", 0, ()), ("P0 R3", 3, ()), ("R3 P0", 3, ()), ("E0 P0 E6", 6, ()),
    ("C0 R1", 1, ("cleanup", "handler")), ("L0", 0, ("late",)), ("L0 R7", 7, ("late",)), ("R0 L0 P0 E2", 2, ("late",)),
    ("H7 R0", 7, ()), ("R0 H7", 7, ()), ("H5 H6", 5, ()),
    ("S9 R0", 9, ()), ("R0 S9", 9, ()),
    ("G4", 4, ()), ("R3 G4", None, ()), ("J8", 8, ()), ("U9", 9, ()), ("F6", 6, ()), ("R0 F6", 6, ()), ("F6 R7", 6, ()),
    *((f"{end}12 {wait}", 12, ()) for end in "GJU" for wait in WAITS),
    *((f"{wait} {end}13", 13, ()) for end in "GJU" for wait in "bcr"),
    *((f"R0 {wait} G14 P0", 14, ()) for wait in WAITS),
]
# Roles that kill the process: nothing is flushed.
KILLS = [(role, number) for role, number in (("A0", signal.SIGABRT), ("V0", signal.SIGSEGV),
                                             ("T0", signal.SIGTERM), ("I0", signal.SIGINT))]
# Ends that leave others waiting for ever.
STUCK = [(f"{end} {wait}", {"b": "upc_barrier", "w": "upc_wait", "c": "upc_all_alloc", "l": "upc_lock"}[wait])
         for end in ("R0", "E5", "P0", "H5") for wait in "bwcl"]


def seen(upct, result, threads, extra):
    """Each line of the threads once, nothing of what comes after an end."""
    lines = result.stdout.split("\n")[:-1]
    numbers = [line for line in lines if line.isdigit()]
    assert sorted(map(int, numbers)) == list(range(threads)), f"lines of {lines}"
    assert {line.split()[0] for line in lines if not line.isdigit()} == set(extra), "other lines"


def check_end(upct, roles, status, extra, threads, delay):
    result = run(upct, roles, threads, delay)
    assert result.stderr == "", f"stderr of {roles}"
    seen(upct, result, threads, extra)
    # None: it depends on who comes first.
    assert result.returncode == status or status is None, f"{roles}: status {result.returncode}, not {status}"


@pytest.mark.parametrize("roles, status, extra", ENDS)
def test_ends_with_status(upct, roles, status, extra):
    sample = [(4, 0), (7, 3000)][len(roles) % 2:][:1]
    for threads, delay in [(n, us) for n in (4, 7, 40) for us in (0, 3000)] if FULL else sample:
        check_end(upct, roles, status, extra, threads, delay)


@pytest.mark.parametrize("roles, threads", [
    (roles, threads) for roles in ("R0", "G4", "P0 R0 E0 L0", "G5 b l r p") for threads in (1, 2, 64, 256)])
def test_ends_on_any_number_of_threads(upct, roles, threads):
    if "thread" in upct.sanitizers and threads > 64:
        threads = 100
    status, extra = {"R0": (0, ()), "G4": (4, ()), "G5 b l r p": (5, ())}.get(
        roles, (0, ("late",) if threads > 2 else ()))
    check_end(upct, roles, status, extra, threads, 0)


@pytest.mark.parametrize("role, number, wait", [
    (role, int(number), wait) for role, number in KILLS for wait in ("b", "l", "r", "i", "R0")])
def test_killed_by_a_signal(upct, role, number, wait):
    if upct.sanitizers and role in ("A0", "V0"):
        pytest.skip("sanitizers report crashes themselves, and end as they like")
    result = run(upct, f"{role} {wait}", 4)
    assert (result.stdout, result.returncode) == ("", -number), f"{role} {wait}"
    report = {"A0": "Aborted", "V0": "Segmentation fault: address 0x8, through a null pointer"}.get(role)
    if report:
        line = result.stderr.split("\n")[0]
        assert line in [f"ends: error: thread {i}: {report}" for i in (0, 2)]
    else:
        assert result.stderr == ""


@pytest.mark.host_only(NO_DEADLOCKS)
@pytest.mark.parametrize("roles, what", STUCK)
def test_others_wait_for_ever(upct, roles, what):
    result = run(upct, roles, 4)
    assert result.stderr.split("\n")[0] == (
        f"ends: error: deadlock: thread 1 waits in {what} for thread 0, which has ended")
    seen(upct, result, 4, ())
    assert result.returncode == 1


def test_exit_of_the_process_flushes_nothing(upct):
    result = run(upct, "K12 b", 4)
    assert (result.stderr, result.returncode) == ("", 12)
    # The race detector flushes it itself.
    assert result.stdout == "" or "thread" in upct.sanitizers


def test_exit_in_constructors_and_destructors(upct):
    upct.write("a.c", """
        #include <stdio.h>
        #include <stdlib.h>
        extern int MYTHREAD;
        static __attribute__ ((constructor)) void begin (void)
        {
          printf ("begin %d\\n", MYTHREAD);
          if (getenv ("BEGIN") && MYTHREAD == 1)
            exit (5);
        }
        static __attribute__ ((destructor)) void end (void)
        {
          printf ("end %d\\n", MYTHREAD);
          if (getenv ("END"))
            exit (6 + MYTHREAD);
        }
        int main (void)
        {
          printf ("main %d\\n", MYTHREAD);
          return 3;
        }
        """)
    upct.check_output(["gcc", "-c", "a.c"], cwd=upct.folder)
    upct.check_output([upct.tool("upcc"), "a.o", "-o", "prog"], cwd=upct.folder)
    everything = [f"{what} {i}" for what in ("begin", "end", "main") for i in range(3)]
    for environment, lines, status in (
            ({}, everything, 3),
            ({"END": 1}, everything, 6),
            ({"BEGIN": 1}, [line for line in everything if line != "main 1"], 3)):
        result = upct.run([upct.path("prog"), "-n", 3], **environment)
        assert (sorted(result.stdout.splitlines()), result.stderr, result.returncode) == (lines, "", status)


def test_global_exit_races_with_returns(upct):
    """Many runs, short: who comes first differs."""
    for i in range(200 if FULL else 20):
        result = run(upct, "R0 G4 E0 P0", 5, delay=300)
        assert result.returncode in (0, 4), f"status {result.returncode}"
        assert (sorted(map(int, result.stdout.split())), result.stderr) == (list(range(5)), "")


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_forked_processes_end_alone(upct, threads):
    program = upct.compile("-g", upct.fixture("run/forks.upc"), output="forks")
    # A fork takes all locks of jemalloc, more than the race detector's search for deadlocks counts.
    assert (upct.check_output([program], THREADS=threads, TSAN_OPTIONS="detect_deadlocks=0").splitlines()
            == [line for i in range(threads) for line in (f"child of {i}: {10 + i}", f"handler of {i}",
                                                          f"child of {i}: {20 + i}")])
