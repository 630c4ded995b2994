"""Random nests of loops that reach elements by indexes from memory, of shared arrays and of private
ones: histograms, sparse rows, tables, some of them often enough that the loop makes a private copy
(tools/upc2c/plan/copied.c). Other statements store to the same arrays, by name and by pointers, or
have barriers."""

import random

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
#define SIZE 320
#define ROWS 48
static int at[4096], first[ROWS + 1], bad;
static double hidden;
static __attribute__ ((noinline)) void call (void) { hidden += 1; }
static int pure (int n) __attribute__ ((pure, noinline));
static int pure (int n) { return n * 3 % 11; }
static void
check (const char *what, double is, double wanted)
{
  if (is != wanted && bad++ < 5)
    fprintf (stderr, "%s is %g, not %g (thread %d of %d)\\n", what, is, wanted, MYTHREAD, THREADS);
}
"""

TYPES = ["int", "int", "double", "short", "long", "unsigned char"]
BLOCKS = [1, 1, 1, 2, 4, 5, 16, 100, 1000]


class Array:
    def __init__(self, rng, number):
        self.name = "ABCD"[number]
        self.type = rng.choice(TYPES) if number else "int"
        self.block = rng.choice(BLOCKS)
        self.is_pointer = rng.random() < 0.5

    def declaration(self):
        shared = f"shared [{self.block}] {self.type}"
        if self.is_pointer:
            return f"{shared} *{self.name};\n{self.type} m{self.name}[SIZE];\n"
        return f"{shared} {self.name}[SIZE * THREADS];\n{self.type} m{self.name}[SIZE];\n"

    def allocation(self):
        if not self.is_pointer:
            return ""
        blocks = (320 + self.block - 1) // self.block
        return f"  {self.name} = upc_all_alloc ({blocks}, {self.block} * sizeof ({self.type}));\n"


def index(rng, counter):
    return rng.choice([f"at[{counter}]", f"at[{counter}]", f"at[{counter}] ^ 1", f"at[{counter} + 3]",
                       f"at[at[{counter}]]", f"({counter}) * 7 % SIZE", f"at[{counter}] / 2", f"{counter} % SIZE"])


def statement(rng, arrays, counter):
    """C with @ before the names of arrays."""
    a, b = rng.choice(arrays), rng.choice(arrays)
    value = rng.choice([f"@{a.name}[{index(rng, counter)}]", f"@{a.name}[{index(rng, counter)}] + @{b.name}[{index(rng, counter)}]",
                        f"@{a.name}[{index(rng, counter)}] * pure ({counter} % 9)"])
    read = f"sum += (double) ({value}) * ({counter} % 3 + 1);"
    return rng.choice([read] * 6 + [
        f"if ({counter} % 7 == 3) continue; {read}", f"{read} if (sum > 1e12) break;",
        f"{{ int t = (int) ({value}); sum = sum / 2 + t % 100; }}"])


def store(rng, arrays, counter):
    a, b = rng.choice(arrays), rng.choice(arrays)
    return rng.choice([
        f"@{a.name}[{index(rng, counter)}]++;", f"@{a.name}[{index(rng, counter)}] = (int) sum % 50;",
        f"@{a.name}[{counter} % SIZE] += 1;", f"*@p{a.name} = (int) sum % 40;",
        f"@p{a.name}[{counter} % 9] = @{b.name}[{index(rng, counter)}];", f"own = (int) sum % 10;",
        "call ();", "upc_fence;", "last[0] = sum;"])


def inner(rng, arrays):
    header = rng.choice(["for (k = first[i]; k < first[i + 1]; k++)", "for (k = first[i]; k < first[i + 1]; k++)",
                         "for (int k = first[i + 1] - 1; k >= first[i]; k--)", "for (k = 0; k < 40; k += 2)",
                         "for (unsigned k = first[i]; k < (unsigned) first[i + 1]; k++)"])
    body = [statement(rng, arrays, "k") for _ in range(rng.choice([1, 1, 2]))]
    if rng.random() < 0.2:
        body.append(store(rng, arrays, "k"))
    return f"{header} {{ {' '.join(body)} }}"


def nest(rng, arrays):
    header = rng.choice(["for (i = 0; i < n; i++)", "for (i = 0; i < ROWS; i++)", "for (i = n - 1; i >= 0; i--)",
                         "for (int i = 0; i < n; i += 2)", "for (int r = 0; r < 3; r++) for (i = 0; i < n; i++)"])
    body = [inner(rng, arrays)]
    if rng.random() < 0.3:
        body.append(inner(rng, arrays))
    if rng.random() < 0.5:
        body.insert(rng.choice([0, len(body)]), store(rng, arrays, "i"))
    return f"{header} {{ {' '.join(body)} }}"


def single(rng, arrays):
    body = [statement(rng, arrays, "i")] + ([store(rng, arrays, "i")] if rng.random() < 0.5 else [])
    return f"for (i = 0; i < 4000 / (n / 16); i++) {{ {' '.join(body)} }}"


def function(rng, arrays, number):
    """The same of shared arrays and of the model's. Pointers lead into an array of the same type."""
    loops = " ".join(rng.choice([nest, nest, single])(rng, arrays) for _ in range(rng.choice([1, 2])))
    targets = {a: rng.choice([b for b in arrays if (b.type, b.block) == (a.type, a.block)]) for a in arrays}
    offsets = {a: rng.randrange(0, 300, 20) for a in arrays}
    text = ""
    for prefix in "", "m":
        pointers = "".join(
            f"  {'' if prefix else f'shared [{a.block}] '}{a.type} *{prefix}p{a.name} = "
            f"&{prefix}{targets[a].name}[{offsets[a]}];\n  (void) {prefix}p{a.name};\n" for a in arrays)
        body = loops.replace("@", prefix)
        text += (f"static __attribute__ ((noinline)) double\n{prefix or 's'}_{number} (int n)\n{{\n"
                 f"  double sum = 0, last[1];\n  int i, k, own = 0;\n{pointers}"
                 f"  (void) last, (void) k, (void) i;\n  {body}\n  return sum + own;\n}}\n")
    return text


def program(seed):
    rng = random.Random(seed)
    arrays = [Array(rng, n) for n in range(rng.choice([2, 3, 4]))]
    count = rng.choice([2, 3])
    text = HEAD + "".join(a.declaration() for a in arrays)
    text += "".join(function(rng, arrays, n) for n in range(count))
    text += ("int\nmain (void)\n{\n  for (int k = 0; k < 4096; k++)\n    at[k] = (k * 7919 + k / 9) % SIZE;\n"
             "  for (int i = 0; i <= ROWS; i++)\n    first[i] = i * 37 + i % 5;\n")
    text += "".join(a.allocation() for a in arrays)
    text += "  upc_barrier;\n  if (MYTHREAD == THREADS - 1)\n    {\n      for (int i = 0; i < SIZE; i++)\n        {\n"
    text += "".join(f"          {a.name}[i] = m{a.name}[i] = i * {k + 3} % 97;\n" for k, a in enumerate(arrays))
    text += "        }\n"
    for repeat in range(2):
        for n in range(count):
            text += f'      for (int n = 16; n <= 48; n += 16)\n        check ("sum {n}", s_{n} (n), m_{n} (n));\n'
    text += "      for (int i = 0; i < SIZE; i++)\n        {\n"
    text += "".join(f'          check ("{a.name}[i]", {a.name}[i], m{a.name}[i]);\n' for a in arrays)
    text += "        }\n      if (!bad)\n        puts (\"ok\");\n    }\n  upc_barrier;\n  return bad != 0;\n}\n"
    return text
