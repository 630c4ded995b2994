"""Runs of several processes that can never go on say why and end, as those of one do (tests/negative/test_stuck.py has
the program); runs that only look so go on; SIGQUIT shows what the threads of all processes do."""

import os
import re
import signal
import socket
import subprocess
import time

import pytest

from support.network import MPIS, compile_for, nodes_of, processes_of, run
from support.stuck import SOURCE, line_of, place

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them")]

# Processes of four threads in all, and how many of them share memory at most; of the second MPI the second ones alone.
SHAPES = [(processes, node) for processes in (1, 2, 4) for node in nodes_of(processes)]


def combinations():
    for mpi in MPIS:
        for processes, node in SHAPES:
            if mpi == MPIS[0] or (processes, node) in ((2, 1), (4, "all")):
                yield mpi, processes, node


def stuck(upct, mpi):
    return upct.build_once(f"network-stuck-{mpi}", lambda program: compile_for(
        upct, mpi, upct.fixture(SOURCE), "-g", "-O0", output=program))


def places_of(processes):
    """The last line."""
    each = 4 // processes
    threads = [f"threads {p * each}, {p * each + 1}" if each == 2 else f"thread {p}" for p in range(processes)]
    return [f"  on {socket.gethostname()}: " + ", ".join(f"{t} in process {p} (pid N)" for p, t in enumerate(threads))
            ] if processes > 1 else []


def said(text):
    """Our lines, among those of the launcher, without what differs from run to run."""
    text = re.sub(r"\(pid \d+\)", "(pid N)", re.sub("^network-stuck-[a-z]+: ", "stuck: ", text, flags=re.M))
    return [line for line in text.splitlines() if re.match(r"stuck: |  (threads? \d|the barrier: |on \S+: thread)", line)]


def settings(node):
    return {} if node == "all" else {"UPC_NETWORK_SHARED": node}


def expect(upct, mpi, processes, node, words, *lines):
    result = run(upct, processes, 4, stuck(upct, mpi), *words, **settings(node))
    assert said(result.stderr) == [*lines, *places_of(processes)], result.stderr
    assert (result.stdout, result.returncode) == ("", 1)


DEADLOCK = "stuck: error: deadlock: "


def lock(upct, name, word, holder, function="upc_all_lock_alloc"):
    return f" for {name}, allocated at {line_of(upct, word)} by {function}, held by thread {holder}"


@pytest.mark.parametrize("mpi, processes, node", combinations())
def test_barrier_that_a_thread_never_comes_to(upct, mpi, processes, node):
    expect(upct, mpi, processes, node, ["return"],
           DEADLOCK + "thread 0 waits in upc_barrier for thread 1, which has ended",
           "  threads 0, 2, 3: waiting in upc_barrier" + place(upct, "return", "return_early"),
           "  thread 1: ended",
           "  the barrier: 3 of 4 threads have come, not thread 1")


