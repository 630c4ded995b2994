"""The reports of traces whose every tick is known."""

import json
import os

import pytest

from tracer.common import (dom, matrix, otf2_events, page_data, read, report, section, slices, table_rows, tallies)
from tracer.traces import (BARRIER, BROADCAST, EACH, EXCHANGE, FENCE, FORALL, FUNCTION, GATHER, GET, LOCK, MEMCPY, NOBODY,
                          PUT, RUNNING, USER_EVENT, Thread, string_value, transfer, write)


def row(count, inclusive, exclusive, longest=None, **more):
    return dict(count=count, inclusive=inclusive, exclusive=exclusive,
                longest=inclusive if longest is None else longest, **more)


def expect_tally(upct, got, wanted, what):
    assert {key: got[key] for key in wanted} == wanted, what


def two_threads():
    """main with a function in it and two barriers; thread 1 comes later."""
    threads = []
    for number in range(2):
        thread = Thread(number, 2, begin=1000)
        main = thread.site(FUNCTION, 3, "int main (int argc, char **argv)", column=1)
        work = thread.site(FUNCTION, 20, "static double *work (void)")
        barrier = thread.site(BARRIER, 5, column=3)
        late = 100 * number
        thread.start(main, 1000)
        thread.both(work, 1100, 1300 + late)
        thread.both(barrier, 1310 + late, 1500)
        thread.both(work, 1510, 1600)
        thread.both(barrier, 1700, 1720)
        thread.end(main, 1900)
        thread.fields["end"] = 1900
        threads.append(thread)
    return threads


def test_times_are_exact(upct):
    folder = write(upct.path("a.trace"), two_threads())
    data = report(upct, folder)
    calls, rows = tallies(data), tallies(data, "rows")
    expect_tally(upct, calls["main"], row(2, 1800, 900 - 200 - 190 - 90 - 20 + 900 - 300 - 90 - 90 - 20, 900, least=900,
                                          most=900, imbalance=0), "main")
    expect_tally(upct, calls["work"], row(4, 680, 680, 300, least=290, most=390, thread=1), "work")
    expect_tally(upct, calls["upc_barrier"], row(4, 320, 320, 190, least=110, most=210, thread=0), "upc_barrier")
    expect_tally(upct, rows["made.upc:5", "upc_barrier"], row(4, 320, 320, 190), "the line of the barriers")
    assert (data["ns"], data["events"], data["threads"]) == (900, 20, 2)
    text = [line.split() for line in section(read(folder, "profile.txt"), "By call")]
    assert "4 680 ns 680 ns 170 ns 300 ns 290 ns 340 ns 390 ns 14.7% 0 work".split() in text
    threads = [line.split() for line in section(read(folder, "profile.txt"), "Threads")]
    assert threads[1][:10] == "0 10 900 ns 600 ns 690 ns 210 ns".split(), "thread 0"


def test_reports_say_which_run_it_was(upct):
    folder = write(upct.path("a.trace"), two_threads())
    data = report(upct, folder)
    assert (data["command"], data["host"], data["date"]) == ("./made a b", "node", "2004-01-10 13:37:04 UTC")
    assert read(folder, "profile.txt").splitlines()[2:5] == ["command  ./made a b", "host     node", "date     2004-01-10 13:37:04 UTC"]
    page = dom(upct, folder)
    assert "Trace of a UPC program – ./made a b – on node – 2004-01-10 13:37:04 UTC" in page
    assert [row[3] for row in table_rows(page, "threads")] == ["600 ns", "700 ns"]


def test_what_recording_takes_is_taken_out(upct):
    thread = Thread(0, 1, begin=0, costs=(20, 5, 30, 8))
    main, fence, get = thread.site(FUNCTION, 1, "f"), thread.site(FENCE, 2), thread.site(GET, 3)
    thread.start(main, 0)
    thread.both(fence, 100, 120)
    thread.both(get, 200, 250, transfer(8, 0, 0))
    thread.both(fence, 300, 303)
    thread.end(main, 500)
    calls = tallies(report(upct, write(upct.path("a.trace"), [thread])))
    expect_tally(upct, calls["upc_fence"], row(2, 15, 15, 15), "upc_fence: 20 - 5, and no less than none")
    expect_tally(upct, calls["get"], row(1, 42, 42), "get: 50 - 8")
    expect_tally(upct, calls["f"], row(1, 500 - 5 - 20 - 20 - 30, 425 - 15 - 42), "f")


