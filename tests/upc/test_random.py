"""Random programs, of single operations (tests/upcgenerate.py) and of loops
(tests/upcloops.py), at several numbers of threads, with both compilers and
representations."""

import os

import upcgenerate
import upcloops
from harness import case

SEEDS = range(200 if os.environ.get("UPCT_TEST_FULL") == "1" else 16)
COLUMNS = [["-O2"], ["-O2", "-fupc-pts=struct"], ["-O0"], ["-O2"], ["-O2", "-fupc-threads-3"]]


def agrees(t, program_text, seed):
    source = t.write("random.upc", program_text)
    column = seed % len(COLUMNS)
    environment = {"UPCC_CC": "clang"} if column == 3 else {}
    program = t.path("random")
    t.good([t.tool("upcc"), "-w", *COLUMNS[column], source, "-o", program], **environment)
    for threads in (3,) if column == 4 else (1, 2, 3, 4, 7, 16):
        result = t.run([program], THREADS=threads)
        t.equal((result.stdout, result.returncode), ("ok\n", 0), f"seed {seed}, {threads} threads")


@case(each=list(SEEDS))
def shared_data_is_as_in_the_model(t, seed):
    agrees(t, upcgenerate.Program(seed).text(), seed)


@case(each=list(SEEDS))
def loops_over_shared_data_are_as_over_private_data(t, seed):
    agrees(t, upcloops.Program(seed).text(), seed)


@case
def a_wrong_element_is_found(t):
    text = upcloops.Program(1).text()
    head, compare, tail = text.rpartition("  for (i = 0; i < (2 * 4); i++)\n")
    source = t.write("wrong.upc", head + "  *(char *) pA ^= MYTHREAD == 1;\n" + compare + tail)
    t.good([t.tool("upcc"), "-w", source, "-o", t.path("wrong")])
    result = t.run([t.path("wrong")], THREADS=3)
    t.equal((result.stdout, result.returncode), ("A 0 of 3 threads, thread 1\nok\n", 1))
