"""The house is in order, and what would not be is seen."""

import os
import subprocess

import pytest

from structure import rooms

pytestmark = [
    pytest.mark.no_sanitizers("the includes and calls are the same in each build"),
    pytest.mark.host_only("the sources are the same"),
]

PLAN = """
    low
    high other
    main
    """


@pytest.mark.parametrize("folder", rooms.PLANS)
def test_house(upct, folder):
    house = rooms.House(folder, rooms.PLANS[folder], upct.build)
    assert house.files, "no files are there"
    assert list(rooms.violations(house)) == []


def built(upct, files):
    """A house of FILES, {name: text}, with their objects."""
    for name, text in files.items():
        for folder in ("house", "obj/house"):
            os.makedirs(upct.path(os.path.join(folder, os.path.dirname(name))), exist_ok=True)
        upct.write(os.path.join("house", name), text)
        if name.endswith(".c"):
            upct.check_output(["gcc", "-I", upct.folder, "-c", upct.path(f"house/{name}"),
                               "-o", upct.path(f"obj/house/{name[:-2]}.o")])
    return rooms.House("house", PLAN, "", root=upct.folder)


GOOD = {
    "low/low.h": "void low (void);\n",
    "low/low.c": '#include "house/low/low.h"\nvoid low (void) {}\n',
    "high/high.c": '#include "house/low/low.h"\nvoid high (void) { low (); }\n',
    "main.c": "void high (void);\nint main (void) { high (); }\n",
}


VIOLATIONS = [
    ("nothing", {}, []),
    ("a call upwards", {"low/up.c": "void high (void);\nvoid up (void) { high (); }\n"},
     ["house/low/up.c: low is not above high: needs high of high/high.c"]),
    ("a hook", {"low/up.c": "void high (void) __attribute__ ((weak));\nvoid up (void) { if (high) high (); }\n"}, []),
    ("a call of a neighbour", {"other/side.c": "void high (void);\nvoid side (void) { high (); }\n"},
     ["house/other/side.c: other is not above high: needs high of high/high.c"]),
    ("an include upwards", {"high/high.h": "", "low/up.c": '#include "house/high/high.h"\n'},
     ["house/low/up.c:1: low is not above high: includes high/high.h"]),
    ("an include past the header", {"low/inner.h": "", "high/past.c": '#include "house/low/inner.h"\n'},
     ["house/high/past.c:1: includes low/inner.h, not low/low.h"]),
    ("a room that nobody planned", {"cellar/wine.c": ""},
     ["house/cellar: not a room of the plan in tests/structure/rooms.py"]),
    ("two headers in a circle", {"low/a.h": '#include "house/low/b.h"\n', "low/b.h": '#include "house/low/a.h"\n'},
     ["house: headers include each other: low/a.h low/b.h"]),
    ("two files in a circle", {"high/a.c": "void b (void);\nvoid a (void) { b (); }\n",
                               "high/b.c": "int high (void), a (void);\nvoid b (void) { a (); }\n"},
     ["house: files need each other: high/a.c high/b.c",
      "  high/a.c needs b of high/b.c", "  high/b.c needs a of high/a.c"]),
    ("two folders in a circle", {"high/x/a.c": "void b (void);\nvoid a (void) { b (); }\n",
                                 "high/y/b.c": "void b (void) {}\nvoid c (void) {}\n",
                                 "high/y/d.c": "void e (void);\nvoid d (void) { e (); }\n",
                                 "high/x/e.c": "void e (void) {}\n"},
     ["house: folders need each other: high/x high/y"]),
]


@pytest.mark.parametrize("files, wanted", [row[1:] for row in VIOLATIONS], ids=[row[0] for row in VIOLATIONS])
def test_violation(upct, files, wanted):
    assert list(rooms.violations(built(upct, {**GOOD, **files}))) == wanted
