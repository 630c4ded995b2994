"""The reports of traces whose every tick is known."""

import json
import os

from harness import case
from tracer.common import (dom, matrix, otf2_events, page_data, read, report, section, slices, table_rows, tallies)
from tracer.traces import (BARRIER, BROADCAST, EACH, EXCHANGE, FENCE, FORALL, FUNCTION, GATHER, GET, LOCK, MEMCPY, NOBODY,
                          PUT, RUNNING, USER_EVENT, Thread, string_value, transfer, write)


def row(count, inclusive, exclusive, longest=None, **more):
    return dict(count=count, inclusive=inclusive, exclusive=exclusive,
                longest=inclusive if longest is None else longest, **more)


def expect_tally(t, got, wanted, what):
    t.equal({key: got[key] for key in wanted}, wanted, what)


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


@case
def times_are_exact(t):
    folder = write(t.path("a.trace"), two_threads())
    data = report(t, folder)
    calls, rows = tallies(data), tallies(data, "rows")
    expect_tally(t, calls["main"], row(2, 1800, 900 - 200 - 190 - 90 - 20 + 900 - 300 - 90 - 90 - 20, 900, least=900,
                                       most=900, imbalance=0), "main")
    expect_tally(t, calls["work"], row(4, 680, 680, 300, least=290, most=390, thread=1), "work")
    expect_tally(t, calls["upc_barrier"], row(4, 320, 320, 190, least=110, most=210, thread=0), "upc_barrier")
    expect_tally(t, rows["made.upc:5", "upc_barrier"], row(4, 320, 320, 190), "the line of the barriers")
    t.equal((data["ns"], data["events"], data["threads"]), (900, 20, 2))
    text = [line.split() for line in section(read(folder, "profile.txt"), "By call")]
    t.check("4 680 ns 680 ns 170 ns 300 ns 290 ns 340 ns 390 ns 14.7% 0 work".split() in text, text)
    threads = [line.split() for line in section(read(folder, "profile.txt"), "Threads")]
    t.equal(threads[1][:8], "0 10 900 ns 690 ns 210 ns".split(), "thread 0")


@case
def what_recording_takes_is_taken_out(t):
    thread = Thread(0, 1, begin=0, costs=(20, 5, 30, 8))
    main, fence, get = thread.site(FUNCTION, 1, "f"), thread.site(FENCE, 2), thread.site(GET, 3)
    thread.start(main, 0)
    thread.both(fence, 100, 120)
    thread.both(get, 200, 250, transfer(8, 0, 0))
    thread.both(fence, 300, 303)
    thread.end(main, 500)
    calls = tallies(report(t, write(t.path("a.trace"), [thread])))
    expect_tally(t, calls["upc_fence"], row(2, 15, 15, 15), "upc_fence: 20 - 5, and no less than none")
    expect_tally(t, calls["get"], row(1, 42, 42), "get: 50 - 8")
    expect_tally(t, calls["f"], row(1, 500 - 5 - 20 - 20 - 30, 425 - 15 - 42), "f")


@case
def recursion_counts_its_time_once(t):
    thread = Thread(0, 1, begin=0)
    f, g = thread.site(FUNCTION, 1, "f"), thread.site(FUNCTION, 2, "g")
    thread.start(f, 0)
    thread.start(g, 10)
    thread.start(f, 20)
    thread.both(f, 30, 50)
    thread.end(f, 60)
    thread.end(g, 70)
    thread.end(f, 100)
    calls = tallies(report(t, write(t.path("a.trace"), [thread])))
    expect_tally(t, calls["f"], row(3, 100, 40 + 20 + 20, 100), "f")
    expect_tally(t, calls["g"], row(1, 60, 20), "g")


