"""What private pointers write past the ends of blocks of the checked heap: upc_free tells. One program,
which makes the error that its argument names."""

import os
import re

import pytest

PROGRAM = """#include <upc.h>
#include <stdlib.h>
#include <string.h>

int
main (int argc, char **argv)
{
  const char *error = argc > 1 ? argv[1] : "";
  shared [] int *p = upc_alloc (10 * sizeof (int)), *q = upc_alloc (10 * sizeof (int));
  shared [3] char *all = upc_all_alloc (THREADS, 3);
  int *own = (int *) p, *low = own < (int *) q ? own : (int *) q;
  char *piece = (char *) &all[3 * MYTHREAD];
  int is_mine = MYTHREAD == THREADS - 1;

  if (is_mine && strcmp (error, "behind") == 0)
    own[10] = 0;
  if (is_mine && strcmp (error, "before") == 0)
    own[-1] = 0;
  if (is_mine && strcmp (error, "far behind") == 0)
    memset (own, 1, 60);
  if (is_mine && strcmp (error, "far before") == 0)
    memset (own - 8, 1, 32);
  if (is_mine && strcmp (error, "next") == 0)
    memset (low, 1, 120);
  if (is_mine && strcmp (error, "piece") == 0)
    strcpy (piece, "abc");
  if (is_mine && strcmp (error, "freed") == 0)
    {
      upc_free (p);
      own[10] = 1;
    }
  upc_barrier;
  upc_free (p);
  upc_free (q);
  upc_barrier;
  if (MYTHREAD == 0)
    upc_free (all);
  upc_barrier;
  return 0;
}
"""


def line_of(text):
    return 1 + PROGRAM[:PROGRAM.index(text)].count("\n")


P, Q, ALL = line_of("upc_free (p);\n  upc_free (q)"), line_of("upc_free (q)"), line_of("upc_free (all)")
MADE = line_of("shared [] int *p")
BLOCK = f"a block of 40 bytes that thread 2 allocated at red.upc:{MADE} by upc_alloc"
ERRORS = {
    "behind": (P, 2, f"the program has written 4 bytes past the end of {BLOCK}"),
    "before": (P, 2, f"the program has written 4 bytes before {BLOCK}"),
    "far before": (P, 2, f"the program has written at least 32 bytes before {BLOCK}"),
    "far behind": (P, 2, f"the program has written 20 bytes past the end of {BLOCK}"),
    "piece": (ALL, 0, "the program has written 1 byte past the end of thread 2's piece of a block of 3 bytes per thread "
                      f"that thread 0 allocated at red.upc:{line_of('upc_all_alloc')} by upc_all_alloc"),
    "freed": (P, 2, f"block already freed: byte 0 of {BLOCK} and thread 2 freed at red.upc:{line_of('upc_free (p);')}"),
}


# Of either block, as the allocator likes.
LOWER = {
    "next": rf"red.upc:({P}|{Q}): error: thread 2: upc_free: the program has written at least 24 bytes past the end of {BLOCK}\n",
}


@pytest.fixture
def program(upct):
    upct.write("red.upc", PROGRAM)
    return upct.compile("-g", "-O1", "red.upc", output="red")


def said_of(upct, program, error, **environment):
    result = upct.run([program, error], THREADS=3, **environment)
    return result.returncode, re.sub(r"(?<!\w)/[^ ]*/", "", result.stderr)


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_freeing_tells_what_was_overrun(upct, program):
    for error, (line, thread, text) in ERRORS.items():
        wanted = f"red.upc:{line}: error: thread {thread}: upc_free: {text}\n"
        assert said_of(upct, program, error, UPC_CHECK=1) == (1, wanted)
    for error, pattern in LOWER.items():
        status, said = said_of(upct, program, error, UPC_CHECK=1)
        assert status == 1 and re.fullmatch(pattern, said), said
    assert said_of(upct, program, "nothing", UPC_CHECK=1) == (0, "")


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_programs_that_check_do_so(upct):
    upct.write("red.upc", PROGRAM)
    program = upct.compile("-g", "-fupc-check", "red.upc", output="checked")
    line, thread, text = ERRORS["behind"]
    assert said_of(upct, program, "behind") == (1, f"red.upc:{line}: error: thread {thread}: upc_free: {text}\n")
    assert said_of(upct, program, "nothing") == (0, "")


