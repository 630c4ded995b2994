"""Wrong calls of collective functions, of which a program makes the one that its argument names."""

PROGRAM = """
#include <upc.h>
#include <upc_collective.h>
#include <stdlib.h>
shared char a[4 * THREADS], b[4 * THREADS];
shared int p[THREADS];
shared int i[8 * THREADS], j[8 * THREADS];
shared [4] int k[8 * THREADS], l[8 * THREADS];
shared double d[8 * THREADS], e[8 * THREADS];
shared [] int *null;
shared int *no_perm;
static int
add (int x, int y)
{
  return x + y;
}
static int
multiply (int x, int y)
{
  return x * y;
}
static int
order (shared void *x, shared void *y)
{
  return 0 * (x == y);
}
int
main (int argc, char **argv)
{
  int (*none) (int, int) = 0;
  p[MYTHREAD] = MYTHREAD;
  upc_barrier;
  switch (atoi (argv[1]))
    {
CALLS
    }
  upc_barrier;
  (void) add, (void) multiply, (void) order, (void) none;
  return 0;
}
"""

# Arguments that are not single-valued: thread 1 has others. Who finds it, says what the
# other one has.
DIFFERENT = [
    ("upc_all_broadcast (a, b, MYTHREAD == 1 ? 2 : 1, 0)",
     r"upc_all_broadcast: nbytes is (2, but 1 on thread [02]|1, but 2 on thread 1)"),
    ("MYTHREAD == 1 ? upc_all_gather (a, b, 1, 0) : upc_all_broadcast (a, b, 1, 0)",
     r"upc_all_gather, but thread [02] calls upc_all_broadcast"
     r"|upc_all_broadcast, but thread 1 calls upc_all_gather"),
    ("upc_all_reduceI (i, j, MYTHREAD == 1 ? UPC_ADD : UPC_MULT, 5, 1, 0, 0)",
     r"upc_all_reduceI: another operation than on thread [012]"),
    ("upc_all_reduceI (i, j, UPC_FUNC, 5, 1, MYTHREAD == 1 ? add : multiply, 0)",
     r"upc_all_reduceI: another operation than on thread [012]"),
    ("upc_all_prefix_reduceI (i, j, UPC_ADD, MYTHREAD == 1 ? 6 : 5, 1, 0, 0)",
     r"upc_all_prefix_reduceI: the number of elements is (6, but 5|5, but 6) on thread [012]"),
    ("upc_all_sort (i, 4, MYTHREAD == 1 ? 6 : 5, 1, order, 0)",
     r"upc_all_sort: the number of elements is (6, but 5|5, but 6) on thread [012]"),
    ("MYTHREAD == 1 ? upc_all_sort (i, 4, 5, 1, order, 0) : upc_all_broadcast (a, b, 1, 0)",
     r"upc_all_sort, but thread [02] calls upc_all_broadcast"
     r"|upc_all_broadcast, but thread 1 calls upc_all_sort"),
    ("upc_all_scatter (a, MYTHREAD == 1 ? b : b + 1, 1, 0)",
     r"upc_all_scatter: the root is (0, but 1 on thread [02]|1, but 0 on thread 1)"),
]


def misuse_source(calls):
    """A program that makes one of CALLS."""
    cases = "".join(f"    case {i}: {call}; break;\n" for i, call in enumerate(calls))
    return PROGRAM.replace("CALLS", cases)
