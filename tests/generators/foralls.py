"""Generates UPC programs full of upc_forall loops, each beside a plain loop that asks the
library for every iteration whose it is: both must do the same ones in the same order,
and leave the same counter, whoever runs them."""

import random

HEAD = """#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>

struct pair { int x, y; };
shared [2] struct pair pairs[100 * THREADS];
shared [5] int five[300 * THREADS];
int global, limit;
struct { shared [5] int *p; } mesh;
static long done[10000];
static int bad;

#define CHECK(e) \\
  do { if (!(e)) { if (bad++ < 3) fprintf (stderr, "thread %d of %d: line %d: %s\\n", MYTHREAD, THREADS, __LINE__, #e); } } while (0)

__attribute__ ((noinline)) static void
touch (int *x)
{
  *x = 1;
}
"""

# a: an array, t: one of two dimensions, i: the counter.
POINTERS = ["&{a}[{i}]", "&{a}[{i} + {n}]", "&{a}[{i} + c]", "{a} + {i}", "&{a}[{i}] + {n}", "p + {i}", "&p[{i}]",
            "&p[{i} - 1]", "p + {i} - 1", "&{a}[2 * {i}]", "&{a}[{i} * 3 + 1]", "&{a}[60 - {i}]", "&{t}[{i}]",
            "&{t}[{i}][0]", "&{t}[{i}][1]", "{t}[{i}]", "mesh.p + {i}", "&mesh.p[{i} * 2]", "&q[{i}]", "&q[{i}][1]",
            "&pairs[{i}].y", "&r[{i}].y"]
INTEGERS = ["{i}", "{i} + {n}", "2 * {i}", "{i} / 4", "{i} / b", "{i} * THREADS / 50", "({i} + {n}) / 3", "{i} % THREADS",
            "{i} / 2 % THREADS", "5 * {i} + {n}", "(int) {i}", "(long) {i} * c + c", "{i} << 1", "{i} & 3"]
BODIES = ["", "", "touch (x);", "if (j == 3) continue;", "x[0] = 1;", "CHECK (number[{i}] == (int) {i});",
          "CHECK (number[{i} + 3] == (int) {i} + 3 && number[{i}] == (int) {i});", "x[0] += number[5];"]
COUNTERS = ["int", "long", "unsigned", "size_t", "short"]


def up(rng, i, low, high, step, by, bound):
    greater = rng.choice(["<", "<="])
    condition = rng.choice([f"{i} {greater} {bound}", f"{bound} {greater.replace('<', '>')} {i}"])
    steps = [f"{i} += {by}", f"{i} = {i} + {by}"]
    if step == 1 and by == "1":
        steps += [f"{i}++", f"++{i}"]
        if high >= low:
            condition = rng.choice([condition, f"{i} != {bound}"])
    return f"{i} = {low}", condition, rng.choice(steps)


def down(rng, i, low, high, step, by, bound):
    condition = f"{i} {rng.choice(['>', '>='])} {low + step}"
    steps = [f"{i} -= {by}", f"{i} = {i} - {by}"]
    if step == 1 and by == "1":
        steps += [f"{i}--", f"--{i}"]
        if high >= low:
            condition = rng.choice([condition, f"{i} != {low}"])
    return f"{i} = {bound}", condition, rng.choice(steps)


def loop(rng, number, arrays, tables):
    """One function with the loop and its model."""
    counter = rng.choice(COUNTERS)
    i = rng.choice(["i", "i", "i", "global"])
    low, count, step = rng.randrange(1, 12), rng.randrange(30), rng.choice([1, 1, 1, 2, 3, 5, 7])
    high = max(low + count * step - rng.randrange(step), 0)
    by = rng.choice([str(step), str(step), "k"])
    bound = rng.choice([str(high), "n", "n", "limit", "s.n"])
    first, condition, then = rng.choice([up, up, down])(rng, i, low, high, step, by, bound)
    is_pointer = rng.random() < 0.6
    array, block = rng.choice(arrays)
    words = {"a": array, "t": rng.choice(tables), "i": i, "n": rng.randrange(6)}
    affinity = rng.choice(POINTERS if is_pointer else INTEGERS).format(**words)
    owner = f"upc_threadof ({affinity})" if is_pointer else f"(long) ({affinity}) % THREADS"
    body = rng.choice(BODIES).format(i=i)
    skip = f"if ((long) {i} == 3) continue; " if "continue" in body else ""
    return f"""
static void
loop{number} (int nested)
{{
  {counter} i;
  int n = {high}, k = {step}, c = {rng.randrange(6)}, b = {rng.randrange(1, 7)}, x[2] = {{ 0 }}, count = 0, seen = 0;
  struct {{ int n; }} s = {{ {high} }};
  shared [{block}] int *p = (shared [{block}] int *) {array};
  shared [3] int (*q)[2] = (shared [3] int (*)[2]) {array};
  shared [2] struct pair *r = pairs + 1;
  long last;

  limit = {high}, mesh.p = five + {rng.randrange(9)}, p += {rng.randrange(5)};
  upc_forall ({first}; {condition}; {then}; {affinity})
    {{
      long j = (long) {i};
      {body}
      done[count++] = j;
    }}
  last = (long) {i};
  for ({first}; {condition}; {then})
    if ({owner} == (long) MYTHREAD || nested)
      {{
        {skip}CHECK (seen < count && done[seen] == (long) {i});
        seen++;
      }}
  CHECK (seen == count);
  CHECK (last == (long) {i});
  (void) n, (void) k, (void) c, (void) b, (void) x, (void) s, (void) p, (void) q, (void) r, (void) i;
}}
"""


def program(seed, loops=40):
    rng = random.Random(seed)
    arrays = [(f"a{k}", rng.choice([1, 2, 3, 4, 5, 7, 8, 16])) for k in range(6)]
    tables = [f"t{k}" for k in range(4)]
    text = HEAD + f"shared [{rng.choice([1, 2, 4, 5, 8, 16])}] int number[300 * THREADS];\n"
    for name, block in arrays:
        text += f"shared [{block}] int {name}[{rng.choice([20, 64, 97])} * THREADS];\n"
    for name in tables:
        text += f"shared [{rng.choice([1, 2, 3, 4, 6, 8])}] int {name}[40 * THREADS][{rng.choice([2, 3, 4, 8])}];\n"
    text += "".join(loop(rng, k, arrays, tables) for k in range(loops))
    calls = "".join(f"  loop{k} (nested);\n" for k in range(loops))
    return text + f"""
static void
all_loops (int nested)
{{
{calls}}}

int
main (void)
{{
  int i;

  upc_forall (i = 0; i < 300 * THREADS; i++; &number[i])
    number[i] = i;
  upc_barrier;
  all_loops (0);
  upc_forall (i = 0; i < THREADS; i++; i)
    all_loops (1);
  upc_barrier;
  return bad != 0;
}}
"""
