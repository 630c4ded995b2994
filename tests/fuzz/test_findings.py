"""What fuzzers of upc2c found: none of it makes it crash or hang again. `scons fuzz`
looks for more."""

import glob
import os

import pytest

from support import ROOT

pytestmark = pytest.mark.host_only("upc2c is a program of the host")

FOLDER = os.path.join(ROOT, "tests/fuzz/findings")


@pytest.mark.parametrize("name", sorted(os.path.basename(path) for path in glob.glob(f"{FOLDER}/*")))
def test_finding(upct, name):
    for switches in [], ["-fupc-threads-3"], ["-fupc-pts=struct"]:
        result = upct.run(["prlimit", "--cpu=30", upct.tool("upc2c"), *switches, f"{FOLDER}/{name}", "-o", "out.c"])
        assert (result.returncode in (0, 1) and "Sanitizer" not in result.stderr
                and "runtime error" not in result.stderr), (f"status {result.returncode}\n{result.stderr[-2000:]}")
