"""How a run begins, goes on and ends, as its user sees it."""

import os
import resource
import signal
import subprocess
import time

import pytest

from support import NO_DEADLOCKS
from support.behave import behave, expect, run

pytestmark = [pytest.mark.tsan, pytest.mark.emulated]

KIB, MIB = 1 << 10, 1 << 20


def lines(*text):
    return "".join(line + "\n" for line in text)


# Arguments, environment, standard input and output.


def test_switches_are_not_arguments(upct):
    expect(upct, "--", "arguments", "-n", "5", stdout=lines(*(f"{i}: arguments -n 5" for i in range(3))))
    expect(upct, "arguments", "--", stdout=lines(*(f"{i}: arguments --" for i in range(3))))


def test_each_thread_has_its_own_arguments(upct):
    expect(upct, "write-arguments", "xyz", "w",
           stdout=lines(*(f"{i}: write-arguments {c}yz {c}yz" for i, c in enumerate("abc"))))


def test_environment_is_the_callers(upct):
    expect(upct, "environment", "UPCT_WORD", threads=1, stdout="a word\n", UPCT_WORD="a word")
    expect(upct, "environment", "UPCT_WORD", threads=1, stdout="unset\n", UPCT_WORD=None)


def test_thread_0_reads_standard_input(upct):
    expect(upct, "read-lines", stdin="one\ntwo\nthree\n", stdout="3 lines\n")
    expect(upct, "read-lines", stdin="", stdout="0 lines\n")


