"""Random nests over arrays whose rows are THREADS times as long as they say, and over others by indexes with THREADS in them.
The same nests over private arrays are the model. One thread does the nests, or all do if they are upc_forall."""

import random
import re

TYPES = ["double", "int", "long", "float", "short", "unsigned char"]
BLOCKS = [1, 1, 2, 3, 4, 6, 8, 12, 16, 24, 48, 64, 100, 500]
ROWS, COLUMNS, SIZE = 14, 24, 900

HEAD = f"""#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
enum {{ ROWS = {ROWS}, COLUMNS = {COLUMNS}, SIZE = {SIZE} }};
static int bad;
static long own[ROWS * COLUMNS];
"""


class Nest:
    """@A (i, j) is an element of a table, @X (n) one of a long array."""

    def __init__(self, rng, kinds):
        self.rng, self.kinds = rng, kinds
        self.is_forall = rng.random() < 0.2
        self.counter = rng.choice(["int", "int", "int", "long", "unsigned", "size_t"])
        self.target = rng.choice("ABXY")

    def row(self):
        return self.rng.choice(["i", "i", "i", "i + 1", "i - 1", "k", "3", "i + 2"])

    def column(self):
        return self.rng.choice(["j", "j", "j", "j + 1", "j - 1", "j + 2", "j + THREADS", "THREADS + j - 1", "k", "j + k - 2"])

    def number(self):
        """Below SIZE * THREADS, and not below 0."""
        row, c = self.rng.choice(["i", "i", "i", "k", "(i + 1)", "(i - 1)"]), self.rng.choice([0, 0, 1, 2, 4])
        j = self.rng.choice(["j", "j", "(j + 1)", "(j - 1)", "k", "1", "2" if self.is_forall else "MYTHREAD"])
        n = self.rng.choice([1, 2, 8, 24, 24, 48])
        return self.rng.choice([f"{row} * THREADS + {j}", f"THREADS * {row} + {j}", f"{row} * {n} * THREADS + {j}",
                                f"{j} + {n} * THREADS * {row} + {c}", f"{row} * {n} + {j} * THREADS", f"{j} * THREADS + {c}",
                                f"({row} * {n} + {c}) * THREADS + {j}", f"{j} + {c} * THREADS", f"(long) {row} * THREADS + {j}",
                                f"SIZE * THREADS - 1 - {row} * THREADS", f"{row} * {n} * THREADS", f"{j} + {c}",
                                f"{row} * (THREADS + {n}) + {j}", f"{row} * THREADS + {j} * {min(n, 24)}",
                                f"{row} * THREADS * 2 + {j} - THREADS + 5"])

    def element(self, array=None):
        array = array or self.rng.choice("ABXY")
        if self.is_forall and array == self.target:
            array = {"A": "B", "B": "A", "X": "Y", "Y": "X"}[array]
        return self.named(array)

    def named(self, array):
        if array in "AB":
            flipped = self.rng.random() < 0.15
            return f"@{array} ({'j % ROWS' if flipped else self.row()}, {'i' if flipped else self.column()})"
        return f"@{array} ({self.number()})"

    def value(self):
        terms = [self.element(self.target if self.rng.random() < 0.4 else None) for _ in range(self.rng.choice([1, 1, 2, 3]))]
        terms += [self.rng.choice(["i", "j", "THREADS", "own[j]", "7"]) for _ in range(self.rng.choice([0, 0, 1]))]
        if len(terms) == 1 and self.rng.random() < 0.5:
            return terms[0]
        return "(((long) (" + ") + (long) (".join(terms) + ")) % 61)"

    def store(self):
        target = self.named(self.target)
        kind = self.kinds[self.target]
        if self.rng.random() < 0.25 and not self.is_forall:
            return f"{target} = ({kind}) (((long) {target} + (long) {self.value()}) % 127);"
        return f"{target} = ({kind}) ({self.value()});"

    def statement(self):
        form = self.rng.random()
        if self.is_forall:
            return self.store()
        if form < 0.12:
            return f"sum += {self.value()};"
        if form < 0.2:
            return f"if ({self.element()} > 20) {self.store()}"
        if form < 0.26:
            return f"{{ long x = (long) ({self.value()}); {self.store()} sum += x; }}"
        if form < 0.3:
            return f"if ({self.element()} == 59) continue;"
        return self.store()

    def header(self, name):
        rng, counter = self.rng, self.counter
        most = {"i": ["i < ROWS - 3", "i < n", "i <= 9"], "j": ["j < 18", "j < m", "j <= m", "j < COLUMNS * THREADS - THREADS - 2"],
                "k": ["k < 4", "k < n - 3"]}[name]
        if rng.random() < 0.15 and not counter.startswith(("u", "s")):
            return f"for ({counter} {name} = {'m' if name == 'j' else '4'}; {name} >= 1; {name}--)"
        step = rng.choice([f"{name}++"] * 6 + [f"{name} += 2", f"{name} += THREADS"])
        return f"for ({counter} {name} = {rng.choice(['1', '1', '2'])}; {rng.choice(most)}; {step})"

    def forall(self):
        """The inner loop; each element of a row is one iteration's own."""
        rng, target = self.rng, self.target
        n = "j" if target in "AB" else rng.choice(["i * 24 * THREADS + j", "i * THREADS * 30 + j", "i + (i + j * 12) * THREADS"])
        element = f"@{target} (i, j)" if target in "AB" else f"@{target} ({n})"
        affinity = rng.choice([f"&{element}", f"&{element}", "j", "i * THREADS + j", "j / 3", "j * THREADS / 40", "i"])
        body = f"{element} = ({self.kinds[target]}) ({self.value()});"
        return f"@forall (int j = 1; j < {rng.choice(['m', '18', 'm - 2'])}; j++; {affinity}) {{ {body} }}"

    def text(self):
        rng = self.rng
        if self.is_forall:
            return f"for (int k = 1; k < 3; k++) for (int i = 1; i < n; i++) {self.forall()}"
        order = rng.choice(["kij", "kij", "kji", "ijk", "ikj", "jik", "jki"])
        body = " ".join(self.statement() for _ in range(rng.choice([1, 1, 1, 2])))
        for name in reversed(order):
            before = "sum += 3;" if rng.random() < 0.2 else ""
            body = f"{self.header(name)} {{ {before} {body} }}"
        return body


