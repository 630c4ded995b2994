"""upcrun --top: what the threads of a running program do."""

import os
import pty
import re
import signal
import subprocess

import pytest

pytestmark = [pytest.mark.host_only("upcrun reads what Linux tells of this machine's processes"),
              pytest.mark.no_sanitizers("their programs have threads of their own")]

# Thread 0 has the lock until the file `go` is there, thread 1 wants it, others are in the barrier.
PROGRAM = """#include <upc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void *
other (void *argument)
{
  for (;;)
    pause ();
  return argument;
}
int
main (int argc, char **argv)
{
  upc_lock_t *lock = upc_all_lock_alloc ();
  pthread_t thread;
  if (MYTHREAD == 0)
    {
      upc_lock (lock);
      if (argc > 1 && strcmp (argv[1], "other") == 0)
        pthread_create (&thread, NULL, other, NULL);
    }
  upc_barrier;
  if (MYTHREAD == 0)
    while (access ("go", F_OK) != 0)
      continue;
  if (MYTHREAD < 2 && MYTHREAD > 0)
    upc_lock (lock);
  if (MYTHREAD < 2)
    upc_unlock (lock);
  if (argc > 1 && strcmp (argv[1], "abort") == 0 && MYTHREAD == 0)
    signal (SIGABRT, SIG_DFL), abort ();
  upc_barrier;
  return 3;
}
"""
ROW = r" *(\d+) +-?\d+ +\d+% +\d+% +\d+\.\d\d s  (.*)"
STATES = {0: "runs", 1: "sleeps in upc_lock, which thread 0 holds", 2: "sleeps in upc_barrier"}


