"""Which tool finds which of the errors in tests/fixtures/check/errors.upc, with the object, the line and the
thread; and that the table in docs/debugging.md counts them."""

import os
import re

import pytest

from negative.errors import AT_END, BY_LIBRARY, CASES, CRASHES, FOUND, PRIVATE_AT_END, SOURCE, WANTED, line_of
from support import ROOT

# What AddressSanitizer and UndefinedBehaviorSanitizer say of private data, and how a crash is told.
OBJECTS = {8: "thread 2 of 2", 59: "4 bytes past the end of", 13: "int [4]", 14: "int [4]", 17: "int [2]", 53: "errors.upc:38", 54: "errors.upc:38", 79: "heap-use-after-free",
           80: "int [4]", 81: "errors.upc:151", 85: "100 byte(s) leaked",
           **dict.fromkeys({3, 28, 33, 84}, "outside of the shared data"), 71: "past the end of"}


def object_of(case):
    """What a report of the case has to name: a declaration, the line of an allocation, null."""
    if case in OBJECTS:
        return OBJECTS[case]
    named = re.search(r"'shared [^']*'|@:\d+|null pointer", WANTED[case])
    return named[0].replace("@", "errors.upc").rstrip("'")


def expect(case, said):
    """The report SAID names the object, the line and the thread."""
    by_library = re.search(rf"errors\.upc:{line_of(case)}: error: thread [01]: ", said)
    assert object_of(case) in said, f"case {case}: {said}"
    assert by_library or f"errors.upc:{line_of(case)}" in said, f"case {case}: {said}"
    return by_library


def expect_at_end(case, result):
    """One line, which names the object."""
    said = re.fullmatch(r"\w+: error: the program has written (?:at least )?\d+ bytes? (?:past the end of|before|at byte \d+ of) (.*)\n", result.stderr)
    assert said and object_of(case) in said[1] and result.returncode == 1, f"case {case}: {result.stderr}"


def run(upct, program, *cases, **environment):
    return upct.run([program, *cases], THREADS=2, **environment)


def test_the_table_is_up_to_date():
    """Each row: what, the first case and the last one, how many each tool finds."""
    text = open(os.path.join(ROOT, "docs", "debugging.md")).read()
    head = re.search(r"^\| error \| cases \| (.*) \|$", text, re.M)[1].split(" | ")
    tools = [next(name for name in FOUND if name in column) for column in head]
    rows = re.findall(r"^\| ([^|]*) \| (\d+) to (\d+) \| ((?:\d+(?: \| )?)+) \|$", text, re.M)
    assert tools == list(FOUND) and len(rows) > 5
    seen = set()
    for what, first, last, numbers in rows:
        of_row = set(range(int(first), int(last) + 1))
        assert [str(len(FOUND[tool] & of_row)) for tool in tools] == numbers.split(" | "), what
        assert not seen & of_row
        seen |= of_row
    assert seen == CASES
    assert f"`UPC_CHECK=1` tells of {len(AT_END)} more at the end of the run" in text.replace("\n", " ")


@pytest.mark.only_asan("its reports are what is read")
def test_sanitizers(upct):
    program = upct.compile("-w", "-g", "-O0", SOURCE)
    for case in sorted(FOUND["-fsanitize"]):
        said = run(upct, program, case).stderr
        is_ours = object_of(case).startswith(("'shared", "errors.upc", "null"))
        assert expect(case, said) or not is_ours or "error: thread 0: access " in said, f"case {case}: {said}"
    missed = run(upct, program, *sorted(CASES - FOUND["-fsanitize"]))
    assert (missed.stderr, missed.returncode) == ("", 0)


@pytest.mark.only_asan("its reports are what is read")
def test_both_together(upct):
    """What -fupc-check finds is the same beside sanitizers (test_check.py). They find what it does not."""
    program = upct.compile("-w", "-g", "-O0", "-fupc-check", SOURCE)
    for case in sorted(FOUND["-fsanitize"] - FOUND["-fupc-check"]):
        expect(case, run(upct, program, case).stderr)
    missed = run(upct, program, 77, 78)
    assert (missed.stderr, missed.returncode) == ("", 0)


FREED = """#include <upc.h>
extern void release (shared [] int *p);

static void
by_library (shared [] int *p)
{
  p[0] = 1;
  upc_free (p);
  p[0] = 2;
}

static void
by_program (shared [] int *p)
{
  p[1] = 1;
  release (p);
  p[1] = 2;
}

int
main (int argc, char **argv)
{
  (argc > 1 ? by_program : by_library) (upc_alloc (32));
  return 0;
}

void __attribute__ ((__noinline__))
release (shared [] int *p)
{
  upc_free (p);
}
"""


@pytest.mark.only_asan("its reports are what is read")
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_sanitizers_look_again_behind_calls(upct, compiler):
    upct.write("freed.upc", FREED)
    program = upct.compile("-g", "-O1", "freed.upc", UPCC_CC=compiler)
    for arguments, line in ([], 9), (["1"], 17):
        said = upct.run([program, *arguments], THREADS=1).stderr
        assert re.search(f"in by_.*freed.upc:{line}\\b", said) and "error: thread 0: access in a block of 32 bytes" in said, said


@pytest.mark.no_sanitizers("they are first")
def test_runs_without_switches(upct):
    """UPC_CHECK=1 and leaks, crash reports and valgrind."""
    program = upct.compile("-w", "-g", "-O0", SOURCE)
    for case in sorted(CRASHES | BY_LIBRARY):
        result = run(upct, program, case, UPC_CHECK=1)
        assert expect(case, result.stderr) or case in CRASHES
        assert ": error: thread " in result.stderr and result.returncode != 0, case
    missed = run(upct, program, *sorted(CASES - FOUND["UPC_CHECK=1"] - AT_END), UPC_CHECK=1)
    assert (missed.stderr, missed.returncode) == ("", 0)
    for case in sorted(AT_END):
        expect_at_end(case, run(upct, program, case, UPC_CHECK=1))
    checked = upct.compile("-w", "-g", "-O0", "-fupc-check", SOURCE, output="checked")
    for case in sorted(PRIVATE_AT_END):
        expect_at_end(case, run(upct, checked, case))
    other = upct.compile("-w", "-g", "-O0", "-fupc-pts=struct", SOURCE, output="other")
    for case in (27, 47, 48):
        expect(case, run(upct, other, case).stderr)
    said = run(upct, program, 77, UPC_CHECK="leaks").stderr
    assert f"prog: note: 1 block of 3200 bytes, allocated at {SOURCE}:{line_of(77)} by upc_alloc, was never freed\n" in said
