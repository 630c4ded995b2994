"""Barriers, locks, attempts, allocation and exits, mixed: tests/fixtures/run/mixture.upc.
The seed is in the name of the case: `mixture SEED ROUNDS END` runs it again."""

from harness import case

ENDS = ("return", "exit", "global", "barrier", "thread")


def mixture(t):
    program = t.path("mixture")
    # The race detector is to see the program's own accesses too.
    switches = ["-fsanitize=thread"] if "thread" in t.sanitizers else []
    t.good([t.tool("upcc"), "-w", "-O2", *switches, t.fixture("run/mixture.upc"), "-o", program])
    return program


def play(t, program, threads, seed, rounds, **environment):
    for end in ENDS:
        result = t.run([program, "-n", threads, seed, rounds, end], timeout=3000, **environment)
        t.equal((result.stdout, result.stderr, result.returncode), ("played\n", "", 7),
                f"mixture {seed} {rounds} {end} on {threads} threads")


@case(each=[(1, 1), (2, 2), (3, 3), (8, 4), (64, 5), (256, 6)])
def plays(t, threads, seed):
    if "thread" in t.sanitizers:
        threads = min(threads, 32)
    rounds = max(4, 300 // threads) // (4 if t.sanitizers else 1)
    play(t, mixture(t), threads, seed, rounds)


@case(each=["spin", "adaptive", "sleep"])
def plays_with_each_way_to_wait(t, wait):
    play(t, mixture(t), 3, 7, 50, UPC_WAIT=wait)


@case(stress=True, each=[(threads, seed) for threads in (1, 2, 3, 4, 7, 16, 64, 256) for seed in range(20)])
def plays_for_long(t, threads, seed):
    play(t, mixture(t), threads, 1000 + seed, max(50, 10000 // threads))
