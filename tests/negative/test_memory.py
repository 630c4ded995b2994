"""Errors in shared memory: what the checked heap (UPC_CHECK=1) and crash reports say. One program,
which makes the error that its argument names."""

import re

import pytest

PROGRAM = """#include <upc.h>
#include <upc_nb.h>
#include <upct/shadow.h>
#include <stdlib.h>
#include <string.h>

shared int a[4*THREADS];
shared [] int b[8];
shared [2] int after[2*THREADS];
char room[64];

int
main (int argc, char **argv)
{
  const char *error = argv[1];
  shared [] int *p = upc_alloc (8 * sizeof (int));
  shared [5] int *all = upc_all_alloc (2 * THREADS, 5 * sizeof (int));
  upc_lock_t *lock = upc_all_lock_alloc ();

#define ERROR(name, statement) \\
  if (MYTHREAD == 0 && strcmp (error, name) == 0) statement;

  ERROR ("memset", upc_memset (p, 1, 64))
  ERROR ("memput", upc_memput (all + 5, room, 48))
  ERROR ("memget", upc_memget (room, p - 2, 4))
  ERROR ("memcpy", upc_memcpy (p, b - 1, 8))
  ERROR ("overlap", upc_memcpy (b + 1, b, 16))
  ERROR ("nb overlap", upc_sync (upc_memcpy_nb (p, p + 2, 12)))
  ERROR ("negative", upc_memput (b, room, argc - 6))
  ERROR ("minus one", upc_memset (b, 1, argc - 3))
  ERROR ("static", upc_memset (b, 1, 33))
  ERROR ("nb", upc_sync (upc_memput_nb (p + 100, room, 4)))
  ERROR ("nbi memcpy", upc_memcpy_nbi (b + 1, p, 32))
  ERROR ("nbi memget", upc_memget_nbi (room, p + 7, 8))
  ERROR ("nbi memput", upc_memput_nbi (p - 1, room, 4))
  ERROR ("nbi memset", upc_memset_nbi (b + 7, 0, 12))
  ERROR ("null", upc_memget (room, NULL, 4))
  ERROR ("lock", upc_memset (lock, 0, 4096))
  ERROR ("freed", {
    upc_free (p);
    upc_memput (p + 1, room, 8);
  })
  ERROR ("twice", {
    upc_free (p);
    upc_free (p);
  })
  ERROR ("lock freed", { upc_lock_free (lock); upc_lock (lock); })
  ERROR ("inside", upc_free (p + 1))
  ERROR ("no block", upc_free (&a[1]))
  ERROR ("no upc_free", upc_free ((shared void *) lock))
  ERROR ("free", free ((int *) p))
  ERROR ("strcpy", strcpy ((char *) p, "This is a text of forty bytes or so."))
  ERROR ("array", a[4 * THREADS] = 1)
  ERROR ("pointer", p[8] = 1)
  ERROR ("cast", ((int *) p)[-1] = 1)
  ERROR ("below", a[argc - 3] = 1)
  ERROR ("far", {
    shared int *q = &a[argc];
    q += 1000000000;
    *q = 1;
  })
  ERROR ("late", {
    upc_free (p);
    p[1] = 1;
  })
#ifdef ACCESS
  ERROR ("access", __upc_bad_access (0, upc_addrfield (p) + 32, 4, "read of p[8]", "memory.upc", __LINE__))
#endif
  ERROR ("good", {
    upc_memset (p, 1, 32);
    upc_memput (p + 7, room, 4);
    upc_memget (room, b, 0);
    upc_memcpy (b, b, 16);
    upc_memcpy (b + 4, b, 16);
    upc_memput (all + 5, room, 40);
    upc_free (p);
    p = upc_alloc (8);
    upc_memset (p, 0, 8);
    upc_lock (lock);
    upc_unlock (lock);
    upc_lock_free (lock);
    upc_free (all);
    for (int i = 0; i < 5000; i++)
      {
        p = upc_alloc (i * 100);
        upc_memset (p, 1, i * 100);
        upc_free (p);
      }
  })
  upc_barrier;
  return 0;
}
"""

BLOCK = "a block of 32 bytes that thread 0 allocated at memory.upc:16 by upc_alloc"
ALL = "a block of 40 bytes per thread that thread 0 allocated at memory.upc:17 by upc_all_alloc"


def line_of(text):
    return 1 + PROGRAM[:PROGRAM.index(text)].count("\n")


