"""What upcc -fupc-check finds of the errors in tests/fixtures/check/errors.upc, and what it says."""

import os
import re

import pytest

from support import ROOT

SOURCE = os.path.join(ROOT, "tests", "fixtures", "check", "errors.upc")
CYCLIC = "'shared int cyclic[4*THREADS]' (8 elements)"
BLOCKED = "'shared [4] int blocked[8*THREADS]' (16 elements)"
ALONE = "'shared [] int alone[8]' (8 elements)"
RECORDS = "'shared struct record records[2*THREADS]' (4 elements)"
GRID = "'shared [6] int grid[4*THREADS][6]'"
TO_OTHER = "cast of a 'shared int *' with affinity to thread 1 to a private pointer"

LOCAL = " of 32 bytes that thread 0 allocated at @:37 by upc_alloc"
RECORD = " of 80 bytes that thread 0 allocated at @:38 by upc_alloc"
GLOBAL = " of 16 bytes per thread that thread 0 allocated at @:39 by upc_global_alloc"
ROW = " of 32 bytes per thread that thread 0 allocated at @:40 by upc_global_alloc"
# How their addresses are called depends on what is near, on the compiler's view of the loop, and on the
# representation of pointers.
VARIED = {23, 27, 28, 33, 48, 61}


def beyond(index, of):
    return f"index {index} is out of bounds of {of}"


WANTED = {
    1: beyond(8, CYCLIC), 2: beyond(-1, CYCLIC), 3: beyond(1000000, CYCLIC), 4: beyond(16, BLOCKED), 5: beyond(-1, BLOCKED),
    6: beyond(8, ALONE), 7: beyond(-1, ALONE), 8: beyond(8, "'shared [4] int spread[4*THREADS]' (8 elements)"),
    9: beyond(8, f"dimension 1 of {GRID} (8 elements)"), 10: beyond(6, f"dimension 2 of {GRID} (6 elements)"),
    11: beyond(-1, f"dimension 2 of {GRID} (6 elements)"), 12: beyond(4, RECORDS), 13: beyond(4, "'int v[4]' (4 elements)"),
    14: beyond(-1, "'int v[4]' (4 elements)"), 15: beyond(-1, RECORDS), 16: beyond(4, RECORDS),
    17: beyond(2, "'int y[2]' (2 elements)"), 18: beyond(8, CYCLIC), 19: beyond(-1, ALONE),
    20: beyond(6, f"dimension 2 of {GRID} (6 elements)"), 21: beyond(16, BLOCKED), 51: TO_OTHER, 52: TO_OTHER,
    55: "phase 3 of a pointer-to-shared is out of range of 'shared [2] int *', which has blocks of 2",
    22: f"access to local[i]: 4 bytes past the end of a block{LOCAL}",
    23: f"access to q: 4 bytes past the end of a block{LOCAL}",
    24: f"access to row[i]: 4 bytes past the end of thread 0's piece of a block{ROW}",
    25: f"access to global[i]: 4 bytes past the end of thread 0's piece of a block{GLOBAL}",
    26: "access to *p: 4 bytes past the end of thread 1's piece of 'shared int cyclic[4*THREADS]', declared at @:18",
    27: "access to *p: 4 bytes before thread 0's piece of 'shared int cyclic[4*THREADS]', declared at @:18",
    28: "access to *p: outside of the shared data: thread 1, offset 0x7735a644",
    29: "access to *q: 4 bytes past the end of 'shared [] int alone[8]', declared at @:20",
    30: "access to q[n + 1]: 4 bytes past the end of 'shared int scalar', declared at @:24",
    31: f"access to local[n + 8]: 4 bytes past the end of a block{LOCAL}",
    32: f"access to local[n - 1]: 4 bytes before a block{LOCAL}",
    33: "access to local[n + 1000000]: outside of the shared data: thread 0, offset 0x3c9940",
    34: f"access to local[n]: in a block{LOCAL} and thread 0 freed at @:87",
    35: f"access to *local: in a block{LOCAL} and thread 0 freed at @:88",
    36: f"access to global[4 * THREADS + n]: 4 bytes past the end of thread 0's piece of a block{GLOBAL}",
    37: f"access to global[n - THREADS]: 4 bytes before thread 0's piece of a block{GLOBAL}",
    38: f"access to global[n + 1]: in thread 1's piece of a block{GLOBAL} and thread 0 freed at @:91",
    39: f"access to row[8 * THREADS + n]: 4 bytes past the end of thread 0's piece of a block{ROW}",
    40: f"access to row[n]: in thread 0's piece of a block{ROW} and thread 0 freed at @:93",
    41: f"access to record[n + 2].x: 4 bytes past the end of a block{RECORD}",
    42: f"access to record[n - 1].last: 8 bytes before a block{RECORD}",
    43: f"access to (record + 2 + n)->high: 21 bytes past the end of a block{RECORD}",
    44: f"access to record[n + 2]: 40 bytes past the end of a block{RECORD}",
    45: f"access to record->inner.y[n]: in a block{RECORD} and thread 0 freed at @:98",
    46: "access to q[n]: in a block of 64 bytes that thread 0 allocated at @:43 by upc_global_lock_alloc and thread 0 freed at @:99",
    47: "access to *null: a null pointer-to-shared",
    48: "access to null[n + 5]: 4088 bytes before thread 1's piece of 'shared int *shared global_in_shared', declared at @:25",
    49: "access to no_record->last: a null pointer-to-shared",
    50: "access to no_record->low: a null pointer-to-shared",
    56: f"upc_memset: 4 bytes past the end of a block{LOCAL}",
    57: f"upc_memput: 4 bytes past the end of a block{LOCAL}",
    58: f"upc_memget: 4 bytes past the end of a block{LOCAL}",
    59: "upc_memcpy: 4 bytes past the end of 'shared [] int alone[8]', declared at @:20",
    60: f"upc_memput: in a block{LOCAL} and thread 0 freed at @:116",
    61: "upc_memput: a null pointer-to-shared",
    62: f"upc_free: block already freed: byte 0 of a block{LOCAL} and thread 0 freed at @:118",
    63: f"upc_free: not the start of a block in the shared heap: phase 0, byte 4 of a block{LOCAL}",
    67: f"access to record->v[i]: in a block{RECORD} and thread 0 freed at @:121",
    68: f"access to *local: in a block{LOCAL} and thread 0 freed at @:122",
    69: "access to no_record->inner.y[i]: a null pointer-to-shared",
    64: "upc_all_broadcast: 4 bytes past the end of thread 0's piece of 'shared int source[4*THREADS]', declared at @:18",
    65: "upc_all_gather: 8 bytes past the end of 'shared [] int alone[8]', declared at @:20",
    66: "upc_atomic_relaxed: 4 bytes past the end of thread 0's piece of a block of 4 bytes per thread "
        "that thread 0 allocated at @:133 by upc_all_alloc",
}


