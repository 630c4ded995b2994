"""Random programs (tests/upcgenerate.py) at several numbers of threads, with both
compilers and representations."""

import os

import upcgenerate
from harness import case

SEEDS = range(200 if os.environ.get("UPCT_TEST_FULL") == "1" else 16)
COLUMNS = [["-O2"], ["-O2", "-fupc-pts=struct"], ["-O0"], ["-O2"], ["-O2", "-fupc-threads-3"]]


@case(each=list(SEEDS))
def shared_data_is_as_in_the_model(t, seed):
    source = t.write("random.upc", upcgenerate.Program(seed).text())
    column = seed % len(COLUMNS)
    environment = {"UPCC_CC": "clang"} if column == 3 else {}
    program = t.path("random")
    t.good([t.tool("upcc"), "-w", *COLUMNS[column], source, "-o", program], **environment)
    for threads in (3,) if column == 4 else (1, 2, 3, 4, 7, 16):
        result = t.run([program], THREADS=threads)
        t.equal((result.stdout, result.returncode), ("ok\n", 0), f"seed {seed}, {threads} threads")
