"""UPC programs of tests/fixtures/upc2c/features, one for each part of the language: each checks
itself and thread 0 prints "ok"."""

import glob
import os

import pytest

from support import FULL, ROOT

pytestmark = pytest.mark.sample(10, plain=2)

FOLDER = os.path.join(ROOT, "tests", "fixtures", "upc2c", "features")
PROGRAMS = sorted(os.path.basename(p)[:-4] for p in glob.glob(os.path.join(FOLDER, "*.upc")))
THREADS = (1, 2, 3, 4, 7, 16)
# A switch of compilation for each column of the test matrix.
SWITCHES = {
    "O2": ["-O2"],
    "O0": ["-O0"],
    "struct": ["-O2", "-fupc-pts=struct"],
    "check": ["-O2", "-fupc-check"],
    "clang": ["-O2"],
    "strict_std": ["-O1", "-std=gnu99"],
}


def compile_with(upct, name, switches, **environment):
    return upct.compile("-w", *switches, os.path.join(FOLDER, name + ".upc"), output=name, **environment)


def check(upct, program, threads):
    upct.check_prints("ok\n", [program], THREADS=threads)


def matrix():
    """Every program in every column; without full=1 in those that upc2c writes other C for, and in one
    of those that only compile it otherwise, by turns."""
    turns = ("O0", "clang", "strict_std")
    for row, program in enumerate(PROGRAMS):
        for column in SWITCHES:
            if FULL or column not in turns or column == turns[row % len(turns)]:
                yield program, column


@pytest.mark.parametrize("name, column", matrix())
def test_dynamic_threads(upct, name, column):
    environment = {"UPCC_CC": "clang"} if column == "clang" else {}
    program = compile_with(upct, name, SWITCHES[column], **environment)
    for threads in THREADS:
        check(upct, program, threads)


@pytest.mark.parametrize("name, threads", [(p, n) for p in PROGRAMS for n in (THREADS if FULL else (1, 3, 4))])
def test_static_threads(upct, name, threads):
    program = compile_with(upct, name, ["-O2", f"-fupc-threads-{threads}"])
    upct.check_prints("ok\n", [program])
