"""Strips that AddressSanitizer need not see (plan/outlined.c): functions of their own where all of a strip may be accessed.
What may not is found as ever, with its line."""

import re

import pytest

from support.upcc import links, needs_libraries

pytestmark = pytest.mark.host_only("there are no sanitizers' libraries for other processors")

HEAD = """#include <upc.h>
#include <stdlib.h>
#include <stdio.h>
#include <math.h>
#include <string.h>
#define N 1000
shared [N] double a[N * THREADS], b[N * THREADS];
shared [7] int sevens[70 * THREADS], others[70 * THREADS];
shared [8 * 16] int t[8 * THREADS][16], u[8 * THREADS][16];
shared [48] double A[48 * THREADS][48], B[48 * THREADS][48], C[48 * THREADS][48];
shared [] int *p, *q;
shared [] volatile int *v;
shared [] struct { int x, y; } *r;
shared [] struct { int v[2]; } *d;
shared [] char *c;
shared struct body { double x[3], v[3], mass; } bodies[40 * THREADS], others_of[40 * THREADS];
double scale = 2;
void f (int, int);
int own[N], *to = own, last;
double far (double);
static __inline__ __attribute__ ((always_inline)) int looked_up (int i) { return own[i + 960]; }
"""

# Its loops call a function, so that they are none of those that are looked for.
MAIN = """
double far (double x) { return x; }
int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 0, lo = argc > 2 ? atoi (argv[2]) : 0;
  int i, j;
  double sum = 0;

  p = upc_alloc (40 * sizeof (int));
  q = upc_alloc (41 * sizeof (int));
  c = upc_alloc (21);
  v = (shared [] volatile int *) q;
  r = upc_alloc (320);
  d = upc_alloc (320);
  upc_memset (r, 0, 320);
  upc_memset (d, 0, 320);
  for (i = 0; i < 40; i++)
    p[i] = q[i] = far (i & 7);
  for (i = 0; i < 21; i++)
    c[i] = far (i);
  for (i = 0; i < 70; i++)
    sevens[i] = others[i] = far (i % 5);
  for (i = 0; i < 48; i++)
    for (j = 0; j < 48; j++)
      A[i][j] = B[i][j] = far ((i + 2 * j) % 7);
  for (i = 0; i < 40; i++)
    bodies[i].v[0] = others_of[i].v[2] = far (i);
  upc_barrier;
  if (MYTHREAD == 0)
    f (n, lo);
  upc_barrier;
  for (i = 0; i < 40; i++)
    sum += (i + 1) * (p[i] + 2 * q[i] + own[i] + sevens[i] + a[i]);
  for (i = 0; i < 21; i++)
    sum += (i + 1) * far (c[i]);
  for (i = 0; i < 48; i++)
    sum += (i + 1) * far (C[3][i]);
  for (i = 0; i < 40; i++)
    sum += (i + 1) * far (bodies[i].x[0] + 2 * bodies[i].x[2] + 3 * bodies[i].v[1]);
  printf ("%.0f\\n", sum);
  return 0;
}
"""

OWNED = "upc_forall (int i = lo; i < n; i++; &a[i])"
CHARS = "shared [] char *d = c; for (int i = lo; i < n; i++)"
WALK = "shared [] int *x = p, *y = q; for (int i = lo; i < n; i++)"
DOWN = "shared [] int *x = p + n; for (int i = lo; i < n; i++)"
COUNT = "shared [] int *x = p; while (n--)"
TO_END = "shared [] int *x = p, *e = p + n; for (; x < e; x++)"
RECORDS = "int j; shared struct body *b = bodies + lo; for (int i = lo; i < n; i++, b++)"

SUM = "int s = 0; for (int i = lo; i < n; i++)"
MOST = "int k = 0; for (int i = lo; i < n; i++)"

