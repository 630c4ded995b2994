"""Random loops over one array, whose iterations load what others store to, beside the same loops over private arrays:
shifts to both sides, sums of neighbours, several statements, steps, rows and walks by pointers."""

import random

from generators import pairs

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
enum { N = 300, EDGE = 12 };
/* gcc 12 -O1 takes what it stores as p[2 * i] for no part of what p points to, where it computes that from &p[i]. */
#ifdef __clang__
#define MODEL __attribute__ ((noinline, optnone))
#else
#define MODEL __attribute__ ((noinline, optimize ("O0")))
#endif
""" + pairs.FAILED

TYPES = ["int", "double", "unsigned char", "long", "short", "float"]
BLOCKS = ["1", "2", "3", "4", "7", "8", "16", "20", "33", "64", "100", "*", ""]


class Loop:
    """One loop; @a and @b are what it calls its arrays by."""

    def __init__(self, rng):
        self.rng = rng

    def element(self, name):
        distance = self.rng.choice([-11, -8, -4, -3, -2, -1, -1, 0, 1, 1, 1, 2, 3, 4, 8, 11])
        factor = self.rng.choice(["i"] * 9 + ["2 * i"])
        return f"{name}[{self.base}{factor} + {distance}]"

    def value(self):
        terms = [self.element(self.rng.choice(["@a", "@a", "@b"])) for _ in range(self.rng.choice([1, 1, 2, 3]))]
        return terms[0] if len(terms) == 1 else f"(long) ({' + '.join(terms)} + {self.rng.choice(['1', 'k', 'i'])}) % 100"

    def statement(self):
        form, target = self.rng.random(), self.element("@a")
        if form < 0.12:
            return f"{target} += {self.element(self.rng.choice(['@a', '@b']))};"
        if form < 0.2:
            return f"if ({self.element('@b')} > 40) {target} = {self.value()};"
        if form < 0.28:
            return f"{{ long t = {self.element('@a')}; {target} = {self.value()}; {self.element('@b')} = t + 1; }}"
        if form < 0.34:
            return f"{self.element('@b')} = {self.element('@a')};"
        return f"{target} = {self.value()};"

    def text(self):
        rng = self.rng
        self.base = rng.choice(["", "", "", "k + "])
        body = " ".join(self.statement() for _ in range(rng.choice([1, 1, 1, 2])))
        step, form = rng.choice([1, 1, 1, 1, 2, 3]), rng.random()
        if form < 0.4:
            return f"for (int i = EDGE; i < n; i += {step}) {{ {body} }}"
        if form < 0.75:
            return f"for (int i = n - 1; i >= EDGE; i -= {step}) {{ {body} }}"
        if form < 0.85:
            return f"{{ int i = EDGE; while (i < n) {{ {body} i++; }} }}"
        return f"for (int r = 0; r < 3; r++) for (long i = EDGE + r; i < n; i++) {{ {body} }}"


def function(number, kind, text, arguments):
    attribute = "MODEL" if kind == "model" else "__attribute__ ((noinline))"
    return f"static {attribute} void\n{kind}{number} (int n, int k{arguments})\n{{\n  {text}\n}}\n"


def program(seed, loops=16, loop=Loop):
    rng = random.Random(seed)
    types, blocks = [rng.choice(TYPES) for _ in "ab"], [rng.choice(BLOCKS) for _ in "ab"]
    lines, calls = [HEAD, *pairs.arrays(types, blocks)], []
    for number in range(loops):
        text = loop(rng).text()
        by_pointer = rng.random() < 0.4 and "*" not in blocks
        lines += pairs.both(number, text, function, types, blocks, by_pointer)
        same = rng.random() < 0.3 and types[0] == types[1] and blocks[0] == blocks[1]
        other = rng.choice(["a", "a + 3", "a + 1"]) if same else "b"
        calls.append(f"  fill ();\n  shared{number} (N / 2 + {number}, {number % 5}{f', a, {other}' if by_pointer else ''});\n"
                     f"  model{number} (N / 2 + {number}, {number % 5}{f', ma, m{other}' if by_pointer else ''});\n  check ({number});\n")
    lines.append("static void\nfill (void)\n{\n  for (int q = 0; q < 2 * N; q++)\n    {\n"
                 "      a[q] = ma[q] = q * 7 % 97;\n      b[q] = mb[q] = q * 5 % 89;\n    }\n}\n")
    lines.append(pairs.CHECK)
    return "".join(lines) + "int\nmain (void)\n{\n  if (MYTHREAD != 0)\n    return 0;\n" + "".join(calls) + "  return bad != 0;\n}\n"