@pytest.mark.parametrize("mpi, processes, node", combinations())
def test_ring_of_locks(upct, mpi, processes, node):
    """Each thread has made one of them, so each waits for another partition's. Their pointers, shared, do too."""
    expect(upct, mpi, processes, node, ["ring"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_lock for thread 2, "
           "thread 2 in upc_lock for thread 3, thread 3 in upc_lock for thread 0",
           *(f"  thread {i}: waiting in upc_lock" + place(upct, "ring", "ring")
             + lock(upct, f"lock 'in_ring[{4 + (i + 1) % 4}]'", "ring-alloc", (i + 1) % 4, "upc_global_lock_alloc")
             for i in range(4)))


@pytest.mark.parametrize("mpi, processes, node", combinations())
def test_lock_held_in_a_barrier(upct, mpi, processes, node):
    expect(upct, mpi, processes, node, ["lock-in-barrier"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, thread 1 in upc_barrier for thread 0",
           "  threads 0, 2, 3: waiting in upc_lock" + place(upct, "take", "take") + lock(upct, "lock 'a'", "a", 1),
           "  thread 1: waiting in upc_barrier" + place(upct, "locked", "lock_in_barrier"),
           "  the barrier: 1 of 4 threads have come, not threads 0, 2, 3")


@pytest.mark.parametrize("processes, node", SHAPES)
def test_lock_that_an_ended_thread_holds(upct, processes, node):
    expect(upct, "mpich", processes, node, ["keep-lock"],
           DEADLOCK + "thread 0 waits in upc_lock for thread 1, which has ended",
           "  threads 0, 2, 3: waiting in upc_lock" + place(upct, "take", "take") + lock(upct, "lock 'a'", "a", 1),
           "  thread 1: ended")


@pytest.mark.sample(1, plain=2)
@pytest.mark.parametrize("word, function", [("alloc", "upc_all_alloc"), ("lock-free", "upc_all_lock_free"),
                                            ("broadcast", "upc_all_broadcast")])
@pytest.mark.parametrize("mpi, processes, node", combinations())
def test_barrier_and_collective_do_not_meet(upct, mpi, processes, node, word, function):
    expect(upct, mpi, processes, node, ["meet", word],
           DEADLOCK + f"thread 0 waits in upc_barrier for thread 1, thread 1 in {function} for thread 0",
           "  threads 0, 2, 3: waiting in upc_barrier" + place(upct, "meet", "meet"),
           f"  thread 1: waiting in {function}" + place(upct, word, "meet"),
           "  the barrier: 3 of 4 threads have come, not thread 1")


# No false alarm.


@pytest.mark.sample(1, plain=2)
@pytest.mark.parametrize("word", ["come-late", "set-flag-late", "attempt-late", "helper", "handler"])
@pytest.mark.parametrize("mpi, processes, node", combinations())
def test_run_that_goes_on_is_left_alone(upct, mpi, processes, node, word):
    result = run(upct, processes, 4, stuck(upct, mpi), word, **settings(node))
    assert (result.stdout, result.stderr, result.returncode) == ("done\n", "", 0)


class Run:
    """A run of processes that are ours to stop and to ask."""

    def __init__(self, upct, mpi, processes, words, node, **environment):
        self.upct = upct
        self.program = stuck(upct, mpi)
        settings_of_run = {**settings(node), **environment, "OMPI_ALLOW_RUN_AS_ROOT": 1, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": 1}
        with open(upct.path("stderr"), "w") as stderr:
            self.upcrun = subprocess.Popen([upct.tool("upcrun"), "-n", "4", "-N", str(processes), self.program, *words],
                                           stdout=subprocess.PIPE, stderr=stderr, text=True,
                                           env={**os.environ, **{k: str(v) for k, v in settings_of_run.items()}})

    def processes(self):
        """Their pids, those that were started first coming first."""
        return [pid for pid in processes_of(self.program) if self.is_ours(pid)]

    def is_ours(self, pid):
        try:
            with open(f"/proc/{pid}/environ") as f:
                return f"STUCK_UNTIL={self.upct.path('until')}\0" in f.read()
        except OSError:
            return False

    def said(self):
        with open(self.upct.path("stderr")) as f:
            return said(f.read())


def wait_for(what):
    for _ in range(6000):
        if what():
            return
        time.sleep(0.01)
    pytest.fail("it does not come")


def test_stopped_process_is_in_no_deadlock(upct):
    """The others wait for it, and cannot know."""
    run_of_2 = Run(upct, "mpich", 2, ["come-late"], 1, STUCK_UNTIL=upct.path("until"))
    wait_for(lambda: len(run_of_2.processes()) == 2)
    last = run_of_2.processes()[1]
    os.kill(last, signal.SIGSTOP)
    time.sleep(2)
    os.kill(last, signal.SIGCONT)
    assert run_of_2.upcrun.communicate()[0] == "done\n"
    assert run_of_2.said() == []


def test_report_leaves_the_run_as_it_is(upct):
    stays = Run(upct, "mpich", 2, ["return"], 1, STUCK_UNTIL=upct.path("until"), UPC_DEADLOCK="report")
    wait_for(lambda: len(stays.said()) == 5)
    time.sleep(1)
    assert len(stays.said()) == 5
    stays.upcrun.terminate()
    stays.upcrun.communicate()


@pytest.mark.parametrize("asked", [0, 1, "upcrun"])
@pytest.mark.parametrize("mpi, node", [("mpich", "all"), ("mpich", 1), ("openmpi", 1)])
def test_sigquit_shows_what_all_threads_do(upct, mpi, node, asked):
    everything = Run(upct, mpi, 2, ["everything"], node, STUCK_UNTIL=upct.path("until"))
    assert everything.upcrun.stdout.readline() == "ready\n"
    wanted = ["stuck: note: what the threads do:",
              "  thread 0: waiting in upc_barrier" + place(upct, "everything", "everything"),
              "  thread 1: polling" + place(upct, "poll", "everything"),
              "  thread 2: sleeping in nanosleep",
              "  thread 3: waiting in upc_lock" + place(upct, "take", "take") + lock(upct, "lock 'a'", "a", 1),
              "  the barrier: 1 of 4 threads have come, not threads 1-3", *places_of(2)]

    def is_seen():
        pid = everything.upcrun.pid if asked == "upcrun" else everything.processes()[asked]
        os.kill(pid, signal.SIGQUIT)
        time.sleep(0.5)
        lines = [re.sub(r", for \d+ s at least", "", line) for line in everything.said()]
        return any(lines[i:i + len(wanted)] == wanted for i in range(len(lines)))

    for _ in range(60):
        if is_seen():
            break
    else:
        pytest.fail("\n".join([*everything.said()[-20:], "wanted:", *wanted]))
    upct.write("until", "")
    assert (everything.upcrun.communicate()[0], everything.upcrun.returncode) == ("done\n", 0)


# upcrun is the launcher's parent.

LAUNCHER = """#!/bin/bash
case $1 in
  -n) ;;
  *) echo "$@"; exit 9 ;;
esac
trap 'echo got USR1; exit 5' USR1
echo ready
case $4 in
  status) exit 7 ;;
  killed) kill -KILL $$ ;;
  wait) while :; do sleep 0.05; done ;;
esac
"""


def launched(upct, word):
    upct.write("launcher", LAUNCHER)
    os.chmod(upct.path("launcher"), 0o755)
    return subprocess.Popen([upct.tool("upcrun"), "-N", "2", stuck(upct, "mpich"), word], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env={**os.environ, "UPCRUN_MPIEXEC": upct.path("launcher")})


@pytest.mark.parametrize("word, status", [("status", 7), ("killed", -signal.SIGKILL)])
def test_upcrun_ends_as_its_launcher(upct, word, status):
    upcrun = launched(upct, word)
    assert (*upcrun.communicate(), upcrun.returncode) == ("ready\n", "", status)


def test_upcrun_hands_signals_on(upct):
    upcrun = launched(upct, "wait")
    assert upcrun.stdout.readline() == "ready\n"
    # Nobody is there to be asked.
    upcrun.send_signal(signal.SIGQUIT)
    line = upcrun.stderr.readline()
    assert re.fullmatch(r"upcrun: note: no process of '\S*network-stuck-mpich' is on this host: send SIGQUIT to one of them\n", line)
    upcrun.send_signal(signal.SIGUSR1)
    assert (*upcrun.communicate(), upcrun.returncode) == ("got USR1\n", "", 5)
