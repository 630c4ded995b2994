"""No input makes upc2c crash or hang: sources with mistakes put in at random, and
inputs that are deep, long or wide."""

import glob
import os
import random
import re

import pytest

from support import FULL, ROOT

WORD = re.compile(r'\w+|"[^"\n]*"|\S|\n')
MANY = 100000
OPENERS = ["(", "{", "[", "*", "-", "!", "&", "sizeof", "typeof(", "shared [", "if(", "struct{", "int x,"]

DEEP = {
    "parentheses": "int x = " + "(" * MANY + "1" + ")" * MANY + ";",
    "pointers": "int " + "*" * MANY + "p;",
    "declarators": "int " + "(" * MANY + "p" + ")" * MANY + ";",
    "blocks": "void f (void)" + "{" * MANY + "}" * MANY,
    "open blocks": "void f (void)" + "{" * MANY,
    "records": "struct {" * MANY,
    "parameters": "void f (" + "int g (" * MANY,
    "operators": "int x = " + "-" * MANY + "1;",
    "sum": "int x = " + "+".join(["1"] * MANY) + ";",
    "indices": "int *p; int f (void) { return p" + "[0]" * MANY + "; }",
    "conditions": "int f (int x) { return " + "x ? x : " * MANY + "x; }",
    "sizeof": "int x = " + "sizeof (typeof (" * 9000 + "1" + "))" * 9000 + ";",
    "unclosed strings": '"abc\n' * MANY,
    "wrong lines": "strict int x;\n" * MANY,
}

LONG = {
    "else if": "void f (int x) { " + "if (x) ; else " * MANY + "; }",
    "cases": "void f (int x) { switch (x) { " + "".join(f"case {i}: " for i in range(MANY)) + "; } }",
    "sum": "shared int s; int f (void) { return " + " + ".join(["s"] * 30000) + "; }",
    "typedefs": "typedef int T0;" + "".join(f"typedef T{i} *T{i + 1};" for i in range(MANY)),
    "records": "struct s0 { int x; };" + "".join(f"struct s{i + 1} {{ struct s{i} x; }};" for i in range(30000)),
    "initialiser": "shared [] int a[] = {" + "1," * MANY + "};",
    "range": "int a[] = { [0 ... 1000000000000] = 1 };",
    "empty records": "struct e { }; struct e a[1000000000000] = { 1, 2 }; struct { struct e x[1000000000]; int y; } b = { 1 };",
    "strings": "char s[] = " + '"ab" ' * MANY + ";",
    "declarations": "extern shared int a[THREADS];" * MANY,
    "statements": "shared int a[THREADS]; void f (int i) { " + "a[i] += i; " * MANY + "}",
    "members": "struct s { struct { " + "".join(f"int m{i};" for i in range(30000)) + " }; }; shared struct s v; int f (void) { return "
               + " + ".join(f"v.m{i}" for i in range(30000)) + "; } shared struct s w = { " + ", ".join(f".m{i} = 1" for i in range(30000)) + " };",
    "pragmas": "#pragma upc strict\n#pragma pack (1)\n" * MANY + "struct s { int x; };",
}


def survives(upct, switches, text):
    with open(upct.path("in.i"), "w", errors="replace") as f:
        f.write(text)
    result = upct.run(["prlimit", "--cpu=30", upct.tool("upc2c"), *switches, "in.i", "-o", "out.c"])
    assert result.returncode in (0, 1) and "SUMMARY: " not in result.stderr and "runtime error" not in result.stderr, (
        f"status {result.returncode}\n{result.stderr[-2000:]}\n{text[:2000]}")
    return result


@pytest.mark.parametrize("name", sorted(DEEP))
def test_too_deep_is_an_error(upct, name):
    assert survives(upct, [], DEEP[name] + "\n").returncode == 1, "status"


@pytest.mark.parametrize("attribute", ["[[)]]", "[[(]]", "[[gnu::]]", "[[gnu::)]]", "[[", "[[a(", "[[a"])
def test_wrong_attributes_are_errors(upct, attribute):
    assert survives(upct, [], f"int x {attribute};\n").returncode == 1, "status"


@pytest.mark.parametrize("name", sorted(LONG))
def test_long_is_no_error(upct, name):
    result = survives(upct, [], LONG[name] + "\n")
    assert (result.returncode, result.stderr) == (0, ""), "status and messages"


def sources():
    found = []
    for pattern in ("tests/fixtures/*/*.upc", "tests/fixtures/upc2c/*/*.upc", "tools/upc2c/*.c"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            with open(path) as f:
                found.append(re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#.*$", "", f.read(), flags=re.S | re.M))
    return found


def mutate(rng, words, every):
    words = list(words)
    for _ in range(rng.choice([1, 1, 2, 3, 8, 30])):
        if not words:
            break
        i, kind = rng.randrange(len(words)), rng.random()
        if kind < 0.25:
            del words[i:i + rng.choice([1, 1, 1, 3, 20])]
        elif kind < 0.5:
            words[i] = rng.choice(every)
        elif kind < 0.75:
            words.insert(i, rng.choice(every))
        elif kind < 0.85:
            j = rng.randrange(len(words))
            words[i:i] = words[j:j + rng.randrange(1, 30)]
        elif kind < 0.9:
            words[i:i] = [rng.choice(OPENERS)] * rng.choice([5, 100, 5000])
        else:
            words.insert(i, chr(rng.randrange(1, 256)))
    return " ".join(words)


@pytest.mark.parametrize("seed", range(8))
def test_random_mistakes(upct, seed):
    rng = random.Random(seed)
    texts = [WORD.findall(text) for text in sources()]
    every = [word for words in texts for word in words]
    for _ in range(500 if FULL else 25):
        switches = rng.choice([[], ["-fupc-threads-3"], ["-fupc-pts=struct"]])
        survives(upct, switches, mutate(rng, rng.choice(texts), every))


BESIDE = """#include <upc_relaxed.h>
#include <stdio.h>
struct mixed { unsigned a; unsigned short s[3]; };
shared [*] unsigned long long x[7 * THREADS];
shared [3] struct mixed y[12 * THREADS];
shared [*] unsigned z[4 * THREADS];

int
main (void)
{
  int n = THREADS;

  if (MYTHREAD == 0)
    {
      x[(4 * n + 20) % (7 * THREADS)] = 0x1f7;
      for (int i = 4 * THREADS - 1; i >= 0; i -= 1)
        {
          x[((unsigned) (4 * n + 20)) % (7 * THREADS)] &= 80u | z[4 * THREADS - 1 - i];
          y[((unsigned) (3 * n + 4)) % (12 * THREADS)].s[1] = n + i;
        }
      printf ("%llx %d\\n", x[(4 * n + 20) % (7 * THREADS)], y[(3 * n + 4) % (12 * THREADS)].s[1]);
    }
  return 0;
}
"""


def test_updates_beside_elements_of_members(upct):
    upct.write("beside.upc", BESIDE)
    for threads in 1, 3:
        upct.check_prints(f"50 {threads}\n", [upct.compile("-O2", "beside.upc")], THREADS=threads)
