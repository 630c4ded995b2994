"""UPC programs of tests/fixtures/upc, one for each part of the language: each checks
itself and thread 0 prints "ok"."""

import glob
import os

import harness
from harness import case

FOLDER = os.path.join(harness.ROOT, "tests", "fixtures", "upc")
PROGRAMS = sorted(os.path.basename(p)[:-4] for p in glob.glob(os.path.join(FOLDER, "*.upc")))
FULL = os.environ.get("UPCT_TEST_FULL") == "1"
THREADS = (1, 2, 3, 4, 7, 16)
# A switch of compilation for each column of the test matrix.
SWITCHES = {
    "O2": ["-O2"],
    "O0": ["-O0"],
    "struct": ["-O2", "-fupc-pts=struct"],
    "clang": ["-O2"],
    "strict_std": ["-O1", "-std=gnu99"],
}


def compile_with(t, name, switches, **environment):
    program = t.path(name)
    t.good([t.tool("upcc"), "-w", *switches, os.path.join(FOLDER, name + ".upc"), "-o", program],
           **environment)
    return program


def check(t, program, threads):
    result = t.run([program], THREADS=threads)
    t.equal((result.stdout, result.stderr, result.returncode), ("ok\n", "", 0),
            f"{os.path.basename(program)} on {threads} threads")


@case(each=[(p, s) for p in PROGRAMS for s in SWITCHES])
def dynamic_threads(t, name, column):
    environment = {"UPCC_CC": "clang"} if column == "clang" else {}
    program = compile_with(t, name, SWITCHES[column], **environment)
    for threads in THREADS:
        check(t, program, threads)


@case(each=[(p, n) for p in PROGRAMS for n in (THREADS if FULL else (1, 3, 4))])
def static_threads(t, name, threads):
    program = compile_with(t, name, ["-O2", f"-fupc-threads-{threads}"])
    result = t.run([program])
    t.equal((result.stdout, result.stderr, result.returncode), ("ok\n", "", 0))
