"""What the memory model promises of strict and relaxed accesses, fences, notify and wait,
locks: the examples of UPC 1.3, B.5, and others, round after round."""

import os

import pytest

pytestmark = pytest.mark.tsan

ALLOWED = ("relaxed_1", "relaxed_3", "relaxed_4", "reads_6", "writes_9", "reads_10", "collective_none")
COMPILERS = {"gcc": ([], "gcc"), "gcc_O0": (["-O0"], "gcc"), "clang": ([], "clang"),
             "struct": (["-fupc-pts=struct"], "gcc"), "clang_struct": (["-fupc-pts=struct"], "clang")}


def litmus(upct, column):
    switches, compiler = COMPILERS[column]
    return upct.compile("-O2", "-fupc-threads-2", *switches, upct.fixture("order/litmus.upc"), output="litmus",
                        UPCC_CC=compiler)


def check(upct, program, rounds):
    """Nothing forbidden; returns how often each weaker outcome was seen."""
    result = upct.run([program, rounds])
    assert (result.stderr, result.returncode) == ("", 0)
    seen = {}
    for line in result.stdout.splitlines():
        name, forbidden, weaker = line.split()
        assert forbidden == "0", f"forbidden outcomes of {name}"
        seen[name] = int(weaker)
    assert len(seen) == 25 and all(name in seen for name in ALLOWED), result.stdout
    return seen


RACES = pytest.mark.no_tsan("the programs race on purpose")


@RACES
@pytest.mark.parametrize("column", ["gcc", "clang", "struct"])
def test_forbidden_outcomes_are_not_seen(upct, column):
    check(upct, litmus(upct, column), 1024)


@RACES
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one CPU reorders nothing")
def test_the_test_can_see_what_it_looks_for(upct):
    """Store buffering, which is allowed without a fence and all that the others forbid."""
    program = litmus(upct, "gcc")
    for _ in range(200):
        if int(upct.check_output([program, 2048, 3]).split()[2]) > 0:
            return
    pytest.fail("no thread's read overtook its own write")


@pytest.mark.stress
@pytest.mark.parametrize("column", COMPILERS)
def test_millions_of_rounds(upct, column):
    seen = check(upct, litmus(upct, column), 2 << 20)
    assert seen["relaxed_4"] > 0, "no thread's read overtook its own write"
