"""The errors in tests/fixtures/check/errors.upc: what programs compiled with -fupc-check say of each, and
which tools find it. The table in docs/debugging.md counts these."""

import os

from support import ROOT

SOURCE = os.path.join(ROOT, "tests", "fixtures", "check", "errors.upc")
CYCLIC = "'shared int cyclic[4*THREADS]' (8 elements)"
BLOCKED = "'shared [4] int blocked[8*THREADS]' (16 elements)"
ALONE = "'shared [] int alone[8]' (8 elements)"
RECORDS = "'shared struct record records[2*THREADS]' (4 elements)"
GRID = "'shared [6] int grid[4*THREADS][6]'"
TO_OTHER = "cast of a 'shared int *' with affinity to thread 1 to a private pointer"

LOCAL = " of 32 bytes that thread 0 allocated at @:38 by upc_alloc"
RECORD = " of 80 bytes that thread 0 allocated at @:39 by upc_alloc"
GLOBAL = " of 16 bytes per thread that thread 0 allocated at @:40 by upc_global_alloc"
ROW = " of 32 bytes per thread that thread 0 allocated at @:41 by upc_global_alloc"
# How their addresses are called depends on what is near, on the compiler's view of the loop, and on the
# representation of pointers.
VARIED = {23, 28, 33, 84}


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
    26: "access to *p: 4 bytes past the end of thread 1's piece of 'shared int cyclic[4*THREADS]', declared at @:19",
    27: "access to *p: 4 bytes before thread 0's piece of 'shared int cyclic[4*THREADS]', declared at @:19",
    28: "access to *p: outside of the shared data: thread 1, offset 0x7735a644",
    29: "access to *q: 4 bytes past the end of 'shared [] int alone[8]', declared at @:21",
    30: "access to q[n + 1]: 4 bytes past the end of 'shared int scalar', declared at @:25",
    31: f"access to local[n + 8]: 4 bytes past the end of a block{LOCAL}",
    32: f"access to local[n - 1]: 4 bytes before a block{LOCAL}",
    33: "access to local[n + 1000000]: outside of the shared data: thread 0, offset 0x3c9940",
    34: f"access to local[n]: in a block{LOCAL} and thread 0 freed at @:88",
    35: f"access to *local: in a block{LOCAL} and thread 0 freed at @:89",
    36: f"access to global[4 * THREADS + n]: 4 bytes past the end of thread 0's piece of a block{GLOBAL}",
    37: f"access to global[n - THREADS]: 4 bytes before thread 0's piece of a block{GLOBAL}",
    38: f"access to global[n + 1]: in thread 1's piece of a block{GLOBAL} and thread 0 freed at @:92",
    39: f"access to row[8 * THREADS + n]: 4 bytes past the end of thread 0's piece of a block{ROW}",
    40: f"access to row[n]: in thread 0's piece of a block{ROW} and thread 0 freed at @:94",
    41: f"access to record[n + 2].x: 4 bytes past the end of a block{RECORD}",
    42: f"access to record[n - 1].last: 8 bytes before a block{RECORD}",
    43: f"access to (record + 2 + n)->high: 21 bytes past the end of a block{RECORD}",
    44: f"access to record[n + 2]: 40 bytes past the end of a block{RECORD}",
    45: f"access to record->inner.y[n]: in a block{RECORD} and thread 0 freed at @:99",
    46: "access to q[n]: in a block of 64 bytes that thread 0 allocated at @:44 by upc_global_lock_alloc and thread 0 freed at @:100",
    47: "access to *null: a null pointer-to-shared",
    48: "access to null[n + 5]: a null pointer-to-shared",
    49: "access to no_record->last: a null pointer-to-shared",
    50: "access to no_record->low: a null pointer-to-shared",
    56: f"upc_memset: 4 bytes past the end of a block{LOCAL}",
    57: f"upc_memput: 4 bytes past the end of a block{LOCAL}",
    58: f"upc_memget: 4 bytes past the end of a block{LOCAL}",
    59: "upc_memcpy: 4 bytes past the end of 'shared [] int alone[8]', declared at @:21",
    60: f"upc_memput: in a block{LOCAL} and thread 0 freed at @:117",
    61: "upc_memput: a null pointer-to-shared",
    62: f"upc_free: block already freed: byte 0 of a block{LOCAL} and thread 0 freed at @:119",
    63: f"upc_free: not the start of a block in the shared heap: byte 4 of a block{LOCAL}",
    67: f"access to record->v[i]: in a block{RECORD} and thread 0 freed at @:122",
    68: f"access to *local: in a block{LOCAL} and thread 0 freed at @:123",
    69: "access to no_record->inner.y[i]: a null pointer-to-shared",
    64: "upc_all_broadcast: 4 bytes past the end of thread 0's piece of 'shared int source[4*THREADS]', declared at @:19",
    65: "upc_all_gather: 8 bytes past the end of 'shared [] int alone[8]', declared at @:21",
    66: "upc_atomic_relaxed: 4 bytes past the end of thread 0's piece of a block of 4 bytes per thread "
        "that thread 0 allocated at @:164 by upc_all_alloc",
    70: beyond(8, CYCLIC), 71: beyond(800, CYCLIC), 72: beyond(-1, CYCLIC), 73: beyond(8, ALONE),
    74: "access to p[8]: 4 bytes past the end of a block of 32 bytes that thread 0 allocated at @:144 by upc_alloc",
    75: "access to p[0]: in a block of 32 bytes that thread 0 allocated at @:145 by upc_alloc and thread 0 freed at @:145",
    76: "upc_free: block already freed: byte 0 of a block of 32 bytes that thread 0 allocated at @:146 by upc_alloc "
        "and thread 0 freed at @:146",
    82: "upc_memset: 32 bytes past the end of a block of 32 bytes that thread 0 allocated at @:152 by upc_alloc",
    83: "upc_free: not the start of a block in the shared heap: byte 4 of a block of 32 bytes "
        "that thread 0 allocated at @:153 by upc_alloc",
    84: "access to *far: outside of the shared data: thread 1, offset 0x7735a4",
}


