"""What 64-bit ARM has that x86-64 has not: pages of several sizes, a counter with a frequency of its own, and
debuggers for another processor. Programs are made here and run in qemu."""

import glob
import os
import re
import shutil

import pytest

from support import ROOT
from tools.test_cross import TARGET, arm  # noqa: F401

pytestmark = [
    pytest.mark.no_sanitizers("they are not built for another processor"),
    pytest.mark.host_only("it chooses the processor itself"),
]

PAGES = """
#include <upc.h>
#include <stdlib.h>
#include <unistd.h>
static char data[200000] = { 1 }, zeros[300000];
static int *where = (int *) &data[199996];
shared [] char *shared first[THREADS];
int
main (int argc, char **argv)
{
  shared [] char *p = upc_alloc (100000);
  shared char *all = upc_all_alloc (THREADS, 50000), *global = upc_global_alloc (2, 70000);
  if (sysconf (_SC_PAGESIZE) != atol (argv[1]))
    abort ();
  for (int i = 0; i < 100000; i += 1000)
    p[i] = i;
  first[MYTHREAD] = p;
  *where += MYTHREAD;
  zeros[299999] = MYTHREAD;
  upc_barrier;
  shared [] char *q = first[(MYTHREAD + 1) % THREADS];
  for (int i = 0; i < 100000; i += 1000)
    if (q[i] != (char) i)
      abort ();
  if (*where != MYTHREAD || zeros[299999] != MYTHREAD || data[0] != 1)
    abort ();
  upc_free (global);
  upc_barrier;
  upc_free (p);
  upc_all_free (all);
  for (int i = 0; i < 300; i++)
    upc_free (upc_alloc (1 + i * 1000));
  return 0;
}
"""


@pytest.mark.parametrize("flags", ["-O2", "-O0 -g -fupc-check", "-O2 -static", "-O2 -fPIE -pie"])
def test_pages(arm, flags):  # noqa: F811
    arm.write("pages.upc", PAGES)
    program = arm.compile(*flags.split(), "pages.upc", cwd=arm.folder)
    for size in (4096, 16384, 65536):
        for threads in (1, 3):
            arm.check_prints("", ["qemu-aarch64", "-p", size, program, size], THREADS=threads)


STRICT = """
#include <upc.h>
#include <upc_atomic.h>
#include <bupc_extensions.h>
strict shared long x;
shared long y;
void store (long n) { x = n; }
void update (long n) { x += n; }
long step (void) { return x++; }
void set (long n) { bupc_atomicL_set_strict (&y, n); }
long fetch (long n) { return bupc_atomicL_fetchadd_strict (&y, n); }
long swap (long n) { return bupc_atomicL_cswap_strict (&y, n, 1); }
void standard_set (upc_atomicdomain_t *d, long n) { upc_atomic_strict (d, 0, UPC_SET, &y, &n, 0); }
void standard_add (upc_atomicdomain_t *d, long n) { upc_atomic_strict (d, 0, UPC_ADD, &y, &n, 0); }
"""


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_nothing_passes_a_strict_store(arm, cc):  # noqa: F811
    """A store-release, and an atomic operation, let what is behind them come before them: a fence stands between."""
    arm.write("strict.upc", STRICT)
    arm.check_output([arm.tool("upcc"), "-O2", "-S", "strict.upc", "-o", "strict.s"], UPCC_CC=cc)
    with open(arm.path("strict.s")) as file:
        functions = dict(re.findall(r"^(\w+):(.*?)^\t\.size\t\1,", file.read(), re.M | re.S))
    for name in re.findall(r"(\w+) \([^)]*\) \{", STRICT):
        orders = re.findall(r"^\t(stlr|dmb|(?:bl|b)\t(?=__aarch64_)|ldadd|swp|cas|stlxr)", functions[name], re.M)
        assert orders[-1] == "dmb" and len(orders) > 1, f"{name}: {functions[name]}"


