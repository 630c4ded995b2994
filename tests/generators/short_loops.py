"""Random nests with short loops inside whose iterations are a constant number: most are unrolled, in others something
forbids it. The same nests over private arrays are the model."""

import random
import re

ROWS, COLUMNS, EDGE = 16, 28, 7
BLOCKS = [1, 2, 3, 4, 7, 16, 28, 56, 0]
ARRAYS = "ABC"

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
        self.is_wild = rng.random() < 0.3
        # Counters that are declared before all loops, and whether somebody wants their last values.
        self.is_outer = rng.random() < 0.3
        self.is_wanted = rng.random() < 0.3

    def header(self, name):
        """Of a loop with NAME from at least -3 to at most 3."""
        rng = self.rng
        first, count, step = rng.randint(-3, 1), rng.randint(0, 3), rng.choice([1, 1, 1, 2])
        kind = rng.choice(["int", "int", "long", "short", "signed char"] + (["unsigned", "size_t"] if first >= 0 and count > 0 else []))
        last = min(first + count, 3)
        up = [f"{name} <= {last}", f"{name} < {last + 1}"] + ([f"{name} != {last + 1}"] if step == 1 and not self.is_wild else [])
        down = [f"{name} >= {first}", f"{name} > {first - 1}"]
        more, less = (f"{name}++", f"{name}--") if step == 1 else (f"{name} += {step}", f"{name} -= {step}")
        kind = "" if self.is_outer else kind + " "
        if rng.random() < 0.25 and not self.is_wild and not kind.startswith(("unsigned", "size_t")):
            return f"for ({kind}{name} = {last}; {rng.choice(down)}; {less})"
        return f"for ({kind}{name} = {first}; {rng.choice(up)}; {more})"

    def column(self, name):
        return self.rng.choice(["j + X", "j + X", "j + X", "j - X", "X + j + 1", "j", "j + 2 * X", "j + (X & 1)", "EDGE + X"]).replace(
            "X", f"(int) {name}" if self.rng.random() < 0.3 else name)

    def row(self, name):
        return self.rng.choice(["i", "i + X", "i + X", "i - X", "3", "X + 4"]).replace("X", name)

    def element(self, names, array=None):
        rng = self.rng
        array = array or rng.choice(ARRAYS)
        return f"{array}[{self.row(rng.choice(names))}][{self.column(rng.choice(names))}]"

    def statement(self, names):
        rng = self.rng
        name, element = rng.choice(names), self.element(names)
        array = rng.choice(ARRAYS)
        kind = self.kinds[array]
        forms = [
            f"s += {element} * (3 + (long) {name});",
            f"s += {element} + {self.element(names)};",
            f"if ({names[0]} != {names[-1]} || j & 1) s ^= (long) {element};",
            f"{{ long t = (long) {element}, u = t % 5; s += t * {name} - u; }}",
            f"long t{len(names)} = (long) {element}; s += t{len(names)} + {name};",
            f"s = s > {element} ? s : (long) {element} + {name};",
            f"s += own[j + {name} + EDGE] + sizeof {element};",
            f"{self.element(names, array)} = ({kind}) ((s + {name}) % 90);",
            f"{self.element(names, array)} = ({kind}) (((long) {element} + {name}) % 50);",
            f"{{ int {name} = 2; s += (long) A[i + {name}][j - {name}]; }}",
        ]
        if self.is_wild:
            forms += [f"if (s % 7 == 3) break;", f"if (j % 3 == 0) continue; s++;", f"if (s % 11 == 4) {name}++;",
                      f"s += *({rng.choice(['const ', ''])}__typeof__ ({name}) *) &{name};", f"goto out{rng.randrange(10 ** 6)};"]
        form = rng.choice(forms)
        if form.startswith("goto"):
            label = form[5:-1]
            return f"if (s == 5) {form} s += 2; {label}: s++;"
        return form

    def inner(self, names):
        rng = self.rng
        name = "ab"[len(names)]
        names = names + [name]
        body = self.statement(names)
        if rng.random() < 0.3:
            body += f" {{ {self.statement(names)} }}"
        if len(names) == 1 and rng.random() < 0.5:
            body += self.inner(names)
        return f"{self.header(name)} {{ {body} }}"

    def text(self):
        rng = self.rng
        target = rng.choice(ARRAYS)
        last = f"{target}[i][j] = ({self.kinds[target]}) (s % 100);" if rng.random() < 0.8 else "own[j] = s;"
        loops = " ".join(f"{{ {self.inner([])} }}" for _ in range(rng.choice([1, 1, 2])))
        body = f"{{ long s = {rng.choice(['0', 'j', 'own[i]'])}; {loops} {last} }}"
        before = "int a = 8, b = 9; " if self.is_outer else ""
        behind = " own[1] = a; own[2] = b;" if self.is_outer and self.is_wanted else ""
        return (f"{before}for (int i = EDGE - 1; i < {rng.choice(['ROWS - EDGE + 1', 'n', '8'])}; i++)"
                f" for (int j = EDGE; j < {rng.choice(['COLUMNS - EDGE', 'm', '16'])}; j++) {body}{behind}")