# How the loop begins if not by all iterations, and its body.
OUTLINED = [
    (None, "p[i] = q[i] + 1;"), (None, "p[i] += i;"), (None, "{ int k = q[i]; p[i] = k * k; }"), (None, "p[i] = q[39 - i];"),
    (None, "if (q[i] > 0) p[i] = q[i]; else p[i] = lo;"), (None, "p[i] = (q[i] & 1) ? 3 : THREADS;"), (None, "p[i]++;"),
    ("int s = 0; for (int i = lo; i < n; i++)", "s += q[i]; own[1] = s;"),
    ("int s = 1, k = 0; for (int i = lo; i < n; i++)", "if (q[i] > 3) { s = i; p[i] = s + k; k++; } own[1] = s; own[2] = k;"),
    ("int s = 0, i; for (i = lo; i < n; i++)", "s += sevens[i]; own[1] = s; own[2] = i;"), ("int i; for (i = lo; i < n; i++)", "sevens[i] = others[i] + 1; own[2] = i;"),
    ("long i; for (i = 3 * n; i > lo; i -= 2)", "sevens[i] = others[i - 1]; own[2] = i;"),
    ("for (int j = 0; j < n; j++)", "{ double s = 1; for (int k = 0; k < 48; k++) s += A[3][k] * B[k][j]; C[3][j] = s; }"),
    (None, "r[i].x = 1;"), (None, "d[i].v[1] += d[i].v[0] * i;"),
    ("for (int j = 0; j < n; j++)", "for (int i = 0; i < n; i++) q[i] += B[j][0];"),
    (WALK, "*x++ = *y++ + 1;"), (WALK, "{ *x += *y; x++; y++; }"), (DOWN, "*--x += i;"), (COUNT, "*x++ += n;"),
    (WALK, "lo += *x++; own[0] = lo;"), (TO_END, "*x += 2;"), ("long s = 0; " + WALK, "{ s += *x; lo += *y++; x++; } own[0] = lo; own[1] = s;"),
    (RECORDS, "{ for (j = 0; j < 3; j++) b->x[j] += b->v[j]; }"), (RECORDS, "for (int k = 2; k > 0; k--) b->x[k - 1] = b->v[k] + b->mass;"),
    (None, "bodies[i].v[1] = bodies[i].v[0] + i;"), (None, "bodies[i] = others_of[i];"), (None, "bodies[39 - i].x[0] = i;"),
    ("shared struct body *b = bodies + lo; while (n--)", "b++->mass = n;"),
    (SUM, "s += p[q[i]]; own[1] = s;"), (SUM, "s += sevens[3 * q[i]]; own[1] = s;"), (SUM, "s += bodies[q[i]].v[1] + others_of[q[i]].mass; own[1] = s;"),
    (SUM, "s += sevens[others[q[i]]] * i; own[1] = s;"), (SUM, "if (a[q[i]] > 0) s = s * 3 + i; own[1] = s;"),
    ("int s = 0, k = 0; for (int i = lo; i < n; i++)", "{ s += p[q[i]]; k += s & 3; } own[1] = s; own[2] = k;"),
    (MOST, "if (a[i] > a[k]) k = i; own[1] = k;"), (MOST, "if (p[i] >= p[k]) k = i; own[1] = k;"),
    (OWNED, "a[i] = sqrt (b[i]);"), (OWNED, "a[i] = b[i] * scale + 1;"), (CHARS, "d[i] = i;")]

# What is private is to be checked, and what is more than a store or a load stays where it is.
LEFT = [
    "p[i] = looked_up (i);", "p[i] = sizeof __func__;", "own[i] = p[i];", "to[i] = p[i];", "p[i] = own[i];", "p[i] = *to;", "last = p[i];", "scale += a[i];", "p[i] = v[i];", "v[i] = 1;",
    "d[i].v[q[i]] = 1;", "a[i] = far (b[i]);", "{ if (q[i]) break; p[i] = 1; }", "{ static int k; p[i] = k++; }",
    "{ if (q[i] > 7) return; p[i] = 1; }", "{ int k[2]; k[i & 1] = 1; p[i] = 1; }", "p[i] = q[q[i]];", "for (int k = 0; k < 4; k++) d[i].v[k] = 1;", "for (int k = 0; k < n; k++) bodies[i].x[k] = 1;",
    "for (int k = 0; k < 2; k++) d[i].v[k + 1] = 1;", "bodies[i].x[2 - i] = 1;", "upc_memset (p + i, 1, 4);",
    "{ int k = p[own[i]]; k++; }", "{ int k = v[q[i]]; k++; }", "{ int k = p[q[i]]; q[i] = k; }", "{ int k = t[i & 7][q[i]]; k++; }"]


