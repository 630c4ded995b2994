"""What a run says when it is asked for wrongly, and when a program uses the runtime
wrongly: one line, and a nonzero status."""

import os
import re
import resource
import shutil
import subprocess

import pytest

from support import ROOT, CommandFailed
from support.behave import behave, expect

pytestmark = pytest.mark.tsan

GIB = 1 << 30
# Nobody has this number, so nobody else's processes count.
LONELY_USER = 54321


def bad_usage(upct, line, *arguments, **environment):
    result = upct.run([behave(upct), *arguments], **environment)
    assert (result.stderr, result.stdout, result.returncode) == (f"behave: error: {line}\n", "", 2)


def not_threads(name, value):
    return f"invalid value '{value}' for {name}; expected a number from 1 to 1024"


@pytest.mark.parametrize("value", [v for v in ("0", "-1", "1025", "abc", "", "4x", " 4", "1e3", "9" * 30)])
def test_bad_thread_count(upct, value):
    bad_usage(upct, not_threads("THREADS", value), "quick", THREADS=value)
    bad_usage(upct, not_threads("UPC_THREADS", value), "quick", UPC_THREADS=value, THREADS=2)
    bad_usage(upct, not_threads("-n", value), "-n", value, "quick")
    bad_usage(upct, not_threads("-fupc-threads-", value), f"-fupc-threads-{value}", "quick")


def test_bad_switches(upct):
    bad_usage(upct, "missing argument to '-n'", "-n")
    bad_usage(upct, "invalid value 'socket' for UPC_BIND; expected none or core", "quick",
              UPC_BIND="socket")
    bad_usage(upct, "invalid value 'on' for UPC_CHECK; expected 0, 1, leaks or heap", "quick", UPC_CHECK="on")
    bad_usage(upct, "invalid value '1K' for UPC_STACK_SIZE; expected a size from 64K to 1024G", "quick",
              UPC_STACK_SIZE="1K")
    bad_usage(upct, "invalid value '64Q' for -fupc-heap-; expected a size such as 512K, 64M or 1.5G",
              "-fupc-heap-64Q", "quick")
    bad_usage(upct, "invalid value '' for UPC_SHARED_HEAP_SIZE; expected a size such as 512K, 64M or 1.5G",
              "quick", UPC_SHARED_HEAP_SIZE="")


def test_other_thread_count_than_compiled_in(upct):
    program = upct.link("layouts.O2.threads4.s")
    for arguments, environment, source, n in (
            (["-fupc-threads-5"], {}, "-fupc-threads-", 5),
            ([], {"UPC_THREADS": 8}, "UPC_THREADS", 8), ([], {"THREADS": 1}, "THREADS", 1)):
        result = upct.run([program, *arguments], **environment)
        assert result.stderr == (f"prog: error: {source} asks for {n} threads, " "but the program was compiled for 4\n")
        assert (result.stdout, result.returncode) == ("", 2)


def static_bytes(upct):
    """Of a program without static shared data: two pages as they are laid out for."""
    return 131072 if upct.target else 8192


def test_heap_larger_than_a_partition(upct):
    partition = GIB // 4 if "thread" in upct.sanitizers else 16 * GIB
    for size in (f"{partition}", "17G", "16777216K"):
        factor = {"K": 1 << 10, "G": GIB}.get(size[-1], 1)
        wanted = int(size.rstrip("KG")) * factor
        bad_usage(upct, f"a shared heap of {wanted} bytes per thread does not fit into a partition of "
                     f"{partition} bytes, of which static shared data takes {static_bytes(upct)}",
                  f"-fupc-heap-{size}", "-n", "2", "quick")
    bad_usage(upct, f"a shared heap of {20 * GIB} bytes per thread does not fit into a partition of "
                    f"{partition} bytes, of which static shared data takes {static_bytes(upct)}",
              "-n", "2", "quick", UPC_SHARED_HEAP_SIZE="20G", UPC_REQUIRE_SHARED_SIZE="yes")


def test_the_environment_may_ask_for_more_than_a_partition(upct):
    partition = GIB // 4 if "thread" in upct.sanitizers else 16 * GIB
    result = upct.run([behave(upct), "-n", "2", "quick"], UPC_SHARED_HEAP_SIZE="20GB")
    assert (result.returncode, result.stderr) == (0, f"behave: warning: thread 0: the shared heap has {partition - static_bytes(upct)} bytes "
                                                     f"per thread, not {20 * GIB}\n")


