"""Programs of several processes (upcc -fupc-network=mpi), with MPICH and Open MPI where they are installed. The
programs are those of the language and library tests, and what concerns processes alone."""

import os
import random
import re
import signal
import socket
import subprocess
import time

import pytest

from support import FULL, ROOT
from support.collective import DIFFERENT, misuse_source
from support.network import MPIS, NODES, SHAPES, compile_for, compiler_of, environment_of, nodes_of, processes_of, run

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them")]

FIXTURES = os.path.join(ROOT, "tests", "fixtures")
# Programs that every combination runs; of the others each runs in one of each kind of node, by turns, unless full=1
# asks for all. Without features/copies: what it is about, private copies, is not planned here, and its single loads
# take a minute where CPUs are few.
OWN = ["network/litmus", "network/memory", "network/meetings", "network/long", "network/blocks",
       "network/joined", "network/inline", "network/strips", "network/batches", "network/runs",
       "network/objects", "network/parts", "network/stencils"]
OTHERS = [f"collective/{name}" for name in ("moves", "reduce", "one_block", "sort", "prototypes", "uses")]
OTHERS += [f"upc2c/rules/{name}" for name in ("arithmetic", "barriers", "casts", "forall", "qualifiers", "sizes")]
OTHERS += [f"upc2c/features/{name}" for name in (
    "atomics", "barriers", "constants", "elements", "forall", "initial", "initial_private", "literals",
    "odd", "operators", "packed", "pointers", "records", "recurrences", "strict", "transfers", "types_within", "wrapping")]


def cases():
    for mpi in MPIS:
        for processes, threads in SHAPES:
            for node in nodes_of(processes):
                for name in OWN:
                    yield mpi, name, processes, threads, node
    several = SHAPES[1:]
    for turn, name in enumerate(OTHERS):
        for i, (processes, threads) in enumerate(several):
            for j, mpi in enumerate(MPIS):
                for k, node in enumerate(nodes_of(processes)):
                    if FULL or (k < 2 and (turn + 3 * k) % 6 == 2 * i + j):
                        yield mpi, name, processes, threads, node


