"""C23: its keywords are names before it, and upc2c knows what they mean."""

import os

import pytest

from support import ROOT

NAMES = """
int bool, true, false, nullptr, constexpr, alignas, alignof, thread_local, static_assert, typeof_unqual;
int f (int auto_) { auto int x = auto_; return x + bool + true + nullptr + constexpr; }
"""

# What the compilers here know with -std=c2x.
PROGRAM = """
#include <upc.h>
#include <stdio.h>
shared [] int a[4] = {};
[[maybe_unused]] static shared int *none ([[maybe_unused]] shared int *, int) { return 0; }
int main (void)
{
  struct { shared int *p; int n; } empty = {};
  switch (a[0]) { case 0: a[MYTHREAD ? 1 : 2] = 1'000 + 0b101; [[fallthrough]]; default: ; }
  if (MYTHREAD == 0) printf ("%d %d\\n", a[2], empty.p == none (0, 1));
}
"""


@pytest.mark.parametrize("standard", ["c23", "gnu23", "c2x", "gnu2x", "c2y"])
def test_keywords_are_known(upct, standard):
    with open(os.path.join(ROOT, "tests/fixtures/upc2c/c23.upc")) as source:
        text = "".join(line for line in source if not line.startswith("#include"))
    upct.write("c23.i", text)
    upct.check_output([upct.tool("upc2c"), f"-std={standard}", upct.path("c23.i"), "-o", upct.path("c23.c")])
    with open(upct.path("c23.c")) as output:
        words = " ".join(" ".join(line for line in output if not line.startswith("#")).split())
    # Blocks of 2 give each thread COUNT elements; auto of a pointer-to-shared is one.
    assert "a { int of_thread_0[4]; } a __attribute__" in words
    assert "static_assert (2ul == BLOCK" in words
    assert "__upc_pts_shared_2_int q = __upc_element (" in words and "auto value = (*(int *)" in words
    assert "__upc_pts_shared_2_int n = __upc_null ();" in words


@pytest.mark.parametrize("standard", ["c17", "gnu17", "gnu11", "c90"])
def test_keywords_are_names_before(upct, standard):
    upct.write("names.i", NAMES)
    upct.check_output([upct.tool("upc2c"), f"-std={standard}", upct.path("names.i"), "-o", upct.path("names.c")])


def test_the_compiler_says_which_c_it_is(upct):
    upct.write("bool.i", "#pragma upct c23\nshared bool flag = true; static_assert (true);\n")
    upct.check_output([upct.tool("upc2c"), upct.path("bool.i"), "-o", upct.path("bool.c")])


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_program(upct, cc):
    source = upct.write("program.upc", PROGRAM)
    upct.check_output([upct.tool("upcc"), "-w", "-std=c2x", source, "-o", "program"], UPCC_CC=cc)
    upct.check_prints("1005 1\n", [upct.path("program")], THREADS=1)


LABELS = """#include <upc.h>
#include <stdio.h>
shared int a[3 * THREADS];
static int plain (int x)
{
  switch (x) { case 1: int y = 3; x += y; break; case 2: default: }
again: int z = 7;
  if (x++ < z) goto again;
  if (x == 9) goto end;
  x = 80;
end:
  return x;
}
int main (void)
{
  int *own = (int *) &a[MYTHREAD];

  own[0] = plain (MYTHREAD + 8);
  upc_forall (int i = 0; i < 3 * THREADS; i++; i) { if (i < THREADS) goto next; a[i] = MYTHREAD; next: }
  switch (a[MYTHREAD]) { case 8: own[0] = 5; break; one: two: case 9: int k = a[MYTHREAD + THREADS]; own[0] += k; default: }
  own[1] += ({ first: typedef int number; (number) a[MYTHREAD]; });
  upc_barrier;
  if (MYTHREAD == 0) { printf ("%d %d %d\\n", a[0], a[3], a[THREADS + 1]); last: }
}
"""


@pytest.mark.parametrize("cc", ["gcc", "clang"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_labels_need_no_statement(upct, cc, level):
    """Old compilers accepted them as C23 does, those between do not."""
    source = upct.write("labels.upc", LABELS)
    program = upct.compile(level, "-w", source, UPCC_CC=cc)
    upct.check_prints("9 9 81\n", [program], THREADS=3)
