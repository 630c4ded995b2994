"""Libraries that make threads, linked as archives: each UPC thread has a pool of its own, and gets
what a process gets."""

import os
import subprocess

import pytest

from support import FULL, ROOT
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


def is_installed(source, archive):
    """With its headers, and ARCHIVE, which is named as to the linker."""
    headers = subprocess.run(["gcc", "-M", f"{ROOT}/tests/fixtures/{source}"], capture_output=True)
    path = subprocess.run(["gcc", "-print-file-name=" + archive.removeprefix("-l:")], capture_output=True, text=True)
    return headers.returncode == 0 and os.path.isabs(path.stdout)


if FULL:
    LIBRARIES.update({name: row for name, row in MORE.items() if is_installed(row[0], row[1][0])})


@pytest.mark.host_only("libuv and its like are installed for the host")
@pytest.mark.parametrize("name", LIBRARIES)
def test_pools_work_for_their_upc_thread(upct, name):
    source, libraries, threads = LIBRARIES[name]
    plain, program, compiled = upct.path("plain"), upct.path("program"), upct.path("upct.o")
    compile_it = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-fno-pie"]
    upct.check_output([*compile_it, "-no-pie", upct.fixture(source), *libraries, "-lm", "-o", plain])
    upct.check_output([*compile_it, "-DUPCT", "-c", upct.fixture(source), "-o", compiled])
    upct.check_output([upct.tool("upcc"), compiled, *libraries, "-lm", "-o", program])
    wanted = [upct.check_output([plain, i], OPENBLAS_NUM_THREADS=1) for i in range(UPC_THREADS)]
    assert sorted(upct.check_output([program], THREADS=UPC_THREADS, **threads).splitlines(keepends=True)) == wanted


@pytest.mark.skipif(not FULL, reason="for full=1")
def test_workers_that_serve_all_upc_threads(upct):
    """oneTBB's: what a body reaches by pointers is its caller's, whoever runs it (docs/private-data.md)."""
    if not os.path.exists("/usr/include/tbb/parallel_for.h"):
        pytest.skip("oneTBB is not installed")
    program = upct.link(compiled(upct, "tbb.cc", "g++", "-O1", "-fno-pie"), flags=["-ltbb", "-lstdc++"])
    lines = upct.check_output([program], THREADS=UPC_THREADS).splitlines()
    assert sorted(lines) == [f"{i} {20000 * (1 + 20 * i)} 0" for i in range(UPC_THREADS)]