def program(upct, body, switches="-O2", loop=None):
    needs_libraries(upct)
    text = HEAD + f"void f (int n, int lo)\n{{\n  {loop or 'for (int i = lo; i < n; i++)'}\n    {body}\n}}" + MAIN
    upct.write("a.upc", text)
    return links(upct, "-g", "-w", *switches.split(), "-fsanitize=address", "a.upc", "-lm", UPCC_CC="gcc")


def has_strips(upct, binary):
    return re.search(r" __upc_strip[0-9]", upct.check_output(["nm", binary]))


@pytest.mark.parametrize("loop, body", OUTLINED)
def test_strips_of_elements_and_scalars_are_functions(upct, loop, body):
    binary = program(upct, body, loop=loop)
    assert has_strips(upct, binary)
    result = upct.run([binary, 21, 0], THREADS=2)
    assert (result.returncode, result.stderr) == (0, "")
    binary = links(upct, "-w", "-O2", "a.upc", "-lm", UPCC_CC="gcc")
    assert sorted(result.stdout) == sorted(upct.run([binary, 21, 0], THREADS=2).stdout)


# Whatever a function does, the program has its pointers and counters where they belong.
MOVED = """#include <upc.h>
#include <stdio.h>
#define N 1000
#define WANT(condition) (condition) ? 0 : (printf ("line %d\\n", __LINE__), bad++)
shared [] int a[N], b[N];
shared [7] int sevens[70 * THREADS];
shared int cyclic[100 * THREADS];
shared struct record { double x[3]; int v; } records[50 * THREADS];
shared [N] int big[N * THREADS];
int
main (void)
{
  shared [] int *p = a, *q = b, *e = a + 300;
  shared [7] int *w = sevens + 3;
  shared int *z = cyclic;
  shared struct record *t = records + 2;
  shared [N] int *g = big + 990;
  int n = 57, i, sum = 0, bad = 0;
  unsigned char k;

  if (MYTHREAD > 0)
    return 0;
  for (i = 0; i < n; i++, p++)
    *p = i * 2;
  WANT (p - a == 57 && i == 57);
  for (i = 0; i < n; i++, p++, q++)
    *p = *q + i;
  WANT (p - a == 114 && q - b == 57);
  while (n--)
    *q++ = n;
  WANT (q - b == 114 && n == -1);
  n = 57;
  for (i = n; i > 0; i--)
    *--q += i;
  WANT (q - b == 57 && i == 0);
  for (i = 0; i < n; i++)
    sum += *w++;
  WANT (w - sevens == 60 && sum == 0);
  for (i = 0; i < n; i++)
    *w-- = i;
  WANT (w - sevens == 3 && sevens[60] == 0 && sevens[4] == 56);
  for (i = 0; i < n; i++)
    *z++ = i;
  WANT (z - cyclic == 57 && cyclic[56] == 56);
  while (n--)
    sum += *--z;
  WANT (z - cyclic == 0 && sum == 57 * 28);
  n = 20;
  for (i = 0; i < n; i++, t++)
    for (int j = 0; j < 3; j++)
      t->x[j] += i + j;
  WANT (t - records == 22 && records[21].x[2] == 21);
  for (; n > 0; n -= 3)
    t++->v = n;
  WANT (t - records == 29 && n == -1 && records[28].v == 2);
  if (THREADS > 1)
    {
      for (i = 0; i < 30; i++)
        *g++ = i;
      WANT (g - big == 1020 && big[1019] == 29 && upc_threadof (g) == 1);
      for (i = 0; i < 30; i++)
        sum += *--g;
      WANT (g - big == 990);
    }
  for (k = 3; k < 200; k += 5)
    sevens[k % 64] += k;
  WANT (k == 203);
  for (p = a; p < e; p++)
    *p += 1;
  WANT (p == e && a[299] == 1);
  for (p = a; p != e; ++p)
    sum += *p;
  WANT (p == e);
  n = 40;
  q = b;
  do
    sum += *q++;
  while (--n);
  WANT (q - b == 40 && n == 0);
  return bad != 0;
}
"""