@pytest.mark.sample(1, plain=3)
@pytest.mark.parametrize("mpi, name, processes, threads, node", cases())
def test_program_is_right(upct, mpi, name, processes, threads, node):
    source = os.path.join(FIXTURES, name + ".upc")
    program = upct.build_once(f"{name.replace('/', '-')}-{mpi}",
                              lambda path: compile_for(upct, mpi, source, output=path))
    result = run(upct, processes, threads, program, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


@pytest.mark.parametrize("switches", [["-fupc-pts=struct"], ["-O0"], ["-fupc-threads-4"]], ids="/".join)
def test_other_code_is_right(upct, switches):
    program = compile_for(upct, "mpich", os.path.join(FIXTURES, "network", "memory.upc"), *switches)
    result = run(upct, 2, 4, program)
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


# What a program does to end, by its argument.
ENDS = """#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>
shared int a[THREADS];
shared int *shared nowhere;
int main (int argc, char **argv)
{
  const char *how = argv[1];
  int is_last = MYTHREAD == THREADS - 1;
  upc_lock_t *lock = upc_all_lock_alloc ();
  upc_barrier;
  if (!strcmp (how, "status"))
    return is_last ? 7 : 0;
  if (!strcmp (how, "exit") && is_last)
    exit (9);
  if (!strcmp (how, "global") && is_last)
    upc_global_exit (3);
  if (!strcmp (how, "success") && is_last)
    upc_global_exit (0);
  if (!strcmp (how, "null") && is_last)
    *nowhere = 1;
  if (!strcmp (how, "private") && is_last)
    *(int *) &a[0] = 1;
  if (!strcmp (how, "ids"))
    upc_barrier is_last;
  if (!strcmp (how, "lock") && is_last)
    upc_lock (lock), upc_lock (lock);
  if (!strcmp (how, "unlock") && is_last)
    upc_unlock (lock);
  if (!strcmp (how, "free") && is_last)
    upc_free (&a[0]);
  if (!strcmp (how, "kill") && is_last)
    kill (getpid (), SIGKILL);
  if (!strcmp (how, "kill in lock") && is_last)
    {
      upc_lock (lock);
      kill (getpid (), SIGKILL);
    }
  if (!strcmp (how, "kill in lock"))
    sleep (1), upc_lock (lock);
  if (!strcmp (how, "kill in copy") && is_last)
    kill (getpid (), SIGKILL);
  if (!strcmp (how, "kill in copy"))
    for (;;)
      {
        a[THREADS - 1] = MYTHREAD;
        upc_fence;
      }
  if (!strcmp (how, "busy") && is_last)
    upc_global_exit (4);
  if (!strcmp (how, "busy"))
    for (volatile int i = 0;; i++)
      ;
  if (!strcmp (how, "exit"))
    return 0;
  upc_barrier;
  return 0;
}
"""


IDS = ENDS.split("\n").index("    upc_barrier is_last;") + 1
ALLOCATED = f", allocated at line {ENDS.split('  upc_lock_t *lock', maxsplit=1)[0].count(chr(10)) + 1} by upc_all_lock_alloc"


def error_in(result):
    """The one line, with places in the program by their lines alone."""
    (error,) = [line for line in result.stderr.splitlines() if "error:" in line]
    error = re.sub("offset 0x[0-9a-f]+", "offset X", error)
    return re.sub(r" at \S*/ends\.upc:(\d+)( in main)?", r" at line \1", error)


def ends_program(upct, mpi):
    return upct.build_once(f"network-ends-{mpi}", lambda path: compile_for(
        upct, mpi, upct.write("ends.upc", ENDS), "-g", output=path))


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("how, status", [("status", 7), ("exit", 9), ("global", 3), ("success", 0), ("busy", 4)])
def test_all_end_with_one_status(upct, mpi, how, status):
    result = run(upct, 2, 4, ends_program(upct, mpi) if compiler_of(upct, mpi) else None, how)
    assert result.returncode == status
    assert "error" not in result.stderr


@pytest.mark.parametrize("how, message", [
    ("null", "thread 3: access by a null pointer-to-shared"),
    ("private", "thread 3: access by a private pointer to shared data of thread 0, which another process has"),
    ("ids", f"thread 0: upc_barrier: the ids differ: thread 0 gave 0 at line {IDS}, thread 3 gave 1 at line {IDS}"),
    ("lock", "thread 3: upc_lock: this thread already holds the lock at thread 0, offset X" + ALLOCATED),
    ("unlock", "thread 3: upc_unlock: no thread holds the lock at thread 0, offset X" + ALLOCATED),
    ("free", "thread 3: upc_free: not the start of a block in the shared heap"),
])
def test_an_error_ends_all_with_one_line(upct, how, message):
    compiler_of(upct, "mpich")
    # As processes of two nodes have it: where memory is shared, a private pointer leads to it.
    result = run(upct, 2, 4, ends_program(upct, "mpich"), how, UPC_NETWORK_SHARED=1)
    assert message in error_in(result), result.stderr
    assert result.returncode != 0


@pytest.mark.parametrize("how, message", [
    ("null", "thread 3: access through a null pointer-to-shared"),
    ("ids", f"thread 0: upc_barrier: the ids differ: thread 0 gave 0 at line {IDS}, thread 3 gave 1 at line {IDS}"),
    ("lock", "thread 3: upc_lock: this thread already holds the lock at thread 0, offset X" + ALLOCATED),
    ("unlock", "thread 3: upc_unlock: no thread holds the lock at thread 0, offset X" + ALLOCATED),
])
def test_an_error_in_memory_that_is_shared(upct, how, message):
    compiler_of(upct, "mpich")
    result = run(upct, 2, 4, ends_program(upct, "mpich"), how)
    assert message in error_in(result), result.stderr
    assert result.returncode != 0


WARNED = """#include <upc.h>
#include <stdio.h>
int
main (void)
{
  upc_barrier 1;
  upc_barrier MYTHREAD / 2;
  upc_notify 5;
  upc_wait MYTHREAD == THREADS - 1 ? -6 : 5;
  upc_notify -MYTHREAD;
  upc_wait;
  if (MYTHREAD != 1)
    upc_barrier 7;
  else
    upc_barrier;
  upc_barrier 2147483647 - MYTHREAD;
  if (MYTHREAD == 0)
    puts ("end");
  return 0;
}
"""


@pytest.mark.parametrize("mpi", MPIS)
def test_lines_of_several_processes_are_whole(upct, mpi):
    program = compile_for(upct, mpi, upct.write("a.upc", """#include <stdio.h>
#include <upc.h>
int main (void)
{
  printf ("begun, ");
  upc_barrier;
  puts ("ended");
  return 0;
}
"""))
    result = run(upct, 4, 4, program)
    assert (result.stdout, result.stderr, result.returncode) == ("begun, ended\n" * 4, "", 0)


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("processes, node", [(processes, node) for processes in (2, 4) for node in nodes_of(processes)])
def test_values_of_barriers_may_be_a_warning(upct, mpi, processes, node):
    program = upct.build_once(f"network-warned-{mpi}", lambda path: compile_for(
        upct, mpi, upct.write("warned.upc", WARNED), output=path))
    result = run(upct, processes, 4, program, UPC_BARRIER_MISMATCH_WARNS="yes", **environment_of(node))
    warnings = [line.partition("warning: ")[2] for line in result.stderr.splitlines() if "warning: " in line]
    assert sorted(warnings) == [
        "thread 0: upc_barrier: the ids differ: thread 0 gave 0 in main, thread 2 gave 1 in main",
        "thread 0: upc_barrier: the ids differ: thread 0 gave 2147483647 in main, "
        "thread 3 gave 2147483644 in main",
        "thread 0: upc_wait: the ids differ: thread 0 gave 0 in main, thread 3 gave -3 in main",
        "thread 3: upc_wait: id -6 differs from the id 5 that thread 0 gave to upc_notify in main"]
    assert (result.stdout, result.returncode) == ("end\n", 0), result.stderr


@pytest.mark.parametrize("mpi", MPIS)
def test_warnings_of_barriers_may_be_fatal(upct, mpi):
    program = upct.build_once(f"network-warned-{mpi}", lambda path: compile_for(
        upct, mpi, upct.write("warned.upc", WARNED), output=path))
    result = run(upct, 2, 4, program, UPC_BARRIER_MISMATCH_WARNS="yes", UPC_WARN_FATAL="yes")
    assert result.stderr.count("warning: ") == 1
    assert "thread 0: upc_barrier: the ids differ: thread 0 gave 0 in main, thread 2 gave 1 in main" in result.stderr
    assert result.stdout == "" and result.returncode != 0


@pytest.mark.parametrize("mpi, node", [(mpi, node) for mpi in MPIS for node in NODES])
@pytest.mark.parametrize("how", ["kill", "kill in lock", "kill in copy"])
def test_a_killed_process_ends_all(upct, mpi, how, node):
    compiler_of(upct, mpi)
    result = run(upct, 3, 4, ends_program(upct, mpi), how, **environment_of(node))
    # 9, or as a shell says it.
    assert result.returncode in (9, 137)
    assert re.search("signal 9|SIGKILL", result.stdout + result.stderr)
    assert lost_in(result.stderr) == ["thread 3 of process 2", "Killed"]


def lost_in(stderr):
    """The threads and the reason of the one line about a process of this host that is lost."""
    (line,) = [line for line in stderr.splitlines() if " lost: " in line]
    said = re.fullmatch(rf"\S+: error: (.*) on {re.escape(socket.gethostname())} \(pid [1-9]\d*\) (?:is|are) lost: (.*)", line)
    assert said, line
    return list(said.groups())


ABORTS = """#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>
int main (int argc, char **argv)
{
  upc_barrier;
  if (MYTHREAD == 2 && strcmp (argv[1], "abort") == 0)
    abort ();
  if (MYTHREAD == 2 && strcmp (argv[1], "fault") == 0)
    *(volatile int *) 0 = 1;
  assert (MYTHREAD != 2);
  upc_barrier;
  return 0;
}
"""


@pytest.mark.parametrize("how, said", [
    ("abort", ["thread 2: Aborted"]), ("fault", ["thread 2: Segmentation fault: address 0x0, through a null pointer"]),
    ("assert", ["Assertion `MYTHREAD != 2' failed.", "thread 2: Aborted"])])
@pytest.mark.parametrize("mpi", MPIS)
def test_a_crash_tells_what_and_where(upct, mpi, how, said):
    program = upct.build_once(f"network-aborts-{mpi}", lambda path: compile_for(
        upct, mpi, upct.write("aborts.upc", ABORTS), output=path))
    result = run(upct, 2, 4, program, how)
    at = -1
    for text in said:
        at = result.stderr.index(text + "\n", at + 1)
    assert re.search(rf": note: on {re.escape(socket.gethostname())}: thread 2 in process 1 \(pid [1-9]\d*\)$", result.stderr[at:], re.MULTILINE)
    assert " lost: " not in result.stderr and result.returncode not in (0, 1)


LASTS = """#include <stdio.h>
#include <unistd.h>
#include <upc.h>
int main (void)
{
  upc_barrier;
  if (MYTHREAD == 0)
    puts ("begun"), fflush (stdout);
  sleep (100);
  return 0;
}
"""


class Lasting:
    """Two processes, of threads 0 and 1 and of thread 2, which go on until they are ended."""

    def __init__(self, upct, mpi, **environment):
        self.program = compile_for(upct, mpi, upct.write("lasts.upc", LASTS), output=upct.path("lasts"))
        self.upcrun = subprocess.Popen([upct.tool("upcrun"), "-n", "3", "-N", "2", self.program], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                            **environment})
        assert self.upcrun.stdout.readline() == "begun\n"

    def end(self):
        _, stderr = self.upcrun.communicate(timeout=60)
        assert not processes_of(self.program)
        return stderr


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("number, reason", [(signal.SIGTERM, "Terminated"), (signal.SIGKILL, "Killed"), (signal.SIGALRM, "Alarm clock")])
def test_a_signal_to_one_process_ends_all_with_a_line(upct, mpi, number, reason):
    lasting = Lasting(upct, mpi)
    # Their order is that in which their parents were started.
    os.kill(processes_of(lasting.program)[0], number)
    who, why = lost_in(lasting.end())
    assert (who in ("threads 0-1 of process 0", "thread 2 of process 1"), why) == (True, reason)


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[1])


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("whose", ["upcrun", "a parent", "a parent, by force"])
def test_who_ends_all_knows_of_it(upct, mpi, whose):
    """There is no line for what is ended by a launcher, and nothing goes on without its parent."""
    lasting = Lasting(upct, mpi)
    pid = lasting.upcrun.pid if whose == "upcrun" else parent_of(processes_of(lasting.program)[0])
    os.kill(pid, signal.SIGKILL if "force" in whose else signal.SIGTERM)
    assert "lost" not in lasting.end()


