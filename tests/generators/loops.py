"""Random UPC programs of loops, each with its own sequential model: the same text is
written twice, over shared arrays and over private ones, by macros. Thread 0 runs the
sequential parts on the shared arrays, all threads the upc_forall loops; every thread runs
all of it on its private arrays, and in the end compares them with the shared ones."""

import random

MOST = 16
TYPES = ["unsigned", "unsigned char", "unsigned short", "unsigned long long", "struct mixed"]

PROLOGUE = f"""#include <upc_relaxed.h>
#include <stdio.h>
#define MOST {MOST}
struct mixed {{ unsigned char c; unsigned b : 11; unsigned a; unsigned short s[3]; }};
static int errors;
"""

EPILOGUE = """
  upc_barrier;
  if (!MYTHREAD && !errors)
    puts ("ok");
  return errors != 0;
}
"""


class Array:
    def __init__(self, rng, number):
        self.name = "ABCD"[number]
        self.type = rng.choice(TYPES)
        self.count = rng.randint(3, 12)
        self.rows = rng.choice((0, 0, 2, 3, 5))
        self.is_indefinite = rng.random() < 0.2
        self.threads_first = self.rows and rng.random() < 0.5
        block = rng.choice((1, 1, 2, 3, 4, self.count, max(self.rows, 1), 17))
        layout = "[]" if self.is_indefinite else rng.choice(("[*]", f"[{block}]", f"[{block}]", "" if block == 1 else f"[{block}]"))
        if layout == "[*]":
            block = self.count * max(self.rows, 1)
        self.fixed = "[]" if self.is_indefinite else f"[{block}]"
        self.layout = rng.choice(("", "", "", "strict ", "relaxed ")) + "shared " + layout
        self.pointer_layout = self.layout.replace("[*]", self.fixed)

    def columns(self):
        """The length of the dimension that an index of one loop runs over."""
        return str(self.count) if self.is_indefinite else f"({self.count} * THREADS)"

    def total(self):
        return f"({max(self.rows, 1)} * {self.columns()})"

    def declarations(self):
        n, columns = self.name, self.columns()
        dims = f"[{columns}]"
        shared, private = f"s{n}[i]", f"p{n}[i]"
        if self.rows:
            dims = f"[{columns}][{self.rows}]" if self.threads_first else f"[{self.rows}][{columns}]"
            shared = f"s{n}[i][j]" if self.threads_first else f"s{n}[j][i]"
            private = f"p{n}[(i) * {self.rows} + (j)]" if self.threads_first else f"p{n}[(j) * {columns} + (i)]"
        macro = f"{n}(i, j)" if self.rows else f"{n}(i)"
        scale = 1 if self.is_indefinite else MOST
        return (f"{self.layout} {self.type} s{n}{dims};\n"
                f"static {self.type} p{n}[{max(self.rows, 1) * self.count * scale}];\n",
                f"#define {macro} ({shared})\n#define TO_{n} {self.pointer_layout} {self.type} *\n",
                f"#define {macro} ({private})\n#define TO_{n} {self.type} *\n",
                f"#undef {n}\n#undef TO_{n}\n")


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.arrays = [Array(self.rng, i) for i in range(self.rng.randint(2, 4))]
        self.functions, self.parts, self.lines = [], [], []
        self.depth = 1

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    def first(self, array):
        return f"&{array.name}(0, 0)" if array.rows else f"&{array.name}(0)"

    def field(self, array, element):
        if array.type != "struct mixed":
            return element
        return element + self.rng.choice((".a", ".b", ".c", ".s[1]", f".s[{self.rng.randint(0, 2)}]"))

    def element(self, array, counters):
        """An element at indices that COUNTERS, name: (low, spare), keep in bounds: the
        counter runs from LOW to the columns less SPARE."""
        rng, columns = self.rng, array.columns()
        usable = [c for c, (of, low, spare) in counters.items() if of == columns]
        if usable and rng.random() < 0.75:
            name = rng.choice(usable)
            _, low, spare = counters[name]
            shift = rng.randint(-low, spare)
            index = rng.choice((f"{name} + {shift}", name, f"{columns} - 1 - {name}"))
        else:
            inner = rng.choice(list(counters) + ["n", "u"])
            index = f"((unsigned) ({rng.randint(1, 5)} * {inner} + {rng.randint(0, 20)})) % {columns}"
        if not array.rows:
            return self.field(array, f"{array.name}({index})")
        row = rng.choice((str(rng.randrange(array.rows)), f"(unsigned) ({rng.choice(list(counters) + ['n'])}) % {array.rows}"))
        return self.field(array, f"{array.name}({index}, {row})")

    def value(self, counters, arrays=None, depth=0):
        rng = self.rng
        arrays = self.arrays if arrays is None else arrays
        kind = rng.randrange(9) if depth < 3 else rng.randrange(4)
        if kind < 2 and arrays:
            return self.element(rng.choice(arrays), counters)
        if kind < 3:
            return rng.choice(list(counters) + ["n"])
        if kind < 4:
            return f"{rng.randint(0, 99)}u"
        left, right = (self.value(counters, arrays, depth + 1) for _ in range(2))
        if kind == 8:
            return f"({left} & 4 ? {right} : {self.value(counters, arrays, depth + 1)})"
        return f"({left} {rng.choice(('+', '-', '*', '^', '|', '&', '+', '^'))} {right})"

    def store(self, counters, target=None, sources=None):
        rng = self.rng
        target = target or self.element(rng.choice(self.arrays), counters)
        kind = rng.randrange(8)
        if kind == 0:
            self.put(rng.choice(("{0}++;", "++{0};", "{0}--;", "--{0};")).format(target))
        elif kind < 5:
            operator = rng.choice(("+=", "-=", "^=", "|=", "&=", "*="))
            self.put(f"{target} {operator} {self.value(counters, sources)};")
        else:
            self.put(f"{target} = {self.value(counters, sources)};")

    def statement(self, counters, depth):
        rng = self.rng
        kind = rng.randrange(16)
        if kind < 7:
            self.store(counters)
        elif kind < 9:
            self.put(f"u = u * 3 + {self.value(counters)};")
        elif kind == 9:
            self.put(f"if ({self.value(counters)} & {rng.choice((1, 2, 8))})")
            self.depth += 1
            self.store(counters)
            self.depth -= 1
        elif kind == 10 and counters:
            self.put(f"if (({self.value(counters)} & 7) == {rng.randrange(8)}) {rng.choice(('continue', 'continue', 'break'))};")
        elif kind == 11:
            array = rng.choice(self.arrays)
            self.put(f"u += sum_{array.name} (&{self.plain(array, counters)}, {rng.randrange(5)}u);")
        elif kind == 12:
            array = rng.choice(self.arrays)
            self.put(f"{{ {array.type} t = {self.plain(array, counters)};"
                     f" {self.plain(array, counters)} = t; n = {rng.randrange(50)}; }}")
        elif kind == 13 and depth < 2:
            self.walk(counters, depth)
        elif depth < 2:
            self.loop(counters, depth)

    def plain(self, array, counters):
        """A whole element."""
        name = self.field
        self.field = lambda array, element: element
        text = self.element(array, counters)
        self.field = name
        return text

    def body(self, counters, depth):
        self.put("{")
        self.depth += 1
        for _ in range(self.rng.randint(1, 4)):
            self.statement(counters, depth + 1)
        self.depth -= 1
        self.put("}")

    def loop(self, counters, depth):
        """A counter over the columns of an array, up or down, in steps."""
        rng = self.rng
        name = "ijk"[depth]
        columns = rng.choice(self.arrays).columns()
        low, spare, step = rng.choice((0, 0, 0, 1, 2)), rng.choice((0, 0, 0, 1)), rng.choice((1, 1, 1, 2, 3))
        high = f"{columns} - {spare}" if spare else columns
        forward = rng.choice((f"for ({name} = {low}; {name} < {high}; {name} += {step})",
                              f"for ({name} = {low}; {high} > {name}; {name}{'++' if step == 1 else f' = {name} + {step}'})",
                              f"for ({name} = {low}; {name} <= {high} - 1; {name} += {step})"))
        backward = rng.choice((f"for ({name} = {high} - 1; {name} >= {low}; {name} -= {step})",
                               f"for ({name} = {high}; {name}-- > {low};)"))
        self.put(forward if rng.random() < 0.7 else backward)
        self.body({**counters, name: (columns, low, spare)}, depth)

    def walk(self, counters, depth):
        """A pointer from the first element to the last, or back."""
        rng = self.rng
        array = rng.choice(self.arrays)
        first, total, step = self.first(array), array.total(), rng.choice((1, 1, 2, 3))
        p = f"q{depth}"
        element = self.field(array, f"(*{p})") if rng.random() < 0.6 else self.field(array, f"{p}[0]")
        self.put("{")
        self.depth += 1
        self.put(f"TO_{array.name} {p}; TO_{array.name} end = {first} + {total}; int count = {total} / {step};")
        self.put(rng.choice((f"for ({p} = {first}; {p} < end; {p} += {step})",
                             f"for ({p} = {first}; end - {p} > 0; {p} += {step})",
                             f"for ({p} = {first}; count-- > 0; {p} += {step})",
                             f"for ({p} = end - 1; count-- > 0; {p} -= {step})")))
        self.put("  {")
        self.depth += 2
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.6:
                self.store(counters, element)
            elif rng.random() < 0.5:
                self.put(f"u ^= {element} + {self.value(counters)};")
            else:
                self.store(counters)
        self.depth -= 2
        self.put("  }")
        self.depth -= 1
        self.put("}")

    def forall(self):
        """Each iteration stores in its own elements and reads other arrays."""
        rng = self.rng
        array = rng.choice(self.arrays)
        others = [a for a in self.arrays if a is not array]
        columns = array.columns()
        low, spare, step = rng.choice((0, 0, 1)), rng.choice((0, 0, 1)), rng.choice((1, 1, 1, 2))
        row = ", 0" if array.rows else ""
        shift = rng.randint(-low, spare)
        own = f"{array.name}(i + {shift}{row})"
        affinity = rng.choice((f"&{own}", f"&{own}", "i", f"i + {shift + low}", f"i / 2", f"i * THREADS / {columns}", "continue", ""))
        everywhere = affinity in ("continue", "")
        counters = {"i": (columns, low, spare)}
        head = rng.choice((f"i = {low}; i < {columns} - {spare}; i += {step}", f"i = {columns} - {spare} - 1; i >= {low}; i -= {step}"))
        self.put(f"upc_forall ({head}; {affinity or ''})")
        self.put("  {")
        self.depth += 2
        if everywhere:
            self.put(f"u += {self.value(counters)};")
        else:
            if rng.random() < 0.3:
                self.put(f"if ({self.value(counters, others)} & 1) continue;")
            for _ in range(rng.randint(1, 3)):
                target = self.field(array, own)
                if rng.random() < 0.3 and affinity == f"&{own}":
                    self.put(f"{{ {array.type} *mine = ({array.type} *) &{own}; {self.field(array, '(*mine)')}"
                             f" += {self.value(counters, others)}; }}")
                else:
                    self.store(counters, target, others)
        self.depth -= 2
        self.put("  }")

    def part(self, number):
        self.lines = []
        is_forall = self.rng.random() < 0.5
        if is_forall:
            self.forall()
        else:
            for _ in range(self.rng.randint(2, 4)):
                self.rng.choice((self.loop, self.loop, self.walk))({}, 0)
        self.parts.append(is_forall)
        return (f"static unsigned\nWORK_{number} (unsigned u, int n)\n{{\n  int i = 0, j = 0, k = 0;\n"
                + "\n".join(self.lines) + "\n  (void) i, (void) j, (void) k;\n  return u + n;\n}\n")

    def sums(self, array):
        """Sums COUNT elements from P on, which stay in the array, and changes one."""
        member = {"struct mixed": "->a"}.get(array.type, "")
        read = f"p{member}" if member else "*p"
        first, total = self.first(array), array.total()
        return (f"static unsigned\nSUM_{array.name} (TO_{array.name} p, unsigned count)\n{{\n  unsigned sum = 0;\n"
                f"  for (; count-- && p - ({first}) < {total}; p++)\n    sum += {read};\n"
                f"  p = {first} + (sum % {total});\n  {read} += 3;\n  return sum;\n}}\n")

    def text(self):
        works = [self.part(i) for i in range(self.rng.randint(3, 6))]
        sums = [self.sums(a) for a in self.arrays]
        declarations = [a.declarations() for a in self.arrays]
        text = PROLOGUE + "".join(d[0] for d in declarations)
        for side, prefix in ((1, "shared"), (2, "private")):
            body = "".join(sums + works).replace("WORK_", f"{prefix}_work_")
            for a in self.arrays:
                body = body.replace(f"SUM_{a.name}", f"{prefix}_sum_{a.name}")
                body = body.replace(f"sum_{a.name} (&", f"{prefix}_sum_{a.name} (&")
            if side == 2:
                body = "\n".join(self.sequential(line) for line in body.split("\n"))
            text += "".join(d[side] for d in declarations) + body + "".join(d[3] for d in declarations)
        return text + self.main()

    @staticmethod
    def sequential(line):
        if "upc_forall (" not in line:
            return line
        head, _, _ = line.rpartition(";")
        return head.replace("upc_forall (", "for (") + ")"

    def main(self):
        lines = ["", "int", "main (void)", "{", "  unsigned s = 1, p = 1, i;"]
        for number, is_forall in enumerate(self.parts):
            if is_forall:
                lines.append(f"  (void) shared_work_{number} (p, {number}), (void) private_work_{number} (p, {number});")
            else:
                lines.append(f"  s = MYTHREAD ? 0 : shared_work_{number} (p, {number});")
                lines.append(f"  p = private_work_{number} (p, {number});")
                lines.append(f"  if (!MYTHREAD && s != p) errors++, printf (\"part {number}: %u, not %u\\n\", s, p);")
            lines.append("  upc_barrier;")
        for a in self.arrays:
            flat = f"(({a.pointer_layout} {a.type} *) {'s' + a.name + '[0]' if a.rows else 's' + a.name})[i]"
            same = f"{flat} == p{a.name}[i]"
            if a.type == "struct mixed":
                same = " && ".join(f"{flat}.{m} == p{a.name}[i].{m}" for m in ("a", "b", "c", "s[0]", "s[1]", "s[2]"))
            lines.append(f"  for (i = 0; i < {a.total()}; i++)\n    if (!({same}))\n      errors++,"
                         f" printf (\"{a.name} %u of %d threads, thread %d\\n\", i, THREADS, MYTHREAD);")
        return "\n".join(lines) + EPILOGUE


if __name__ == "__main__":
    import sys
    print(Program(int(sys.argv[1])).text())


def program(seed):
    return Program(seed).text()