COUNTER = r"""
#include <fcntl.h>
#include <stdio.h>
#define open(path, flags) open ("clocksource", flags)
#include "runtime/host/ticks.c"
static unsigned long
read_register (int is_frequency)
{
  unsigned long value;
  if (is_frequency)
    __asm__ ("mrs %0, cntfrq_el0" : "=r" (value));
  else
    __asm__ volatile ("isb; mrs %0, cntvct_el0" : "=r" (value));
  return value;
}
int
main (void)
{
  unsigned long before = read_register (0), ticks = upcr_ticks_now (), after = read_register (0), last = ticks;
  unsigned long second = upcr_ticks_to_ns (read_register (1));
  if (ticks < before || ticks > after)
    return 1;
  for (int i = 0; i < 10000; i++, last = ticks)
    if ((ticks = upcr_ticks_now ()) < last)
      return 2;
  printf ("%lu\n", second);
  return 0;
}
"""


def test_ticks_are_the_virtual_counter(arm):  # noqa: F811
    """As where the kernel's clock is that, too: it counts what its frequency says, in a second."""
    arm.write("clocksource", "arch_sys_counter\n")
    source = arm.write("ticks.c", COUNTER)
    program = arm.path("ticks")
    arm.check_output([f"{TARGET}-gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", f"-I{ROOT}", f"-I{ROOT}/include", source, "-o", program])
    second = int(arm.check_output([program], cwd=arm.folder))
    assert abs(second - 1e9) < 1e6, "nanoseconds of a second by the counter's frequency"


CORE = """
#include <upc.h>
shared int counts[4 * THREADS];
static int mine;
int
main (void)
{
  volatile int *volatile nowhere = 0;
  mine = MYTHREAD + 100;
  counts[MYTHREAD] = MYTHREAD + 7;
  upc_barrier;
  if (MYTHREAD == 1)
    *nowhere = 1;
  upc_barrier;
  return 0;
}
"""


@pytest.mark.skipif(not shutil.which("gdb-multiarch"), reason="gdb-multiarch is not installed")
def test_core_files(arm):  # noqa: F811
    arm.write("core.upc", CORE)
    program = arm.compile("-g", "core.upc", cwd=arm.folder)
    result = arm.run(["bash", "-c", f"ulimit -c unlimited && {program}"], cwd=arm.folder, THREADS=3)
    assert "thread 1: Segmentation fault" in result.stderr
    core, = glob.glob(arm.path("*.core"))
    commands = ["thread apply all print MYTHREAD", "print mine", "print counts[2]", "thread 3", "backtrace"]
    words = [word for command in commands for word in ("-ex", command)]
    said = arm.run(["gdb-multiarch", "-nx", "-batch", "-iex", f"set auto-load safe-path {os.path.dirname(arm.build)}", "-iex",
                    f"set sysroot /usr/{TARGET}", *words, program, core]).stdout.splitlines()
    values = [line.split(" = ")[1] for line in said if line.startswith("$")]
    assert sorted(values[:3]) == ["0", "1", "2"] and values[3:] == ["101", "9"], said
    assert "main () at core.upc:14" in said[-1]


EXCEPTIONS = r"""
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
extern "C" int MYTHREAD;
static int depth, counter = 3;
static std::map<std::string, int> table;
static thread_local int own = 7;
int never_used[1000] = { 1 };
void never_called () { never_used[3]++; }
struct guard { guard () { counter++; } ~guard () { counter--; depth--; } };
static int
dive (int n)
{
  guard here;
  depth++;
  if (n == 0)
    throw std::runtime_error (std::to_string (depth) + " deep, " + std::to_string (counter));
  return dive (n - 1) + counter;
}
static int &first () { static int value = counter * 10; return value; }
int
main ()
{
  for (int i = 0; i < 3 + MYTHREAD; i++)
    try { dive (5 + MYTHREAD); }
    catch (const std::exception &e) { table[e.what ()]++, own++, first ()++; }
  std::string text = std::to_string (MYTHREAD) + ":";
  for (auto &row : table)
    text += " " + row.first + " x" + std::to_string (row.second);
  printf ("%s, %d %d %d %d\n", text.c_str (), depth, counter, own, first ());
  return 0;
}
"""