# Blocks of up to 32 bytes have a red zone between them. The middle one of many is beside two others.
SMALL = """#include <upc.h>
#include <stdlib.h>

enum { BLOCKS = 64 };
int
main (int argc, char **argv)
{
  int bytes = atoi (argv[1]), by = atoi (argv[2]), k = BLOCKS / 2;
  shared [] char *blocks[BLOCKS];

  if (MYTHREAD > 0)
    return 0;
  for (int i = 0; i < BLOCKS; i++)
    blocks[i] = upc_alloc (bytes);
  for (int i = 0; i < k; i++)
    upc_free (blocks[i]);
  ACCESS = 1;
  upc_free (blocks[k]);
  return 0;
}
"""
BESIDE_SMALL = [(size, by) for size in (1, 7, 8, 9, 16, 17, 24, 31, 32, 33) for by in (-8, -1, size, size + 7)]


def beside(size, by):
    return f"{-by} byte{'s' * (by < -1)} before" if by < 0 else f"{by - size + 1} byte{'s' * (by > size)} past the end of"


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_what_private_pointers_write_beside_small_blocks(upct):
    """Before such a block is behind another one, which is freed or kept."""
    upct.write("small.upc", SMALL)
    program = upct.compile("-g", "-DACCESS=((char *) blocks[k])[by]", "small.upc", output="small")
    for size, by in BESIDE_SMALL:
        result = upct.run([program, size, by], THREADS=2, UPC_CHECK=1)
        wanted = f"the program has written .*{beside(size, by)} a block of {size} bytes? that thread 0 allocated at small.upc:14 by upc_alloc"
        assert re.fullmatch(rf"small(.upc:18: error: thread 0: upc_free|: error): {wanted}( and thread 0 freed at small.upc:1[68])?\n",
                            result.stderr), (size, by, result.stderr)
        assert result.returncode == 1


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_one_access_beside_a_small_block_is_found(upct):
    upct.write("small.upc", SMALL)
    program = upct.compile("-g", "-fupc-check", "-DACCESS=blocks[k][by]", "small.upc", output="small")
    for size, by in BESIDE_SMALL:
        result = upct.run([program, size, by], THREADS=2)
        wanted = f"{beside(size, by)} a block of {size} bytes? that thread 0 allocated at small.upc:14 by upc_alloc"
        assert re.fullmatch(rf"small.upc:17: error: thread 0: access to [^:]*: {wanted}\n", result.stderr), (size, by, result.stderr)
        assert result.returncode == 1


# A record beside such a block may have members in the next one.
RECORD = """#include <upc.h>
#include <stdlib.h>
#ifdef LONG
struct record { long first, second, third, last; };
#else
struct record { int first, more[2], second, third, still, last; };
#endif
int
main (int argc, char **argv)
{
  int bytes = atoi (argv[1]), by = atoi (argv[2]);
  shared [] struct record *blocks[64], *p;

  if (MYTHREAD > 0)
    return 0;
  for (int i = 0; i < 64; i++)
    blocks[i] = upc_alloc (bytes);
  p = blocks[32] + by;
  p->MEMBER = 0;
  return 0;
}
"""


@pytest.mark.no_sanitizers("AddressSanitizer is first")
@pytest.mark.parametrize("switches", ["-O2", "-O0 -fupc-pts=struct"])
@pytest.mark.parametrize("size, switch", [(28, "-DSHORT"), (32, "-DLONG")])
def test_members_of_records_beside_small_blocks(upct, size, switch, switches):
    upct.write("record.upc", RECORD)
    for member, offset in ("first", 0), ("second", {28: 12, 32: 8}[size]), ("third", 16), ("last", 24):
        program = upct.compile("-g", "-fupc-check", switch, *switches.split(), f"-DMEMBER={member}", "record.upc", output="record")
        for by in -1, 1:
            result = upct.run([program, size, by], THREADS=2)
            assert re.fullmatch(rf"record.upc:19: error: thread 0: access to p->{member}: \d+ bytes? (before|past the end of) "
                                rf"a block of {size} bytes that thread 0 allocated at record.upc:17 by upc_alloc\n", result.stderr)
            assert result.returncode == 1
        # A block may have the first members of a record alone.
        for part in 8, 16, 20, 24, size:
            assert (upct.run([program, part, 0], THREADS=2).stderr == "") == (offset + {28: 4, 32: 8}[size] <= part), (member, part)