@pytest.mark.parametrize("mpi", MPIS)
def test_a_wrong_value_for_the_parent_is_an_error(upct, mpi):
    result = run(upct, 2, 4, ends_program(upct, mpi), "kill", UPC_NETWORK_PARENT="maybe")
    assert "error: invalid value 'maybe' for UPC_NETWORK_PARENT; expected yes or no\n" in result.stderr
    assert result.returncode == 2


def test_a_process_may_do_without_a_parent(upct):
    lasting = Lasting(upct, "mpich", UPC_NETWORK_PARENT="no")
    pid = processes_of(lasting.program)[0]
    assert os.readlink(f"/proc/{parent_of(pid)}/exe") != os.path.realpath(lasting.program)
    os.kill(pid, signal.SIGKILL)
    assert "lost" not in lasting.end()


# What all threads do until one of them is killed, by the program's argument.
PHASES = """#include <stdio.h>
#include <string.h>
#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_io.h>
shared long total;
shared double parts[THREADS], sum;
shared [4096] char blocks[THREADS][4096];
shared double cyclic[4096 * THREADS];
shared [] char *shared large[THREADS];
char block[1 << 20];
int columns[4096];
int main (int argc, char **argv)
{
  upc_lock_t *lock = upc_all_lock_alloc ();
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (UPC_LONG, UPC_INC, 0);
  upc_file_t *file = upc_all_fopen ("file", UPC_RDWR | UPC_COMMON_FP | UPC_CREATE, 0, NULL);
  int next = (MYTHREAD + 1) % THREADS;

  large[MYTHREAD] = upc_alloc (1 << 20);
  for (int i = 0; i < 4096; i++)
    columns[i] = (7 * i + MYTHREAD) % 4096;
  upc_barrier;
  if (MYTHREAD == 0)
    puts ("begun"), fflush (stdout);
  for (;;)
    {
      if (!strcmp (argv[1], "barrier"))
        upc_barrier;
      if (!strcmp (argv[1], "lock"))
        upc_lock (lock), total++, upc_unlock (lock);
      if (!strcmp (argv[1], "atomic"))
        upc_atomic_strict (domain, 0, UPC_INC, &total, 0, 0);
      if (!strcmp (argv[1], "copy"))
        {
          upc_memput (blocks[next], block, 4096);
          upc_fence;
        }
      if (!strcmp (argv[1], "long copy"))
        {
          upc_memput (large[next], block, 1 << 20);
          upc_memget (block, large[next], 1 << 20);
        }
      if (!strcmp (argv[1], "strip"))
        for (int i = 0; i < 4096; i++)
          large[next][i]++;
      if (!strcmp (argv[1], "gather"))
        for (int i = 0; i < 4096; i++)
          block[i] = cyclic[columns[i]];
      if (!strcmp (argv[1], "heap"))
        {
          shared char *all = upc_all_alloc (THREADS, 1 + *block), *one = upc_global_alloc (THREADS, 1000);
          upc_free (large[next]);
          upc_barrier;
          large[MYTHREAD] = upc_alloc (1 << 20);
          upc_free (one);
          upc_all_free (all);
        }
      if (!strcmp (argv[1], "file"))
        {
          upc_all_fseek (file, 0, UPC_SEEK_SET);
          upc_all_fwrite_shared (file, blocks, 4096, 1, 4096 * THREADS, 0);
          upc_all_fread_shared (file, blocks, 4096, 1, 100, 0);
        }
      if (!strcmp (argv[1], "reduce"))
        upc_all_reduceD (&sum, parts, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    }
}
"""


