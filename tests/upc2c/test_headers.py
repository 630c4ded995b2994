"""Every header that stands alone parses, and passes through."""

import glob
import os
import re
import subprocess

from harness import Failure, case

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
    return found if os.environ.get("UPCT_TEST_FULL") == "1" else found[::7] + ["immintrin.h"]


def tokens(text):
    """TEXT as words, without lines that begin with # and what says how it was
    translated."""
    text = text.split("static const char __upc_program_info")[0]
    return [word for line in text.splitlines() if not line.startswith("#") for word in line.split()]


def check_header(t, name, compiler):
    source = t.write("t.c", f"#include <{name}>\n")
    preprocessed = t.run([compiler, "-E", source, "-o", t.path("t.i")])
    if preprocessed.returncode != 0:
        return
    if t.run([compiler, "-w", "-fsyntax-only", "-x", "cpp-output", t.path("t.i")]).returncode != 0:
        return
    result = t.run([t.tool("upc2c"), t.path("t.i"), "-o", t.path("o.i")], timeout=60)
    if result.returncode != 0 or result.stderr:
        raise Failure(f"<{name}>: {result.stderr}")
    with open(t.path("t.i"), errors="replace") as before, open(t.path("o.i"), errors="replace") as after:
        wanted, got = tokens(before.read()), tokens(after.read())
        # Behind it stands what the runtime wants to know of a UPC file.
        t.check(got[:len(wanted)] == wanted, f"<{name}> does not pass through")
    t.good([compiler, "-w", "-fsyntax-only", "-x", "cpp-output", t.path("o.i")])


@case(each=[(compiler, start) for compiler in ("gcc", "clang")
            for start in range(0, len(headers()), BATCH)])
def header_parses(t, compiler, start):
    try:
        t.run([compiler, "--version"])
    except FileNotFoundError:
        return
    for name in headers()[start:start + BATCH]:
        check_header(t, name, compiler)
