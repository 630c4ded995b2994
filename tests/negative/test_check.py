"""What upcc -fupc-check finds of the errors in tests/fixtures/check/errors.upc, and what it says."""

import re

import pytest

from negative.errors import SOURCE, VARIED, WANTED, line_of


def said_of(case, is_static):
    place, text = f"errors.upc:{line_of(case)}: error: ", WANTED[case].replace("@", SOURCE)
    if is_static:
        text = re.sub("^access to [^:]*", lambda match: match[0].replace("THREADS", "2"), text)
        for factor in (2, 4, 8):
            text = text.replace(f"[{factor}*THREADS]", f"[{factor * 2}]")
    return place if case in VARIED else place + text


@pytest.mark.sample(2)
@pytest.mark.parametrize("switches", ["-O0 -g", "-O2 -g", "-O3 -g -fupc-pts=struct", "-O2 -g -T 2 --profile"])
def test_errors_are_named(upct, switches):
    program = upct.compile("-w", "-fupc-check", *switches.split(), SOURCE)
    assert upct.run([program, "0"], THREADS=2).returncode == 0, "no error"
    for case in WANTED:
        if upct.target and (case in (28, 33, 84) or case == 48 and "struct" in switches):
            continue  # Farther than the small heaps of an emulator's programs have a shadow.
        result = upct.run([program, str(case)], THREADS=2)
        line = re.sub(r"^.*?(errors\.upc:\d+: error: )thread \d+: ", r"\1", (result.stderr or "nothing").splitlines()[0])
        wanted = said_of(case, "-T" in switches)
        if case == 59 and upct.target:  # Compilers check either argument first.
            wanted = said_of(56, "-T" in switches).replace(str(line_of(56)), str(line_of(59))).replace("upc_memset", "upc_memcpy")
        assert (line[:len(wanted)] if case in VARIED else line, result.returncode) == (wanted, 1), f"case {case}"


RIGHT = """#include <upc.h>
#include <stdio.h>
struct packet { int count; char data[]; };
struct old { int count; char data[1]; };
shared int a[4 * THREADS];
shared [2] int m[3 * THREADS][4];
extern shared int later[];
shared [] struct old *o;
int
main (void)
{
  shared int *end = &a[4 * THREADS], *p;
  shared void *any = &m[0][1];
  shared [2] int *back = any;
  int n = 0, *own = (int *) &a[MYTHREAD];

  for (p = a; p != end; p++)
    n += *p;
  for (int i = 0; i < 4 * THREADS; i++)
    if (i > 0)
      n += a[i - 1];
  for (int i = 0; i < 100; i++)
    {
      if (i == 4)
        break;
      n += a[i];
    }
  for (int i = 3; i >= 0; i--)
    n += a[i] + m[0][i];
  upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
    a[i] += later[i];
  for (int i = 0; i < THREADS - THREADS; i++)
    n += o->count;
  for (int i = 0; i < THREADS - THREADS; i++)
    a[i] = o->count;
  n += sizeof (a[-1]) + (int) upc_threadof (&a[4 * THREADS]) + *back + *own;
  if (!own)
    a[n] = (int) sizeof (struct packet) + o->data[n];
  upc_barrier;
  if (MYTHREAD == 0)
    puts ("ok");
  return 0;
}
shared int later[4 * THREADS];
"""


def test_right_programs_are_left_alone(upct):
    upct.write("right.upc", RIGHT)
    for switches in (["-O2"], ["-O0", "-fupc-pts=struct"]):
        program = upct.compile("-w", "-fupc-check", *switches, "right.upc")
        for threads in (1, 3):
            upct.check_prints("ok\n", [program], THREADS=threads)


ONCE = """#include <upc_relaxed.h>
#include <stdio.h>
struct tail { int count, values[]; };
int
main (void)
{
  int i = 0, j = 0, in_blocks = 0, in_tails = 0;
  shared [] int *p = upc_alloc (64 * sizeof (int));
  shared [] struct tail *tail = upc_alloc (sizeof (struct tail) + 64 * sizeof (int));

  for (int k = 0; k < 64; k++)
    p[k] = tail->values[k] = k;
  for (int k = 0; k < 100; k++)
    {
      in_blocks += p[i = (i * 5 + 1) & 63];
      in_tails += tail->values[j = (j * 5 + 1) & 63];
    }
  if (MYTHREAD == 0)
    printf ("%d %d\\n", in_blocks, in_tails);
  return 0;
}
"""


