"""Barriers, locks, attempts, allocation and exits, mixed: tests/fixtures/run/mixture.upc.
The seed is in the name of the case: `mixture SEED ROUNDS END` runs it again."""

import pytest

pytestmark = pytest.mark.tsan

ENDS = ("return", "exit", "global", "barrier", "thread")


def mixture(upct):
    # The race detector is to see the program's own accesses too.
    switches = ["-fsanitize=thread"] if "thread" in upct.sanitizers else []
    return upct.compile("-w", "-O2", *switches, upct.fixture("run/mixture.upc"), output="mixture")


def play(upct, program, threads, seed, rounds, **environment):
    for end in ENDS:
        result = upct.run([program, "-n", threads, seed, rounds, end], **environment)
        assert (result.stdout, result.stderr, result.returncode) == ("played\n", "", 7), (
            f"mixture {seed} {rounds} {end} on {threads} threads")


@pytest.mark.parametrize("threads, seed", [(1, 1), (2, 2), (3, 3), (8, 4), (64, 5), (256, 6)])
def test_plays(upct, threads, seed):
    if "thread" in upct.sanitizers:
        threads = min(threads, 32)
    rounds = max(4, 300 // threads) // (4 if upct.sanitizers else 1)
    play(upct, mixture(upct), threads, seed, rounds)


@pytest.mark.parametrize("wait", ["spin", "adaptive", "sleep"])
def test_plays_with_each_way_to_wait(upct, wait):
    play(upct, mixture(upct), 3, 7, 50, UPC_WAIT=wait)


@pytest.mark.stress
@pytest.mark.parametrize("threads, seed", [
    (threads, seed) for threads in (1, 2, 3, 4, 7, 16, 64, 256) for seed in range(20)])
def test_plays_for_long(upct, threads, seed):
    play(upct, mixture(upct), threads, 1000 + seed, max(50, 10000 // threads))
