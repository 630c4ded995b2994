"""docs/conformance.md: each row says where, and names files and tests that are there."""

import os
import re

from support import ROOT


def rows():
    with open(f"{ROOT}/docs/conformance.md") as text:
        for line in text:
            cells = re.split(r"(?<!\\)\|", line.strip())[1:-1]
            if cells and not cells[0].strip(" -") in ("", "section", "part"):
                yield cells


def missing(name):
    path, _, test = name.partition("::")
    if not os.path.exists(f"{ROOT}/{path}"):
        return f"{path} is not there"
    with open(f"{ROOT}/{path}") if test else open(os.devnull) as text:
        return test and not re.search(rf"\b{test} ?\(", text.read()) and f"{path} has no {test}"


def test_what_is_named_is_there():
    for _, requirement, where, tests in rows():
        for cell, folders in ((where, "include|runtime|privatize|tools"), (tests, "tests")):
            names = re.findall(r"`([^`]+)`", cell)
            assert names, f"{requirement}: {cell} names nothing"
            for name in names:
                assert re.match(f"({folders})(/|$)", name) and not missing(name), f"{requirement}: {missing(name) or name}"


def test_all_five_documents_have_rows():
    assert len(list(rows())) > 60
    with open(f"{ROOT}/docs/conformance.md") as text:
        assert text.read().count("\n## ") == 5