def test_recursion_counts_its_time_once(upct):
    thread = Thread(0, 1, begin=0)
    f, g = thread.site(FUNCTION, 1, "f"), thread.site(FUNCTION, 2, "g")
    thread.start(f, 0)
    thread.start(g, 10)
    thread.start(f, 20)
    thread.both(f, 30, 50)
    thread.end(f, 60)
    thread.end(g, 70)
    thread.end(f, 100)
    calls = tallies(report(upct, write(upct.path("a.trace"), [thread])))
    expect_tally(upct, calls["f"], row(3, 100, 40 + 20 + 20, 100), "f")
    expect_tally(upct, calls["g"], row(1, 60, 20), "g")


def test_unpaired_events_are_mended(upct):
    thread = Thread(0, 1, begin=0, state=RUNNING)
    f, g = thread.site(FUNCTION, 1, "f"), thread.site(FUNCTION, 2, "g")
    lock, forall = thread.site(LOCK, 3), thread.site(FORALL, 4)
    thread.end(lock, 5)       # nothing to end
    thread.start(f, 10)
    thread.start(g, 20)
    thread.start(forall, 30)
    thread.end(f, 50)         # longjmp: g and the forall end here too
    thread.start(g, 60)
    thread.start(lock, 70)    # killed here
    folder = write(upct.path("a.trace"), [thread])
    data = report(upct, folder)
    calls = tallies(data)
    expect_tally(upct, calls["f"], row(1, 40, 10), "f")
    expect_tally(upct, calls["g"], row(2, 30 + 10, 10 + 10, 30), "g")
    expect_tally(upct, calls["upc_forall"], row(1, 20, 20), "upc_forall")
    assert calls["upc_lock"]["count"] == 1
    assert "1 of 1 threads did not come to an end" in data["remarks"]
    assert len(slices(upct, folder)[0]) == 5
    assert [e[0] for e in otf2_events(upct, folder)].count("ENTER") == 5
    assert [e[0] for e in otf2_events(upct, folder)].count("LEAVE") == 5
    unfinished = [event for event in slices(upct, folder)[0] if event[3].get("unfinished")]
    assert sorted(event[2] for event in unfinished) == ["g", "upc_lock"]


def test_time_without_measurement_is_left_out(upct):
    thread = Thread(0, 1, begin=0)
    f, fence = thread.site(FUNCTION, 1, "f"), thread.site(FENCE, 2)
    thread.start(f, 0)
    thread.both(fence, 10, 20)
    thread.control(100, False)
    thread.control(400, True)
    thread.both(fence, 410, 430)
    thread.end(f, 500)
    folder = write(upct.path("a.trace"), [thread])
    calls = tallies(report(upct, folder))
    expect_tally(upct, calls["f"], row(1, 200, 170), "f")
    expect_tally(upct, calls["upc_fence"], row(2, 30, 30, 20), "upc_fence")
    assert [e[0] for e in otf2_events(upct, folder) if e[0] == "MEASUREMENT_ON_OFF"] == ["MEASUREMENT_ON_OFF"] * 2


def test_time_of_writing_is_left_out(upct):
    thread = Thread(0, 1, begin=0)
    f, fence = thread.site(FUNCTION, 1, "f"), thread.site(FENCE, 2)
    thread.start(f, 0)
    thread.both(fence, 10, 20)   # written behind its end
    thread.pause(300)
    thread.both(fence, 410, 430)
    thread.end(f, 500)
    folder = write(upct.path("a.trace"), [thread])
    data = report(upct, folder)
    expect_tally(upct, tallies(data)["f"], row(1, 200, 170), "f")
    expect_tally(upct, tallies(data)["upc_fence"], row(2, 30, 30, 20), "upc_fence")
    assert data["events"] == 6


def test_user_events_may_overlap(upct):
    thread = Thread(0, 1, begin=0)
    thread.user(USER_EVENT, "load", "")
    thread.user(USER_EVENT + 1, "store", "")
    a, b, f = thread.site(USER_EVENT, 1), thread.site(USER_EVENT + 1, 2), thread.site(FUNCTION, 3, "f")
    thread.start(f, 0)
    thread.start(a, 10)
    thread.start(b, 20)
    thread.end(a, 30)
    thread.end(f, 50)   # store goes on behind its function
    thread.end(b, 100)
    folder = write(upct.path("a.trace"), [thread])
    calls = tallies(report(upct, folder))
    expect_tally(upct, calls["load"], row(1, 20, 10), "load")
    assert (calls["store"]["count"], calls["store"]["inclusive"]) == (1, 10 + 20 + 50)
    slices(upct, folder)


