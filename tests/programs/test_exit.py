"""The end of a run under every order of events: threads that return, exit, crash and
wait, in all combinations that differ. Each prints a line before, which must be seen
once, or not at all where the process is killed."""

import os
import signal
import threading

from harness import case

FULL = os.environ.get("UPCT_TEST_FULL") == "1"
_lock = threading.Lock()


def ends(t):
    """The path of the program, linked once for each run of the tests."""
    program = os.path.join(t.build, "tests", "ends")
    with _lock:
        if not getattr(ends, "is_linked", None) == program:
            os.makedirs(os.path.dirname(program), exist_ok=True)
            t.good([t.tool("upcc"), "-w", "-g", t.fixture("run/ends.upc"), "-o", program])
            ends.is_linked = program
    return program


def run(t, roles, threads, delay=0):
    # A pipe that stays open: reads of standard input wait.
    ours, theirs = os.pipe()
    try:
        return t.run(["bash", "-c", f"exec {ends(t)} -n {threads} {roles} <&{ours}"], timeout=60,
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
    ("G4", 4, ()), ("R3 G4", None, ()), ("J8", 8, ()), ("U9", 9, ()), ("F6", 6, ()),
    *((f"{end}12 {wait}", 12, ()) for end in "GJUF" for wait in WAITS),
    *((f"{wait} {end}13", 13, ()) for end in "GJUF" for wait in "bcr"),
    *((f"R0 {wait} G14 P0", 14, ()) for wait in WAITS),
]
# Roles that kill the process: nothing is flushed.
KILLS = [(role, number) for role, number in (("A0", signal.SIGABRT), ("V0", signal.SIGSEGV),
                                             ("T0", signal.SIGTERM), ("I0", signal.SIGINT))]
# Ends that leave others waiting for ever.
STUCK = [(f"{end} {wait}", {"b": "upc_barrier", "w": "upc_wait", "c": "upc_all_alloc", "l": "upc_lock"}[wait])
         for end in ("R0", "E5", "P0", "H5") for wait in "bwcl"]


def seen(t, result, threads, extra):
    """Each line of the threads once, nothing of what comes after an end."""
    lines = result.stdout.split("\n")[:-1]
    numbers = [line for line in lines if line.isdigit()]
    t.equal(sorted(map(int, numbers)), list(range(threads)), f"lines of {lines}")
    t.equal({line.split()[0] for line in lines if not line.isdigit()}, set(extra), "other lines")


def check_end(t, roles, status, extra, threads, delay):
    result = run(t, roles, threads, delay)
    t.equal(result.stderr, "", f"stderr of {roles}")
    seen(t, result, threads, extra)
    # None: it depends on who comes first.
    t.check(result.returncode == status or status is None, f"{roles}: status {result.returncode}, not {status}")


@case(each=ENDS)
def ends_with_status(t, roles, status, extra):
    sample = [(4, 0), (7, 3000)][len(roles) % 2:][:1]
    for threads, delay in [(n, us) for n in (4, 7, 40) for us in (0, 3000)] if FULL else sample:
        check_end(t, roles, status, extra, threads, delay)


@case(each=[(roles, threads) for roles in ("R0", "G4", "P0 R0 E0 L0", "G5 b l r p") for threads in (1, 2, 64, 256)])
def ends_on_any_number_of_threads(t, roles, threads):
    if "thread" in t.sanitizers and threads > 64:
        threads = 100
    status, extra = {"R0": (0, ()), "G4": (4, ()), "G5 b l r p": (5, ())}.get(
        roles, (0, ("late",) if threads > 2 else ()))
    check_end(t, roles, status, extra, threads, 0)


@case(each=[(role, int(number), wait) for role, number in KILLS for wait in ("b", "l", "r", "i", "R0")])
def killed_by_a_signal(t, role, number, wait):
    if t.sanitizers and role in ("A0", "V0"):
        # They report it, and end as they like.
        return
    result = run(t, f"{role} {wait}", 4)
    t.equal((result.stdout, result.returncode), ("", -number), f"{role} {wait}")
    report = {"A0": "Aborted", "V0": "Segmentation fault: address 0x8"}.get(role)
    if report:
        line = result.stderr.split("\n")[0]
        t.check(line in [f"ends: error: thread {i}: {report}" for i in (0, 2)], line)
    else:
        t.equal(result.stderr, "")


@case(each=STUCK)
def others_wait_for_ever(t, roles, what):
    result = run(t, roles, 4)
    t.equal(result.stderr.split("\n")[0],
            f"ends: error: deadlock: thread 1 waits in {what} for thread 0, which has ended")
    seen(t, result, 4, ())
    t.equal(result.returncode, 1)


@case
def exit_of_the_process_flushes_nothing(t):
    result = run(t, "K12 b", 4)
    t.equal((result.stderr, result.returncode), ("", 12))
    # The race detector flushes it itself.
    t.check(result.stdout == "" or "thread" in t.sanitizers, result.stdout)


@case
def exit_in_constructors_and_destructors(t):
    t.write("a.c", """
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
    t.good(["gcc", "-c", "a.c"], cwd=t.folder)
    t.good([t.tool("upcc"), "a.o", "-o", "prog"], cwd=t.folder)
    everything = [f"{what} {i}" for what in ("begin", "end", "main") for i in range(3)]
    for environment, lines, status in (
            ({}, everything, 3),
            ({"END": 1}, everything, 6),
            ({"BEGIN": 1}, [line for line in everything if line != "main 1"], 3)):
        result = t.run([t.path("prog"), "-n", 3], **environment)
        t.equal((sorted(result.stdout.splitlines()), result.stderr, result.returncode),
                (lines, "", status))


@case
def global_exit_races_with_returns(t):
    """Many runs, short: who comes first differs."""
    for i in range(200 if FULL else 20):
        result = run(t, "R0 G4 E0 P0", 5, delay=300)
        t.check(result.returncode in (0, 4), f"status {result.returncode}")
        t.equal((sorted(map(int, result.stdout.split())), result.stderr), (list(range(5)), ""))


@case(each=[1, 2, 5])
def forked_processes_end_alone(t, threads):
    program = t.path("forks")
    t.good([t.tool("upcc"), "-g", t.fixture("run/forks.upc"), "-o", program])
    # A fork takes all locks of jemalloc, more than the race detector's search for deadlocks counts.
    t.equal(t.good([program], THREADS=threads, timeout=60, TSAN_OPTIONS="detect_deadlocks=0").splitlines(),
            [line for i in range(threads)
             for line in (f"child of {i}: {10 + i}", f"handler of {i}", f"child of {i}: {20 + i}")])
