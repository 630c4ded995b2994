"""Programs of csmith, with their globals, structures and pointers to statics: each of
four threads in one process must print the checksum of the unmodified program. Some in
`scons test`, thousands in `scons stress only=csmith`, by the hundred with
`only=csmith/thousands_are_like_processes/HUNDRED/`."""

import random

import pytest

from privatize.common import COMPILERS
from support import FULL, PROCESSOR

pytestmark = [pytest.mark.sample(6, plain=2), pytest.mark.emulated]

SEEDS = range(1, 101 if FULL else 21)
HUNDREDS = range(1, 41)
THREADS = 4
HEADERS = "/usr/include/csmith"
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
# How code is compiled, how it is linked.
MODELS = [(["-fno-pie"], ["-no-pie"]), (["-fPIE"], ["-pie"]), (["-fPIC"], ["-pie"]),
          (["-fPIC"], ["-no-pie"]), (["-fno-pie", "-mcmodel=large"], ["-no-pie"]),
          (["-fno-pie", {"x86_64": "-mcmodel=medium", "aarch64": "-mcmodel=tiny"}[PROCESSOR]], ["-no-pie"])]


def processors_own():
    """What is for vectors, and for branches that are checked."""
    if PROCESSOR == "aarch64":
        return [["-mbranch-protection=standard", "-fstack-protector-strong"], ["-moutline-atomics"]]
    with open("/proc/cpuinfo") as cpus:
        cpu = cpus.read().split()
    vectors = [[f"-m{name}", "-ftree-vectorize"] for name in ("avx2", "avx512f") if name in cpu]
    return [["-fcf-protection=full", "-fstack-protector-strong"], *vectors]


EXTRAS = [[], ["-g"], ["-march=native"], ["-fcommon", "-ffunction-sections", "-fdata-sections"],
          ["-g", "-march=native", "-fno-omit-frame-pointer"], *processors_own()]
PROGRAMS = [[], ["--lang-cpp"], ["--float"], ["--no-packed-struct", "--max-array-dim", "4"],
            ["--max-pointer-depth", "4", "--max-struct-fields", "20"],
            ["--inline-function", "--max-funcs", "20"]]
# Of a CPU, so that other processes take none of them away.
SECONDS = 10


def combination(seed):
    """What is done with a seed, chosen at random but always the same."""
    rng = random.Random(seed)
    program = rng.choice(PROGRAMS)
    cc = rng.choice(COMPILERS)
    model, link = rng.choice(MODELS)
    flags = [rng.choice(LEVELS), *model, *rng.choice(EXTRAS)]
    return program, cc, flags, link


def compare(upct, seed):
    switches, cc, flags, link = combination(seed)
    cxx = "--lang-cpp" in switches
    generated = upct.run(["prlimit", f"--cpu={SECONDS}", "csmith", "--seed", seed, *switches])
    if generated.returncode != 0:
        pytest.skip("csmith does not find the end of the program")
    text = generated.stdout
    source = upct.write("in.cc" if cxx else "in.c", text)
    if cxx:
        # clang has no way to take what csmith calls C++.
        cc, flags = "g++", [*flags, "-fpermissive", "-Wno-narrowing"]
    compiled, plain, program = upct.path("in.o"), upct.path("plain"), upct.path("program")
    upct.check_output([cc, "-w", "-I", HEADERS, *flags, "-c", source, "-o", compiled])
    upct.check_output([cc, *link, compiled, "-o", plain])
    wanted = upct.run(["prlimit", f"--cpu={SECONDS}", plain])
    if wanted.returncode != 0:
        pytest.skip("the program loops for ever, or divides by zero")
    upct.check_output([upct.tool("upcc"), *link, compiled, "-lstdc++", "-o", program])
    result = upct.run([program], THREADS=THREADS)
    assert (result.stdout, result.stderr, result.returncode) == (wanted.stdout * THREADS, "", 0), (
        f"seed {seed}: {cc} {' '.join(flags + link + switches)}")


@pytest.mark.parametrize("seed", list(SEEDS))
def test_threads_are_like_processes(upct, seed):
    compare(upct, seed)


@pytest.mark.stress
@pytest.mark.parametrize("hundred, seed", [(hundred, 100 * hundred + i) for hundred in HUNDREDS for i in range(100)])
def test_thousands_are_like_processes(upct, hundred, seed):
    compare(upct, seed)
