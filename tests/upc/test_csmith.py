"""Programs of csmith whose global variables are made shared, in random layouts, against
the same programs compiled as C: every operator of C on every kind of shared lvalue,
relaxed and strict."""

import os
import random
import subprocess

from csmith import HEADERS, SWITCHES, share_globals
from harness import case

SEEDS = range(1, 100 if os.environ.get("UPCT_TEST_FULL") == "1" else 9)


@case(each=list(SEEDS))
def shared_globals_are_like_private_ones(t, seed):
    rng = random.Random(seed)
    text = t.good(["csmith", "--seed", seed, *SWITCHES])
    plain, program = t.path("plain"), t.path("program")
    t.good(["gcc", "-O1", "-w", "-I", HEADERS, t.write("plain.c", text), "-o", plain])
    try:
        wanted = subprocess.run([plain], capture_output=True, text=True, timeout=2).stdout
    except subprocess.TimeoutExpired:
        return
    header = "#include <upc_strict.h>\n" if seed % 3 == 0 else "#include <upc.h>\n"
    source = t.write("shared.upc", header + share_globals(text, rng))
    switches = ["-fupc-threads-3"] + (["-fupc-pts=struct"] if seed % 4 == 0 else [])
    t.good([t.tool("upcc"), "-O1", "-w", "-I", HEADERS, *switches, source, "-o", program])
    t.equal(t.good([program]), wanted)