def program(seed, nests=8):
    rng = random.Random(seed)
    kinds = {a: rng.choice(["int", "int", "long", "short", "double"]) for a in ARRAYS}
    lines = [HEAD, f"enum {{ EDGE = {EDGE} }};\n"]
    block = rng.choice(BLOCKS)
    for a, kind in kinds.items():
        layout = block if rng.random() < 0.6 else rng.choice(BLOCKS)
        size = "[ROWS][COLUMNS]" if layout == 0 else "[ROWS * THREADS][COLUMNS]"
        lines.append(f"shared [{layout or ''}] {kind} {a}{size};\nstatic {kind} m{a}[ROWS][COLUMNS];\n")
    for n in range(nests):
        text = Nest(rng, kinds).text()
        model = re.sub(r"\b([ABC])\[", r"m\1[", text)
        for name, body in (("shared", text), ("model", model)):
            lines.append(f"static __attribute__ ((noinline)) void\n{name}{n} (int n, int m)\n{{\n  {body}\n}}\n")
    lines.append("static void\ncheck (int nest, const long *was)\n{\n"
                 "  for (int q = 0; q < 100; q++)\n    if (own[q] != was[q] && bad++ < 5)\n"
                 "      fprintf (stderr, \"nest %d, own[%d]: %ld, not %ld, of %d threads\\n\", nest, q, own[q], was[q], THREADS);\n"
                 "  for (int r = 0; r < ROWS; r++)\n    for (int c = 0; c < COLUMNS; c++)\n      {\n")
    for a in ARRAYS:
        lines.append(f"        if ({a}[r][c] != m{a}[r][c] && bad++ < 5)\n"
                     f"          fprintf (stderr, \"nest %d, {a}[%d][%d] of %d threads\\n\", nest, r, c, THREADS);\n")
    lines.append("      }\n}\n\nint\nmain (void)\n{\n  volatile int zero = 0;\n  if (MYTHREAD != THREADS - 1)\n    return 0;\n"
                 "  for (int r = 0; r < ROWS; r++)\n    for (int c = 0; c < COLUMNS; c++)\n      {\n")
    for number, a in enumerate(ARRAYS):
        lines.append(f"        {a}[r][c] = m{a}[r][c] = (r * {number + 3} + c * 7) % 23;\n")
    lines.append("      }\n")
    for n in range(nests):
        lines.append("  {\n    long was[100];\n    for (int q = 0; q < 100; q++)\n      own[q] = q % 7;\n"
                     f"    model{n} (ROWS - EDGE + zero, COLUMNS - EDGE - 1 + zero);\n"
                     "    for (int q = 0; q < 100; q++)\n      was[q] = own[q], own[q] = q % 7;\n"
                     f"    shared{n} (ROWS - EDGE + zero, COLUMNS - EDGE - 1 + zero);\n    check ({n}, was);\n  }}\n")
    lines.append("  return bad != 0;\n}\n")
    return "".join(lines)