def limited(upct, mib, *arguments, **environment):
    """Runs with MIB of address space; returns (stdout, stderr, status)."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))

    result = subprocess.run([behave(upct), *arguments], preexec_fn=limit, capture_output=True,
                            text=True, env=environment)
    return result.stdout, result.stderr, result.returncode


@pytest.mark.host_only("limits of memory are also the emulator's")
@pytest.mark.no_sanitizers("their own reservations exceed any limit that would tell")
def test_reservation_refused(upct):
    assert limited(upct, 800, "-n", "4", "quick") == ("4 threads\n", "", 0)
    assert limited(upct, 32, "-n", "64", "quick") == ("", "behave: error: cannot reserve 512 KiB of address space for each of 64 threads: " "Cannot allocate memory\n", 2)
    assert limited(upct, 800, "-n", "4", "-fupc-heap-1G", "quick") == ("", "behave: error: cannot reserve 1048584 KiB of address space for each of 4 threads: " "Cannot allocate memory\n", 2)


@pytest.mark.host_only("limits of memory are also the emulator's")
@pytest.mark.no_sanitizers("their own reservations exceed any limit that would tell")
@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_too_little_memory_is_one_line(upct, limit):
    """Whatever there is: the run is right, or says in one line why there is none."""
    wrong = {}
    # Below, the kernel and the dynamic linker find no room themselves.
    for mib in range(10, 130, 2) if limit == "RLIMIT_AS" else range(5, 100, 2):
        for threads in 1, 4:
            result = subprocess.run(
                [behave(upct), "-n", str(threads), "allocate"], capture_output=True, text=True,
                preexec_fn=lambda: resource.setrlimit(getattr(resource, limit), (mib << 20, mib << 20)))
            said = result.stdout + result.stderr
            if not (result.returncode == 0 and said == f"{threads} threads\n"
                    or result.returncode in (1, 2) and ": error: " in said and said.count("\n") == 1):
                wrong[mib, threads] = result.returncode, said
    assert wrong == {}


@pytest.mark.host_only("limits of memory are also the emulator's")
@pytest.mark.no_sanitizers("their own reservations exceed any limit that would tell")
def test_stacks_refused(upct):
    assert limited(upct, 800, "-n", "3", "quick", UPC_STACK_SIZE="700M") == ("", "behave: error: thread 0: cannot start 3 threads, with a stack of 716800 KiB each: " "Cannot allocate memory\n", 1)


@pytest.mark.host_only("limits of memory are also the emulator's")
def test_thread_refused(upct):
    """A user who may have one process, and so one thread, more."""
    program = upct.path("behave")
    shutil.copy(behave(upct), program)
    os.chmod(upct.folder, 0o755)
    result = subprocess.run(
        [program, "-n", "3", "quick"], capture_output=True, text=True,
        user=LONELY_USER if os.getuid() == 0 else None, env={"UPC_STACK_SIZE": "1M"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1)))
    line = ("behave: error: thread 0: cannot start thread 1 of 3, with a stack of 1024 KiB: "
            "Resource temporarily unavailable\n")
    if upct.sanitizers:
        # They cannot start their own threads and processes either, and say so too.
        assert result.returncode != 0 and ("thread" in upct.sanitizers or line in result.stderr), (
            f"status {result.returncode}: {result.stderr}")
    else:
        assert (result.stdout, result.stderr, result.returncode) == ("", line, 1)


MISUSE = os.path.join(ROOT, "tests", "fixtures", "behave", "misuse.c")


def place(text, below=0):
    """"FILE:LINE" of the only line with the text, or of one below it."""
    with open(MISUSE) as f:
        numbers = [n for n, line in enumerate(f, 1) if text in line]
    if len(numbers) != 1:
        raise CommandFailed(f"{text}: in lines {numbers}")
    return f"{MISUSE}:{numbers[0] + below}"


LAST = "error: thread 1:"


def at_its_line(what, line):
    """The program was compiled with -g; a line that names another place stays."""
    return f"{place(f'(what, {chr(34)}{what}{chr(34)})', 1)}: {line}" if line.startswith(LAST) else line


@pytest.mark.parametrize("what, line", [
    ("unlock-free", f"{LAST} upc_unlock: no thread holds {{}}, allocated at {place('lock = upc_all_lock_alloc')} by upc_all_lock_alloc"),
    ("lock-twice", f"{LAST} upc_lock: this thread already holds {{}}, allocated at {place('lock = upc_all_lock_alloc')} by upc_all_lock_alloc"),
    ("lock-null", f"{LAST} upc_lock: a null pointer to a lock"),
    ("lock-freed", f"{LAST} upc_lock: the lock was freed; UPC_CHECK=1 tells where"),
    ("lock-free-twice", f"{LAST} upc_lock_free: the lock was freed; UPC_CHECK=1 tells where"),
    ("lock-block", f"{LAST} upc_lock: not a lock: byte 0 of a block"),
    ("notify-twice", f"{LAST} upc_notify twice without upc_wait between"),
    ("barrier-in-notify", "steps.upc:12: error: thread 1: upc_barrier between upc_notify and upc_wait"),
    ("alloc-in-notify", f"{LAST} upc_all_alloc between upc_notify and upc_wait"),
])
def test_misuse_is_named(upct, what, line):
    result = upct.run([behave(upct), "-n", 2, "misuse", what])
    said = re.sub("the lock at thread 0, offset 0x[0-9a-f]+", "{}", result.stderr)
    # A checked heap tells where.
    said = re.sub("was freed by thread .*", "was freed; UPC_CHECK=1 tells where", said)
    said = re.sub("byte 0 of a block of .*", "byte 0 of a block", said)
    assert (said, result.returncode) == (at_its_line(what, line) + "\n", 1)


NO_LOCK = """#include <upc.h>
shared int a[THREADS];