def test_values_are_shown_as_their_format_says(upct):
    thread = Thread(0, 1, begin=0)
    thread.user(USER_EVENT, "step", "n=%d of %-6s|%5.1f%% %#lx %c %% %*d %.*f %u")
    thread.user(USER_EVENT + 1, "hostile", "%n %1000000d %s %hhd %q")
    thread.user(USER_EVENT + 2, "ünï \"q\" <b>\\", "%s")
    one, two, three = (thread.site(USER_EVENT + i, 1 + i, file="dir \"x\"/ä\n.upc") for i in range(3))
    half = 0x3FE0000000000000
    thread.both(one, 10, 20, 2 ** 64 - 3, *string_value("abc"), half, 255, ord("x"), 4, 42, 2, half, 7)
    thread.atomic(two, 30, 5)
    thread.atomic(three, 40, *string_value("</script><!--\x01\"'&"))
    thread.atomic(three, 41, 10 ** 6, 1)
    folder = write(upct.path("a.trace"), [thread])
    data = report(upct, folder)
    shown = "n=-3 of abc   |  0.5% 0xff x %   42 0.50 7"
    assert data["thread"][0]["slices"][0][4] == shown
    assert slices(upct, folder)[0][0][3]["values"] == shown
    points = [point[4] for point in data["thread"][0]["points"]]
    assert points[0] == " " + " " * 199 + "5 ? ? %q"
    assert points[1:] == ["</script><!--\x01\"'&", "?"]
    assert data["site"][2][:2] == ["ünï \"q\" <b>\\", "dir \"x\"/ä .upc:3"]


def test_each_byte_is_in_the_matrix_once(upct):
    def thread_0(thread):
        get, put, copy = thread.site(GET, 1), thread.site(PUT, 2), thread.site(MEMCPY, 3)
        thread.both(get, 10, 11, transfer(8, 1, 0))
        thread.both(get, 12, 13, transfer(8, 0, 0))
        thread.both(put, 20, 21, transfer(4, 0, 2))
        thread.both(copy, 30, 31, transfer(1000, 1, 2))
        thread.both(copy, 32, 33, transfer(50, NOBODY, 2))

    threads = [Thread(i, 3, begin=0) for i in range(3)]
    thread_0(threads[0])
    for i, thread in enumerate(threads):
        broadcast, gather, exchange = thread.site(BROADCAST, 5), thread.site(GATHER, 6), thread.site(EXCHANGE, 7)
        thread.both(broadcast, 100, 110, transfer(16, 1, i))
        thread.both(gather, 120, 130, transfer(32, i, 2))
        thread.both(exchange, 140, 150, transfer(1 << 30, EACH, i))
    folder = write(upct.path("a.trace"), threads)
    data = report(upct, folder)
    gib = 1 << 30
    wanted = [[8 + gib, gib, 4 + 32 + gib], [8 + 16 + gib, 16 + gib, 1000 + 16 + 32 + gib], [gib, gib, 32 + gib]]
    assert matrix(folder) == wanted
    assert data["matrix"] == sum(wanted, [])
    text = section(read(folder, "profile.txt"), "Communication matrix: bytes from the row's thread to the column's")
    assert [[int(cell) for cell in line.split()[1:]] for line in text[1:4]] == wanted, "profile.txt"
    rows = tallies(data, "rows")
    assert (rows["made.upc:1", "get"]["bytes"], rows["made.upc:1", "get"]["remote"]) == (16, 8)
    assert (rows["made.upc:3", "upc_memcpy"]["bytes"], rows["made.upc:3", "upc_memcpy"]["remote"]) == (1050, 1000)
    hot = section(read(folder, "profile.txt"), "Hottest remote accesses")
    assert [line.split()[-1] for line in hot[1:]] == [
        "upc_all_exchange", "upc_memcpy", "upc_all_gather", "upc_all_broadcast", "get", "put"]
    events = otf2_events(upct, folder)
    assert ([e[1:] for e in events if e[0] == "RMA_PUT"]
            == [(0, 20, 'Window: "shared memory" <0>, Remote: 2 ("UPC thread 2" <2>), Bytes: 4, Matching: 3'),
                (0, 30, 'Window: "shared memory" <0>, Remote: 2 ("UPC thread 2" <2>), Bytes: 1000, Matching: 4')])
    assert sum(e[0] == "RMA_GET" for e in events) == 2
    assert sum(e[0] == "RMA_COLLECTIVE_END" for e in events) == 9


