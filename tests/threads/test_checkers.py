"""Programs whose UPC threads make threads, under what people run programs with: memory checkers,
emulators, the race detector."""

import os
import re
import shutil

import pytest

from support import FULL
from threads.common import UPC_THREADS, check_threads, compiled


@pytest.mark.no_sanitizers("valgrind and qemu do not run them")
@pytest.mark.skipif(not FULL, reason="for full=1")
@pytest.mark.parametrize("tool", ["valgrind -q --error-exitcode=9", "qemu-x86_64"])
@pytest.mark.parametrize("link", ["-no-pie", "-pie"])
def test_other_machines(upct, tool, link):
    command = tool.split()
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    program = upct.link(compiled(upct, "makers.c", "gcc", "-O1", "-fPIE" if link == "-pie" else "-fno-pie"),
                        flags=[link])
    check_threads(upct.check_output([*command, program], THREADS=UPC_THREADS))


PROFILED = ["gcc", pytest.param("clang", marks=pytest.mark.host_only("clang has no libraries for other processors"))]


@pytest.mark.parametrize("cc", PROFILED)
def test_coverage_counts_what_threads_do(upct, cc):
    program = upct.compile("--coverage", compiled(upct, "counted.c", cc, "-O0", "--coverage"), UPCC_CC=cc)
    # Debian has llvm-cov by clang's version.
    report = ["gcov"] if cc == "gcc" else [upct.check_output([cc, "-print-prog-name=llvm-cov"]).strip(), "gcov"]
    upct.check_output([program], THREADS=4)
    upct.check_output([*report, "-o", upct.folder, upct.fixture("threads/counted.c")])
    with open(upct.path("counted.c.gcov"), encoding="utf-8") as f:
        assert re.findall(r"^ *(\d+):.*/\* counted", f.read(), re.M) == ["12"]


@pytest.mark.parametrize("cc", PROFILED)
def test_profiles_count_what_threads_do(upct, cc):
    program = upct.compile("-fprofile-generate", compiled(upct, "counted.c", cc, "-O0", "-fprofile-generate"),
                           UPCC_CC=cc)
    upct.check_output([program], THREADS=4)
    if cc == "gcc":
        said = upct.check_output(["gcov-dump", "-l", upct.path("counted.gcda")])
        assert re.search(r"COUNTERS arcs \d+ counts.*\n.*\b12\b", said)
    else:
        profdata = upct.check_output([cc, "-print-prog-name=llvm-profdata"]).strip()
        raw = [upct.path(name) for name in os.listdir(upct.folder) if name.endswith(".profraw")]
        upct.check_output([profdata, "merge", *raw, "-o", upct.path("merged")])
        said = upct.check_output([profdata, "show", "--all-functions", "--counts", upct.path("merged")])
        assert re.search(r"work:\n(.*\n)*?.*\b12\b", said)


@pytest.mark.tsan
def test_races_are_those_of_one_upc_thread(upct):
    """Between threads of a UPC thread, named with their place; none between UPC threads, whose
    statics have one name."""
    program = upct.compile("-x", "c", "-g", "-O0", upct.fixture("threads/race.c"), output="race")
    upct.check_prints("", [program, "between"], THREADS=4)
    result = upct.run([program, "within"], THREADS=2)
    if "thread" not in upct.sanitizers:
        assert (result.stderr, result.returncode) == ("", 0)
        return
    line = 1 + upct.read_fixture("threads/race.c").split("\n").index("    racy++;")
    assert result.returncode == 66
    assert "Location is global 'racy' of size 8" in result.stderr
    assert set(re.findall(r"SUMMARY: ThreadSanitizer: data race \S+/(\S+) in (\w+)", result.stderr)) == {
        (f"race.c:{line}", "write_static")}