@pytest.mark.stress
@pytest.mark.parametrize("mpi, node", [(mpi, node) for mpi in MPIS for node in NODES])
@pytest.mark.parametrize("phase", ["barrier", "lock", "atomic", "copy", "long copy", "strip", "gather", "reduce", "heap", "file"])
def test_a_process_is_killed_at_any_time(upct, mpi, node, phase):
    program = compile_for(upct, mpi, upct.write("a.upc", PHASES), output=upct.path("phases"))
    rng = random.Random(f"{mpi} {node} {phase}")
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   **{name: str(value) for name, value in environment_of(node).items()}}
    for _ in range(10):
        run = subprocess.Popen([upct.tool("upcrun"), "-n", "4", "-N", "3", program, phase], text=True, cwd=upct.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        assert run.stdout.readline() == "begun\n"
        time.sleep(rng.random() / 4)
        os.kill(rng.choice(processes_of(program)), signal.SIGKILL)
        said, _ = run.communicate(timeout=20)
        assert run.returncode in (9, 137), said
        assert re.search("(threads 0-1 of process 0|thread 2 of process 1|thread 3 of process 2) on .* lost: Killed", said), said
        assert not processes_of(program)


def test_near_atomic_operations_are_in_line(upct):
    """Relaxed ones; what is far, and a strict one, is the library's."""
    source = upct.write("a.upc", """#include <upc.h>
#include <upc_atomic.h>
shared long x;
void loosely (upc_atomicdomain_t *d, long v) { upc_atomic_relaxed (d, 0, UPC_ADD, &x, &v, 0); }
void strictly (upc_atomicdomain_t *d, long v) { upc_atomic_strict (d, 0, UPC_ADD, &x, &v, 0); }
""")
    upct.check_output([upct.tool("upcc"), "-O2", "-c", "-fupc-network=mpi", source, "-o", upct.path("a.o")])
    loosely, strictly = [upct.check_output(["objdump", "-dr", "--no-show-raw-insn", f"--disassemble={name}", upct.path("a.o")])
                         for name in ("loosely", "strictly")]
    assert "lock add" in loosely and "upct_atomic_relaxed" in loosely
    assert "lock" not in strictly and "upct_atomic_strict" in strictly


@pytest.mark.parametrize("mpi", MPIS)
def test_threads_of_a_process_have_all_cpus(upct, mpi):
    program = compile_for(upct, mpi, upct.write("a.upc", """#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <upc.h>
int main (void)
{
  cpu_set_t set;
  sched_getaffinity (0, sizeof set, &set);
  printf ("%d\\n", CPU_COUNT (&set));
  return 0;
}
"""))
    assert run(upct, 2, 4, program).stdout == f"{len(os.sched_getaffinity(0))}\n" * 4


def test_how_threads_are_dealt_out(upct):
    program = compile_for(upct, "mpich", upct.write("a.upc", """#include <stdio.h>
#include <upc.h>
#include <upc_castable.h>
shared int a[THREADS];
int main (void)
{
  int own = 0;
  for (int t = 0; t < THREADS; t++)
    own += upc_cast (&a[t]) != NULL;
  printf ("%d of %d: %d\\n", MYTHREAD, THREADS, own);
  return 0;
}
"""))
    for node, own in (1, [3, 3, 3, 2, 2, 2, 2]), (2, [5, 5, 5, 5, 5, 2, 2]), ("all", [7] * 7):
        result = run(upct, 3, 7, program, **environment_of(node))
        assert sorted(result.stdout.splitlines()) == [f"{t} of 7: {own[t]}" for t in range(7)]
    # As MPI's own launcher starts it, with standard input for the first process; and alone.
    assert "0 of 2: 2\n" in upct.check_output(["mpiexec.mpich", "-n", "2", program], UPC_THREADS=2)
    assert sorted(upct.check_output([program, "-n", "2"]).splitlines()) == ["0 of 2: 2", "1 of 2: 2"]
    result = run(upct, 2, 1, program)
    assert (result.returncode, result.stderr) == (
        2, "prog: error: too few threads, 1, for 2 processes; UPC_THREADS says how many there are\n")


def test_memory_that_cannot_be_shared(upct):
    """Where a process cannot open the others' memory, as in containers, and where it has no file that is long enough,
    there are messages, as without UPC_NETWORK_SHARED."""
    compiler_of(upct, "mpich")
    program = upct.build_once("network-meetings-mpich", lambda path: compile_for(
        upct, "mpich", os.path.join(FIXTURES, "network", "meetings.upc"), output=path))
    apart = ["unshare", "--pid", "--fork", "--mount-proc", program]
    launcher = ["mpiexec.mpich", "-n", "2"]
    limited = ["sh", "-c", 'ulimit -f 4000000; exec "$@"', "sh", program]
    ways = [limited] if upct.run([*apart[:4], "true"]).returncode else [limited, apart]
    for way in ways:
        result = upct.run([*launcher, *way], UPC_THREADS=2)
        assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0), way