# Such records in other objects, some of which are in the middle of a unit of the shadow.
RECORD_TYPES = """struct shorter { int a[6], last; };
struct longer { long a[3], last; };
struct around { int before; struct shorter in; };
struct wide { long before; struct longer in; };
"""
RECORDS = """shared char between0; shared [] struct shorter shorts[3]; shared char between1; shared [] struct longer longs[3];
shared [] char between2[3]; shared struct shorter one; shared short between3; shared struct longer other;
shared [] struct around arounds[4]; shared [] struct wide wides[4];
"""
RIGHT_USE = """#include <upc.h>
#include "objects.h"
extern shared [] struct shorter shorts[3]; extern shared [] struct longer longs[3];
extern shared struct shorter one; extern shared struct longer other;
extern shared [] struct around arounds[4]; extern shared [] struct wide wides[4];
static void use_shorter (shared [] struct shorter *p) { p->a[0] += 1; p->last += 1; }
static void use_longer (shared [] struct longer *p) { p->a[0] += 1; p->last += 1; }
int
main (void)
{
  shared [] struct around *a = upc_alloc (3 * sizeof *a), *b = upc_alloc (sizeof *b);
  shared [] struct wide *w = upc_alloc (3 * sizeof *w), *x = upc_alloc (sizeof *x);

  if (MYTHREAD > 0)
    return 0;
  for (int i = 0; i < 3; i++)
    {
      use_shorter (&shorts[i]), use_longer (&longs[i]);
      use_shorter (&arounds[i + 1].in), use_longer (&wides[i + 1].in);
      use_shorter (&a[i].in), use_longer (&w[i].in);
    }
  use_shorter ((shared [] struct shorter *) &one), use_longer ((shared [] struct longer *) &other);
  use_shorter (&b->in), use_longer (&x->in);
  return 0;
}
"""


@pytest.mark.no_sanitizers("the others' objects have no checks")
@pytest.mark.parametrize("others", ["", "-fupc-check"])
@pytest.mark.parametrize("switch", ["-O0", "-O2", "-O2 -fupc-pts=struct"])
def test_records_that_are_there_are_not_reported(upct, others, switch):
    upct.write("objects.h", RECORD_TYPES)
    upct.check_output([upct.tool("upcc"), *switch.split(), *others.split(), "-c", upct.write("data.upc", '#include "objects.h"\n' + RECORDS),
                       "-o", upct.path("data.o")])
    program = upct.compile("-fupc-check", *switch.split(), upct.path("data.o"), upct.write("right.upc", RIGHT_USE), output="right")
    upct.check_prints("", [program], THREADS=2)


# Blocks that are written to after they are freed, and then leave the quarantine or stay in it.
FREED = """#include <upc.h>
#include <stdlib.h>
#include <string.h>

int
main (int argc, char **argv)
{
  const char *error = argc > 1 ? argv[1] : "";
  int most = argc > 2 ? atoi (argv[2]) : 0, is_mine = MYTHREAD == THREADS - 1;
  shared [] int *p = upc_alloc (10 * sizeof (int));
  shared [3] char *all = upc_all_alloc (THREADS, 3);
  upc_lock_t *lock = upc_all_lock_alloc ();
  int *own = (int *) p;
  char *piece = (char *) &all[3 * MYTHREAD];

  upc_barrier;
  if (is_mine)
    {
      upc_free (p);
      upc_free (all);
    }
  if (MYTHREAD == 0)
    upc_lock_free (lock);
  upc_barrier;
  if (is_mine && strcmp (error, "middle") == 0)
    own[2] = 0;
  if (is_mine && strcmp (error, "all") == 0)
    memset (own, 1, 40);
  if (is_mine && strcmp (error, "two") == 0)
    own[9] = own[3] = 0;
  if (is_mine && strcmp (error, "last") == 0)
    ((char *) own)[39] = 0;
  if (is_mine && strcmp (error, "behind") == 0)
    own[10] = 0;
  if (MYTHREAD == 0 && strcmp (error, "piece") == 0)
    piece[1] = 'x';
  upc_barrier;
  if (is_mine)
    for (int i = 0; i < most; i++)
      upc_free (upc_alloc (1 << 20));
  upc_barrier;
  return 0;
}
"""


