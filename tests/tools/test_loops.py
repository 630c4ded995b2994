"""Loops that go from block to block do what the same loops over private arrays do."""

import os
import random

from harness import case
from tools.driver import links
from tools.loops import program

FULL = os.environ.get("UPCT_TEST_FULL") == "1"
SWITCHES = ["-O2", "-O3 -T 3", "-O1 -fupc-pts=struct", "-O0 -T 4", "-O2 -T 2 -fupc-pts=struct"]


@case(each=[(cc, s) for cc in ("gcc", "clang") for s in range(20 if FULL else 3)])
def random_loops_are_those_of_private_arrays(t, cc, seed):
    t.write("a.upc", program(random.Random(seed), 40))
    for switches in SWITCHES if FULL else [SWITCHES[(seed + (cc == "gcc")) % len(SWITCHES)]]:
        # Private arrays of a size that -O3 looks beyond of are the model's.
        binary = links(t, "-w", "-fwrapv", *switches.split(), "a.upc", UPCC_CC=cc)
        for threads in [None] if "-T" in switches else [1, 2, 3, 5, 16]:
            result = t.run([binary], THREADS=threads)
            t.equal((result.stderr, result.returncode), ("", 0), f"THREADS={threads} {switches}")