def test_checks(upct):
    """Of calls, and in a checked heap (test_checks.py has what is wrong)."""
    compiler_of(upct, "mpich")
    program = upct.build_once("network-meetings-mpich", lambda path: compile_for(
        upct, "mpich", os.path.join(FIXTURES, "network", "meetings.upc"), output=path))
    result = run(upct, 2, 4, program, UPC_CHECK=1)
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


@pytest.mark.parametrize("mpi, node", [("mpich", 1), ("openmpi", "all")])
def test_different_arguments(upct, mpi, node):
    program = compile_for(upct, mpi, upct.write("prog.upc", misuse_source([call for call, _ in DIFFERENT])))
    for i, (call, pattern) in enumerate(DIFFERENT):
        result = run(upct, 2, 3, program, i, UPC_CHECK=1, **environment_of(node))
        errors = [line for line in result.stderr.splitlines() if "error: " in line]
        assert errors, call
        for error in errors:
            assert re.fullmatch(rf"prog: error: thread \d: ({pattern})", error), f"{call}: {result.stderr}"
        assert (result.stdout, result.returncode) == ("", 1)


@pytest.mark.parametrize("mpi", MPIS)
def test_who_only_gives_is_not_far_ahead(upct, mpi):
    """160 MB of broadcasts to a thread that comes late: MPI would keep what it does not receive."""
    program = compile_for(upct, mpi, upct.write("ahead.upc", """#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#include <upc.h>
#include <upc_collective.h>
int main (void)
{
  shared char *from = upc_all_alloc (THREADS, 2000), *to = upc_all_alloc (THREADS, 2000);
  struct rusage used;
  for (int i = 0; i < 80000; i++)
    {
      if (MYTHREAD == 1 && i == 5)
        sleep (1);
      upc_all_broadcast (to, from, 2000, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    }
  getrusage (RUSAGE_SELF, &used);
  puts (used.ru_maxrss < 100000 ? "little" : "much");
  return 0;
}
"""))
    result = run(upct, 2, 2, program, **environment_of(1))
    assert (result.stdout, result.stderr, result.returncode) == ("little\nlittle\n", "", 0)


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("bytes", (100, 20000, 300000))
def test_blocks_of_different_lengths(upct, mpi, bytes):
    program = compile_for(upct, mpi, upct.write("prog.upc", f"""#include <upc.h>
#include <upc_collective.h>
int main (void)
{{
  shared char *all = upc_all_alloc (THREADS, 10 * {bytes});
  upc_all_exchange (all, all + 4 * {bytes} * THREADS, MYTHREAD ? 2 * {bytes} : {bytes}, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
  return 0;
}}
"""))
    result = run(upct, 2, 2, program, **environment_of(1))
    (error,) = [line for line in result.stderr.splitlines() if "error: " in line]
    assert re.sub(r"^\S*: error: (thread \d: )?", "", error) == (
        "a block from another process is longer than the place for it: do the arguments of a collective function differ? "
        "UPC_CHECK=1 tells")
    assert (result.stdout, result.returncode) == ("", 1)


