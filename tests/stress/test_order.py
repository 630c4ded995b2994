"""What the memory model promises of strict and relaxed accesses, fences, notify and wait,
locks: the examples of UPC 1.3, B.5, and others, round after round."""

import os

from harness import case

ALLOWED = ("relaxed_1", "relaxed_3", "relaxed_4", "reads_6", "writes_9", "reads_10")
COMPILERS = {"gcc": ([], "gcc"), "gcc_O0": (["-O0"], "gcc"), "clang": ([], "clang"),
             "struct": (["-fupc-pts=struct"], "gcc"), "clang_struct": (["-fupc-pts=struct"], "clang")}


def litmus(t, column):
    switches, compiler = COMPILERS[column]
    program = t.path("litmus")
    t.good([t.tool("upcc"), "-O2", "-fupc-threads-2", *switches, t.fixture("order/litmus.upc"), "-o", program],
           UPCC_CC=compiler)
    return program


def check(t, program, rounds):
    """Nothing forbidden; returns how often each weaker outcome was seen."""
    result = t.run([program, rounds], timeout=3000)
    t.equal((result.stderr, result.returncode), ("", 0))
    seen = {}
    for line in result.stdout.splitlines():
        name, forbidden, weaker = line.split()
        t.equal(forbidden, "0", f"forbidden outcomes of {name}")
        seen[name] = int(weaker)
    t.check(len(seen) == 22 and all(name in seen for name in ALLOWED), result.stdout)
    return seen


def races(t):
    # The programs race on purpose.
    return "thread" not in t.sanitizers


@case(each=["gcc", "clang", "struct"])
def forbidden_outcomes_are_not_seen(t, column):
    if races(t):
        check(t, litmus(t, column), 1024)


@case
def the_test_can_see_what_it_looks_for(t):
    """Store buffering, which is allowed without a fence and all that the others forbid."""
    if not races(t) or (os.cpu_count() or 1) < 2:
        return
    program = litmus(t, "gcc")
    for _ in range(200):
        if int(t.good([program, 2048, 3]).split()[2]) > 0:
            return
    t.check(False, "no thread's read overtook its own write")


@case(stress=True, each=COMPILERS)
def millions_of_rounds(t, column):
    seen = check(t, litmus(t, column), 2 << 20)
    t.check(seen["relaxed_4"] > 0, "no thread's read overtook its own write")
