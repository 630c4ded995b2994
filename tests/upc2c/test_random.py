"""Random programs, of single accesses, of loops, of indirect accesses and of updates here and there, at several numbers of
threads, with both compilers and representations."""


import pytest

from generators import accesses, indirect, loops, scattered
from support import FULL

pytestmark = pytest.mark.sample(10, plain=2)

SEEDS = range(200 if FULL else 16)
COLUMNS = [["-O2"], ["-O2", "-fupc-pts=struct"], ["-O0", "-fupc-check"], ["-O2"], ["-O2", "-fupc-threads-3"],
           ["-O2", "-fupc-check"]]


def agrees(upct, program_text, seed):
    source = upct.write("random.upc", program_text)
    column = seed % len(COLUMNS)
    environment = {"UPCC_CC": "clang"} if column == 3 else {}
    program = upct.compile("-w", *COLUMNS[column], source, output="random", **environment)
    for threads in (3,) if column == 4 else (1, 2, 3, 4, 7, 16):
        result = upct.run([program], THREADS=threads)
        assert (result.stdout, result.returncode) == ("ok\n", 0), f"seed {seed}, {threads} threads"


@pytest.mark.parametrize("seed", list(SEEDS))
def test_shared_data_is_as_in_the_model(upct, seed):
    agrees(upct, accesses.program(seed), seed)


@pytest.mark.parametrize("seed", list(SEEDS))
def test_loops_over_shared_data_are_as_over_private_data(upct, seed):
    agrees(upct, loops.program(seed), seed)


@pytest.mark.parametrize("seed", list(SEEDS)[::2])
def test_indirect_accesses_are_as_of_private_data(upct, seed):
    agrees(upct, indirect.program(seed), seed)


@pytest.mark.parametrize("seed", list(SEEDS)[::2])
def test_updates_here_and_there_are_as_of_private_data(upct, seed):
    agrees(upct, scattered.program(seed), seed)


def test_a_wrong_element_is_found(upct):
    text = loops.program(1)
    head, compare, tail = text.rpartition("  for (i = 0; i < (2 * 4); i++)\n")
    source = upct.write("wrong.upc", head + "  *(char *) pA ^= MYTHREAD == 1;\n" + compare + tail)
    result = upct.run([upct.compile("-w", source)], THREADS=3)
    assert (result.stdout, result.returncode) == ("A 0 of 3 threads, thread 1\nok\n", 1)