def test_the_program_keeps_the_handlers_of_open_mpi(upct):
    """MPICH asks the world's for errors of ours (runtime/net/mpi_move.c)."""
    upct.write("handler.c", """#include <mpi.h>
int keeps (void);
int
keeps (void)
{
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler (MPI_COMM_WORLD, &handler);
  return handler == MPI_ERRORS_ARE_FATAL;
}
""")
    upct.check_output([compiler_of(upct, "openmpi"), "-c", "handler.c", "-o", upct.path("handler.o")])
    upct.write("world.upc", "#include <upc.h>\nint keeps (void);\nint main (void) { return !keeps (); }\n")
    result = run(upct, 2, 2, compile_for(upct, "openmpi", "world.upc", "handler.o"))
    assert (result.stderr, result.returncode) == ("", 0)


def test_what_cannot_be_linked(upct):
    mpicc = compiler_of(upct, "mpich")
    plain = upct.write("plain.upc", "#include <upc.h>\nshared int a[THREADS];\nint main (void) { a[MYTHREAD] = 1; return 0; }\n")
    split = upct.write("split.upc", "#include <upc.h>\n#include <gasnet_coll.h>\n"
                                    "int main (void) { return gasnet_coll_team_rank (GASNET_TEAM_ALL); }\n")
    upcc = upct.tool("upcc")
    upct.check_output([upcc, "-c", plain, "-o", upct.path("one.o")])
    upct.check_output([upcc, "-c", "-fupc-network=mpi", plain, "-o", upct.path("many.o")])
    alone = "; as many threads of one process have the same races: compile without -fupc-network=mpi\n"
    for words, message in (
            (["-fupc-network=mpi", "one.o"], "one.o: not compiled with -fupc-network=mpi"),
            (["-network=mpi", "many.o"], "many.o: compiled with -fupc-network=mpi, which this link has not"),
            (["many.o"], "many.o: compiled with -fupc-network=mpi, which this link has not"),
            (["-fupc-network=mpi", split], "'gasnet_coll_team_rank' is not there yet in programs of several processes"),
            (["-fupc-network=mpi", "-fupc-check=race", plain], "-fupc-network=mpi and -fupc-check=race cannot be combined" + alone),
            (["-fupc-network=mpi", "-fsanitize=thread", plain], "-fupc-network=mpi and -fsanitize=thread cannot be combined" + alone),
            (["-fupc-network=mpi", "-fsanitize=leak", plain], "-fupc-network=mpi and -fsanitize=leak cannot be combined; -fsanitize=address finds leaks, too\n"),
            (["-fupc-network=udp", plain], "invalid value in '-fupc-network=udp'; expected mpi")):
        result = upct.run([upcc, *words, "-o", "prog"], UPCC_MPICC=mpicc)
        assert result.returncode != 0 and message in result.stderr
    result = upct.run([upcc, "-fupc-network=mpi", plain], UPCC_MPICC="no-mpicc")
    assert result.returncode == 2 and "cannot run 'no-mpicc -show'" in result.stderr