def line_of(case):
    """Where the source has it."""
    lines = open(SOURCE).read().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if f"case {case}:" in line)


def said_of(case, is_static):
    place, text = f"errors.upc:{line_of(case)}: error: ", WANTED[case].replace("@", SOURCE)
    if is_static:
        text = re.sub("^access to [^:]*", lambda match: match[0].replace("THREADS", "2"), text)
        for factor in (2, 4, 8):
            text = text.replace(f"[{factor}*THREADS]", f"[{factor * 2}]")
    return place if case in VARIED else place + text


@pytest.mark.parametrize("switches", ["-O0 -g", "-O2 -g", "-O3 -g -fupc-pts=struct", "-O2 -g -T 2 --profile"])
def test_errors_are_named(upct, switches):
    program = upct.compile("-w", "-fupc-check", *switches.split(), SOURCE)
    assert upct.run([program, "0"], THREADS=2).returncode == 0, "no error"
    for case in WANTED:
        result = upct.run([program, str(case)], THREADS=2)
        line = re.sub(r"^.*?(errors\.upc:\d+: error: )thread \d+: ", r"\1", (result.stderr or "nothing").splitlines()[0])
        wanted = said_of(case, "-T" in switches)
        assert (line[:len(wanted)] if case in VARIED else line, result.returncode) == (wanted, 1), f"case {case}"


def test_table_is_up_to_date():
    """Each row of docs/debugging.md: what, the first case and the last one, how many are found."""
    text = open(os.path.join(ROOT, "docs", "debugging.md")).read()
    rows = re.findall(r"^\| ([^|]*) \| (\d+) to (\d+) \| (\d+) \|$", text, re.M)
    found = [(what, sum(case in WANTED for case in range(int(first), int(last) + 1))) for what, first, last, _ in rows]
    assert found == [(what, int(number)) for what, _, _, number in rows]
    assert sum(number for _, number in found) == len(WANTED)


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


def test_the_last_switch_counts(upct):
    program = upct.compile("-w", "-fupc-check", "-fno-upc-check", SOURCE)
    assert upct.run([program, "51"], THREADS=2).stderr == ""
