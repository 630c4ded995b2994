"""gdb shows the selected thread's copy of a private variable, by its name."""

import re

import pytest

from privatize.common import COMPILERS, compile_object

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
    (cc, version, level, link) for cc in (*COMPILERS, "g++", "clang++") for version in (4, 5)
    for level, link in (("-O0", "-no-pie"), ("-O1", "-pie"))])
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
