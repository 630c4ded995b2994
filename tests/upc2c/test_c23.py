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
