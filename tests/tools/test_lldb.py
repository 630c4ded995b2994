"""lldb with upct_lldb.py: pointers-to-shared in all commands, and upc-print for what they lead to."""

import glob
import os
import re
import shutil

import pytest

pytestmark = [pytest.mark.host_only("lldb cannot run programs in an emulator"),
              pytest.mark.no_sanitizers("LeakSanitizer cannot be debugged")]

PROGRAM = """#include <upc.h>
struct node { int value; shared struct node *next; };
shared int a[4 * THREADS];
shared [2] double b[3 * THREADS][2];
shared [] int all[3];
shared int *shared gp;
shared [] int *shared rows[THREADS];
shared struct node nodes[THREADS];

__attribute__ ((noinline)) int
stop (shared int *p, shared [] int *q, shared [2] double *r, shared struct node *n, shared int *none, int k)
{
  __asm__ volatile ("" : : "g" (&p), "g" (&q), "g" (&r), "g" (&n), "g" (&none), "g" (&k) : "memory");
  return *p + q[k] + *r + n->value;
}

int
main (void)
{
  shared [] int *q = rows[MYTHREAD] = upc_alloc (40);

  upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
    a[i] = 10 * i;
  for (int i = 0; i < 10; i++)
    q[i] = i * i;
  for (int i = 0; i < 3 * THREADS && MYTHREAD == 0; i++)
    b[i][1] = 2 + (b[i][0] = i + 0.5);
  nodes[MYTHREAD].value = 70 + MYTHREAD;
  nodes[MYTHREAD].next = &nodes[(MYTHREAD + 1) % THREADS];
  upc_barrier;
  if (MYTHREAD == 0)
    stop (&a[5], q, &b[1][1], &nodes[1], (void *) 0, 3);
  upc_barrier;
  return 0;
}
"""

SHOWN = {
    "a": "{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110}",
    "a[k + 4]": "70",
    "p": "<thread 2, phase 0, a[5]>",
    "*p": "50",
    "p[1]": "60",
    "*(p + 2)": "70",
    "p + 1": "<thread 0, phase 0, a[6]>",
    "*(a + 4)": "40",
    "q": "<thread 0, phase 0, block of 48 bytes>",
    "q + 5": "<thread 0, phase 0, block of 48 bytes + 20>",
    "q[k]": "9",
    "r": "<thread 1, phase 1, b[1][1]>",
    "*r": "3.5",
    "r[1]": "2.5",
    "b[2]": "{2.5, 4.5}",
    "&b[2][1]": "<thread 2, phase 1, b[2][1]>",
    "n->next->value": "72",
    "*n": "{value = 71, next = <thread 2, phase 0, nodes[2]>}",
    "nodes[2].next->value": "70",
    "none": "NULL",
    "gp": "NULL",
    "rows[0][k]": "9",
    "*(rows[0] + 4)": "16",
    "all": "{0, 0, 0}",
    "k": "3",
}
ERRORS = {"a[12]": "index 12 is out of bounds: the array has 12 elements", "*none": "the pointer-to-shared is null",
          "a[": "syntax", "nobody": "no value of 'nobody'"}


def lldb(upct, program, *commands):
    """What lldb says to COMMANDS where the program has called stop. Debian's says a wrong place of its own modules."""
    modules = glob.glob("/usr/lib/llvm-*/lib/python3*/*-packages")
    words = [word for command in commands for word in ("-o", command)]
    script = os.path.join(upct.build, "share", "lldb", "upct_lldb.py")
    return upct.run(["lldb", "-x", "-b", "-o", f"command script import {script}", "-o", "breakpoint set --name stop", "-o", "run",
                     *words, "-o", "process kill", program], THREADS=3, PYTHONPATH=":".join(modules))


@pytest.mark.skipif(not shutil.which("lldb"), reason="there is no lldb")
@pytest.mark.parametrize("switches", ["-O0", "-O1 -fupc-pts=struct"])
def test_shared_data(upct, switches):
    upct.write("prog.upc", PROGRAM)
    program = upct.compile("-g", *switches.split(), "prog.upc")
    said = lldb(upct, program, *(f"upc-print {expression}" for expression in SHOWN), "frame variable p")
    if "no process in launch" in said.stderr or "'A' packet returned an error" in said.stderr:
        pytest.skip("lldb may not start processes here")
    for expression, value in SHOWN.items():
        assert f"\n{expression} = {value}\n" in said.stdout, (expression, said.stdout, said.stderr)
    assert re.search(r"\(__upc_pts_shared_int\) p = <thread 2, phase 0, a\[5\]>", said.stdout)
    for expression, error in ERRORS.items() if switches == "-O0" else ():
        assert f"error: {error}" in lldb(upct, program, f"upc-print {expression}").stderr, expression


@pytest.mark.skipif(not shutil.which("lldb"), reason="there is no lldb")
def test_without_the_script_nothing_is_wrong(upct):
    upct.write("prog.upc", PROGRAM)
    program = upct.compile("-g", "prog.upc")
    said = upct.run(["lldb", "-x", "-b", "-o", "breakpoint set --name stop", "-o", "run", "-o", "print a", "-o", "print all",
                     "-o", "print a[5]", "-o", "process kill", program], THREADS=3)
    if "no process in launch" in said.stderr or "'A' packet returned an error" in said.stderr:
        pytest.skip("lldb may not start processes here")
    assert re.search(r"of_thread_0 = \(\[0\] = 0, \[1\] = 30, \[2\] = 60, \[3\] = 90\)", said.stdout), said.stdout
    assert re.search("type '(struct )?__upc_shared_a' does not provide a subscript operator", said.stderr), said.stderr
    assert re.search(r"\(int\[3\]\) \$\d+ = \(\[0\] = 0, \[1\] = 0, \[2\] = 0\)", said.stdout), said.stdout
