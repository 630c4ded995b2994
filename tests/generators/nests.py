"""Random nests of loops that go down columns: in most the outer loop's iterations may be done side by side, in others
something forbids it. The same nests over private arrays are the model; variables are compared, too."""

import random
import re

TYPES = ["double", "int", "long", "float", "short", "unsigned char"]
BLOCKS = [1, 2, 3, 4, 8, 12, 16, 24, 40, 48, 120]
ARRAYS = "ABC"
ROWS, COLUMNS = 20, 40

HEAD = f"""#include <upc_relaxed.h>
#include <stdio.h>
enum {{ ROWS = {ROWS}, COLUMNS = {COLUMNS} }};
static int bad;
static long own[100];
"""


class Nest:
    def __init__(self, rng, kinds):
        self.rng = rng
        self.kinds = kinds
        self.stored = rng.choice(ARRAYS)
        self.read = [a for a in ARRAYS if a != self.stored]
        self.is_wild = rng.random() < 0.35
        self.has_two = rng.random() < 0.2
        self.locals = {}
        self.shift = rng.choice([0, 0, 0, 1, 2])

    def element(self, has_k=True):
        """What is read."""
        rng, array = self.rng, self.rng.choice(self.read)
        j = f"j + {rng.choice([0, 0, 0, 1, 2])}"
        if self.is_wild and rng.random() < 0.3:
            array = self.stored
            j = f"j + {max(0, self.shift + rng.choice([-1, 0, 0, 1]))}"
        row = rng.choice(["k", "k", "k + 1", "i", "3"] + (["l"] if self.has_two else [])) if has_k else rng.choice("i35")
        column = rng.choice([j, j, j, "k" if has_k else "7", "i"])
        if rng.random() < 0.15:
            return f"row{array}[{column}]"
        if self.is_wild and rng.random() < 0.1:
            row, column = "j / 3", "k" if has_k else "2"
        return f"{array}[{row}][{column}]"

    def value(self, names, has_k=True, count=None):
        rng = self.rng
        terms = [self.element(has_k) for _ in range(count or rng.choice([1, 1, 2]))]
        rest = ["j", "3", "own[j + 1]", "w"] + names + (["k", "own[k]"] if has_k else [])
        terms += [rng.choice(rest) for _ in range(rng.choice([0, 0, 1]))]
        return "(((long) (" + ") + (long) (".join(terms) + ")) % 61)"

    def target(self, has_k):
        row = self.rng.choice(["i", "i", "k", "k + 1", "4"] if has_k else ["i", "4"])
        if self.is_wild and self.rng.random() < 0.15:
            return f"{self.stored}[j / 2][{'k' if has_k else '3'}]"
        return f"{self.stored}[{row}][j + {self.shift}]"

    def store(self, names, has_k):
        target = self.target(has_k)
        kind = self.kinds[self.stored]
        if self.rng.random() < 0.5:
            return f"{target} = ({kind}) (({self.value(names, has_k)} + (long) {target}) % 127);"
        return f"{target} = ({kind}) {self.value(names, has_k)};"

    def scalar(self, name):
        """How a variable begins, and what is done to it inside."""
        rng = self.rng
        kind = rng.choice(["double", "long", "int", "float"])
        where = rng.choice(["in", "in", "out", "out", "late"])
        if self.is_wild and rng.random() < 0.3:
            where = "carried"
        start = self.value([], False, 1) if rng.random() < 0.3 else "0"
        if where == "in":
            begin = f"{kind} {name} = {start};"
        else:
            self.locals[name] = (kind, where)
            begin = f"{name} = {start};" if where != "carried" else ""
            if where == "late":
                begin = f"{kind} {name}; {name} = {start};"
                del self.locals[name]
        change = f"{name} = ({kind}) (({name} * 3 + {self.value([])}) ) - 61 * (long) ({name} / 20);"
        if rng.random() < 0.5:
            change = f"{name} += {self.value([])};"
        return begin, change

    def inner(self, body):
        rng = self.rng
        first = rng.choice(["0", "1", "2"] + (["j % 4"] if self.is_wild else []))
        bound = rng.choice(["k < ROWS - 2", "k < n", "k <= n", "k < 7", "k < zero"])
        if self.is_wild and rng.random() < 0.2:
            bound = rng.choice(["k < j % 9", "k <= i + j % 3"])
        step = rng.choice(["k++, w++", "w = w + 2, k++"]) if self.is_wild and rng.random() < 0.2 else "k++"
        header = f"for (k = {first}; {bound}; {step})"
        if rng.random() < 0.2:
            header = f"for (k = ROWS - 3; k >= {first}; k--)"
        if self.has_two:
            return f"{header} for (l = 0; l < 3; l++) {{ {body} }}"
        return f"{header} {{ {body} }}" if rng.random() < 0.7 or body.count(";") > 1 else f"{header} {body}"

    def body(self):
        rng = self.rng
        parts = []
        names = rng.choice([[], [], ["s"], ["s"], ["s", "t"]])
        changes = []
        for name in names:
            begin, change = self.scalar(name)
            parts.append(begin)
            changes.append(change)
        if not names or rng.random() < 0.25:
            changes.append(self.store(names, True))
        if rng.random() < 0.2:
            changes = [f"if ({rng.choice(['j % 3', 'k & 1', 'own[j] > 4'])}) {{ {' '.join(changes)} }}"]
        if rng.random() < 0.2:
            changes.insert(0, f"int u = j + k; own[0] + u;")
        parts.append(self.inner(" ".join(changes)))
        if self.is_wild and rng.random() < 0.2:
            parts.append(rng.choice(["own[j] = own[j] + 1;", "w = w + j;", "if (j == 9) break;", "if (j & 1) continue;"]))
        if names:
            target = f"{self.stored}[{rng.choice('i2')}][j + {self.shift}]"
            parts.append(f"{target} = ({self.kinds[self.stored]}) ({' + '.join(f'(long) {n}' for n in names)});")
        elif rng.random() < 0.3:
            parts.insert(0, self.store([], False))
        if self.is_wild and rng.random() < 0.2:
            parts.insert(0, f"{self.stored}[5][j + {self.shift}] = ({self.kinds[self.stored]}) (k % 50);")
        if len(parts) == 1 and rng.random() < 0.6:
            return parts[0]
        return "{ " + "\n".join(p for p in parts if p) + " }"

    def text(self):
        rng = self.rng
        body = self.body()
        first = rng.choice(["0", "0", "1", "zero"])
        bound = rng.choice(["j < COLUMNS - 3", "j < m", "j <= m", "j < 5", "j < zero", "j < 9"])
        nest = f"for (j = {first}; {bound}; j++) {body}"
        if rng.random() < 0.4:
            nest = f"for (i = 1; i < {rng.choice(['4', 'n'])}; i++) {nest}"
        declared = "".join(f"{kind} {name} = 3;\n" for name, (kind, _) in self.locals.items())
        return declared, nest


