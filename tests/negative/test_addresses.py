"""Addresses of elements that are none, where nothing is accessed: what they are asked for is wrong, and -fupc-check tells."""

import re

import pytest


AFFINITIES = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
shared [2] int a[2 * THREADS];
shared [3] int m[4][3 * THREADS];
shared int b[100 * THREADS];
shared [] int own[5];
static volatile int total;
static int zeros[200];
int main (int argc, char **argv)
{
  int k = atoi (argv[1]), n = atoi (argv[2]), i;
  if (k == 0)
    upc_forall (i = 0; i < n; i++; &a[i])
      total += i;
  if (k == 1)
    upc_forall (i = n - 1; i >= 0; i--; &a[i])
      b[i] = i;
  if (k == 2)
    upc_forall (i = 0; i < n; i += 2; &m[i][0])
      b[i] = i;
  if (k == 3)
    upc_forall (i = 0; i < n; i++; &m[0][i])
      b[i] = i;
  if (k == 4)
    upc_forall (i = 0; i < n; i++; &a[zeros[i] + i])
      b[i] = i;
  if (k == 5)
    upc_forall (unsigned j = 0; j < n; j++; &a[j - 1])
      b[j] = j;
  if (k == 6)
    upc_forall (i = 0; i < n; i++; &own[i])
      b[i] = i;
  puts ("done");
  return 0;
}
"""

# By number of the loop and of its iterations: the index that its line tells, or nothing.
BEYOND = {(0, 6): None, (0, 7): None, (0, 8): (14, 7, "a"), (1, 7): None, (1, 9): (17, 8, "a"), (2, 5): None, (2, 6): None,
          (2, 7): (20, 6, "dimension 1"), (3, 10): None, (3, 11): (23, 10, "dimension 2"), (4, 7): None, (4, 9): (26, 7, "a"),
          (5, 3): (29, 4294967295, "a"), (6, 6): None, (6, 7): (32, 6, "own"), (0, 0): None}


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O2"), ("clang", "-O0 -fupc-pts=struct"), ("gcc", "-O1 -T 3")])
def test_affinities_beyond_the_array(upct, compiler, switches):
    """Nothing is accessed there, but the array says whose the iterations are. One past the end is an address."""
    upct.write("aff.upc", AFFINITIES)
    program = upct.compile("-g", "-fupc-check", *switches.split(), "aff.upc", UPCC_CC=compiler)
    for (loop, count), wrong in BEYOND.items():
        result = upct.run([program, loop, count], THREADS=3)
        if not wrong:
            assert (result.stderr, result.returncode) == ("", 0), (loop, count)
            continue
        line, index, name = wrong
        assert re.match(rf"aff\.upc:{line}: error: thread \d: index {index} is out of bounds of ", result.stderr), result.stderr
        assert name in result.stderr and result.returncode == 1


ADDRESSES = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
struct record { int x, v[3]; };
shared [2] int a[2 * THREADS];
shared [3] int m[4][3 * THREADS];
shared struct record r[THREADS];
shared [] int own[5];
int main (int argc, char **argv)
{
  int k = atoi (argv[1]), i = atoi (argv[2]);
  size_t sum = 0;
  switch (k)
    {
    case 0: sum += upc_threadof (&a[i]); break;
    case 1: sum += upc_phaseof (&a[i + 1]); break;
    case 2: sum += upc_addrfield ((shared void *) &m[1][i]); break;
    case 3: sum += upc_threadof (m[i]); break;
    case 4: sum += upc_threadof (upc_resetphase (&own[i])); break;
    case 5: sum += upc_threadof (&r[0].v[i]); break;
    case 6: for (int j = 0; j < i; j++) sum += upc_threadof (&a[j]); break;
    case 7: sum += upc_threadof (&r[i].x); break;
    case 8: sum += upc_threadof (&a[i++]) + i; break;
    case 9: upc_forall (int j = 0; j < i; j++; upc_threadof (&a[j])) sum++; break;
    }
  printf ("%s\\n", sum == 1000 ? "many" : "done");
  return 0;
}
"""

# By number of the case and its index: what is told, or nothing.
OPERANDS = {(0, 6): None, (0, 7): "index 7 is out of bounds of 'shared [2] int a[", (0, -1): "index -1 ",
            (1, 5): None, (1, 6): "index 7 ", (2, 9): None, (2, 10): "index 10 is out of bounds of dimension 2 of ", (3, 4): None,
            (3, 5): "index 5 is out of bounds of dimension 1 of ", (4, 5): None, (4, 6): "index 6 is out of bounds of 'shared [] int own[5]'",
            (5, 3): None, (5, 4): "index 4 is out of bounds of 'int v[3]'", (6, 7): None, (6, 8): "index 7 ", (7, 3): None,
            (7, 4): "index 4 is out of bounds of 'shared struct record r[", (8, 7): None, (9, 7): None, (9, 8): "index 7 "}


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O2"), ("clang", "-O0 -fupc-pts=struct"), ("gcc", "-O1 -T 3")])
def test_operands_beyond_the_array(upct, compiler, switches):
    """upc_threadof and its kin access nothing, but what they say of an element that is none is wrong."""
    upct.write("operands.upc", ADDRESSES)
    program = upct.compile("-g", "-fupc-check", *switches.split(), "operands.upc", UPCC_CC=compiler)
    first = 1 + ADDRESSES[:ADDRESSES.index("    case 0:")].count("\n")
    for (case, index), wrong in OPERANDS.items():
        result = upct.run([program, case, index], THREADS=3)
        if not wrong:
            assert (result.stdout, result.stderr, result.returncode) == (3 * "done\n", "", 0), (case, index)
        else:
            told = re.match(rf"operands\.upc:{first + case}: error: thread \d: (.*)", result.stderr)
            assert told and told[1].startswith(wrong) and result.returncode == 1, (case, index, result.stderr)
