"""Storms of allocations in the shared heap: every block has its affinity, is nobody
else's, and comes back. The seeds are fixed: a failure can be run again by hand."""

import pytest

from support import FULL

pytestmark = pytest.mark.tsan

SEEDS = range(20 if FULL else 2)


def link(upct):
    def make(program):
        compiled = upct.path("storm.o")
        upct.check_output(["gcc", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-c", upct.fixture("run/storm.c"),
                           "-o", compiled])
        upct.check_output([upct.tool("upcc"), compiled, "-o", program])

    return upct.build_once("storm", make)


@pytest.mark.sample(4)
@pytest.mark.parametrize("threads, seed", [(threads, seed) for threads in (1, 2, 5, 16) for seed in SEEDS])
def test_storm(upct, threads, seed):
    # Each step writes the pieces of all threads.
    steps = (6000 // threads + 500) // (5 if upct.sanitizers else 1)
    result = upct.run([link(upct), "-n", threads, seed, steps])
    assert (result.stderr, result.returncode) == ("", 0)
    assert result.stdout == f"storm: done on {threads} threads\n"


@pytest.mark.parametrize("seed", SEEDS)
def test_storm_in_a_full_heap(upct, seed):
    result = upct.run([link(upct), "-n", 4, "-fupc-heap-6M", seed, 1500])
    assert (result.stderr, result.returncode) == ("", 0)
    assert result.stdout == "storm: done on 4 threads, memory ran out\n"