@pytest.mark.parametrize("cc, flags, link", [
    ("g++", "-O0 -g", ""), ("g++", "-O2 -ffunction-sections -fdata-sections", "-Wl,--gc-sections"),
    ("g++", "-O2 -fPIE -mbranch-protection=standard", "-pie"), ("g++", "-O1 -mcmodel=large -fno-pic", "-static"),
    ("clang++", "-O2 -ffunction-sections -fdata-sections", "-Wl,--gc-sections"), ("clang++", "-O1 -fPIE -g", "-pie")])
def test_exceptions_of_cxx(arm, cc, flags, link):  # noqa: F811
    """Unwinding through code that was moved, constructors of each thread, and sections that nothing needs."""
    arm.write("deep.cc", EXCEPTIONS)
    arm.check_output([cc, *flags.split(), "-c", "deep.cc"], cwd=arm.folder)
    arm.check_output([arm.tool("upcc"), *link.split(), "deep.o", "-lstdc++", "-o", "deep"], cwd=arm.folder)
    lines = sorted(arm.check_output([arm.path("deep")], THREADS=2).splitlines())
    assert lines == ["0: 6 deep, 9 x3, 0 3 10 33", "1: 7 deep, 10 x4, 0 3 11 34"]
    if "gc-sections" in link:
        assert not re.search(r" never_used$", arm.check_output(["nm", arm.path("deep")]), re.M)


RACE = """
#include <upc.h>
shared int counts[4 * THREADS];
static int mine;
int
main (int argc, char **argv)
{
  mine = MYTHREAD;
  counts[MYTHREAD] = mine;
  upc_barrier;
  if (argc > 1)
    counts[0]++;
  return counts[(MYTHREAD + 1) % THREADS] + mine < 0;
}
"""


def sanitized(arm, name):  # noqa: F811
    if not os.path.exists(os.path.join(arm.build, "lib", "upct", TARGET, name, "libupc.a")):
        pytest.skip(f"no libraries for -fsanitize={name} on arm64: scons all makes them")
    arm.write("race.upc", RACE)
    return arm.compile("-g", f"-fsanitize={name}", "race.upc", cwd=arm.folder)


def test_thread_sanitizer(arm):  # noqa: F811
    """It starts programs once more without random addresses, which the emulator cannot do."""
    command = ["setarch", "-R", "qemu-aarch64", sanitized(arm, "thread")]
    arm.check_prints("", command, THREADS=3, UPC_SHARED_HEAP_SIZE="8M")
    result = arm.run([*command, "race"], THREADS=3, UPC_SHARED_HEAP_SIZE="8M")
    assert "WARNING: ThreadSanitizer: data race" in result.stderr and "race.upc:12" in result.stderr
    result = arm.run(command, THREADS=1000, UPC_SHARED_HEAP_SIZE="8M")
    assert (result.returncode, result.stderr) == (2, (
        "prog: error: the sanitizer leaves memory for shared data of 142 threads, not 1000: the kernel, or the emulator, "
        "has addresses up to 0x8000000000\n"))


def test_address_sanitizer(arm):  # noqa: F811
    """A program is made; the emulator has no room for what watches its shared data."""
    result = arm.run([sanitized(arm, "address")], THREADS=2, ASAN_OPTIONS="detect_leaks=0")
    assert (result.returncode, result.stderr) == (2, (
        "prog: error: the sanitizer leaves memory for shared data of 0 threads, not 2: the kernel, or the emulator, "
        "has addresses up to 0x8000000000\n"))
