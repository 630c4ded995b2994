"""upc_forall: in every form the iterations that it says, and where affinity follows the
counter no others are looked at."""

import os

from harness import case
from tools.driver import links
from tools.foralls import program

FULL = os.environ.get("UPCT_TEST_FULL") == "1"
SWITCHES = ["-O1", "-O2 -T 3", "-O1 -fupc-pts=struct", "-O0 -T 7 -fupc-pts=struct"]
DECLARATIONS = """shared int c[10 * THREADS]; shared [4] int b[8 * THREADS]; shared [8] double m[THREADS][8];
shared [] int one[10]; int n, gi; shared [4] int *p; struct grid { int n; shared [4] int *p; } *g; int f (int);
void loop (int i, size_t u)
{
  int k = n;
"""

# Loops of which a thread visits its own iterations only.
OWN = ["i = 0; i < n; i++; &c[i]", "i = 0; i < n; i++; &c[i + 1]", "i = 0; i < n; i++; &b[2 * i]",
       "i = 0; i < n; i++; &m[i][0]", "i = 0; i < n; i++; &m[i]", "i = n; i > 0; i--; &b[i]", "i = n - 1; i >= 0; --i; i",
       "i = 0; i < n; i += 3; &b[i]", "i = 0; i < n; i += k; &b[i]", "i = 0; i != n; i++; &c[i]",
       "u = 0; u < n; u++; &b[u]", "u = 0; u < sizeof (int); u++; u", "long l = 0; l < n; l++; l",
       "i = 0; i < n; i++; i / 4", "i = 0; i < n; i++; i / k", "i = 0; i < n; i++; i * THREADS / 10",
       "i = 0; i < n; i++; p + i", "i = 0; i < n; i++; &p[i - 1]", "i = 0; i < g->n; i++; &g->p[i]",
       "gi = 0; gi < n; gi++; gi", "i = 0; n > i; i++; i % THREADS", "i = 0; i < n; i = i + 2; 3 * i + 1"]
# Every thread must ask at each iteration.
ALL = ["i = 0; i < f (n); i++; i", "i = 0; i < n; i++; f (i)", "i = 0; i < n; i++; &c[f (i)]", "i = 1; i < n; i *= 2; i",
       "i = 0; i < n; i++; i & 3", "i = 0; i < n; i++; &c[c[i]]"]
BODIES = ["c[i] = 1;", "c[i] = f (i);", "n = f (n);"]


def translated(t, loop, body):
    t.write("a.i", f"typedef unsigned long size_t;\n{DECLARATIONS}  upc_forall ({loop})\n    {{ {body} }}\n}}\n")
    return t.good([t.tool("upc2c"), "a.i", "-o", "-"])


@case
def threads_visit_their_own_iterations(t):
    for loop in OWN:
        for body in BODIES:
            text = translated(t, loop, body)
            t.check("__upc_is_m" not in text, f"{loop}: {text}")


@case
def what_follows_no_counter_is_asked_each_time(t):
    for loop in ALL:
        text = translated(t, loop, BODIES[0])
        t.check("__upc_is_m" in text, f"{loop}: {text}")


@case(each=[(cc, s) for cc in ("gcc", "clang") for s in range(20 if FULL else 2)])
def random_loops_are_as_the_model_says(t, cc, seed):
    t.write("a.upc", program(seed, 40))
    for switches in SWITCHES if FULL else [SWITCHES[seed % len(SWITCHES)]]:
        binary = links(t, "-w", *switches.split(), "a.upc", UPCC_CC=cc)
        for threads in [None] if "-T" in switches else [1, 2, 3, 4, 7, 16]:
            t.equal(t.run([binary], THREADS=threads).stderr, "", f"THREADS={threads} {switches}")


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


@case(each=["-O0", "-O2", "-O2 -fsanitize=undefined -fno-sanitize-recover=undefined"])
def changes_and_limits_are_seen(t, switches):
    if "fsanitize" in switches and t.sanitizers:
        return
    t.write("a.upc", COUNTED)
    binary = links(t, *switches.split(), "a.upc")
    for threads in 1, 3:
        result = t.run([binary], THREADS=threads)
        t.equal((result.returncode, result.stderr), (0, ""), f"THREADS={threads}")