def freed_line_of(text):
    return 1 + FREED[:FREED.index(text)].count("\n")


def freed_errors(last):
    block = (f"a block of 40 bytes that thread {last} allocated at freed.upc:{freed_line_of('shared [] int *p')} by upc_alloc and "
             f"thread {last} freed at freed.upc:{freed_line_of('upc_free (p)')}")
    return {"middle": f"4 bytes at byte 8 of {block}", "all": f"40 bytes at byte 0 of {block}", "two": f"4 bytes at byte 12 of {block}",
            "last": f"1 byte at byte 39 of {block}", "behind": f"4 bytes past the end of {block}",
            "piece": "1 byte at byte 1 of thread 0's piece of a block of 3 bytes per thread that thread 0 allocated at "
                     f"freed.upc:{freed_line_of('upc_all_alloc')} by upc_all_alloc and thread {last} freed at "
                     f"freed.upc:{freed_line_of('upc_free (all)')}"}


@pytest.mark.no_sanitizers("AddressSanitizer is first")
@pytest.mark.parametrize("switch", ["-O1", "-fupc-check"])
def test_what_is_written_to_freed_blocks(upct, switch):
    """Told when they leave the quarantine of 64 MiB, or when the run ends."""
    upct.write("freed.upc", FREED)
    program = upct.compile("-g", switch, "freed.upc", output="freed")
    leaving = f"freed.upc:{freed_line_of('upc_free (upc_alloc (1 << 20))')}: error: thread %d: upc_free: "
    for threads in 2, 3, 5:
        for error, text in freed_errors(threads - 1).items():
            result = upct.run([program, error], THREADS=threads, UPC_CHECK=1)
            assert (result.stderr, result.returncode) == (f"freed: error: the program has written {text}\n", 1)
            result = upct.run([program, error, 64], THREADS=threads, UPC_CHECK=1)
            assert (result.stderr, result.returncode) == (leaving % (threads - 1) + f"the program has written {text}\n", 1)
        for most in 0, 64, 200:
            upct.check_prints("", [program, "nothing", most], THREADS=threads, UPC_CHECK=1)


# More than the quarantine may have, of which two pages are used.
LARGE = """#include <upc.h>
#include <stdio.h>
#include <sys/resource.h>

int
main (void)
{
  struct rusage use;

  for (int i = 0; i < 4; i++)
    {
      shared [] char *p = upc_alloc (1ul << 28);

      p[0] = p[(1ul << 28) - 1] = 1;
      upc_free (p);
    }
  getrusage (RUSAGE_SELF, &use);
  if (use.ru_maxrss > 300 << 10)
    printf ("%ld KiB\\n", use.ru_maxrss);
  return 0;
}
"""


@pytest.mark.no_sanitizers("these take memory of their own")
def test_large_blocks_are_not_touched(upct):
    upct.write("large.upc", LARGE)
    upct.check_prints("", [upct.compile("large.upc", output="large")], THREADS=1, UPC_CHECK=1)


