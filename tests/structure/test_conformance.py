"""docs/conformance.md: each row says where, and names files, functions and tests that are there."""

import glob
import os
import re

import pytest

from support import ROOT

pytestmark = pytest.mark.host_only("the documents are the same")

# How a name stands in a file of its kind where it is what it is named for.
TEST_OF_PYTHON = r"^def {}\("
TEST_OF_CMOCKA = r"cmocka_unit_test\w* ?\({}\b"
FUNCTION = r"^{} \("


def text_of(path):
    with open(f"{ROOT}/{path}") as text:
        return text.read()


def rows():
    for line in text_of("docs/conformance.md").splitlines():
        cells = re.split(r"(?<!\\)\|", line.strip())[1:-1]
        if cells and cells[0].strip(" -") not in ("", "section"):
            yield cells


def missing(name):
    path, _, item = name.partition("::")
    if not os.path.exists(f"{ROOT}/{path}"):
        return f"{path} is not there"
    if not item:
        return None
    pattern = (TEST_OF_PYTHON if path.endswith(".py") else
               TEST_OF_CMOCKA if path.startswith("tests/unit/") else FUNCTION)
    return None if re.search(pattern.format(item), text_of(path), re.M) else f"{path} has no {item}"


def test_what_is_named_is_there():
    for section, requirement, where, tests in rows():
        for cell, folders in ((where, "include|runtime|privatize|tools"), (tests, "tests")):
            names = re.findall(r"`([^`]+)`", cell)
            assert names, f"{section}, {requirement}: {cell} names nothing"
            for name in names:
                assert re.match(f"({folders})(/|$)", name) and not missing(name), (
                    f"{section}, {requirement}: {missing(name) or name}")


def test_programs_that_are_named_are_run():
    """Those of a folder whose programs all run, or whose names a test has."""
    tests = "".join(text_of(os.path.relpath(path, ROOT)) for path in glob.glob(f"{ROOT}/tests/**/test_*.py", recursive=True))
    for path in set(re.findall(r"`(tests/fixtures/[^`:]+)", text_of("docs/conformance.md"))):
        folder, name = os.path.split(path)
        assert folder.endswith(("upc2c/rules", "upc2c/features")) or f'"{name[:-4]}"' in tests, f"nothing runs {path}"


def test_all_documents_have_rows():
    assert len(list(rows())) > 190
    assert text_of("docs/conformance.md").count("\n## ") == 7
