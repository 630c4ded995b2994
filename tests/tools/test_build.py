"""Build systems that know nothing of UPCT: automake's AM_PROG_UPC, a Makefile, and CMake."""

import os

import pytest

pytestmark = [pytest.mark.sample(3, plain=3), pytest.mark.host_only("build systems look for programs of the host"),
              pytest.mark.no_sanitizers("build systems do the same with all builds")]

SOURCES = {
    "hello.upc": "#include <upc.h>\n#include \"part.h\"\n#include <stdio.h>\nint plain (void), x (void);\n"
                 "int main (void)\n{\n  upc_barrier;\n  if (MYTHREAD == 0)\n"
                 "    printf (\"%d %d %s\\n\", part () + plain () + x (), PART, TEXT);\n  return 0;\n}\n",
    "sub/part.upc": "#include \"part.h\"\nshared int s;\nint part (void) { s = 1; return s; }\n",
    "plain.c": "int plain (void) { return 2; }\n",
    "x.upc": "shared int q[THREADS];\nint x (void) { q[MYTHREAD] = 4; return q[MYTHREAD]; }\n",
    "part.h": "#define PART 9\nint part (void);\n",
    "configure.ac": "AC_INIT([hello], [1.0])\nAM_INIT_AUTOMAKE([foreign subdir-objects -Wall])\nAM_PROG_UPC\n"
                    "AM_PROG_AR\nAC_PROG_RANLIB\nAC_CHECK_HEADERS([stdio.h no_such.h])\n"
                    "AC_CHECK_FUNCS([strdup no_such_function])\nAC_CHECK_SIZEOF([long])\nAC_C_INLINE\n"
                    "AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
    "Makefile.am": "bin_PROGRAMS = hello\nhello_SOURCES = hello.upc sub/part.upc plain.c\n"
                   "hello_UPCFLAGS = -O2 -DTEXT='\"a b\"'\nhello_LDADD = libx.a\n"
                   "noinst_LIBRARIES = libx.a\nlibx_a_SOURCES = x.upc\n",
}
# Of a program that was written for another UPC compiler.
MAKEFILE = """UPCC = upcc
UPCFLAGS = -O2 -DTEXT='"a b"' -I.
hello: hello.o part.o libx.a
\t$(UPCC) $(UPCFLAGS) -o $@ $^ -lm
plain.o: plain.c
\t$(UPCC) -c plain.c
part.o: sub/part.upc
\t$(UPCC) $(UPCFLAGS) -MMD -c $<
%.o: %.upc
\t$(UPCC) $(UPCFLAGS) -MMD -c $<
libx.a: x.o plain.o
\tar rc $@ $^
-include hello.d part.d
"""


def write_sources(upct):
    os.mkdir(upct.path("sub"))
    for name, text in SOURCES.items():
        upct.write(name, text)


def run(upct, *command, cwd="."):
    path = upct.bin + ":" + os.environ["PATH"]
    return upct.check_output(command, cwd=upct.path(cwd), PATH=path, MAKEFLAGS=None)


@pytest.mark.slow
@pytest.mark.parametrize("what, name, setting", [("UPC", "upcc", "UPC=upcc"), ("CC", "upcc", "CC=upcc"),
                                                 ("UPC", "upc", "UPC=upc")])
def test_automake(upct, what, name, setting):
    """The package as it is; and once more with upcc for its C compiler."""
    write_sources(upct)
    run(upct, "autoreconf", "-i")
    os.mkdir(upct.path("out"))
    out = run(upct, "../configure", setting, cwd="out")
    for line in (f"checking dependency style of {name}... gcc3", "checking for strdup... yes",
                 "checking for no_such_function... no", "checking for no_such.h... no", "checking size of long... 8"):
        assert line in out, f"{line} is not in\n{out}"
    run(upct, "make", cwd="out")
    assert upct.check_output([upct.path("out/hello")], THREADS=2) == "7 9 a b\n"
    # Rules were written: a changed header makes what includes it again.
    upct.write("part.h", SOURCES["part.h"].replace("9", "10"))
    again = run(upct, "make", cwd="out")
    assert "hello.upc" in again and "x.upc" not in again and "plain.c" not in again
    assert upct.check_output([upct.path("out/hello")], THREADS=2) == "7 10 a b\n"


def test_makefile(upct):
    write_sources(upct)
    upct.write("Makefile", MAKEFILE)
    run(upct, "make")
    assert upct.check_output([upct.path("hello")], THREADS=3) == "7 9 a b\n"
    assert run(upct, "make") == "make: 'hello' is up to date.\n"
    os.utime(upct.path("part.h"), (2e9, 2e9))
    again = run(upct, "make", "-n")
    assert "hello.upc" in again and "part.upc" in again and "x.upc" not in again


CMAKE_LISTS = """cmake_minimum_required (VERSION 3.18)
project (hello C)
add_library (x STATIC x.upc plain.c)
add_executable (hello hello.upc sub/part.upc)
target_include_directories (hello PRIVATE .)
target_compile_definitions (hello PRIVATE TEXT="a b")
target_link_libraries (hello x m)
set_source_files_properties (hello.upc sub/part.upc x.upc PROPERTIES LANGUAGE C)
"""


@pytest.mark.parametrize("build_type", ["Release", "Debug"])
def test_cmake(upct, build_type):
    write_sources(upct)
    upct.write("CMakeLists.txt", CMAKE_LISTS)
    run(upct, "cmake", "-S", ".", "-B", "out", "-G", "Unix Makefiles", "-DCMAKE_C_COMPILER=upcc",
        f"-DCMAKE_BUILD_TYPE={build_type}")
    run(upct, "cmake", "--build", "out")
    assert upct.check_output([upct.path("out/hello")], THREADS=2) == "7 9 a b\n"
    upct.write("part.h", SOURCES["part.h"].replace("9", "10"))
    again = run(upct, "cmake", "--build", "out")
    assert "hello.upc" in again and "x.upc" not in again
    assert upct.check_output([upct.path("out/hello")], THREADS=2) == "7 10 a b\n"
