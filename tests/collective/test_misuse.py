"""What a wrong call of a collective function says: one line, with UPC_CHECK=1 where it
costs time to find."""

import re

import pytest

from support.collective import DIFFERENT, misuse_source

pytestmark = pytest.mark.tsan

# Always errors: what cannot be done, and would crash.
ALWAYS = [
    ("upc_all_broadcast (null, a, 1, 0)", "upc_all_broadcast: dst is a null pointer"),
    ("upc_all_gather (a, null, 1, 0)", "upc_all_gather: src is a null pointer"),
    ("upc_all_permute (a, b, no_perm, 1, 0)", "upc_all_permute: perm is a null pointer"),
    ("upc_all_reduceI (null, i, UPC_ADD, 3, 1, 0, 0)", "upc_all_reduceI: dst is a null pointer"),
    ("upc_all_prefix_reduceI (i, null, UPC_ADD, 3, 1, 0, 0)",
     "upc_all_prefix_reduceI: src is a null pointer"),
    ("upc_all_reduceD (d, e, UPC_AND, 3, 1, 0, 0)", "upc_all_reduceD: invalid operation for this type: 0x4"),
    ("upc_all_reduceF (d, e, UPC_OR, 3, 1, 0, 0)", "upc_all_reduceF: invalid operation for this type: 0x8"),
    ("upc_all_prefix_reduceLD (d, e, UPC_XOR, 3, 1, 0, 0)",
     "upc_all_prefix_reduceLD: invalid operation for this type: 0x10"),
    ("upc_all_reduceI (i, j, UPC_ADD | UPC_MULT, 3, 1, 0, 0)",
     "upc_all_reduceI: invalid operation for this type: 0x3"),
    ("upc_all_reduceI (i, j, 0, 3, 1, 0, 0)", "upc_all_reduceI: invalid operation for this type: 0"),
    ("upc_all_reduceI (i, j, UPC_FUNC, 3, 1, none, 0)", "upc_all_reduceI: func is null"),
    ("upc_all_prefix_reduceI (i, j, UPC_NONCOMM_FUNC, 3, 1, none, 0)",
     "upc_all_prefix_reduceI: func is null"),
    ("upc_all_sort (null, 4, 8, 1, order, 0)", "upc_all_sort: a is a null pointer"),
    ("upc_all_sort (i, 4, 8, 1, 0, 0)", "upc_all_sort: func is null"),
    ("p[MYTHREAD] = MYTHREAD == 1 ? 3 : MYTHREAD; upc_all_permute (a, b, p, 1, 0)",
     "upc_all_permute: perm[1] is 3, of 3 threads"),
    ("p[MYTHREAD] = MYTHREAD == 2 ? -1 : MYTHREAD; upc_all_permute (a, b, p, 1, UPC_IN_MYSYNC | UPC_OUT_MYSYNC)",
     "upc_all_permute: perm[2] is -1, of 3 threads"),
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
     "invalid flags for upc_all_broadcast: 0x6"),
    ("upc_all_reduceI (i, j, UPC_ADD, 3, 1, 0, 64)", "invalid flags for upc_all_reduceI: 0x40"),
    ("upc_all_reduceI (i, &k[3], UPC_ADD, 3, 2, 0, 0)",
     "upc_all_reduceI: invalid phase of src: 3 in blocks of 2 elements"),
    ("upc_all_prefix_reduceI (&k[5], &l[1], UPC_ADD, 3, 0, 0, 0)",
     "upc_all_prefix_reduceI: dst is at thread 1, phase 0, but src at thread 0, phase 0"),
    ("upc_all_prefix_reduceI (&k[1], &l[2], UPC_ADD, 3, 4, 0, 0)",
     "upc_all_prefix_reduceI: dst is at thread 0, phase 1, but src at thread 0, phase 2"),
    ("upc_all_prefix_reduceI (&k[4], &l[0], UPC_ADD, 3, 4, 0, 0)",
     "upc_all_prefix_reduceI: dst is at thread 1, phase 0, but src at thread 0, phase 0"),
    ("upc_all_reduceI (i, (shared int *) ((shared [] char *) j + 2), UPC_ADD, 3, 1, 0, 0)",
     "upc_all_reduceI: src is not aligned for elements of 4 bytes"),
    ("upc_all_reduceD ((shared [] int *) d + 1, e, UPC_ADD, 3, 1, 0, 0)",
     "upc_all_reduceD: dst is not aligned for elements of 8 bytes"),
    ("upc_all_sort (i, 0, 8, 1, order, 0)", "upc_all_sort: elem_size is 0"),
    ("upc_all_sort (&k[3], 4, 8, 2, order, 0)", "upc_all_sort: invalid phase of a: 3 in blocks of 2 elements"),
]

