"""gdb shows the copy of a private variable that the selected thread's UPC thread has, by its name."""

import re

import pytest

from privatize.common import COMPILERS, compile_object

pytestmark = pytest.mark.host_only("gdb cannot run programs in an emulator")

PROGRAM = """
#include <upc_stop.h>
int global = 100;
VOLATILE static struct { int a, b; } pair = { 1, 2 };
VOLATILE static char large[400000], *pointer = (char *) large + 3;
namespace_begin
VOLATILE static double number = 1.5;
namespace_end
int work (int me)
{
  static int inner = 7;
  inner += me;
  global += me;
  pair.b += me;
  large[399999] = me + 1;
  number += me;
  return stop (inner + *pointer + pair.a);
}
int main (void)
{
  return work (MYTHREAD + 1) & 0;
}
"""

STOP = """
extern int MYTHREAD, THREADS;
__attribute__ ((section ("upc_process"))) int upc_stopped;
__attribute__ ((noinline)) int reached (int x) { __asm__ volatile ("" : "+r" (x)); return x; }
static inline int stop (int x)
{
  /* The last one tells gdb; the others wait here for the end. */
  if (__atomic_add_fetch (&upc_stopped, 1, __ATOMIC_SEQ_CST) < THREADS)
    while (upc_stopped < 100)
      __asm__ volatile ("pause");
  x = reached (x);
  upc_stopped = 100;
  return x;
}
"""

WANTED = {"global": lambda i: 100 + i, "pair.b": lambda i: 2 + i, "large[399999]": lambda i: i + 1,
          "work::inner": lambda i: 7 + i, "number": lambda i: 1.5 + i}


def values(upct, program):
    """What gdb prints in each UPC thread: a list for each expression."""
    script = ["set debuginfod enabled off", "set max-value-size unlimited", "set print thread-events off", "break reached", "run"]
    script += [f'thread apply all -q printf "%d {name} = %g\\n", (int) MYTHREAD, (double) {name}' for name in WANTED]
    text = upct.run(["gdb", "-q", "-batch", "-nx", "-x", upct.write("commands", "\n".join(script + ["kill"]) + "\n"),
                     program], UPC_THREADS=3)
    found = re.findall(r"^(\d) (\S+) = (\S+)$", text.stdout, re.M)
    # The process's first thread, which waits for the others, comes last.
    return {(int(thread), name): float(value) for thread, name, value in reversed(found)}, \
        text.stdout + text.stderr


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc, version, level, link", [
    (cc, version, level, link) for cc in (*COMPILERS, "g++", "clang++") for version in (2, 3, 4, 5)
    for level, link in (("-O0", "-no-pie"), ("-O1", "-pie")) if version > 3 or link == "-pie"])
def test_each_thread_has_its_copy(upct, cc, version, level, link):
    upct.write("upc_stop.h", STOP)
    plus = cc.endswith("++")
    text = PROGRAM.replace("namespace_begin", "namespace {" if plus else "").replace("namespace_end", "}" if plus else "")
    include = 'extern "C" {\n#include "upc_stop.h"\n}' if plus else '#include "upc_stop.h"'
    source = upct.write("in.cc" if plus else "in.c",
                        text.replace("#include <upc_stop.h>", include))
    model = "-fPIE" if link == "-pie" else "-fno-pie"
    compiled = compile_object(upct, source, cc=cc, flags=["-DVOLATILE=volatile", level, f"-gdwarf-{version}", model])
    got, text = values(upct, upct.link(compiled, flags=[link]))
    for thread in range(3):
        for name, wanted in WANTED.items():
            assert got.get((thread, name)) == float(wanted(thread + 1)), f"{name} in thread {thread}\n{text}"


DEFINITIONS = """
struct record { int number; };
int defined = 100;
struct record records[3];
"""

HELPERS = """
#include <pthread.h>
extern int MYTHREAD, THREADS, defined;
struct record { int number; };
extern struct record records[];
__attribute__ ((section ("upc_process"))) int upc_begun, upc_done;
static int own = 7;
__attribute__ ((noinline)) void everyone_is_here (void) { __asm__ volatile ("" ::: "memory"); }
static void *help (void *unused)
{
  own++;
  __atomic_add_fetch (&upc_begun, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n (&upc_done, __ATOMIC_SEQ_CST))
    __asm__ volatile ("pause");
  return unused;
}
int main (void)
{
  pthread_t helper;
  defined += MYTHREAD;
  records[2].number = 10 * MYTHREAD;
  own = MYTHREAD;
  pthread_create (&helper, 0, help, 0);
  if (MYTHREAD == 0)
    {
      while (__atomic_load_n (&upc_begun, __ATOMIC_SEQ_CST) < THREADS)
        ;
      everyone_is_here ();
      upc_done = 1;
    }
  pthread_join (helper, 0);
  return 0;
}
"""


