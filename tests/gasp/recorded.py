"""What a tool is told: programs are linked with tests/fixtures/gasp/compiler/record.c,
and what it wrote down is read."""

import os

from support import ROOT
from support.upcc import upcc

FOLDER = os.path.join(ROOT, "tests", "fixtures", "gasp", "compiler")
TOOL = ["-x", "c", f"{FOLDER}/record.c", "-x", "none", f"{FOLDER}/describe.upc"]


def build_tool(upct, *switches, **options):
    """The tool as objects that are not instrumented; returns their names. The program is
    compiled by the same compiler: sanitizers of two do not go together."""
    def compiled(source, language):
        name = "-".join(["gasp/" + source, *switches, *map(str, options.values())]) + ".o"
        return upct.build_once(name, lambda path: quiet(upct, *switches, "-x", language, "-c",
                                                        f"{FOLDER}/{source}", "-o", path, **options))

    return [compiled("record.c", "c"), compiled("describe.upc", "upc")]


def quiet(upct, *words, **options):
    """upcc must succeed without a word."""
    result = upcc(upct, *words, **options)
    assert (result.returncode, result.stderr) == (0, ""), f"upcc {' '.join(map(str, words))}"


def watched(upct, *words, tool_switches=(), **options):
    """A program of what WORDS say, with the tool."""
    program = upct.path("watched")
    quiet(upct, *words, *build_tool(upct, *tool_switches, **options), "-o", program, **options)
    return program


class Event:
    """A line of the record: file, line, column, name, type, arguments as a text."""

    def __init__(self, text):
        place, self.name, self.type, *self.arguments = text.split(" ")
        self.file, line, column = place.rsplit(":", 2)
        self.line, self.column = int(line), int(column)
        self.arguments = " ".join(self.arguments)

    def __repr__(self):
        return f"{self.line}:{self.column} {self.name} {self.type} {self.arguments}".rstrip()


def run_watched(upct, program, threads, *arguments, status=0, **environment):
    """Runs PROGRAM; returns its output and the lines of each thread's record."""
    base = upct.path("events")
    for thread in range(threads):
        if os.path.exists(f"{base}.{thread}"):
            os.unlink(f"{base}.{thread}")
    result = upct.run([program, *arguments], EVENTS=base, THREADS=threads, **environment)
    assert (result.returncode, result.stderr if status == 0 else "") == (status, ""), (
        f"{program} on {threads} threads: {result.stdout}")
    lines = []
    for thread in range(threads):
        with open(f"{base}.{thread}") as f:
            lines.append(f.read().splitlines())
    return result.stdout, lines


def events_of(upct, program, threads, *arguments, **options):
    """The events of each thread."""
    return [[Event(line) for line in lines if ":" in line.split(" ")[0]]
            for lines in run_watched(upct, program, threads, *arguments, **options)[1]]


# Expected events are written short: `7 GET a[1] 4`, column first, for start and end. A
# place in array a is known by the block size.
BLOCKS = {"a": 1, "b": 2, "c": 4, "s": 1, "st": 1, "i": 0}
INTERVALS = {"GET": "1 p {0} {1}", "PUT": "1 {0} p {1}", "GETS": "0 p {0} {1}", "PUTS": "0 {0} p {1}"}


def place_of(word, threads):
    name, _, index = word.partition("[")
    if not index or name not in BLOCKS:
        return word
    block, index = BLOCKS[name], int(index[:-1])
    return f"{index // block % threads}.{index % block}" if block else "0.0"


def expand(text, threads):
    """The start and the end of an event that is written short."""
    words = [place_of(word, threads) for word in text.split(" ")]
    column, name, arguments = words[0], words[1], words[2:]
    result = ""
    if "->" in arguments:
        at = arguments.index("->")
        arguments, result = arguments[:at], " ".join(["", *arguments[at + 1:]])
    if name in INTERVALS:
        shown = INTERVALS[name].format(*arguments)
        name = name[:3]
    else:
        shown = " ".join(arguments)
        result = result if arguments else result.lstrip()
    if name in ("start", "end", "atomic"):
        return [f"{column} {arguments[0]} {' '.join([name, *arguments[1:]])}"]
    return [f"{column} {name} start {shown}".rstrip(), f"{column} {name} end {shown}{result}".rstrip()]
