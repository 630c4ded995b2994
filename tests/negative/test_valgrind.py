"""What valgrind finds of the errors in tests/fixtures/check/errors.upc: one run makes those that do not end it."""

import os
import re
import shutil

import pytest

from negative.errors import BY_LIBRARY, CASES, CRASHES, FOUND, SOURCE, WANTED, line_of

pytestmark = pytest.mark.host_only("valgrind runs programs of the host")

SIZE_OF_BLOCK = {38: 32, 39: 80, 40: 16, 41: 32}
RECORD = re.compile(r"(?:Invalid (?:read|write)|Conditional jump|[\d,]+ bytes in 1 blocks are definitely lost)"
                    r"(?:.*\n)+?(?===\d+== *\n)")


def of_case(record):
    """The number of the case that the RECORD of valgrind's is about."""
    lines = [int(number) for number in re.findall(r"(?:wrong|known) \(errors\.upc:(\d+)\)", record)]
    return next((case for case in CASES if lines and line_of(case) == lines[0]), None)


@pytest.mark.no_sanitizers("valgrind has none")
def test_errors(upct):
    if not shutil.which("valgrind") or not os.path.exists("/usr/include/valgrind/memcheck.h"):
        pytest.skip("valgrind and its headers are not installed")
    program = upct.compile("-w", "-g", "-O0", SOURCE)
    made = sorted(CASES - CRASHES - BY_LIBRARY)
    result = upct.run(["valgrind", "--leak-check=full", "--show-leak-kinds=definite", program, "-n", 2, "--", *made])
    records = {}
    for record in RECORD.findall(result.stderr):
        records.setdefault(of_case(record), record)
    assert set(records) - {None} == FOUND["valgrind"] - CRASHES - BY_LIBRARY, result.stderr
    for case, record in records.items():
        allocated = re.search(r"allocated at @:(\d+)", WANTED.get(case, ""))
        if allocated and int(allocated[1]) in SIZE_OF_BLOCK:
            assert f" a block of size {SIZE_OF_BLOCK[int(allocated[1])]} " in record, record
            assert f"errors.upc:{allocated[1]})" in record, record
    assert result.returncode == 0
