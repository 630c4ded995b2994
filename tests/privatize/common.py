"""What the tests of upc-privatize share: compile, privatize, link with the harness,
run, compare with the plain object."""

import os
import re
from itertools import zip_longest

from harness import ROOT

FULL = os.environ.get("UPCT_TEST_FULL") == "1"
# With full=1 every version that is installed; others by hand: UPCT_TEST_COMPILERS="gcc-11 clang-16".
VERSIONS = sorted({name for folder in os.environ["PATH"].split(":") if FULL and os.path.isdir(folder)
                  for name in os.listdir(folder) if re.fullmatch(r"(gcc|clang)-\d+", name)})
COMPILERS = os.environ.get("UPCT_TEST_COMPILERS", " ".join(["gcc", "clang", *VERSIONS])).split()

# How code is compiled, how it is linked.
CODE_MODELS = {
    "pie": (["-fPIE"], ["-pie"]),
    "nopie": (["-fno-pie"], ["-no-pie"]),
    "pic": (["-fPIC"], ["-pie"]),
}


def compile_object(t, source, name="in.o", cc="gcc", flags=()):
    """Compiles a file of tests/fixtures/privatize, or the path itself."""
    path = source if os.path.isabs(source) else t.fixture(f"privatize/{source}")
    output = t.path(name)
    t.good([cc, "-w", *flags, "-c", path, "-o", output])
    return output


def assemble(t, text, name="in.o", flags=()):
    return compile_object(t, t.write(name + ".s", text), name, flags=flags)


def privatize(t, source, name="out.o"):
    output = t.path(name)
    t.good([t.tool("upc-privatize"), source, "-o", output])
    return output


def read_bytes(path):
    with open(path, "rb") as f:
        return f.read()


def archive_of_bsd(members):
    """An archive of MEMBERS, bytes by name, as the ar of BSD and macOS writes it."""
    archive = b"!<arch>\n"
    for name, data in members.items():
        data = name.encode() + data
        archive += b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (b"#1/%d" % len(name), 0, 0, 0, 0o644, len(data))
        archive += data + b"\n" * (len(data) % 2)
    return archive


def harness_objects(t, private):
    """The harness, and with it the runtime's side when PRIVATE."""
    objects = [compile_object(t, "harness.c", "harness.o", flags=["-O1", "-fPIE"])]
    if private:
        source = os.path.join(ROOT, "runtime/start/private.c")
        objects.append(compile_object(t, source, "private.o", flags=["-O1", "-fPIE", "-I", ROOT]))
    return objects


def run_linked(t, objects, private, flags=("-no-pie",), threads=4):
    program = t.path("private" if private else "plain")
    t.good(["gcc", *objects, *harness_objects(t, private), *flags, "-lpthread", "-lm", "-o", program])
    result = t.run([program], HARNESS_THREADS=threads)
    t.check(result.returncode >= 0, f"{os.path.basename(program)} ends with signal {-result.returncode}")
    return result.stdout


def plain(t, source):
    """The object as it was, but for the functions that the harness has its own of."""
    output = t.path("plain.o")
    t.good(["objcopy", "--redefine-sym", "atexit=upcr_atexit",
            "--redefine-sym", "__cxa_atexit=upcr_cxa_atexit", source, output])
    return output


def same_in_each_thread(t, source, flags=("-no-pie",), threads=4):
    """The object does in each of THREADS threads what it did plain in one."""
    wanted = run_linked(t, [plain(t, source)], False, flags, threads)
    got = run_linked(t, [privatize(t, source)], True, flags, threads)
    t.check(wanted.endswith("\n"), "the plain program printed nothing")
    different = [f"{g!r}\n  wanted {w!r}" 
                 for g, w in zip_longest(got.splitlines(), wanted.splitlines()) if g != w]
    t.check(got == wanted, "output differs:\n" + "\n".join(different[:20]))
