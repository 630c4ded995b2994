"""UPC-IO: programs of tests/fixtures/io, each given the name of a file."""

import os

import harness
from harness import case

FOLDER = os.path.join(harness.ROOT, "tests", "fixtures", "io")
THREADS = (1, 2, 3, 7, 16)


def build(t, name, *switches):
    program = t.path(name)
    t.good([t.tool("upcc"), "-O2", *switches, os.path.join(FOLDER, name + ".upc"), "-o", program])
    return program


@case(each=[(name, pts, n) for name in ("moves", "control", "strong")
            for pts, n in [("packed", n) for n in THREADS] + [("struct", 3)]])
def program_checks_itself(t, name, pts, threads):
    result = t.run([build(t, name, f"-fupc-pts={pts}"), t.path("file")], THREADS=threads)
    t.equal((result.stdout, result.stderr, result.returncode), ("ok\n", "", 0))


@case(each=[("return",), ("global",)])
def open_files_are_closed_at_the_end(t, how):
    result = t.run([build(t, "end"), "file", "gone", how], cwd=t.folder, THREADS=3)
    t.equal((result.stdout, result.stderr, result.returncode), ("", "", 0))
    with open(t.path("file"), "rb") as f:
        t.equal(f.read(), b"end" * 3)
    t.check(not os.path.exists(t.path("gone")), "the file is removed")


@case
def permissions_are_those_of_the_hint(t):
    t.good([build(t, "control"), t.path("file")], THREADS=2)
    t.equal(os.stat(t.path("file")).st_mode & 0o777, 0o600)


@case(each=[("twice", "thread 0: upc_all_fwrite_local_async: an asynchronous operation on the file is under way"),
            ("between", "thread 0: upc_all_fwrite_local between upc_notify and upc_wait")])
def misuse_ends_the_run(t, name, message):
    result = t.run([build(t, name), t.path("file")], THREADS=1)
    t.equal((result.returncode, result.stdout), (1, ""))
    t.check(message in result.stderr, result.stderr)
    t.equal(result.stderr.count("\n"), 1)


@case
def library_is_announced(t):
    with open(t.path("a.upc"), "w", encoding="ascii") as f:
        f.write("#if __UPC_IO__ != 1\n#error no UPC-IO\n#endif\n#include <upc_io.h>\n"
                "upc_flag_t f = UPC_IN_NOSYNC;\nupc_off_t o;\nint main (void) { return 0; }\n")
    t.good([t.tool("upcc"), "-c", t.path("a.upc"), "-o", t.path("a.o")])
