"""The catalogue of events, runtime/gasp/events.def, against the header that tools read and the
code that raises events."""

import glob
import re

EVENT = re.compile(r'^EVENT \((\w+), (\d+), (\d+), (\w+), "([^"]*)", "([^"]*)", (\w+), (\w+ \([^)]*\)), (\w+), "(\w*)"\)$')
CALL = re.compile(r'^CALL \("(\w+)", (\w+), "([^"]*)"\)$')
FIELDS = ["name", "number", "table", "raised", "arguments", "label", "category", "role", "payload", "unit"]


def text_of(path):
    with open(path) as file:
        return file.read()


def rows():
    """Events as dicts by name, and calls as (function, event, values)."""
    events, calls = {}, []
    for line in text_of("runtime/gasp/events.def").splitlines():
        if line.startswith("EVENT ("):
            row = dict(zip(FIELDS, EVENT.match(line).groups()))
            assert row["name"] not in events, f"{row['name']} twice"
            events[row["name"]] = row
        elif line.startswith("CALL ("):
            calls.append(CALL.match(line).groups())
    return events, calls


def header():
    """What gasp_upc.h says of each event: number, table, and whether it is there for
    GASP_ALL_EVENTS only."""
    found, table, is_hidden = {}, None, False
    for line in text_of("include/gasp_upc.h").splitlines():
        words = re.match(r"/\* (?:Table (\d+)|(Events of our own))", line)
        if words:
            table = words[1] or "0"
        if line.startswith("#if defined GASP_ALL_EVENTS"):
            is_hidden = True
        elif line.startswith("#endif"):
            is_hidden = False
        event = re.match(r"#define GASP_(\w+) (\d+)u$", line)
        if event and not event[1].startswith("UPC_USEREVT"):
            found[event[1]] = event[2], table, is_hidden
    return found


def test_header_and_catalogue_agree(upct):
    events, _ = rows()
    found = header()
    assert sorted(events) == sorted(found), "names of events"
    for name, (number, table, is_hidden) in found.items():
        row = events[name]
        assert (row["number"], row["raised"] == "NEVER") == (number, is_hidden), name
        if not is_hidden:
            assert row["table"] == table, name
        assert name in text_of("include/gasp_upc.h")


def test_calls_have_a_value_for_each_argument(upct):
    events, calls = rows()
    assert len({function for function, _, _ in calls}) == len(calls), "functions"
    for function, event, values in calls:
        arguments = events[event]["arguments"]
        values, _, more = values.partition("+")
        assert set(more) <= set("0123456789x"), function
        assert [values.find(":"), len(values)] == [arguments.find(":"), len(arguments)], function
        assert set(values) <= set("0123456789:rmdtxyn"), function
        for kind, value in zip(arguments, values):
            assert {"d": "i", "t": "i", "x": "i", "y": "i", "m": "z", "n": "v"}.get(value, kind) == kind, function


def test_events_are_raised_where_it_says(upct):
    events, calls = rows()
    called = {event for _, event, _ in calls}
    translator = "".join(map(text_of, glob.glob("tools/upc2c/**/*.c", recursive=True)))
    # What says events in the words of another version raises none.
    runtime = "".join(text_of(path) for path in glob.glob("runtime/*/*.[ch]") if "version_1_3" not in path)
    for name, row in events.items():
        by_upcc = name in called or f"GASP_{name}" in translator
        by_runtime = f"GASP_{name}" in runtime
        wanted = {"CODE": (True, True), "UPCC_OR_RUNTIME": (True, True), "UPCC": (True, False),
                  "RUNTIME": (by_upcc, True), "NEVER": (False, False)}[row["raised"]]
        assert (by_upcc, by_runtime) == wanted, name
