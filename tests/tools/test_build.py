"""Build systems that know nothing of UPCT: automake's AM_PROG_UPC, a Makefile, and CMake."""

import os
import subprocess

from harness import case

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


def write_sources(t):
    os.mkdir(t.path("sub"))
    for name, text in SOURCES.items():
        t.write(name, text)


def run(t, *command, cwd="."):
    path = t.bin + ":" + os.environ["PATH"]
    return t.good(command, cwd=t.path(cwd), PATH=path, MAKEFLAGS=None)


@case(each=[("UPC", "upcc", "UPC=upcc"), ("CC", "upcc", "CC=upcc"), ("UPC", "upc", "UPC=upc")])
def automake(t, what, name, setting):
    """The package as it is; and once more with upcc for its C compiler."""
    write_sources(t)
    run(t, "autoreconf", "-i")
    os.mkdir(t.path("out"))
    out = run(t, "../configure", setting, cwd="out")
    for line in (f"checking dependency style of {name}... gcc3", "checking for strdup... yes",
                 "checking for no_such_function... no", "checking for no_such.h... no", "checking size of long... 8"):
        t.check(line in out, f"{line} is not in\n{out}")
    run(t, "make", cwd="out")
    t.equal(t.good([t.path("out/hello")], THREADS=2), "7 9 a b\n")
    # Rules were written: a changed header makes what includes it again.
    t.write("part.h", SOURCES["part.h"].replace("9", "10"))
    again = run(t, "make", cwd="out")
    t.check("hello.upc" in again and "x.upc" not in again and "plain.c" not in again, again)
    t.equal(t.good([t.path("out/hello")], THREADS=2), "7 10 a b\n")


@case
def makefile(t):
    write_sources(t)
    t.write("Makefile", MAKEFILE)
    run(t, "make")
    t.equal(t.good([t.path("hello")], THREADS=3), "7 9 a b\n")
    t.equal(run(t, "make"), "make: 'hello' is up to date.\n")
    os.utime(t.path("part.h"), (2e9, 2e9))
    again = run(t, "make", "-n")
    t.check("hello.upc" in again and "part.upc" in again and "x.upc" not in again, again)


CMAKE_LISTS = """cmake_minimum_required (VERSION 3.18)
project (hello C)
add_library (x STATIC x.upc plain.c)
add_executable (hello hello.upc sub/part.upc)
target_include_directories (hello PRIVATE .)
target_compile_definitions (hello PRIVATE TEXT="a b")
target_link_libraries (hello x m)
set_source_files_properties (hello.upc sub/part.upc x.upc PROPERTIES LANGUAGE C)
"""


@case(each=["Release", "Debug"])
def cmake(t, build_type):
    write_sources(t)
    t.write("CMakeLists.txt", CMAKE_LISTS)
    run(t, "cmake", "-S", ".", "-B", "out", "-G", "Unix Makefiles", "-DCMAKE_C_COMPILER=upcc",
        f"-DCMAKE_BUILD_TYPE={build_type}")
    run(t, "cmake", "--build", "out")
    t.equal(t.good([t.path("out/hello")], THREADS=2), "7 9 a b\n")
    t.write("part.h", SOURCES["part.h"].replace("9", "10"))
    again = run(t, "cmake", "--build", "out")
    t.check("hello.upc" in again and "x.upc" not in again, again)
    t.equal(t.good([t.path("out/hello")], THREADS=2), "7 10 a b\n")
