"""Programs do what they do when they are instrumented and a tool checks that events are
properly nested and ends have the arguments of their starts."""

import glob
import os
import random

import harness
import upcgenerate
from csmith import HEADERS, SWITCHES, share_globals
from gasp.recorded import build_tool, watched
from harness import case

FIXTURES = os.path.join(harness.ROOT, "tests", "fixtures")
PROGRAMS = sorted(os.path.relpath(p, FIXTURES) for folder in ("upc", "language", "abi", "collective")
                  for p in glob.glob(f"{FIXTURES}/{folder}/*.upc"))
ARGUMENTS = {"abi/wordfreq.upc": [f"{FIXTURES}/text.txt"]}
COLUMNS = [["-O2"], ["-O0"], ["-O2", "-fupc-pts=struct"], ["-O1"]]
FULL = os.environ.get("UPCT_TEST_FULL") == "1"


def outcome(t, program, threads, arguments=()):
    """Lines of different threads come in any order."""
    result = t.run([program, *arguments], THREADS=threads)
    return result.returncode, sorted(result.stdout.splitlines()), sorted(result.stderr.splitlines())


def column_of(number):
    """Switches and compiler of the NUMBERth program."""
    column = number % len(COLUMNS)
    return COLUMNS[column], {"UPCC_CC": "clang"} if column == 3 else {}


@case(each=PROGRAMS)
def fixtures_do_the_same(t, name):
    switches, environment = column_of(PROGRAMS.index(name))
    source = os.path.join(FIXTURES, name)
    plain = t.path("plain")
    t.good([t.tool("upcc"), "-w", *switches, source, "-o", plain], **environment)
    program = watched(t, "--profile-local", "-w", *switches, source, tool_switches=switches[1:], **environment)
    # The race detector makes the longest of them, with a tool, a hundred times as slow.
    for threads in (1, 2 if "thread" in t.sanitizers else 4):
        got, wanted = (outcome(t, p, threads, ARGUMENTS.get(name, ())) for p in (program, plain))
        t.equal(got, wanted, f"{name} on {threads} threads")


@case(each=list(range(1000, 1100 if FULL else 1008)))
def random_programs_do_the_same(t, seed):
    switches, environment = column_of(seed)
    source = t.write("random.upc", upcgenerate.Program(seed).text())
    mode = random.Random(seed).choice(("--profile", "--profile-local"))
    program = watched(t, mode, "-w", *switches, source, tool_switches=switches[1:], **environment)
    for threads in (1, 3, 8):
        t.equal(outcome(t, program, threads), (0, ["ok"], []), f"seed {seed}, {threads} threads")


@case(each=list(range(500, 530 if FULL else 504)))
def c_programs_do_the_same(t, seed):
    """Programs of csmith, all of whose globals are shared: each operator on each kind of
    lvalue."""
    text = t.good(["csmith", "--seed", seed, *SWITCHES])
    source = t.write("shared.upc", "#include <upc.h>\n" + share_globals(text, random.Random(seed)))
    tool = build_tool(t, "-fupc-threads-3")
    switches = ["-w", "-O1", "-fupc-threads-3", "-I", HEADERS, source]
    t.good([t.tool("upcc"), *switches, "-o", t.path("plain")])
    t.good([t.tool("upcc"), "--profile-local", *switches, *tool, "-o", t.path("watched")])
    try:
        wanted = t.run([t.path("plain")], timeout=2)
    except harness.Failure:
        # Some do not end.
        return
    got = t.run([t.path("watched")])
    t.equal((got.returncode, got.stdout), (wanted.returncode, wanted.stdout), f"seed {seed}")
