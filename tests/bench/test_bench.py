"""The arithmetic of the benchmark table: medians, quartiles, targets; and which loops are compiled how."""

import itertools
import os
import sys


sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import pytest

import kernels  # noqa: E402
from bench import Measure  # noqa: E402

pytestmark = pytest.mark.host_only("benchmarks are of the host")


def measure(target, *samples):
    m = Measure("name", "ns", "reference", target)
    m.samples = list(samples)
    m.finish()
    return m


def test_medians_and_quartiles_are_of_the_samples(upct):
    m = measure("", (1, 2), (30, 3), (4, 4), (5, 5), (3, 3))
    assert (m.ours, m.theirs, m.ratio) == (4, 3, 1)
    assert m.quartile1 < 1 < m.quartile3, "quartiles lie around the median"


@pytest.mark.parametrize("target, met", [
    ("<= 30", True), ("<= 9", False), ("<= ref + 2", True), ("<= ref + 0.5", False), ("<= 1.5 ref", True),
    ("<= 1.1 ref", False), (">= 0.95 ref", True), (">= 1.5 ref", False), ("", None)])
def test_targets_bound_ours(upct, target, met):
    assert measure(target, *[(10, 8)] * 3).is_met() == met


def test_missing_libraries_are_named(upct):
    folder = os.path.dirname(os.path.abspath(__file__))
    said = upct.check_output([sys.executable, "-c", "import sys; sys.path.append (sys.argv[1]); import bench\n"
                              "print (list (bench.beside_mpi (sys.argv[2], '')))", folder, upct.folder])
    assert said.splitlines() == ["mpi/…: no MPICH to compare with; Debian's packages are mpich libmpich-dev",
                                 "mpi/…: no Open MPI to compare with; Debian's packages are openmpi-bin libopenmpi-dev",
                                 "[]"]


def test_the_sample_of_loops_has_each_pair_of_ways(upct):
    sample = [set(name.split("-")) for name in kernels.SAMPLE]
    assert set(kernels.SAMPLE) <= set(kernels.every_way()), "they are names"
    assert all(any(str(block) in name for name in sample) for block in kernels.BLOCKS)
    for pair in itertools.combinations(kernels.WORDS, 2):
        assert len({tuple(word in name for word in pair) for name in sample}) == 4, pair


def test_names_choose_ways_of_compiling(upct, monkeypatch):
    monkeypatch.setattr(kernels.shutil, "which", lambda name: None)
    assert kernels.chosen("upc/", False) == [name for name in kernels.every_way() if name in kernels.SAMPLE and "clang" not in name]
    assert "4-fixed" in kernels.chosen("loop/copy/4-f", False)
    assert "4-fixed" not in kernels.chosen("loop/copy", False)
    assert len(kernels.chosen("", True)) == 7 * 16, "all but those of clang"