def test_otf2_has_the_same_intervals(upct):
    folder = write(upct.path("a.trace"), two_threads())
    report(upct, folder)
    names = {"ENTER": 1, "LEAVE": -1}
    got = [(e[1], e[2], names[e[0]], e[3].split('"')[1]) for e in otf2_events(upct, folder) if e[0] in names]
    wanted = []
    for tid, events in slices(upct, folder).items():
        for start, length, name, _ in events:
            wanted += [(tid, start, 1, name), (tid, start - length, -1, name)]
    assert sorted(got) == sorted(wanted)
    for tid in (0, 1):
        mine = [e[1] for e in got if e[0] == tid]
        assert mine == sorted(mine), "times of a location"
    definitions = upct.check_output(["otf2-print", "-G", f"{folder}/otf2/trace.otf2"])
    regions = [line for line in definitions.splitlines() if line.startswith("REGION ")]
    assert any('"work"' in line and '"made.upc"' in line and "Begin: 20" in line for line in regions)
    locations = [line for line in definitions.splitlines() if line.startswith("LOCATION ")]
    assert [('"UPC thread %d"' % i) in locations[i] and "# Events: 10" in locations[i] for i in range(2)] == [True] * 2


def test_the_page_shows_it_in_a_browser(upct):
    threads = two_threads()
    get = threads[1].site(GET, 9, file="<i>&amp;.upc")
    threads[1].both(get, 1950, 1960, transfer(24, 0, 1))
    folder = write(upct.path("a.trace"), threads)
    data = report(upct, folder)
    page = dom(upct, folder)
    rows = table_rows(page, "rows")
    assert [row[:3] for row in rows] == [["made.upc:3", "main", "2"], ["made.upc:20", "work", "4"],
                                         ["made.upc:5", "upc_barrier", "4"], ["&lt;i&gt;&amp;amp;.upc:9", "get", "1"]]
    assert rows[1][3:8] == ["680 ns", "680 ns", "170 ns", "300 ns", "290 ns"]
    assert len(table_rows(page, "calls")) == len(data["calls"])
    assert [row[0] for row in table_rows(page, "threads")] == ["0", "1"]
    assert table_rows(page, "matrix-table") == [["0", "0", "24"], ["1", "0", "0"]]
    assert "http" not in read(folder, "report.html"), "the page refers to the network"


def test_a_trace_without_events_has_reports(upct):
    folder = write(upct.path("a.trace"), [Thread(0, 1)])
    data = report(upct, folder)
    assert (data["events"], data["ns"], data["calls"], slices(upct, folder)) == (0, 0, [], {})
    assert table_rows(dom(upct, folder), "threads")[0][:2] == ["0", "0"]
    assert otf2_events(upct, folder) == []


def test_clocks_that_go_back_do_not_turn_time(upct):
    thread = Thread(0, 1, begin=1000)
    f = thread.site(FUNCTION, 1, "f")
    thread.start(f, 2000)
    thread.words += [4 << 60 | 1 << 52, 1500]
    thread.end(f, 2000)
    thread.both(f, 2000 + (5 << 32), 2010 + (5 << 32))
    calls = tallies(report(upct, write(upct.path("a.trace"), [thread])))
    expect_tally(upct, calls["f"], row(2, 10, 10, 10), "f")


def thread_of_other_clock(clocks, rate):
    """Thread 1 of two, whose clock stands at 5000000 when thread 0's says 1000."""
    threads = two_threads()
    thread = threads[1] = Thread(1, 2, begin=5000000, end=5090000)
    thread.fields.update(clocks=clocks, rate=rate)
    main = thread.site(FUNCTION, 3, "int main (int argc, char **argv)", column=1)
    thread.start(main, 5000000)
    thread.end(main, 5090000)
    return threads


BEGIN = (5000000, 1000, 2)


@pytest.mark.parametrize("clocks, rate, length", [
    ((BEGIN, (0, 0, 0)), 1 << 40, 90000),
    ((BEGIN, (0, 0, 0)), 2 << 40, 180000),                        # a tick of its own is two
    ((BEGIN, (105000000, 200101000, 20)), 2 << 40, 180090),       # measured: by a part in two thousand more
    ((BEGIN, (105000000, 200101000, 20000)), 2 << 40, 180000),    # too vague
    ((BEGIN, (105000000, 400001000, 20)), 2 << 40, 180000),       # no clock is so wrong
    ((BEGIN, (4000000, 400001000, 20)), 2 << 40, 180000),
])
def test_clocks_of_processes_are_aligned(upct, clocks, rate, length):
    folder = write(upct.path("a.trace"), thread_of_other_clock(clocks, rate))
    report(upct, folder)
    assert slices(upct, folder)[1] == [(0, -length, "main", slices(upct, folder)[1][0][3])]