int
main (int argc, char **argv)
{
  shared [] char *block = upc_alloc (100);
  upc_lock_t *lock = argc > 1 ? (upc_lock_t *) (block + 64) : (upc_lock_t *) &a[0];

  upc_lock (lock);
  return 0;
}
"""


def test_what_is_no_lock_is_named(upct):
    upct.write("prog.upc", NO_LOCK)
    program = upct.compile("-g", "prog.upc")
    for words, what in ((), "a[0] (thread 0) of 'shared int a[THREADS]', declared at prog.upc:2"), \
                       (("block",), "byte 64 of a block of 100 bytes that thread 0 allocated at prog.upc:7 by upc_alloc"):
        result = upct.run([program, *words], THREADS=1, UPC_CHECK=1)
        assert (result.stderr, result.returncode) == (f"prog.upc:10: error: thread 0: upc_lock: not a lock: {what}\n", 1)


FREED_AT_ONCE = """#include <upc.h>

int
main (void)
{
  upc_lock_t *lock = upc_all_lock_alloc ();

  upc_barrier;
  upc_lock_free (lock);
  return 0;
}
"""


def test_a_lock_that_two_free_at_once_is_told_with_its_places(upct):
    upct.write("prog.upc", FREED_AT_ONCE)
    program = upct.compile("-g", "prog.upc")
    for _ in range(30):
        result = upct.run([program], THREADS=4, UPC_CHECK=1)
        assert re.fullmatch(r"prog\.upc:9: error: thread \d: upc_lock_free: the lock was freed by thread \d at prog\.upc:9; "
                            r"thread 0 allocated it at prog\.upc:6 by upc_all_lock_alloc\n", result.stderr), result.stderr
        assert result.returncode == 1


NOTIFIED = """#include <upc.h>
int
main (int argc, char **argv)
{
  upc_notify;
  upc_wait;
  if (MYTHREAD == 1 || argc > 1)
    upc_notify;
  return 0;
}
"""


@pytest.mark.parametrize("switch, environment, is_told", [("-O1", {"UPC_CHECK": "1"}, True), ("-fupc-check", {}, True), ("-O1", {}, False)])
def test_a_run_does_not_end_between_notify_and_wait(upct, switch, environment, is_told):
    upct.write("end.upc", NOTIFIED)
    program = upct.compile("-g", switch, "end.upc", output="end")
    for arguments, told in ([], [1]), (["both"], [0, 1, 2]):
        result = upct.run([program, *arguments], THREADS=3, **environment)
        lines = [f"end: error: thread {t}: upc_notify at end.upc:8 in main without upc_wait at the end\n" for t in told if is_told]
        assert (result.stderr, result.returncode) == ("".join(lines), int(is_told))


@pytest.mark.parametrize("what, begin", [
    ("free-twice", f"{LAST} upc_free: block already freed: thread 1, offset 0x"),
    ("free-inside", f"{LAST} upc_free: not the start of a block in the shared heap: byte 16 of a block of up to "),
    ("free-phase", "words.upc:7: error: thread 1: upc_free: phase 3 is not that of the start of a block: byte 0 of a block of "),
    ("free-static", f"{LAST} upc_free: not the start of a block in the shared heap: thread 0, offset 0x1000"),
])
def test_wrong_free_names_the_block(upct, what, begin):
    # A checked heap knows the object: tests/negative/test_memory.py.
    begin = re.split(": thread [01], offset| of up to ", begin)[0] if "address" in upct.sanitizers else begin
    result = upct.run([behave(upct), "-n", 2, "misuse", what])
    assert result.stderr.startswith(at_its_line(what, begin)) and result.stderr.count("\n") == 1
    assert result.returncode == 1


@pytest.mark.parametrize("what, text, line", [
    ("alloc-mismatch", "? 16 : 32", "upc_all_alloc (8, 32), but thread 0 calls upc_all_alloc (8, 16)"),
    ("free-mismatch", "? a : b", "upc_all_free: not the same pointer as on thread 0"),
    ("collective-mismatch", "    upc_all_lock_alloc ();", "upc_all_lock_alloc, but thread 0 calls upc_all_free"),
])
def test_collective_calls_that_differ(upct, what, text, line):
    expect(upct, what, threads=2, stderr=f"{place(text)}: {LAST} {line}\n", status=1)


def test_barrier_ids_that_differ(upct):
    result = upct.run([behave(upct), "-n", 2, "barrier-mismatch"])
    assert result.stderr in [f"steps.upc:{30 + i}: error: thread {i}: upc_barrier: the ids differ: "
                             "thread 0 gave 1 at steps.upc:30, thread 1 gave 2 at steps.upc:31\n" for i in (0, 1)]
    assert result.returncode == 1


LIBRARY = """
#include <upc.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <gasnet_coll.h>
#include <stdlib.h>

