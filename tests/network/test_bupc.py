"""Berkeley UPC's and Cray's extensions in programs of several processes: the programs of tests/compat."""

import os
import re

import pytest

from support import FULL, ROOT
from support.bupc import MISUSE, PRODUCERS, misuse_source
from support.network import MPIS, SHAPES, compile_for, compiler_of, environment_of, nodes_of, run

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them")]

FOLDER = os.path.join(ROOT, "tests", "fixtures", "compat")
PROGRAMS = ("addresses", "pointers", "atomics", "async", "pieces", "semaphores", "namespace", "own_names",
            "values", "cray")


def cases():
    """Each program in each shape with one kind of node and one MPI, by turns, unless full=1 asks for all."""
    for turn, name in enumerate(PROGRAMS):
        for i, (processes, threads) in enumerate(SHAPES):
            nodes = nodes_of(processes)
            for k, node in enumerate(nodes):
                for m, mpi in enumerate(MPIS):
                    if FULL or (k == (turn + i) % len(nodes) and m == (turn + i // 2) % 2):
                        yield mpi, name, processes, threads, node


@pytest.mark.sample(1, plain=3)
@pytest.mark.parametrize("mpi, name, processes, threads, node", cases())
def test_program_checks_itself(upct, mpi, name, processes, threads, node):
    program = upct.build_once(f"network-compat-{name}-{mpi}", lambda path: compile_for(
        upct, mpi, os.path.join(FOLDER, name + ".upc"), output=path))
    result = run(upct, processes, threads, program, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


@pytest.mark.parametrize("name", ["pieces", "semaphores", "values"])
def test_other_representation_and_checks(upct, name):
    program = compile_for(upct, "mpich", os.path.join(FOLDER, name + ".upc"), "-fupc-pts=struct")
    result = run(upct, 3, 3, program, UPC_CHECK=1, UPC_NETWORK_SHARED=1)
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


@pytest.mark.parametrize("node", ["all", 1])
def test_misuse(upct, node):
    """What another process finds out is said by the thread that called."""
    compiler_of(upct, "mpich")
    program = upct.build_once("network-misuse", lambda path: compile_for(upct, "mpich", misuse_source(upct), output=path))
    for number, (_, message) in enumerate(MISUSE):
        result = run(upct, 3, 3, program, number, **environment_of(node))
        (error,) = [line for line in result.stderr.splitlines() if ": error: " in line]
        error = re.sub("0x[0-9a-f]{7,}|0x77", "X", error).partition("; UPC_CHECK=1 tells where")[0]
        assert error == f"network-misuse: error: thread 1: {message}"
        assert result.returncode == 1


FREED = """#include <upc.h>
bupc_sem_t *shared sem;
int main (void)
{
  if (MYTHREAD == 0)
    bupc_sem_free (sem = bupc_sem_alloc (0));
  upc_barrier;
  if (MYTHREAD == 1)
    bupc_sem_post (sem);
  return 0;
}
"""


@pytest.mark.parametrize("source, message", [(PRODUCERS, "thread 2: bupc_sem_post: thread 1 is the producer"),
                                             (FREED, "thread 1: bupc_sem_post: the semaphore was freed by thread 0; "
                                                     "thread 0 allocated it by bupc_sem_alloc")])
def test_post_that_the_consumer_s_process_refuses(upct, source, message):
    program = compile_for(upct, "mpich", upct.write("post.upc", source))
    result = run(upct, 3, 3, program, UPC_CHECK=1, UPC_NETWORK_SHARED=1)
    (error,) = [line for line in result.stderr.splitlines() if ": error: " in line]
    assert error == f"prog: error: {message}"
    assert result.returncode == 1


def test_values_that_are_all_for_one_thread(upct):
    program = compile_for(upct, "mpich", upct.write("a.upc", """
        #include <upc.h>
        #include <bupc_collectivev.h>
        int main (void) { return bupc_allv_permute (int, 1, 2); }
        """))
    result = run(upct, 3, 3, program, UPC_NETWORK_SHARED=1)
    errors = [line for line in result.stderr.splitlines() if ": error: " in line]
    assert errors and all(re.fullmatch(r"prog: error: thread (0|1): bupc_allv_permute: no value is for thread \1", line)
                          for line in errors)
    assert result.returncode == 1


def test_main_in_c(upct):
    """As bupc_extern.h has it."""
    main = upct.write("main.c", """
        #include <bupc_extern.h>
        #include <stdio.h>
        extern int work (void);
        static int run (int argc, char **argv)
        {
          int sum = work ();
          bupc_extern_barrier (-1);
          if (bupc_extern_mythread () == 0)
            printf ("%d\\n", sum);
          return 0;
        }
        int main (int argc, char **argv)
        {
          bupc_init_reentrant (&argc, &argv, run);
          return 1;
        }
        """)
    work = upct.write("work.upc", """
        #include <upc.h>
        #include <bupc_collectivev.h>
        int work (void) { return bupc_allv_reduce_all (int, MYTHREAD + 1, UPC_ADD); }
        """)
    program = compile_for(upct, "mpich", work, main)
    result = run(upct, 2, 4, program, UPC_NETWORK_SHARED=1)
    assert (result.stdout, result.stderr, result.returncode) == ("10\n", "", 0)
