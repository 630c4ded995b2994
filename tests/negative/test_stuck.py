"""Runs that can never go on say why and end; runs that only look so go on; SIGQUIT
shows what the threads of a run do."""

import os
import re
import signal
import subprocess
import threading
import time

from harness import case

_lock = threading.Lock()
SOURCE = "run/stuck.upc"


def stuck(t):
    """The path of the program, linked once for each run of the tests."""
    program = os.path.join(t.build, "tests", "stuck")
    with _lock:
        if not getattr(stuck, "is_linked", None) == program:
            os.makedirs(os.path.dirname(program), exist_ok=True)
            t.good([t.tool("upcc"), "-g", t.fixture(SOURCE), "-o", program])
            stuck.is_linked = program
    return program


def at(t, word, function):
    """Where a thread is seen. The race detector keeps back the signals that ask it."""
    return "" if "thread" in t.sanitizers else place(t, word, function)


def line_of(t, word):
    """"FILE:LINE" of the line that ends in the word."""
    with open(t.fixture(SOURCE)) as f:
        numbers = [n for n, line in enumerate(f, 1) if line.endswith(f"/* {word} */\n")]
    t.equal(len(numbers), 1, word)
    return f"{t.fixture(SOURCE)}:{numbers[0]}"


def place(t, word, function):
    return f" at {line_of(t, word)} in {function}"


def plain(text):
    """Without the addresses of locks."""
    return re.sub("offset 0x[0-9a-f]+", "offset X", text)


def expect(t, words, *lines, threads=4, **options):
    result = t.run([stuck(t), "-n", threads, *words], timeout=60, **options)
    t.equal(plain(result.stderr).splitlines(), list(lines), "stderr")
    t.equal((result.stdout, result.returncode), ("", 1))


DEADLOCK = "stuck: error: deadlock: "
LOCK = " for the lock at thread 0, offset X, held by thread "


@case(each=[2, 3, 5, 64])
def barrier_that_a_thread_never_comes_to(t, threads):
    others = {2: "thread 0", 3: "threads 0, 2", 5: "threads 0, 2-4", 64: "threads 0, 2-63"}[threads]
    expect(t, ["return"], DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended",
           f"  {others}: waiting in upc_barrier" + at(t, "return", "return_early"),
           "  thread 1: ended",
           f"  the barrier: {threads - 1} of {threads} threads have come, not thread 1", threads=threads)


@case
def barrier_that_threads_have_left_by_exit(t):
    expect(t, ["exit"], DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended",
           "  threads 0, 2, 4: waiting in upc_barrier" + at(t, "exit", "exit_early"),
           "  threads 1, 3: ended",
           "  the barrier: 3 of 5 threads have come, not threads 1, 3", threads=5)


