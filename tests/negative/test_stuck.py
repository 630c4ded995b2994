"""Runs that can never go on say why and end; runs that only look so go on; SIGQUIT
shows what the threads of a run do."""

import os
import re
import signal
import subprocess
import time

import pytest

from support.stuck import SOURCE, line_of, place

pytestmark = [
    pytest.mark.tsan,
    pytest.mark.host_only("/proc/self of an emulator has no number of threads, and the calls of the emulator"),
]


def stuck(upct):
    """The path of the program."""
    return upct.build_once("stuck", lambda program: upct.check_output(
        [upct.tool("upcc"), "-g", upct.fixture(SOURCE), "-o", program]))


def at(upct, word, function):
    """Where a thread is seen. The race detector keeps back the signals that ask it."""
    return "" if "thread" in upct.sanitizers else place(upct, word, function)


def plain(text):
    """Without the addresses of locks."""
    return re.sub("offset 0x[0-9a-f]+", "offset X", text)


def expect(upct, words, *lines, threads=4, **options):
    result = upct.run([stuck(upct), "-n", threads, *words], **options)
    assert plain(result.stderr).splitlines() == list(lines), "stderr"
    assert (result.stdout, result.returncode) == ("", 1)


DEADLOCK = "stuck: error: deadlock: "


def lock(upct, name, holder, word=None, function="upc_all_lock_alloc"):
    """A lock that is waited for. Its pointer, and the line that ends in WORD allocates it."""
    return f" for {name}, allocated at {line_of(upct, word or name)} by {function}, held by thread {holder}"


def lock_a(upct, holder):
    return lock(upct, "lock 'a'", holder, "a")


@pytest.mark.parametrize("threads", [2, 3, 5, 64])
def test_barrier_that_a_thread_never_comes_to(upct, threads):
    others = {2: "thread 0", 3: "threads 0, 2", 5: "threads 0, 2-4", 64: "threads 0, 2-63"}[threads]
    expect(upct, ["return"], DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended",
           f"  {others}: waiting in upc_barrier" + at(upct, "return", "return_early"),
           "  thread 1: ended",
           f"  the barrier: {threads - 1} of {threads} threads have come, not thread 1", threads=threads)


def test_barrier_that_threads_have_left_by_exit(upct):
    expect(upct, ["exit"], DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended",
           "  threads 0, 2, 4: waiting in upc_barrier" + at(upct, "exit", "exit_early"),
           "  threads 1, 3: ended",
           "  the barrier: 3 of 5 threads have come, not threads 1, 3", threads=5)