@pytest.mark.parametrize("switches", ["-O2", "-O3 -fupc-pts=struct", "-O2 -fupc-threads-3"])
def test_what_steps_move_is_right_behind_a_strip(upct, switches):
    needs_libraries(upct)
    upct.write("moved.upc", MOVED)
    binary = links(upct, "-g", *switches.split(), "-fsanitize=address", "moved.upc", UPCC_CC="gcc")
    assert has_strips(upct, binary)
    for threads in [1, 2, 3, 5] if "threads" not in switches else [3]:
        result = upct.run([binary], THREADS=threads)
        assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


def test_parameters_that_are_pointers_have_no_red_zones(upct):
    """A function that has a stack frame writes them each time. This is gcc's mark of one."""
    upct.write("small.c", "int f (int *); int g (void) { int i = 0; return f (&i); }")
    upct.write("small.upc", "#include <upc.h>\ndouble get (shared [] double *x, shared double *y, int i) { return *x + y[i]; }\n"
               "shared double *next (shared double *p) { return p + 1; }\n")
    for name, frames in ("small.c", 1), ("small.upc", 0):
        upct.check_output([upct.tool("upcc"), "-O2", "-fsanitize=address", "-S", name, "-o", "small.s"], UPCC_CC="gcc")
        with open(upct.path("small.s")) as file:
            assert file.read().count(str(0x41b58ab3)) == frames, name


@pytest.mark.parametrize("standard", ["gnu17", "c11", "c90"])
def test_compilers_have_nothing_to_say(upct, standard):
    binary = program(upct, "p[j] = q[j] + 1;", loop="int j; for (j = lo; j < n; j++)")
    assert has_strips(upct, binary)
    result = upct.run([upct.tool("upcc"), "-O2", "-fsanitize=address", "-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Wunused",
                       f"-std={standard}", "-c", "a.upc"], UPCC_CC="gcc")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("body", LEFT)
def test_others_are_not(upct, body):
    assert not has_strips(upct, program(upct, body))


def test_steps_that_do_more(upct):
    binary = program(upct, "p[i] = j; own[1] = j;", loop="int j = 7; for (int i = lo; i < n; i++, j += 3)")
    assert not has_strips(upct, binary)


INLINE = """#include <upc_relaxed.h>
#include <stdio.h>
shared [] int a[100];
%s void f (int n, int k) { for (int i = 0; i < n; i++) a[i] = i + k; }
int main (void) { if (MYTHREAD == 0) { f (90, 2); f (100, 3); printf ("%%d\\n", a[99]); } return 0; }
"""


@pytest.mark.parametrize("kind", ["static inline __attribute__ ((always_inline))", "inline", "extern inline __attribute__ ((gnu_inline, always_inline))",
                                  "static __attribute__ ((target (\"avx2\")))", "__attribute__ ((flatten))"])
def test_functions_of_any_kind(upct, kind):
    """And no stack is made executable for them."""
    needs_libraries(upct)
    upct.write("a.upc", INLINE % kind + ("void f (int n, int k);" if kind == "inline" else ""))
    binary = links(upct, "-O2", "-Wall", "-Wtrampolines", "-Wmissing-prototypes" if "static" in kind else "-Wextra", "-fsanitize=address", "a.upc", UPCC_CC="gcc")
    assert has_strips(upct, binary)
    assert upct.check_output([binary], THREADS=2) == "102\n"
    assert re.search(r"GNU_STACK.*\n? .*RW  ", upct.check_output(["readelf", "-lW", binary]))