shared int a[THREADS], b[THREADS];
shared [] int *null;

static void
misuse (int number, upc_lock_t *lock, upc_atomicdomain_t *domain, int one)
{
  if (MYTHREAD == 0)
    upc_lock (lock);
  upc_barrier;
  if (MYTHREAD != 1)
    upc_barrier;
  switch (number)
    {
CALLS
    }
}

int
main (int argc, char **argv)
{
  upc_lock_t *lock = upc_all_lock_alloc ();
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (UPC_INT, UPC_ADD, 0);

  misuse (atoi (argv[1]), lock, domain, 1);
  return 0;
}
"""
CALLS = [
    ("upc_unlock (lock)", "upc_unlock: thread 0 holds the lock at thread 0, offset 0x"),
    ("upc_lock ((upc_lock_t *) null)", "upc_lock: a null pointer to a lock"),
    ("upc_wait", "upc_wait without upc_notify"),
    ("upc_all_broadcast (a, null, 1, 0)", "upc_all_broadcast: src is a null pointer"),
    ("upc_all_reduceI (a, b, 3, 1, 1, 0, 0)", "upc_all_reduceI: invalid operation for this type: 0x3"),
    ("upc_all_prefix_reduceI (a, b, UPC_FUNC, 1, 1, 0, 0)", "upc_all_prefix_reduceI: func is null"),
    ("upc_all_sort (a, 4, THREADS, 1, 0, 0)", "upc_all_sort: func is null"),
    ("upc_atomic_relaxed (domain, 0, UPC_SUB, a, &one, 0)",
     "upc_atomic_relaxed: the domain was allocated without UPC_SUB"),
    ("upc_sync ((upc_handle_t) lock)", "upc_sync: invalid handle: 0x"),
    ("upc_thread_info (THREADS)", "upc_thread_info: invalid thread 2; THREADS is 2"),
    ("gasnet_coll_team_image (0, THREADS)", "gasnet_coll_team_image: image 2 of 2"),
]


# The line of the call, however the compiler has woven it in; the program's name without debug
# information.
@pytest.mark.parametrize("switches", ["-g -O0", "-g -O2", "-g -O3 -fupc-pts=struct", "-O2"])
def test_errors_name_the_line_of_the_call(upct, switches):
    first = LIBRARY.split("CALLS")[0].count("\n") + 1
    text = "".join(f"    case {i}: {call}; break;\n" for i, (call, _) in enumerate(CALLS))
    source, program = upct.write("calls.upc", LIBRARY.replace("CALLS\n", text)), upct.path("calls")
    upct.check_output([upct.tool("upcc"), "-w", *switches.split(), source, "-o", program])
    for i, (call, line) in enumerate(CALLS):
        at = f"{source}:{first + i}" if "-g" in switches else "calls"
        result = upct.run([program, "-n", 2, i])
        assert result.stderr.startswith(f"{at}: error: thread 1: {line}") and result.stderr.count("\n") == 1, (
            f"{call}: {result.stderr}")
        assert (result.stdout, result.returncode) == ("", 1), call


TARGETS = """
#include <upc.h>
#include <upc_atomic.h>
#include <stdlib.h>

