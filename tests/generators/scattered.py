"""Random loops that store and update here and there in an array, by indexes from private and shared memory: scattered
stores, histograms. Some may be done in any order of iterations (tools/upc2c/plan/update.c), others may not, as they
read what they update, or keep its value. Pointers lead to the start of an array, or into it."""

import random

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
#define SIZE 320
static int at[SIZE], bad;
static void
check (const char *what, int k, long is, long wanted)
{
  if (is != wanted && bad++ < 5)
    fprintf (stderr, "%s of %d is %ld, not %ld (thread %d of %d)\\n", what, k, is, wanted, MYTHREAD, THREADS);
}
"""

TYPES = ["int", "long", "unsigned", "short", "unsigned long"]
BLOCKS = [1, 1, 2, 3, 4, 8, 16, 40, 100]


class Array:
    def __init__(self, rng, number):
        self.name = "ABX"[number]
        self.type = rng.choice(TYPES) if number < 2 else rng.choice(["int", "short", "unsigned"])
        self.block = rng.choice(BLOCKS)
        self.is_pointer = rng.random() < 0.6
        self.start = rng.choice([0, 0, 1, self.block, 2 * self.block, 60]) if number < 2 else 0

    def declaration(self):
        shared = f"shared [{self.block}] {self.type}"
        array = f"{shared} *{self.name};\n" if self.is_pointer else f"{shared} {self.name}[SIZE * THREADS];\n"
        return array + f"{self.type} m{self.name}[SIZE];\n"

    def allocation(self):
        blocks = (320 + self.block - 1) // self.block
        return f"  {self.name} = upc_all_alloc ({blocks}, {self.block} * sizeof ({self.type}));\n" if self.is_pointer else ""


def target(rng, array):
    """An element of ARRAY here and there; @p is the pointer into it."""
    index = rng.choice(["@X[i]", "@X[i]", "@X[i]", "@X[SIZE - 1 - i]", "at[i]", "@X[i] / 2", "@X[at[i]]", "at[@X[i]]"])
    return rng.choice([f"@{array.name}[{index}]", f"@p{array.name}[(int) ({index}) - START{array.name}]"])


def statement(rng, arrays):
    a, b = rng.sample(arrays[:2], 2)
    element = target(rng, a)
    update = rng.choice([f"{element}++;", f"--{element};", f"{element} += 3;", f"{element} -= 7;", f"{element} ^= i;",
                         f"{element} |= 1 << i % 9;", f"{element} &= ~(1 << at[i] % 9);", f"{element} += at[i];",
                         f"{element} += @X[i];"])
    return rng.choice([update] * 5 + [
        f"{element} = i;", f"{element} = @X[i] + at[i];", f"{update} {target(rng, b)} ^= i;", f"{element} = 2 * {element} + i;",
        f"{update} @{b.name}[i] = @X[i];", f"{update} sum += @{a.name}[i];", f"{update} sum += @{b.name}[i];",
        f"sum += {element}++;", f"if (i % 3) {update}", f"{update} @{a.name}[i] ^= 5;", f"{update} {element} = i;",
        f"@{a.name}[(unsigned) @{a.name}[i] % SIZE]++;", f"@{a.name}[@X[i]] = @{b.name}[i];"])


def loop(rng, arrays):
    body = statement(rng, arrays)
    header = rng.choice(["for (i = 0; i < n; i++)"] * 3 + [
        "for (i = n - 1; i >= 0; i--)", "for (i = 2; i < n; i += 3)", "for (i = 0; i < 300; i++)",
        "for (int r = 0; r < 2; r++) for (i = r; i < n; i++)", "for (unsigned i = 0; i < (unsigned) n; i++)"])
    walk = "{ int c = n; i = 0; @w = &@X[0]; while (c--) @A[*@w++]++; }"
    if rng.random() < 0.3 and "int r" not in header:
        body = f"int k = {rng.choice(['@X[i]', 'at[i]', 'at[i] / 2'])}; {body.replace('@X[i]', 'k')}"
    return walk if rng.random() < 0.08 else f"{header} {{ {body} }}"


def function(rng, arrays, number):
    text = ""
    loops = " ".join(loop(rng, arrays) for _ in range(rng.choice([1, 2])))
    for prefix in "", "m":
        pointers = "".join(
            f"  {'' if prefix else f'shared [{a.block}] '}{a.type} *{prefix}p{a.name} = &{prefix}{a.name}[START{a.name}];\n"
            f"  (void) {prefix}p{a.name};\n" for a in arrays)
        x = arrays[2]
        pointers += f"  {'' if prefix else f'shared [{x.block}] '}{x.type} *{prefix}w = &{prefix}X[0];\n  (void) {prefix}w;\n"
        text += (f"static __attribute__ ((noinline)) long\n{prefix or 's'}_{number} (int n)\n{{\n  long sum = 0;\n  int i = 0;\n"
                 f"{pointers}  {loops.replace('@', prefix)}\n  return sum + i;\n}}\n")
    return text


def program(seed):
    rng = random.Random(seed)
    arrays = [Array(rng, n) for n in range(3)]
    count = 4
    text = HEAD + "".join(a.declaration() + f"enum {{ START{a.name} = {a.start} }};\n" for a in arrays)
    text += "".join(function(rng, arrays, n) for n in range(count))
    text += "int\nmain (void)\n{\n  for (int k = 0; k < SIZE; k++)\n    at[k] = k * 7919 % SIZE;\n"
    text += "".join(a.allocation() for a in arrays)
    text += "  upc_barrier;\n  if (MYTHREAD == THREADS - 1)\n    {\n      for (int i = 0; i < SIZE; i++)\n        {\n"
    text += "          X[i] = mX[i] = (i * 37 + i / 9) % SIZE;\n          A[i] = mA[i] = i * 3 % 97;\n          B[i] = mB[i] = i * 5 % 89;\n"
    text += "        }\n"
    for n in range(count):
        text += (f"      for (int n = 0; n <= 320; n += n < 40 ? 13 : 70)\n        {{\n"
                 f'          check ("sum {n}", n, s_{n} (n), m_{n} (n));\n          for (int i = 0; i < SIZE; i++)\n            {{\n'
                 f'              check ("A {n}", i, A[i], mA[i]);\n              check ("B {n}", i, B[i], mB[i]);\n            }}\n        }}\n')
    return text + '      if (!bad)\n        puts ("ok");\n    }\n  upc_barrier;\n  return bad != 0;\n}\n'