@pytest.mark.parametrize("body, variables", [("if (n > 3) p[i] = k;", "int k; if (n > 3) k = 2;"), ("if (n > 3) { p[i] = 1; k = i; }", "int k; (void) k;")])
def test_variables_without_a_value(upct, body, variables):
    """The function gets them, which is no use that compilers are to warn of."""
    program(upct, body, loop=f"{variables} for (int i = lo; i < n; i++)")
    result = upct.run([upct.tool("upcc"), "-O2", "-fsanitize=address", "-Wall", "-Wextra", "-c", "a.upc"], UPCC_CC="gcc")
    assert (result.returncode, result.stderr) == (0, "")


def test_warnings_are_said_once(upct):
    program(upct, "{ int k; if (n > 3) k = i; p[i] = k; unsigned u = n; q[i] = u < i; }")
    words = ["-O2", "-Wall", "-Wextra", "-c", "a.upc"]
    said = upct.run([upct.tool("upcc"), "-fsanitize=address", *words], UPCC_CC="gcc").stderr
    assert (said.count("-Wsign-compare"), said.count("-Wmaybe-uninitialized")) == (1, 1)


def test_clang_has_none(upct):
    upct.write("a.upc", INLINE % "static")
    upct.check_output([upct.tool("upcc"), "-O2", "-fsanitize=address", "-c", "a.upc"], UPCC_CC="clang")
    assert not has_strips(upct, "a.o")


def test_with_undefined_behaviour(upct):
    """The other sanitizer looks at all that a strip does."""
    binary = program(upct, "p[i] = q[i] << lo;", "-O2 -fsanitize=address,undefined")
    assert has_strips(upct, binary)
    result = upct.run([binary, 20, 12], THREADS=1)
    assert "runtime error" not in result.stderr
    binary = program(upct, "p[i - lo] = q[i - lo] << lo;", "-O2 -fsanitize=address,undefined")
    result = upct.run([binary, 50, 40], THREADS=1)
    line = HEAD.count("\n") + 4
    assert re.search(rf"a\.upc:{line}:\d+: runtime error: shift exponent 40 is too large", result.stderr)


@pytest.mark.parametrize("switches", ["-O0", "-O2 -fupc-check", "-O2 -fupc-check=race", "-O2 --profile-local"])
def test_only_alone_and_with_optimisation(upct, switches):
    assert not has_strips(upct, program(upct, OUTLINED[0][1], switches))


