"""Loops that go from block to block do what the same loops over private arrays do."""

import pytest

from generators import by_threads, copied_nests, free_loops, index_values, loop_forms, nests, shifts, short_loops, walkers
from support import FULL
from support.upcc import links

pytestmark = pytest.mark.sample(10, plain=2)

SWITCHES = ["-O2", "-O3 -T 3", "-O1 -fupc-pts=struct", "-O0 -T 4", "-O2 -T 2 -fupc-pts=struct"]


# With -O3 -T 3 gcc believed two addresses of an element in 705 to be of two objects. A loop by rounds in 18
# has indexes below 0 in the iterations before those that access an element.
SEEDS = [(cc, s) for cc in ("gcc", "clang") for s in range(20 if FULL else 3)] + [("gcc", 705), ("gcc", 18)]


@pytest.mark.parametrize("cc, seed", SEEDS)
@pytest.mark.parametrize("program", [loop_forms.program, loop_forms.blocks_program])
def test_random_loops_are_those_of_private_arrays(upct, cc, seed, program):
    upct.write("a.upc", program(seed))
    for switches in SWITCHES if FULL else [SWITCHES[(seed + (cc == "gcc")) % len(SWITCHES)]]:
        # Private arrays of a size that -O3 looks beyond of are the model's.
        binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc", UPCC_CC=cc)
        for threads in [None] if "-T" in switches else [1, 2, 3, 5, 16]:
            result = upct.run([binary], THREADS=threads)
            assert (result.stderr, result.returncode) == ("", 0), f"THREADS={threads} {switches}"


@pytest.mark.parametrize("cc, seed", [(cc, s) for cc in ("gcc", "clang") for s in range(200 if FULL else 4)] + [("gcc", 503000)])
def test_the_order_of_iterations_may_change_only_where_it_is_free(upct, cc, seed):
    upct.write("a.upc", free_loops.program(seed))
    switches = SWITCHES[(seed + (cc == "gcc")) % len(SWITCHES)]
    binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc", UPCC_CC=cc)
    for threads in [None] if "-T" in switches else [1, 2, 3, 16]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stderr, result.returncode) == ("", 0), f"THREADS={threads} {switches}"


@pytest.mark.parametrize("switches", ["-O2", "-O0 -T 3", "-O3 -fupc-pts=struct", "-O2 -fupc-check", "-O2 -T 1", "-O1 --profile"])
@pytest.mark.parametrize("name", ["pointers", "columns"])
def test_pointers_and_columns(upct, name, switches):
    binary = links(upct, *switches.split(), upct.fixture(f"upc2c/{name}.upc"))
    for threads in [None] if "-T" in switches else [1, 2, 3, 5]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stdout, result.returncode) == ("", 0), f"THREADS={threads}"


# In 101, copied, and 70074, short, gcc believed two addresses of an element to be of two objects.
@pytest.mark.parametrize("cc, seed", [(cc, s) for cc in ("gcc", "clang") for s in range(200 if FULL else 4)] + [("gcc", 101), ("gcc", 70074)])
@pytest.mark.parametrize("program, more", [(nests.program, "-O2 -T 1"), (short_loops.program, "-O2 -T 1"),
                                           (by_threads.program, "-O3 -march=native"),
                                           (copied_nests.program, "-O3 -march=native"),
                                           (copied_nests.large_program, "-O3 -march=native")])
def test_nests_are_those_of_private_arrays(upct, cc, seed, program, more):
    upct.write("a.upc", program(seed))
    switches = [*SWITCHES, "-O2 -fupc-check", more][(seed + 3 * (cc == "gcc")) % 7]
    binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc", UPCC_CC=cc)
    for threads in [None] if "-T" in switches else [1, 2, 3, 16]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stderr, result.returncode) == ("", 0), f"THREADS={threads} {switches}"


@pytest.mark.parametrize("cc, seed", [(cc, s) for cc in ("gcc", "clang") for s in range(200 if FULL else 4)])
@pytest.mark.parametrize("program", [shifts.program, index_values.program])
def test_loads_come_before_stores_of_later_iterations(upct, cc, seed, program):
    upct.write("a.upc", program(seed))
    switches = [*SWITCHES, "-O3 -march=native", "-O2 -fupc-check"][(seed + 3 * (cc == "gcc")) % 7]
    binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc", UPCC_CC=cc)
    for threads in [None] if "-T" in switches else [1, 2, 3, 5]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stderr, result.returncode) == ("", 0), f"THREADS={threads} {switches}"


def test_parts_of_loops_keep_the_order(upct):
    """gcc -O3 went through the parts of one of these in another order."""
    upct.write("a.upc", shifts.program(5003))
    binary = links(upct, "-w", "-fwrapv", "-O3", "a.upc", UPCC_CC="gcc")
    for threads in [1, 2]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stderr, result.returncode) == ("", 0), f"THREADS={threads}"


