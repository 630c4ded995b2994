"""What report.html shows beside the timeline: arrows, memory, another run, and that everybody can read it."""

import re

import pytest

from support import ROOT
from tracer.common import acted, dom, page_data, read, report, table_rows, text_of
from tracer.test_reports import two_threads
from tracer.traces import (ALLOC, EACH, FUNCTION, GET, GLOBAL_ALLOC, LESS, LOCK, MALLOC, MEMPUT, PRIVATE_FREE, REALLOC, SHARED,
                           SHARED_FREE, UNLOCK, USER_EVENT, Thread, heap, lock_at, transfer, write)

pytestmark = [pytest.mark.host_only("a browser of the host shows the report"),
              pytest.mark.no_sanitizers("what is tested runs in the browser")]


# Arrows


def moving_threads():
    """Thread 0 reads of thread 1 and writes to thread 2; thread 1 reads what is its own."""
    threads = [Thread(i, 3, begin=0) for i in range(3)]
    get, put = threads[0].site(GET, 1), threads[0].site(MEMPUT, 2)
    threads[0].both(get, 100, 200, transfer(8, 1, 0))
    threads[0].both(put, 300, 700, transfer(64, 0, 2))
    get = threads[1].site(GET, 1)
    threads[1].both(get, 100, 150, transfer(8, 1, 1))
    return threads


def test_arrows_go_from_whose_memory_it_was(upct):
    """The longest first, as those are drawn where there are many."""
    folder = write(upct.path("a.trace"), moving_threads())
    report(upct, folder)
    page = acted(upct, folder, "$('found').textContent = JSON.stringify(arrows.map(arrow => arrow.slice(0, 5)));")
    assert text_of(page, "found") == "[[0,300,2,700,0],[1,100,0,200,0]]"


def test_arrows_are_hidden_but_the_chosen_one(upct):
    folder = write(upct.path("a.trace"), moving_threads())
    report(upct, folder)
    count = "const pen = new Proxy({}, { get: (_, name) => (...place) => { if (name == 'fill') heads++; }, set: () => true }); let heads = 0;"
    drawn = "heads = 0; drawArrows(pen, 10); $('found').textContent += ' ' + heads;"
    page = acted(upct, folder, count, drawn, "view = [250, 800];", drawn, "$('arrows').click();", drawn,
                 "choose(0, D.thread[0].slices[1]);", drawn)
    assert text_of(page, "found") == " 2 1 0 1"
    assert text_of(page, "arrows") == "Show arrows"


def locking_threads():
    """Thread 1 waits for thread 0, thread 2 for thread 1; thread 0's second lock was free, and another one is thread 1's."""
    a, b = lock_at(0, 64), lock_at(2, 64)
    threads = [Thread(i, 3, begin=0) for i in range(3)]
    for thread, calls in zip(threads, [[(LOCK, 10, 20, a), (UNLOCK, 100, 110, a), (LOCK, 500, 510, a), (UNLOCK, 520, 530, a)],
                                       [(LOCK, 30, 120, a), (LOCK, 130, 140, b), (UNLOCK, 150, 160, b), (UNLOCK, 200, 210, a)],
                                       [(LOCK, 30, 220, a), (UNLOCK, 300, 310, a)]]):
        sites = {tag: thread.site(tag, tag) for tag in (LOCK, UNLOCK)}
        for tag, start, end, lock in calls:
            thread.both(sites[tag], start, end, lock)
    return threads


def test_locks_are_handed_over(upct):
    folder = write(upct.path("a.trace"), locking_threads())
    assert report(upct, folder)["handovers"] == [[0, 100, 1, 120], [1, 200, 2, 220]]
    page = acted(upct, folder, "choose(2, D.thread[2].slices[0]);")
    assert text_of(page, "details") == ("upc_lock – thread 2, made.upc:19, the lock at 0x40 of thread 0, "
                                        "handed over by thread 1 at 200 ns, 190 ns, from 30 ns")


# Memory


