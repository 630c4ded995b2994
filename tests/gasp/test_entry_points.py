"""Objects of GNU and Clang UPC that are instrumented: the `g` entry points and the functions
without such a form, against the list of their events."""


import pytest

from gasp.common import build, check_nesting, compare, record

pytestmark = pytest.mark.tsan

TYPES = [("qi", 1), ("hi", 2), ("si", 4), ("di", 8), ("ti", 16), ("sf", 4), ("df", 8), ("tf", 16), ("xf", 16)]

# `both` is for a start and an end; `@` is the first line of the source with that text, `@2:`
# the second, `-` no place. What follows `|` is the end's alone. Other words are values or
# their names.
STATEMENTS = """
start C_FUNC @(1,"main" main
start C_FUNC @(1,"statements" statements
start FORALL @forallg(1
end FORALL @forallg(0
both BARRIER @barrierg(INT_MIN 0 0
both BARRIER @barrierg(17 1 17
both NOTIFY @notifyg(-3 1 -3
both WAIT @waitg(-3 1 -3
both NOTIFY @notifyg(INT_MIN 0 0
both WAIT @waitg(INT_MIN 0 0
both FENCE -
both FENCE @fenceg(AT
end C_FUNC @(0,"statements" statements
both ALLOC @upc_allocg 64 | alloc
both FREE @1:upc_freeg(p alloc
both ALLOC @upc_local_allocg 64 | local
both FREE @2:upc_freeg(p local
both GLOBAL_ALLOC @upc_global_allocg 3 16 | global
both FREE @3:upc_freeg(p global
both FREE @upc_freeg(0 0
both ALL_ALLOC @upc_all_allocg 5 8 | collective
both FREE @upc_all_freeg collective
both GLOBAL_LOCK_ALLOC @upc_global_lock_allocg | lock
both LOCK @upc_lockg lock
both UNLOCK @1:upc_unlockg lock
both LOCK_ATTEMPT @upc_lock_attemptg lock | 1
both UNLOCK @2:upc_unlockg lock
both LOCK_FREE @upc_lock_freeg lock
both ALL_LOCK_ALLOC @upc_all_lock_allocg | alllock
both LOCK_FREE @upc_all_lock_freeg alllock
"""
BLOCKS = """
both GET @__getgblk5 1 ours own 24
both GET @__getsgblk5 0 ours own 24
both PUT @__putgblk5 1 own ours 28
both PUT @__putsgblk5 0 own ours 28
both GET @__copygblk5 1 * next 12
both PUT @__copygblk5 1 own * 12
both GET @__copysgblk5 0 * next 12
both PUT @__copysgblk5 0 own * 12
both MEMGET @upc_memgetg ours own 9
both MEMPUT @upc_memputg own ours 10
both MEMCPY @upc_memcpyg own next 11
both MEMSET @upc_memsetg own 200 12
both NB_GET_INIT - 1 ours own 9 | 0
both NB_SYNC - 0
both NB_PUT_INIT - 1 own ours 10 | 0
both NB_SYNC - 0
both NB_MEMCPY_INIT - own next 11 | 0
both NB_SYNC - 0
both NB_MEMSET_INIT - own 7 12 | 0
both NB_SYNC - 0
both NB_GET_INIT - 1 ours own 9 | 0
both NB_PUT_INIT - 1 own ours 10 | 0
both NB_MEMCPY_INIT - own next 11 | 0
both NB_MEMSET_INIT - own 7 12 | 0
both NB_SYNC - 0
both NB_SYNC - 0
both BARRIER @2:barrierg(INT_MIN 0 0
both ALL_BROADCAST - to from 4 9
both ALL_SCATTER - to from 4 9
both ALL_GATHER - to from 4 9
both ALL_GATHER_ALL - to from 4 9
both ALL_EXCHANGE - to from 4 9
both PUT @__putgsi4 1 own * 4
both ALL_PERMUTE - to from from 4 9
both ALL_REDUCE - to from 65536 2 0 func 9 4
both ALL_PREFIX_REDUCE - to from 1 2 0 0 9 9
both ALL_SORT - from 4 2 0 compare 9
both ATOMIC - 1 0 to 1 5
both ATOMIC - 0 ours to 1 5
create first %d
create second -
start event-1000 @event_startg 5
atomic event-1001 @event_atomicg 6
end event-1000 @event_endg 7
start event-1000 - 8
atomic event-1001 - 9
end event-1000 - 10
control 0
control 3
control 1
end C_FUNC @(0,"main" main
both COLLECTIVE_EXIT - 3
"""


def types():
    for name, size in TYPES:
        at = f"@ONE_TYPE({name})"
        yield f"both GET {at} 1 * own {size}"
        yield f"both PUT {at} 1 own * {size}"
        yield f"both GET {at} 0 * own {size}"
        yield f"both PUT {at} 0 own * {size}"


def place(source, word):
    if word == "-":
        return ":0:0"
    count, _, text = word[1:].partition(":") if word[1].isdigit() else ("1", "", word[1:])
    lines = [i for i, line in enumerate(source.splitlines(), 1) if text in line.replace(" ", "")]
    return f"calls.upc:{lines[int(count) - 1]}:0"


def expected(source):
    out = []
    for row in [*STATEMENTS.split("\n"), *types(), *BLOCKS.split("\n")]:
        if not row:
            continue
        kind, name, *rest = row.split(" ")
        if kind in ("create", "control"):
            out.append(row)
            continue
        start, _, end = " ".join(rest[1:]).partition(" | " if len(rest) > 1 and rest[1] != "|" else "| ")
        at = place(source, rest[0])
        for which in ["start", "end"] if kind == "both" else [kind]:
            words = [which, name, at, start, end if which == "end" else ""]
            out.append(" ".join(" ".join(words).split()))
    return out


def names_of(output, thread):
    rows = [line.split() for line in output.splitlines()]
    return {row[1]: row[2] for row in rows if row[0] == str(thread)}


@pytest.mark.parametrize("threads", [1, 3, 8])
def test_every_entry_point_raises_its_events(upct, threads):
    program = build(upct, "calls.c")
    with open(upct.fixture("gasp/calls.c")) as text:
        wanted = expected(text.read())
    result, records = record(upct, program, threads, status=3)
    for thread, lines in enumerate(records):
        check_nesting(upct, lines)
        compare(upct, lines, wanted, names_of(result.stdout, thread), f"thread {thread}")
