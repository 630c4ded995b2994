"""Tools that upcc calls, and are not there: the message names Debian's package."""

import os
import shutil

import pytest

pytestmark = pytest.mark.host_only("upcc runs on the host")


def test_what_is_missing_has_its_package(upct):
    """On a machine with no compiler, and with no binutils."""
    upct.write("a.c", "int main (void) { return 0; }")
    upct.check_output([upct.tool("upcc"), "-c", "a.c"])
    os.mkdir(upct.path("bin"))
    for source, tool, package in ("a.c", "gcc", "gcc"), ("a.o", "ld", "binutils"):
        result = upct.run([upct.tool("upcc"), source], PATH=upct.path("bin"), UPCC_CC=None, CC=None)
        assert (result.returncode, result.stderr) == (
            1, f"upcc: error: cannot run '{tool}': No such file or directory; Debian has it in the package {package}\n")
        os.symlink(shutil.which(tool), upct.path(f"bin/{tool}"))
    result = upct.run([upct.tool("upcc"), "--target=aarch64-linux-gnu", "-c", "a.c"], PATH=upct.path("bin"))
    assert result.stderr == ("upcc: error: cannot run 'aarch64-linux-gnu-gcc': No such file or directory; "
                             "Debian has it in the package gcc-aarch64-linux-gnu\n")


@pytest.mark.no_sanitizers("sanitizers refuse shared libraries")
def test_links_that_fail_name_no_library_that_is_there(upct):
    upct.write("a.upc", "int f (void); int g (void) { return f (); }\n")
    result = upct.run([upct.tool("upcc"), "-shared", "-fPIC", "-Wl,-z,defs", "a.upc", "-o", "a.so"])
    assert result.returncode == 1 and "undefined reference to `f'" in result.stderr and "Debian" not in result.stderr