def test_crossed_locks(upct):
    expect(upct, ["cross"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_lock for thread 0",
           "  thread 0: waiting in upc_lock" + at(upct, "take", "take") + lock(upct, "lock 'b'", 1, "b"),
           "  thread 1: waiting in upc_lock" + at(upct, "take", "take") + lock_a(upct, 0), threads=2)


def test_ring_of_locks(upct):
    expect(upct, ["ring"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_lock for thread 2, "
           "thread 2 in upc_lock for thread 0",
           *(f"  thread {i}: waiting in upc_lock" + at(upct, "ring", "ring")
             + lock(upct, f"lock 'in_ring[{3 + (i + 1) % 3}]'", (i + 1) % 3, "ring-alloc", "upc_global_lock_alloc")
             for i in range(3)), threads=3)


@pytest.mark.parametrize("known, name", [("function", "lock 'in_function'"), ("record", "lock at byte {} of 'record'"),
                                         ("records", "lock at byte 0 of 'records[1][0]'"),
                                         ("stack", "the lock at thread 0, offset X")])
def test_names_of_locks(upct, known, name):
    """By static variables that point to them, if there are any."""
    expect(upct, ["want", known],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, which has ended",
           "  threads 0, 2, 3: waiting in upc_lock" + at(upct, "take", "take") + lock(upct, name.format(8), 1, "want"),
           "  thread 1: ended")


def test_deadlock_behind_an_operation_in_flight(upct):
    """A thread of liburcu's is no thread of the program's."""
    expect(upct, ["flight"], DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended",
           "  thread 0: waiting in upc_barrier" + at(upct, "flight", "end_after_flight"), "  thread 1: ended",
           "  the barrier: 1 of 2 threads have come, not thread 1", threads=2)


def test_lock_that_an_ended_thread_holds(upct):
    expect(upct, ["keep-lock"], DEADLOCK + "thread 0 waits in upc_lock for thread 1, which has ended",
           "  threads 0, 2, 3: waiting in upc_lock" + at(upct, "take", "take") + lock_a(upct, 1),
           "  thread 1: ended")


# Waits that never sleep: of threads that have a CPU each, and of more.
@pytest.mark.parametrize("threads", [2, 5])
def test_spinning_at_a_barrier(upct, threads):
    others = {2: "thread 0", 5: "threads 0, 2-4"}[threads]
    expect(upct, ["return"], DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended",
           f"  {others}: waiting in upc_barrier" + at(upct, "return", "return_early"),
           "  thread 1: ended",
           f"  the barrier: {threads - 1} of {threads} threads have come, not thread 1", threads=threads,
           UPC_WAIT="spin")


def test_spinning_for_crossed_locks(upct):
    expect(upct, ["cross"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_lock for thread 0",
           "  thread 0: waiting in upc_lock" + at(upct, "take", "take") + lock(upct, "lock 'b'", 1, "b"),
           "  thread 1: waiting in upc_lock" + at(upct, "take", "take") + lock_a(upct, 0), threads=2,
           UPC_WAIT="spin")


# In the second one all have notified in one phase; the holder waits in the next.
@pytest.mark.parametrize("name, line, function", [("lock-in-barrier", "locked", "lock_in_barrier"),
                                                  ("lock-in-notify", "notified", "lock_in_notify")])
def test_lock_held_in_a_barrier(upct, name, line, function):
    expect(upct, [name],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_barrier for thread 0",
           "  threads 0, 2, 3: waiting in upc_lock" + at(upct, "take", "take") + lock_a(upct, 1),
           "  thread 1: waiting in upc_barrier" + at(upct, line, function),
           "  the barrier: 1 of 4 threads have come, not threads 0, 2, 3")


@pytest.mark.parametrize("word, function", [("alloc", "upc_all_alloc"), ("lock-alloc", "upc_all_lock_alloc"),
                                            ("free", "upc_all_free"), ("lock-free", "upc_all_lock_free"),
                                            ("broadcast", "upc_all_broadcast")])
def test_barrier_and_collective_meet(upct, word, function):
    expect(upct, ["meet", word],
           DEADLOCK + f"thread 0 waits in upc_barrier for thread 1, thread 1 in {function} for thread 0",
           "  threads 0, 2, 3: waiting in upc_barrier" + at(upct, "meet", "meet"),
           f"  thread 1: waiting in {function}" + at(upct, word, "meet"),
           "  the barrier: 3 of 4 threads have come, not thread 1")


def test_places_of_instrumented_code(upct):
    """Entry points that are given file and line."""
    program = upct.path("prog")
    upct.write("g.c", """
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
    upct.check_output(["gcc", "-c", "g.c"], cwd=upct.folder)
    upct.check_output([upct.tool("upcc"), "g.o", "-o", program], cwd=upct.folder)
    result = upct.run([program, "-n", 2])
    seen = "thread" not in upct.sanitizers
    assert result.stderr.splitlines() == ["prog: error: deadlock: thread 0 waits in upc_all_lock_alloc for thread 1, "
                                          "thread 1 in upc_barrier for thread 0",
                                          "  thread 0: waiting in upc_all_lock_alloc" + " at b.upc:9 in main" * seen,
                                          "  thread 1: waiting in upc_barrier" + " at a.upc:7 in main" * seen,
                                          "  the barrier: 1 of 2 threads have come, not thread 0"]
    assert result.returncode == 1


ALIKE = """#include <upc.h>
int
main (int argc, char **argv)
{
  switch (argc)
    {
    case 1:
      upc_barrier;
      break;
    case 2:
      if (MYTHREAD)
        upc_barrier;
      break;
    }
  return 0;
}
"""


@pytest.mark.parametrize("switches", ["-O2", "-O3", "-O2 -std=c90 -pedantic -Werror"])
def test_places_of_statements_that_are_alike(upct, switches):
    """Compilers make one of two calls that do the same, and jump to one that is the last."""
    for compiler in "gcc", "clang":
        program = upct.compile("-g", *switches.split(), upct.write("alike.upc", ALIKE), UPCC_CC=compiler)
        text = upct.run([program, "-n", 2, "x"]).stderr
        where = "" if "thread" in upct.sanitizers else r" at .*alike\.upc:12 in main"
        assert re.search(rf"thread 1: waiting in upc_barrier{where}\n", text), text


def test_program_without_symbols(upct):
    program = upct.path("stuck")
    upct.check_output(["strip", "-o", program, stuck(upct)])
    result = upct.run([program, "-n", 2, "return"])
    assert (result.stderr.splitlines()
            == ["stuck: error: deadlock: thread 0 waits in upc_barrier for thread 1, which has ended",
                "  thread 0: waiting in upc_barrier", "  thread 1: ended",
                "  the barrier: 1 of 2 threads have come, not thread 1"])


# What is to be done about it.


def until_line(upct, words, wanted, **environment):
    """Runs until a line of stderr begins so; returns the process and the lines."""
    process = subprocess.Popen([stuck(upct), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, **environment})
    lines = []
    while not lines or not lines[-1].startswith(wanted):
        line = process.stderr.readline()
        assert line, f"no line '{wanted}' after {lines}"
        lines.append(line.rstrip("\n"))
    return process, lines


def test_report_leaves_the_run_as_it_is(upct):
    process, lines = until_line(upct, ["-n", "2", "return"], "  the barrier:", UPC_DEADLOCK="report")
    assert lines[0] == DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended"
    # Once only, though it is looked at again and again; and then as ever.
    try:
        process.wait(timeout=1)
        pytest.fail("the run has ended")
    except subprocess.TimeoutExpired:
        pass
    process.send_signal(signal.SIGTERM)
    assert process.communicate() == ("", "")
    assert process.returncode == -signal.SIGTERM


def test_off_says_nothing(upct):
    result = upct.run(["timeout", "-s", "TERM", "1", stuck(upct), "-n", 2, "return"], UPC_DEADLOCK="off")
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 124)


def test_wrong_value_of_the_option(upct):
    result = upct.run([stuck(upct), "return"], UPC_DEADLOCK="maybe")
    assert (result.stderr, result.returncode) == (
        "stuck: error: invalid value 'maybe' for UPC_DEADLOCK; expected abort, report or off\n", 2)


@pytest.mark.parametrize("word, function", [("barrier", "upc_barrier"), ("lock", "upc_lock")])
def test_child_of_fork_does_not_wait_for_ever(upct, word, function):
    # A fork takes all locks of jemalloc, more than the race detector's search for deadlocks counts. The search for leaks cannot
    # stop the threads of the program's process.
    expect(upct, ["fork-" + word], f"{line_of(upct, 'child-' + word)}: error: thread 1: {function} in a child of fork waits "
           "for UPC threads, which it does not have", TSAN_OPTIONS="detect_deadlocks=0", ASAN_OPTIONS="detect_leaks=0")


# Ids of barriers.


@pytest.mark.parametrize("word, text, finders", [
    ("barrier", "upc_barrier: the ids differ: thread 0 gave 2{barrier-0}, thread 1 gave 1{barrier-1}",
     ("barrier-0", "barrier-1")),
    ("notify", "upc_wait: the ids differ: thread 0 gave -7{notify-0}, thread 2 gave 7{notify-2}", ("notify-wait",))])
def test_ids_that_differ_name_both_places(upct, word, text, finders):
    result = upct.run([stuck(upct), "-n", 4, "ids", word])
    text = re.sub(r"{([a-z0-9-]+)}", lambda m: place(upct, m[1], "ids"), text)
    # Whoever comes last says it, at its own line.
    lines = [line_of(upct, found) for found in finders]
    assert result.stderr in [f"{line}: error: thread {n}: {text}\n" for line in lines for n in range(4)]
    assert result.returncode == 1


def test_id_of_wait_that_differs_names_the_place(upct):
    result = upct.run([stuck(upct), "-n", 2, "ids", "wait"])
    assert re.sub("thread [01] gave", "thread N gave", result.stderr) == (f"{line_of(upct, 'wait-6')}: error: thread 1: upc_wait: id 6 differs from the id 5 that thread N gave to upc_notify" + place(upct, "notify-5", "ids") + "\n")
    assert result.returncode == 1


# No false alarm.


@pytest.mark.parametrize("word", ["come-late", "read-late", "set-flag-late", "attempt-late", "helper", "handler"])
def test_run_that_goes_on_is_left_alone(upct, word):
    script = f"(sleep 1; echo line) | {stuck(upct)} -n 4 {word}"
    result = upct.run(["bash", "-c", script])
    assert (result.stdout, result.stderr, result.returncode) == ("done\n", "", 0)


def test_program_that_handles_signals_may_get_one(upct):
    """Said late, and the run goes on."""
    process, lines = until_line(upct, ["-n", "2", "handled"], "  the barrier:")
    assert lines == ["stuck: warning: deadlock: thread 0 waits in upc_barrier for thread 1, which has ended",
                     "  thread 0: waiting in upc_barrier" + at(upct, "handled", "end_handled"), "  thread 1: ended",
                     "  the barrier: 1 of 2 threads have come, not thread 1"]
    process.send_signal(signal.SIGUSR1)
    stdout, stderr = process.communicate()
    assert (stdout, stderr, process.returncode) == ("", "", 12)


# SIGQUIT.


class Everything:
    """A run whose threads do all there is to do, until it is told to end."""

    def __init__(self, upct, threads):
        self.upct = upct
        with open(upct.path("stderr"), "w") as stderr:
            self.process = subprocess.Popen([stuck(upct), "-n", str(threads), "everything"], stdout=subprocess.PIPE,
                                            stderr=stderr, text=True,
                                            env={**os.environ, "STUCK_UNTIL": upct.path("until")})
        assert self.process.stdout.readline() == "ready\n"

    def ask(self):
        """What it has said until now, after one SIGQUIT more."""
        assert self.process.poll() is None
        self.process.send_signal(signal.SIGQUIT)
        time.sleep(0.01)
        return self.said()

    def said(self):
        with open(self.upct.path("stderr")) as f:
            return f.read()

    def end(self):
        self.upct.write("until", "")
        assert (self.process.communicate()[0], self.process.returncode) == ("done\n", 0)


@pytest.mark.no_tsan("it defers signals to threads that sleep")
def test_sigquit_shows_what_the_threads_do(upct):
    run = Everything(upct, 7)
    wanted = ["stuck: note: what the threads do:",
              "  thread 0: waiting in upc_barrier" + at(upct, "everything", "everything"),
              "  thread 1: polling" + at(upct, "poll", "everything") + ", for at least a second",
              "  thread 2: sleeping in nanosleep",
              "  thread 3: waiting in upc_lock" + at(upct, "take", "take") + lock_a(upct, 1),
              "  thread 4: sleeping in read" + at(upct, "read", "everything"),
              "  thread 5: polling in upc_lock_attempt" + at(upct, "attempt", "everything") + lock_a(upct, 1)
              + ", for at least a second",
              "  thread 6: running" + at(upct, "busy-6", "everything"),
              "  the barrier: 1 of 7 threads have come, not threads 1-6", ""]
    # The first ones see threads that are not yet where they are to be, and nobody poll for a second.
    for _ in range(1000):
        said = re.sub(r"for \d+ s at least", "for at least a second", plain(run.ask()))
        if "\n".join(wanted) in said:
            break
    else:
        pytest.fail(f"{said[-3000:]}\n  wanted {wanted}")
    run.end()


def test_sigquit_again_and_again_changes_nothing(upct):
    run = Everything(upct, 5)
    for _ in range(200):
        run.ask()
    run.end()


@pytest.mark.no_tsan("it defers signals to threads that sleep")
def test_sigquit_during_a_report_is_not_lost(upct):
    """Each comes when the report before has said its first line."""
    run = Everything(upct, 5)
    for number in range(1, 8):
        run.ask()
        for _ in range(3000):
            if run.said().count("what the threads do:") == number:
                break
            time.sleep(0.01)
        else:
            pytest.fail(f"no report {number}: {run.said()}")
    run.end()