CALLED_ONCE = """#include <upc_relaxed.h>
enum { N = 300, EDGE = 12 };
shared [] double a[2 * N];
shared [] short b[2 * N];
static __attribute__ ((noinline)) void
assign (int n, shared [] double *pa, shared [] short *pb)
{
  for (int i = n - 1; i >= EDGE; i -= 3)
    {
      int q = 0;
      for (int w = 0; w < 2; w++)
        q = i + 4;
      if (pb[i - 3] > 40)
        pa[q] = pb[i];
    }
}
int
main (void)
{
  if (MYTHREAD > 0)
    return 0;
  for (int i = 0; i < 2 * N; i++)
    b[i] = 41;
  assign (N / 2 + 11, a, b);
  for (int i = 0; i < N; i++)
    if (a[i] != (i >= 16 && i <= 164 && i % 3 == 2 ? 41 : 0))
      return 1;
  return 0;
}
"""


@pytest.mark.parametrize("pts", ["packed", "struct"])
def test_addresses_are_no_null_pointers(upct, pts):
    """gcc 12 took the address of each store for one of address 0, and dropped the call."""
    upct.write("a.upc", CALLED_ONCE)
    upct.check_prints("", [links(upct, "-w", "-O2", f"-fupc-pts={pts}", "a.upc", UPCC_CC="gcc")], THREADS=2)


@pytest.mark.parametrize("cc, seed", [(cc, s) for cc in ("gcc", "clang") for s in range(200 if FULL else 4)])
def test_indexes_that_walk_lead_to_the_elements(upct, cc, seed):
    upct.write("a.upc", walkers.program(seed))
    switches = [*SWITCHES, "-O3 -march=native", "-O2 -fupc-check", "-O2 --profile"][(seed + 4 * (cc == "gcc")) % 8]
    binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc", UPCC_CC=cc)
    for threads in [None] if "-T" in switches else [1, 2, 3, 5]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stderr, result.returncode) == ("", 0), f"THREADS={threads} {switches}"


WAYS = ["gcc -O2", "clang -O3", "gcc -O3 -T 3", "gcc -O1 -fupc-check", "clang -O0 -fupc-pts=struct", "gcc -O2 --profile"]


def compare(upct, name, way, *definitions):
    """The program's loops do what they do with private arrays, compiled in that WAY; it prints nothing then."""
    cc, *switches = way.split()
    binary = links(upct, *switches, *definitions, upct.fixture(f"upc2c/{name}.upc"), "-lm", UPCC_CC=cc)
    for threads in [None] if "-T" in switches else [1, 2, 3, 5]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stdout, result.returncode) == ("", 0), f"THREADS={threads}"