@pytest.mark.parametrize("switches", ["-O0", "-O2"])
def test_indexes_are_evaluated_once(upct, switches):
    upct.write("once.upc", ONCE)
    upct.check_prints("3250 3250\n", [upct.compile(switches, "-fupc-check", "once.upc")], THREADS=2)


PARTS = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
struct record { long a, b, c, d; char rest[24]; };

static long
use (shared [] struct record *p, int wrong)
{
  p->a = 1;
  p->b = p->a + 1;
  if (wrong == 1)
    upc_free (p);
  p->c = p->b + 1;
  if (wrong == 2)
    p->d = p->c;
  if (wrong == 3)
    p->rest[23] = 1;
  return p->c;
}

int
main (int argc, char **argv)
{
  int wrong = argc > 1 ? atoi (argv[1]) : 0, past = argc > 2 ? atoi (argv[2]) : 0;
  shared [] struct record *p = upc_alloc (wrong == 3 ? 55 : 24), *whole = upc_alloc (sizeof *whole);
  long sum = use (whole, 0) + use (p, wrong);

  whole->rest[23] = 1;
  *whole = *whole;
  for (int n = 1; n < 7200; n += n < 300 || (n >= 3560 && n < 3610) || n > 7140 ? 1 : 20)
    {
      shared [] char *text = upc_alloc (n);
      int end = n == past ? n + 1 : n;
      for (int i = 0; i < end; i++)
        text[i] = i;
      for (int i = n - 1; i >= n / 2; i--)
        sum += text[i];
    }
  printf ("%d\\n", sum != 0);
  return 0;
}
"""


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O2"), ("clang", "-O1 -fupc-pts=struct")])
def test_blocks_may_end_within_what_is_looked_at(upct, compiler, switches):
    upct.write("parts.upc", PARTS)
    program = upct.compile("-g", "-fupc-check", *switches.split(), "parts.upc", UPCC_CC=compiler)
    upct.check_prints("1\n", [program], THREADS=1)
    wanted = {"1": "access to p->b: in a block of 24 bytes", "2": "access to p->d: 8 bytes past the end of a block of 24 bytes",
              "3": "access to p->rest[23]: 1 byte past the end of a block of 55 bytes",
              **{f"0 {n}": f"access to text[i]: 1 byte past the end of a block of {n} bytes" for n in (2, 15, 16, 127, 128, 129, 143, 299, 3568, 3583, 3584, 3585, 3599, 3600, 3601, 7151, 7168, 7169, 7184)}}
    for arguments, text in wanted.items():
        result = upct.run([program, *arguments.split()], THREADS=1)
        assert text in result.stderr and result.returncode == 1, (arguments, result.stderr)


BESIDE = """#include <upc.h>
#ifdef OTHER
shared [] char alone[40], last[3];
#else
#include <stdlib.h>
extern shared [] char alone[40], last[3];
shared [] char first[100], second[8000], third[5];