def line_of(case):
    """Where the source has it."""
    lines = open(SOURCE).read().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if f"case {case}:" in line)


def cases(*ranges):
    return {case for first, last in ranges for case in range(first, last + 1)}


CASES = cases((1, 85))
# What no memory has ends the run by a signal.
CRASHES = {2, 8, 15, 27, 28, 33, 47, 48, 49, 50, 69, 72, 84}
# In objects compiled without -fupc-check the library knows blocks alone.
BY_LIBRARY = cases((56, 63), (66, 66), (76, 76), (82, 83))
# What UPC_CHECK=1 tells of at the end of the run, by the object alone: what has been written beside a block, or in a freed one.
AT_END = cases((22, 23), (25, 25), (31, 32), (34, 34), (36, 37), (39, 42), (44, 45), (53, 54), (67, 67), (74, 75), (81, 81))
# The same of programs compiled with -fupc-check, by private pointers.
PRIVATE_AT_END = {53, 54, 81}
# By the name of the column in docs/debugging.md.
FOUND = {
    "-fupc-check": set(WANTED),
    # Indexes that stay in an object, a lock, casts and phases; a leak and uninitialised memory.
    "-fsanitize": CASES - {10, 11, 20, 46, 51, 52, 55, 77, 78},
    "UPC_CHECK=1": CRASHES | BY_LIBRARY,
    # Blocks of the heap, private memory and what is far from all, beside what UPC_CHECK=1 finds.
    "valgrind": CRASHES | BY_LIBRARY | {3, 16, 71} | cases((22, 25), (31, 45), (53, 54), (67, 68), (74, 75), (77, 79),
                                                           (81, 81), (85, 85)),
}
