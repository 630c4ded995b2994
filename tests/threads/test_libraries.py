"""Libraries that make threads, linked as archives: each UPC thread has a pool of its own, and gets
what a process gets."""

import os

import pytest

from support import FULL
from support.libraries import folder, switches
from threads.common import compiled

pytestmark = pytest.mark.no_tsan("these libraries are not built for it")

UPC_THREADS = 3
# What drives it (tests/fixtures), what it is linked with, and how its threads are asked for.
LIBRARIES = {"uv": ("threads/uv.c", ["-l:libuv_a.a", "-lpthread", "-ldl", "-lrt"], {"UV_THREADPOOL_SIZE": 3})}
# With full=1 those that are installed: they are large.
MORE = {
    "openblas": ("libraries/openblas.c", ["-l:libopenblas.a", "-lpthread", "-lgfortran"], {"OPENBLAS_NUM_THREADS": 3}),
    "x265": ("threads/x265.c", ["-l:libx265.a", "-lstdc++", "-lnuma", "-ldl", "-lpthread"], {}),
}


if FULL:
    LIBRARIES.update(MORE)


@pytest.mark.parametrize("name", LIBRARIES)
def test_pools_work_for_their_upc_thread(upct, name):
    source, libraries, threads = LIBRARIES[name]
    include, path = switches(upct, libraries)
    libraries = [*path, *libraries]
    plain, program, compiled = upct.path("plain"), upct.path("program"), upct.path("upct.o")
    if name in MORE and upct.run(["gcc", *include, upct.fixture(source), *libraries, "-lm", "-o", plain]).returncode:
        pytest.skip("it is not installed")
    compile_it = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-fno-pie", *include]
    upct.check_output([*compile_it, "-no-pie", upct.fixture(source), *libraries, "-lm", "-o", plain])
    upct.check_output([*compile_it, "-DUPCT", "-c", upct.fixture(source), "-o", compiled])
    upct.check_output([upct.tool("upcc"), compiled, *libraries, "-lm", "-o", program])
    wanted = [upct.check_output([plain, i], OPENBLAS_NUM_THREADS=1) for i in range(UPC_THREADS)]
    assert sorted(upct.check_output([program], THREADS=UPC_THREADS, **threads).splitlines(keepends=True)) == wanted


@pytest.mark.skipif(not FULL, reason="for full=1")
def test_workers_that_serve_all_upc_threads(upct):
    """oneTBB's: what a body reaches by pointers is its caller's, whoever runs it (docs/private-data.md)."""
    if not os.path.exists(f"{folder(upct)}/include/tbb/parallel_for.h"):
        pytest.skip("oneTBB is not installed")
    include, path = switches(upct, ["-ltbb"])
    program = upct.link(compiled(upct, "tbb.cc", "g++", "-O1", "-fno-pie", *include), flags=[*path, "-ltbb", "-lstdc++"])
    lines = upct.check_output([program], THREADS=UPC_THREADS).splitlines()
    assert sorted(lines) == [f"{i} {20000 * (1 + 20 * i)} 0" for i in range(UPC_THREADS)]
