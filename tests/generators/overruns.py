"""Loops whose last iteration, or first one, leaves an array or a block: upcc -fupc-check has to name its line.

Each case is a function of its own. `./a.out` runs all, and nothing is wrong. `./a.out CASE 1` runs one with an
iteration too many at the end, `./a.out CASE -1` at the start."""

import random

TYPES = ["char", "short", "int", "float", "double", "struct pair"]
BLOCKS = [0, 1, 1, 2, 3, 8, 64]
THREADS = 3
ROUNDS = 4

HEAD = """#include <upc_relaxed.h>
#include <stdlib.h>
#include <math.h>
struct pair { long a; double b; };
volatile double sink;
static int one_more, one_less;
double twice (double x) { return 2 * x; }
"""


class Case:
    """A loop over the array X, which has N elements; U and V are longer, on both sides."""

    def __init__(self, r, number):
        self.r, self.number = r, number
        self.block = r.choice(BLOCKS)
        self.type = r.choice(TYPES)
        self.other_block = r.choice([self.block, self.block, r.choice(BLOCKS)])
        self.way = r.choice(["name", "parameter", "parameter", "local", "global"])
        self.elements = (self.block or 5) * THREADS * ROUNDS

    def layout(self, block):
        return "[]" if block == 0 else f"[{block}]"

    def member(self):
        return ".a" if self.type == "struct pair" else ""

    def x(self, index="i"):
        return f"{self.array}[{index}]{self.member()}"

    def u(self, index="i"):
        return f"u{self.number}[{index} + 100]"

    def body(self):
        """A statement, and how many elements before and behind X[i] it accesses."""
        r, x, u = self.r, self.x, self.u
        v = f"v{self.number}[{r.randint(0, 3)}]"
        return r.choice([
            (f"{x()} = 3;", 0),
            (f"sum += {x()};", 0),
            (f"{x()} += {u()};", 0),
            (f"{u()} = {x()};", 0),
            (f"{x()} = {u()} + {v};", 0),
            (f"{x()} += sum + {v};", 0),
            (f"{u()} = {x('i')} + {x('i + 1')};", 1),
            (f"{x('i + 1')} = {x('i')};", 1),
            (f"{x('i')} = {x('i + 1')} + {u()};", 1),
            (f"if ({u()} < 100) {x()}++;", 0),
            (f"{x()} = twice ({u()});", 0),
            (f"{u()} = sqrt (fabs ({x()}));", 0),
            (f"if ({x()} > 1000) break;", 0),
            (f"{x('at[i + 1]')} = 1;", 0),
            (f"sum += {x('at[i + 1]')};", 0),
            (f"{{ int at_once = i; {x('at_once')} = i; }}", 0),
            (f"sum += {x()} > {u()} ? {x()} : {u()};", 0),
        ])

    def header(self, beyond, n):
        r = self.r
        first, last = "0 - one_less", f"{n - beyond} + one_more"
        forall = r.choice([None, None, None, "i + 1", f"&u{self.number}[i + 100]", "continue"])
        if forall:
            return f"upc_forall (int i = {first}; i < {last}; i++; {forall})"
        return r.choice([
            f"for (int i = {first}; i < {last}; i++)",
            f"for (long i = {first}; i < {last}; i++)",
            f"for (int i = {last} - 1; i >= {first}; i--)",
            f"for (int i = {first}; i <= {last} - 1; ++i)",
            f"for (int i = {first}, end = {last}; i != end; i++)",
        ])

    def loop(self):
        r = self.r
        self.statement, beyond = self.body()
        if r.random() < .2:
            self.statement = f"{{ if (i == 1000) sum += i; {self.statement} }}"
        header = self.header(beyond, self.elements)
        if "upc_forall" in header and "break" in self.statement:
            header = f"for (int i = 0 - one_less; i < {self.elements - beyond} + one_more; i++)"
        kind = r.random()
        if kind < .25:
            header = f"for (int round = 0; round < {r.choice([2, 60])}; round++)\n    {header}"
        elif kind < .35 and "forall" not in header:
            header = f"int i = 0 - one_less;\n  while (i < {self.elements - beyond} + one_more)"
            self.statement = f"{{ {self.statement.replace('break', 'goto out')} i++; }}"
        return header

    def text(self):
        n, k = self.elements, self.number
        static, rounds = f"x{k}", f"{n // THREADS} * THREADS"
        u = f"shared {self.layout(self.other_block)} {self.type.replace('struct pair', 'long')}"
        x = f"shared {self.layout(self.block)} {self.type}"
        # Arrays in one block are of a declared extent, others are of all threads.
        if self.way == "name":
            declared = f"static {x} {static}[{n if self.block == 0 else rounds}];\n"
        else:
            declared = f"static {x} *p{k};\n"
        self.array = {"name": static, "parameter": "p", "local": "q", "global": f"p{k}"}[self.way]
        header = self.loop()
        local = f"  {x} *q = p{k};\n" if self.way == "local" else ""
        parameters = f"{x} *p, int *at" if self.way == "parameter" else "int *at"
        allocate = {0: f"(({x} *) upc_alloc ({n} * sizeof ({self.type})))"}.get(
            self.block, f"(({x} *) upc_global_alloc ({n // (self.block or 1)}, {self.block} * sizeof ({self.type})))")
        others = f"upc_global_alloc ({n + 200}, 8 * {self.other_block})" if self.other_block else f"upc_alloc (8 * {n + 200})"
        argument = f"p{k}, at" if self.way == "parameter" else "at"
        ready = "" if self.way == "name" else f"  p{k} = {allocate};\n"
        return f"""{declared}static {u} *u{k}, *v{k};
static void
body{k} ({parameters})
{{
  double sum = 0;
{local}  {header}
      {self.statement} /* case {k} */
out:
  sink = sum;
}}
static void
case{k} (int *at)
{{
{ready}  u{k} = {others};
  v{k} = u{k};
  body{k} ({argument});
}}
"""


def program(seed, cases=20):
    """A program for THREADS threads, and the lines of its cases."""
    r = random.Random(seed)
    parts = [Case(r, k).text() for k in range(cases)]
    calls = "".join(f"    case {k}: case{k} (at); break;\n" for k in range(cases))
    text = HEAD + "".join(parts) + f"""
int
main (int argc, char **argv)
{{
  static int places[1000];
  int *at = places + 1;

  for (int i = -1; i < 990; i++)
    at[i] = i - 1;
  if (argc > 2)
    {{
      one_more = atoi (argv[2]) > 0;
      one_less = atoi (argv[2]) < 0;
    }}
  for (int k = 0; k < {cases}; k++)
    if (argc < 2 || atoi (argv[1]) == k)
      switch (k)
        {{
{calls}        }}
  return 0;
}}
"""
    return text, [1 + text[:text.index(f"/* case {k} */")].count("\n") for k in range(cases)]
