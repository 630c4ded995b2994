"""Kernels for 64-bit ARM differ in the size of a page and in how many bits an address has. qemu stands for
each of them."""

import os

import pytest

TARGET = "aarch64-linux-gnu"

pytestmark = pytest.mark.no_sanitizers("they are not built for another processor")


def compile_static(upct, source):
    """Without shared libraries: qemu's loader lays those out for pages of 4 KiB."""
    if not os.path.exists(os.path.join(upct.build, "lib", "upct", TARGET, "libupc.a")):
        pytest.skip("no jemalloc and liburcu for arm64: see docs/compiling.md")
    upct.target = TARGET
    return upct.compile("-w", "-O2", "-static", source)


def in_qemu(upct, program, *switches, **environment):
    return upct.run(["qemu-aarch64", *switches, program], QEMU_LD_PREFIX=f"/usr/{TARGET}", **environment)


@pytest.mark.parametrize("name", ["initial_private", "library", "copies"])
def test_pages_of_any_size(upct, name):
    program = compile_static(upct, upct.fixture(f"upc2c/features/{name}.upc"))
    for page in 4096, 16384, 65536:
        result = in_qemu(upct, program, "-p", page, THREADS=4)
        assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0), page


def test_addresses_of_39_bits(upct):
    program = compile_static(upct, upct.fixture("upc2c/features/library.upc"))
    result = in_qemu(upct, program, "-R", 1 << 39, THREADS=2)
    assert (result.returncode, result.stderr) == (2, (
        "prog: error: no memory can be had at address 0x20000000000, where shared data begins: something else is there, "
        "or the kernel has addresses of less than 48 bits\n"))