def test_heaps_have_their_bytes_over_time(upct):
    """Each thread's, whoever frees it; of all threads for a symmetric block. 2000 bins of 1000 ns,
    of which each has its most."""
    threads = [Thread(i, 2, begin=0, end=2000 * 1000 - 1) for i in range(2)]
    sites = [{tag: thread.site(tag, tag) for tag in (ALLOC, SHARED_FREE, GLOBAL_ALLOC, MALLOC, REALLOC, PRIVATE_FREE)} for thread in threads]

    def allocate(thread, tag, at, *change):
        threads[thread].start(sites[thread][tag], at, 1)
        threads[thread].end(sites[thread][tag], at + 1, heap(*change))

    def free(thread, tag, at, size, owner, flags):
        threads[thread].both(sites[thread][tag], at, at + 1, heap(size, owner, flags | LESS))

    allocate(0, ALLOC, 10500, 100, 0, SHARED)
    allocate(0, GLOBAL_ALLOC, 20500, 1000, EACH, SHARED)
    allocate(0, MALLOC, 30500, 7, 0, 0)
    allocate(0, REALLOC, 40500, 3, 0, LESS)
    allocate(0, ALLOC, 50100, 30, 0, SHARED)       # in one bin, and seen all the same
    free(0, SHARED_FREE, 50200, 30, 0, SHARED)
    allocate(1, ALLOC, 5500, 50, 1, SHARED)
    free(1, SHARED_FREE, 60500, 100, 0, SHARED)
    free(1, SHARED_FREE, 70500, 1000, EACH, SHARED)
    free(1, PRIVATE_FREE, 80500, 500, 1, 0)        # what was allocated before anybody recorded
    folder = write(upct.path("a.trace"), threads)
    data = report(upct, folder)
    assert data["shared heap"] == [[10, 100, 20, 1100, 50, 1130, 51, 1100, 61, 1000, 71, 0], [5, 50, 20, 1050, 71, 50]]
    assert data["private heap"] == [[30, 7, 41, 4], []]
    page = dom(upct, folder)
    assert "Shared heap: at most 2.1 KiB of all threads, 50 B at the end" in page
    assert "Private heap: at most 7 B of all threads, 4 B at the end" in page
    assert [row[-2:] for row in table_rows(page, "threads")] == [["1.1 KiB", "7 B"], ["1.0 KiB", "0 B"]]


def test_a_program_without_a_heap_has_no_chart(upct):
    folder = write(upct.path("a.trace"), two_threads())
    report(upct, folder)
    assert re.search(r'<section id="memory-section" hidden', dom(upct, folder))


# Another run

CHOOSE = """const files = new DataTransfer ();
files.items.add(new File([%s], "other.html"));
$("other").files = files.files;
$("other").dispatchEvent(new Event("change"));"""


def test_runs_are_compared(upct):
    """By calls and lines, the largest difference first; what only one of them has is new or gone."""
    folder, slower = write(upct.path("a.trace"), two_threads()), two_threads()
    for thread in slower:
        thread.both(thread.site(GET, 9), 1950, 2950, transfer(24, 0, 1))
    other = write(upct.path("b.trace"), slower)
    report(upct, folder), report(upct, other)
    # As text of JavaScript, in which no script ends.
    page = read(other, "report.html")
    block = re.search(r'<script type="application/json" id="data">.*?</script>', page, re.S)[0]
    shown = acted(upct, folder, CHOOSE % ("`" + block.replace("\\", "\\\\").replace("</script>", "<\\/script>") + "`"))
    calls = table_rows(shown, "compared-calls")
    assert calls[0] == ["get", "0 ns", "2.0 µs", "−2.0 µs", "gone", "0", "2", "0 B", "48 B"]
    assert calls[1][1:5] == [calls[1][1], calls[1][1], "0 ns", "1.00"]
    assert table_rows(shown, "compared-rows")[0][0] == "made.upc:9 get"
    runs = {row[0]: row[1:] for row in table_rows(shown, "compared-runs")}
    assert runs["duration"] == ["900 ns", "1.9 µs", "−1.1 µs", "0.46"]
    assert text_of(shown, "compare-error") == ""
    back = acted(upct, other, CHOOSE % ("`" + re.search(r'<script type="application/json" id="data">.*?</script>', read(folder, "report.html"), re.S)[0]
                                        .replace("\\", "\\\\").replace("</script>", "<\\/script>") + "`"))
    assert table_rows(back, "compared-calls")[0][3:5] == ["+2.0 µs", "new"]


@pytest.mark.parametrize("text", ["no report", '<script type=\\"application/json\\" id=\\"data\\">{}<\\/script>'])
def test_what_is_no_report_is_not_compared(upct, text):
    folder = write(upct.path("a.trace"), two_threads())
    report(upct, folder)
    page = acted(upct, folder, CHOOSE % f'"{text}"')
    assert text_of(page, "compare-error") == "other.html: not a report.html of upc-trace (no data of a trace in it)"


# For everybody


def test_moments_are_reached_by_keys(upct):
    thread = Thread(0, 1, begin=0)
    thread.user(USER_EVENT, "step", "%d")
    main, step = thread.site(FUNCTION, 1, "main"), thread.site(USER_EVENT, 2)
    thread.start(main, 0)
    thread.atomic(step, 40, 7)
    thread.end(main, 100)
    folder = write(upct.path("a.trace"), [thread])
    report(upct, folder)
    key = "chart.dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }));"
    assert text_of(acted(upct, folder, key, key), "details") == "step – thread 0, made.upc:2, 7, at 40 ns"


def test_cells_of_the_matrix_are_reached_by_keys(upct):
    folder = write(upct.path("a.trace"), moving_threads())
    report(upct, folder)
    key = "$('matrix').dispatchEvent(new KeyboardEvent('keydown', { key: 'Arrow%s' }));"
    page = acted(upct, folder, *(key % name for name in ("Down", "Down", "Left")))
    assert text_of(page, "cell") == "8 bytes, from thread 1, to thread 0"