@case
def unpaired_events_are_mended(t):
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
    folder = write(t.path("a.trace"), [thread])
    data = report(t, folder)
    calls = tallies(data)
    expect_tally(t, calls["f"], row(1, 40, 10), "f")
    expect_tally(t, calls["g"], row(2, 30 + 10, 10 + 10, 30), "g")
    expect_tally(t, calls["upc_forall"], row(1, 20, 20), "upc_forall")
    t.equal(calls["upc_lock"]["count"], 1)
    t.check("1 of 1 threads did not come to an end" in data["remarks"], data["remarks"])
    t.equal(len(slices(t, folder)[0]), 5)
    t.equal([e[0] for e in otf2_events(t, folder)].count("ENTER"), 5)
    t.equal([e[0] for e in otf2_events(t, folder)].count("LEAVE"), 5)
    unfinished = [event for event in slices(t, folder)[0] if event[3].get("unfinished")]
    t.equal(sorted(event[2] for event in unfinished), ["g", "upc_lock"])


@case
def time_without_measurement_is_left_out(t):
    thread = Thread(0, 1, begin=0)
    f, fence = thread.site(FUNCTION, 1, "f"), thread.site(FENCE, 2)
    thread.start(f, 0)
    thread.both(fence, 10, 20)
    thread.control(100, False)
    thread.control(400, True)
    thread.both(fence, 410, 430)
    thread.end(f, 500)
    folder = write(t.path("a.trace"), [thread])
    calls = tallies(report(t, folder))
    expect_tally(t, calls["f"], row(1, 200, 170), "f")
    expect_tally(t, calls["upc_fence"], row(2, 30, 30, 20), "upc_fence")
    t.equal([e[0] for e in otf2_events(t, folder) if e[0] == "MEASUREMENT_ON_OFF"], ["MEASUREMENT_ON_OFF"] * 2)


@case
def time_of_writing_is_left_out(t):
    thread = Thread(0, 1, begin=0)
    f, fence = thread.site(FUNCTION, 1, "f"), thread.site(FENCE, 2)
    thread.start(f, 0)
    thread.both(fence, 10, 20)   # written behind its end
    thread.pause(300)
    thread.both(fence, 410, 430)
    thread.end(f, 500)
    folder = write(t.path("a.trace"), [thread])
    data = report(t, folder)
    expect_tally(t, tallies(data)["f"], row(1, 200, 170), "f")
    expect_tally(t, tallies(data)["upc_fence"], row(2, 30, 30, 20), "upc_fence")
    t.equal(data["events"], 6)


@case
def user_events_may_overlap(t):
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
    folder = write(t.path("a.trace"), [thread])
    calls = tallies(report(t, folder))
    expect_tally(t, calls["load"], row(1, 20, 10), "load")
    t.equal((calls["store"]["count"], calls["store"]["inclusive"]), (1, 10 + 20 + 50), "store")
    slices(t, folder)


@case
def values_are_shown_as_their_format_says(t):
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
    folder = write(t.path("a.trace"), [thread])
    data = report(t, folder)
    shown = "n=-3 of abc   |  0.5% 0xff x %   42 0.50 7"
    t.equal(data["thread"][0]["slices"][0][4], shown)
    t.equal(slices(t, folder)[0][0][3]["values"], shown)
    points = [point[3] for point in data["thread"][0]["points"]]
    t.equal(points[0], " " + " " * 199 + "5 ? ? %q")
    t.equal(points[1:], ["</script><!--\x01\"'&", "?"])
    t.equal(data["place"][2][:2], ["ünï \"q\" <b>\\", "dir \"x\"/ä .upc:3"])


