"""How a run begins, goes on and ends, as its user sees it."""

import os
import resource
import signal
import subprocess
import time

from behave import behave, expect, run
from harness import case

KIB, MIB = 1 << 10, 1 << 20


def lines(*text):
    return "".join(line + "\n" for line in text)


# Arguments, environment, standard input and output.


@case
def switches_are_not_arguments(t):
    expect(t, "--", "arguments", "-n", "5", stdout=lines(*(f"{i}: arguments -n 5" for i in range(3))))
    expect(t, "arguments", "--", stdout=lines(*(f"{i}: arguments --" for i in range(3))))


@case
def each_thread_has_its_own_arguments(t):
    expect(t, "write-arguments", "xyz", "w",
           stdout=lines(*(f"{i}: write-arguments {c}yz {c}yz" for i, c in enumerate("abc"))))


@case
def environment_is_the_callers(t):
    expect(t, "environment", "UPCT_WORD", threads=1, stdout="a word\n", UPCT_WORD="a word")
    expect(t, "environment", "UPCT_WORD", threads=1, stdout="unset\n", UPCT_WORD=None)


@case
def thread_0_reads_standard_input(t):
    expect(t, "read-lines", stdin="one\ntwo\nthree\n", stdout="3 lines\n")
    expect(t, "read-lines", stdin="", stdout="0 lines\n")


@case
def closed_pipe_ends_every_thread(t):
    process = subprocess.Popen([behave(t), "-n", "4", "chatter"], stdout=subprocess.PIPE)
    t.equal(process.stdout.readline(), b"y\n")
    process.stdout.close()
    t.equal(process.wait(timeout=30), -signal.SIGPIPE)


@case
def threads_have_names(t):
    expect(t, "names", stdout=lines("behave", "upc 1", "upc 2"))


@case
def help_is_printed_without_a_run(t):
    result = t.run([behave(t), "-fupc-help"], THREADS=2)
    t.equal(result.returncode, 0)
    t.equal(result.stdout.splitlines()[0], "Usage: behave [switches] [--] [arguments]")
    for word in ("-fupc-threads-", "-fupc-heap-", "UPC_STACK_SIZE", "UPC_BIND", "UPC_THREADS", "UPC_CHECK"):
        t.check(word in result.stdout, f"{word} is not in the help")


@case(each=[(n, source) for n in (1, 5) for source in ("-n", "-fupc", "UPC_THREADS", "THREADS")])
def thread_count_is_as_asked_for(t, n, source):
    switches = {"-n": ["-n", n], "-fupc": [f"-fupc-threads-{n}"]}.get(source, [])
    environment = {} if switches else {source: n}
    t.equal(t.good([behave(t), *switches, "quick"], **environment), f"{n} threads\n")


@case
def default_thread_count_is_the_cpus_of_the_process(t):
    one = min(os.sched_getaffinity(0))
    t.equal(t.good(["taskset", "-c", one, behave(t), "quick"]), "1 threads\n")


@case
def as_many_threads_as_there_can_be(t):
    # A thread of the race detector costs some megabytes.
    threads = 256 if "thread" in t.sanitizers else 1024
    expect(t, "quick", threads=threads, stdout=f"{threads} threads\n")


@case
def threads_are_bound_to_cores_in_turn(t):
    result = run(t, "affinity", threads=4, UPC_BIND="core")
    t.equal(result.stderr, "")
    sets = result.stdout.split()
    t.equal(len(sets), 4)
    cpus = len(os.sched_getaffinity(0))
    for own in sets:
        t.check(cpus == 1 or "-" not in own and own != ",".join(map(str, range(cpus))),
                f"a thread may run on {own}")
    unbound = run(t, "affinity", threads=1, UPC_BIND="none").stdout
    t.check(cpus == 1 or unbound.strip() not in sets, "UPC_BIND=none binds")


# Stacks.