def both(text):
    """The nest over the shared arrays, and over the private ones."""
    shared = text.replace("@forall", "upc_forall")
    model = re.sub(r"@forall (\([^;]*;[^;]*;[^;]*);.*?\) \{", r"for \1) {", text)
    return re.sub(r"@([ABXY]) ", r"s\1 ", shared), re.sub(r"@([ABXY]) ", r"m\1 ", model)


def program(seed, nests=8):
    rng = random.Random(seed)
    kinds = {a: rng.choice(TYPES[:2] if rng.random() < 0.6 else TYPES) for a in "ABXY"}
    block = rng.choice(BLOCKS)
    blocks = {a: block if rng.random() < 0.6 else rng.choice(BLOCKS) for a in "ABXY"}
    by_pointers = rng.random() < 0.4
    lines = [HEAD]
    for a, kind in kinds.items():
        count = "ROWS * COLUMNS" if a in "AB" else "SIZE"
        lines.append(f"static {kind} *flat{a};\n")
        if a in "AB":
            lines.append(f"shared [{blocks[a]}] {kind} {a}[ROWS][COLUMNS * THREADS];\n"
                         f"#define s{a}(r, c) {a}[r][c]\n#define m{a}(r, c) flat{a}[(r) * COLUMNS * THREADS + (c)]\n")
        else:
            lines.append(f"shared [{blocks[a]}] {kind} {a}[SIZE * THREADS];\n"
                         f"#define s{a}(n) {a}[n]\n#define m{a}(n) flat{a}[n]\n")
        lines.append(f"#define COUNT_{a} ({count} * THREADS)\n"
                     f"#define EACH_{a}(n) {a + '[(n) / (COLUMNS * THREADS)][(n) % (COLUMNS * THREADS)]' if a in 'AB' else a + '[n]'}\n")
    calls = []
    for n in range(nests):
        nest = Nest(rng, kinds)
        shared, model = both(nest.text())
        pointers = ""
        if by_pointers:
            for a in "XY":
                pointers += f"  shared [{blocks[a]}] {kinds[a]} *p{a} = {a};\n"
            shared = re.sub(r"s([XY]) ", r"p\1 ", shared)
        defines = "".join(f"#define p{a}(n) p{a}[n]\n" for a in "XY") if by_pointers else ""
        undefines = "".join(f"#undef p{a}\n" for a in "XY") if by_pointers else ""
        for name, body in (("shared", shared), ("model", model)):
            is_shared = name == "shared"
            lines.append((defines if is_shared else "")
                         + f"static __attribute__ ((noinline)) long\n{name}{n} ({nest.counter} n, {nest.counter} m)\n{{\n"
                         f"  long sum = 0;\n{pointers if is_shared else ''}  {body}\n  return sum;\n}}\n" + (undefines if is_shared else ""))
        does = "upc_barrier; " if nest.is_forall else ""
        run = f"sum = shared{n} (9, 20);" if nest.is_forall else f"if (MYTHREAD == THREADS - 1) sum = shared{n} (9, 20);"
        calls.append(f"  {run} {does}if (MYTHREAD == THREADS - 1) {{ was = model{n} (9, 20); check ({n}, {'was' if nest.is_forall else 'sum'}, was); }}\n"
                     "  upc_barrier;\n")
    lines.append("static void\ncheck (int nest, long sum, long was)\n{\n  if (sum != was && bad++ < 5)\n"
                 "    fprintf (stderr, \"nest %d: sum %ld, not %ld, of %d threads\\n\", nest, sum, was, THREADS);\n")
    for a in "ABXY":
        lines.append(f"  for (int q = 0; q < COUNT_{a}; q++)\n    if (EACH_{a} (q) != flat{a}[q] && bad++ < 5)\n"
                     f"      fprintf (stderr, \"nest %d, {a} %d of %d threads\\n\", nest, q, THREADS);\n")
    lines.append("}\n\nint\nmain (void)\n{\n  long sum = 0, was;\n  for (int q = 0; q < ROWS * COLUMNS; q++)\n    own[q] = q % 7;\n"
                 "  if (MYTHREAD == THREADS - 1)\n    {\n")
    for number, a in enumerate("ABXY"):
        lines.append(f"      flat{a} = malloc (COUNT_{a} * sizeof *flat{a});\n      for (int q = 0; q < COUNT_{a}; q++)\n"
                     f"        EACH_{a} (q) = flat{a}[q] = q * {number + 3} % 61;\n")
    lines.append("    }\n  upc_barrier;\n" + "".join(calls) + "  return bad != 0;\n}\n")
    return "".join(lines)
