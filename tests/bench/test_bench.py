"""The arithmetic of the benchmark table: medians, quartiles, targets."""

import os
import sys

from harness import case

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from bench import Measure  # noqa: E402


def measure(target, *samples):
    m = Measure("name", "ns", "reference", target)
    m.samples = list(samples)
    m.finish()
    return m


@case
def medians_and_quartiles_are_of_the_samples(t):
    m = measure("", (1, 2), (30, 3), (4, 4), (5, 5), (3, 3))
    t.equal((m.ours, m.theirs, m.ratio), (4, 3, 1))
    t.check(m.quartile1 < 1 < m.quartile3, "quartiles lie around the median")


@case(each=[("<= 30", True), ("<= 9", False), ("<= ref + 2", True), ("<= ref + 0.5", False),
            ("<= 1.5 ref", True), ("<= 1.1 ref", False), (">= 0.95 ref", True),
            (">= 1.5 ref", False), ("", None)])
def targets_bound_ours(t, target, met):
    t.equal(measure(target, *[(10, 8)] * 3).is_met(), met)


@case
def missing_libraries_are_named(t):
    folder = os.path.dirname(os.path.abspath(__file__))
    said = t.good([sys.executable, "-c", "import sys; sys.path.append (sys.argv[1]); import bench\n"
                   "print (list (bench.beside_mpi (sys.argv[2], '')))", folder, t.folder])
    t.equal(said.splitlines(),
            ["mpi/…: no MPICH to compare with; Debian's packages are mpich libmpich-dev",
             "mpi/…: no Open MPI to compare with; Debian's packages are openmpi-bin libopenmpi-dev", "[]"])
