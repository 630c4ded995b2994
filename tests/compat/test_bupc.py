"""Berkeley UPC's and Cray's extensions: programs as its manuals show them, each of which checks itself; and
what wrong calls say."""

import re

import pytest

from support import FULL, NO_DEADLOCKS
from support.bupc import MISUSE, PRODUCERS, misuse_source

pytestmark = [pytest.mark.tsan, pytest.mark.sample(6, plain=2)]

PROGRAMS = ("addresses", "pointers", "atomics", "async", "pieces", "semaphores", "namespace", "own_names",
            "values", "cray")
THREADS = (1, 2, 3, 8)
# Switches and numbers of threads; the compiler is clang where the name says so.
COLUMNS = {
    "O2": (["-O2"], THREADS),
    "struct": (["-O1", "-fupc-pts=struct"], THREADS if FULL else (3,)),
    "clang": (["-O2"], THREADS if FULL else (2,)),
    "clang-check": (["-O1", "-fupc-check"], (3,)),
    "profile": (["--profile"], (2,)),
    "static": (["-fupc-threads-3"], (3,)),
}


# Atomic operations raise no events, and a thousand accesses beside them take compilers long. "pointers" casts other
# threads' addresses.
@pytest.mark.parametrize("name, column", [(p, c) for p in PROGRAMS for c in COLUMNS
                                          if (p, c) not in (("atomics", "profile"), ("pointers", "clang-check"))])
def test_program(upct, name, column):
    flags, threads = COLUMNS[column]
    program = upct.compile("-Wall", "-Werror", *flags, upct.fixture(f"compat/{name}.upc"), output=name,
                           UPCC_CC="clang" if column.startswith("clang") else "gcc")
    for n in threads:
        upct.check_prints("ok\n", [program], THREADS=n)
        upct.check_prints("ok\n", [program], THREADS=n, UPC_CHECK=1)


@pytest.mark.parametrize("wait", ["adaptive", "sleep"])
def test_semaphores_of_more_threads_than_cpus(upct, wait):
    program = upct.compile("-O2", upct.fixture("compat/semaphores.upc"))
    upct.check_prints("ok\n", ["prlimit", "--cpu=120", program], THREADS=32, UPC_WAIT=wait)


def test_compiles_again_what_it_has_preprocessed(upct):
    text = upct.check_output([upct.tool("upcc"), "-E", upct.fixture("compat/semaphores.upc")])
    program = upct.compile(upct.write("again.upc", text))
    upct.check_prints("ok\n", [program], THREADS=3)


def test_names_that_are_not_there(upct):
    """Nothing announces Berkeley UPC, and its header can be left out."""
    source = upct.write("a.upc", """
        #define BUPC_DISABLE_EXTENSIONS
        #include <upc.h>
        #if defined __BERKELEY_UPC__ || defined __BERKELEY_UPC_RUNTIME__ || defined BUPC_TICK_MAX
        #error "announced"
        #endif
        double bupc_ticks_now;
        bupc_tick_t x;
        int main (void) { return 0; }
        """)
    result = upct.run([upct.tool("upcc"), "-c", source])
    assert [line for line in result.stderr.splitlines() if "error:" in line] == [
        f"{source}:8:9: error: unknown type name 'bupc_tick_t'"]


def misuse(upct):
    return upct.build_once("compat-misuse", lambda program: upct.check_output(
        [upct.tool("upcc"), misuse_source(upct), "-o", program]))


@pytest.mark.parametrize("number", range(len(MISUSE)))
def test_misuse(upct, number):
    result = upct.run([misuse(upct), number], THREADS=3)
    message = re.sub("0x[0-9a-f]{7,}|0x77", "X", result.stderr)
    # A checked heap tells where.
    message = re.sub("was freed(; UPC_CHECK=1 tells where| by thread .*)", "was freed", message)
    assert (message, result.stdout, result.returncode) == (
        f"compat-misuse: error: thread 1: {MISUSE[number][1]}\n", "", 1)


@pytest.mark.no_tsan("two threads store for one: that is the error")
def test_values_that_are_all_for_one_thread(upct):
    upct.write("a.upc", "#include <upc.h>\n#include <bupc_collectivev.h>\n"
                        "int main (void) { return bupc_allv_permute (int, 1, 2); }\n")
    upct.compile("a.upc")
    result = upct.run([upct.path("prog")], THREADS=3)
    assert re.fullmatch(r"prog: error: thread (0|1): bupc_allv_permute: no value is for thread \1\n", result.stderr)
    assert result.returncode == 1


def test_second_producer(upct):
    source = upct.write("producers.upc", PRODUCERS)
    program = upct.compile(source)
    upct.check_prints("", [program], THREADS=3)
    result = upct.run([program], THREADS=3, UPC_CHECK=1)
    assert (result.stderr, result.returncode) == (
        "prog: error: thread 2: bupc_sem_post: thread 1 is the producer\n", 1)


@pytest.mark.host_only(NO_DEADLOCKS)
def test_semaphores_in_reports_of_deadlocks(upct):
    source = upct.write("stuck.upc", """
        #include <upc.h>
        int main (void)
        {
          bupc_sem_t *sem = bupc_sem_alloc (0);
          if (MYTHREAD == 1)
            bupc_sem_waitN (sem, 2);
          upc_barrier;
          return 0;
        }
        """)
    result = upct.run([upct.compile(source, output="stuck")], THREADS=2)
    assert result.returncode == 1
    assert result.stderr.splitlines()[0].startswith("stuck: error: deadlock: ")
    assert any(line.startswith("  thread 1: waiting in bupc_sem_waitN") for line in result.stderr.splitlines())
