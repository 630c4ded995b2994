"""What the cases about traces share: the driver, and the reports as data."""

import json
import os
import re

OUTPUTS = ["matrix.tsv", "otf2", "profile.txt", "report.html", "trace.json"]


def driver(upct):
    """A program whose events are known, linked with the recorder."""
    return upct.compile("-O1", upct.fixture("trace/driver.upc"), upct.library("libgasp-trace.a"),
                        output="drive")


def report(upct, folder):
    """Runs upc-trace, which must succeed; returns the data of report.html."""
    result = upct.run([upct.tool("upc-trace"), folder])
    assert result.returncode == 0, f"status {result.returncode}: {result.stderr}"
    return page_data(folder)


def page_data(folder):
    page = read(folder, "report.html")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def read(folder, name):
    with open(os.path.join(folder, name), errors="strict") as f:
        return f.read()


def tallies(data, kind="calls"):
    """By call, or by (line, call): what report.html says, times in ns."""
    names = ["count", "inclusive", "exclusive", "longest", "least", "most", "thread", "imbalance", "bytes", "remote"]
    found = {}
    for place, *values in data[kind]:
        name, where, _ = data["site"][place]
        found[name if kind == "calls" else (where, name)] = dict(zip(names, values))
    return found


def matrix(folder):
    return [[int(cell) for cell in line.split("\t")] for line in read(folder, "matrix.tsv").splitlines()]


def section(profile, heading):
    """The lines below a heading of profile.txt, without the ruler."""
    after = profile.split(f"\n{heading}\n", 1)[1].split("\n")[1:]
    return after[:after.index("")] if "" in after else after


def slices(upct, folder):
    """The complete events of trace.json by thread, in order of time; checked to nest."""
    data = json.loads(read(folder, "trace.json"))
    found = {}
    for event in data["traceEvents"]:
        if event["ph"] == "X":
            start, length = round(event["ts"] * 1000), round(event["dur"] * 1000)
            found.setdefault(event["tid"], []).append((start, -length, event["name"], event["args"]))
    for tid, events in found.items():
        events.sort(key=lambda e: e[:2])
        ends = []
        for start, length, name, _ in events:
            while ends and ends[-1] <= start:
                ends.pop()
            assert not ends or start - length <= ends[-1], f"thread {tid}: {name} at {start} ends behind what it is in"
            ends.append(start - length)
    return found


def otf2_events(upct, folder):
    """What otf2-print says of the archive: (kind, thread, time, the rest) of each event."""
    result = upct.run(["otf2-print", os.path.join(folder, "otf2/trace.otf2")])
    assert (result.returncode, result.stderr) == (0, ""), "otf2-print"
    events = []
    for line in result.stdout.splitlines():
        found = re.fullmatch(r"([A-Z][A-Z0-9_]+) +(\d+) +(\d+) *(.*)", line)
        if found:
            events.append((found[1], int(found[2]), int(found[3]), found[4]))
    return events


def dom(upct, folder, *switches):
    """The page as headless Chromium shows it, with SWITCHES of its own."""
    result = upct.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                       f"--user-data-dir={upct.path('browser')}", "--virtual-time-budget=5000", *switches, "--dump-dom",
                       "file://" + os.path.abspath(os.path.join(folder, "report.html"))], HOME=upct.folder)
    assert result.returncode == 0 and "</html>" in result.stdout, f"chromium: {result.stderr[-2000:]}"
    return result.stdout


def acted(upct, folder, *actions, switches=()):
    """The same after the ACTIONS, in the page's own language."""
    page = read(folder, "report.html")
    with open(os.path.join(folder, "report.html"), "w") as file:
        file.write(page.replace("</body>", "<script>" + "\n".join(actions) + "</script></body>"))
    return dom(upct, folder, *switches)


def text_of(page, name):
    """What the page says in the element of that id, which has no elements of its own kind in it."""
    tag, inner = re.search(rf'<(\w+)[^>]* id="{name}"[^>]*>(.*)', page, re.S).groups()
    return re.sub("<[^>]*>", "", inner.split(f"</{tag}>")[0])


def table_rows(page, name):
    """The rows of a table of the page as lists of text."""
    body = re.search(rf'<table id="{name}">.*?<tbody>(.*?)</tbody>', page, re.S)[1]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)]
            for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)]