int
main (int argc, char **argv)
{
  upc_memset (second, 0, 8000);
  upc_memset (last, 0, 3);
  if (argc > 1)
    upc_memset (alone, 0, atoi (argv[1]));
  return 0;
}
#endif
"""


def test_ranges_end_at_the_next_red_zone(upct):
    """Objects that are compiled without checks have none; what lies behind them may."""
    upct.write("beside.upc", BESIDE)
    upct.check_output([upct.tool("upcc"), "-c", "-DOTHER", "beside.upc", "-o", "other.o"])
    for order in (["beside.upc", "other.o"], ["other.o", "beside.upc"]):
        program = upct.compile("-g", "-fupc-check", *order)
        assert upct.run([program], THREADS=2).returncode == 0
        for size in (200, 8300, 20000):
            result = upct.run([program, size], THREADS=1)
            assert "error: thread 0: upc_memset: " in result.stderr and result.returncode == 1, (order, size, result.stderr)


NEIGHBOURS = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

static __attribute__ ((noinline)) void
insert (shared [] short *p, int k, int key, int least)
{
  for (; k > least && p[k - 1] > key; k--)
    p[k] = p[k - 1];
  p[k] = key;
}

int
main (int argc, char **argv)
{
  int wrong = argc > 1 ? atoi (argv[1]) : 0;

  for (int n = 1; n < 3000; n += n < 100 ? 1 : 1200)
    {
      shared [] short *p = upc_alloc (n * sizeof *p);

      for (int i = 0; i < n; i++)
        insert (p, i, (i * 37 + 11) % 101, 0);
      for (int i = 1; i < n; i++)
        if (p[i] < p[i - 1])
          return 2;
      /* It ends where the bound would let it go on for long. */
      if (n > 1)
        insert (p, n - 1, p[n - 1], -(1 << n % 30));
      if (wrong == n)
        insert (p, n - 1, -1, -1);
      if (wrong == -n)
        insert (p, n, 200, 0);
    }
  if (wrong == 10000)
    insert (NULL, 5, 0, 0);
  if (wrong == 10001)
    insert (NULL, 1, 0, 0);
  puts ("ok");
  return 0;
}
"""


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O2"), ("clang", "-O2 -fupc-pts=struct"), ("gcc", "-O3 -T 1")])
def test_neighbours_are_looked_at_together(upct, compiler, switches):
    """Up to the ends of blocks, and no further."""
    upct.write("near.upc", NEIGHBOURS)
    program = upct.compile("-g", "-fupc-check", *switches.split(), "near.upc", UPCC_CC=compiler)
    upct.check_prints("ok\n", [program], THREADS=1)
    for n in (1, 2, 7, 8, 9, 31, 32, 40, 99, 100, 1300, 2500):
        for wrong, where in (n, "p[k - 1]: 2 bytes before"), (-n, "p[k]: 2 bytes past the end of"):
            result = upct.run([program, wrong], THREADS=1)
            assert f"access to {where} a block of {2 * n} bytes that" in result.stderr and result.returncode == 1, (wrong, result.stderr)
    for wrong in (10000, 10001):
        result = upct.run([program, wrong], THREADS=1)
        assert "a null pointer-to-shared" in result.stderr and result.returncode != 0, (wrong, result.stderr)


ROUNDS = """#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef FIXED
shared int odd[4 * THREADS + 1];
#endif

static __attribute__ ((noinline)) double
sum_up (shared int *p, int n)
{
  double s = 0;

  for (int i = 0; i < n; i++)
    s = s / 2 + *p++;
  return s;
}

static __attribute__ ((noinline)) double
sum_down (shared int *p, int n)
{
  double s = 0;

  for (int i = 0; i < n; i++)
    s = s / 2 + *p--;
  return s;
}

static __attribute__ ((noinline)) double
sum_blocks (shared [3] int *p, int n)
{
  double s = 0;

  for (int i = 0; i < n; i++, p += 3)
    s = s / 2 + *p;
  return s;
}

int
main (int argc, char **argv)
{
  int wrong = argc > 1 ? atoi (argv[1]) : 0, n = 400 * THREADS;

  if (MYTHREAD)
    return 0;
  shared int *p = upc_global_alloc (n, sizeof (int));
  shared [3] int *q = upc_global_alloc (n, 3 * sizeof (int));

  for (int i = 0; i < n; i += i < 20 ? 1 : 37)
    {
      if (sum_up (p + i, n - i) || sum_up (p + i, i < n - i ? i : n - i) || sum_down (p + i, i + 1)
          || sum_blocks (q + 3 * i, n - i))
        return 2;
    }
#ifdef FIXED
  if (sum_up (odd, 4 * THREADS + 1) || sum_up (odd + 1, 4 * THREADS))
    return 2;
  if (wrong == 6)
    sum_up (odd + 1, 4 * THREADS + 1);
#endif
  if (wrong == 1)
    sum_up (p + 1, n);
  if (wrong == 2)
    sum_up (p + n - 2, 3);
  if (wrong == 3)
    sum_down (p + n - 1, n + 1);
  if (wrong == 4)
    sum_blocks (q, n + 1);
  if (wrong == 5)
    upc_free (p), sum_up (p, n);
  puts ("ok");
  return 0;
}
"""


