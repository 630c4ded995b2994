"""Every event that begins ends, whatever way the program takes."""

from gasp.common import build, check_nesting, compare, record
from harness import case

# `@` is the line of ends.c with that text. A thread is in all of these when it leaves.
OPEN = ["start C_FUNC @(1,\"main\" main", "start C_FUNC @(1,\"outer\" outer", "start C_FUNC @(1,\"inner\" inner",
        "start FORALL @forallg(1"]
# Closed where they began.
CLOSED = ["end " + line.split(" ", 1)[1] for line in reversed(OPEN)]
RETURNED = ["end FORALL @forallg(room", "end C_FUNC @(0,\"inner\" inner", "end C_FUNC @(room[0],\"outer\" outer"]
TAIL = ["start FENCE @fenceg", "end FENCE @fenceg", "end C_FUNC @(0,\"main\" main", "start COLLECTIVE_EXIT - 7",
        "end COLLECTIVE_EXIT - 7"]


def placed(t, rows):
    with open(t.fixture("gasp/ends.c")) as source:
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


@case(each=[(way, threads) for way in WAYS for threads in (1, 3)])
def what_is_open_is_closed(t, way, threads):
    status, rows = WAYS[way]
    result, records = record(t, [build(t, "ends.c"), way], threads, status)
    t.equal(result.stderr, "")
    # Exit handlers run after the end of events.
    t.equal(result.stdout, "at_exit\n" * threads)
    for thread, lines in enumerate(records):
        check_nesting(t, lines)
        compare(t, lines, placed(t, rows), {}, f"thread {thread}")


@case
def a_process_that_is_forked_has_no_events(t):
    # ThreadSanitizer's deadlock detector has too little room for a fork.
    if "thread" in t.sanitizers:
        return
    _, records = record(t, [build(t, "ends.c"), "fork"], 3, 7)
    for thread, lines in enumerate(records):
        compare(t, lines, placed(t, OPEN + RETURNED + TAIL), {}, f"thread {thread}")


@case(each=[1, 3])
def upc_global_exit_closes_its_thread(t, threads):
    _, records = record(t, [build(t, "ends.c"), "global"], threads, 6)
    check_nesting(t, records[0])
    compare(t, records[0], placed(t, OPEN + CLOSED + ["atomic NONCOLLECTIVE_EXIT @global_exitg 6"]), {}, "thread 0")
    for lines in records[1:]:
        t.check(not any("EXIT" in line for line in lines), lines)


@case(each=[1, 3])
def an_error_closes_its_thread(t, threads):
    result, records = record(t, [build(t, "ends.c"), "error"], threads, 1)
    t.check("error: thread 0: upc_free" in result.stderr, result.stderr)
    check_nesting(t, records[0])
    pointer = hex(0x123456 << 30)
    rows = OPEN + [f"start FREE @upc_freeg(0x {pointer}", f"end FREE @upc_freeg(0x {pointer}"] + CLOSED
    compare(t, records[0], placed(t, [*rows, "atomic NONCOLLECTIVE_EXIT @upc_freeg(0x 1"]), {}, "thread 0")


@case
def threads_that_wait_at_the_end_are_seen_in_a_deadlock(t):
    result, records = record(t, [build(t, "ends.c"), "deadlock"], 3, 1)
    t.check("error: deadlock: thread 0 waits in upc_barrier for thread 1, thread 1 in exit for thread 0"
            in result.stderr, result.stderr)
    check_nesting(t, records[0])
    t.equal(records[0][-1].split()[:2], ["atomic", "NONCOLLECTIVE_EXIT"])
    for lines in records[1:]:
        t.equal(lines[-1], "start COLLECTIVE_EXIT :0:0 7")