# The loop is from LO to N - 1; who is hit first, and where: behind 40, 41 and 21 elements or before the first one.
WRONG = [
    (None, "p[i] = q[i] + 1;", 41, 0, "WRITE of size 4"), (None, "p[i] = q[i] + 1;", 42, 0, "of size 4"),
    (CHARS, "d[i] = i;", 22, 0, "WRITE of size 1"), (CHARS, "d[i] = i;", 24, 0, "WRITE of size 1"),
    (CHARS, "d[i] = i;", 25, 0, "WRITE of size 1"), (CHARS, "d[i] = 1;", 1, -1, "WRITE of size 1"), (None, "p[i] += i;", 3, -1, "of size 4"),
    (None, "p[39 - i] = q[i];", 41, 0, "WRITE of size 4"), (None, "p[39 - i] = q[40 - i];", 1, -1, "of size 4"),
    (None, "p[i * 2] = 1;", 21, 0, "WRITE of size 4"), (None, "q[i] = 1;", 42, 0, "WRITE of size 4"),
    (None, "if (i == 41) p[i] = q[i - 40];", 42, 0, "WRITE of size 4"), (None, "p[i] = 1;", 1, -1, "WRITE of size 4"),
    (None, "q[i] = 1;", 42, 41, "WRITE of size 4"), ("int s = 0; for (int i = lo; i < n; i++)", "s += p[i]; own[1] = s;", 41, 0, "READ of size 4"),
    (None, "sevens[i] = others[i] + 1;", 71, 1, "of size 4"), (None, "d[i].v[1] = 1;", 41, 0, "WRITE of size 4"),
    (None, "r[39 - i].x = 1;", 41, 0, "WRITE of size 4"), (WALK, "*x++ = *y++ + 1;", 41, 0, "WRITE of size 4"),
    (DOWN, "*--x = i;", 41, 0, "WRITE of size 4"), (COUNT, "*x++ += n;", 41, 0, "of size 4"), (TO_END, "*x = 2;", 41, 0, "WRITE of size 4"),
    (RECORDS, "for (j = 0; j < 3; j++) b->x[j] = 1;", 41, 0, "WRITE of size 8"), (RECORDS, "b->v[2] = b->mass;", 1, -1, "of size 8"),
    (None, "bodies[i].v[1] = i;", 41, 0, "WRITE of size 8"), (None, "bodies[i] = others_of[i];", 41, 0, "of size 56"),
    (None, "if (i == 40) bodies[i].mass = 1;", 50, 0, "WRITE of size 8"),
    (SUM, "s += p[q[i] + (i == 30) * 40]; own[1] = s;", 40, 0, "READ of size 4"), (SUM, "s += p[q[i] - (i == 24)]; own[1] = s;", 40, 0, "READ of size 4"),
    (SUM, "s += sevens[others[i] + (i > 30) * 66]; own[1] = s;", 40, 0, "READ of size 4"),
    (SUM, "s += a[q[i] + (i == 8) * 1000]; own[1] = s;", 40, 0, "READ of size 8"),
    (SUM, "s += bodies[q[i] + (i == 39) * 33].v[1]; own[1] = s;", 40, 0, "READ of size 8"),
    (MOST, "if (a[i] >= a[k]) k = i + (i == 9) * 1000; own[1] = k;", 40, 0, "READ of size 8")]


@pytest.mark.parametrize("loop, body, n, lo, what", WRONG)
def test_what_is_wrong_in_a_strip_is_reported_with_its_line(upct, loop, body, n, lo, what):
    binary = program(upct, body, loop=loop)
    assert has_strips(upct, binary)
    result = upct.run([binary, n, lo], THREADS=1)
    line = HEAD.count("\n") + 4
    assert result.returncode != 0 and "AddressSanitizer: use-after-poison" in result.stderr, result.stderr
    assert re.search(rf"#0 .* in f .*a\.upc:{line}\b", result.stderr), result.stderr
    assert what in result.stderr, result.stderr
    assert re.search(r": error: thread 0: access ", result.stderr), result.stderr


def test_what_is_not_accessed_is_not_reported(upct):
    """Though the strip would reach it, but for a condition."""
    binary = program(upct, "if (i < 40) p[i] = q[i];")
    assert has_strips(upct, binary)
    result = upct.run([binary, 60, 0], THREADS=1)
    assert (result.returncode, result.stderr) == (0, "")


def test_strips_that_give_up_begin_again(upct):
    """A report need not end the program: what is summed up is as if no function had been tried."""
    binary = program(upct, "s += p[q[i] + (i == 30) * 40] + i; printf (\"%d\\n\", s - p[46]);", "-O2 -fsanitize-recover=address", SUM)
    assert has_strips(upct, binary)
    result = upct.run([binary, 40, 0], THREADS=1, ASAN_OPTIONS="halt_on_error=0")
    assert "READ of size 4" in result.stderr
    # Those of 0 to 7 five times, but one 6, and 0 to 39.
    assert result.stdout.splitlines()[0] == str(5 * 28 - 6 + 39 * 20), result.stdout


def test_freed_blocks(upct):
    binary = program(upct, "p[i] = 1;", loop="upc_free (p); for (int i = lo; i < n; i++)")
    result = upct.run([binary, 40, 0], THREADS=1)
    assert has_strips(upct, binary) and "WRITE of size 4" in result.stderr and "freed" in result.stderr, result.stderr


