"""Random nests of loops that go through the elements of small arrays many times, so that they may be done in private
copies: in most nothing is against it, in others something is. The same nests over private arrays are the model."""

import random
import re

TYPES = ["double", "int", "long", "float", "short", "unsigned char", "unsigned"]
BLOCKS = [1, 1, 2, 3, 4, 8, 16, 18, 36, 0]
ARRAYS = "ABC"
ROWS, COLUMNS = 18, 18

HEAD = f"""#include <upc_relaxed.h>
#include <stdio.h>
enum {{ ROWS = {ROWS}, COLUMNS = {COLUMNS} }};
static int bad;
static long own[100];
static long *lead = own;
"""


class Nest:
    def __init__(self, rng, kinds):
        self.rng = rng
        self.kinds = kinds
        self.is_wild = rng.random() < 0.3
        self.order = rng.sample("ijk", 3)
        self.unsigned = rng.random() < 0.15
        self.variables = []
        self.is_tiled = False

    def index(self, name, most):
        """An index below MOST, if the induction variable is below 14."""
        rng = self.rng
        forms = [name, name, name, f"{name} + {rng.randint(1, 4)}", f"({name})", f"(long) {name} + 1", f"2 + {name}"]
        if name in self.variables and not self.unsigned:
            forms += [f"{most - 1} - {name}", f"-{name} + 15", f"(one ? {name} : {name} + 2)", f"{name} * one + 1"]
        if self.is_wild and rng.random() < 0.15:
            forms = [f"{name} * 5 % 14", f"own[{name}] % 14", f"{name} ^ 1"]
        return rng.choice(forms)

    def element(self, arrays=ARRAYS):
        rng, array = self.rng, self.rng.choice(arrays)
        inner = rng.sample(self.variables, min(2, len(self.variables)))
        if len(inner) < 2:
            inner = inner + ["3"]
        if rng.random() < 0.15:
            inner[0] = rng.choice(["one", "2", "7"])
        return f"{array}[{self.index(inner[0], ROWS)}][{self.index(inner[1], COLUMNS)}]"

    def value(self):
        rng = self.rng
        terms = [self.element() for _ in range(rng.choice([1, 1, 2, 3]))]
        terms += [rng.choice(["3", "own[j + 1]", "w", *self.variables]) for _ in range(rng.choice([0, 0, 1]))]
        if self.is_wild and rng.random() < 0.1:
            terms.append("lead[2]")
        return "(((long) (" + ") + (long) (".join(terms) + ")) % 61)"

    def store(self):
        rng, target = self.rng, self.element()
        kind = self.kinds[target[0]]
        form = rng.random()
        if form < 0.3:
            return f"{target} = ({kind}) (({self.value()} + (long) {target}) % 127);"
        if form < 0.4 and kind not in ("double", "float"):
            return f"{target} ^= ({kind}) {self.value()};"
        if form < 0.5:
            return f"{target} = 5;"
        return f"{target} = ({kind}) {self.value()};"

    def statement(self):
        rng = self.rng
        form = rng.random()
        if form < 0.12:
            return f"w += {self.value()};"
        if form < 0.2:
            return f"{{ long x = {self.value()}; {self.element()} = x % 50; }}"
        if form < 0.3:
            return f"if ({rng.choice(['j & 1', 'k < 6', 'i + j > 9', self.element() + ' > 3'])}) {self.store()}"
        if form < 0.35:
            return f"if ({self.element()} == 77) {rng.choice(['break', 'continue'])};"
        if self.is_wild and form < 0.5:
            return rng.choice(["own[j + 1] = own[j + 1] + 1;", "*lead += 1;", "w = w + own[i + 1];", "leave ();", "if (w == 9) return;"])
        return self.store()

    def header(self, name):
        rng = self.rng
        kind = "unsigned " if self.unsigned else ""
        first = rng.choice(["0", "0", "1", "zero"] + [v for v in self.variables if rng.random() < 0.4]
                           + [f"{v} - 1u + 1u" for v in self.variables if self.unsigned and rng.random() < 0.2])
        bound = rng.choice([f"{name} < 14", f"{name} < n", f"{name} <= 12", f"n > {name}", f"{name} <= 6 + one * 7"]
                           + ([f"{name} <= {self.variables[0]}"] if self.variables else []))
        if rng.random() < 0.03:
            bound = f"{name} < zero"
        step = rng.choice([f"{name}++", f"{name}++", f"++{name}", f"{name} += 2", f"{name} = {name} + 1"])
        if not self.unsigned and rng.random() < 0.2:
            return f"for ({name} = 13; {name} >= {rng.choice(['0', '1', 'zero'])}; {name}--)"
        return f"for ({kind and ''}{name} = {first}; {bound}; {step})"

    def loops(self, names):
        rng = self.rng
        if not names:
            return " ".join(self.statement() for _ in range(rng.choice([1, 1, 1, 2])))
        header = self.header(names[0])
        if self.is_tiled and names[0] == self.order[0]:
            name, kind = names[0], "unsigned" if self.unsigned else "int"
            header = f"for ({kind} tile = 0; tile < 12; tile += 4) for ({name} = tile; {name} < tile + 4; {name}++)"
        self.variables.append(names[0])
        body = self.loops(names[1:])
        if len(self.variables) >= 1 and rng.random() < 0.3:
            body = f"{self.statement()} {body}" if rng.random() < 0.5 else f"{body} {self.statement()}"
        self.variables.pop()
        return f"{header} {{ {body} }}"

    def text(self):
        names = self.order if self.rng.random() < 0.8 else self.order[:2]
        nest = self.loops(names)
        if self.rng.random() < 0.8:
            nest = f"for (t = 0; t < {self.rng.choice(['20', 'n * 5', '60'])}; t++) {{ {nest} }}"
        return nest


