"""What upcc -fupc-check says of elements that a loop loads once, before its strips, and of those here and there that
it finds by tables: each is checked, and only if there is an iteration."""

import re

import pytest

PROGRAM = """#include <upc_relaxed.h>
#include <stdlib.h>
shared [8] double a[8 * THREADS][8], b[8 * THREADS][8], c[8 * THREADS][8];
shared int cyclic[64 * THREADS], counts[64 * THREADS];

static __attribute__ ((noinline)) void
product (int i, int k, int n)
{
  for (int j = 0; j < n; j++)
    c[i][j] += a[i][k] * b[k][j];
}

static __attribute__ ((noinline)) void
by_pointer (int k, int n, shared [] double *x, shared [] double *y, shared [] double *p)
{
  for (int j = 0; j < n; j++)
    x[j] += p[k] * y[j];
}

static __attribute__ ((noinline)) void
scattered (int n, shared int *t, int *at)
{
  for (int j = 0; j < n; j++)
    t[at[j]]++;
}

static __attribute__ ((noinline)) void
counted (int n, int *at)
{
  for (int j = 0; j < n; j++)
    counts[at[j]] += cyclic[at[j]];
}

int
main (int argc, char **argv)
{
  int kind = atoi (argv[1]), n = atoi (argv[2]), at[4] = { 0, 1, 2, 3 };
  shared [] double *x = upc_alloc (80), *y = upc_alloc (80), *p = upc_alloc (80);
  shared int *t = upc_global_alloc (64 * THREADS, sizeof (int));

  if (MYTHREAD)
    return 0;
  if (kind == 6)
    upc_free (p);
  if (kind > 6)
    at[2] = kind > 8 ? -1 : 64 * THREADS;
  if (kind < 4)
    product (kind == 2 ? 8 * THREADS : 1, kind == 1 ? 8 : kind == 3 ? -1 : 2, n);
  if (kind == 0 || (kind > 3 && kind < 7))
    by_pointer (kind == 4 ? 10 : 1, n, kind == 5 ? NULL : x, kind == 5 ? NULL : y, kind == 5 ? NULL : p);
  if (kind == 0 || kind == 7 || kind == 9)
    scattered (n, t, at);
  if (kind == 0 || kind == 8 || kind == 10)
    counted (n, at);
  return 0;
}
"""

ERRORS = {
    1: r"10: error: thread 0: index 8 is out of bounds of dimension \d of 'shared \[8\] double [ab]\[",
    2: r"10: error: thread 0: index \d+ is out of bounds of dimension 1 of 'shared \[8\] double [ac]\[",
    3: r"10: error: thread 0: index -1 is out of bounds of dimension \d of 'shared \[8\] double [ab]\[",
    4: r"17: error: thread 0: access to p\[k\]: 8 bytes past the end of a block of 80 bytes that thread 0 allocated at before.upc:38 ",
    5: r"17: error: thread 0: access to [xyp]\[[jk]\]: a null pointer-to-shared",
    6: r"17: error: thread 0: access to p\[k\]: in a block of 80 bytes that thread 0 allocated at before.upc:38 by upc_alloc and thread 0 "
       r"freed at before.upc:44\n",
    7: r"24: error: thread 0: access to t\[at\[j\]\]: 4 bytes past the end of thread 0's piece of a block of 256 bytes per thread that",
    8: r"31: error: thread 0: index \d+ is out of bounds of 'shared int (cyclic|counts)\[",
    9: r"24: error: thread 0: access to t\[at\[j\]\]: 4 bytes before thread \d's piece of a block of 256 bytes per thread that",
    10: r"31: error: thread 0: index -1 is out of bounds of 'shared int (cyclic|counts)\[",
}


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O2"), ("clang", "-O2"), ("gcc", "-O3 -T 2"), ("clang", "-O1 -T 1"),
                                                ("gcc", "-O2 -fupc-pts=struct")])
def test_what_is_done_before_strips_is_checked(upct, compiler, switches):
    upct.write("before.upc", PROGRAM)
    program = upct.compile("-w", "-g", "-fupc-check", *switches.split(), "before.upc", UPCC_CC=compiler)
    threads = switches[-1] if "-T" in switches else 2
    upct.check_prints("", [program, 0, 4], THREADS=threads)
    for kind, text in ERRORS.items():
        upct.check_prints("", [program, kind, 0], THREADS=threads)
        result = upct.run([program, kind, 4], THREADS=threads)
        assert re.match("before.upc:" + text, result.stderr) and result.returncode == 1, (kind, result.stderr)
