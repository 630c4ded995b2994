"""Every header that stands alone parses, and passes through."""

import glob
import os
import re
import subprocess

import pytest

from support import FULL, CommandFailed

INCLUDE = "/usr/include"
BATCH = 100


def headers():
    """Headers of the C library, the kernel and the compiler, as #include names them."""
    found = []
    try:
        for package in ("libc6-dev", "linux-libc-dev"):
            listing = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True).stdout
            found += [re.sub(r"^/usr/include/(x86_64-linux-gnu/)?", "", path)
                      for path in listing.split() if path.endswith(".h")]
    except FileNotFoundError:
        found = [os.path.relpath(path, INCLUDE) for path in glob.glob(f"{INCLUDE}/*.h")]
    for folder in glob.glob("/usr/lib/gcc/x86_64-linux-gnu/*/include"):
        found += [name for name in os.listdir(folder) if name.endswith(".h")]
    found += ["immintrin.h", "zlib.h", "sqlite3.h", "gmp.h", "hwloc.h", "urcu.h", "libelf.h",
              "jemalloc/jemalloc.h", "Zydis/Zydis.h", "cmocka.h"]
    found = sorted({name for name in found if not name.startswith("/")})
    return found if FULL else found[::21]


def tokens(text):
    """TEXT as words, without lines that begin with # and what says how it was
    translated."""
    text = text.split("static const char __upc_program_info")[0]
    return [word for line in text.splitlines() if not line.startswith("#") for word in line.split()]


def check_header(upct, name, compiler):
    source = upct.write("t.c", f"#include <{name}>\n")
    preprocessed = upct.run([compiler, "-E", source, "-o", upct.path("t.i")])
    if preprocessed.returncode != 0:
        return
    if upct.run([compiler, "-w", "-fsyntax-only", "-x", "cpp-output", upct.path("t.i")]).returncode != 0:
        return
    result = upct.run([upct.tool("upc2c"), upct.path("t.i"), "-o", upct.path("o.i")])
    if result.returncode != 0 or result.stderr:
        raise CommandFailed(f"<{name}>: {result.stderr}")
    with open(upct.path("t.i"), errors="replace") as before, open(upct.path("o.i"), errors="replace") as after:
        wanted, got = tokens(before.read()), tokens(after.read())
        # Behind it stands what the runtime wants to know of a UPC file.
        assert got[:len(wanted)] == wanted, f"<{name}> does not pass through"
    upct.check_output([compiler, "-w", "-fsyntax-only", "-x", "cpp-output", upct.path("o.i")])


@pytest.mark.slow
@pytest.mark.parametrize("compiler, start", [(compiler, start) for compiler in ("gcc", "clang")
                                             for start in range(0, len(headers()), BATCH)])
def test_header_parses(upct, compiler, start):
    batch = headers()[start:start + BATCH]
    if not FULL:
        # Most headers are the same to both compilers. What sanitizers can find in upc2c is, too.
        batch = batch[compiler == "clang"::8 if upct.sanitizers else 2]
    for name in batch:
        check_header(upct, name, compiler)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_header_of_vectors_parses(upct, compiler):
    """The compilers' own, with the most of what only they have."""
    check_header(upct, "immintrin.h", compiler)