@case
def crossed_locks(t):
    expect(t, ["cross"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_lock for thread 0",
           "  thread 0: waiting in upc_lock" + at(t, "take", "take") + LOCK + "1",
           "  thread 1: waiting in upc_lock" + at(t, "take", "take") + LOCK + "0", threads=2)


@case
def ring_of_locks(t):
    expect(t, ["ring"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_lock for thread 2, "
           "thread 2 in upc_lock for thread 0",
           *(f"  thread {i}: waiting in upc_lock" + at(t, "ring", "ring") + LOCK + str((i + 1) % 3)
             for i in range(3)), threads=3)


@case
def lock_that_an_ended_thread_holds(t):
    expect(t, ["keep-lock"], DEADLOCK + "thread 0 waits in upc_lock for thread 1, which has ended",
           "  threads 0, 2, 3: waiting in upc_lock" + at(t, "take", "take") + LOCK + "1",
           "  thread 1: ended")


# Waits that never sleep: of threads that have a CPU each, and of more.
@case(each=[2, 5])
def spinning_at_a_barrier(t, threads):
    others = {2: "thread 0", 5: "threads 0, 2-4"}[threads]
    expect(t, ["return"], DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended",
           f"  {others}: waiting in upc_barrier" + at(t, "return", "return_early"),
           "  thread 1: ended",
           f"  the barrier: {threads - 1} of {threads} threads have come, not thread 1", threads=threads,
           UPC_WAIT="spin")


@case
def spinning_for_crossed_locks(t):
    expect(t, ["cross"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_lock for thread 0",
           "  thread 0: waiting in upc_lock" + at(t, "take", "take") + LOCK + "1",
           "  thread 1: waiting in upc_lock" + at(t, "take", "take") + LOCK + "0", threads=2,
           UPC_WAIT="spin")


# In the second one all have notified in one phase; the holder waits in the next.
@case(each=[("lock-in-barrier", "locked", "lock_in_barrier"),
            ("lock-in-notify", "notified", "lock_in_notify")])
def lock_held_in_a_barrier(t, name, line, function):
    expect(t, [name],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_barrier for thread 0",
           "  threads 0, 2, 3: waiting in upc_lock" + at(t, "take", "take") + LOCK + "1",
           "  thread 1: waiting in upc_barrier" + at(t, line, function),
           "  the barrier: 1 of 4 threads have come, not threads 0, 2, 3")


@case(each=[("alloc", "upc_all_alloc"), ("lock-alloc", "upc_all_lock_alloc"),
            ("free", "upc_all_free"), ("lock-free", "upc_all_lock_free")])
def barrier_and_collective_meet(t, word, function):
    expect(t, ["meet", word],
           DEADLOCK + f"thread 0 waits in upc_barrier for thread 1, thread 1 in {function} for thread 0",
           "  threads 0, 2, 3: waiting in upc_barrier" + at(t, "meet", "meet"),
           f"  thread 1: waiting in {function}" + at(t, word, "meet"),
           "  the barrier: 3 of 4 threads have come, not thread 1")


@case
def places_of_instrumented_code(t):
    """Entry points that are given file and line."""
    program = t.path("prog")
    t.write("g.c", """
        extern int MYTHREAD;
        void __upc_barrierg (int id, const char *file, int line);
        unsigned long upc_all_lock_allocg (const char *file, int line);
        int main (void)
        {
          if (MYTHREAD)
            __upc_barrierg (-2147483647 - 1, "a.upc", 7);
          else
            upc_all_lock_allocg ("b.upc", 9);
          return 0;
        }
        """)
    t.good(["gcc", "-c", "g.c"], cwd=t.folder)
    t.good([t.tool("upcc"), "g.o", "-o", program], cwd=t.folder)
    result = t.run([program, "-n", 2])
    seen = "thread" not in t.sanitizers
    t.equal(result.stderr.splitlines(), [
        "prog: error: deadlock: thread 0 waits in upc_all_lock_alloc for thread 1, "
        "thread 1 in upc_barrier for thread 0",
        "  thread 0: waiting in upc_all_lock_alloc" + " at b.upc:9 in main" * seen,
        "  thread 1: waiting in upc_barrier" + " at a.upc:7 in main" * seen,
        "  the barrier: 1 of 2 threads have come, not thread 0"])
    t.equal(result.returncode, 1)


@case
def program_without_symbols(t):
    program = t.path("stuck")
    t.good(["strip", "-o", program, stuck(t)])
    result = t.run([program, "-n", 2, "return"])
    t.equal(result.stderr.splitlines(), [
        "stuck: error: deadlock: thread 0 waits in upc_barrier for thread 1, which has ended",
        "  thread 0: waiting in upc_barrier", "  thread 1: ended",
        "  the barrier: 1 of 2 threads have come, not thread 1"])


# What is to be done about it.


def until_line(t, words, wanted, **environment):
    """Runs until a line of stderr begins so; returns the process and the lines."""
    process = subprocess.Popen([stuck(t), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, **environment})
    lines = []
    while not lines or not lines[-1].startswith(wanted):
        line = process.stderr.readline()
        t.check(line, f"no line '{wanted}' after {lines}")
        lines.append(line.rstrip("\n"))
    return process, lines


@case
def report_leaves_the_run_as_it_is(t):
    process, lines = until_line(t, ["-n", "2", "return"], "  the barrier:", UPC_DEADLOCK="report")
    t.equal(lines[0], DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended")
    # Once only, though it is looked at again and again; and then as ever.
    try:
        process.wait(timeout=1)
        t.check(False, "the run has ended")
    except subprocess.TimeoutExpired:
        pass
    process.send_signal(signal.SIGTERM)
    t.equal(process.communicate(timeout=30), ("", ""))
    t.equal(process.returncode, -signal.SIGTERM)


@case
def off_says_nothing(t):
    result = t.run(["timeout", "-s", "TERM", "1", stuck(t), "-n", 2, "return"], UPC_DEADLOCK="off")
    t.equal((result.stdout, result.stderr, result.returncode), ("", "", 124))


@case
def wrong_value_of_the_option(t):
    result = t.run([stuck(t), "return"], UPC_DEADLOCK="maybe")
    t.equal((result.stderr, result.returncode),
            ("stuck: error: invalid value 'maybe' for UPC_DEADLOCK; expected abort, report or off\n", 2))


# Ids of barriers.


@case(each=[("barrier", "upc_barrier: the ids differ: thread 0 gave 2{barrier-0}, thread 1 gave 1{barrier-1}",
             ("barrier-0", "barrier-1")),
            ("notify", "upc_wait: the ids differ: thread 0 gave -7{notify-0}, thread 2 gave 7{notify-2}",
             ("notify-wait",))])
def ids_that_differ_name_both_places(t, word, text, finders):
    result = t.run([stuck(t), "-n", 4, "ids", word])
    text = re.sub(r"{([a-z0-9-]+)}", lambda m: place(t, m[1], "ids"), text)
    # Whoever comes last says it, at its own line.
    lines = [line_of(t, found) for found in finders]
    t.check(result.stderr in [f"{line}: error: thread {n}: {text}\n" for line in lines for n in range(4)],
            result.stderr)
    t.equal(result.returncode, 1)


@case
def id_of_wait_that_differs_names_the_place(t):
    result = t.run([stuck(t), "-n", 2, "ids", "wait"])
    t.equal(re.sub("thread [01] gave", "thread N gave", result.stderr),
            f"{line_of(t, 'wait-6')}: error: thread 1: upc_wait: id 6 differs from the id 5 that thread N gave to upc_notify"
            + place(t, "notify-5", "ids") + "\n")
    t.equal(result.returncode, 1)


# No false alarm.


@case(each=["come-late", "read-late", "set-flag-late", "helper", "handler"])
def run_that_goes_on_is_left_alone(t, word):
    script = f"(sleep 1; echo line) | {stuck(t)} -n 4 {word}"
    result = t.run(["bash", "-c", script])
    t.equal((result.stdout, result.stderr, result.returncode), ("done\n", "", 0))


@case
def program_that_handles_signals_may_get_one(t):
    """Said late, and the run goes on."""
    process, lines = until_line(t, ["-n", "2", "handled"], "  the barrier:")
    t.equal(lines, ["stuck: warning: deadlock: thread 0 waits in upc_barrier for thread 1, which has ended",
                    "  thread 0: waiting in upc_barrier" + at(t, "handled", "end_handled"),
                    "  thread 1: ended",
                    "  the barrier: 1 of 2 threads have come, not thread 1"])
    process.send_signal(signal.SIGUSR1)
    stdout, stderr = process.communicate(timeout=30)
    t.equal((stdout, stderr, process.returncode), ("", "", 12))


# SIGQUIT.


@case
def sigquit_shows_what_the_threads_do(t):
    if "thread" in t.sanitizers:
        return
    process = subprocess.Popen([stuck(t), "-n", "6", "everything"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    t.equal(process.stdout.readline(), "ready\n")
    wanted = ["stuck: note: what the threads do:",
              "  threads 0, 5: waiting in upc_barrier" + at(t, "everything", "everything"),
              "  thread 1: running" + at(t, "busy", "everything"),
              "  thread 2: sleeping in nanosleep",
              "  thread 3: waiting in upc_lock" + at(t, "take", "take") + LOCK + "1",
              "  thread 4: sleeping in read" + at(t, "read", "everything"),
              "  the barrier: 2 of 6 threads have come, not threads 1-4", ""]
    # The first ones see threads that are not yet where they are to be.
    while process.poll() is None:
        process.send_signal(signal.SIGQUIT)
        time.sleep(0.1)
    stdout, stderr = process.communicate(timeout=60)
    t.check("\n".join(wanted) in plain(stderr), f"{stderr}\n  wanted {wanted}")
    t.equal((stdout, process.returncode), ("done\n", 0))


@case
def sigquit_again_and_again_changes_nothing(t):
    process = subprocess.Popen([stuck(t), "-n", "5", "everything"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    t.equal(process.stdout.readline(), "ready\n")
    while process.poll() is None:
        process.send_signal(signal.SIGQUIT)
        try:
            process.wait(timeout=0.01)
        except subprocess.TimeoutExpired:
            pass
    t.equal((process.stdout.read(), process.returncode), ("done\n", 0))