# What is never freed.
KEPT = """#include <upc.h>
#include <string.h>
shared [16] char names[16 * THREADS];
shared int last;
shared [] char *kept;
shared [16] char names[16 * THREADS];

int
main (int argc, char **argv)
{
  shared [] char *own = upc_alloc (20);
  shared [8] char *all = upc_all_alloc (THREADS, 8);

  kept = own;
  last = 0;
  upc_barrier;
  if (MYTHREAD == 1 && argc > 1)
    {
      strcpy ((char *) own, argv[1]);
      strcpy ((char *) &all[8], argv[1] + 14);
      strcpy ((char *) &names[16], argv[1] + 4);
    }
  return 0;
}
"""


def test_objects_of_several_definitions_have_one_red_zone(upct):
    upct.write("kept.upc", KEPT)
    has_sanitizer = not upct.target and os.path.exists(upct.library("address/libupc.a"))
    for switch in ["-fupc-check", "-fsanitize=address"] if has_sanitizer else ["-fupc-check"]:
        upct.check_prints("", [upct.compile("-g", switch, "kept.upc", output="kept")], THREADS=3)


@pytest.mark.no_sanitizers("AddressSanitizer is first")
@pytest.mark.parametrize("switch", ["-O1", "-fupc-check"])
def test_the_end_of_a_run_tells_what_was_overrun(upct, switch):
    upct.write("kept.upc", KEPT)
    program = upct.compile("-g", switch, "kept.upc", output="kept")
    static = ["5 bytes past the end of thread 1's piece of 'shared [16] char names[16*THREADS]', declared at kept.upc:3"]
    blocks = ["3 bytes past the end of thread 1's piece of a block of 8 bytes per thread that thread 0 allocated at kept.upc:12 "
              "by upc_all_alloc", "5 bytes past the end of a block of 20 bytes that thread 1 allocated at kept.upc:11 by upc_alloc"]
    wanted = "".join(f"kept: error: the program has written {text}\n" for text in (static if switch == "-fupc-check" else []) + blocks)
    for threads in (2, 5):
        result = upct.run([program, "x" * 24], THREADS=threads, UPC_CHECK=1)
        # Either declaration.
        assert (result.stderr.replace("kept.upc:6\n", "kept.upc:3\n"), result.returncode) == (wanted, 1)
        upct.check_prints("", [program, "x" * 19], THREADS=threads, UPC_CHECK=1)
        upct.check_prints("", [program], THREADS=threads, UPC_CHECK=1)


SAME = """#include <upc.h>
#include <string.h>

int
main (void)
{
  for (int i = 0; i < 30; i++)
    strcpy ((char *) upc_alloc (5 + i % 2), "12345");
  return 0;
}
"""


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_blocks_that_look_the_same_are_told_once(upct):
    upct.write("same.upc", SAME)
    result = upct.run([upct.compile("-g", "same.upc", output="same")], THREADS=3, UPC_CHECK=1)
    wanted = {f"same: error: the program has written 1 byte past the end of a block of 5 bytes that thread {t} allocated at same.upc:8 "
              "by upc_alloc" for t in range(3)}
    assert (set(result.stderr.splitlines()), len(result.stderr.splitlines()), result.returncode) == (wanted, 3, 1)


# Static objects of sizes that end here and there in a unit of 16 bytes, and a piece of each thread.
OBJECTS = {"a": "shared [] int a[10]", "b": "shared [] char b[3]", "c": "shared [3] short c[3 * THREADS]", "d": "shared double d[THREADS]",
           "e": "shared [] struct { int x[3]; } e[5]", "f": "shared char f", "g": "shared [] struct { char x[24]; } g[3]"}
BESIDE = f"""#include <upc.h>
#include <stdlib.h>
{"; ".join(OBJECTS.values())};
int
main (int argc, char **argv)
{{
  char *start[] = {{ {", ".join(f"(char *) &{name}" + ("" if name == "f" else "[0]") for name in OBJECTS)} }};
  long bytes[] = {{ {", ".join({"c": "6", "d": "8"}.get(name, f"sizeof {name}") for name in OBJECTS)} }};
  int k = atoi (argv[1]), by = atoi (argv[2]);
  if (MYTHREAD == 0)
    start[k][by < 0 ? by : bytes[k] + by - 1] = 1;
  return 0;
}}
"""