B = f"'shared [] int b[8]', declared at memory.upc:{line_of('shared [] int b')}"
A = f"'shared int a[4*THREADS]', declared at memory.upc:{line_of('shared int a')}"
LIBRARY = "upc_free: a lock, an atomicity domain or a semaphore, which the function for it frees: "
NO_START = "upc_free: not the start of a block in the shared heap:"
FREED, TWICE = ("memory.upc:%d" % line_of(f'"{error}"') for error in ("freed", "twice"))
ERRORS = {
    "memset": f"upc_memset: 32 bytes past the end of {BLOCK}",
    "memput": f"upc_memput: 8 bytes past the end of thread 1's piece of {ALL}",
    "memget": f"upc_memget: 8 bytes before {BLOCK}",
    "memcpy": f"upc_memcpy: 4 bytes before {B}",
    "overlap": f"upc_memcpy: the destination overlaps the source: b[1] (thread 0, phase 1) of {B}",
    "nb overlap": f"upc_memcpy_nb: the destination overlaps the source: byte 0 of {BLOCK}",
    "negative": f"upc_memput: -4 bytes, a negative number, of {B}",
    "minus one": f"upc_memset: -1 bytes, a negative number, of {B}",
    "static": f"upc_memset: 1 byte past the end of {B}",
    "nb": f"upc_memput_nb: 372 bytes past the end of {BLOCK}",
    "nbi memcpy": f"upc_memcpy_nbi: 4 bytes past the end of {B}",
    "nbi memget": f"upc_memget_nbi: 4 bytes past the end of {BLOCK}",
    "nbi memput": f"upc_memput_nbi: 4 bytes before {BLOCK}",
    "nbi memset": f"upc_memset_nbi: 8 bytes past the end of {B}",
    "null": "upc_memget: a null pointer-to-shared",
    "lock": "upc_memset: 4032 bytes past the end of a block of 64 bytes that thread 0 allocated "
            "at memory.upc:18 by upc_all_lock_alloc",
    "freed": f"upc_memput: in {BLOCK} and thread 0 freed at {FREED}",
    "twice": f"upc_free: block already freed: byte 0 of {BLOCK} and thread 0 freed at {TWICE}",
    "lock freed": f"upc_lock: the lock was freed by thread 0 at memory.upc:{line_of('lock freed')}; thread 0 allocated it at "
                  "memory.upc:18 by upc_all_lock_alloc",
    "inside": f"{NO_START} byte 4 of {BLOCK}",
    "no block": f"{NO_START} a[1] (thread 1) of {A}",
    "no upc_free": f"{LIBRARY}byte 0 of a block of 64 bytes that thread 0 allocated at memory.upc:18 by upc_all_lock_alloc",
}


def build(upct, *switches):
    upct.write("memory.upc", PROGRAM)
    upct.check_output([upct.tool("upcc"), "-g", "-D__UPC_CHECK__", *switches, "memory.upc", "-o", "memory"],
                      cwd=upct.folder)
    return upct.path("memory")


def expect(upct, program, error, message, **environment):
    result = upct.run([program, error], THREADS=2, **environment)
    start, _, said = result.stderr.replace(f"{upct.folder}/", "").partition(": error: thread 0: ")
    assert (said, result.stdout, result.returncode) == (f"{message}\n", "", 1), error
    assert start == "memory.upc:%d" % line_of(f'"{error}"'), error


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_checked_heap(upct):
    program = build(upct)
    for error, message in ERRORS.items():
        expect(upct, program, error, message, UPC_CHECK=1)
    result = upct.run([program, "good"], THREADS=2, UPC_CHECK=1)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
    expect(upct, build(upct, "-static"), "freed", ERRORS["freed"], UPC_CHECK=1)


# In the plain heap.
PLAIN = {
    "no upc_free": f"{LIBRARY}thread 0, offset 0x",
    "twice": "upc_free: block already freed: thread 0, offset 0x",
    "no block": f"upc_free: not the start of a block in the shared heap: a[1] (thread 1) of {A}",
}


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_plain_heap(upct):
    program = build(upct)
    for error, message in PLAIN.items():
        result = upct.run([program, error], THREADS=2)
        start = f'memory.upc:{line_of(f"{chr(34)}{error}")}: error: thread 0: {message}'
        assert result.stderr.replace(f"{upct.folder}/", "").startswith(start), result.stderr
        assert result.returncode == 1
        assert ("; UPC_CHECK=1 tells where\n" in result.stderr) == (error == "twice"), result.stderr