class Run:
    """upcrun, whose standard error is read as it comes."""

    def __init__(self, upct, *words, terminal=None):
        self.upct = upct
        self.process = subprocess.Popen([upct.tool("upcrun"), *words], cwd=upct.folder, stderr=terminal or subprocess.PIPE, text=True,
                                        start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.go()
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def go(self):
        self.upct.write("go", "")

    def wait_for(self, *patterns):
        """Reads tables until each pattern has matched a line, whichever comes first; returns the matches."""
        left, found = list(patterns), {}
        for line in self.process.stderr:
            for pattern in left:
                if match := re.fullmatch(pattern, line.rstrip()):
                    found[pattern] = match
            left = [pattern for pattern in left if pattern not in found]
            if not left:
                return [found[pattern] for pattern in patterns]
        raise AssertionError(f"the program ended; no line was {left}")

    def end(self):
        self.go()
        return self.process.wait()


def rows(states):
    return [ROW.replace(r"(\d+)", f"({thread})").replace("(.*)", f"({re.escape(state)})") for thread, state in states.items()]


def compiled(upct, *switches):
    return upct.compile("-O2", *switches, upct.write("w.upc", PROGRAM), output="wait")


@pytest.mark.parametrize("switches", [["-no-pie"], ["-pie"], ["-static"]])
def test_tables_tell_what_threads_wait_for(upct, switches):
    compiled(upct, *switches)
    with Run(upct, "--top", "-n", "3", "./wait") as run:
        run.wait_for(r"wait, process \d+: 3 UPC threads, \d\.\d CPUs busy", r"thread  CPU  busy  queued      time", *rows(STATES))
        assert run.end() == 3


def test_a_program_without_symbols_sleeps(upct):
    compiled(upct)
    upct.check_output(["strip", "wait"])
    with Run(upct, "--top", "-n", "3", "./wait") as run:
        run.wait_for(*rows({0: "runs", 1: "sleeps", 2: "sleeps"}))
        assert run.end() == 3


def test_other_threads_are_counted(upct):
    compiled(upct)
    with Run(upct, "--top", "-n", "2", "./wait", "other") as run:
        run.wait_for(r"wait, process \d+: 2 UPC threads, .*", r"and 1 other thread, 0% busy")
        assert run.end() == 3


def test_a_process_that_runs_is_watched(upct):
    program = compiled(upct)
    with subprocess.Popen([program, "-n", "3"], cwd=upct.folder) as process:
        with Run(upct, f"--top={process.pid}") as run:
            run.wait_for(f"wait, process {process.pid}: 3 UPC threads, .*", *rows(STATES))
            run.go()
            assert (process.wait(), run.process.wait()) == (3, 0)


def test_the_end_is_the_programs(upct):
    compiled(upct)
    with Run(upct, "--top", "-n", "2", "./wait", "abort") as run:
        assert run.end() == -signal.SIGABRT


def test_who_ends_upcrun_ends_the_program(upct):
    compiled(upct)
    with Run(upct, "--top", "-n", "2", "./wait") as run:
        process = int(run.wait_for(r"wait, process (\d+): .*")[0][1])
        run.process.send_signal(signal.SIGTERM)
        assert run.process.wait() == -signal.SIGTERM
        assert not os.path.exists(f"/proc/{process}")


def test_a_terminal_has_one_table(upct):
    """The second one goes where the first was, and says no more than there is room for: lines do not wrap."""
    compiled(upct)
    ours, theirs = pty.openpty()
    subprocess.run(["stty", "rows", "6", "cols", "80"], stdin=theirs, check=True)
    with Run(upct, "--top", "-n", "4", "./wait", terminal=theirs) as run:
        os.close(theirs)
        said = b""
        while said.count(b"\033[5A\033[J") < 2:
            said += os.read(ours, 4096)
        assert said.startswith(b"\033[?7l") and said.count(b"\033[?7h\033[?7l\033[5A\033[J") == 2
        table = said.split(b"\033[5A\033[J")[1].partition(b"\033[?7h")[0].decode().splitlines()
        assert re.match(r"wait, process \d+: 4 UPC threads", table[0]) and table[4].startswith("and 2 other threads, ")
        assert [row.split()[0] for row in table[2:4]] == ["0", "1"] and len(table) == 5
        assert run.end() == 3
    os.close(ours)


@pytest.mark.parametrize("words, status, error", [
    (["--top=999999999"], 1, "--top: no process 999999999"),
    (["--top=x"], 2, "invalid value 'x' for --top; expected a number"),
    (["--top", "-N", "2", "./wait"], 2, "'--top' shows one process; it is not for -N"),
    (["--top", "./none"], 127, "cannot run './none': No such file or directory"),
])
def test_what_cannot_be_watched(upct, words, status, error):
    result = upct.run([upct.tool("upcrun"), *words])
    assert (result.returncode, result.stdout, result.stderr) == (status, "", f"upcrun: error: {error}\n")


MOVES = """#include <upc.h>
#include <unistd.h>
shared [1000] char a[1000 * THREADS];
int
main (void)
{
  char b[1000];
  while (access ("go", F_OK) != 0)
    {
      if (MYTHREAD == 0)
        upc_memget (b, &a[1000], 1000);
      if (MYTHREAD == 1)
        upc_memput (&a[2000], b, 400);
      if (MYTHREAD == 2)
        b[0] = a[2000];
      usleep (1000);
    }
  return 0;
}
"""


@pytest.mark.parametrize("switches", [["-no-pie"], ["-pie"], ["-static"]])
def test_traced_programs_tell_what_moves(upct, switches):
    """The pairs with the most bytes first; a thread's own memory is none of them."""
    upct.check_output([upct.tool("upcc"), "--trace", *switches, upct.write("m.upc", MOVES), "-o", "moves"])
    with Run(upct, "--top", "-n", "3", "./moves") as run:
        run.wait_for(r"moves, process \d+: 3 UPC threads, \d\.\d CPUs busy",
                     r"[\d.]+ [KM]iB/s between threads: 1 to 0 [\d.]+ [KM]iB/s, 1 to 2 [\d.]+ [KM]iB/s")
        assert run.end() == 0


def test_nothing_is_told_of_other_programs(upct):
    compiled(upct)
    with Run(upct, "--top", "-n", "2", "./wait") as run:
        tables = 0
        while tables < 3:
            if run.process.stderr.readline().startswith("wait, process "):
                assert run.process.stderr.readline() == "thread  CPU  busy  queued      time\n"
                tables += 1
        assert run.end() == 3
