"""Libraries of the distribution, as archives: programs that keep state in the library's
statics and their own get in 1, 4 and 16 threads at once, on different data, what processes get."""

import shutil
import subprocess

from harness import ROOT, case
from privatize.common import FULL

# What drives it (tests/fixtures/libraries), what it is linked with.
LIBRARIES = {
    "lua": ["-l:liblua5.4.a"],
    "zlib": ["-l:libz.a"],
    "bzip2": ["-l:libbz2.a"],
    "sqlite": ["-l:libsqlite3.a"],
    "expat": ["-l:libexpat.a"],
    "gmp": ["-l:libgmp.a"],
    "png": ["-l:libpng.a", "-l:libz.a"],
    "jpeg": ["-l:libjpeg.a"],
    "math": ["-static"],
}
# With full=1 those that are installed: they are many, and no packages that the tests ask for.
MORE = {
    "crypto": ["-l:libcrypto.a"],
    "xml2": ["-l:libxml2.a", "-l:libicuuc.a", "-l:libicudata.a", "-l:liblzma.a", "-l:libz.a", "-lstdc++"],
    "gsl": ["-l:libgsl.a", "-l:libgslcblas.a"],
    "fftw": ["-l:libfftw3.a"],
    "glib": ["-l:libgobject-2.0.a", "-l:libglib-2.0.a", "-l:libpcre2-8.a", "-l:libffi.a"],
    "python": ["-l:libpython3.11.a", "-l:libexpat.a", "-l:libz.a"],
    "db": ["-l:libdb-5.3.a"],
    "lapack": ["-l:liblapack.a", "-l:libblas.a", "-lgfortran"],
    "gcrypt": ["-l:libgcrypt.a", "-l:libgpg-error.a"],
    "mpfr": ["-l:libmpfr.a", "-l:libgmp.a"],
    "ncurses": ["-l:libncurses.a", "-l:libtinfo.a"],
    "nettle": ["-l:libnettle.a"],
    "openblas": ["-l:libopenblas.a", "-lpthread", "-lgfortran"],
    "readline": ["-l:libreadline.a", "-l:libtinfo.a"],
    "sodium": ["-l:libsodium.a", "-lpthread"],
    "tcl": ["-l:libtcl8.6.a", "-lz", "-lpthread", "-ldl"],
    "uv": ["-l:libuv_a.a", "-l:libevent.a", "-lpthread", "-ldl", "-lrt"],
    "yaml": ["-l:libyaml.a", "-l:libjansson.a"],
    "zstd": ["-l:libzstd.a", "-l:liblz4.a", "-l:liblzma.a", "-l:libbrotlienc.a", "-l:libbrotlicommon.a"],
}
FLAGS = {
    "glib": ["-I/usr/include/glib-2.0", "-I/usr/lib/x86_64-linux-gnu/glib-2.0/include"],
    "xml2": ["-I/usr/include/libxml2"],
    "python": ["-Wno-error"],
    "tcl": ["-I/usr/include/tcl8.6"],
}
# Threads that a library makes would share its variables, which are not shared.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": 1}


def is_installed(name):
    probe = subprocess.run(["gcc", *FLAGS.get(name, []), "-M", f"{ROOT}/tests/fixtures/libraries/{name}.c"],
                           capture_output=True)
    return probe.returncode == 0


if FULL:
    LIBRARIES.update({name: words for name, words in MORE.items() if is_installed(name)})
FORTRANS = [(command, library) for command, library in (("gfortran", "-lgfortran"), ("f2c", "-l:libf2c.a"))
            if FULL and shutil.which(command)]
COMPILERS = [("gcc", "-O2"), ("clang", "-O1")] if FULL else [("gcc", "-O2")]


def processes_and_threads(t, plain, program):
    wanted = [t.good([plain, n], **ENVIRONMENT) for n in range(16)]
    t.equal(len(set(wanted)), 16, "different results")
    for threads in (1, 4, 16):
        got = t.good([program], THREADS=threads, **ENVIRONMENT).splitlines(keepends=True)
        t.equal(sorted(got), sorted(wanted[:threads]), f"{threads} threads")


@case(each=[(name, cc, level) for name in LIBRARIES for cc, level in COMPILERS])
def threads_get_what_processes_get(t, name, cc, level):
    # There are no sanitizers for programs without shared libraries.
    libraries = [word for word in LIBRARIES[name] if word != "-static" or not t.sanitizers]
    compile_it = [cc, level, "-Wall", "-Wextra", "-Werror", "-fno-pie", *FLAGS.get(name, []), "-c",
                  t.fixture(f"libraries/{name}.c")]
    plain, program = t.path("plain"), t.path("program")
    t.good([*compile_it, "-o", t.path("plain.o")])
    t.good([cc, "-no-pie", t.path("plain.o"), *libraries, "-lm", "-o", plain])
    t.good([*compile_it, "-DUPCT", "-o", t.path("upct.o")])
    t.good([t.tool("upcc"), t.path("upct.o"), *libraries, "-lm", "-o", program])
    processes_and_threads(t, plain, program)


@case(each=FORTRANS)
def common_blocks_of_fortran(t, compiler, library):
    source = t.fixture("libraries/common.f")
    if compiler == "f2c":
        t.good(["f2c", "-w", source])
        source = t.path("common.c")
    t.good(["gfortran" if compiler == "gfortran" else "gcc", "-O2", "-w", "-fno-pie", "-c", source,
            "-o", t.path("common.o")])
    for kind in ("plain", "upct"):
        t.good(["gcc", "-O2", "-fno-pie", *(["-DUPCT"] if kind == "upct" else []), "-c",
                t.fixture("libraries/fortran.c"), "-o", t.path(kind + ".o")])
    plain, program = t.path("plain"), t.path("program")
    t.good(["gcc", "-no-pie", t.path("plain.o"), t.path("common.o"), library, "-lm", "-o", plain])
    t.good([t.tool("upcc"), t.path("upct.o"), t.path("common.o"), library, "-lm", "-o", program])
    processes_and_threads(t, plain, program)
