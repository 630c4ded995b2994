"""Inputs that cannot be linked: each is named in one line, and nothing is written."""

import os
import struct
import subprocess

from harness import case
from tools.driver import (MAIN_CALLS_F, RETURNS_42, archive, compiled, links, output_of, refuses,
                          shared_library)


def elf_header(machine, kind=1, word=2):
    """An ELF file that is nothing but a header."""
    ident = b"\x7fELF" + bytes([word, 1, 1]) + bytes(9)
    if word == 1:
        return ident + struct.pack("<HHIIIIIHHHHHH", kind, machine, 1, 0, 0, 0, 0, 52, 0, 0, 40, 0, 0)
    return ident + struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, 0, 0, 0, 0, 64, 0, 0, 64, 0, 0)


@case
def missing_file(t):
    refuses(t, ["none.o"], "none.o: No such file or directory")


@case
def folder(t):
    os.mkdir(t.path("x.o"))
    refuses(t, ["x.o"], "x.o: a folder, not a file")


@case
def device(t):
    refuses(t, ["/dev/null"], "/dev/null: not a regular file")


@case
def empty_file(t):
    t.write("x.o", "")
    refuses(t, ["x.o"], "x.o: an empty file")


@case(each=["x.txt", "x.o", "x.cc"])
def text(t, name):
    t.write(name, "int main () { return 0; }\n")
    refuses(t, [name], f"{name}: unknown kind of input")


@case(each=[("aarch64", 183), ("riscv", 243), ("ppc64", 21), ("machine 4660", 4660)])
def other_machine(t, name, machine):
    t.write("foo.o", elf_header(machine))
    refuses(t, ["foo.o"], f"foo.o: an object for {name}, not x86-64")


@case(each=[("i386", 3), ("x32", 62)])
def narrow_machine(t, name, machine):
    t.write("foo.o", elf_header(machine, word=1))
    refuses(t, ["foo.o"], f"foo.o: an object for {name}, not x86-64")


@case
def program(t):
    t.write("foo", elf_header(62, kind=2))
    refuses(t, ["foo"], "foo: a program, not an object")


@case
def truncated_at_every_length(t):
    whole = open(t.path(compiled(t, "a", RETURNS_42)), "rb").read()
    for length in [4, 20, 63, 64, 65, *range(100, len(whole), 97), len(whole) - 1]:
        t.write("cut.o", whole[:length])
        refuses(t, ["cut.o"], "cut.o: truncated")


@case
def truncated_archive(t):
    whole = open(t.path(archive(t, "lib.a", compiled(t, "a", RETURNS_42))), "rb").read()
    for length in 9, 40, 70, 200, len(whole) - 100:
        t.write("cut.a", whole[:length])
        refuses(t, ["cut.a"], "cut.a: truncated")


@case
def bad_members(t):
    compiled(t, "a", RETURNS_42)
    t.write("foreign_with_a_long_name.o", elf_header(183))
    t.write("notes.txt", "text\n")
    t.write("cut.o", open(t.path("a.o"), "rb").read()[:500])
    refuses(t, [archive(t, "l1.a", "a.o", "foreign_with_a_long_name.o")],
            "l1.a(foreign_with_a_long_name.o): an object for aarch64, not x86-64")
    refuses(t, [archive(t, "l2.a", "a.o", "notes.txt")], "l2.a(notes.txt): unknown kind of input")
    refuses(t, [archive(t, "l3.a", "cut.o", "a.o")], "l3.a(cut.o): truncated")


@case
def thin_archives(t):
    os.mkdir(t.path("objects"))
    t.write("a.c", MAIN_CALLS_F)
    os.rename(t.path(compiled(t, "a_name_that_is_longer_than_its_field", RETURNS_42)), t.path("objects/f.o"))
    thin = archive(t, "sub/lib.a", "objects/f.o", flags="rcT")
    t.equal(output_of(t, links(t, "a.c", thin)), "42\n")
    t.write("objects/f.o", elf_header(183))
    refuses(t, ["a.c", thin], "sub/lib.a(f.o): an object for aarch64, not x86-64")
    os.unlink(t.path("objects/f.o"))
    refuses(t, ["a.c", thin], "sub/lib.a(f.o): No such file or directory")


@case(each=["gcc -flto", "clang -flto"])
def lto_objects(t, compiler):
    t.write("a.c", RETURNS_42)
    subprocess.run([*compiler.split(), "-c", "a.c"], cwd=t.folder, check=True)
    refuses(t, ["a.o"], "a.o: made with -flto; compile it without")
    refuses(t, [archive(t, "l.a", "a.o", flags="rcS")], "l.a(a.o): made with -flto; compile it without")


@case
def lto_objects_with_code(t):
    """What the compiler would read of them is left out: it would undo what was made of the code."""
    t.write("a.c", MAIN_CALLS_F)
    t.write("f.c", "static int n = 41; int f (void) { return ++n; }\n")
    subprocess.run(["gcc", "-O2", "-flto", "-ffat-lto-objects", "-c", "a.c", "f.c"], cwd=t.folder, check=True)
    program = links(t, "a.o", archive(t, "l.a", "f.o"))
    t.equal(output_of(t, program), "42\n")
    t.equal(t.good([program], THREADS=3), "42\n" * 3)


@case
def objects_of_go(t):
    compiled(t, "go", "__attribute__ ((section (\".go.buildinfo\"))) int build = 1;")
    reason = "made by Go, whose run-time system is one for a process; link it as a shared library"
    refuses(t, ["go.o"], "go.o: " + reason)
    refuses(t, [archive(t, "l.a", "go.o")], "l.a(go.o): " + reason)


PROCESS = "__attribute__ ((section (\"upc_process\"))) int hits = 0; int f (void) { return hits; }"
TENTATIVE = "int hits; int g (void) { return hits; }"


@case
def one_for_the_process_and_private_at_once(t):
    t.write("a.c", "extern int hits; int f (void), g (void); int main (void) { return f () + g () + hits; }")
    one, each = compiled(t, "one", PROCESS), compiled(t, "each", TENTATIVE, "-fcommon")
    reason = "'hits' is one for the process here, and private in"
    refuses(t, ["a.c", one, each], f"one.o: {reason} each.o")
    refuses(t, ["a.c", each, one], f"one.o: {reason} each.o")
    refuses(t, ["a.c", one, archive(t, "each.a", each)], f"one.o: {reason} each.a(each.o)")
    refuses(t, ["a.c", each, archive(t, "one.a", one)], f"one.a(one.o): {reason} each.o")
    # Not where the linker does not take one of them.
    t.write("a.c", "extern int hits; int f (void); int main (void) { return f () + hits; }")
    links(t, "a.c", one, "each.a")
    # Nor where another only refers to it, or has a variable of its own.
    compiled(t, "other", TENTATIVE.replace("int hits", "extern int hits").replace("g (", "h ("))
    compiled(t, "local", "static int hits; int *k (void) { return &hits; }", "-fcommon")
    links(t, "a.c", one, "other.o", "local.o")


@case
def shared_libraries_stay_outside(t):
    t.write("a.c", MAIN_CALLS_F)
    library = shared_library(t, "sub/libf.so", RETURNS_42)
    program = links(t, "a.c", library)
    t.equal(output_of(t, program, LD_LIBRARY_PATH=t.path("sub")), "42\n")
    t.write("foreign.so", elf_header(183, kind=3))
    refuses(t, ["a.c", "foreign.so"], "foreign.so: an object for aarch64, not x86-64")
