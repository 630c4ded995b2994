"""Checks of accesses here and there in an object, whose bounds a loop asks for once (-fupc-check)."""

import re

import pytest

PROGRAM = """#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { ELEMENTS = 100, COUNT = 64 };
struct record { int key; double value; };
shared [] double fixed[ELEMENTS];
shared [] double *x, *other;
shared [] struct record *records;
shared [] int *column;
shared [4] double uneven[38 * THREADS], *blocks, *own;
shared struct record *cyclic;
static int is (const char *a, const char *b) { return strcmp (a, b) == 0; }
int
main (int argc, char **argv)
{
  const char *kind = argv[1];
  int at = atoi (argv[2]);
  double sum = 0;
  if (MYTHREAD < THREADS - 1)
    return 0;
  x = other = upc_alloc (ELEMENTS * sizeof (double));
  records = upc_alloc (ELEMENTS * sizeof (struct record));
  column = upc_alloc (COUNT * sizeof (int));
  upc_memset (x, 0, ELEMENTS * sizeof (double));
  upc_memset (records, 0, ELEMENTS * sizeof (struct record));
  for (int i = 0; i < COUNT; i++)
    column[i] = i == at ? atoi (argv[3]) : i * 37 % 80;
  if (is (kind, "middle"))
    x = x + 10;
  if (is (kind, "object"))
    x = fixed;
  if (is (kind, "freed"))
    upc_free (x);
  if (is (kind, "none"))
    x = NULL;
  blocks = upc_global_alloc (9 * THREADS, 4 * sizeof (double));
  cyclic = upc_global_alloc (40 * THREADS, sizeof (struct record));
  own = (shared [4] double *) upc_alloc (8 * sizeof (double));
  if (is (kind, "inside"))
    blocks = blocks + 2;
  if (is (kind, "uneven"))
    blocks = uneven;
  if (is (kind, "freed blocks"))
    upc_free (blocks);
  if (is (kind, "stores"))
    for (int i = 0; i < COUNT; i++)
      x[column[i]] += i; /* stores */
  else if (is (kind, "records"))
    for (int i = 0; i < COUNT; i++)
      records[column[i]].value += i; /* records */
  else if (is (kind, "blocks") || is (kind, "inside") || is (kind, "uneven") || is (kind, "freed blocks"))
    for (int i = 0; i < COUNT; i++)
      blocks[column[i]] += i; /* blocks */
  else if (is (kind, "own"))
    for (int i = 0; i < COUNT; i++)
      own[i == at ? column[i] : column[i] % 4] += i; /* own */
  else if (is (kind, "cyclic"))
    for (int i = 0; i < COUNT; i++)
      cyclic[column[i]].value += i; /* cyclic */
  else if (is (kind, "rows"))
    for (int i = 0; i < COUNT; i += 8)
      for (int k = i; k < i + 8; k++)
        sum += x[column[k]]; /* rows */
  else if (is (kind, "changes"))
    for (int i = 0; i < COUNT; i++)
      {
        shared [] double *p = i < COUNT / 2 ? x : fixed;
        for (int k = i; k < i + 1; k++)
          sum += p[column[k]]; /* changes */
      }
  else
    for (int i = 0; i < COUNT; i++)
      sum += x[column[i]]; /* reads */
  if (is (kind, "freed") || is (kind, "none"))
    puts ("not found");
  return sum > 1e9;
}
"""
BLOCK = r"a block of 800 bytes that thread \d allocated at bounded.upc:22 by upc_alloc"
OBJECT = r".*'shared \[\] double fixed\[100\]'.*"


def line_of(kind):
    return 1 + PROGRAM[:PROGRAM.index(f"/* {kind} */")].count("\n")