def test_rows_of_loops_around(upct):
    binary = program(upct, "t[i][j] = u[i - 1][j] + q[j];",
                     loop="int i, j; upc_forall (i = 1; i < 5; i++; &t[i][0]) for (j = lo; j < n; j++)")
    assert has_strips(upct, binary)
    assert upct.run([binary, 16, 0], THREADS=1).stderr == ""
    result = upct.run([binary, 42, 41], THREADS=1)
    assert "READ of size 4" in result.stderr and "40 bytes" not in result.stderr and "164 bytes" in result.stderr, result.stderr


def knows_rows(upct, binary):
    """Whether it keeps what it has found to be clean, for the next row."""
    return re.search(r" __upc_find[0-9]", upct.check_output(["nm", binary]))


ROWS = "int i, j; upc_forall (i = 1; i < 5; i++; &t[i][0]) for (j = lo; j < n; j++)"


def test_rows_are_known_from_the_last_one(upct):
    assert knows_rows(upct, program(upct, "t[i][j] = u[i - 1][j] + u[i][j];", loop=ROWS))


def test_rows_of_several_threads_are_not(upct):
    binary = program(upct, "C[i][j] += A[i][0] * B[i][j];", loop="int i, j; for (i = 1; i < n; i++) for (j = 0; j < 48; j++)")
    assert has_strips(upct, binary) and not knows_rows(upct, binary)


# A block as rows of 32 elements of 8 bytes: n of them, down if lo is not 0. A is 2 rows longer at most.
KNOWN = """#include <upc_relaxed.h>
#include <stdlib.h>
shared [] double (*a)[32], (*b)[32];
void
pass (int n, int lo, int columns)
{
  for (int i = 0; i < n; i++)
    for (int j = lo; j < columns; j++)
      a[i][j] = b[i][j] + 1;
}
void
down (int n, int lo, int columns)
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = lo; j < columns; j++)
      a[i][j] = b[i][j] + 1;
}
int
main (int argc, char **argv)
{
  const int n = 40, extra = atoi (argv[1]), lo = atoi (argv[2]), columns = atoi (argv[3]);
  void (*go) (int, int, int) = argv[4][0] == 'd' ? down : pass;

  a = upc_alloc (n * sizeof *a);
  b = upc_alloc (n * sizeof *b);
  upc_memset (a, 0, n * sizeof *a);
  upc_memset (b, 0, n * sizeof *b);
  go (n, 0, 32);
  go (n, 2, 30);
  if (argv[4][1] == 'f')
    upc_free (argv[4][2] == 'a' ? a : b);
  go (n + extra, lo, columns);
  return 0;
}
"""

# The arguments, and what is reported.
STALE = [("0 2 30 pf", "READ"), ("0 2 30 df", "READ"), ("0 2 30 pfa", "READ|WRITE"), ("1 2 30 p", "READ|WRITE"), ("1 2 30 d", "READ|WRITE"),
         ("0 2 33 p", "READ|WRITE"), ("0 2 33 d", "READ|WRITE"), ("0 -1 30 p", "READ|WRITE"), ("0 -1 30 d", "READ|WRITE"), ("20 0 32 p", "READ|WRITE")]


@pytest.fixture
def known(upct):
    needs_libraries(upct)
    upct.write("a.upc", KNOWN)
    binary = links(upct, "-g", "-O2", "-fsanitize=address", "a.upc", UPCC_CC="gcc")
    assert knows_rows(upct, binary)
    return binary


@pytest.mark.parametrize("words, what", STALE)
def test_what_was_known_is_not_taken_for_more(upct, known, words, what):
    result = upct.run([known, *words.split()], THREADS=1)
    assert result.returncode != 0 and re.search(f"({what}) of size 8", result.stderr), result.stderr
    assert re.search(r": error: thread 0: access .*a block of 10240 bytes", result.stderr), result.stderr


@pytest.mark.parametrize("words", ["0 0 32 p", "-3 5 9 d", "0 31 32 d"])
def test_rows_that_are_right(upct, known, words):
    result = upct.run([known, *words.split()], THREADS=2)
    assert (result.returncode, result.stderr) == (0, "")
