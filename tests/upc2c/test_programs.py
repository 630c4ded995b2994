"""UPC programs as people write them, of tests/fixtures/upc2c/programs: each verifies its own
result, and prints the same on any number of threads."""

import os

import pytest

from support import FULL, ROOT

pytestmark = pytest.mark.sample(10, plain=2)

FOLDER = os.path.join(ROOT, "tests", "fixtures", "upc2c", "programs")
THREADS = (1, 2, 3, 4, 7, 16)

# What thread 0 prints; the others print nothing.
PROGRAMS = {
    "aliases": "aliases: seen\n",
    "bucketsort": "sorted by buckets: 0 wrong\n",
    "cg": "CG class S: zeta is 8.5971775079, verified\n",
    "dialect": "old UPC: 0 wrong\n",
    "dining": "in peace, 0 meals missed\n",
    "events": "events: good\n",
    "fft": "transform right\nand back right\n",
    "gups": "random access: passed\n",
    "heat": "heat: verified\n",
    "heat_dynamic": "23 iterations, mean 0.108234\n",
    "is": "IS class S: 50 of 50 verified\n",
    "layouts": "layouts: as declared\n",
    "lists": "lists and trees: good\n",
    "loops": "loops: good\n",
    "matmul": "matrix multiply: verified\n",
    "nqueens": "".join(f"{n + 1} queens: {count}\n"
                       for n, count in enumerate((1, 0, 0, 2, 10, 4, 40, 92, 352))),
    "odds": "77 hello, world 2.5\n",
    "plain_c": "plain C: as ever\n",
    "rows": "rows: good\n",
    "static_only": "static threads: good\n",
    "transpose": "transposed 40 times, 0 wrong\n",
    "treesearch": "26666 nodes, 19654 leaves, height 7\n",
    "tutorial": "pi is 3.1415927; about so by hits\ndone\n",
    "waits": "all have come\n",
    "wordcount": "6362 words, 310 different\n 1036 the\n  733 of\n  549 and\n  439 to\n  377 shared\n",
}
ARGUMENTS = {"wordcount": [os.path.join(ROOT, "tests", "fixtures", "text.txt")]}

# A switch of compilation for each column of the test matrix; 0 threads: dynamic.
COLUMNS = {
    "O2": (["-O2"], "gcc", 0),
    "O0": (["-O0"], "gcc", 0),
    "struct": (["-O2", "-fupc-pts=struct"], "gcc", 0),
    "clang": (["-O2"], "clang", 0),
    "clang_O0_struct": (["-O0", "-g", "-fupc-pts=struct"], "clang", 0),
    "static_1": (["-O2"], "gcc", 1),
    "static_3": (["-O0"], "gcc", 3),
    "static_4": (["-O2"], "clang", 4),
    "static_7_struct": (["-O3", "-fupc-pts=struct"], "gcc", 7),
    "static_16": (["-O1"], "gcc", 16),
}


def matrix():
    """Every program in every column; a sample unless full=1."""
    names = list(COLUMNS)
    for row, program in enumerate(sorted(PROGRAMS)):
        for i, column in enumerate(names):
            if program == "static_only" and not COLUMNS[column][2]:
                continue
            if FULL or column in ("O2", "static_3") or i == 1 + row % (len(names) - 1):
                yield program, column


def run(upct, program, name, threads):
    result = upct.run([program, *ARGUMENTS.get(name, [])], THREADS=threads or None)
    assert (result.stdout, result.stderr, result.returncode) == (PROGRAMS[name], "", 0), f"{name} on {threads} threads"


@pytest.mark.parametrize("name, column", matrix())
def test_prints(upct, name, column):
    switches, compiler, threads = COLUMNS[column]
    if threads:
        switches = [*switches, f"-fupc-threads-{threads}"]
    if name == "gups":
        # Its updates race, as the benchmark has it; ThreadSanitizer would say so.
        switches = [*switches, f"-DGUPS_LOCKED={int('thread' in upct.sanitizers)}"]
    program = upct.compile("-w", *switches, os.path.join(FOLDER, name + ".upc"), output=name, UPCC_CC=compiler)
    for threads in [threads] if threads else THREADS:
        run(upct, program, name, threads)
