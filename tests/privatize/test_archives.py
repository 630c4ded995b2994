"""The forms that archives come in, and what is in them beside objects."""

import os

from harness import case
from privatize.common import archive_of_bsd, assemble, read_bytes

COUNTER = ".globl {0}\n.type {0},@function\n{0}: incl n(%rip); ret\n.bss\nn: .long 0\n"


def objects(t, *names):
    return [assemble(t, COUNTER.format(f"f{i}"), name[:-2]) for i, name in enumerate(names)]


def rewritten(t, archive):
    t.good([t.tool("upc-privatize"), archive, "-o", t.path("out") + "/"])
    return t.path("out/" + os.path.basename(archive))


def refused(t, archive):
    result = t.run([t.tool("upc-privatize"), archive, "-o", t.path("out") + "/"])
    t.equal((result.returncode, result.stdout), (1, ""))
    return result.stderr.replace(t.folder + "/", "")


def private_functions(t, archive):
    return [line.split()[-1] for line in t.good(["nm", archive]).splitlines() if line.endswith(".upc_private")]


@case
def names_as_bsd_has_them(t):
    one, two = objects(t, "a.o.o", "b.o.o")
    archive = t.write("bsd.a", archive_of_bsd({"__.SYMDEF SORTED": bytes(8), "short.o": read_bytes(one),
                                               "a name with blanks.o": read_bytes(two)}))
    copy = rewritten(t, archive)
    t.equal(t.good(["ar", "t", copy]), "short.o\na name with blanks.o\n")
    t.equal(private_functions(t, copy), ["f0.upc_private", "f1.upc_private"])
    t.check("f1 in a name with blanks.o" in t.good(["nm", "-s", copy]), "no index")
    t.equal(refused(t, t.write("cut.a", archive_of_bsd({"x": b""}).replace(b"#1/1 ", b"#1/9 "))),
            "cut.a: error: a member without a name\n")


@case
def members_that_are_no_objects_stay(t):
    one, two = objects(t, "a.o.o", "b.o.o")
    archive = t.path("mixed.a")
    t.good(["ar", "rcs", archive, t.write("notes", "notes\n"), one, t.write("empty", ""),
            t.write("a longer text.txt", "odd"), two, t.write("last", "end\n")])
    copy = rewritten(t, archive)
    t.equal(t.good(["ar", "t", copy]), t.good(["ar", "t", archive]))
    for name, text in (("notes", "notes\n"), ("empty", ""), ("a longer text.txt", "odd"), ("last", "end\n")):
        t.equal(t.good(["ar", "p", copy, name]), text, name)
    t.equal(private_functions(t, copy), ["f0.upc_private", "f1.upc_private"])
    main = assemble(t, ".globl _start\n_start: call f1; call f0\n", "main")
    t.good(["ld", main, copy, "-o", t.path("linked")])


@case
def thin_archives_of_members_of_archives(t):
    made = objects(t, "a.o.o", "b.o.o")
    inner, outer = t.path("inner.a"), t.path("outer.a")
    t.good(["ar", "rcs", inner, *made])
    t.good(["ar", "rcsT", outer, inner])
    copy = rewritten(t, outer)
    t.equal(t.good(["ar", "t", copy]), t.good(["ar", "t", inner]))
    t.equal(private_functions(t, copy), ["f0.upc_private", "f1.upc_private"])
    os.unlink(inner)
    t.equal(refused(t, outer), "inner.a: error: No such file or directory\n")
    t.write("inner.a", "text")
    t.equal(refused(t, outer), "inner.a: error: not an ordinary archive, but outer.a refers to members of it\n")
    t.write("inner.a", b"!<arch>\n")
    t.equal(refused(t, outer), "inner.a: error: truncated\n")


@case
def archives_in_archives(t):
    inner, outer = t.path("inner.a"), t.path("outer.a")
    t.good(["ar", "rcs", inner, *objects(t, "a.o.o")])
    t.good(["ar", "rcs", outer, inner])
    t.equal(refused(t, outer), "outer.a(inner.a): error: an archive in an archive, which linkers do not look into\n")
