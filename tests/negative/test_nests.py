"""Nests of loops that run without checks, in private copies or in place: only if all that they access is right."""

import os

import pytest

from support.upcc import links, needs_libraries

# Each nest goes through its elements often enough for copies.
NESTS = """#include <upc_relaxed.h>
#include <stdlib.h>
#define N 24
shared double a[N * THREADS][N], b[N * THREADS][N];
shared [LARGE] double c[N * THREADS][N];
int
main (int argc, char **argv)
{
  int rows = atoi (argv[2]), columns = atoi (argv[3]);
  shared [LARGE] double *heap = upc_all_alloc (N * N / LARGE, LARGE * sizeof *heap);
  shared [] double *own = upc_alloc (N * N * sizeof *own);
  double sum = 0;

  if (MYTHREAD == 0)
    switch (argv[1][0])
      {
      case 'a':
        for (int i = 0; i < rows; i++)
          for (int j = 0; j < columns; j++)
            for (int k = 0; k < N; k++)
              b[k][j] += a[i][k]; /* a */
        break;
      case 'b':
        for (int i = 0; i < rows; i++)
          for (int k = 0; k < N; k++)
            for (int j = 0; j < columns; j++)
              c[k][j] += a[i][k]; /* b */
        break;
      case 'h':
        for (int k = 0; k < N * N; k++)
          for (int j = 0; j < columns; j++)
            sum += heap[j] * a[k / N][0]; /* h */
        for (int i = 0; i < N; i++)
          for (int k = 0; k < N * rows; k++)
            sum += heap[k]; /* i */
        break;
      default:
        for (int i = 0; i < N; i++)
          for (int k = 0; k < N * rows; k++)
            own[k] += sum + b[i][0]; /* o */
        break;
      }
  return sum != 0;
}
"""


# A function's variables go there and back.
SUMS = """#include <upc_relaxed.h>
#include <stdlib.h>
#include <stdio.h>
shared [8] int a[64 * THREADS][64], b[64 * THREADS][64];
static int late;
static int
sums (int n, int *where, shared [8] int (*p)[64])
{
  int i, j = 0, sum = 0, last = 7;
  unsigned char few = 1;

  for (i = 0; i < n; i++)
    for (j = n - 1; j >= 0; j--)
      {
        sum += a[i][j] = (p[j][i] + few) % 5;
        few += 3;
        last = i * j > last ? i * j : last;
        late = i - j;
      }
  *where = last + few + i + j + late;
  return sum;
}
int
main (int argc, char **argv)
{
  int where, sum = sums (atoi (argv[1]), &where, b);

  if (MYTHREAD == 0)
    printf ("%d %d\\n", sum, where);
  return 0;
}
"""


def line_of(kind):
    return 1 + NESTS[:NESTS.index(f"/* {kind} */")].count("\n")


@pytest.mark.sample(3, plain=2)
@pytest.mark.parametrize("switches", ["-O2", "-O3", "-O1 -fupc-pts=struct", "-O2 -T4", "-O0"])
@pytest.mark.parametrize("block", [1, 4, 144])
def test_accesses_beyond_are_found(upct, switches, block):
    upct.write("nests.upc", NESTS)
    program = upct.compile("-g", "-fupc-check", f"-DLARGE={block}", *switches.split(), "nests.upc")
    layout = "" if block == 1 else f" [{block}]"
    for threads in [4] if "-T" in switches else [1, 2, 4]:
        rows, factor = 24 * threads, "96" if "-T" in switches else "24*THREADS"
        a, b = f"'shared double a[{factor}][24]'", f"'shared double b[{factor}][24]'"
        c = f"'shared{layout} double c[{factor}][24]'"
        own = "8 bytes past the end of a block of 4608 bytes that thread 0 allocated at nests.upc:11 by upc_alloc"
        heap = (f"thread 0's piece of a block of {4608 // threads} bytes per thread "
                "that thread 0 allocated at nests.upc:10 by upc_all_alloc")
        for kind, *most in [("a", rows, 24), ("b", rows, 24), ("h", 24, 24), ("o", 24, 24)]:
            upct.check_prints("", [program, kind, *most], THREADS=threads)
        for kind, one, two, line, text in [
                ("a", rows + 1, 24, "a", f"index {rows} is out of bounds of dimension 1 of {a} ({rows} elements)"),
                ("a", rows, 25, "a", f"index 24 is out of bounds of dimension 2 of {b} (24 elements)"),
                ("b", rows, 25, "b", f"index 24 is out of bounds of dimension 2 of {c} (24 elements)"),
                ("b", rows + 1, 24, "b", f"index {rows} is out of bounds of dimension 1 of {a} ({rows} elements)"),
                ("h", 24, 577, "h", "access to heap[j]: 8 bytes past the end of " + heap),
                ("h", 25, 24, "i", "access to heap[k]: 8 bytes past the end of " + heap),
                ("o", 25, 24, "o", f"access to own[k]: {own}")]:
            result = upct.run([program, kind, one, two], THREADS=threads)
            said = f"nests.upc:{line_of(line)}: error: thread 0: {text}\n"
            assert (result.stderr, result.returncode) == (said, 1), (kind, one, two, threads)


@pytest.mark.host_only("there are no sanitizers' libraries for other processors")
@pytest.mark.parametrize("switches", ["-O2", "-O3", "-O1 -fupc-pts=struct", "-O2 -T4", "-O2 -fsanitize=undefined"])
@pytest.mark.parametrize("block", [1, 144])
def test_accesses_beyond_are_found_by_address_sanitizer(upct, switches, block):
    needs_libraries(upct)
    upct.write("nests.upc", NESTS)
    program = links(upct, "-g", "-fsanitize=address", f"-DLARGE={block}", *switches.split(), "nests.upc", UPCC_CC="gcc")
    for threads in [4] if "-T" in switches else [1, 4]:
        rows = 24 * threads
        for kind, *most in [("a", rows, 24), ("b", rows, 24), ("h", 24, 24), ("o", 24, 24)]:
            upct.check_prints("", [program, kind, *most], THREADS=threads, ASAN_OPTIONS="detect_leaks=0")
        for kind, one, two, line in [("a", rows + 1, 24, "a"), ("b", rows + 1, 24, "b"), ("h", 24, 577, "h"), ("h", 25, 24, "i"),
                                     ("o", 25, 24, "o")]:
            result = upct.run([program, kind, one, two], THREADS=threads, ASAN_OPTIONS="detect_leaks=0")
            assert result.returncode != 0 and "AddressSanitizer" in result.stderr, (kind, one, two, threads)
            assert f"nests.upc:{line_of(line)}" in result.stderr, (kind, one, two, threads, result.stderr)


@pytest.mark.host_only("there are no sanitizers' libraries for other processors")
@pytest.mark.parametrize("switches", ["-O0", "-O2", "-O3 -fupc-pts=struct", "-O1"])
def test_functions_give_their_variables_back(upct, switches):
    needs_libraries(upct)
    upct.write("sums.upc", SUMS)
    program = links(upct, *switches.split(), "sums.upc", UPCC_CC="gcc")
    os.rename(program, upct.path("plain"))
    program = links(upct, "-fsanitize=address", *switches.split(), "sums.upc", UPCC_CC="gcc")
    for n in (0, 3, 15, 16, 64):
        for threads in (1, 3):
            upct.check_prints(upct.run([upct.path("plain"), n], THREADS=threads).stdout, [program, n], THREADS=threads)