# By kind, at which access, and index: what is said.
WRONG = {(kind, at, index): said.replace("BLOCK", OBJECT if kind == "object" else BLOCK)
         for kind in ("reads", "stores", "rows", "object", "changes") for at in (3, 15, 16, 31)
         for index, said in {100: "8 bytes past the end of BLOCK", -1: "8 bytes before BLOCK", 107: "64 bytes past the end of BLOCK"}.items()
         if kind != "object" or index == 100}
WRONG.update({("middle", at, index): said for at in (3, 40) for index, said in
              {90: f"8 bytes past the end of {BLOCK}", -11: f"8 bytes before {BLOCK}"}.items()})
WRONG.update({("changes", at, 100): f"8 bytes past the end of {OBJECT}" for at in (33, 60)})
WRONG.update({("records", at, 100): "16 bytes past the end of a block of 1600 bytes that thread . allocated at bounded.upc:23 by upc_alloc"
              for at in (3, 40)})
WRONG.update({("freed", 99, 0): f"in {BLOCK} and thread . freed at .*", ("none", 99, 0): "a null pointer-to-shared"})
PIECE = r"thread {}'s piece of a block of {} bytes per thread that thread 2 allocated at bounded.upc:{} by upc_global_alloc"
BLOCKS, CYCLIC = PIECE.format("{}", 288, 37), PIECE.format("{}", 640, 38)
WRONG.update({(kind, at, index): said for at in (3, 15, 16, 40) for kind, index, said in [
    ("blocks", 108, f"8 bytes past the end of {BLOCKS.format(0)}"), ("blocks", -1, f"8 bytes before {BLOCKS.format(2)}"),
    ("inside", 106, f"8 bytes past the end of {BLOCKS.format(0)}"), ("inside", -3, f"8 bytes before {BLOCKS.format(2)}"),
    ("uneven", 114, r"8 bytes past the end of thread 1's piece of 'shared \[4\] double uneven\[(?:38\*THREADS|114)\]', declared at .*"),
    ("own", 8, "outside of the shared data: thread 1, .*"),
    ("cyclic", 120, f"16 bytes past the end of {CYCLIC.format(0)}"), ("cyclic", -1, f"8 bytes before {CYCLIC.format(2)}")]})
WRONG["freed blocks", 99, 0] = f"in {BLOCKS.format(0)} and thread 2 freed at .*"
RIGHT = [(kind, at, index) for kind in ("reads", "stores", "rows", "object", "changes", "records") for at in (3, 40) for index in (0, 99)]
RIGHT += [("middle", at, index) for at in (3, 40) for index in (-10, -1, 89)]
RIGHT += [(kind, at, index) for at in (3, 40) for kind, indexes in {"blocks": (0, 107), "inside": (-2, 105), "uneven": (113,), "own": (0, 3),
                                                                    "cyclic": (0, 119)}.items() for index in indexes]
# The lines of these have their own names; other kinds are the reads'.
NAMED = {"inside": "blocks", "uneven": "blocks", "freed blocks": "blocks", **{kind: kind for kind in (
    "stores", "rows", "records", "changes", "blocks", "own", "cyclic")}}


@pytest.mark.no_sanitizers("AddressSanitizer is first")
@pytest.mark.parametrize("switches", [["-O0"], ["-O2"], ["-O2", "-T3"], ["-O1", "-fupc-pts=struct"]], ids=" ".join)
def test_accesses_here_and_there(upct, switches):
    upct.write("bounded.upc", PROGRAM)
    program = upct.compile("-g", "-fupc-check", *switches, "bounded.upc", output="bounded")
    for (kind, at, index), said in WRONG.items():
        result = upct.run([program, kind, at, index], THREADS=3)
        line = line_of(NAMED.get(kind, "reads"))
        wanted = rf"bounded.upc:{line}: error: thread 2: access to .*: {said}\n"
        assert re.fullmatch(wanted, result.stderr) and result.returncode == 1, (kind, at, index, result.stderr)
    for kind, at, index in RIGHT:
        upct.check_prints("", [program, kind, at, index], THREADS=3)
