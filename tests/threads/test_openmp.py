"""OpenMP in UPC threads: kernels on statics give what processes give."""

import os
import subprocess

import pytest

from support import FULL

pytestmark = pytest.mark.no_tsan("libgomp and libomp are not built for it")

UPC_THREADS = 2
# The compiler, and what links its OpenMP; with full=1 at each level.
RUNTIMES = {
    "libgomp": ("gcc", ["-fopenmp"]),
    "libgomp.a": ("gcc", ["-l:libgomp.a", "-ldl"]),
    "static": ("gcc", ["-static", "-l:libgomp.a", "-ldl"]),
    "libomp": ("clang", ["-fopenmp"]),
}
LEVELS = ["-O0", "-O2", "-O3 -march=native"] if FULL else ["-O2"]


def has_openmp(cc):
    return subprocess.run([cc, "-fopenmp", "-x", "c", "-", "-o", os.devnull], capture_output=True,
                          input=b"#include <omp.h>\nint main (void) { return omp_get_max_threads (); }").returncode == 0


@pytest.mark.parametrize("runtime, level", [(runtime, level) for runtime in RUNTIMES for level in LEVELS])
def test_kernels_give_what_processes_give(upct, runtime, level):
    cc, libraries = RUNTIMES[runtime]
    if runtime == "static" and upct.sanitizers:
        pytest.skip("sanitizers do not link into static programs")
    if not has_openmp(cc):
        pytest.skip(f"the OpenMP of {cc} is not installed")
    source, plain, compiled = upct.fixture("threads/omp.c"), upct.path("plain"), upct.path("omp.o")
    flags = [cc, "-Wall", "-Wextra", "-Werror", "-fopenmp", *level.split(), "-fno-pie"]
    upct.check_output([*flags, "-no-pie", source, "-lm", "-o", plain])
    upct.check_output([*flags, "-DUPCT", "-c", source, "-o", compiled])
    program = upct.compile(compiled, *libraries, "-lm", UPCC_CC=cc)
    wanted = [upct.check_output([plain, i]) for i in range(UPC_THREADS)]
    # LLVM's tool for ThreadSanitizer frees what another allocator has given.
    got = upct.check_output([program], THREADS=UPC_THREADS, OMP_TOOL="disabled")
    assert sorted(got.splitlines(keepends=True)) == wanted
    # Teams of another size, from pools that are there already.
    assert sorted(upct.check_output([program], THREADS=UPC_THREADS, OMP_DYNAMIC="true", OMP_TOOL="disabled").splitlines(True)) == wanted


def test_upc_source_with_openmp(upct):
    """Compiled and linked by upcc: shared data in a loop that a team shares, statics in its clauses."""
    program = upct.compile("-O2", "-fopenmp", upct.fixture("threads/hybrid.upc"))
    upct.check_prints("ok\n", [program], THREADS=3)
