"""What Clang UPC makes of programs when it gives accesses and statements their places: their
events, line by line."""

import pytest

from gasp.common import check_nesting, record

pytestmark = [pytest.mark.tsan, pytest.mark.only_x86_64("the listings are for x86-64")]

# Elements of each array of layouts.upc.
N = 60


def heap(thread, threads):
    """The starts: type, line, last argument (a size, an id). Where the compiler knows no line it is 0."""
    yield "PUT", 0, 8
    if thread == 0:
        yield "PUT", 0, 4
    yield from [("NOTIFY", 24, 0), ("WAIT", 26, 0), ("GET", 27, 8), ("BARRIER", 28, 0), ("GET", 29, 8)]
    for _ in range(1000):
        yield from [("GET", 36, 4), ("PUT", 0, 4)]
    yield from [("BARRIER", 39, 0), ("GET", 40, 4), ("GET", 42, 8), ("BARRIER", 43, 0), ("GET", 44, 8), ("GET", 44, 4),
                ("GET", 48, 8), ("BARRIER", 49, 0), ("BARRIER", 57, 0), ("COLLECTIVE_EXIT", 0, 0)]


def layouts(thread, threads):
    yield from [("PUT", 0, 4)] * N
    yield from [("PUT", 0, 8)] * N
    yield from [("PUT", 0, 8)] * len(range(thread, N, threads))
    yield from [("PUT", 0, 4), ("PUT", 0, 8)]
    if thread == threads - 1:
        yield from [("PUT", 0, 8), ("PUT", 0, 4)]
    yield from [("BARRIER", 42, 1), ("GET", 43, 4)]
    yield from [("GET", 47, 4)] * (N * threads)
    yield "GET", 53, 8
    yield from [("GET", 59, 8)] * N
    yield from [("GET", 0, 16), ("GET", 64, 4), ("GET", 64, 8), ("GET", 64, 4), ("BARRIER", 68, 2),
                ("COLLECTIVE_EXIT", 0, 0)]


def starts(lines, program):
    """The same of a record. The loop that waits for the flag may read it more than once."""
    previous = None
    for words in (line.split() for line in lines if line.startswith("start")):
        file, at, _ = words[2].split(":")
        assert file in ("", f"{program}.upc"), words
        event = words[1], int(at), int(words[-1])
        if not (event == ("GET", 43, 4) and previous == event):
            yield event
        previous = event


@pytest.mark.parametrize("name, threads", [(name, threads) for name in ("heap", "layouts") for threads in (1, 3, 8)])
def test_listings_raise_their_events(upct, name, threads):
    program = {"heap": heap, "layouts": layouts}[name]
    tool = upct.fixture("gasp/record.c")
    result, records = record(upct, upct.link(f"{name}.O1.debug.s", tool), threads)
    assert result.stdout == f"{name}: done on {threads} threads\n"
    for thread, lines in enumerate(records):
        check_nesting(upct, lines)
        got, wanted = list(starts(lines, name)), list(program(thread, threads))
        first = next((i for i, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]), None)
        if first is not None:
            assert got[first:][:3] == wanted[first:][:3], f"thread {thread}, from start {first} on"
        assert len(got) == len(wanted), f"thread {thread}: number of starts"


def test_accesses_have_their_kind(upct):
    _, records = record(upct, upct.link("layouts.O1.debug.s", upct.fixture("gasp/record.c")), 2)
    kinds = {line.split()[3] for line in records[1] if line.startswith("start GET layouts.upc:43:")}
    assert kinds == {"0"}, "is_relaxed of reads of the strict flag"
    kinds = {line.split()[3] for line in records[1] if line.startswith("start GET layouts.upc:47:")}
    assert kinds == {"1"}, "is_relaxed of other reads"
