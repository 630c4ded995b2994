"""Right programs with one mistake in them, of generators.damage: how many upcc -fupc-check finds, and how
many -fupc-check=race of the barriers that are left out."""

import os
import signal
from collections import Counter

import pytest

from generators import damage
from support import ROOT

pytestmark = pytest.mark.no_sanitizers("-fupc-check alone is tested")

FOLDER = os.path.join(ROOT, "tests", "fixtures", "upc2c", "programs")
PROGRAMS = ["cg", "dialect", "dining", "events", "fft", "heat", "heat_dynamic", "is", "layouts", "lists", "loops",
            "matmul", "nqueens", "odds", "rows", "static_only", "transpose", "treesearch", "tutorial", "waits", "wordcount"]
ARGUMENTS = {"wordcount": [os.path.join(ROOT, "tests", "fixtures", "text.txt")]}
# These are wrong wherever a run comes to them. A changed index may be in bounds, a barrier needless.
CERTAIN = ("far", "lock", "twice", "inside")


def run(upct, program, name):
    # A mistake may make a loop endless.
    return upct.run(["prlimit", "--cpu=10", program, *ARGUMENTS.get(name, [])], THREADS=3, UPC_CHECK=1)


def is_reached(upct, case, name):
    upct.write("trap.upc", case.trap)
    result = run(upct, upct.compile("-w", "-O1", "-T3", "trap.upc", output="trap"), name)
    return result.returncode in (-signal.SIGILL, -signal.SIGTRAP)


def outcome(upct, case, name, right, check):
    upct.write("wrong.upc", case.wrong)
    result = run(upct, upct.compile("-w", "-g", "-O1", "-T3", check, "wrong.upc", output="wrong"), name)
    if ": error: " in result.stderr:
        return "found"
    return "other result" if (result.stdout, result.returncode) != (right.stdout, right.returncode) else "same result"


def mistakes(upct, name, seed, count, check="-fupc-check", only=""):
    """How many mistakes of each kind came to what; fails where a certain one was not found."""
    with open(os.path.join(FOLDER, f"{name}.upc"), encoding="utf-8") as file:
        text = file.read()
    upct.write("right.upc", text)
    right = run(upct, upct.compile("-w", "-O1", "-T3", check, "right.upc", output="right"), name)
    table = Counter()
    for case in damage.damages(text, seed, count, only):
        came_to = outcome(upct, case, name, right, check) if is_reached(upct, case, name) else "not reached"
        assert case.kind not in CERTAIN or came_to in ("found", "not reached"), f"{name}.upc:{case.line}: {case.kind}: {came_to}"
        table[case.kind, came_to] += 1
    return table


@pytest.mark.parametrize("name", ["heat_dynamic", "lists"])
def test_certain_mistakes_are_found(upct, name):
    table = mistakes(upct, name, 1, 6)
    assert sum(table[kind, "found"] for kind in CERTAIN) > 1


def show(table, capsys):
    with capsys.disabled():
        for (kind, came_to), number in sorted(table.items()):
            print(f"{kind:8} {came_to:13} {number}")


# Hundreds of programs are compiled.
@pytest.mark.stress
@pytest.mark.timeout(7200)
def test_mistakes_of_all_programs(upct, capsys):
    show(sum((mistakes(upct, name, seed, 60) for seed, name in enumerate(PROGRAMS)), Counter()), capsys)


@pytest.mark.stress
@pytest.mark.timeout(7200)
def test_barriers_of_all_programs(upct, capsys):
    # The flags of "waits" are relaxed: it has races as it is.
    names = [name for name in PROGRAMS if name != "waits"]
    show(sum((mistakes(upct, name, 0, 60, "-fupc-check=race", "barrier") for name in names), Counter()), capsys)
