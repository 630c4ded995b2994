"""What a wrong call of a collective function says: one line, with UPC_CHECK=1 where it
costs time to find."""

from harness import case

PROGRAM = """
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
shared char a[THREADS], b[THREADS];
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
order (shared void *x, shared void *y)
{
  return 0 * (x == y);
}
int
main (void)
{
  int (*none) (int, int) = 0;
  p[MYTHREAD] = MYTHREAD;
  upc_barrier;
  CALL;
  upc_barrier;
  (void) add, (void) order, (void) none;
  return 0;
}
"""

# Always errors: what cannot be done, and would crash.
ALWAYS = [
    ("upc_all_broadcast (null, a, 1, 0)", "upc_all_broadcast: dst is a null pointer"),
    ("upc_all_gather (a, null, 1, 0)", "upc_all_gather: src is a null pointer"),
    ("upc_all_permute (a, b, no_perm, 1, 0)", "upc_all_permute: perm is a null pointer"),
    ("upc_all_reduceI (null, i, UPC_ADD, 3, 1, 0, 0)", "upc_all_reduceI: dst is a null pointer"),
    ("upc_all_prefix_reduceI (i, null, UPC_ADD, 3, 1, 0, 0)",
     "upc_all_prefix_reduceI: src is a null pointer"),
    ("upc_all_reduceD (d, e, UPC_AND, 3, 1, 0, 0)", "upc_all_reduceD: 0x4 is no operation on this type"),
    ("upc_all_reduceF (d, e, UPC_OR, 3, 1, 0, 0)", "upc_all_reduceF: 0x8 is no operation on this type"),
    ("upc_all_prefix_reduceLD (d, e, UPC_XOR, 3, 1, 0, 0)",
     "upc_all_prefix_reduceLD: 0x10 is no operation on this type"),
    ("upc_all_reduceI (i, j, UPC_ADD | UPC_MULT, 3, 1, 0, 0)",
     "upc_all_reduceI: 0x3 is no operation on this type"),
    ("upc_all_reduceI (i, j, 0, 3, 1, 0, 0)", "upc_all_reduceI: 0 is no operation on this type"),
    ("upc_all_reduceI (i, j, UPC_FUNC, 3, 1, none, 0)", "upc_all_reduceI: func is null"),
    ("upc_all_prefix_reduceI (i, j, UPC_NONCOMM_FUNC, 3, 1, none, 0)",
     "upc_all_prefix_reduceI: func is null"),
    ("upc_all_sort (null, 4, 8, 1, order, 0)", "upc_all_sort: a is a null pointer"),
    ("upc_all_sort (i, 4, 8, 1, 0, 0)", "upc_all_sort: func is null"),
    ("upc_notify; upc_all_broadcast (a, b, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC)",
     "upc_all_broadcast between upc_notify and upc_wait"),
    ("upc_notify; upc_all_reduceI (i, j, UPC_ADD, 3, 1, 0, 0)",
     "upc_all_reduceI between upc_notify and upc_wait"),
    ("upc_notify; upc_all_sort (i, 4, 8, 1, order, 0)", "upc_all_sort between upc_notify and upc_wait"),
]

# With UPC_CHECK=1.
CHECKED = [
    ("upc_all_broadcast (a, b, 0, 0)", "upc_all_broadcast: nbytes is 0"),
    ("upc_all_broadcast (&a[1], b, 1, 0)", "upc_all_broadcast: dst has affinity to thread 1, not 0"),
    ("upc_all_scatter (&a[2], b, 1, 0)", "upc_all_scatter: dst has affinity to thread 2, not 0"),
    ("upc_all_gather (a, &b[1], 1, 0)", "upc_all_gather: src has affinity to thread 1, not 0"),
    ("upc_all_gather_all (i, &b[1], 1, 0)", "upc_all_gather_all: src has affinity to thread 1, not 0"),
    ("upc_all_exchange (&i[2], j, 1, 0)", "upc_all_exchange: dst has affinity to thread 2, not 0"),
    ("upc_all_permute (a, b, &p[1], 1, 0)", "upc_all_permute: perm has affinity to thread 1, not 0"),
    ("upc_all_broadcast (a, b, 1, UPC_IN_NOSYNC | UPC_IN_MYSYNC)",
     "upc_all_broadcast: 0x6 is no combination of flags"),
    ("upc_all_reduceI (i, j, UPC_ADD, 3, 1, 0, 64)", "upc_all_reduceI: 0x40 is no combination of flags"),
    ("upc_all_reduceI (i, &k[3], UPC_ADD, 3, 2, 0, 0)",
     "upc_all_reduceI: src has phase 3 in blocks of 2 elements"),
    ("upc_all_reduceI (i, &k[3], UPC_ADD, 3, 0, 0, 0)",
     "upc_all_reduceI: src has phase 3 in blocks of 0 elements"),
    ("upc_all_prefix_reduceI (&k[1], &l[2], UPC_ADD, 3, 4, 0, 0)",
     "upc_all_prefix_reduceI: dst is at thread 0, phase 1, but src at thread 0, phase 2"),
    ("upc_all_prefix_reduceI (&k[4], &l[0], UPC_ADD, 3, 4, 0, 0)",
     "upc_all_prefix_reduceI: dst is at thread 1, phase 0, but src at thread 0, phase 0"),
]


def said(t, call, **environment):
    program = t.path("prog")
    t.good([t.tool("upcc"), "-w", "-O1", t.write("prog.upc", PROGRAM.replace("CALL", call)), "-o", program])
    return t.run([program], THREADS=3, **environment)


def expect_line(t, result, line):
    """Any thread may be the first to say it."""
    t.equal((result.stdout, result.returncode), ("", 1), result.stderr)
    t.check(result.stderr in [f"prog: error: thread {i}: {line}\n" for i in range(3)], result.stderr)


@case
def always_an_error(t):
    for call, line in ALWAYS:
        expect_line(t, said(t, call), line)


@case
def an_error_with_checks(t):
    for call, line in CHECKED:
        expect_line(t, said(t, call, UPC_CHECK=1), line)
