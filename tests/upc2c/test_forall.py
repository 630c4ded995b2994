"""upc_forall: in every form the iterations that it says, and where affinity follows the
counter no others are looked at."""

import random

import pytest

from generators import foralls
from support import FULL
from support.upcc import links

pytestmark = pytest.mark.sample(10)

SWITCHES = ["-O1", "-O2 -T 3", "-O1 -fupc-pts=struct", "-O0 -T 7 -fupc-pts=struct"]
DECLARATIONS = """shared int c[10 * THREADS]; shared [4] int b[8 * THREADS]; shared [8] double m[THREADS][8];
shared [] int one[10]; int n, gi; shared [4] int *p; struct grid { int n; shared [4] int *p; } *g; int f (int);
void loop (int i, size_t u)
{
  int k = n;
  shared [4] int *q;
"""

# Loops of which a thread visits its own iterations only.
OWN = ["i = 0; i < n; i++; &c[i]", "i = 0; i < n; i++; &c[i + 1]", "i = 0; i < n; i++; &b[2 * i]",
       "i = 0; i < n; i++; &m[i][0]", "i = 0; i < n; i++; &m[i]", "i = n; i > 0; i--; &b[i]", "i = n - 1; i >= 0; --i; i",
       "i = 0; i < n; i += 3; &b[i]", "i = 0; i < n; i += k; &b[i]", "i = 0; i != n; i++; &c[i]",
       "u = 0; u < n; u++; &b[u]", "u = 0; u < sizeof (int); u++; u", "long l = 0; l < n; l++; l",
       "i = 0; i < n; i++; i / 4", "i = 0; i < n; i++; i / k", "i = 0; i < n; i++; i * THREADS / 10",
       "i = 0; i < n; i++; p + i", "i = 0; i < n; i++; &p[i - 1]", "i = 0; i < g->n; i++; &g->p[i]",
       "gi = 0; gi < n; gi++; gi", "i = 0; n > i; i++; i % THREADS", "i = 0; i < n; i = i + 2; 3 * i + 1"]
# The same with a pointer for a counter.
WALKS = ["q = b; q < b + i; q++; q", "q = &b[3]; b + i != q; ++q; q", "shared int *r = c; r <= &c[9]; r++; r",
         "q = b; q < b + n; q++; q + 1", "q = b; q < b + i; q++; &q[2]", "p = b; p < b + n; p++; p"]
# Every thread must ask at each iteration.
ALL = ["i = 0; i < f (n); i++; i", "i = 0; i < n; i++; f (i)", "i = 0; i < n; i++; &c[f (i)]", "i = 1; i < n; i *= 2; i",
       "i = 0; i < n; i++; i & 3", "i = 0; i < n; i++; &c[c[i]]",
       "q = b; q < b + f (n); q++; q", "q = b; q < b + n; q += 2; q"]
BODIES = ["c[i] = 1;", "c[i] = f (i);", "n = f (n);"]


def translated(upct, loop, body):
    upct.write("a.i", f"typedef unsigned long size_t;\n{DECLARATIONS}  upc_forall ({loop})\n    {{ {body} }}\n}}\n")
    return upct.check_output([upct.tool("upc2c"), "a.i", "-o", "-"])


def test_threads_visit_their_own_iterations(upct):
    for loop in OWN:
        for body in BODIES:
            text = translated(upct, loop, body)
            assert "__upc_is_m" not in text, f"{loop}: {text}"


def test_pointers_visit_their_own_iterations(upct):
    for loop in WALKS:
        text = translated(upct, loop, BODIES[0])
        assert "__upc_is_m" not in text, f"{loop}: {text}"