def large_program(seed):
    """The same in blocks of which one may have all that a nest accesses."""
    return program(seed, block=[54, 100, 200, 324][seed % 4])


def program(seed, nests=8, block=None):
    rng = random.Random(seed)
    kinds = {a: rng.choice(TYPES[:2] if rng.random() < 0.5 else TYPES) for a in ARRAYS}
    blocks = {a: rng.choice(BLOCKS[:7] if rng.random() < 0.6 else BLOCKS) for a in ARRAYS}
    if block:
        blocks = dict.fromkeys(ARRAYS, block)
    is_by_pointers = rng.random() < 0.5
    lines = [HEAD, "static __attribute__ ((noinline)) void leave (void) { own[3]++; }\n"]
    for a, kind in kinds.items():
        threads = "" if blocks[a] == 0 else " * THREADS"
        layout = "[]" if blocks[a] == 0 else f"[{blocks[a]}]"
        lines.append(f"shared {layout} {kind} {a}[ROWS{threads}][COLUMNS];\nstatic {kind} m{a}[ROWS][COLUMNS];\n"
                     f"shared {layout} {kind} (*p{a})[COLUMNS];\n")
    for n in range(nests):
        nest = Nest(rng, kinds)
        nest.is_tiled = n % 4 == 3
        text = nest.text()
        kind = "unsigned" if nest.unsigned else "int"
        led = {a: a for a in ARRAYS}
        if is_by_pointers:
            for a in ARRAYS:
                if rng.random() < 0.25:
                    led[a] = rng.choice([b for b in ARRAYS if (kinds[b], blocks[b]) == (kinds[a], blocks[a])])
        model = re.sub(r"\b([ABC])\[", lambda m: f"m{led[m[1]]}[", text)
        shared = re.sub(r"\b([ABC])\[", r"q\1[", text) if is_by_pointers else text
        pointers = "".join(f"  shared {'[]' if blocks[a] == 0 else f'[{blocks[a]}]'} {kinds[a]} (*q{a})[COLUMNS] = p{led[a]};\n"
                           for a in ARRAYS) if is_by_pointers else ""
        for name, body in (("shared", shared), ("model", model)):
            lines.append(f"static __attribute__ ((noinline)) void\n{name}{n} ({kind} zero, {kind} n, int one, long *found)\n"
                         f"{{\n  {kind} i = 2, j = 0, k = 0, t = 0; long w = 4;\n{pointers if name == 'shared' else ''}"
                         f"  {body}\n  found[0] = w; found[1] = (long) i; found[2] = (long) j; found[3] = (long) k;\n}}\n")
    lines.append("static void\ncheck (int nest, const long *is, const long *was)\n{\n"
                 "  for (int q = 0; q < 4; q++)\n    if (is[q] != was[q] && bad++ < 5)\n"
                 "      fprintf (stderr, \"nest %d, variable %d: %ld, not %ld, of %d threads\\n\", nest, q, is[q], was[q], THREADS);\n")
    for a in ARRAYS:
        lines.append("  for (int r = 0; r < ROWS; r++)\n    for (int c = 0; c < COLUMNS; c++)\n"
                     f"      if (p{a}[r][c] != m{a}[r][c] && bad++ < 5)\n"
                     f"        fprintf (stderr, \"nest %d, {a}[%d][%d] of %d threads\\n\", nest, r, c, THREADS);\n")
    lines.append("}\nint\nmain (void)\n{\n  volatile int zero = 0;\n")
    for a, kind in kinds.items():
        size = blocks[a]
        if not is_by_pointers or rng.random() < 0.1:
            lines.append(f"  p{a} = {a};\n")
        elif size == 0:
            lines.append(f"  p{a} = upc_alloc (ROWS * COLUMNS * sizeof ({kind}));\n")
        else:
            lines.append(f"  p{a} = upc_all_alloc ((ROWS * COLUMNS + {size - 1}) / {size}, {size} * sizeof ({kind}));\n")
    lines.append("  if (MYTHREAD != THREADS - 1)\n    return 0;\n"
                 "  for (int r = 0; r < ROWS; r++)\n    for (int c = 0; c < COLUMNS; c++)\n      {\n")
    for number, a in enumerate(ARRAYS):
        lines.append(f"        p{a}[r][c] = m{a}[r][c] = (r * {number + 3} + c * 7) % 23;\n")
    lines.append("      }\n")
    for n in range(nests):
        lines.append("  for (int q = 0; q < 100; q++)\n    own[q] = q % 7;\n"
                     f"  {{\n    long is[4] = {{ 0 }}, was[4] = {{ 0 }};\n    shared{n} (zero, 14 + zero, 1 + zero, is);\n"
                     "    for (int q = 0; q < 100; q++)\n      own[q] = q % 7;\n"
                     f"    model{n} (zero, 14 + zero, 1 + zero, was);\n    check ({n}, is, was);\n  }}\n")
    lines.append("  return bad != 0;\n}\n")
    return "".join(lines)
