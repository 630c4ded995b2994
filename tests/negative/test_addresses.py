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
            (7, 4): "index 4 is out of bounds of 'shared struct record r[", (8, 6): None, (8, 7): "index 7 ", (9, 7): None, (9, 8): "index 7 "}


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


STORED = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
struct record { int x, v[3]; struct { short q[2][5]; } in[2]; };
shared [2] int a[2 * THREADS];
shared [3] int m[4][3 * THREADS];
shared struct record r[THREADS];
shared [] int own[5];
shared [] int *o;
shared void *any;
static void keep (shared [2] int *p) { any = p; }
int main (int argc, char **argv)
{
  int k = atoi (argv[1]), i = atoi (argv[2]);
  switch (k)
    {
    case 0: any = &a[i]; break;
    case 1: any = &m[i][1]; break;
    case 2: any = &m[1][i]; break;
    case 3: any = m[i]; break;
    case 4: any = &r[i].x; break;
    case 5: any = &r[0].v[i]; break;
    case 6: any = &r[i].in[0].q[1][0]; break;
    case 7: any = &r[0].in[i].q[1][0]; break;
    case 8: any = &r[0].in[1].q[1][i]; break;
    case 9: if (&own[i] == o) puts ("equal"); break;
    case 10: if (&own[i] - own == 100) puts ("far"); break;
    case 11: for (int j = 0; j < i; j++) o = &own[j]; break;
    case 12: keep (&a[i]); break;
    case 13: o = &own[i--]; break;
    case 14: for (shared [] int *p = own; p < &own[i]; p++) *p = 1; break;
    case 15: { shared struct record *p = r; any = &p->v[i]; } break;
    case 16: upc_forall (int j = 50; j < i; j++; &r[j].x) a[0]++; break;
    case 17: upc_forall (int j = 0; j < i; j += 100; &r[j].x) a[0]++; break;
    case 18: upc_forall (int j = 0; j < i; j++; &r[j].v[0]) a[0]++; break;
    case 19: for (int j = 0; j < 4; j++) if (i < 5) own[j] += ((shared [] int *) &own[i])[0]; break;
    case 20: if (i > 0) any = &m[2][-1]; break;
    case 21: if (i > 0) upc_forall (int j = 0; j < 4; j++; &m[99][j]) a[0]++; break;
    }
  return 0;
}
"""

# By number of the case: the greatest index that nothing is told of, or NEVER, and the array that others are told of.
NEVER = 60
KEPT = {0: (6, "'shared [2] int a["), 1: (4, "dimension 1 of 'shared [3] int m["), 2: (9, "dimension 2 of 'shared [3] int m["),
        3: (4, "dimension 1 of"), 4: (3, "'shared struct record r["), 5: (3, "'int v[3]'"), 6: (3, "'shared struct record r["), 7: (2, " in[2]'"),
        8: (5, "dimension 2 of 'short q[2][5]'"), 9: (5, "'shared [] int own[5]'"), 10: (5, "'shared [] int own[5]'"),
        11: (6, "'shared [] int own[5]'"), 12: (6, "'shared [2] int a["), 13: (5, "'shared [] int own[5]'"),
        14: (5, "'shared [] int own[5]'"), 15: (3, "'int v[3]'"), 16: (50, "'shared struct record r["), 17: (NEVER, ""),
        18: (4, "'shared struct record r["), 19: (NEVER, ""), 20: (0, "dimension 2 of 'shared [3] int m["),
        21: (0, "dimension 1 of 'shared [3] int m[")}


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O2"), ("clang", "-O0 -fupc-pts=struct"), ("gcc", "-O1 -T 3")])
def test_addresses_beyond_the_array(upct, compiler, switches):
    """C lets no address be beyond the one past the end (C11, 6.5.6), whatever is done with it."""
    upct.write("kept.upc", STORED)
    program = upct.compile("-g", "-w", "-fupc-check", *switches.split(), "kept.upc", UPCC_CC=compiler)
    first = 1 + STORED[:STORED.index("    case 0:")].count("\n")
    for case, (most, array) in KEPT.items():
        upct.check_prints("", [program, case, most], THREADS=3)
        if most == NEVER:
            continue
        result = upct.run([program, case, most + 1], THREADS=3)
        assert re.match(rf"kept\.upc:{first + case}: error: thread \d: index -?\d+ is out of bounds of ", result.stderr), (case, result.stderr)
        assert array in result.stderr and result.returncode == 1, (case, result.stderr)