WALKED = """
shared [{block}] {type} a{n}[{count} * THREADS];

static void
walk{n} (void)
{{
  shared [{block}] {type} *p, *start = a{n} + {start}, *end = a{n} + {count} * THREADS - {rest};
  long seen = 0, k;

  upc_forall (p = start; p {relation} end; p++; {affinity})
    {{
      if (seen == 3 && p != start)
        continue;
      seen++;
      CHECK (upc_threadof ({affinity}) == (size_t) MYTHREAD);
      p->x[1]++;
      p[1].x[2] += p == start || (*p).x[0] == 0;
      p->x[0] = p - start;
      CHECK (&a{n}[p - a{n}] == p && upc_phaseof (p) == upc_phaseof (&a{n}[p - a{n}]));
      seen--;
    }}
  CHECK (p - end == ({is_closed}));
  upc_forall (k = 0; k < THREADS; k++; k)
    upc_forall (p = start; p {relation} end; ++p; {affinity})
      seen++;
  CHECK (seen == end - start + {is_closed});
  upc_forall (p = end; p < start; p++; p)
    seen++;
  CHECK (p == end && seen == end - start + {is_closed});
  upc_barrier;
  for (k = 0, p = a{n}; p < end; p++, k++)
    CHECK (p->x[1] == a{n}[k].x[1] && p[1].x[2] == (p + 1)->x[2] && p == a{n} + k);
  for (p = start; p->x[1]; p++)
    k += p->x[2] == 0 && p != start;
  CHECK (k == end - a{n} && p == end + {is_closed});
  for (p = start; p < end; p++)
    if (p->x[0] == 3 && p != start)
      break;
  CHECK (p == (end - start > 3 ? start + 3 : end));
  upc_barrier;
  for (k = 0; k < {count} * THREADS; k++)
    CHECK (a{n}[k].x[1] == (k >= {start} && k < {count} * THREADS - {rest} + {is_closed})
           && a{n}[k].x[0] == (a{n}[k].x[1] ? k - {start} : 0));
}}
"""


def walk(rng, n):
    relation = rng.choice(["<", "<=", "!="])
    return WALKED.format(n=n, block=rng.choice([1, 2, 3, 4, 7, 16]), type="struct three", count=rng.randrange(8, 40),
                         start=rng.randrange(4), rest=rng.randrange(3, 6), relation=relation,
                         is_closed=int(relation == "<="), affinity=rng.choice(["p", "p", "p", "p + 1", "&p[2]"]))


@pytest.mark.parametrize("cc, seed", [(cc, s) for cc in ("gcc", "clang") for s in range(4)])
def test_walks_are_over_all_elements(upct, cc, seed):
    rng = random.Random(seed)
    upct.write("a.upc", foralls.HEAD + "struct three { int x[3]; };\n" + "".join(walk(rng, n) for n in range(8))
               + "int main (void) {\n" + "".join(f"walk{n} ();\n" for n in range(8)) + "return bad != 0; }\n")
    switches = SWITCHES[seed]
    binary = links(upct, "-w", *switches.split(), "a.upc", UPCC_CC=cc)
    for threads in [None] if "-T" in switches else [1, 2, 3, 4, 7, 16]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stderr, result.returncode) == ("", 0), f"THREADS={threads} {switches}"


def test_what_follows_no_counter_is_asked_each_time(upct):
    for loop in ALL:
        text = translated(upct, loop, BODIES[0])
        assert "__upc_is_m" in text, f"{loop}: {text}"


@pytest.mark.parametrize("cc, seed", [(cc, s) for cc in ("gcc", "clang") for s in range(20 if FULL else 2)])
def test_random_loops_are_as_the_model_says(upct, cc, seed):
    upct.write("a.upc", foralls.program(seed))
    for switches in SWITCHES if FULL else [SWITCHES[seed % len(SWITCHES)]]:
        binary = links(upct, "-w", *switches.split(), "a.upc", UPCC_CC=cc)
        for threads in [None] if "-T" in switches else [1, 2, 3, 4, 7, 16]:
            assert upct.run([binary], THREADS=threads).stderr == "", f"THREADS={threads} {switches}"


# Every element holds its index, so that each is known when it is seen.
NEAR = """
shared [{block}] {type} a{n}[{count} * THREADS], b{n}[{count} * THREADS];
shared [{block}] {type} t{n}[{rows} * THREADS][{columns}];

static void
near{n} (void)
{{
  long i, j, size = {count} * THREADS;

  for (i = MYTHREAD; i < size; i += THREADS)
    SET (a{n}[i], i);
  for (i = MYTHREAD; i < {rows} * THREADS; i += THREADS)
    for (j = 0; j < {columns}; j++)
      SET (t{n}[i][j], i * {columns} + j);
  upc_barrier;
  upc_forall (i = 5; i < size - 5; i++; &a{n}[i])
    {{
      CHECK (GET (a{n}[i]) == i && GET (a{n}[i - 1]) == i - 1 && GET (a{n}[i + 1]) == i + 1);
      CHECK (GET (a{n}[i - 5]) == i - 5 && GET (a{n}[3 + i + 2]) == i + 5);
      SET (b{n}[i + 4], i);
    }}
  upc_forall (i = 2; i < size - 3; i++; &a{n}[i - 2])
    CHECK (GET (a{n}[i]) == i && GET (a{n}[i - 2]) == i - 2 && GET (a{n}[i + 2]) == i + 2);
  upc_forall (i = size - 2; i > 0; i -= 2; &a{n}[i])
    CHECK (GET (a{n}[i]) == i && GET (a{n}[i - 1]) == i - 1);
  upc_forall (i = 1; i < {rows} * THREADS - 1; i++; &t{n}[i][0])
    for (j = 1; j < {columns} - 1; j++)
      {{
        CHECK (GET (t{n}[i][j]) == i * {columns} + j && GET (t{n}[i - 1][j]) == (i - 1) * {columns} + j);
        CHECK (GET (t{n}[i][j - 1]) == i * {columns} + j - 1 && GET (t{n}[i + 1][j + 1]) == (i + 1) * {columns} + j + 1);
        /* Columns beyond the row are those of the next ones. */
        CHECK (GET (t{n}[i][j + {columns} - 1]) == (i + 1) * {columns} + j - 1 && GET (t{n}[i][j - {columns}]) == (i - 1) * {columns} + j);
      }}
  upc_barrier;
  for (i = 5; i < size - 5; i++)
    CHECK (GET (b{n}[i + 4]) == i);
}}
"""