def test_the_page_explains_each_letter():
    source = {}
    for name in "page.html", "select.js", "timeline.js":
        with open(f"{ROOT}/tools/trace/report/{name}") as file:
            source[name] = file.read()
    keys = set(re.findall(r"\b([a-z]): (?:\(|keys)", source["select.js"].split("const CHOICE")[1] + source["timeline.js"].split("Object.assign(keys")[1]))
    assert {"w", "n", "z"} < keys and keys | {"0"} == set(re.findall("<kbd>(.)</kbd>", source["page.html"]))


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_wcag_aa():
    """Text 4.5 (1.4.3), what else has a meaning 3 (1.4.11), in light and in dark."""
    with open(f"{ROOT}/tools/trace/report/page.css") as file:
        light, dark = re.findall(r":root[^{,]*\{([^}]*--page[^}]*)\}", file.read())
    for block in light, dark:
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
        grounds = [colours[name] for name in ("page", "card", "lane")]
        texts = {(name, ground): contrast(colours[name], ground) for name in ("ink", "soft", "accent", "error") for ground in grounds}
        assert {pair: value for pair, value in texts.items() if value < 4.5} == {}
        marks = {(name, ground): contrast(colours[name], ground) for name in ["edge", "high", *(f"c{i}" for i in range(8))] for ground in grounds}
        assert {pair: value for pair, value in marks.items() if value < 3} == {}
        # Of the names in the intervals, which are black or white.
        names = [max(contrast(colours[f"c{i}"], text) for text in ("#000000", "#ffffff")) for i in range(8)]
        assert min(names) >= 4.5


def test_names_in_intervals_have_the_text_that_is_seen(upct):
    folder = write(upct.path("a.trace"), two_threads())
    report(upct, folder)
    page = acted(upct, folder, "$('found').textContent = colour.map((c, i) => c + ' ' + textColour[i]).join();")
    for pair in text_of(page, "found").split(","):
        assert contrast(*pair.split()) >= 4.5, pair


def test_paper_is_white(upct):
    """In the dark as well: what is printed has the colours of the light."""
    folder = write(upct.path("a.trace"), two_threads())
    report(upct, folder)
    page = acted(upct, folder, "$('found').textContent = style('--card'); dispatchEvent(new Event('beforeprint'));",
                 "$('found').textContent += style('--card'); dispatchEvent(new Event('afterprint'));",
                 "$('found').textContent += style('--card');", switches=["--blink-settings=preferredColorScheme=0"])
    assert text_of(page, "found") == "#1e2226" "#ffffff" "#1e2226"


def test_it_is_printed_whole(upct):
    """Tables that scroll on the screen are on the paper, of which two hundred rows take more than four pages."""
    thread = Thread(0, 1, begin=0)
    for line in range(200):
        thread.both(thread.site(GET, line), 10 * line, 10 * line + 5, transfer(8, 0, 0))
    folder = write(upct.path("a.trace"), [thread])
    report(upct, folder)
    upct.check_output(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={upct.path('browser')}",
                       f"--print-to-pdf={upct.path('out.pdf')}", f"file://{folder}/report.html"], HOME=upct.folder)
    with open(upct.path("out.pdf"), "rb") as file:
        assert len(re.findall(rb"/Type /Page\b", file.read())) > 4


def test_paths_are_below_what_they_share(upct):
    """In all reports but those that other programs read; a path that is not absolute is as it was."""
    thread = Thread(0, 1, begin=0)
    for line, file in enumerate(["/home/ann/code/main.upc", "/home/ann/code/solve/cg.upc", "/home/ann/codes/x.upc", "here.upc"]):
        thread.both(thread.site(GET, line, file=file), 10 * line, 10 * line + 5, transfer(8, 0, 0))
    folder = write(upct.path("a.trace"), [thread])
    data = report(upct, folder)
    assert [site[1] for site in data["site"]] == ["code/main.upc:0", "code/solve/cg.upc:1", "codes/x.upc:2", "here.upc:3"]
    assert "sources  /home/ann/\n" in read(folder, "profile.txt")
    assert text_of(dom(upct, folder), "about").endswith("Sources below /home/ann/")
    assert page_data(folder)["sources"] == "/home/ann/"


def test_places_are_broken_before_the_line(upct):
    """A narrow column does not cut the number in two."""
    thread = Thread(0, 1, begin=0)
    thread.both(thread.site(GET, 130, file="solve/stealing.upc"), 10, 20, transfer(8, 0, 0))
    folder = write(upct.path("a.trace"), [thread])
    report(upct, folder)
    page = dom(upct, folder)
    assert '<td class="text">solve/<wbr>stealing.upc:<wbr>130</td>' in page
    assert table_rows(page, "rows")[0][0] == "solve/stealing.upc:130"