@pytest.mark.parametrize("way", ["gcc -O2", "clang -O3", "gcc -O3 -T 3", "clang -O2 -fupc-check", "gcc -O2 -fupc-pts=struct", "gcc -O1 -T 1"])
@pytest.mark.parametrize("block", [0, 1, 2, 4, 16])
def test_nests_over_parts_of_one_array(upct, block, way):
    compare(upct, "meeting_nests", way, "-w", f"-DBLOCK={block}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("block", [0, 64, 100, 1000])
def test_steps_by_variables(upct, block, way):
    compare(upct, "steps", way, f"-DBLOCK={block}", "-DARRAYS=* THREADS" if block else "-DARRAYS=")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("block", [1, 3, 4, 16, 400])
def test_reductions(upct, block, way):
    compare(upct, "reductions", way, "-w", f"-DBLOCK={block}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("block", [1, 3, 16, 512])
def test_searches(upct, block, way):
    compare(upct, "searches", way, "-w", f"-DBLOCK={block}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("block, row", [(1, 5), (2, 4), (16, 16), (12, 36)])
def test_whole_blocks(upct, block, row, way):
    compare(upct, "whole_blocks", way, "-w", f"-DBLOCK={block}", f"-DROW={row}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("block", [1, 4, 100])
def test_loops_with_several_counters(upct, block, way):
    compare(upct, "counters", way, "-w", f"-DBLOCK={block}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("block", [1, 4, 100])
def test_while_loops(upct, block, way):
    compare(upct, "whiles", way, "-w", f"-DBLOCK={block}")


SHARED_WORK = """#include <upc_relaxed.h>
#include <stdio.h>
enum { N = 40, M = 33 };
shared [BLOCK] int a[N * THREADS][N], b[N * THREADS][N], c[N * THREADS][N];
static int c_is[N][N];
static __attribute__ ((noinline)) void
by_pointers (int n, shared [BLOCK] int (*x)[N], shared [BLOCK] int (*y)[N], shared [BLOCK] int (*z)[N])
{
  upc_forall (int i = n - 1; i >= 2; i--; &x[i][3])
    for (int k = 0; k < n; k++)
      for (int j = i; j < n; j++)
        x[i][j] += y[i][k] * z[k][j];
}
static void
check (const char *what, shared [BLOCK] int (*x)[N])
{
  upc_barrier;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (x[i][j] != c_is[i][j])
        {
          printf ("%s: [%d][%d]\\n", what, i, j);
          upc_global_exit (1);
        }
  upc_barrier;
}
int
main (void)
{
  shared [BLOCK] int (*x)[N] = upc_all_alloc ((N * N + BLOCK - 1) / BLOCK, BLOCK * sizeof (int));
  int n = M;

  upc_forall (int i = 0; i < N; i++; i)
    for (int j = 0; j < N; j++)
      {
        a[i][j] = i - 2 * j;
        b[i][j] = 3 * i + j;
        x[i][j] = c[i][j] = i ^ j;
      }
  upc_barrier;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      c_is[i][j] = i ^ j;
  for (int i = 2; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = 0; k < n; k++)
        c_is[i][j] += a[i][k] * b[k][j];
  by_pointers (n, x, a, b);
  check ("blocks of the heap", x);
  by_pointers (n, c, a, b);
  check ("pointers to arrays", c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c_is[i][j] += a[i][k] * b[k][j];
  upc_forall (int i = 0; i < n; i++; i)
    for (int j = 0; j < n; j++)
      {
        int sum = 0;
        for (int k = 0; k < n; k++)
          sum += a[i][k] * b[k][j];
        c[i][j] += sum;
      }
  check ("by numbers", c);
  /* All iterations of the inner one are those of the thread that has the outer one's. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c_is[i][j] -= a[i][k] * b[k][j];
  upc_forall (int once = 0; once < 1; once++; THREADS - 1)
    upc_forall (int i = 0; i < n; i++; &c[i][0])
      for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
          c[i][j] -= a[i][k] * b[k][j];
  check ("inside of another", c);
  return 0;
}
"""


@pytest.mark.parametrize("cc, switches", [("gcc", "-O2"), ("clang", "-O3"), ("gcc", "-O1 -T 3"), ("gcc", "-O2 -fupc-pts=struct")])
@pytest.mark.parametrize("block", [1, 3, 16])
def test_threads_share_the_work_of_nests_in_copies(upct, cc, switches, block):
    upct.write("a.upc", SHARED_WORK)
    binary = links(upct, *switches.split(), f"-DBLOCK={block}", "a.upc", UPCC_CC=cc)
    for threads in [None] if "-T" in switches else [1, 2, 5]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stdout + result.stderr, result.returncode) == ("", 0), f"THREADS={threads}"


BESIDE = """#include <upc_relaxed.h>
#include <stdio.h>
enum { N = 24 };
shared [BLOCK] KIND a[N * THREADS][N], b[N * THREADS][N];
shared KIND wide[N][THREADS];
int
main (void)
{
  int bad = 0;

  /* Each thread has columns, or rows, of its own; what it adds to is beside what others add to. */
  for (int round = 0; round < 40; round++)
    {
      for (int t = 0; t < 60; t++)
        for (int i = 0; i < N; i++)
          for (int j = MYTHREAD; j < N; j += THREADSTEP)
            {
              a[i][j] += 1;
              if (i == 5)
                b[j][i] = a[i][j] + 1;
            }
      upc_barrier;
    }
  for (int t = 0; t < 60; t++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < THREADS; j++)
        if (j == MYTHREAD)
          wide[i][j] += t;
  upc_barrier;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
        if (a[i][j] != (KIND) (j % THREADSTEP < THREADS ? 2400 : 0))
          bad++;
        if (b[j][i] != (KIND) (i == 5 && j % THREADSTEP < THREADS ? 2401 : 0))
          bad++;
        if (j < THREADS && wide[i][j] != (KIND) (59 * 30))
          bad++;
      }
  if (bad)
    printf ("%d\\n", bad);
  return bad != 0;
}
"""


@pytest.mark.no_sanitizers("they are to see the accesses of the program itself")
@pytest.mark.parametrize("kind, block", [("double", 1), ("unsigned char", 2), ("short", 3), ("int", 16)])
def test_a_nest_in_copies_writes_back_what_it_has_changed_alone(upct, kind, block):
    upct.write("a.upc", BESIDE)
    flags = ["-O2", f"-DKIND={kind}", f"-DBLOCK={block}", "-DTHREADSTEP=4"]
    assert translated(upct, flags).count("__upc_nest_is_copied") == 2
    for threads in [1, 2, 3, 4]:
        result = upct.run([links(upct, *flags, "a.upc")], THREADS=threads)
        assert (result.stdout, result.returncode) == ("", 0), f"THREADS={threads}"


UNKNOWN = """#include <upc_relaxed.h>
#include <stdio.h>
enum { N = 40 };
shared [BLOCK] double a[N * THREADS][N], b[N * THREADS][N], c[N * THREADS][N];
static double own_a[N][N], own_b[N][N], own_c[N][N];

/* What i - 1u + 1u is in the nest is not known, as a part of it wraps around. */
#define NEST(name, a, b, c) \\
  static __attribute__ ((noinline)) void \\
  name (unsigned n, unsigned half) \\
  { \\
    for (unsigned i = 0; i < half; i++) \\
      { \\
        for (unsigned k = 0; k < n; k++) \\
          for (unsigned j = 0; j < n; j++) \\
            c[i][j] += a[i][k] * b[k][j]; \\
        for (unsigned k = i - 1u + 1u; k < n; k++) \\
          c[i + half][k] += a[i][k]; \\
      } \\
  }
NEST (shared_nest, a, b, c)
NEST (own_nest, own_a, own_b, own_c)

int
main (void)
{
  int bad = 0;

  if (MYTHREAD == 0)
    {
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          {
            a[i][j] = own_a[i][j] = i + j;
            b[i][j] = own_b[i][j] = i - j;
          }
      shared_nest (N, N / 2);
      own_nest (N, N / 2);
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          bad += c[i][j] != own_c[i][j];
    }
  if (bad)
    printf ("%d\\n", bad);
  return bad != 0;
}
"""


@pytest.mark.parametrize("block", [1, 4, 40, 600])
def test_a_nest_with_a_loop_of_unknown_range(upct, block):
    """It was copied without what that loop accesses."""
    upct.write("a.upc", UNKNOWN)
    binary = links(upct, "-O2", f"-DBLOCK={block}", "a.upc")
    for threads in [1, 2, 3, 5]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stdout, result.returncode) == ("", 0), f"THREADS={threads}"


def translated(upct, flags):
    upct.check_output([upct.tool("upcc"), *flags, "-trans", "a.upc"])
    with open(upct.path("a.trans.c"), encoding="utf-8") as file:
        return file.read().rpartition("main (void)")[2]


STENCILS = """#include <upc_relaxed.h>
shared [4] double a[400 * THREADS], b[400 * THREADS];
%s void first (int n) { for (int i = 1; i < n; i++) a[i] = b[i - 1] + b[i + 1]; }
%s void second (int n) { for (int i = 1; i < n; i++) b[i] = a[i - 1] * a[i + 1]; }
int main (void) { first (300); second (200); return 0; }
"""


# A copy is 150 instructions: compilers take longer for it than for the loop.
@pytest.mark.parametrize("qualifier, count", [("static", 2), ("", 2), ("inline", 4), ("extern inline", 4)])
def test_rows_are_copied_by_one_function_of_each_layout(upct, qualifier, count):
    upct.write("a.upc", STENCILS % (qualifier, qualifier))
    upct.check_output([upct.tool("upcc"), "-O2", "-trans", "a.upc"])
    with open(upct.path("a.trans.c"), encoding="utf-8") as file:
        program = file.read().partition("struct __upc_shared_b")[2]
    assert program.count("__upc_window_copy (") == count
    assert program.count("__upc_window_get4_8 (") == (3 if count == 2 else 0)


# 2000 blocks of each thread are in a table, unless there are more than 65 threads.
TABLES = """#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#define N 8000
shared [4] int a[N * THREADS], b[N * THREADS], key[N * THREADS];
int pa[N * 100], pb[N * 100], pkey[N * 100];

#define FUNCTIONS(name, a, b, key) \
  void histogram_##name (int n) { for (int i = 0; i < n; i++) a[key[i] & 255] += 3; } \
  void stencil_##name (int n) { for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + 3 * a[i] + a[i + 1]; } \
  void steps_##name (long n, long step) { for (long i = 0; i + step < n; i += step) a[i] += b[i + step]; } \
  void sort_##name (int n) \
  { for (int i = 1; i < n; i++) { int t = a[i], j; for (j = i - 1; j >= 0 && a[j] > t; j--) a[j + 1] = a[j]; a[j + 1] = t; } } \
  long gather_##name (int n) { long s = 0; for (int i = 0; i < n; i++) s += b[key[i]] * (i & 7); return s; } \
  void mirror_##name (int n) { for (int i = 0; i < n; i++) a[n - 1 - i] = b[key[i]] ^ i; } \
  long all_##name (int n) \
  { \
    histogram_##name (n); stencil_##name (n); steps_##name (n, 3); steps_##name (n, 100); \
    if (n < 300) sort_##name (n); \
    long s = gather_##name (n); mirror_##name (n); \
    return s; \
  }

FUNCTIONS (shared, a, b, key)
FUNCTIONS (private, pa, pb, pkey)

int
main (void)
{
  if (MYTHREAD == 0)
    for (int n = 3; n < N * THREADS; n *= 3)
      {
        for (int i = 0; i < N * THREADS; i++)
          {
            a[i] = pa[i] = i * 7 % 1001;
            b[i] = pb[i] = i % 13;
            key[i] = pkey[i] = (i * 77l + 5) % (N * THREADS);
          }
        if (all_shared (n) != all_private (n))
          printf ("%d: another sum\\n", n);
        for (int i = 0; i < N * THREADS; i++)
          if (a[i] != pa[i] || b[i] != pb[i])
            return printf ("%d: another element %d\\n", n, i);
      }
  upc_barrier;
  return 0;
}
"""


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O2"), ("gcc", "-O2 -fupc-check"), ("clang", "-O2 -fupc-pts=struct")])
def test_loops_of_which_arrays_have_no_tables(upct, compiler, switches):
    upct.write("a.upc", TABLES)
    binary = upct.compile(*switches.split(), "a.upc", output="a", UPCC_CC=compiler)
    for threads in (2, 70):
        result = upct.run([binary], THREADS=threads)
        assert (result.stdout, result.stderr, result.returncode) == ("", "", 0), f"THREADS={threads}"


def test_the_form_for_few_iterations_serves_without_tables(upct):
    upct.write("a.upc", TABLES)
    upct.check_output([upct.tool("upcc"), "-O2", "-trans", "a.upc"])
    with open(upct.path("a.trans.c"), encoding="utf-8") as file:
        function = file.read().partition("void histogram_shared")[2].partition("void stencil_shared")[0]
    assert "!__upc_is_sure1 || __upc_residues_are_short (" in function
    assert function.count("__upc_tabled_address_32_small (") == function.count("__upc_tabled_address_32_sure (") == 1


@pytest.mark.parametrize("switches", ["-O2 -T 1", "-O2 --profile-local", "-O1 -T 3 --profile"])
@pytest.mark.parametrize("program", [loop_forms.program, loop_forms.blocks_program])
def test_one_thread_and_events_change_no_values(upct, switches, program):
    for seed in range(10 if FULL else 1):
        upct.write("a.upc", program(seed))
        binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc")
        for threads in [None] if "-T" in switches else [1, 3]:
            result = upct.run([binary], THREADS=threads)
            assert (result.stderr, result.returncode) == ("", 0), f"seed {seed} THREADS={threads}"


def test_checks_find_nothing(upct):
    """The other programs leave rows on purpose."""
    for seed in range(100 if FULL else 2):
        upct.write("a.upc", loop_forms.blocks_program(seed))
        binary = links(upct, "-w", "-fwrapv", "-O2", "-fupc-check", "a.upc")
        for threads in [1, 3]:
            result = upct.run([binary], THREADS=threads)
            assert (result.stderr, result.returncode) == ("", 0), f"seed {seed} THREADS={threads}"


NO_TABLES = """#include <upc_relaxed.h>
enum { N = 4096 };
shared [2] int a[N * THREADS], b[N * THREADS], at[N * THREADS];
static int
sums (int n, int *moved)
{
  int sum = 0, low = 0;

  for (int i = 0; i < n; i++)
    a[i] = b[at[i]] + i;
  for (int i = 0; i + 1 < n; i++)
    sum = sum * 3 + a[i] * a[i + 1];
  for (int i = 0; i + 1 < n; i++)
    if (b[i] > b[i + 1])
      low++, b[i + 1] = b[i] - 1;
  *moved = low;
  return sum;
}
static int
same_sums (int n, int *moved)
{
  static int x[70 * N], y[70 * N];
  int sum = 0, low = 0;

  for (int i = 0; i < n; i++)
    y[i] = i * 5 % 11;
  for (int i = 0; i < n; i++)
    x[i] = y[n - 1 - i] + i;
  for (int i = 0; i + 1 < n; i++)
    sum = sum * 3 + x[i] * x[i + 1];
  for (int i = 0; i + 1 < n; i++)
    if (y[i] > y[i + 1])
      low++, y[i + 1] = y[i] - 1;
  *moved = low;
  return sum;
}
int
main (void)
{
  int n = N * THREADS, moved, moved_too, is_wrong = 0;

  if (MYTHREAD == 0)
    {
      for (int i = 0; i < n; i++)
        b[i] = i * 5 % 11, at[i] = n - 1 - i;
      is_wrong = sums (n, &moved) != same_sums (n, &moved_too) || moved != moved_too;
    }
  upc_barrier;
  return is_wrong;
}
"""


@pytest.mark.parametrize("switches", ["-O0", "-O1 --profile", "-O2", "-O3", "-O2 -fupc-check"])
def test_arrays_of_many_threads_have_no_table_of_blocks(upct, switches):
    """With 64 threads the arrays have as many blocks as a table."""
    upct.write("a.upc", NO_TABLES)
    binary = links(upct, "-w", "-fwrapv", *switches.split(), "a.upc")
    for threads in [2, 64, 65, 70]:
        assert upct.run([binary], THREADS=threads).returncode == 0, f"THREADS={threads}"


CONDITION = """#include <upc_relaxed.h>
#include <stdio.h>
shared [30] int a[20 * THREADS][10];
int
main (void)
{
  int i, j, sum = 0;

  for (i = 0; MYTHREAD == 0 && i < 20; i++)
    for (j = 0; j < 10; j++)
      a[i][j] = i + j;
  for (i = 0; MYTHREAD == 0 && a[i][1] < 15; i++)
    for (j = 0; j < 10; j++)
      sum += a[i][j];
  if (MYTHREAD == 0)
    printf ("%d %d\\n", i, sum);
  return 0;
}
"""


@pytest.mark.parametrize("switches", ["-O0", "-O2", "-O2 -T 3"])
def test_rows_are_known_in_the_body_only(upct, switches):
    """Rows of which three make a block are found in each iteration: not before the condition."""
    upct.write("a.upc", CONDITION)
    binary = links(upct, *switches.split(), "a.upc")
    for threads in [None] if "-T" in switches else [1, 2, 7]:
        assert upct.check_output([binary], THREADS=threads) == "14 1540\n", f"{switches} {threads}"


LOOPS = """#include <upc_relaxed.h>
shared [10] double a[100 * THREADS], b[100 * THREADS];
shared [10] int m[10 * THREADS][10];
struct pair { int x; double y; };
shared [8] struct pair pairs[80 * THREADS];
shared int c[10 * THREADS];
shared [30] int rows[10 * THREADS][10];
shared [16] float cube[8 * THREADS][4][4];
shared [5] char *text;
shared [64] int starts[128 * THREADS];
static int own[200];
double sum (int n, shared [10] double *p, shared [10] double *e);
double
sum (int n, shared [10] double *p, shared [10] double *e)
{
  double s = 0;
  int i, j;
  unsigned u;

  for (i = 0; i < n; i++)
    a[i] = 2 * b[i];
  for (u = 1; u < (unsigned) n; u++)
    s += a[u - 1];
  for (i = n - 1; i >= 0; i--)
    {
      if (a[i] > 3)
        break;
      s += a[i];
    }
  for (i = 0; i < n; i++)
    if (i % 3)
      s += pairs[i].y;
    else
      s -= pairs[i].x;
  upc_forall (i = 1; i < n - 1; i++; &a[i])
    a[i] = b[i - 1] + b[i + 1];
  upc_forall (i = 0; i < n; i++; &a[i])
    a[i] = b[i];
  upc_forall (i = 0; i < 10 * THREADS; i++; &m[i][0])
    for (j = 1; j < 9; j++)
      m[i][j] = i + j;
  for (i = 1; i < n; i++)
    for (j = 0; j < 10; j++)
      s += m[i - 1][j] * rows[i][j + 1] + c[i];
  for (j = 0; j < 10; j++)
    for (i = 0; i < n; i++)
      m[i][j] += rows[i][j];
  upc_forall (i = 0; i < n; i++; i * THREADS / n)
    for (j = 0; j < 4; j++)
      cube[i][j][1] = (float) (m[i][j] + rows[i][n % 10] + c[i + 1]);
  upc_forall (i = 0; i < n; i++; i)
    {
      c[i] = rows[i][0];
      for (u = 0; u < 10; u++)
        rows[i][u] = m[i][u];
    }
  for (i = 0; i < n; i++)
    {
      for (j = i; j < s; j++)
        s += b[j * j % 10];
      p[i] = n;
    }
  upc_forall (i = 0; i < n; i++; (int) a[i])
    for (j = 0; j < n; j++)
      s += c[j * j % 10];
  for (; p < e; p++)
    s += *p;
  for (p -= n; n--; p++)
    ;
  while (p < e)
    s -= *p++;
  for (i = 0; a[i] < 0; i++)
    ;
  for (i = 0; i < n; i++)
    ((shared [] char *) &text[i / 5 * 5])[i % 5] = 'x';
  for (i = 0; i < n; i++)
    for (j = i; j < n; j++)
      for (u = 0; u < 10; u++)
        if (j != 7)
          rows[i][u] -= c[j] * m[j][u];
  upc_forall (i = n - 1; i >= 0; i--; &c[i])
    for (j = 0; j < n; j++)
      for (u = 0; u < 10; u++)
        c[i] += rows[j][u] * i;
  return s;
}
void scatter (int n);
void
scatter (int n)
{
  for (int i = 0; i < n; i++)
    for (int j = starts[i]; j < starts[i + 1]; j++)
      starts[own[j]] = 1;
  for (int i = 0; i < n && own[i]; i++)
    starts[own[i]] = i;
}
"""


@pytest.mark.parametrize("cc, switches", [
    (cc, o) for cc in ("gcc", "clang") for o in ("-O0", "-O2 -g", "-O3", "-O2 -fopenmp -T 2",
                                                 "-O2 -fsanitize=undefined", "-O2 --profile", "-O1 -std=c90")])
def test_compilers_have_nothing_to_say_of_them(upct, cc, switches):
    if "fsanitize" in switches and upct.sanitizers:
        pytest.skip("one sanitizer in another")
    upct.write("a.upc", LOOPS)
    words = ["-Wall", "-Wextra", "-Wshadow", "-Wpedantic", *switches.split(), "-c", "a.upc"]
    result = upct.run([upct.tool("upcc"), *words], UPCC_CC=cc)
    assert (result.returncode, result.stderr) == (0, ""), switches


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_warnings_of_unrolled_loops_are_said_once(upct, cc):
    upct.write("a.upc", """#include <upc_relaxed.h>
shared [30] int g[30 * THREADS][30], h[30];
void
f (int i, unsigned u)
{
  for (int j = 3; j < 27; j++)
    for (int a = 0; a < 2; a++)
      for (int b = -1; b <= 1; b++)
        if (u > b)
          h[j] += g[i + a][j + b];
  int never;
}
""")
    said = upct.run([upct.tool("upcc"), "-O2", "-Wall", "-Wextra", "-T", "1", "-c", "a.upc"], UPCC_CC=cc).stderr
    assert (said.count("-Wsign-compare"), said.count("-Wunused-variable")) == (1, 1)


# Iterations that depend on each other, whatever they look like.
ORDERED = ["a[i] = a[i - 1];", "a[i + 1] = a[i];", "a[i] = b[i]; b[i + 1] = 2;", "s += a[i];", "a[3] = i;", "a[i] = f (i);",
           "q[i] = q[i - 1];", "a[i] = *w++;", "a[i] = w[i];", "st[i] = 1;", "w[i] = a[i];", "a[i] = q[i * i];"]
SIDE_BY_SIDE = ["if (a[i] > 2) a[i] = 0;", "a[i] = b[i - 1] + b[i + 1];", "a[i] += 3 * b[i];", "a[i] = b[i] * x + k;", "q[i] = q[i] + 1;",
                "{ double z = b[i]; a[i] = z * z; }", "q[i] = a[i];", "a[i] = q[i];", "a[i] = q[3];", "q[i] = q[3];", "a[i] = own[i & 3];", "a[i] = 1; b[i] = a[i];"]


def test_only_independent_iterations_run_side_by_side(upct):
    for body, is_free in [(b, False) for b in ORDERED] + [(b, True) for b in SIDE_BY_SIDE]:
        upct.write("a.i", "shared [10] double a[100], b[100]; strict shared [10] double st[100]; double f (int); double own[4];\n"
                   "double loop (int n, int k, double x, double *w, shared [10] double *q)\n"
                   f"{{ int i; double s = 0; for (i = 1; i < n; i++) {{ {body} }} return s; }}\n")
        text = upct.check_output([upct.tool("upc2c"), "-fupc-threads-2", "a.i", "-o", "-"])
        assert ("#pragma omp simd" in text or "__upc_residues_begin" in text or "__upc_pieces_begin" in text) == is_free, body


@pytest.mark.parametrize("cc", ["gcc", "clang"])
@pytest.mark.parametrize("switches", ["-O1 -fsanitize=undefined", "-O3"])
def test_neighbours_in_small_blocks(upct, cc, switches):
    if upct.target and cc == "clang" and "sanitize" in switches:
        pytest.skip("clang has no libraries for other processors")
    binary = links(upct, *switches.split(), upct.fixture("upc2c/neighbours.upc"), UPCC_CC=cc)
    for threads in [1, 2, 3, 8]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stdout + result.stderr, result.returncode) == ("", 0), f"THREADS={threads}"


def test_loops_behind_pragmas_stay_as_they_are(upct):
    upct.write("a.upc", """#include <upc_relaxed.h>
shared [10] int a[100 * THREADS];
int
main (void)
{
  int i, j, sum = 0;

#pragma omp parallel for collapse (2)
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++)
      a[i * 10 + j] = i;
#pragma GCC ivdep
  for (i = 0; i < 100; i++)
    a[i] += 1;
#pragma upc relaxed
  for (i = 0; i < 100; i++)
    sum += a[i];
  return THREADS == 1 && sum != 550;
}
""")
    for switches in "-O2", "-O2 -fopenmp -T 1":
        assert upct.run([links(upct, *switches.split(), "a.upc")], THREADS=1).returncode == 0


REACHED = """#include <upc_relaxed.h>
#ifdef __aarch64__
#define CHANGED "w9"
#define SUBTRACT_40 "sub %w0, %w0, #40"
#define ADD_1 "add %w0, %w0, #1"
#define STORE_30_AND_2 "mov w9, #30\\n\\tstr w9, %0\\n\\tmov w9, #2\\n\\tstr w9, %1"
#define SUBTRACT_1_AT "ldr w9, [%0]\\n\\tsub w9, w9, #1\\n\\tstr w9, [%0]"
#define ADD_1_AT "ldr w9, [%0]\\n\\tadd w9, w9, #1\\n\\tstr w9, [%0]"
#define ADD_1_IN "ldr w9, %0\\n\\tadd w9, w9, #1\\n\\tstr w9, %0"
#else
#define CHANGED "cc"
#define SUBTRACT_40 "subl $40, %0"
#define ADD_1 "incl %0"
#define STORE_30_AND_2 "movl $30, %0; movl $2, %1"
#define SUBTRACT_1_AT "decl (%0)"
#define ADD_1_AT "incl (%0)"
#define ADD_1_IN "incl %0"
#endif
#include <stdio.h>
#define N 64
shared [N] int a[N * THREADS];
static int limit, base;

__attribute__ ((noinline)) static int
by_asm (int *w)
{
  int sum = 0, n = N, k = 0, m = 0, z = 0;

  for (int i = 0; i < n; i++)
    {
      sum += a[i + k];
      if (i == 9)
        __asm__ volatile (SUBTRACT_40 : "+r" (n));
      if (i == 12)
        sum += ({ __asm__ volatile (ADD_1 : "+r" (k)); 0; });
    }
  limit = N;
  base = 0;
  for (int i = 0; i < limit; i++)
    {
      sum += a[i + base];
      if (i == 20)
        __asm__ volatile (STORE_30_AND_2 : "=m" (limit), "=m" (base) : : CHANGED);
    }
  limit = N;
  for (int i = 0; i < limit; i++)
    {
      sum += a[i];
      __asm__ volatile (SUBTRACT_1_AT : : "r" (w) : "memory", CHANGED);
    }
  for (int i = 0; i < 16; i++)
    {
      __asm__ volatile (ADD_1_AT : : "r" (&m) : "memory", CHANGED);
      sum += a[i + m] + a[i + z];
      __asm__ volatile (ADD_1_IN : "+m" (z) : : CHANGED);
    }
  return sum;
}

static int
by_function (void)
{
  int sum = 0, k = 0;
  auto void more (void);
  void more (void) { k++; }

  for (int i = 0; i < 16; i++)
    {
      sum += a[i + k];
      more ();
    }
  return sum;
}

int
main (void)
{
  int i, sum = 0;

  if (MYTHREAD)
    return 0;
  for (i = 0; i < N; i++)
    a[i] = i;
  sum = by_asm (&limit);
  printf ("%d %d\\n", sum, by_function ());
  return 0;
}
"""


@pytest.mark.parametrize("switches", ["-O0", "-O2", "-O3 -T 2"])
def test_asm_and_nested_functions_change_what_they_reach(upct, switches):
    upct.write("a.upc", REACHED)
    first = sum(range(13)) + sum(range(14, 25))
    second = sum(range(21)) + sum(i + 2 for i in range(21, 30))
    third = sum(range(32))
    fourth = sum((i + i + 1) + (i + i) for i in range(16))
    binary = links(upct, *switches.split(), "a.upc", UPCC_CC="gcc")
    nested = sum(2 * i for i in range(16))
    assert upct.check_output([binary], THREADS=2 if "-T" in switches else 1) == f"{first + second + third + fourth} {nested}\n"


ELSEWHERE = ["__asm__ volatile (\"\" ::: \"memory\");", "__asm__ volatile (\"\" : \"+r\" (other));", "here: if (n == 7) goto here;",
             "\n#pragma GCC ivdep\nwhile (other > n) other--;",
             "void *to = &&there; goto *to; there: ;", "int nested (int v) { return v + other; } other = nested (other);"]


@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_stands_elsewhere_leaves_a_loop_its_strips(upct, text):
    upct.write("a.i", "shared [64] int a[128];\nint f (int n, int peer)\n{ int s = 0, other = n;"
               f" for (int i = 0; i < n; i++) s += a[peer * 64 + i]; {text} return s + other; }}\n")
    assert "__upc_crossing_element" in upct.check_output([upct.tool("upc2c"), "-fupc-threads-2", "a.i", "-o", "-"])
