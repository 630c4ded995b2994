"""The algorithms of runtime/sync as models that spin verifies: every order of steps of 2
to 4 threads. Each model names the C functions that its steps are. A model with one step
left out, or made wrong, must fail: so the check can."""

import os

import pytest

from support import FULL, ROOT

pytestmark = [pytest.mark.no_sanitizers("the models are the same"), pytest.mark.host_only("the models are the same")]

FOLDER = os.path.join(ROOT, "tests", "proof")


def verify(upct, model, settings):
    """Runs the verifier; returns its output."""
    upct.check_output(["spin", "-a", *settings, os.path.join(FOLDER, model + ".pml")])
    upct.check_output(["gcc", "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=3000", "pan.c", "-o", "pan"],
                      cwd=upct.folder)
    output = upct.check_output([upct.path("pan"), f"-m{3000000 if FULL else 100000}", "-w20"])
    assert "max search depth too small" not in output
    return output


HOLDS = [
    ("park", "-DWAITERS=1"), ("park", "-DWAITERS=2"), ("park", "-DWAITERS=3"), ("park", "-DWAITERS=4"),
    ("pairwise", ""),
    ("tree", "-DTHREADS=2"), ("tree", "-DTHREADS=3"),
    ("lock", "-DTHREADS=2"), ("lock", "-DTHREADS=2 -DROUNDS=3"), ("lock", "-DTHREADS=3 -DROUNDS=1"),
    ("lock", "-DTHREADS=3 -DROUNDS=1 -DOVERDUE"), ("lock", "-DTHREADS=3 -DROUNDS=1 -DATTEMPTS"),
    ("lock", "-DTHREADS=4 -DROUNDS=1"),
]
# Minutes, and some gigabytes.
HOLDS_TOO = [("tree", "-DTHREADS=4"), ("lock", "-DTHREADS=3"), ("lock", "-DTHREADS=3 -DROUNDS=2")]


@pytest.mark.slow
@pytest.mark.parametrize("model, settings", HOLDS + (HOLDS_TOO if FULL else []))
def test_holds(upct, model, settings):
    output = verify(upct, model, settings.split())
    assert "errors: 0" in output and "Warning" not in output


WRONG = [
    ("park", "NO_FENCE", "invalid end state"), ("park", "NO_COMPARE", "invalid end state"),
    ("park", "NO_COUNT_BEFORE", "invalid end state"),
    ("pairwise", "MARK_FIRST", "assertion violated"), ("pairwise", "ONE_ID", "assertion violated"),
    ("tree", "NO_LOOK", "assertion violated"), ("tree", "STORE", "assertion violated"),
    ("tree", "CLEAR_LATE", "assertion violated"), ("tree", "ONE_LOOK", "assertion violated"),
    ("lock", "NO_COMPARE", "invalid end state"), ("lock", "NO_FLAG", "invalid end state"),
    ("lock", "NO_WAKE", "invalid end state"), ("lock", "NO_LINK_WAIT", "invalid end state"),
    ("lock", "FORGET_HANDOFF", "assertion violated"),
]


@pytest.mark.parametrize("model, mutant, error", WRONG)
def test_wrong_step_is_found(upct, model, mutant, error):
    threads = {"lock": ["-DTHREADS=3", "-DROUNDS=1"], "tree": ["-DTHREADS=3"]}.get(model, [])
    output = verify(upct, model, [*threads, f"-DMUTANT_{mutant}"])
    assert error in output and "errors: 1" in output