# The destination overlaps the source: where it does, and where a thread's part of the destination begins.
OVERLAPS = [
    ("upc_all_broadcast (a, a, 1, 0)", r"upc_all_broadcast", r"a\[0\] \(thread 0\) of 'shared char a\[4\*THREADS\]', declared at prog.upc:5"),
    ("upc_all_gather_all (a, a + THREADS, 1, 0)", r"upc_all_gather_all", r"a\[[012]\] \(thread [012]\) of 'shared char a.*"),
    ("upc_all_reduceI (&i[3], i, UPC_ADD, 4, 1, 0, 0)", r"upc_all_reduceI", r"i\[3\] \(thread 0\) of 'shared int i.*"),
    ("upc_all_prefix_reduceI (i, i, UPC_ADD, 3, 1, 0, 0)", r"upc_all_prefix_reduceI", r"i\[[012]\] \(thread [012]\) of 'shared int i.*"),
    ("for (shared [] char *q = upc_all_alloc (THREADS, 8);; q++) upc_all_broadcast (q + 3, q, 4, 0)", r"upc_all_broadcast",
     r"byte 3 of thread 0's piece of a block of 8 bytes per thread that thread \d allocated at prog.upc:\d+ by upc_all_alloc"),
]

# A permutation that is none, whichever way the data goes: moved by one thread for all, by
# each, by each without waiting.
CHECKED += [
    (f"p[MYTHREAD] = 2 - 2 * (MYTHREAD == 2); upc_barrier; upc_all_permute (a, b, p, 1, {flags})",
     "upc_all_permute: perm[0] and perm[1] are both 2")
    for flags in ["0", "UPC_IN_MYSYNC | UPC_OUT_MYSYNC", "UPC_IN_NOSYNC | UPC_OUT_NOSYNC"]
]

# The same in pieces, of which others are moved meanwhile.
IN_PIECES = [
    ("p[MYTHREAD] = MYTHREAD % 2; upc_all_permute (upc_all_alloc (THREADS, 600000), "
     "upc_all_alloc (THREADS, 600000), p, 600000, 0)", "upc_all_permute: perm[0] and perm[2] are both 0"),
]

def results(upct, calls, *switches, **environment):
    """What a program that makes one of CALLS says, for each of them."""
    program = upct.compile("-w", "-O1", *switches, upct.write("prog.upc", misuse_source(calls)))
    for i in range(len(calls)):
        result = upct.run([program, i], THREADS=3, **environment)
        assert (result.stdout, result.returncode) == ("", 1), f"{calls[i]}: {result.stderr}"
        yield result.stderr


def expect_lines(upct, table, **environment):
    """Any thread may be the first to say it."""
    for (call, line), said in zip(table, results(upct, [call for call, _ in table], **environment)):
        assert re.fullmatch(rf"prog: error: thread \d: {re.escape(line)}\n", said), f"{call}: {said}"


def test_always_an_error(upct):
    expect_lines(upct, ALWAYS)