@pytest.mark.parametrize("code, message", [
    ("struct s { char a[5000]; }; shared _Atomic struct s a; void f (struct s *b) { *b = a; }",
     "shared '_Atomic' objects of more than 4096 bytes are not possible with -fupc-network"),
    ("typedef int v4 __attribute__ ((vector_size (16))); shared v4 a; void f (void) { a[1] = 2; }",
     "changing an element of a shared vector is not possible with -fupc-network"),
    ('shared int a; void f (void) { __asm__ ("" : : "m" (a)); }',
     "a shared operand of asm in memory is not possible with -fupc-network"),
])
def test_what_cannot_be_compiled(upct, code, message):
    source = upct.write("a.upc", code + "\n")
    result = upct.run([upct.tool("upcc"), "-c", "-fupc-network=mpi", source])
    assert result.returncode != 0 and message in result.stderr


def test_other_programs_know_nothing_of_processes(upct):
    """Neither the library nor the code of a program without the switch has anything of the net room."""
    library = os.path.join(upct.build, "lib", "upct", "libupc.a")
    names = upct.check_output(["nm", library])
    assert not re.search("upcr_net|upcr_near|__upc_own_|__upc_near|upcr_is_near|upcr_first_thread", names)
    source = upct.write("a.upc", "#include <upc.h>\nshared int a[THREADS];\nint main (void) { return a[0]; }\n")
    upct.check_output([upct.tool("upcc"), "-c", source, "-o", upct.path("a.o")])
    assert not re.search("net|own|remote", upct.check_output(["nm", upct.path("a.o")]))