def near(rng, n):
    columns = rng.choice([2, 3, 4, 5, 8])
    block = rng.choice([1, 2, 3, 5, 8, columns, 2 * columns, 5 * columns])
    kind = rng.choice(["int", "double", "struct three"])
    text = NEAR.format(n=n, block=block, type=kind, count=rng.randrange(12, 50), rows=rng.randrange(3, 12), columns=columns)
    member = ".x[1]" if "struct" in kind else ""
    return text.replace("SET (", f"SET{len(member) > 0} (").replace("GET (", f"GET{len(member) > 0} (")


@pytest.mark.parametrize("cc, seed", [(cc, s) for cc in ("gcc", "clang") for s in range(8 if FULL else 2)])
def test_elements_near_are_the_right_ones(upct, cc, seed):
    rng = random.Random(seed)
    text = foralls.HEAD + """
struct three { int x[3]; };
#define SETFalse(place, value) ((place) = (value))
#define GETFalse(place) ((long) (place))
#define SETTrue(place, value) ((place).x[1] = (value))
#define GETTrue(place) ((long) (place).x[1])
"""
    text += "".join(near(rng, n) for n in range(12))
    calls = "".join(f"  near{n} ();\n" for n in range(12))
    upct.write("a.upc", text + f"static int round;\nstatic void all (void)\n{{\n{calls}}}\nint main (void)\n{{\n  all ();\n"
            "  if (THREADS == 1)\n    upc_forall (round = 0; round < 2; round++; round)\n      all ();\n  return bad != 0;\n}\n")
    for switches in SWITCHES if FULL else [SWITCHES[(seed + (cc == "gcc")) % len(SWITCHES)]]:
        binary = links(upct, "-w", *switches.split(), "a.upc", UPCC_CC=cc)
        for threads in [None] if "-T" in switches else [1, 2, 3, 4, 7, 16]:
            result = upct.run([binary], THREADS=threads)
            assert (result.returncode, result.stderr) == (0, ""), f"THREADS={threads} {switches}"


COUNTED = """#include <upc.h>
#include <stdlib.h>
#include <limits.h>
shared [3] int a[20 * THREADS];
int n = 20, total;

static void
shorten (void)
{
  n = 5;
}

int
main (void)
{
  int i;
  unsigned u;

  /* One thread does all iterations, so that it may change the loop. */
  if (THREADS == 1)
    {
      upc_forall (i = 0; i < n; i++; &a[i])
        {
          shorten ();
          total++;
        }
      if (total != 5 || i != 5)
        return 1;
      total = 0;
      upc_forall (i = 0; i < 10; i++; i)
        {
          if (i == 4)
            i = 8;
          total++;
        }
      if (total != 6 || i != 10)
        return 2;
      upc_forall (i = 0; i < 10; i++; i)
        if (i == 4)
          break;
      if (i != 4)
        return 3;
    }
  /* On its way the counter passes 0. */
  total = 0;
  upc_forall (u = UINT_MAX - 2; u != 4; u++; 0)
    total++;
  if (total != (MYTHREAD == 0 ? 7 : 0) || u != 4)
    return 4;
  /* Neither end may overflow. */
  total = 0;
  upc_forall (i = INT_MAX - 10; i < INT_MAX - 2; i += 3; i)
    total++;
  if (i != INT_MAX - 1)
    return 5;
  upc_forall (i = INT_MIN + 10; i > INT_MIN + 2; i -= 3; -(long) i)
    total++;
  if (i != INT_MIN + 1 || (THREADS == 1 && total != 6))
    return 6;
  return 0;
}
"""


