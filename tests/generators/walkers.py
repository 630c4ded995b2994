"""Random loops that no header counts, beside the same loops over private arrays: merges, partitions, searches that go on,
the largest element so far. Their indexes move by small steps, jump, or follow each other."""

import random

from generators import pairs

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
enum { N = 300 };
""" + pairs.FAILED

TYPES = ["int", "double", "unsigned char", "long", "short", "float"]
BLOCKS = ["1", "4", "16", "32", "33", "48", "64", "64", "100", "100", "200", "*", ""]
INDEXES = "ijk"


class Loop:
    """One loop; @a and @b are what it calls its arrays by. No element from n on is below 100, all others are."""

    def __init__(self, rng):
        self.rng = rng

    def index(self):
        return self.rng.choice(INDEXES)

    def element(self, index=None):
        distance = self.rng.choice(["", "", "", " + 1", " + 2", " + w"])
        return f"{self.rng.choice(['@a', '@b'])}[{index or self.index()}{distance}]"

    def move(self):
        rng, i, j = self.rng, self.index(), self.index()
        return rng.choice([
            f"if ({i} < n - 1) {i}++; else {i} = 0;",
            f"if ({i} > 0) {i}--;",
            f"if ({i} > 2) {i} -= 3;",
            f"if ({i} + 9 < n) {i} += {rng.choice(['2', '4', '9', 'w'])};",
            f"{i} = {j};",
            f"if ({j} < n - 1) {i} = {j} + 1;",
            f"{i} /= 2;",
            f"{i} = (int) @a[{j}] % n;",
        ] if rng.random() < 0.8 else [f"if ({i} < n - 2) sum += @b[{i}++];", f"if ({i} > 1) @a[{i}--] = turns % 90;"])

    def search(self):
        i = self.rng.choice(INDEXES)
        return self.rng.choice([
            f"while (@a[{i}] < {self.rng.choice(['20', '60', '95', '100'])}) {i}++; if ({i} >= n) break;",
            f"while ({i} < n - 1 && {self.element(i)} > 40) {i}++;",
            f"while ({i} > 0 && @b[{i}] > 30) {i}--;",
            f"do {i}++; while (@a[{i}] < 90); if ({i} >= n) break;",
        ])

    def statement(self):
        form, i, j = self.rng.random(), self.index(), self.index()
        if form < 0.3:
            return self.move()
        if form < 0.45:
            return self.search()
        if form < 0.6:
            return f"if ({self.element(i)} > {self.element(j)}) {{ {j} = {i}; }}"
        if form < 0.75:
            return f"@{self.rng.choice('ab')}[{i}] = (int) ({self.element()} + {self.element()}) % 100;"
        if form < 0.85:
            return f"{{ int t = {i} / 2 + {j} / 2; sum += @b[t]; {self.move()} }}"
        if form < 0.92:
            return f"if ({self.element()} < {self.element()}) {{ {self.move()} }} else {{ {self.move()} }}"
        return f"sum += {self.element()};"

    def text(self):
        body = " ".join(self.statement() for _ in range(self.rng.choice([2, 3, 4, 5])))
        body += " if (i >= n) i = n - 1; if (j >= n) j = n - 1; if (k >= n) k = n - 1;" if self.rng.random() < 0.5 else ""
        # A search may end at n.
        guard = "if (i >= n || j >= n || k >= n) break;"
        return self.rng.choice([
            f"while (turns-- > 0) {{ {guard} {body} }}",
            f"for (;;) {{ {guard} {body} if (!turns--) break; }}",
            f"do {{ {guard} {body} }} while (turns-- > 0);",
            f"for (int t = 0; t < turns; t++) {{ {guard} {body} }}",
            f"for (int t = 0; t < 3; t++) while (turns-- > 0) {{ {guard} {body} }}",
        ])


def function(number, kind, text, arguments):
    return (f"static __attribute__ ((noinline)) double\n{kind}{number} (int n, int w, int turns{arguments})\n{{\n"
            f"  double sum = 0;\n  int i = w, j = n - 1, k = n / 2;\n  {text}\n"
            "  return sum + i + 1000.0 * j + 1e6 * k;\n}\n")


def program(seed, loops=12):
    rng = random.Random(seed)
    types, blocks = [rng.choice(TYPES) for _ in "ab"], [rng.choice(BLOCKS) for _ in "ab"]
    lines, calls = [HEAD, *pairs.arrays(types, blocks)], []
    for number in range(loops):
        text = Loop(rng).text()
        by_pointer = rng.random() < 0.4 and "*" not in blocks
        lines += pairs.both(number, text, function, types, blocks, by_pointer)
        at = rng.choice([0, 0, 3, 40, 70]) if by_pointer else 0
        there = "".join(f", {{}}{name} + {at}" for name in "ab") if by_pointer else ""
        values = f"n, {number % 4}, {rng.choice([1, 20, 400])}"
        calls.append(f"  fill ({at} + n);\n  if (shared{number} ({values}{there.replace('{}', '')}) != model{number} ({values}{there.replace('{}', 'm')}))\n"
                     f"    failed ({number}, \"result\", 0);\n  check ({number});\n")
    lines.append("static void\nfill (int n)\n{\n  for (int q = 0; q < 2 * N; q++)\n    {\n"
                 "      a[q] = ma[q] = q < n ? q * 37 % 97 : 101;\n      b[q] = mb[q] = q < n ? q * 41 % 89 : 102;\n    }\n}\n")
    lines.append(pairs.CHECK)
    return ("".join(lines) + "int\nmain (void)\n{\n  volatile int most = N - 20;\n  int n = most;\n\n  if (MYTHREAD != 0)\n    return 0;\n"
            + "".join(calls) + "  return bad != 0;\n}\n")
