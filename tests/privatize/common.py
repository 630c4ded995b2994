"""What the tests of upc-privatize share: compile, privatize, link with the harness,
run, compare with the plain object."""

import os
import re
from itertools import zip_longest

from support import FULL, PROCESSOR, ROOT

# With full=1 every version that is installed; others by hand: UPCT_TEST_COMPILERS="gcc-11 clang-16".
VERSIONS = sorted({name for folder in os.environ["PATH"].split(":")
                  if FULL and PROCESSOR == os.uname().machine and os.path.isdir(folder)
                  for name in os.listdir(folder) if re.fullmatch(r"(gcc|clang)-\d+", name)})
COMPILERS = os.environ.get("UPCT_TEST_COMPILERS", " ".join(["gcc", "clang", *VERSIONS])).split()

# How code is compiled, how it is linked.
CODE_MODELS = {
    "pie": (["-fPIE"], ["-pie"]),
    "nopie": (["-fno-pie"], ["-no-pie"]),
    "pic": (["-fPIC"], ["-pie"]),
}
if PROCESSOR == "aarch64":
    CODE_MODELS |= {"small pic": (["-fpic"], ["-static"]), "large": (["-fno-pie", "-mcmodel=large"], ["-static"]),
                    "tiny": (["-fno-pie", "-mcmodel=tiny"], ["-no-pie"])}


def compile_object(upct, source, name="in.o", cc="gcc", flags=()):
    """Compiles a file of tests/fixtures/privatize, or the path itself."""
    path = source if os.path.isabs(source) else upct.fixture(f"privatize/{source}")
    output = upct.path(name)
    upct.check_output([cc, "-w", *flags, "-c", path, "-o", output])
    return output


def assemble(upct, text, name="in.o", flags=()):
    return compile_object(upct, upct.write(name + ".s", text), name, flags=flags)


def privatize(upct, source, name="out.o", switches=()):
    output = upct.path(name)
    upct.check_output([upct.tool("upc-privatize"), *switches, source, "-o", output])
    return output


def merge(upct, *objects):
    output = upct.path("merged.o")
    upct.check_output(["ld", "-r", *objects, "-o", output])
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


RUNTIME = ["-std=gnu11", "-D_GNU_SOURCE", "-O1", "-fPIE", "-I", ROOT, "-I", f"{ROOT}/include"]


def runtime_objects(upct, private, flags=RUNTIME):
    """The files of the runtime that know private data; without PRIVATE, the variables alone."""
    def compiled(file):
        name = file.replace("/", "-").replace(".c", ".o")
        return compile_object(upct, os.path.join(ROOT, "runtime", file), name, flags=flags)

    variables = compiled("host/private.c")
    if not private:
        return [variables, compiled("host/identity.c")]
    upct.check_output([upct.tool("upc-privatize"), "--runtime", variables, "-o", variables])
    return [variables] + [compiled(file) for file in ("host/identity.c", "host/mappings.c", "start/block.c", "start/initial.c",
                                                      "start/private.c", "start/program_file.c", "start/ranges.c", "start/room.c",
                                                      "start/thread_local.c", "start/thread_words.c")]


def harness_objects(upct, private):
    """The harness, and with it the runtime's side."""
    def make(path):
        objects = [compile_object(upct, "harness.c", "harness.o", flags=RUNTIME), *runtime_objects(upct, private)]
        upct.check_output(["ld", "-r", *objects, "-o", path])

    return [upct.build_once(f"harness-{'private' if private else 'plain'}.o", make)]


def run_linked(upct, objects, private, flags=("-no-pie",), threads=4):
    program = upct.path("private" if private else "plain")
    upct.check_output(["gcc", *objects, *harness_objects(upct, private), *flags, "-lpthread", "-lm", "-o", program])
    result = upct.run([program], HARNESS_THREADS=threads)
    assert result.returncode >= 0, f"{os.path.basename(program)} ends with signal {-result.returncode}"
    return result.stdout


def plain(upct, source):
    """The object as it was, but for the functions that the harness has its own of."""
    output = upct.path("plain.o")
    upct.check_output(["objcopy", "--redefine-sym", "atexit=upcr_atexit",
                       "--redefine-sym", "__cxa_atexit=upcr_cxa_atexit", source, output])
    return output


def same_in_each_thread(upct, source, flags=("-no-pie",), threads=4, more=()):
    """The object does in each of THREADS threads what it did plain in one. MORE is not rewritten."""
    wanted = run_linked(upct, [plain(upct, source), *more], False, flags, threads)
    switches = [flag for flag in flags if flag == "-no-pie"]
    got = run_linked(upct, [privatize(upct, source, switches=["-" + s for s in switches]), *more], True, flags, threads)
    assert wanted.endswith("\n"), "the plain program printed nothing"
    different = [f"{g!r}\n  wanted {w!r}" 
                 for g, w in zip_longest(got.splitlines(), wanted.splitlines()) if g != w]
    assert got == wanted, "output differs:\n" + "\n".join(different[:20])