def program(seed, nests=8):
    rng = random.Random(seed)
    kinds = {a: rng.choice(TYPES[:2] if rng.random() < 0.6 else TYPES) for a in ARRAYS}
    block = rng.choice(BLOCKS)
    lines = [HEAD]
    blocks = {a: block if rng.random() < 0.7 else rng.choice(BLOCKS) for a in ARRAYS}
    for a, kind in kinds.items():
        lines.append(f"shared [{blocks[a]}] {kind} {a}[ROWS * THREADS][COLUMNS];\nstatic {kind} m{a}[ROWS][COLUMNS];\n"
                     f"shared [{blocks[a]}] {kind} (*p{a})[COLUMNS], *row{a};\nstatic {kind} *mrow{a} = mA[2];\n".replace("mA", "m" + a))
    is_by_pointers = rng.random() < 0.5
    for n in range(nests):
        declared, nest = Nest(rng, kinds).text()
        model = nest
        pointers = ""
        # Pointers to blocks of the heap, or to static arrays; two may lead to one array.
        led = {a: a for a in ARRAYS}
        if is_by_pointers:
            for a in ARRAYS:
                if rng.random() < 0.2:
                    led[a] = rng.choice([other for other in ARRAYS if (kinds[other], blocks[other]) == (kinds[a], blocks[a])])
                pointers += f"  shared [{blocks[a]}] {kinds[a]} (*q{a})[COLUMNS] = p{led[a]};\n"
        for a in ARRAYS:
            model = re.sub(rf"\b{a}\[", f"m{led[a].lower()}[", model)
            if pointers:
                nest = re.sub(rf"\b{a}\[", f"q{a}[", nest)
            model = model.replace(f"row{a}[", f"mrow{a}[")
        model = model.replace("ma[", "mA[").replace("mb[", "mB[").replace("mc[", "mC[")
        state = "i, j, k, l, (long) w" + "".join(f", (long) {name}" for name in "st" if f" {name} = 3;" in declared)
        state = f"  long state[] = {{ {state} }};\n  for (int q = 0; q < (int) (sizeof state / sizeof *state); q++)\n    found[q] = state[q];\n"
        for name, text in (("shared", nest), ("model", model)):
            lines.append(f"static __attribute__ ((noinline)) void\n{name}{n} (int zero, int n, int m, long *found)\n"
                         f"{{\n  int i = 2, j = 0, k = 0, l = 0; long w = n;\n"
                         f"{pointers if name == 'shared' else ''}{declared}  {text}\n{state}}}\n")
    lines.append("static void\ncheck (int nest, const long *is, const long *was)\n{\n"
                 "  for (int q = 0; q < 9; q++)\n    if (is[q] != was[q] && bad++ < 5)\n"
                 "      fprintf (stderr, \"nest %d, variable %d: %ld, not %ld, of %d threads\\n\", nest, q, is[q], was[q], THREADS);\n")
    for a in ARRAYS:
        lines.append("  for (int r = 0; r < ROWS; r++)\n    for (int c = 0; c < COLUMNS; c++)\n"
                     f"      if (p{a}[r][c] != m{a}[r][c] && bad++ < 5)\n"
                     f"        fprintf (stderr, \"nest %d, {a}[%d][%d] of %d threads\\n\", nest, r, c, THREADS);\n")
    lines.append("}\nint\nmain (void)\n{\n  volatile int zero = 0;\n")
    is_static = not is_by_pointers or rng.random() < 0.3
    for a, kind in kinds.items():
        size = f"(ROWS * COLUMNS * THREADS + {blocks[a]}) / {blocks[a]}, {blocks[a]} * sizeof ({kind})"
        lines.append(f"  p{a} = {f'{a}' if is_static else f'upc_all_alloc ({size})'};\n  row{a} = p{a}[2];\n")
    lines.append("  if (MYTHREAD != THREADS - 1)\n    return 0;\n"
                 "  for (int r = 0; r < ROWS; r++)\n    for (int c = 0; c < COLUMNS; c++)\n      {\n")
    for number, a in enumerate(ARRAYS):
        lines.append(f"        p{a}[r][c] = m{a}[r][c] = (r * {number + 3} + c * 7) % 23;\n")
    lines.append("      }\n")
    for n in range(nests):
        lines.append("  for (int q = 0; q < 100; q++)\n    own[q] = q % 7;\n"
                     f"  {{\n    long is[9] = {{ 0 }}, was[9] = {{ 0 }};\n    shared{n} (zero, 9 + zero, 33 + zero, is);\n"
                     "    for (int q = 0; q < 100; q++)\n      own[q] = q % 7;\n"
                     f"    model{n} (zero, 9 + zero, 33 + zero, was);\n    check ({n}, is, was);\n  }}\n")
    lines.append("  return bad != 0;\n}\n")
    return "".join(lines)
