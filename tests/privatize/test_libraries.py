"""Libraries of the distribution, as archives: programs that keep state in the library's
statics and their own get in 1, 4 and 16 threads at once, on different data, what processes get."""

import shutil

import pytest

from support import FULL
from support.libraries import folder, switches

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


if FULL:
    LIBRARIES.update(MORE)
FORTRANS = [("gfortran", "-lgfortran"), ("f2c", "-l:libf2c.a")]
COMPILERS = [("gcc", "-O2"), ("clang", "-O1")] if FULL else [("gcc", "-O2")]


def processes_and_threads(upct, plain, program):
    most = 4 if upct.target else 16
    wanted = [upct.check_output([plain, n], **ENVIRONMENT) for n in range(most)]
    assert len(set(wanted)) == most, "different results"
    for threads in {1, 4, most}:
        got = upct.check_output([program], THREADS=threads, **ENVIRONMENT).splitlines(keepends=True)
        assert sorted(got) == sorted(wanted[:threads]), f"{threads} threads"


@pytest.mark.parametrize("name, cc, level", [(name, cc, level) for name in LIBRARIES for cc, level in COMPILERS])
def test_threads_get_what_processes_get(upct, name, cc, level):
    # There are no sanitizers for programs without shared libraries.
    include, path = switches(upct, LIBRARIES[name])
    include += [word.replace("-I/usr", f"-I{folder(upct)}").replace("x86_64", upct.processor) for word in FLAGS.get(name, [])]
    if name in MORE and upct.run([cc, *include, "-M", upct.fixture(f"libraries/{name}.c")]).returncode:
        pytest.skip("its headers are not installed")
    libraries = path + [word for word in LIBRARIES[name] if word != "-static" or not upct.sanitizers]
    compile_it = [cc, level, "-Wall", "-Wextra", "-Werror", "-fno-pie", *include, "-c",
                  upct.fixture(f"libraries/{name}.c")]
    plain, program = upct.path("plain"), upct.path("program")
    upct.check_output([*compile_it, "-o", upct.path("plain.o")])
    upct.check_output([cc, "-no-pie", upct.path("plain.o"), *libraries, "-lm", "-o", plain])
    upct.check_output([*compile_it, "-DUPCT", "-o", upct.path("upct.o")])
    upct.check_output([upct.tool("upcc"), upct.path("upct.o"), *libraries, "-lm", "-o", program])
    processes_and_threads(upct, plain, program)


@pytest.mark.skipif(not FULL, reason="for full=1")
@pytest.mark.parametrize("compiler, library", FORTRANS)
def test_common_blocks_of_fortran(upct, compiler, library):
    # f2c makes C, for any processor.
    command = "f2c" if compiler == "f2c" else f"{upct.binutils}{compiler}"
    if not shutil.which(command):
        pytest.skip(f"{command} is not installed")
    include, path = switches(upct, [library])
    source = upct.fixture("libraries/common.f")
    if compiler == "f2c":
        upct.check_output(["f2c", "-w", source])
        source = upct.path("common.c")
    upct.check_output(["gcc" if compiler == "f2c" else command, "-O2", "-w", "-fno-pie", *include, "-c", source,
                       "-o", upct.path("common.o")])
    for kind in ("plain", "upct"):
        upct.check_output(["gcc", "-O2", "-fno-pie", *(["-DUPCT"] if kind == "upct" else []), "-c",
                           upct.fixture("libraries/fortran.c"), "-o", upct.path(kind + ".o")])
    plain, program = upct.path("plain"), upct.path("program")
    upct.check_output(["gcc", "-no-pie", upct.path("plain.o"), upct.path("common.o"), *path, library, "-lm", "-o", plain])
    upct.check_output([upct.tool("upcc"), upct.path("upct.o"), upct.path("common.o"), *path, library, "-lm", "-o", program])
    processes_and_threads(upct, plain, program)