@case
def stack_size_is_honoured(t):
    # The detectors' frames are larger than the program's.
    expect(t, "deep", "6000", stdout="done\n")
    expect(t, "deep", "50000", stdout="done\n", UPC_STACK_SIZE="64M")
    expect(t, "broad", "60000", stdout="done 1\n", UPC_STACK_SIZE="64M")


@case
def small_stacks_are_enough_for_small_programs(t):
    expect(t, "quick", stdout="3 threads\n", UPC_STACK_SIZE="64K")


@case
def unlimited_stacks_are_large_ones(t):
    # The race detector replaces an unlimited stack by one of 32 MiB.
    kib = 20000 if "thread" in t.sanitizers else 100000
    result = t.run(["bash", "-c", f"ulimit -s unlimited && {behave(t)} -n 3 deep {kib}"])
    t.equal((result.stdout, result.stderr, result.returncode), ("done\n", "", 0))


# The end, when all goes well.


@case
def status_is_the_first_nonzero_one(t):
    for action in ("return", "exit"):
        expect(t, action, "0", "0", "0", status=0)
        expect(t, action, "0", "7", "9", status=7)
        expect(t, action, "5", "7", "9", status=5)
        expect(t, action, "0", "0", "1", status=1)
        expect(t, action, "0", "256", "3", status=3)
        expect(t, action, "-1", "0", "3", status=255)


@case
def exit_in_one_thread_waits_for_the_others(t):
    result = run(t, "exit-in-one", "1", "6")
    t.equal(sorted(result.stdout.splitlines()), ["0 went on", "2 went on"])
    t.equal(result.returncode, 6)
    expect(t, "upc-exit-in-one", "2", "8", status=8)


@case
def exit_handlers_are_each_threads_own(t):
    result = run(t, "exit-handlers")
    for i in range(3):
        t.equal([line for line in result.stdout.splitlines() if line.startswith(f"{i}:")],
                [f"{i}: status 0 of exit", f"{i}: second, run as 1", f"{i}: first, run as 2"])
    t.equal((result.stderr, result.returncode), ("", 0))


@case
def exit_handlers_may_register_and_exit(t):
    expect(t, "nested-exit-handlers", threads=1,
           stdout=lines("0: outer, run as 1", "0: first, run as 2"))
    expect(t, "exit-in-handler", threads=1, stdout="0: first, run as 1\n", status=7)


# The end, at once.


@case(each=[0, 2])
def global_exit_ends_threads_in_a_barrier(t, thread):
    expect(t, "global-exit", thread, "9", stdout="unflushed", status=9)


@case
def global_exit_from_all_threads(t):
    expect(t, "global-exit-everywhere", "11", threads=8, status=11)


