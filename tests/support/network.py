"""Programs of several processes, with MPICH and Open MPI where they are installed."""

import os
import shutil

import pytest

# Processes and threads of all; 3 and 4: one process has two threads.
SHAPES = [(1, 4), (2, 4), (4, 4), (3, 4)]
MPIS = ("mpich", "openmpi")
# How many processes share memory at most (UPC_NETWORK_SHARED): all of the machine's, none, and pairs as if each
# were a node.
NODES = ("all", 1, 2)


def compiler_of(upct, mpi):
    if not shutil.which(f"mpicc.{mpi}") or not shutil.which(f"mpiexec.{mpi}"):
        pytest.skip(f"no {mpi}")
    if not os.path.exists(os.path.join(upct.build, "lib", "upct", f"upc-engine-{mpi}.o")):
        pytest.skip("no library for several processes was built: scons all makes it")
    return f"mpicc.{mpi}"


def compile_for(upct, mpi, source, *switches, output="prog"):
    return upct.compile("-O2", "-w", "-fupc-network=mpi", *switches, source, output=output,
                        UPCC_MPICC=compiler_of(upct, mpi))


def run(upct, processes, threads, program, *arguments, **environment):
    """By upcrun; Open MPI does not run for root unless told."""
    return upct.run([upct.tool("upcrun"), "-n", threads, "-N", processes, program, *arguments],
                    OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, **environment)


def processes_of(program):
    """The numbers of the processes that run PROGRAM, those that were started first coming first; not of the parents that
    these have by upcrun."""
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(program):
                with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                    parents[int(pid)] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    return sorted(parents.keys() - parents.values())


def nodes_of(processes):
    return [node for node in NODES if node == "all" or node < processes]


def environment_of(node):
    return {} if node == "all" else {"UPC_NETWORK_SHARED": node}
