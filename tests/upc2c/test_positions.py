"""Messages of the compiler behind point into the source."""

import re

from harness import ROOT, case

SOURCE = """shared int before[2
  * THREADS];
#include "outer.h"
struct { shared int *p;
  int x; } record, *shared cursor = 0; shared int after;
#pragma GCC diagnostic push
#include "outer.h"
void f (void) { int a; after = 1; int b; for (int i = 0; i < 3; i++) { after += i; int c; } }
int main (void) { int d; after = 1; int e; return 0; }
shared [] int text[2] = { "x" };
"""
WANTED = ["8:21", "8:39", "8:88", "9:23", "9:41"]


def warnings(t, compiler):
    """The unused variables, as line:column, and all messages."""
    t.write("outer.h", '#include "inner.h"\nextern shared int outer;\n')
    t.write("inner.h", "extern shared int *inner;\n")
    source = t.write("case.upc", SOURCE)
    result = t.run([t.tool("upcc"), "-Wall", "-c", source, "-o", t.path("case.o")], UPCC_CC=compiler)
    t.equal(result.returncode, 0, result.stderr)
    found = re.findall(r"case\.upc:(\d+:\d+): warning: unused variable", result.stderr)
    return sorted(found, key=lambda place: [int(n) for n in place.split(":")]), result.stderr


@case(each=["gcc", "clang"])
def statements_keep_their_columns(t, compiler):
    found, text = warnings(t, compiler)
    t.equal(found, WANTED, text)


@case(each=["gcc", "clang"])
def initial_values_keep_their_lines(t, compiler):
    _, text = warnings(t, compiler)
    t.check(re.search(r"case\.upc:10:\d+: warning: .*(integer|conversion)", text), text)


@case
def headers_are_entered_and_left(t):
    """Line marks go into each header and come back."""
    t.write("outer.h", '#include "inner.h"\nextern shared int outer;\n')
    t.write("inner.h", "extern shared int *inner;\n")
    t.write("case.upc", SOURCE)
    t.good(["gcc", "-E", "-x", "c", "-I", f"{ROOT}/include", "case.upc", "-o", "case.i"])
    t.good([t.tool("upc2c"), "case.i", "-o", "case.c"])
    with open(t.path("case.c")) as out:
        marks = re.findall(r'^# \d+ "([^"]*)"((?: \d)*)$', out.read(), flags=re.M)
    stack = ["case.upc"]
    for name, flags in marks:
        if " 1" in flags:
            stack.append(name)
        elif " 2" in flags:
            t.check(len(stack) > 1, f"back to {name} from nowhere")
            stack.pop()
    t.equal(stack, ["case.upc"], "headers that are open at the end")
    t.equal([name for name, flags in marks if " 1" in flags and not name.startswith("/")],
            ["outer.h", "inner.h"] * 2, "headers")
