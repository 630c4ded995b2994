"""Build systems that know UPC as a language: CMake by find_package (UPC), Meson by a native file."""

import os
import re

import pytest

from tools.test_build import SOURCES, run, write_sources

pytestmark = [pytest.mark.sample(3), pytest.mark.host_only("build systems look for programs of the host"),
              pytest.mark.no_sanitizers("build systems do the same with all builds")]

FIXED = """#include <upc.h>
#if THREADS != 3
#error another number
#endif
int main (void) { return THREADS != 3; }
"""

CMAKE_LISTS = """cmake_minimum_required (VERSION 3.18)
project (hello C CXX)
find_package (UPC REQUIRED)
enable_testing ()
add_library (x STATIC x.upc plain.c)
add_executable (hello hello.upc sub/part.upc)
target_include_directories (hello PRIVATE .)
target_compile_definitions (hello PRIVATE TEXT="a b")
target_link_libraries (hello PRIVATE x m)
add_executable (fixed fixed.upc)
upc_target_threads (fixed 3)
# Linked by upcc for the library's sake.
add_executable (mixed main.cc)
target_link_libraries (mixed PRIVATE x)
upc_add_test (NAME four COMMAND mixed 4 THREADS 4)
upc_add_test (NAME fixed COMMAND fixed)
"""

MAIN = """#include <cstdlib>
extern "C" int x (void);
extern "C" const int THREADS;
int main (int argc, char **argv) { return x () != 4 || THREADS != std::atoi (argv[1]); }
"""


def write_more(upct, lists=CMAKE_LISTS):
    write_sources(upct)
    upct.write("fixed.upc", FIXED)
    upct.write("main.cc", MAIN)
    upct.write("CMakeLists.txt", lists)


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["Unix Makefiles", "Ninja"])
def test_cmake_knows_the_language(upct, generator):
    """It finds the package by PATH, and what each file depends on by the compiler."""
    write_more(upct)
    out = run(upct, "cmake", "-S", ".", "-B", "out", "-G", generator, "-DCMAKE_BUILD_TYPE=Release")
    assert f"Check for working UPC compiler: {upct.bin}/upcc - works" in out
    run(upct, "cmake", "--build", "out")
    assert "100% tests passed, 0 tests failed out of 2" in run(upct, "ctest", cwd="out")
    assert upct.check_output([upct.path("out/hello")], THREADS=2) == "7 9 a b\n"
    upct.write("part.h", SOURCES["part.h"].replace("9", "10"))
    again = run(upct, "cmake", "--build", "out")
    assert "hello.upc" in again and "x.upc" not in again
    assert upct.check_output([upct.path("out/hello")], THREADS=2) == "7 10 a b\n"


def test_cmake_says_what_is_wrong(upct):
    write_more(upct)
    package = f"-DUPC_DIR={upct.build}/share/cmake/UPC"
    for setting, message in ((f"-DCMAKE_UPC_COMPILER={upct.path('no-upcc')}", "no-upcc"),
                             ("-DCMAKE_UPC_COMPILER=/bin/false", "is not able to compile a simple test program")):
        result = upct.run(["cmake", "-S", ".", "-B", f"out{len(setting)}", package, setting], cwd=upct.folder)
        assert result.returncode == 1 and message in result.stderr
    wrong = CMAKE_LISTS.replace("upc_add_test (NAME fixed ", "upc_add_test (")
    upct.write("CMakeLists.txt", wrong)
    result = upct.run(["cmake", "-S", ".", "-B", "out", package], cwd=upct.folder)
    assert result.returncode == 1 and "upc_add_test: NAME and COMMAND are needed" in result.stderr


MESON = """project ('hello', 'c')
upc = generator (find_program ('upcc'), output : '@BASENAME@.o', depfile : '@BASENAME@.d',
                 arguments : ['-O2', '-c', '@INPUT@', '-o', '@OUTPUT@', '-MD', '-MF', '@DEPFILE@', '@EXTRA_ARGS@'])
words = ['-DTEXT="a b"', '-I' + meson.current_source_dir ()]
x = static_library ('x', upc.process ('x.upc'), 'plain.c')
hello = executable ('hello', upc.process ('hello.upc', 'sub/part.upc', extra_args : words), link_with : x)
test ('hello', hello, env : ['THREADS=3'])
"""


def test_meson(upct):
    """upcc is its C compiler, which it takes for gcc."""
    write_sources(upct)
    upct.write("meson.build", MESON)
    upct.write("upcc.ini", "[binaries]\nc = 'upcc'\n")
    out = run(upct, "meson", "setup", "out", "--native-file", "upcc.ini")
    assert "C compiler for the host machine: upcc (gcc " in out and "WARNING" not in out
    run(upct, "ninja", "-C", "out")
    assert upct.check_output([upct.path("out/hello")], THREADS=2) == "7 9 a b\n"
    assert re.search(r"1/1 hello +OK", run(upct, "meson", "test", "-C", "out"))
    os.utime(upct.path("part.h"), (2e9, 2e9))
    again = run(upct, "ninja", "-C", "out", "-n", "-v")
    assert "hello.upc" in again and "part.upc" in again and "x.upc" not in again
