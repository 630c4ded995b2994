"""The forms that archives come in, and what is in them beside objects; the archives that are installed."""

import glob
import os
import re

import pytest

from privatize.common import archive_of_bsd, compile_object, read_bytes
from support import FULL, PROCESSOR, ROOT

COUNTER = "static int n;\nvoid {0} (void) {{ n++; }}\n"


def objects(upct, *names):
    return [compile_object(upct, upct.write(f"{i}.c", COUNTER.format(f"f{i}")), name, flags=["-O1"]) for i, name in enumerate(names)]


def rewritten(upct, archive):
    upct.check_output([upct.tool("upc-privatize"), archive, "-o", upct.path("out") + "/"])
    return upct.path("out/" + os.path.basename(archive))


def refused(upct, archive):
    result = upct.run([upct.tool("upc-privatize"), archive, "-o", upct.path("out") + "/"])
    assert (result.returncode, result.stdout) == (1, "")
    return result.stderr.replace(upct.folder + "/", "")


def private_functions(upct, archive):
    return [line.split()[-1] for line in upct.check_output(["nm", archive]).splitlines()
            if line.endswith(".upc_private")]


def test_names_as_bsd_has_them(upct):
    one, two = objects(upct, "a.o", "b.o")
    archive = upct.write("bsd.a", archive_of_bsd({"__.SYMDEF SORTED": bytes(8), "short.o": read_bytes(one),
                                                  "a name with blanks.o": read_bytes(two)}))
    copy = rewritten(upct, archive)
    assert upct.check_output(["ar", "t", copy]) == "short.o\na name with blanks.o\n"
    assert private_functions(upct, copy) == ["f0.upc_private", "f1.upc_private"]
    assert "f1 in a name with blanks.o" in upct.check_output(["nm", "-s", copy]), "no index"
    assert refused(upct, upct.write("cut.a", archive_of_bsd({"x": b""}).replace(b"#1/1 ", b"#1/9 "))) == (
        "cut.a: error: a member without a name\n")


def test_members_that_are_no_objects_stay(upct):
    one, two = objects(upct, "a.o", "b.o")
    archive = upct.path("mixed.a")
    upct.check_output(["ar", "rcs", archive, upct.write("notes", "notes\n"), one, upct.write("empty", ""),
                       upct.write("a longer text.txt", "odd"), two, upct.write("last", "end\n")])
    copy = rewritten(upct, archive)
    assert upct.check_output(["ar", "t", copy]) == upct.check_output(["ar", "t", archive])
    for name, text in (("notes", "notes\n"), ("empty", ""), ("a longer text.txt", "odd"), ("last", "end\n")):
        assert upct.check_output(["ar", "p", copy, name]) == text
    assert private_functions(upct, copy) == ["f0.upc_private", "f1.upc_private"]
    main = compile_object(upct, upct.write("main.c", "int f0 (), f1 ();\nint main () { return f1 () + f0 (); }\n"), "main.o")
    upct.check_output(["ld", "-r", main, copy, "-o", upct.path("linked.o")])
    assert private_functions(upct, upct.path("linked.o")) == ["f0.upc_private", "f1.upc_private"]


def test_thin_archives_of_members_of_archives(upct):
    made = objects(upct, "a.o", "b.o")
    inner, outer = upct.path("inner.a"), upct.path("outer.a")
    upct.check_output(["ar", "rcs", inner, *made])
    upct.check_output(["ar", "rcsT", outer, inner])
    copy = rewritten(upct, outer)
    assert upct.check_output(["ar", "t", copy]) == upct.check_output(["ar", "t", inner])
    assert private_functions(upct, copy) == ["f0.upc_private", "f1.upc_private"]
    os.unlink(inner)
    assert refused(upct, outer) == "inner.a: error: No such file or directory\n"
    upct.write("inner.a", "text")
    assert refused(upct, outer) == "inner.a: error: not an ordinary archive, but outer.a refers to members of it\n"
    upct.write("inner.a", b"!<arch>\n")
    assert refused(upct, outer) == "inner.a: error: truncated\n"


def test_archives_in_archives(upct):
    inner, outer = upct.path("inner.a"), upct.path("outer.a")
    upct.check_output(["ar", "rcs", inner, *objects(upct, "a.o")])
    upct.check_output(["ar", "rcs", outer, inner])
    assert refused(upct, outer) == "outer.a(inner.a): error: archive inside an archive; linkers ignore it\n"


# Those of a cross compiler and what tools/libraries has fetched, too. libm.a, for one, is a script.
MACHINE = f"{PROCESSOR}-linux-gnu"
FOLDERS = [f"/usr/lib/{MACHINE}", f"/usr/{MACHINE}/lib", f"{ROOT}/build/packages/{MACHINE}/usr/lib/{MACHINE}"]
INSTALLED = [path for folder in FOLDERS for path in sorted(glob.glob(f"{folder}/lib*.a"))
             if read_bytes(path).startswith(b"!<arch>\n")]


def rewritten_sites(upct, archive, folder):
    """Rewrites ARCHIVE into FOLDER; how many instructions, and where it is then."""
    result = upct.run([upct.tool("upc-privatize"), "--report", archive, "-o", upct.path(folder) + "/"])
    assert result.returncode == 0, result.stderr
    return (int(re.search(r"note: (\d+) instructions rewritten", result.stderr)[1]),
            upct.path(f"{folder}/{os.path.basename(archive)}"))


@pytest.mark.parametrize("archive", INSTALLED if FULL else INSTALLED[::12])
def test_installed_ones_are_rewritten_whole(upct, archive):
    """All members, so that nothing is left to rewrite; they are merged as before."""
    sites, copy = rewritten_sites(upct, archive, "once")
    assert rewritten_sites(upct, copy, "twice")[0] == 0
    merged = [upct.run(["ld", "-r", "--whole-archive", path, "-o", upct.path("all.o")]).returncode
             for path in (archive, copy)]
    assert merged[0] == merged[1]
    assert sites == 0 or private_functions(upct, copy)