@pytest.mark.parametrize("switches, threads", [("-O2", 3), ("-O2 -T 2", 2), ("-O1 -T 3 -fupc-pts=struct", 3), ("-O2 -T 4 -DFIXED", 4)])
def test_whole_blocks_are_looked_at_on_all_threads(upct, switches, threads):
    upct.write("rounds.upc", ROUNDS)
    program = upct.compile("-g", "-fupc-check", *switches.split(), "rounds.upc")
    upct.check_prints("ok\n", [program], THREADS=threads)
    past = ": 4 bytes past the end of thread 0's piece of a block of"
    for wrong, text in {1: "to *p++" + past, 2: "to *p++" + past,
                        3: f"to *p--: 4 bytes before thread {threads - 1}'s piece of a block of 1600 bytes", 4: "to *p" + past,
                        5: "in thread 0's piece of a block of 1600 bytes per thread that thread 0 allocated at rounds.upc:45 by "
                           "upc_global_alloc and thread 0 freed at rounds.upc:"}.items():
        result = upct.run([program, wrong], THREADS=threads)
        assert text in result.stderr and result.returncode == 1, (wrong, result.stderr)
    if "FIXED" in switches:
        result = upct.run([program, 6], THREADS=threads)
        assert "of thread 1's piece of 'shared int odd[17]'" in result.stderr and result.returncode == 1, result.stderr


AHEAD = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { short x; char tag; double y[2]; };

static __attribute__ ((noinline)) int
length (shared [] char *t)
{
  int n = 0;

  for (shared [] char *p = t; *p; p++)
    n++;
  return n;
}

static __attribute__ ((noinline)) long
sum (shared [] struct point *p, int n, int most)
{
  long s = 0;

  for (int i = 0; i < n; i++)
    if (i < most)
      s += p[i].x + (long) p[i].y[1];
  return s;
}

static __attribute__ ((noinline)) int
find (shared [] short *p, int step, short key)
{
  int i = 0;

  while (p[i] != key)
    i += step;
  return i;
}

static void drop (shared [] char *t) { upc_free (t); }

static __attribute__ ((noinline)) int
until_freed (shared [] char *t, int n)
{
  int sum = 0;

  for (int i = 0; i < n; i++)
    {
      sum += t[i] > 0 ? t[i] : 0;
      if (i == 5)
        drop (t);
    }
  return sum;
}

