"""Storms of allocations in the shared heap: every block has its affinity, is nobody
else's, and comes back. The seeds are fixed: a failure can be run again by hand."""

import os

from harness import case

FULL = os.environ.get("UPCT_TEST_FULL") == "1"
SEEDS = range(20 if FULL else 2)


def link(t):
    compiled = t.path("storm.o")
    t.good(["gcc", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-c", t.fixture("run/storm.c"),
            "-o", compiled])
    return t.link(compiled)


@case(each=[(threads, seed) for threads in (1, 2, 5, 16) for seed in SEEDS])
def storm(t, threads, seed):
    # Each step writes the pieces of all threads.
    steps = 6000 // threads // (10 if t.sanitizers else 1) + 500
    result = t.run([link(t), "-n", threads, seed, steps])
    t.equal((result.stderr, result.returncode), ("", 0))
    t.equal(result.stdout, f"storm: done on {threads} threads\n")


@case(each=SEEDS)
def storm_in_a_full_heap(t, seed):
    result = t.run([link(t), "-n", 4, "-fupc-heap-6M", seed, 1500])
    t.equal((result.stderr, result.returncode), ("", 0))
    t.equal(result.stdout, "storm: done on 4 threads, memory ran out\n")