def test_a_damaged_clock_is_no_crash(upct):
    for clock in ((2 ** 64 - 1, 1, 1), (1, 2 ** 64 - 1, 0), (5000000, 2 ** 63, 2 ** 64 - 1)):
        folder = write(upct.path("a.trace"), thread_of_other_clock((clock, (2 ** 64 - 1,) * 3), 1 << 59))
        assert upct.run([upct.tool("upc-trace"), folder]).returncode in (0, 1)


def test_events_and_chunks_without_number(upct):
    """More slices than are shown, over several chunks, in threads of different lengths."""
    threads = []
    for number in range(2):
        thread = Thread(number, 2, begin=0)
        f, get = thread.site(FUNCTION, 1, "f"), thread.site(GET, 2)
        thread.start(f, 0)
        for i in range(20000 * (number + 1)):
            thread.both(get, 10 + 20 * i, 15 + 20 * i + i % 3, transfer(8, 1 - number, number))
        thread.end(f, 20 * 20000 * (number + 1))
        threads.append(thread)
    folder = write(upct.path("a.trace"), threads)
    data = report(upct, folder)
    calls = tallies(data)
    assert (calls["get"]["count"], calls["f"]["count"], calls["get"]["bytes"]) == (60000, 2, 480000)
    assert calls["get"]["inclusive"] == sum(5 + i % 3 for i in range(20000)) + sum(5 + i % 3 for i in range(40000))
    assert len(slices(upct, folder)[1]) == 40001
    shown = sum(len(thread["slices"]) for thread in data["thread"])
    assert 20000 <= shown <= 30000
    assert data["left out"] == 60002 - shown
    assert all(any(s[1] == 0 for s in thread["slices"]) for thread in data["thread"]), "the longest is shown"


def test_deep_recursion_has_reports(upct):
    thread = Thread(0, 1, begin=0)
    f = thread.site(FUNCTION, 1, "f")
    for i in range(150000):
        thread.start(f, i)
    for i in range(150000):
        thread.end(f, 150000 + i)
    calls = tallies(report(upct, write(upct.path("a.trace"), [thread])))
    assert (calls["f"]["count"], calls["f"]["inclusive"]) == (100000, 299999)


def test_many_threads_have_reports(upct):
    threads = []
    for number in range(256):
        thread = Thread(number, 256, begin=0)
        get = thread.site(GET, 1)
        for other in range(256):
            thread.both(get, 10 * other, 10 * other + 5, transfer(number + 1, other, number))
        threads.append(thread)
    folder = write(upct.path("a.trace"), threads)
    data = report(upct, folder)
    assert matrix(folder) == [[to + 1 for to in range(256)] for _ in range(256)]
    assert (len(data["matrix"]), data["threads a cell"]) == (65536, 1)
    assert os.path.getsize(f"{folder}/report.html") < 6 << 20, "report.html is large"
    json.loads(read(folder, "trace.json"))
    assert "The largest of 65536 pairs" in read(folder, "profile.txt"), "the pairs in profile.txt"


def test_reports_are_replaced_whole(upct):
    folder = write(upct.path("a.trace"), two_threads())
    first = report(upct, folder)
    assert report(upct, folder) == first
    assert sorted(os.listdir(folder)) == [
        "matrix.tsv", "otf2", "profile.txt", "report.html", "run", "thread-0.bin", "thread-1.bin", "trace.json"]
    with open(f"{folder}/thread-1.bin", "r+b") as f:
        f.seek(4096)
        f.write(b"????")
    result = upct.run([upct.tool("upc-trace"), folder])
    assert (result.returncode, result.stderr) == (1, f"{folder}/thread-1.bin: error: chunk 0: damaged\n")
    assert page_data(folder) == first, "the reports that were there"
    assert not [name for name in os.listdir(folder) if name.startswith("new")], "a half-written report"


def test_threads_that_are_missing_are_told(upct):
    threads = two_threads()
    folder = write(upct.path("a.trace"), threads)
    os.remove(f"{folder}/thread-0.bin")
    result = upct.run([upct.tool("upc-trace"), folder])
    assert result.returncode == 0
    assert f"{folder}/thread-0.bin: warning: is missing\n" in result.stderr
    assert "1 threads have left nothing" in read(folder, "profile.txt")
    assert len(slices(upct, folder)) == 1
    otf2_events(upct, folder)
