"""Programs do what they do when they are instrumented and a tool checks that events are
properly nested and ends have the arguments of their starts."""

import glob
import os
import random

import pytest

from gasp.recorded import build_tool, watched
from generators import accesses
from generators.csmith import HEADERS, SWITCHES, share_globals
from support import FULL, ROOT

pytestmark = pytest.mark.sample(12, plain=6)

FIXTURES = os.path.join(ROOT, "tests", "fixtures")
PROGRAMS = sorted(os.path.relpath(p, FIXTURES) for folder in ("upc2c/features", "upc2c/rules", "abi", "collective")
                  for p in glob.glob(f"{FIXTURES}/{folder}/*.upc"))
ARGUMENTS = {"abi/wordfreq.upc": [f"{FIXTURES}/text.txt"]}
# Millions of events, which the race detector, too, finds in the others' thousands.
LONG = ("collective/moves.upc", "collective/reduce.upc", "abi/heat.upc", "upc2c/features/aliases.upc")
COLUMNS = [["-O2"], ["-O0"], ["-O2", "-fupc-pts=struct"], ["-O1"]]


def outcome(upct, program, threads, arguments=()):
    """Lines of different threads come in any order."""
    result = upct.run([program, *arguments], THREADS=threads)
    return result.returncode, sorted(result.stdout.splitlines()), sorted(result.stderr.splitlines())


def column_of(number):
    """Switches and compiler of the NUMBERth program."""
    column = number % len(COLUMNS)
    return COLUMNS[column], {"UPCC_CC": "clang"} if column == 3 else {}


@pytest.mark.slow
@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.tsan if name.startswith("collective/") and name not in LONG else ())
    for name in PROGRAMS])
def test_fixtures_do_the_same(upct, name):
    switches, environment = column_of(PROGRAMS.index(name))
    source = os.path.join(FIXTURES, name)
    plain = upct.path("plain")
    upct.check_output([upct.tool("upcc"), "-w", *switches, source, "-o", plain], **environment)
    program = watched(upct, "--profile-local", "-w", *switches, source, tool_switches=switches[1:], **environment)
    # Sanitizers make the longest of them, with a tool, up to a hundred times as slow.
    for threads in (2,) if upct.sanitizers or (name in LONG and not FULL) else (1, 4):
        got, wanted = (outcome(upct, p, threads, ARGUMENTS.get(name, ())) for p in (program, plain))
        assert got == wanted, f"{name} on {threads} threads"


@pytest.mark.parametrize("seed", list(range(1000, 1100 if FULL else 1008)))
def test_random_programs_do_the_same(upct, seed):
    switches, environment = column_of(seed)
    source = upct.write("random.upc", accesses.program(seed))
    mode = random.Random(seed).choice(("--profile", "--profile-local"))
    program = watched(upct, mode, "-w", *switches, source, tool_switches=switches[1:], **environment)
    for threads in (1, 3, 8):
        assert outcome(upct, program, threads) == (0, ["ok"], []), f"seed {seed}, {threads} threads"


@pytest.mark.slow
@pytest.mark.parametrize("seed", list(range(500, 530)) if FULL else [500, 501, 502, 505])
def test_c_programs_do_the_same(upct, seed):
    """Programs of csmith, all of whose globals are shared: each operator on each kind of
    lvalue."""
    text = upct.check_output(["csmith", "--seed", seed, *SWITCHES])
    source = upct.write("shared.upc", "#include <upc.h>\n" + share_globals(text, random.Random(seed)))
    tool = build_tool(upct, "-fupc-threads-3")
    switches = ["-w", "-O1", "-fupc-threads-3", "-I", HEADERS, source]
    upct.check_output([upct.tool("upcc"), *switches, "-o", upct.path("plain")])
    upct.check_output([upct.tool("upcc"), "--profile-local", *switches, *tool, "-o", upct.path("watched")])
    wanted = upct.run(["prlimit", "--cpu=2", upct.path("plain")])
    if wanted.returncode < 0:
        pytest.skip("the program does not end")
    got = upct.run([upct.path("watched")])
    assert (got.returncode, got.stdout) == (wanted.returncode, wanted.stdout), f"seed {seed}"
