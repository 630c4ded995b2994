"""Random loops do over other processes' memory what they do over private arrays."""

import pytest

from generators import by_threads, copied_nests, foralls, free_loops, loop_forms, nests, shifts, short_loops
from support import FULL
from support.network import MPIS, compile_for, run

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them"), pytest.mark.sample(4, plain=2)]

SWITCHES = [["-O2"], ["-O3"], ["-O1", "-fupc-pts=struct"], ["-O0"], ["-O2", "-T", 4]]
PROGRAMS = [loop_forms.program, loop_forms.blocks_program, free_loops.program, nests.program, short_loops.program,
            copied_nests.program, foralls.program, shifts.program, by_threads.program]


# Few loops each: where CPUs are few a single load takes milliseconds.
@pytest.mark.parametrize("seed", range(40 if FULL else 1))
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: f"{p.__module__.split('.')[-1]}-{p.__name__}")
def test_random_loops(upct, program, seed):
    turn = seed + PROGRAMS.index(program)
    upct.write("a.upc", program(seed + 9000, 40 if FULL else 5))
    binary = compile_for(upct, MPIS[turn % 2], "a.upc", "-fwrapv", *SWITCHES[turn % len(SWITCHES)])
    # Of one node, of one process each, and between.
    processes, node = [(2, 2), (2, 1), (3, 1), (4, 2)][turn % 4]
    result = run(upct, processes, 4, binary, UPC_NETWORK_SHARED=node)
    assert (result.stderr, result.returncode) == ("", 0), f"{processes} processes, {node} to a node"
