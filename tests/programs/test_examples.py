"""The programs of docs/examples at other numbers of threads than their pages show, and under the checks. What they print
with four, tests/tools/test_documents.py compares."""

import glob
import os

import pytest

from support import ROOT

NAMES = sorted(os.path.basename(path)[:-len(".upc")] for path in glob.glob(f"{ROOT}/docs/examples/*.upc"))

pytestmark = pytest.mark.sample(3)


@pytest.mark.parametrize("switches", ["-O2", "-O1 -g -fupc-check=bounds,race"])
@pytest.mark.parametrize("name", NAMES)
def test_examples_are_right_with_any_number_of_threads(upct, name, switches):
    program = upct.compile("-Wall", "-Wextra", "-Werror", *switches.split(), f"{ROOT}/docs/examples/{name}.upc", "-lm", output=name)
    for threads in (1, 3, 7):
        result = upct.run([program], THREADS=threads, cwd=upct.folder)
        assert (result.stderr, result.returncode) == ("", 0)
        assert "not solved" not in result.stdout and result.stdout


def test_an_example_says_what_is_wrong(upct):
    image = upct.compile(f"{ROOT}/docs/examples/image.upc", output="image")
    result = upct.run([image, "no/such/folder.pgm"], THREADS=3, cwd=upct.folder)
    assert (result.stdout, result.stderr, result.returncode) == ("", "no/such/folder.pgm: No such file or directory\n", 1)