@case
def global_exit_ends_a_read_of_standard_input(t):
    process = subprocess.Popen([behave(t), "-n", "3", "global-exit-while-reading", "1", "12"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        t.equal(process.wait(timeout=30), 12)
        t.equal(process.stdout.read(), b"partial")
        t.equal(process.stderr.read(), b"")
    finally:
        process.kill()
        process.communicate()


@case
def global_exit_ends_busy_threads(t):
    expect(t, "global-exit-while-busy", "1", "13", threads=4, status=13)
    expect(t, "global-exit-while-printing", "1", "14", threads=4, status=14)


@case
def global_exit_runs_no_handlers_of_threads(t):
    expect(t, "global-exit-with-handlers", status=4)


@case
def exit_in_a_thread_of_the_programs_own(t):
    expect(t, "foreign-exit", "6", status=6)


# Crashes and signals. A sanitizer reports the signals that it handles itself.


def expect_crash(t, *arguments, signal, line, frame="/fixtures/behave/", **options):
    result = run(t, *arguments, **options)
    if t.sanitizers:
        t.check(result.returncode != 0, "the run succeeds")
        t.check("Sanitizer" in result.stderr or line in result.stderr, result.stderr)
        return
    t.equal(result.returncode, -signal, "status")
    t.equal(result.stderr.splitlines()[0], line)
    t.check(frame in result.stderr, f"no frame '{frame}' in:\n{result.stderr}")


CRASHES = [
    ("abort", signal.SIGABRT, "behave: error: thread 1: Aborted"),
    ("segv", signal.SIGSEGV, "behave: error: thread 1: Segmentation fault: address 0x0"),
    ("fpe", signal.SIGFPE, "behave: error: thread 1: Floating point exception"),
    ("ill", signal.SIGILL, "behave: error: thread 1: Illegal instruction"),
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


@case(each=CRASHES)
def crash_names_thread_and_cause(t, how, number, line):
    expect_crash(t, "crash", "1", how, signal=number, line=line)


@case
def crash_of_all_threads_is_reported_once(t):
    result = run(t, "crash-everywhere", threads=4)
    t.check(result.returncode != 0, "the run succeeds")
    if not t.sanitizers:
        t.equal(result.stderr.count("error: thread"), 1)


@case(each=[(action, thread) for action in ("overflow", "overflow-in-strides") for thread in (0, 1)])
def stack_overflow_is_told_from_other_crashes(t, action, thread):
    expect_crash(t, action, thread, signal=signal.SIGSEGV, UPC_STACK_SIZE="8M",
                 line=f"behave: error: thread {thread}: stack overflow: "
                      "raise UPC_STACK_SIZE (now 8192 KiB) or ulimit -s")


@case
def crash_report_that_hangs_is_cut_off(t):
    # The backtrace needs locks that the crash may hold: here it waits for ever.
    source = t.write("hang.c", """
        #include <unistd.h>
        int backtrace (void **frames, int n)
        {
          (void) frames, (void) n;
          for (;;)
            pause ();
        }
        int main (void)
        {
          *(volatile int *) 8 = 1;
          return 0;
        }
        """)
    t.good(["gcc", "-c", source, "-o", t.path("hang.o")])
    program = t.link(t.path("hang.o"))
    begin = time.monotonic()
    result = t.run([program, "-n", "2"], timeout=60)
    t.check(result.returncode != 0, "the run succeeds")
    if not t.sanitizers:
        t.equal(result.returncode, -signal.SIGSEGV)
        t.check(time.monotonic() - begin > 5, "the backtrace was not asked for")


@case(each=[signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def other_signals_end_the_run_quietly(t, number):
    process = subprocess.Popen([behave(t), "-n", "3", "sleep"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    t.equal(process.stdout.readline(), b"ready\n")
    process.send_signal(number)
    _, stderr = process.communicate(timeout=30)
    t.equal((process.returncode, stderr), (-number, b""))


@case
def signal_from_outside_has_no_address(t):
    result = run(t, "raise", "1", int(signal.SIGSEGV))
    t.check(result.returncode != 0, "the run succeeds")
    if not t.sanitizers:
        t.equal(result.returncode, -signal.SIGSEGV)
        t.equal(result.stderr.splitlines()[0], "behave: error: thread 1: Segmentation fault")


# The heap's limit.


@case
def heap_limit_is_kept(t):
    blocks = int(run(t, "-fupc-heap-8M", "fill-heap", "64").stdout)
    t.check(80 <= blocks <= 128, f"{blocks} blocks of 64 KiB")
    blocks = int(run(t, "fill-heap", "64", UPC_SHARED_HEAP_SIZE="16M").stdout)
    t.check(160 <= blocks <= 256, f"{blocks} blocks of 64 KiB")


@case
def heap_is_as_large_as_its_partition_by_default(t):
    gib = int(run(t, "fill-heap", MIB // 8, threads=2).stdout) / 8
    # The race detector's partitions are of 256 MiB.
    t.check(gib > (0 if "thread" in t.sanitizers else 14), f"{gib} GiB")


@case
def small_address_space_costs_heap_only(t):
    if t.sanitizers:
        # They need terabytes of address space themselves.
        return
    program = behave(t)

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    result = subprocess.run([program, "-n", "4", "fill-heap", "64"], preexec_fn=limit,
                            capture_output=True, text=True, timeout=60)
    t.equal((result.stderr, result.returncode), ("", 0))
    t.check(int(result.stdout) > 500, f"{result.stdout} blocks of 64 KiB")
