"""Programs of csmith, with their globals, structures and pointers to statics: each of
four threads in one process must print the checksum of the unmodified program. Some in
`scons test`, thousands in `scons stress only=csmith`, by the hundred with
`only=csmith/thousands_are_like_processes/HUNDRED/`."""

import random

from harness import Failure, case
from privatize.common import COMPILERS, FULL

SEEDS = range(1, 101 if FULL else 21)
HUNDREDS = range(1, 41)
THREADS = 4
HEADERS = "/usr/include/csmith"
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
# How code is compiled, how it is linked.
MODELS = [(["-fno-pie"], ["-no-pie"]), (["-fPIE"], ["-pie"]), (["-fPIC"], ["-pie"]),
          (["-fPIC"], ["-no-pie"]), (["-fno-pie", "-mcmodel=large"], ["-no-pie"]),
          (["-fno-pie", "-mcmodel=medium"], ["-no-pie"])]
with open("/proc/cpuinfo") as cpus:
    CPU = cpus.read().split()
VECTORS = [[f"-m{name}", "-ftree-vectorize"] for name in ("avx2", "avx512f") if name in CPU]
EXTRAS = [[], ["-g"], ["-march=native"], *VECTORS, ["-fcommon", "-ffunction-sections", "-fdata-sections"],
          ["-fcf-protection=full", "-fstack-protector-strong"], ["-g", "-march=native", "-fno-omit-frame-pointer"]]
PROGRAMS = [[], ["--lang-cpp"], ["--float"], ["--no-packed-struct", "--max-array-dim", "4"],
            ["--max-pointer-depth", "4", "--max-struct-fields", "20"],
            ["--inline-function", "--max-funcs", "20"]]
SECONDS = 5


def combination(seed):
    """What is done with a seed, chosen at random but always the same."""
    rng = random.Random(seed)
    program = rng.choice(PROGRAMS)
    cc = rng.choice(COMPILERS)
    model, link = rng.choice(MODELS)
    flags = [rng.choice(LEVELS), *model, *rng.choice(EXTRAS)]
    return program, cc, flags, link


def compare(t, seed):
    switches, cc, flags, link = combination(seed)
    cxx = "--lang-cpp" in switches
    try:
        text = t.good(["csmith", "--seed", seed, *switches], timeout=20)
    except Failure:
        # It does not find the end of some.
        return
    source = t.write("in.cc" if cxx else "in.c", text)
    if cxx:
        # clang has no way to take what csmith calls C++.
        cc, flags = "g++", [*flags, "-fpermissive", "-Wno-narrowing"]
    compiled, plain, program = t.path("in.o"), t.path("plain"), t.path("program")
    t.good([cc, "-w", "-I", HEADERS, *flags, "-c", source, "-o", compiled])
    t.good([cc, *link, compiled, "-o", plain])
    try:
        wanted = t.good([plain], timeout=SECONDS)
    except Failure:
        # One that loops for ever, or divides by zero, says nothing.
        return
    t.good([t.tool("upcc"), *link, compiled, "-lstdc++", "-o", program])
    result = t.run([program], THREADS=THREADS)
    t.equal((result.stdout, result.stderr, result.returncode), (wanted * THREADS, "", 0),
            f"seed {seed}: {cc} {' '.join(flags + link + switches)}")


@case(each=list(SEEDS))
def threads_are_like_processes(t, seed):
    compare(t, seed)


@case(stress=True, each=[(hundred, 100 * hundred + i) for hundred in HUNDREDS for i in range(100)])
def thousands_are_like_processes(t, hundred, seed):
    compare(t, seed)
