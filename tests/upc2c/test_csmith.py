"""Programs of csmith whose global variables are made shared, in random layouts, against
the same programs compiled as C: every operator of C on every kind of shared lvalue,
relaxed and strict."""

import random

import pytest

from generators.csmith import HEADERS, SWITCHES, share_globals
from support import FULL

pytestmark = pytest.mark.sample(6)

SEEDS = range(1, 100 if FULL else 9)


@pytest.mark.parametrize("seed", list(SEEDS))
def test_shared_globals_are_like_private_ones(upct, seed):
    rng = random.Random(seed)
    text = upct.check_output(["csmith", "--seed", seed, *SWITCHES])
    plain, program = upct.path("plain"), upct.path("program")
    upct.check_output(["gcc", "-O1", "-w", "-I", HEADERS, upct.write("plain.c", text), "-o", plain])
    wanted = upct.run(["prlimit", "--cpu=2", plain])
    if wanted.returncode < 0:
        pytest.skip("the program does not end")
    header = "#include <upc_strict.h>\n" if seed % 3 == 0 else "#include <upc.h>\n"
    source = upct.write("shared.upc", header + share_globals(text, rng))
    switches = ["-fupc-threads-3"] + (["-fupc-pts=struct"] if seed % 4 == 0 else [])
    upct.check_output([upct.tool("upcc"), "-O1", "-w", "-I", HEADERS, *switches, source, "-o", program])
    assert upct.check_output([program]) == wanted.stdout
