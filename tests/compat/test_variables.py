"""Variables and switches by which users of Berkeley UPC find errors: stopping for a debugger, core files, warnings."""

import os
import signal
import subprocess

import pytest

SOURCE = """
    #include <upc.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static shared int own[THREADS];
    int main (int argc, char **argv)
    {
      const char *what = argc > 1 ? argv[1] : "";

      upc_barrier 1;
      if (!strcmp (what, "values"))
        {
          upc_barrier MYTHREAD / 2;
          upc_notify 5;
          upc_wait MYTHREAD == 1 ? 6 : 5;
          upc_notify MYTHREAD;
          upc_wait;
          upc_barrier 2;
        }
      if (!strcmp (what, "free") && MYTHREAD == 1)
        upc_free (&own[1]);
      if (!strcmp (what, "crash") && MYTHREAD == 1)
        *(volatile int *) 16 = 1;
      if (!strcmp (what, "stuck") && MYTHREAD == 1)
        upc_barrier;
      if (MYTHREAD == 0)
        puts ("end");
      return 0;
    }
    """


@pytest.fixture
def program(upct):
    return upct.build_once("variables", lambda path: upct.compile("-g", upct.write("a.upc", SOURCE), output=path))


@pytest.mark.parametrize("threads", [2, 3])
def test_values_of_barriers_may_be_a_warning(upct, program, threads):
    result = upct.run([program, "values"], THREADS=threads, UPC_BARRIER_MISMATCH_WARNS="yes")
    wanted = ["thread 1: upc_wait: id 6 differs from the id 5 that thread ",
              "thread 0: upc_wait: the ids differ: thread 0 gave 0 at "]
    if threads == 3:
        wanted.insert(0, "thread 0: upc_barrier: the ids differ: thread 0 gave 0 at ")
    lines = result.stderr.splitlines()
    assert len(lines) == len(wanted)
    assert all(line.startswith(f"variables: warning: {text}") for line, text in zip(lines, wanted))
    assert "a.upc:17 in main, thread 1 gave 1 at " in lines[-1]
    assert (result.stdout, result.returncode) == ("end\n", 0)
    for no in ("no", "N", "0"):
        result = upct.run([program, "values"], THREADS=threads, UPC_BARRIER_MISMATCH_WARNS=no)
        assert "error: " in result.stderr and result.returncode == 1


def test_warnings_may_be_fatal(upct, program):
    words = [program, "values"]
    result = upct.run(words, THREADS=2, UPC_BARRIER_MISMATCH_WARNS="1", UPC_WARN_FATAL="Y")
    assert result.stderr.count("warning: thread 1: upc_wait: id 6 differs") == 1 and result.stderr.count("\n") == 1
    assert result.returncode == 1
    result = upct.run([program, "-fupc-new"], THREADS=1, UPC_WARN_FATAL="1")
    assert (result.returncode, result.stdout) == (1, "")
    result = upct.run([program], THREADS=1, UPC_WARN_FATAL="maybe")
    assert (result.returncode, result.stderr) == (2, "variables: error: invalid value 'maybe' for UPC_WARN_FATAL; expected yes or no\n")


@pytest.mark.parametrize("what, message", [("free", "upc_free: "), ("stuck", "deadlock")])
def test_errors_may_abort(upct, program, what, message):
    for launcher, environment in ([], {"UPC_ABORT": "yes"}), ([upct.tool("upcrun"), "-abort"], {}):
        result = upct.run([*launcher, program, what], THREADS=2, **environment)
        assert message in result.stderr and "Aborted" not in result.stderr
        assert result.returncode == -signal.SIGABRT
    result = upct.run([upct.tool("upcrun"), "-noabort", program, what], THREADS=2, UPC_ABORT="yes")
    assert message in result.stderr and result.returncode == 1


def stops(words, **environment):
    """What the process says before it stops; then it goes on."""
    run = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    assert os.waitpid(run.pid, os.WUNTRACED)[1] == 0x7f | signal.SIGSTOP << 8
    threads = len(os.listdir(f"/proc/{run.pid}/task"))
    os.kill(run.pid, signal.SIGCONT)
    out, said = run.communicate()
    assert f"process {run.pid} is stopped; attach a debugger, or go on with: kill -CONT {run.pid}\n" in said
    return out, said.splitlines(), run.returncode, threads


def test_threads_stop_for_a_debugger(upct, program):
    upcrun = upct.tool("upcrun")
    for words, environment in (([program], {"UPC_FREEZE": "2"}), ([upcrun, "-freeze=2", program], {}),
                               ([upcrun, "-nofreeze", "-freeze=2", program], {"UPC_FREEZE": "1"})):
        out, said, status, threads = stops(words, THREADS="3", **environment)
        assert (out, len(said), status, threads) == ("end\n", 1, 0, 3)
        assert said[0].startswith("variables: note: thread 2: process ")
    for words, environment in (([program], {"UPC_FREEZE_EARLY": "0"}), ([upcrun, "-freeze-early", program], {})):
        out, said, status, threads = stops(words, THREADS="3", **environment)
        assert (out, len(said), status, threads) == ("end\n", 1, 0, 1)
    result = upct.run([upcrun, "-nofreeze", program], UPC_FREEZE="0", UPC_FREEZE_EARLY="0", THREADS=1)
    assert (result.stdout, result.stderr) == ("end\n", "")
    result = upct.run([program], UPC_FREEZE="2", THREADS=2)
    assert (result.returncode, result.stderr) == (2, "variables: error: UPC_FREEZE asks for thread 2, but there are 2 threads\n")


@pytest.mark.no_sanitizers("sanitizers report crashes")
@pytest.mark.parametrize("what, message, status", [("free", "upc_free: ", 1), ("crash", "Segmentation fault", -signal.SIGSEGV)])
def test_errors_stop_for_a_debugger(upct, program, what, message, status):
    for words, environment in (([program], {"UPC_FREEZE_ON_ERROR": "1"}), ([upct.tool("upcrun"), "-freeze-on-error", program], {})):
        _, said, got, _ = stops([*words, what], THREADS="2", **environment)
        assert message in said[0] and " is stopped; " in said[-1]
        assert got == status
    result = upct.run([upct.tool("upcrun"), "-nofreeze-on-error", program, what], UPC_FREEZE_ON_ERROR="yes", THREADS=2)
    assert result.returncode == status


def test_the_number_of_processes_of_berkeley_upc(upct):
    program = upct.compile(upct.write("n.upc", "#include <upc.h>\n#include <stdio.h>\nint main (int argc, char **argv)\n"
                                               "{ if (!MYTHREAD) printf (\"%d %d\\n\", THREADS, argc); return 0; }\n"), output="n")
    upct.check_prints("3 1\n", [program], GASNET_PSHM_NODES=3, THREADS=None, UPC_THREADS=None)
    upct.check_prints("3 3\n", [program, "-n", "2"], GASNET_PSHM_NODES=3, THREADS=None, UPC_THREADS=None)
    upct.check_prints("2 1\n", [program], GASNET_PSHM_NODES=3, THREADS=2, UPC_THREADS=None)
