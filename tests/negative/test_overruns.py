"""Whatever form a loop gets, upcc -fupc-check names the line whose last access, or first one, leaves its array."""

import re

import pytest

from generators import overruns
from support import FULL

SWITCHES = ["-O2", "-O3 -march=native", "-O1 -fupc-pts=struct", "-O0"]


@pytest.mark.sample(3, plain=2)
@pytest.mark.parametrize("cc, seed", [(cc, seed) for cc in ("gcc", "clang") for seed in range(100 if FULL else 3)])
def test_one_iteration_more_is_found(upct, cc, seed):
    text, lines = overruns.program(seed)
    upct.write("a.upc", text)
    program = upct.compile("-w", "-fupc-check", f"-T{overruns.THREADS}", *SWITCHES[seed % 4].split(), "a.upc", "-lm", UPCC_CC=cc)
    upct.check_prints("", [program])
    for case, line in enumerate(lines):
        for beyond in (1, -1):
            result = upct.run([program, case, beyond])
            assert re.match(rf"a\.upc:{line}: error: thread \d: .* is out of bounds of |"
                            rf"a\.upc:{line}: error: thread \d: access to .*(past the end of|before|in no|of a freed)",
                            result.stderr) and result.returncode == 1, (case, beyond, result.stderr)
