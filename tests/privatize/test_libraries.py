"""Libraries of the distribution, as archives: programs that keep state in the library's
statics and their own get in 1, 4 and 16 threads at once, on different data, what processes get."""

from harness import case
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
COMPILERS = [("gcc", "-O2"), ("clang", "-O1")] if FULL else [("gcc", "-O2")]


@case(each=[(name, cc, level) for name in LIBRARIES for cc, level in COMPILERS])
def threads_get_what_processes_get(t, name, cc, level):
    # There are no sanitizers for programs without shared libraries.
    libraries = [word for word in LIBRARIES[name] if word != "-static" or not t.sanitizers]
    compile_it = [cc, level, "-Wall", "-Wextra", "-Werror", "-fno-pie", "-c", t.fixture(f"libraries/{name}.c")]
    plain, program = t.path("plain"), t.path("program")
    t.good([*compile_it, "-o", t.path("plain.o")])
    t.good([cc, "-no-pie", t.path("plain.o"), *libraries, "-lm", "-o", plain])
    t.good([*compile_it, "-DUPCT", "-o", t.path("upct.o")])
    t.good([t.tool("upcc"), t.path("upct.o"), *libraries, "-lm", "-o", program])
    wanted = [t.good([plain, n]) for n in range(16)]
    t.equal(len(set(wanted)), 16, "different results")
    for threads in (1, 4, 16):
        got = t.good([program], THREADS=threads).splitlines(keepends=True)
        t.equal(sorted(got), sorted(wanted[:threads]), f"{threads} threads")