@case
def each_byte_is_in_the_matrix_once(t):
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
    folder = write(t.path("a.trace"), threads)
    data = report(t, folder)
    gib = 1 << 30
    wanted = [[8 + gib, gib, 4 + 32 + gib], [8 + 16 + gib, 16 + gib, 1000 + 16 + 32 + gib], [gib, gib, 32 + gib]]
    t.equal(matrix(folder), wanted)
    t.equal(data["matrix"], sum(wanted, []))
    text = section(read(folder, "profile.txt"), "Communication matrix: bytes from the row's thread to the column's")
    t.equal([[int(cell) for cell in line.split()[1:]] for line in text[1:4]], wanted, "profile.txt")
    rows = tallies(data, "rows")
    t.equal((rows["made.upc:1", "get"]["bytes"], rows["made.upc:1", "get"]["remote"]), (16, 8))
    t.equal((rows["made.upc:3", "upc_memcpy"]["bytes"], rows["made.upc:3", "upc_memcpy"]["remote"]), (1050, 1000))
    hot = section(read(folder, "profile.txt"), "Hottest remote accesses")
    t.equal([line.split()[-1] for line in hot[1:]],
            ["upc_all_exchange", "upc_memcpy", "upc_all_gather", "upc_all_broadcast", "get", "put"])
    events = otf2_events(t, folder)
    t.equal([e[1:] for e in events if e[0] == "RMA_PUT"],
            [(0, 20, 'Window: "shared memory" <0>, Remote: 2 ("UPC thread 2" <2>), Bytes: 4, Matching: 3'),
             (0, 30, 'Window: "shared memory" <0>, Remote: 2 ("UPC thread 2" <2>), Bytes: 1000, Matching: 4')])
    t.equal(sum(e[0] == "RMA_GET" for e in events), 2)
    t.equal(sum(e[0] == "RMA_COLLECTIVE_END" for e in events), 9)


@case
def otf2_has_the_same_intervals(t):
    folder = write(t.path("a.trace"), two_threads())
    report(t, folder)
    names = {"ENTER": 1, "LEAVE": -1}
    got = [(e[1], e[2], names[e[0]], e[3].split('"')[1]) for e in otf2_events(t, folder) if e[0] in names]
    wanted = []
    for tid, events in slices(t, folder).items():
        for start, length, name, _ in events:
            wanted += [(tid, start, 1, name), (tid, start - length, -1, name)]
    t.equal(sorted(got), sorted(wanted))
    for tid in (0, 1):
        mine = [e[1] for e in got if e[0] == tid]
        t.equal(mine, sorted(mine), "times of a location")
    definitions = t.good(["otf2-print", "-G", f"{folder}/otf2/trace.otf2"])
    regions = [line for line in definitions.splitlines() if line.startswith("REGION ")]
    t.check(any('"work"' in line and '"made.upc"' in line and "Begin: 20" in line for line in regions), regions)
    locations = [line for line in definitions.splitlines() if line.startswith("LOCATION ")]
    t.equal([('"UPC thread %d"' % i) in locations[i] and "# Events: 10" in locations[i] for i in range(2)], [True] * 2,
            locations)


@case
def the_page_shows_it_in_a_browser(t):
    threads = two_threads()
    get = threads[1].site(GET, 9, file="<i>&amp;.upc")
    threads[1].both(get, 1950, 1960, transfer(24, 0, 1))
    folder = write(t.path("a.trace"), threads)
    data = report(t, folder)
    page = dom(t, folder)
    rows = table_rows(page, "rows")
    t.equal([row[:3] for row in rows], [["made.upc:3", "main", "2"], ["made.upc:20", "work", "4"],
                                        ["made.upc:5", "upc_barrier", "4"], ["&lt;i&gt;&amp;amp;.upc:9", "get", "1"]])
    t.equal(rows[1][3:8], ["680 ns", "680 ns", "170 ns", "300 ns", "290 ns"])
    t.equal(len(table_rows(page, "calls")), len(data["calls"]))
    t.equal([row[0] for row in table_rows(page, "threads")], ["0", "1"])
    t.equal(table_rows(page, "matrix-table"), [["0", "0", "24"], ["1", "0", "0"]])
    t.check("http" not in read(folder, "report.html"), "the page refers to the network")


@case
def a_trace_without_events_has_reports(t):
    folder = write(t.path("a.trace"), [Thread(0, 1)])
    data = report(t, folder)
    t.equal((data["events"], data["ns"], data["calls"], slices(t, folder)), (0, 0, [], {}))
    t.equal(table_rows(dom(t, folder), "threads")[0][:2], ["0", "0"])
    t.equal(otf2_events(t, folder), [])


