"""UPC-IO: programs of tests/fixtures/io, each given the name of a file."""

import os

import pytest

from support import ROOT

pytestmark = pytest.mark.tsan

FOLDER = os.path.join(ROOT, "tests", "fixtures", "io")
THREADS = (1, 2, 3, 7, 16)


def build(upct, name, *switches):
    return upct.compile("-O2", *switches, os.path.join(FOLDER, name + ".upc"), output=name)


@pytest.mark.parametrize("name, pts, threads", [(name, pts, n) for name in ("moves", "control", "strong")
                                                for pts, n in [("packed", n) for n in THREADS] + [("struct", 3)]])
def test_program_checks_itself(upct, name, pts, threads):
    upct.check_prints("ok\n", [build(upct, name, f"-fupc-pts={pts}"), upct.path("file")], THREADS=threads)


@pytest.mark.parametrize("how", ["return", "global"])
def test_open_files_are_closed_at_the_end(upct, how):
    result = upct.run([build(upct, "end"), "file", "gone", how], cwd=upct.folder, THREADS=3)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
    with open(upct.path("file"), "rb") as f:
        assert f.read() == b"end" * 3
    assert not os.path.exists(upct.path("gone")), "the file is removed"


def test_permissions_are_those_of_the_hint(upct):
    upct.check_output([build(upct, "control"), upct.path("file")], THREADS=2)
    assert os.stat(upct.path("file")).st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name, message", [
    ("twice", "thread 0: upc_all_fwrite_local_async: an asynchronous operation on the file is under way"),
    ("between", "thread 0: upc_all_fwrite_local between upc_notify and upc_wait")])
def test_misuse_ends_the_run(upct, name, message):
    result = upct.run([build(upct, name), upct.path("file")], THREADS=1)
    assert (result.returncode, result.stdout) == (1, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_library_is_announced(upct):
    with open(upct.path("a.upc"), "w", encoding="ascii") as f:
        f.write("#if __UPC_IO__ != 1\n#error no UPC-IO\n#endif\n#include <upc_io.h>\n"
                "upc_flag_t f = UPC_IN_NOSYNC;\nupc_off_t o;\nint main (void) { return 0; }\n")
    upct.check_output([upct.tool("upcc"), "-c", upct.path("a.upc"), "-o", upct.path("a.o")])
