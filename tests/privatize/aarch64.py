"""What the tests of upc-privatize for aarch64 share: compile for it, privatize, link with the
harness, run under qemu, compare with the plain object."""

import os
import shutil

import pytest

TARGET = "aarch64-linux-gnu"
FOLDER = "privatize/aarch64"
SECONDS = 60  # of a CPU
NEEDED = {f"{TARGET}-gcc": f"gcc-{TARGET}", "qemu-aarch64": "qemu-user", "clang": "clang"}
COMPILERS = {"gcc": [f"{TARGET}-gcc"], "clang": ["clang", f"--target={TARGET}"]}

missing = sorted({package for command, package in NEEDED.items() if not shutil.which(command)})
needs_tools = pytest.mark.skipif(bool(missing), reason=f"apt-get install {' '.join(missing)}")


def tool(upct):
    return os.path.join(upct.build, "lib", "upct", TARGET, "upc-privatize")


def compile_object(upct, source, name="in.o", cc="gcc", flags=()):
    output = upct.path(name)
    upct.check_output([*COMPILERS[cc], "-w", *flags, "-c", source, "-o", output])
    return output


def assemble(upct, text, name="in.o", flags=()):
    return compile_object(upct, upct.write(name + ".s", text), name, flags=flags)


def privatize(upct, source, name="out.o", switches=()):
    output = upct.path(name)
    upct.check_output([tool(upct), *switches, source, "-o", output])
    return output


def merge(upct, *objects):
    output = upct.path("merged.o")
    upct.check_output([f"{TARGET}-ld", "-r", *objects, "-o", output])
    return output


def run(upct, program, libraries="", seconds=SECONDS):
    # The cache of the loader may name libraries of another folder, which go with another loader.
    return upct.run(["prlimit", f"--cpu={seconds}", "qemu-aarch64", "-L", f"/usr/{TARGET}",
                     "-E", f"LD_LIBRARY_PATH={libraries}:/usr/{TARGET}/lib", program])


def run_linked(upct, objects, name, link):
    """The harness is no part of what is rewritten."""
    pie = "-fPIE" if "-pie" in link or "-static-pie" in link else "-fno-pie"
    harness = compile_object(upct, upct.fixture(f"{FOLDER}/harness.c"), "harness.o", flags=["-O1", pie])
    program = upct.path(name)
    driver = [f"{TARGET}-gcc", *link]
    if "lld" in link:
        driver = ["clang", f"--target={TARGET}", "-fuse-ld=lld", *(word for word in link if word != "lld")]
    upct.check_output([*driver, *objects, harness, "-lpthread", "-lm", "-o", program])
    return run(upct, program)


def plain(upct, source):
    output = upct.path("plain.o")
    upct.check_output([f"{TARGET}-objcopy", "--redefine-sym", "main=upc_main",
                       "--redefine-sym", "atexit=upcr_atexit", source, output])
    return output


def same_in_each_thread(upct, source, link=("-static",), more=(), threads=3):
    """The object does in each of the harness's threads what it did plain. MORE is not rewritten."""
    wanted = run_linked(upct, [plain(upct, source), *more], "plain", link)
    assert (wanted.returncode, wanted.stderr) == (0, "") and wanted.stdout, "plain"
    got = run_linked(upct, [privatize(upct, source), *more], "private", link)
    count = len(wanted.stdout.splitlines())
    lines = got.stdout.splitlines()
    for thread in range(threads):
        part = lines[thread * count:(thread + 1) * count]
        different = [f"{g!r}\n  wanted {w!r}" for g, w in zip(part, wanted.stdout.splitlines()) if g != w]
        assert not different, f"thread {thread}:\n" + "\n".join(different[:20])
    assert (got.returncode, got.stderr, len(lines)) == (0, "", threads * count)