@pytest.mark.parametrize("switches", ["-O0", "-O2", "-O2 -fsanitize=undefined -fno-sanitize-recover=undefined"])
def test_changes_and_limits_are_seen(upct, switches):
    if "fsanitize" in switches and upct.sanitizers:
        pytest.skip("one sanitizer in another")
    upct.write("a.upc", COUNTED)
    # It breaks out of an upc_forall, of which upcc warns.
    binary = links(upct, "-w", *switches.split(), "a.upc")
    for threads in 1, 3:
        result = upct.run([binary], THREADS=threads)
        assert (result.returncode, result.stderr) == (0, ""), f"THREADS={threads}"


# Elements beside the thread's own ones leave blocks at different phases, wherever pointers lead.
BESIDE = """
shared [{block}] {type} a{n}[{size}], b{n}[{size}];

static void
beside{n} ({parameters})
{{
  {counter} i;

  upc_forall (i = {low}; i < high; i++; {affinity})
    {{ {body} }}
  CHECK ((long) i == ({low} < high ? high : {low}));
}}

static void
check_beside{n} (void)
{{
  long k, high;

  for (high = {low}; high <= {size} - {margin}; high += 1 + high / 3 + (high > {size} / 2 ? {size} - {margin} - high : 0))
    {{
      for (k = MYTHREAD; k < {size}; k += THREADS)
        a{n}[k] = k % 17, b{n}[k] = -1;
      upc_barrier;
      beside{n} ({arguments});
      upc_barrier;
      for (k = MYTHREAD; k < {size}; k += THREADS)
        {{
          long i = k - {own};
          CHECK (b{n}[k] == (i >= {low} && i < high ? ({type}) ({model}) : -1));
        }}
      upc_barrier;
    }}
}}
"""


def beside(rng, n):
    """One function, and what looks at all that it did."""
    block, own, margin = rng.choice([2, 3, 5, 6, 8, 12, 16, 24, 48, 64]), rng.randrange(4), 70
    offsets = [rng.choice([-1, 1, rng.randrange(-60, 60)]) for _ in range(rng.randrange(1, 4))]
    by_pointers = rng.random() < 0.5
    start = rng.choice([0, block, rng.randrange(2 * block)]) if by_pointers else 0
    source, target = ("p", "q") if by_pointers else (f"a{n}", f"b{n}")
    index = rng.choice(["", " + i"])
    sums = " + ".join(f"{source}[i + {own + o - start}]" for o in offsets)
    kind = rng.choice(["int", "double", "long"])
    parameters = "long high" + (f", shared [{block}] {kind} *p, shared [{block}] {kind} *q" if by_pointers else "")
    return BESIDE.format(
        n=n, block=block, type=kind, size=f"({240 + block * rng.randrange(4, 12)} * THREADS)", parameters=parameters,
        counter=rng.choice(["int", "long"]), low=margin + rng.randrange(20), margin=margin + 8, own=own,
        affinity=f"&{target}[i + {own}]", body=f"{target}[i + {own}] = {sums}{index};",
        arguments="high" + (f", a{n} + {start}, b{n}" if by_pointers else ""),
        model=" + ".join(f"(k + {o}) % 17" for o in offsets) + (f" + k - {own}" if index else ""))


@pytest.mark.parametrize("cc, seed", [(cc, s) for cc in ("gcc", "clang") for s in range(40 if FULL else 2)])
def test_middles_of_blocks_are_as_the_model_says(upct, cc, seed):
    rng = random.Random(seed)
    count = 10
    upct.write("a.upc", foralls.HEAD + "".join(beside(rng, n) for n in range(count))
               + "int main (void) {\n" + "".join(f"check_beside{n} ();\n" for n in range(count)) + "return bad != 0; }\n")
    for switches in ["-O3 -march=native", "-O1 -fupc-pts=struct", "-O2 -fupc-threads-3", "-O2 -fupc-check"]:
        binary = links(upct, "-w", *switches.split(), "a.upc", UPCC_CC=cc)
        for threads in [None] if "threads" in switches else [1, 2, 5]:
            result = upct.run([binary], THREADS=threads)
            assert (result.stderr, result.returncode) == ("", 0), f"THREADS={threads} {switches}"