def test_an_error_with_checks(upct):
    expect_lines(upct, CHECKED, UPC_CHECK=1)
    if "thread" not in upct.sanitizers:
        expect_lines(upct, IN_PIECES, UPC_CHECK=1)


def test_what_overlaps_is_named(upct):
    said = results(upct, [call for call, *_ in OVERLAPS], "-g", UPC_CHECK=1)
    for (call, function, place), line in zip(OVERLAPS, said):
        line = line.replace(f"{upct.folder}/", "")
        assert re.fullmatch(rf"prog\.upc:\d+: error: thread \d: {function}: the destination overlaps the source: {place}\n", line), f"{call}: {line}"


# What -fupc-check asks for is the same.
@pytest.mark.parametrize("switches, environment", [((), {"UPC_CHECK": 1}), (("-fupc-check",), {})])
def test_different_arguments(upct, switches, environment):
    for (call, pattern), said in zip(DIFFERENT, results(upct, [call for call, _ in DIFFERENT], *switches, **environment)):
        assert re.fullmatch(rf"prog: error: thread \d: ({pattern})\n", said), f"{call}: {said}"


def test_operations_that_nobody_completes(upct):
    """With checks: at the end of the run, and before GASNet's barrier. What the last thread starts may be
    complete at once."""
    program = upct.compile(upct.write("prog.upc", """#include <gasnet_coll.h>
#include <upc.h>
strict shared int started[THREADS];
int main (int argc, char **argv)
{
  long x[2] = { 0, 0 }, y = 1;
  int flags = GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC | GASNET_COLL_LOCAL;
  gasnet_coll_handle_t h[2];
  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  while (MYTHREAD == 2 && !(started[0] && started[1]))
    upc_poll ();
  h[0] = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &x[0], 0, &y, sizeof y, flags);
  h[1] = gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, &x[1], 0, &y, sizeof y, flags);
  if (argc > 1 && MYTHREAD == 1)
    gasnet_barrier_notify (0, GASNET_BARRIERFLAG_ANONYMOUS);
  started[MYTHREAD] = 1;
  if (MYTHREAD != 1)
    gasnet_coll_wait_sync (h[1]);
  upc_barrier;
  if (MYTHREAD == 2)
    gasnet_coll_wait_sync (h[0]);
  return 0;
}
"""))
    upct.check_prints("", [program], THREADS=3, ASAN_OPTIONS="detect_leaks=0")
    result = upct.run([program], THREADS=3, UPC_CHECK=1)
    assert (result.stdout, result.stderr, result.returncode) == (
        "", "prog: error: thread 0: 1 collective operation was never completed by gasnet_coll_wait_sync\n"
            "prog: error: thread 1: 2 collective operations were never completed by gasnet_coll_wait_sync\n", 1)
    result = upct.run([program, "x"], THREADS=3, UPC_CHECK=1)
    assert result.returncode == 1
    assert result.stderr.endswith("error: thread 1: gasnet_barrier_notify: 2 collective operations of this thread are not completed\n")


@pytest.mark.parametrize("suffix", ["", "_nb"])
def test_no_collective_function_within_gasnet_s_barrier(upct, suffix):
    program = upct.compile(upct.write("prog.upc", """#include <gasnet_coll.h>
#include <upc.h>
int main (void)
{
  long x = 0, y = 1;
  gasnet_coll_init (NULL, 0, NULL, 0, 0);
  gasnet_barrier_notify (0, 0);
  gasnet_coll_broadcastSUFFIX (GASNET_TEAM_ALL, &x, 0, &y, sizeof y,
                               GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_LOCAL);
  gasnet_barrier_wait (0, 0);
  return 0;
}
""".replace("SUFFIX", suffix)))
    result = upct.run([program], THREADS=2, UPC_CHECK=1)
    message = f"prog: error: thread [01]: gasnet_coll_broadcast{suffix} between upc_notify and upc_wait\n"
    assert re.fullmatch(message, result.stderr) and result.returncode == 1, result.stderr
