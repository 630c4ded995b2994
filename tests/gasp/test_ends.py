"""Every event that begins ends, whatever way the program takes."""

import pytest

from gasp.common import build, check_nesting, compare, record
from support import NO_DEADLOCKS

pytestmark = pytest.mark.tsan

# `@` is the line of ends.c with that text. A thread is in all of these when it leaves.
OPEN = ["start C_FUNC @(1,\"main\" main", "start C_FUNC @(1,\"outer\" outer", "start C_FUNC @(1,\"inner\" inner",
        "start FORALL @forallg(1"]
# Closed where they began.
CLOSED = ["end " + line.split(" ", 1)[1] for line in reversed(OPEN)]
RETURNED = ["end FORALL @forallg(room", "end C_FUNC @(0,\"inner\" inner", "end C_FUNC @(room[0],\"outer\" outer"]
TAIL = ["start FENCE @fenceg", "end FENCE @fenceg", "end C_FUNC @(0,\"main\" main", "start COLLECTIVE_EXIT - 7",
        "end COLLECTIVE_EXIT - 7"]


def placed(upct, rows):
    with open(upct.fixture("gasp/ends.c")) as source:
        lines = [line.replace(" ", "") for line in source]

    def place(word):
        if word == "-":
            return ":0:0"
        found = [i for i, line in enumerate(lines, 1) if word[1:] in line]
        return f"calls.upc:{found[0]}:0"

    return [" ".join(place(word) if word == "-" or word[0] == "@" else word for word in row.split(" ")) for row in rows]


WAYS = {
    "return": (7, OPEN + RETURNED + TAIL),
    "exit": (4, OPEN + CLOSED + ["start COLLECTIVE_EXIT - 4", "end COLLECTIVE_EXIT - 4"]),
    "exitg": (5, OPEN + CLOSED + ["start COLLECTIVE_EXIT @exitg(5 5", "end COLLECTIVE_EXIT @exitg(5 5"]),
    "pthread_exit": (0, OPEN + CLOSED + ["start COLLECTIVE_EXIT - 0", "end COLLECTIVE_EXIT - 0"]),
    "jump": (7, OPEN + CLOSED[:3] + TAIL),
    # The thread that the program made has no events.
    "thread": (7, OPEN + RETURNED + TAIL),
}


@pytest.mark.parametrize("way, threads", [(way, threads) for way in WAYS for threads in (1, 3)])
def test_what_is_open_is_closed(upct, way, threads):
    status, rows = WAYS[way]
    result, records = record(upct, [build(upct, "ends.c"), way], threads, status)
    assert result.stderr == ""
    # Exit handlers run after the end of events.
    assert result.stdout == "at_exit\n" * threads
    for thread, lines in enumerate(records):
        check_nesting(upct, lines)
        compare(upct, lines, placed(upct, rows), {}, f"thread {thread}")


@pytest.mark.no_tsan("its deadlock detector has too little room for a fork")
def test_a_process_that_is_forked_has_no_events(upct):
    _, records = record(upct, [build(upct, "ends.c"), "fork"], 3, 7)
    for thread, lines in enumerate(records):
        compare(upct, lines, placed(upct, OPEN + RETURNED + TAIL), {}, f"thread {thread}")


@pytest.mark.parametrize("threads", [1, 3])
def test_upc_global_exit_closes_its_thread(upct, threads):
    _, records = record(upct, [build(upct, "ends.c"), "global"], threads, 6)
    check_nesting(upct, records[0])
    compare(upct, records[0], placed(upct, OPEN + CLOSED + ["atomic NONCOLLECTIVE_EXIT @global_exitg 6"]), {},
            "thread 0")
    for lines in records[1:]:
        assert not any("EXIT" in line for line in lines)


# Status of the process, and of the event.
AT_ONCE = {"_Exit": (6, 6), "_exit": (6, 6), "quick_exit": (6, 6), "abort": (-6, 134), "assert": (-6, 134)}


@pytest.mark.parametrize("way", AT_ONCE)
def test_an_end_of_the_process_closes_its_thread(upct, way):
    status, told = AT_ONCE[way]
    _, records = record(upct, [build(upct, "ends.c"), way], 3, status)
    check_nesting(upct, records[0])
    compare(upct, records[0], placed(upct, OPEN + CLOSED + [f"atomic NONCOLLECTIVE_EXIT - {told}"]), {}, "thread 0")
    for lines in records[1:]:
        assert not any("EXIT" in line for line in lines)


@pytest.mark.no_tsan("it does not know vfork")
def test_a_process_of_vfork_has_no_events(upct):
    _, records = record(upct, [build(upct, "ends.c"), "vfork"], 2, 7)
    for thread, lines in enumerate(records):
        compare(upct, lines, placed(upct, OPEN + RETURNED + TAIL), {}, f"thread {thread}")


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_closes_its_thread(upct, threads):
    result, records = record(upct, [build(upct, "ends.c"), "error"], threads, 1)
    assert "error: thread 0: upc_free" in result.stderr
    check_nesting(upct, records[0])
    pointer = hex(0x123456 << 30)
    rows = OPEN + [f"start FREE @upc_freeg(0x {pointer}", f"end FREE @upc_freeg(0x {pointer}"] + CLOSED
    compare(upct, records[0], placed(upct, [*rows, "atomic NONCOLLECTIVE_EXIT @upc_freeg(0x 1"]), {}, "thread 0")


@pytest.mark.host_only(NO_DEADLOCKS)
def test_threads_that_wait_at_the_end_are_seen_in_a_deadlock(upct):
    result, records = record(upct, [build(upct, "ends.c"), "deadlock"], 3, 1)
    assert "error: deadlock: thread 0 waits in upc_barrier for thread 1, thread 1 in exit for thread 0" in result.stderr
    check_nesting(upct, records[0])
    assert records[0][-1].split()[:2] == ["atomic", "NONCOLLECTIVE_EXIT"]
    for lines in records[1:]:
        assert lines[-1] == "start COLLECTIVE_EXIT :0:0 7"