@case
def clocks_that_go_back_do_not_turn_time(t):
    thread = Thread(0, 1, begin=1000)
    f = thread.site(FUNCTION, 1, "f")
    thread.start(f, 2000)
    thread.words += [4 << 60 | 1 << 52, 1500]
    thread.end(f, 2000)
    thread.both(f, 2000 + (5 << 32), 2010 + (5 << 32))
    calls = tallies(report(t, write(t.path("a.trace"), [thread])))
    expect_tally(t, calls["f"], row(2, 10, 10, 10), "f")


@case
def events_and_chunks_without_number(t):
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
    folder = write(t.path("a.trace"), threads)
    data = report(t, folder)
    calls = tallies(data)
    t.equal((calls["get"]["count"], calls["f"]["count"], calls["get"]["bytes"]), (60000, 2, 480000))
    t.equal(calls["get"]["inclusive"], sum(5 + i % 3 for i in range(20000)) + sum(5 + i % 3 for i in range(40000)))
    t.equal(len(slices(t, folder)[1]), 40001)
    shown = sum(len(thread["slices"]) for thread in data["thread"])
    t.check(20000 <= shown <= 30000, shown)
    t.equal(data["left out"], 60002 - shown)
    t.check(all(any(s[1] == 0 for s in thread["slices"]) for thread in data["thread"]), "the longest is shown")


@case
def deep_recursion_has_reports(t):
    thread = Thread(0, 1, begin=0)
    f = thread.site(FUNCTION, 1, "f")
    for i in range(150000):
        thread.start(f, i)
    for i in range(150000):
        thread.end(f, 150000 + i)
    calls = tallies(report(t, write(t.path("a.trace"), [thread])))
    t.equal((calls["f"]["count"], calls["f"]["inclusive"]), (100000, 299999))


@case
def many_threads_have_reports(t):
    threads = []
    for number in range(256):
        thread = Thread(number, 256, begin=0)
        get = thread.site(GET, 1)
        for other in range(256):
            thread.both(get, 10 * other, 10 * other + 5, transfer(number + 1, other, number))
        threads.append(thread)
    folder = write(t.path("a.trace"), threads)
    data = report(t, folder)
    t.equal(matrix(folder), [[to + 1 for to in range(256)] for _ in range(256)])
    t.equal((len(data["matrix"]), data["threads a cell"]), (65536, 1))
    t.check(os.path.getsize(f"{folder}/report.html") < 6 << 20, "report.html is large")
    json.loads(read(folder, "trace.json"))
    t.check("The largest of 65536 pairs" in read(folder, "profile.txt"), "the pairs in profile.txt")


@case
def reports_are_replaced_whole(t):
    folder = write(t.path("a.trace"), two_threads())
    first = report(t, folder)
    t.equal(report(t, folder), first)
    t.equal(sorted(os.listdir(folder)),
            ["matrix.tsv", "otf2", "profile.txt", "report.html", "run", "thread-0.bin", "thread-1.bin", "trace.json"])
    with open(f"{folder}/thread-1.bin", "r+b") as f:
        f.seek(4096)
        f.write(b"????")
    result = t.run([t.tool("upc-trace"), folder])
    t.equal((result.returncode, result.stderr), (1, f"{folder}/thread-1.bin: error: chunk 0: damaged\n"))
    t.equal(page_data(folder), first, "the reports that were there")
    t.check(not [name for name in os.listdir(folder) if name.startswith("new")], "a half-written report")


@case
def threads_that_are_missing_are_told(t):
    threads = two_threads()
    folder = write(t.path("a.trace"), threads)
    os.remove(f"{folder}/thread-0.bin")
    result = t.run([t.tool("upc-trace"), folder])
    t.equal(result.returncode, 0)
    t.check(f"{folder}/thread-0.bin: warning: is missing\n" in result.stderr, result.stderr)
    t.check("1 threads have left nothing" in read(folder, "profile.txt"), "profile.txt")
    t.equal(len(slices(t, folder)), 1)
    otf2_events(t, folder)