int
main (int argc, char **argv)
{
  int wrong = argc > 2 ? atoi (argv[2]) : 0;
  unsigned long bits = 0x1000ul << 30 | 900ul << 20;
  shared [] struct point *wild = NULL;

  memcpy (&wild, &bits, sizeof bits);
  if (sum (wild, 100, 0) + sum (NULL, 100, 0))
    return 3;
  for (int n = 2; n < 3700; n += n < 300 || (n >= 3560 && n < 3610) ? 1 : 20)
    {
      shared [] char *t = upc_alloc (n);
      shared [] struct point *p = upc_alloc (n * sizeof *p);
      shared [] short *h = upc_alloc (n * sizeof *h);
      int is_wrong = wrong == n;

      upc_memset (t, 'x', n);
      upc_memset (p, 0, n * sizeof *p);
      upc_memset (h, 0, n * sizeof *h);
      h[n - 1] = 7;
      if (!is_wrong || *argv[1] != 't')
        t[n - 1] = 0;
      if (length (t) != n - 1 || sum (p, n + 5, is_wrong && *argv[1] == 'p' ? n + 1 : n) || find (h, 1, 7) != n - 1)
        return 2;
      if (is_wrong && *argv[1] == 'h')
        find (h, n > 2 ? 2 : 1, 8);
      if (is_wrong && *argv[1] == 'f')
        until_freed (t, n);
      else
        upc_free (t);
      upc_free (p);
      upc_free (h);
    }
  puts ("ok");
  return 0;
}
"""


@pytest.mark.parametrize("compiler, switches", [("gcc", "-O2"), ("clang", "-O2 -fupc-pts=struct"), ("gcc", "-O3 -T 1")])
def test_what_is_ahead_ends_with_the_block(upct, compiler, switches):
    """Loops that may end at any element, or leave some out, look for several at once."""
    upct.write("ahead.upc", AHEAD)
    program = upct.compile("-g", "-fupc-check", *switches.split(), "ahead.upc", UPCC_CC=compiler)
    upct.check_prints("ok\n", [program], THREADS=1)
    wanted = {"t": (1, r"\*p: 1 byte past the end of a block"), "p": (24, r"p\[i\]\.x: \d+ bytes past the end of a block"),
              "h": (2, r"p\[i\]: \d bytes past the end of a block")}
    for n in (16, 17, 48, 3584, 3585, 3601):
        for kind, (size, text) in wanted.items():
            result = upct.run([program, kind, n], THREADS=1)
            assert re.search(f"access to {text} of {n * size} bytes ", result.stderr) and result.returncode == 1, (kind, n, result.stderr)
        result = upct.run([program, "f", n], THREADS=1)
        assert "access to t[i]: in a block of" in result.stderr and result.returncode == 1, (n, result.stderr)


WILD = """#include <upc.h>
#include <string.h>
int
main (void)
{
  unsigned long bits = 0x1000ul << 30 | 5ul << 20;
  shared int *p;

  memcpy (&p, &bits, sizeof bits);
  if (MYTHREAD == 0)
    *p = 1;
  upc_barrier;
  return 0;
}
"""


def test_threads_that_are_not_there_are_named(upct):
    upct.write("wild.upc", WILD)
    result = upct.run([upct.compile("-w", "-O2", "-g", "-fupc-check", "wild.upc")], THREADS=2)
    assert "error: thread 0: access through a pointer-to-shared with affinity to thread 5 of 2\n" in result.stderr
    assert result.returncode != 0


FAR = """#include <upc.h>
#include <stdlib.h>
shared [] char text[100];
int
main (int argc, char **argv)
{
  shared [] char *p = *argv[1] == 't' ? text : upc_alloc (100);
  p[atoi (argv[2])] = 1;
  return 0;
}
"""


@pytest.mark.parametrize("switches", ["-O2", "-O0 -fupc-pts=struct"])
def test_far_from_the_nearest_object(upct, switches):
    """That may not be the one that was meant."""
    upct.write("far.upc", FAR)
    program = upct.compile("-w", "-g", "-fupc-check", *switches.split(), "far.upc")
    block = "a block of 100 bytes that thread 0 allocated at far.upc:7 by upc_alloc"
    text = "'shared [] char text[100]', declared at far.upc:3"
    for kind, index, relation in (("t", 100, "1 byte past the end of"), ("t", 4196, "4097 bytes past the end of"),
                                  ("t", 4197, "in no object, 4098 bytes past the end of"), ("t", 99999, "in no object, 99900 bytes past the end of"),
                                  ("t", -9000, "outside of the shared data: .*, 9000 bytes before"), ("b", -4096, "4096 bytes before"),
                                  ("b", -4097, "in no object, 4097 bytes before")):
        result = upct.run([program, kind, index], THREADS=1)
        assert re.match(rf"far\.upc:8: error: thread 0: access to p\[[^:]*: {relation} {re.escape(text if kind == 't' else block)}\n$",
                        result.stderr), (kind, index, result.stderr)


def test_the_last_switch_counts(upct):
    program = upct.compile("-w", "-fupc-check", "-fno-upc-check", SOURCE)
    assert upct.run([program, "51"], THREADS=2).stderr == ""


SMALL = """#include <upc.h>
int
main (void)
{
  shared [] char *p = upc_alloc (1);
  p[MYTHREAD + 1] = 1;
  return 0;
}
"""


def test_one_byte_is_no_bytes(upct):
    upct.write("small.upc", SMALL)
    result = upct.run([upct.compile("-w", "-g", "-fupc-check", "small.upc")], THREADS=1)
    assert result.stderr == ("small.upc:6: error: thread 0: access to p[MYTHREAD + 1]: 1 byte past the end of a block of 1 byte "
                             "that thread 0 allocated at small.upc:5 by upc_alloc\n")
    assert result.returncode == 1


FREED = """#include <upc.h>
shared [] int *shared given[THREADS];
int
main (void)
{
  given[MYTHREAD] = upc_alloc (100);
  upc_barrier;
  if (MYTHREAD == 0)
    upc_free (given[1]);
  upc_barrier;
  if (MYTHREAD == 1)
    ((int *) &given[1][2])[1] = 3;
  return 0;
}
"""


@pytest.mark.parametrize("switches", ["-O2", "-O0 -fupc-pts=struct"])
def test_freed_blocks_are_not_cast(upct, switches):
    """Accesses by private pointers are not checked, so the cast is."""
    upct.write("freed.upc", FREED)
    result = upct.run([upct.compile("-w", "-g", "-fupc-check", *switches.split(), "freed.upc")], THREADS=2)
    assert (result.stderr, result.returncode) == (
        "freed.upc:12: error: thread 1: cast of a 'shared [] int *' to a private pointer: byte 8 of a block of 100 bytes that "
        "thread 1 allocated at freed.upc:6 by upc_alloc and thread 0 freed at freed.upc:9\n", 1)


WALKS = """#include <upc.h>
#include <stdlib.h>
enum { WHOLE = 3 * 64, PART = 3 * 64 - 20 };
shared [64] int whole[WHOLE], part[PART];
int
main (int argc, char **argv)
{
  int i = atoi (argv[2]), end = atoi (argv[3]), by = i < end ? 1 : -1, sum = 0;

  if (*argv[1] == 'w')
    while (i != end)
      {
        sum += whole[i]; /* w */
        i += sum % 2 ? 0 : by;
      }
  else
    while (i != end)
      {
        part[i] = 2 * i; /* p */
        i += part[i] % 2 ? 0 : by;
      }
  return sum;
}
"""


@pytest.mark.parametrize("switches", [["-O0"], ["-O2"], ["-O1", "-fupc-pts=struct"]], ids=" ".join)
def test_walks_stay_in_their_array(upct, switches):
    """Indexes that move by small steps are compared with the block of the last access (plan/recent.c), which may be longer
    than the rest of the array."""
    upct.write("walks.upc", WALKS)
    program = upct.compile("-g", "-T3", "-fupc-check", *switches, "walks.upc")
    for kind, name, length in [("w", "whole", 192), ("p", "part", 172)]:
        upct.check_prints("", [program, kind, 0, length])
        upct.check_prints("", [program, kind, length - 1, -1])
        line = 1 + WALKS[:WALKS.index(f"/* {kind} */")].count("\n")
        for start, end, wrong in [(150, 250, length), (5, -5, -1), (length, 300, length), (-1, 5, -1)]:
            result = upct.run([program, kind, start, end])
            assert re.fullmatch(rf"walks.upc:{line}: error: thread \d: index {wrong} is out of bounds of 'shared \[64\] int {name}\[{length}\]' \({length} elements\)\n",
                                result.stderr) and result.returncode == 1, (kind, start, result.stderr)


DISTANCES = """#include <upc.h>
struct pair { double x[2]; };
shared [4] int a[16 * THREADS];
shared [] struct pair b[4];
shared int m[4 * THREADS][2];
int
main (int argc, char **argv)
{
  unsigned long big = 1ul << (argc > 1 ? 40 : 0), small = 0;
  shared [4] int *p = a, *start = a;
  shared [] struct pair *q = b;
  shared int (*r)[2] = m;
  if (MYTHREAD == 0)
    ACCESS;
  return 0;
}
"""


@pytest.mark.sample(3)
@pytest.mark.parametrize("switches", ["-O0", "-O2", "-O3 -fupc-pts=struct", "-O2 -T 2"])
@pytest.mark.parametrize("access, what, distance", [
    ("p[big] = 1", "p[big]", 1 << 40),
    ("p[1ull << 40 >> (argc == 1 ? 40 : 0)] = 1", "p[1ull << 40 >> (argc == 1 ? 40 : 0)]", 1 << 40),
    ("p[small - big + (argc == 1)] = 1", "p[small - big + (argc == 1)]", -1 << 40),
    ("p += big, *p = 1", "p += big", 1 << 40),
    ("p = p + big, *p = 1", "p + big", 1 << 40),
    ("p -= big - (argc == 1), *p = 1", "p -= big - (argc == 1)", 1 << 40),
    ("p = big + start, *p = 1", "big + start", 1 << 40),
    ("p = &start[big], *p = 1", "start[big]", 1 << 40),
    ("q[big * 0x10 >> (argc == 1 ? 3 : 0)].x[0] = 1", "q[big * 0x10 >> (argc == 1 ? 3 : 0)]", 1 << 44),
    ("r[big][1] = 1", "r[big][1]", (1 << 41) + 1),
])
def test_far_distances(upct, switches, access, what, distance):
    """Offsets are modulo the size of a partition, so that they may lead to the object itself again."""
    upct.write("far.upc", DISTANCES.replace("ACCESS", access))
    program = upct.compile("-w", "-fupc-check", *switches.split(), "far.upc")
    assert upct.run([program], THREADS=2).returncode == 0, "no error"
    result = upct.run([program, "1"], THREADS=2)
    sign = "" if "-=" not in what else "-"
    assert (result.stderr.splitlines()[0], result.returncode) == (
        f"far.upc:14: error: thread 0: {what}: {sign}{distance} elements from there are out of the shared segment", 1)
