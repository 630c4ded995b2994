"""What a thread may do that is not the first of its UPC thread: read and write shared data, call
the runtime, end the UPC thread."""

import re

import pytest

from support import FULL

pytestmark = pytest.mark.tsan


@pytest.mark.parametrize("switches, threads", [("-O0 -g", 1), ("-O2", 4), ("-O2 -fupc-pts=struct", 3)])
def test_calls_of_upc_in_threads(upct, switches, threads):
    program = upct.compile(*switches.split(), upct.fixture("threads/calls.upc"))
    upct.check_prints("ok\n", [program], THREADS=threads)


@pytest.mark.parametrize("switches", ["-O0 -g", "-O2 -g -fupc-pts=struct"])
def test_two_threads_in_a_barrier(upct, switches):
    program = upct.compile(*switches.split(), upct.fixture("threads/two.upc"), output="two")
    result = upct.run([program], THREADS=2)
    line = 1 + upct.read_fixture("threads/two.upc").split("\n").index("  upc_barrier;")
    assert (result.stdout, result.returncode) == ("", 1)
    assert result.stderr.split("/")[-1] == (
        f"two.upc:{line}: error: thread 0: upc_barrier called while another thread of this UPC thread is in "
        "upc_barrier\n")


def exits(upct):
    """The path of the program."""
    return upct.build_once("exits", lambda program: upct.check_output(
        [upct.tool("upcc"), "-x", "c", "-O1", upct.fixture("threads/exits.c"), "-o", program]))


# What the first thread and a helper do, in which UPC thread; the possible statuses; lines beside
# those of every UPC thread's end.
ENDS = [
    ("spin exit all", {3}, ()), ("spin exit 0", {3}, ()), ("spin exit 2", {3}, ()),
    ("return spin all", {5}, ()), ("return spin 0", {5}, ()), ("exit spin 1", {5}, ()),
    ("exit exit all", {3, 5}, ()), ("return exit all", {3, 5}, ()),
    ("pthread_exit later 1", {3}, ("later 1",)), ("pthread_exit return all", {0}, ()),
    ("pthread_exit pthread_exit all", {0}, ()),
]


@pytest.mark.parametrize("roles, statuses, extra", ENDS)
def test_any_thread_ends_its_upc_thread(upct, roles, statuses, extra):
    """Once: with one status, with the exit handlers and destructors of the UPC thread."""
    threads = 3
    for _ in range(20 if FULL else 2):
        result = upct.run([exits(upct), *roles.split()], THREADS=threads)
        wanted = [f"{what} {i} 1" for what in ("destructor", "handler") for i in range(threads)] + list(extra)
        assert (sorted(result.stdout.splitlines()), result.stderr) == (wanted, "")
        assert result.returncode in statuses


@pytest.mark.parametrize("thread", [0, 1])
def test_a_thread_ends_the_run(upct, thread):
    result = upct.run([exits(upct), "spin", "global_exit", thread], THREADS=3)
    assert (result.stderr, result.returncode) == ("", 3)
    assert all(re.fullmatch(r"(handler|destructor) \d 1", line) for line in result.stdout.splitlines())


@pytest.mark.host_only("qemu 7 makes no threads in processes that one of several threads has forked")
@pytest.mark.no_sanitizers("they take the place of signal handlers and of functions that make processes")
@pytest.mark.parametrize("cc, link", [("gcc", "-no-pie"), ("clang", "-pie"), ("gcc", "-static")])
def test_processes_signals_and_contexts_of_threads(upct, cc, link):
    compiled = upct.path("processes.o")
    upct.check_output([cc, "-Wall", "-Wextra", "-Werror", "-O1", "-fPIE" if link == "-pie" else "-fno-pie", "-c",
                       upct.fixture("threads/processes.c"), "-o", compiled])
    output = upct.check_output([upct.link(compiled, flags=[link])], THREADS=3)
    assert sorted(output.splitlines()) == ["ok 0", "ok 1", "ok 2"]