def gdb(upct, *words, script):
    path = upct.write("commands", "\n".join(["set debuginfod enabled off", "set print thread-events off", *script]) + "\n")
    # gdb writes all of the shared segment to a core file.
    result = upct.run(["gdb", "-q", "-batch", "-nx", "-x", path, *words], UPC_THREADS=3, UPC_SHARED_HEAP_SIZE="1M")
    return result.stdout + result.stderr


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc, version, link", [(cc, version, link) for cc in COMPILERS for version in (2, 4, 5)
                                               for link in ("-no-pie", "-pie")])
def test_helper_threads_and_core_files(upct, cc, version, link):
    """Also of what another file defines: a declaration must not hide it."""
    flags = [f"-gdwarf-{version}", "-O0", "-fPIE" if link == "-pie" else "-fno-pie"]
    objects = [compile_object(upct, upct.write(name + ".c", text), name + ".o", cc=cc, flags=flags)
               for name, text in (("helpers", HELPERS), ("definitions", DEFINITIONS))]
    program, core = upct.link(*objects, flags=[link]), upct.path("core")
    show = r'thread apply all -q printf "shown %d %d %d %d\n", MYTHREAD, defined, records[2].number, own'
    text = gdb(upct, program, script=["break everyone_is_here", "run", show, f"generate-core-file {core}", "kill"])
    # Each UPC thread and its helper, which has added 1.
    wanted = sorted(f"shown {i} {100 + i} {10 * i} {i + 1}" for i in (0, 0, 1, 1, 2, 2))
    assert sorted(re.findall(r"^shown .*", text, re.M)) == wanted, text
    text = gdb(upct, program, core, script=[show])
    assert sorted(re.findall(r"^shown .*", text, re.M)) == wanted, text


MEMBERS = """
extern "C" {
#include "upc_stop.h"
}
struct Counter { static int count; int used; };
int Counter::count = 5;
namespace space { extern int inside; int inside = 6; }
int main ()
{
  Counter::count += MYTHREAD;
  space::inside += MYTHREAD;
  stop (0);
  return 0;
}
"""


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc, version", [(cc, version) for cc in ("g++", "clang++") for version in (4, 5)])
def test_members_of_classes_and_namespaces(upct, cc, version):
    upct.write("upc_stop.h", STOP)
    compiled = compile_object(upct, upct.write("in.cc", MEMBERS), cc=cc, flags=[f"-gdwarf-{version}", "-O0", "-fPIE"])
    text = gdb(upct, upct.link(compiled, flags=["-pie"]), script=[
        "break reached", "run", r'thread apply all -q printf "shown %d %d\n", Counter::count, space::inside', "kill"])
    assert sorted(re.findall(r"^shown .*", text, re.M)) == [f"shown {5 + i} {6 + i}" for i in range(3)], text


ADDRESS, CONSTANT = 0x03, 0x0c  # DW_OP_addr, DW_OP_const4u

COMPUTED = """
int counter[4];
__asm__ (".section .debug_loclists,\\"\\",@progbits\\n.byte 3\\n.quad counter-17179869185\\n"
         ".byte 3\\n.quad counter+8\\n.byte 3\\n.quad counter-40\\n.previous");
int main (void) { return counter[0]; }
"""


def test_addresses_less_a_large_number_are_left(upct):
    """Compilers compute so with an index that a loop has; nothing is at the sum."""
    upct.write("computed.c", COMPUTED)
    for switch in "-no-pie", "-pie":
        upct.check_output([upct.tool("upcc"), switch, "-fpie" if switch == "-pie" else "-fno-pie", "computed.c", "-o", "computed"])
        text = upct.check_output(["readelf", "-x", ".debug_loclists", "computed"])
        start = bytes.fromhex("".join(line[13:48] for line in text.splitlines()[2:5]).replace(" ", ""))
        assert [start[at] for at in (0, 9, 18)] == [ADDRESS, CONSTANT, CONSTANT], text[:400]