AT_ONCE = """#include <upc.h>
#include <stdlib.h>
shared [] char *shared block;
int
main (int argc, char **argv)
{
  size_t bytes = atoi (argv[1]);
  shared void *all = upc_all_alloc (THREADS, bytes);

  if (MYTHREAD == 0)
    block = argc > 2 ? upc_alloc (bytes) : all;
  upc_barrier;
  shared [] char *p = block;
  upc_barrier;
  if (argc < 3 || MYTHREAD > 0)
    upc_free (p);
  return 0;
}
"""


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_two_that_free_at_once(upct):
    """Large blocks, and those of another thread."""
    upct.write("once.upc", AT_ONCE)
    program = upct.compile("-g", "-O2", "once.upc", output="once")
    for arguments in [4000], [100000], [40, "local"], [4000, "local"]:
        for _ in range(25):
            result = upct.run([program, *arguments], THREADS=3)
            assert (re.fullmatch(r"once\.upc:16: error: thread [012]: upc_free: block already freed: thread 0, offset 0x[0-9a-f]+; "
                                 "UPC_CHECK=1 tells where\n", result.stderr) and result.returncode == 1), (arguments, result.stderr)


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_a_program_that_checks_has_a_checked_heap(upct):
    program = build(upct, "-DACCESS")
    expect(upct, program, "access", f"read of p[8]: 4 bytes past the end of {BLOCK}")
    expect(upct, program, "memset", ERRORS["memset"])


ASAN = {
    "array": f"4 bytes past the end of thread 0's piece of {A}",
    "pointer": f"4 bytes past the end of {BLOCK}",
    "cast": f"4 bytes before {BLOCK}",
    "late": f"in {BLOCK} and thread 0 freed at memory.upc:%d" % line_of('"late"'),
    "strcpy": f"past the end of {BLOCK}",
}


# What is no memory.
WILD = {
    "below": f"before thread 0's piece of {A}",
    "far": "outside of the shared data: thread 0, offset 0x773",
}


@pytest.mark.no_sanitizers("AddressSanitizer is first")
def test_crashes_name_the_object(upct):
    program = build(upct)
    for error, message in WILD.items():
        result = upct.run([program, error], THREADS=2)
        assert f"memory: error: thread 0: access {message}" in result.stderr, error


@pytest.mark.only_asan("its report is what is read")
def test_address_sanitizer_names_the_object(upct):
    program = build(upct, "-O0")
    for error, message in (ASAN | WILD).items():
        result = upct.run([program, error], THREADS=2)
        what = "SEGV on unknown address" if error in WILD else "use-after-poison"
        assert f"ERROR: AddressSanitizer: {what}" in result.stderr, error
        if error in WILD:
            assert f": error: thread 0: access {message}" in result.stderr, error
            continue
        assert f": error: thread 0: access {message}\n" in result.stderr.replace(f"{upct.folder}/", ""), error
    freed = upct.run([program, "free"], THREADS=2).stderr.replace(f"{upct.folder}/", "")
    assert f": error: thread 0: free, not upc_free, of shared memory: byte 0 of {BLOCK}\n" in freed
    result = upct.run([program, "good"], THREADS=2)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


CALLS = """#include <upc.h>
#include <stdio.h>
struct two { long a, b; };
static __attribute__ ((noinline)) int drop (shared [] int *p) { upc_free (p); return 7; }
static __attribute__ ((noinline)) shared [] int *drop2 (shared [] int *p) { upc_free (p); return p; }
static __attribute__ ((noinline)) struct two drop3 (shared [] int *p) { upc_free (p); return (struct two) { 1, 2 }; }
int main (int argc, char **argv)
{
  shared [] int *p = upc_alloc (40);
  int r = 0;
  p[2] = 1;
  if (argc == 1) r = drop (p);
  else if (argc == 2) r = drop2 (p) == p;
  else if (argc == 3) r = drop3 (p).b;
  else r = upc_threadof (p) + drop (p) + (int) upc_phaseof (p);
  p[2] = 2;
  printf ("%d %d\\n", r, p[2]);
  return 0;
}
"""


@pytest.mark.only_asan("its report is what is read")
@pytest.mark.parametrize("compiler, switch", [("gcc", "-O2"), ("gcc", "-O0"), ("clang", "-O2")])
def test_address_sanitizer_looks_again_behind_calls(upct, compiler, switch):
    """Whatever the function that frees the block returns."""
    upct.write("calls.upc", CALLS)
    program = upct.compile("-g", "-Wall", "-Werror", switch, "calls.upc", UPCC_CC=compiler)
    for arguments in range(4):
        result = upct.run([program, *["x"] * arguments], THREADS=1)
        assert "access in a block of 40 bytes that thread 0 allocated at" in result.stderr, (arguments, result.stderr)