shared int i;
shared unsigned u;
shared [] long l[2];
strict shared double d;
shared char c[THREADS];
shared [] int *shared p;

int
main (int argc, char **argv)
{
  static const upc_type_t types[] = { UPC_INT32, UPC_INT64, UPC_DOUBLE, UPC_PTS };
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (types[atoi (argv[1])], UPC_GET, 0);
  long fetched[2];

  switch (argv[2][0])
    {
    case 'i': upc_atomic_relaxed (domain, fetched, UPC_GET, &i, 0, 0); break;
    case 'u': upc_atomic_strict (domain, fetched, UPC_GET, &u, 0, 0); break;
    case 'l': upc_atomic_relaxed (domain, fetched, UPC_GET, &l[1], 0, 0); break;
    case 'd': upc_atomic_strict (domain, fetched, UPC_GET, &d, 0, 0); break;
    case 'c': upc_atomic_relaxed (domain, fetched, UPC_GET, c, 0, 0); break;
    case 'p': upc_atomic_relaxed (domain, fetched, UPC_GET, &p, 0, 0); break;
    }
  return 0;
}
"""
C_NAMES = {"i": "int", "u": "unsigned int", "l": "long", "d": "double", "c": "char"}


# Which targets a domain is for; with UPC_CHECK=1 signed and unsigned are told apart.
@pytest.mark.parametrize("switch", ["-O0", "-O2"])
def test_atomic_target_of_another_type(upct, switch):
    program = upct.compile("-w", switch, upct.write("targets.upc", TARGETS), output="targets")
    for number, (right, right_without_check, its) in enumerate([
            ("i", "iu", "int"), ("l", "l", "long"), ("d", "d", "double"), ("", "", "a pointer-to-shared")]):
        for check, good in ((1, right), (0, right_without_check)):
            for target in "iuldcp":
                result = upct.run([program, "-n", 1, number, target], UPC_CHECK=check)
                line = "" if target in good + "p" else (
                    f"targets: error: thread 0: upc_atomic_{'strict' if target in 'ud' else 'relaxed'}: "
                    f"the target is of type {C_NAMES[target]}, but the domain for {its}\n")
                assert (result.stderr, result.returncode) == (line, 1 if line else 0), f"{target} for {its}"


UNALIGNED = """#include <upc.h>
#include <upc_atomic.h>
#include <stdint.h>
shared [] char bytes[64];

int
main (int argc, char **argv)
{
  upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc (UPC_INT64, UPC_ADD, 0);
  int64_t one = 1;

  upc_atomic_strict (domain, NULL, UPC_ADD, (shared void *) (bytes + 8), &one, NULL);
  upc_atomic_strict (domain, NULL, UPC_ADD, (shared void *) (bytes + 11), &one, NULL);
  return 0;
}
"""


def test_atomic_target_without_alignment(upct):
    program = upct.compile("-w", upct.write("unaligned.upc", UNALIGNED), output="unaligned")
    result = upct.run([program, "-n", 1], UPC_CHECK=1)
    assert (result.stderr, result.returncode) == (
        "unaligned: error: thread 0: upc_atomic_strict: the target is not aligned for UPC_LONG: bytes[11] (thread 0, phase 11) "
        f"of 'shared [] char bytes[64]', declared at {upct.path('unaligned.upc')}:4\n", 1)


@pytest.mark.host_only("limits of memory are also the emulator's")
@pytest.mark.no_sanitizers("their allocators need the memory that is denied")
def test_no_memory_is_a_null_pointer(upct):
    result = subprocess.run(
        [behave(upct), "-n", "2", "fill-heap", "64"], capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20)))
    assert (result.stderr, result.returncode) == ("", 0)
    assert 0 < int(result.stdout) < 1024, f"{result.stdout} blocks of 64 KiB in 64 MiB"