def test_closed_pipe_ends_every_thread(upct):
    process = subprocess.Popen(upct.started([behave(upct), "-n", "4", "chatter"]), stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"y\n"
    process.stdout.close()
    assert process.wait() == -signal.SIGPIPE


@pytest.mark.host_only("the first thread has the emulator's name")
def test_threads_have_names(upct):
    expect(upct, "names", stdout=lines("behave", "upc 1", "upc 2"))


def test_help_is_printed_without_a_run(upct):
    result = upct.run([behave(upct), "-fupc-help"], THREADS=2)
    assert result.returncode == 0
    assert result.stdout.splitlines()[0] == "Usage: behave [switches] [--] [arguments]"
    for word in ("-fupc-threads-", "-fupc-heap-", "UPC_STACK_SIZE", "UPC_BIND", "UPC_THREADS", "UPC_CHECK"):
        assert word in result.stdout, f"{word} is not in the help"


@pytest.mark.parametrize("n, source", [
    (n, source) for n in (1, 5) for source in ("-n", "-fupc", "UPC_THREADS", "THREADS")])
def test_thread_count_is_as_asked_for(upct, n, source):
    switches = {"-n": ["-n", n], "-fupc": [f"-fupc-threads-{n}"]}.get(source, [])
    environment = {} if switches else {source: n}
    assert upct.check_output([behave(upct), *switches, "quick"], **environment) == f"{n} threads\n"


def test_default_thread_count_is_the_cpus_of_the_process(upct):
    one = min(os.sched_getaffinity(0))
    assert upct.check_output(["taskset", "-c", one, behave(upct), "quick"]) == "1 threads\n"


@pytest.mark.no_sanitizers("what a thousand threads ask of the system is the same")
def test_as_many_threads_as_there_can_be(upct):
    expect(upct, "quick", threads=1024, stdout="1024 threads\n")


def test_threads_are_bound_to_cores_in_turn(upct):
    result = run(upct, "affinity", threads=4, UPC_BIND="core")
    assert result.stderr == ""
    sets = result.stdout.split()
    assert len(sets) == 4
    cpus = len(os.sched_getaffinity(0))
    for own in sets:
        assert cpus == 1 or "-" not in own and own != ",".join(map(str, range(cpus))), f"a thread may run on {own}"
    unbound = run(upct, "affinity", threads=1, UPC_BIND="none").stdout
    assert cpus == 1 or unbound.strip() not in sets, "UPC_BIND=none binds"


# Stacks.


@pytest.mark.host_only("qemu fixes the stack of the first thread")
def test_stack_size_is_honoured(upct):
    # The detectors' frames are larger than the program's.
    expect(upct, "deep", "6000", stdout="done\n")
    expect(upct, "deep", "50000", stdout="done\n", UPC_STACK_SIZE="64M")
    expect(upct, "broad", "60000", stdout="done 1\n", UPC_STACK_SIZE="64M")


def test_small_stacks_are_enough_for_small_programs(upct):
    expect(upct, "quick", stdout="3 threads\n", UPC_STACK_SIZE="64K")


@pytest.mark.host_only("qemu fixes the stack of the first thread")
def test_unlimited_stacks_are_large_ones(upct):
    # The race detector replaces an unlimited stack by one of 32 MiB.
    kib = 20000 if "thread" in upct.sanitizers else 100000
    result = upct.run(["bash", "-c", f"ulimit -s unlimited && {behave(upct)} -n 3 deep {kib}"])
    assert (result.stdout, result.stderr, result.returncode) == ("done\n", "", 0)


# The end, when all goes well.


def test_status_is_the_first_nonzero_one(upct):
    for action in ("return", "exit"):
        expect(upct, action, "0", "0", "0", status=0)
        expect(upct, action, "0", "7", "9", status=7)
        expect(upct, action, "5", "7", "9", status=5)
        expect(upct, action, "0", "0", "1", status=1)
        expect(upct, action, "0", "256", "3", status=3)
        expect(upct, action, "-1", "0", "3", status=255)


def test_exit_in_one_thread_waits_for_the_others(upct):
    result = run(upct, "exit-in-one", "1", "6")
    assert sorted(result.stdout.splitlines()) == ["0 went on", "2 went on"]
    assert result.returncode == 6
    expect(upct, "upc-exit-in-one", "2", "8", status=8)


def test_exit_handlers_are_each_threads_own(upct):
    result = run(upct, "exit-handlers")
    for i in range(3):
        assert [line for line in result.stdout.splitlines() if line.startswith(f"{i}:")] == [
            f"{i}: status 0 of exit", f"{i}: second, run as 1", f"{i}: first, run as 2"]
    assert (result.stderr, result.returncode) == ("", 0)


def test_exit_handlers_may_register_and_exit(upct):
    expect(upct, "nested-exit-handlers", threads=1,
           stdout=lines("0: outer, run as 1", "0: first, run as 2"))
    expect(upct, "exit-in-handler", threads=1, stdout="0: first, run as 1\n", status=7)


# The end, at once.


@pytest.mark.parametrize("thread", [0, 2])
def test_global_exit_ends_threads_in_a_barrier(upct, thread):
    expect(upct, "global-exit", thread, "9", stdout="unflushed", status=9)


def test_global_exit_from_all_threads(upct):
    expect(upct, "global-exit-everywhere", "11", threads=8, status=11)


def test_global_exit_ends_a_read_of_standard_input(upct):
    process = subprocess.Popen(upct.started([behave(upct), "-n", "3", "global-exit-while-reading", "1", "12"]),
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.wait() == 12
        assert process.stdout.read() == b"partial"
        assert process.stderr.read() == b""
    finally:
        process.kill()
        process.communicate()


def test_global_exit_ends_busy_threads(upct):
    expect(upct, "global-exit-while-busy", "1", "13", threads=4, status=13)
    expect(upct, "global-exit-while-printing", "1", "14", threads=4, status=14)


def test_global_exit_runs_no_handlers_of_threads(upct):
    expect(upct, "global-exit-with-handlers", status=4)


@pytest.mark.host_only(NO_DEADLOCKS)
def test_exit_in_a_thread_of_the_programs_own(upct):
    """It ends the UPC thread, for which the others wait in vain."""
    result = run(upct, "foreign-exit", "6")
    assert result.returncode == 1
    assert result.stderr.splitlines()[0].endswith(
        "error: deadlock: thread 1 waits in upc_barrier for thread 0, which has ended"), result.stderr


# Crashes and signals. A sanitizer reports the signals that it handles itself.


def expect_crash(upct, *arguments, signal, line, frame="/fixtures/behave/", **options):
    result = run(upct, *arguments, **options)
    if upct.sanitizers:
        assert result.returncode != 0, "the run succeeds"
        assert "Sanitizer" in result.stderr or line in result.stderr
        return
    assert result.returncode == -signal, "status"
    assert result.stderr.splitlines()[0] == line
    assert frame in result.stderr, f"no frame '{frame}' in:\n{result.stderr}"


CRASHES = [
    ("abort", signal.SIGABRT, "behave: error: thread 1: Aborted"),
    ("segv", signal.SIGSEGV, "behave: error: thread 1: Segmentation fault: address 0x0, through a null pointer"),
    pytest.param("fpe", signal.SIGFPE, "behave: error: thread 1: Floating point exception",
                 marks=pytest.mark.only_x86_64("on ARM a division by 0 is 0")),
    pytest.param("ill", signal.SIGILL, "behave: error: thread 1: Illegal instruction",
                 marks=pytest.mark.only_x86_64("on ARM __builtin_trap raises SIGTRAP")),
    ("null", signal.SIGSEGV, "behave: error: thread 1: access through a null pointer-to-shared"),
    ("null-member", signal.SIGSEGV,
     "behave: error: thread 1: access through a null pointer-to-shared"),
    ("outside", signal.SIGSEGV,
     "behave: error: thread 1: access outside of the shared data: thread 1, offset 0x40000000"),
    ("place", signal.SIGSEGV,
     "heat.upc:42: error: thread 1: access outside of the shared data: thread 1, offset 0x40000000"),
    ("affinity", signal.SIGSEGV,
     "behave: error: thread 1: access through a pointer-to-shared with affinity to thread 3 of 3"),
]


@pytest.mark.parametrize("how, number, line", CRASHES)
def test_crash_names_thread_and_cause(upct, how, number, line):
    expect_crash(upct, "crash", "1", how, signal=number, line=line)


def test_crash_of_all_threads_is_reported_once(upct):
    result = run(upct, "crash-everywhere", threads=4)
    assert result.returncode != 0, "the run succeeds"
    if not upct.sanitizers:
        assert result.stderr.count("error: thread") == 1


@pytest.mark.parametrize("action, thread", [
    (action, thread) for action in ("overflow", "overflow-in-strides") for thread in (0, 1)])
def test_stack_overflow_is_told_from_other_crashes(upct, action, thread):
    expect_crash(upct, action, thread, signal=signal.SIGSEGV, UPC_STACK_SIZE="8M",
                 line=f"behave: error: thread {thread}: stack overflow: "
                      "raise UPC_STACK_SIZE (now 8192 KiB) or ulimit -s")


def test_crash_report_that_hangs_is_cut_off(upct):
    # The report asks the loader, whose lock the crash may hold: here it waits for ever. A function of
    # the program would not be taken for libc's.
    source = upct.write("hang.c", """
        #include <unistd.h>
        int dladdr1 (const void *address, void *info, void **map, int flags)
        {
          (void) address, (void) info, (void) map, (void) flags;
          for (;;)
            pause ();
        }
        """)
    upct.check_output(["gcc", "-shared", "-fPIC", source, "-o", upct.path("hang.so")])
    source = upct.write("crash.c", "int main (void) { *(volatile int *) 8 = 1; return 0; }\n")
    upct.check_output(["gcc", "-c", source, "-o", upct.path("crash.o")])
    program = upct.link(upct.path("crash.o"))
    begin = time.monotonic()
    result = upct.run([program, "-n", "2"], LD_PRELOAD=upct.path("hang.so"))
    assert result.returncode != 0, "the run succeeds"
    if not upct.sanitizers:
        assert result.returncode == -signal.SIGSEGV
        assert time.monotonic() - begin > 5, "the backtrace was not asked for"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_other_signals_end_the_run_quietly(upct, number):
    process = subprocess.Popen(upct.started([behave(upct), "-n", "3", "sleep"]), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(number)
    _, stderr = process.communicate()
    assert (process.returncode, stderr) == (-number, b"")


def test_signal_from_outside_has_no_address(upct):
    result = run(upct, "raise", "1", int(signal.SIGSEGV))
    assert result.returncode != 0, "the run succeeds"
    if not upct.sanitizers:
        assert result.returncode == -signal.SIGSEGV
        assert result.stderr.splitlines()[0] == "behave: error: thread 1: Segmentation fault"


# The heap's limit.


def test_heap_limit_is_kept(upct):
    blocks = int(run(upct, "-fupc-heap-8M", "fill-heap", "64").stdout)
    assert 80 <= blocks <= 128, f"{blocks} blocks of 64 KiB"


def test_all_that_the_environment_asks_for_is_there(upct):
    """Blocks that are larger than their program asked for do not count; there is not much more."""
    blocks = int(run(upct, "fill-heap", "64", UPC_SHARED_HEAP_SIZE="16M").stdout)
    least = 160 if upct.sanitizers else 256
    assert least <= blocks <= 336, f"{blocks} blocks of 64 KiB"
    if not upct.sanitizers:
        assert int(run(upct, "fill-heap", "1200", UPC_SHARED_HEAP_SIZE="12").stdout) >= 10


@pytest.mark.host_only("its heaps are small, as qemu has a record for each page")
def test_heap_is_as_large_as_its_partition_by_default(upct):
    gib = int(run(upct, "fill-heap", MIB // 8, threads=2).stdout) / 8
    # The race detector's partitions are of 256 MiB. AddressSanitizer's blocks have red zones, and large
    # ones are rounded up by an eighth.
    least = 0 if "thread" in upct.sanitizers else 12 if "address" in upct.sanitizers else 14
    assert gib > least, f"{gib} GiB"


@pytest.mark.host_only("limits of memory are also the emulator's")
@pytest.mark.no_sanitizers("they need terabytes of address space themselves")
def test_small_address_space_costs_heap_only(upct):
    program = behave(upct)

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    result = subprocess.run([program, "-n", "4", "fill-heap", "64"], preexec_fn=limit,
                            capture_output=True, text=True)
    assert (result.stderr, result.returncode) == ("", 0)
    assert int(result.stdout) > 500, f"{result.stdout} blocks of 64 KiB"


# errno.


def test_waiting_leaves_errno_alone(upct):
    source = upct.write("waits.upc", """
        #include <upc.h>
        #include <errno.h>
        #include <stdio.h>
        int main (void)
        {
          upc_lock_t *lock = upc_all_lock_alloc ();
          errno = ENOTTY;
          for (int i = 0; i < 5000; i++)
            {
              upc_lock (lock);
              upc_unlock (lock);
              upc_barrier;
            }
          if (errno != ENOTTY)
            perror ("a barrier");
          return 0;
        }
        """)
    result = upct.run([upct.compile(source)], THREADS=9)
    assert (result.returncode, result.stderr) == (0, "")