@pytest.mark.no_sanitizers("other libraries than the build's are needed")
@pytest.mark.host_only("there are no sanitizers' libraries for other processors")
@pytest.mark.parametrize("optimisation", ["-O0", "-O2"])
def test_what_is_beside_static_objects_is_poisoned(upct, optimisation):
    if not os.path.exists(upct.library("address/libupc.a")):
        pytest.skip("no libraries for -fsanitize=address; 'scons all' makes them")
    upct.write("beside.upc", BESIDE)
    program = upct.compile("-w", "-g", optimisation, "-fsanitize=address", "beside.upc")
    for k, text in enumerate(OBJECTS.values()):
        for by in -8, -1, 1, 8:
            result = upct.run([program, str(k), str(by)], THREADS=2)
            place = f"{abs(by)} bytes? {'before' if by < 0 else 'past the end of'} .*'{re.escape(text.split(' {')[0].replace(' * ', '*'))}"
            assert re.search(f"error: thread 0: access {place}", result.stderr), (text, by, result.stderr[-600:])


RANGES = """#include <upc.h>
#include <stdlib.h>
#include <string.h>
shared [] char text[10];
shared [16] unsigned char bytes[16 * THREADS];
shared [3] float star[3 * THREADS];
int
main (int argc, char **argv)
{
  volatile long sum = 0;
  int k = atoi (argv[1]), n = atoi (argv[2]), index[] = { 0, 3, n };
  char *own = (char *) text, buffer[32] = "0123456789";

  if (MYTHREAD > 0)
    return 0;
  switch (k)
    {
    case 0: memset (own, 0, n); break;
    case 1: memcpy (own + 2, buffer, n); break;
    case 2: memcpy (buffer, own + 8, n); break;
    case 3: strcpy (own, buffer); break;
    case 4: *(long *) (own + n) = 1; break;
    case 5: for (int i = 0; i < 3; i++) sum += bytes[index[i]]; break;
    case 6: for (int i = 0; i < n; i++) star[i] = i; break;
    case 7: for (int i = 0; i < 2; i++) bytes[index[i + 1] * 16] = i; break;
    }
  return sum > 1000;
}
"""
TEXT, BYTES, STAR = ("'shared [] char text[10]'", r"'shared [16] unsigned char bytes[16*THREADS]'", r"'shared [3] float star[3*THREADS]'")
# By number of the case and its argument: what the line behind the report says.
IN_RANGES = {(0, 11): f"access past the end of {TEXT}", (0, 12): f"access past the end of {TEXT}", (0, 26): f"access past the end of {TEXT}",
             (1, 12): f"access past the end of {TEXT}", (2, 4): f"access past the end of {TEXT}", (3, 0): f"access past the end of {TEXT}",
             (4, 8): f"access 6 bytes past the end of {TEXT}", (5, 32): f"access 1 byte past the end of thread 0's piece of {BYTES}",
             (6, 7): f"access 4 bytes past the end of thread 0's piece of {STAR}", (7, 2): f"access 1 byte past the end of thread 1's piece of {BYTES}"}


@pytest.mark.no_sanitizers("other libraries than the build's are needed")
@pytest.mark.host_only("there are no sanitizers' libraries for other processors")
@pytest.mark.parametrize("compiler, optimisation", [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O1")])
def test_what_functions_and_tables_lead_to_is_named(upct, compiler, optimisation):
    """Of functions like memset, and of elements that are found by a table of blocks, the object is named, not the table."""
    if not os.path.exists(upct.library("address/libupc.a")):
        pytest.skip("no libraries for -fsanitize=address; 'scons all' makes them")
    upct.write("ranges.upc", RANGES)
    program = upct.compile("-w", "-g", "-fno-builtin", optimisation, "-fsanitize=address", "ranges.upc", UPCC_CC=compiler)
    for (k, n), told in IN_RANGES.items():
        result = upct.run([program, k, n], THREADS=2)
        assert f"error: thread 0: {told}" in result.stderr, (k, n, result.stderr[-600:])
        assert "heap-buffer-overflow" not in result.stderr, (k, n)
