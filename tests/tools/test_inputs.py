"""Inputs that cannot be linked: each is named in one line, and nothing is written."""

import os
import struct
import subprocess

import pytest

from support.upcc import (MAIN_CALLS_F, RETURNS_42, archive, compiled, links, output_of, refuses,
                          shared_library, upcc)


def elf_header(machine, kind=1, word=2):
    """An ELF file that is nothing but a header."""
    ident = b"\x7fELF" + bytes([word, 1, 1]) + bytes(9)
    if word == 1:
        return ident + struct.pack("<HHIIIIIHHHHHH", kind, machine, 1, 0, 0, 0, 0, 52, 0, 0, 40, 0, 0)
    return ident + struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, 0, 0, 0, 0, 64, 0, 0, 64, 0, 0)


# As ELF files and messages have it.
MACHINES = {"x86_64": ("x86-64", 62), "aarch64": ("aarch64", 183)}


def own_machine(upct):
    return MACHINES[upct.processor]


def other_machine(upct):
    return next(machine for processor, machine in MACHINES.items() if processor != upct.processor)


def test_missing_file(upct):
    refuses(upct, ["none.o"], "none.o: No such file or directory")


def test_folder(upct):
    os.mkdir(upct.path("x.o"))
    refuses(upct, ["x.o"], "x.o: is a directory")


def test_device(upct):
    refuses(upct, ["/dev/null"], "/dev/null: not a regular file")


def test_empty_file(upct):
    upct.write("x.o", "")
    refuses(upct, ["x.o"], "x.o: file is empty")


@pytest.mark.parametrize("name", ["x.txt", "x.o", "x.java"])
def test_text(upct, name):
    upct.write(name, "int main () { return 0; }\n")
    refuses(upct, [name], f"{name}: file format not recognized")


@pytest.mark.parametrize("name, machine", [("", 0), ("riscv", 243), ("ppc64", 21), ("machine 4660", 4660)])
def test_other_machine(upct, name, machine):
    if not name:
        name, machine = other_machine(upct)
    upct.write("foo.o", elf_header(machine))
    refuses(upct, ["foo.o"], f"foo.o: an object for {name}, not {own_machine(upct)[0]}")


@pytest.mark.parametrize("name, machine", [("i386", 3), ("x32", 62)])
def test_narrow_machine(upct, name, machine):
    upct.write("foo.o", elf_header(machine, word=1))
    refuses(upct, ["foo.o"], f"foo.o: an object for {name}, not {own_machine(upct)[0]}")


def test_program(upct):
    upct.write("foo", elf_header(own_machine(upct)[1], kind=2))
    refuses(upct, ["foo"], "foo: a program, not an object")


def test_truncated_at_every_length(upct):
    whole = open(upct.path(compiled(upct, "a", RETURNS_42)), "rb").read()
    for length in [4, 20, 63, 64, 65, *range(100, len(whole), 97), len(whole) - 1]:
        upct.write("cut.o", whole[:length])
        refuses(upct, ["cut.o"], "cut.o: truncated")


def test_truncated_archive(upct):
    whole = open(upct.path(archive(upct, "lib.a", compiled(upct, "a", RETURNS_42))), "rb").read()
    for length in 9, 40, 70, 200, len(whole) - 100:
        upct.write("cut.a", whole[:length])
        refuses(upct, ["cut.a"], "cut.a: truncated")


def test_bad_members(upct):
    (own, _), (other, machine) = own_machine(upct), other_machine(upct)
    compiled(upct, "a", RETURNS_42)
    upct.write("foreign_with_a_long_name.o", elf_header(machine))
    upct.write("notes.txt", "text\n")
    upct.write("cut.o", open(upct.path("a.o"), "rb").read()[:500])
    refuses(upct, [archive(upct, "l1.a", "a.o", "foreign_with_a_long_name.o")],
            f"l1.a(foreign_with_a_long_name.o): an object for {other}, not {own}")
    refuses(upct, [archive(upct, "l2.a", "a.o", "notes.txt")], "l2.a(notes.txt): file format not recognized")
    refuses(upct, [archive(upct, "l3.a", "cut.o", "a.o")], "l3.a(cut.o): truncated")


def test_thin_archives(upct):
    os.mkdir(upct.path("objects"))
    upct.write("a.c", MAIN_CALLS_F)
    os.rename(upct.path(compiled(upct, "a_name_that_is_longer_than_its_field", RETURNS_42)), upct.path("objects/f.o"))
    thin = archive(upct, "sub/lib.a", "objects/f.o", flags="rcT")
    assert output_of(upct, links(upct, "a.c", thin)) == "42\n"
    (own, _), (other, machine) = own_machine(upct), other_machine(upct)
    upct.write("objects/f.o", elf_header(machine))
    refuses(upct, ["a.c", thin], f"sub/lib.a(f.o): an object for {other}, not {own}")
    os.unlink(upct.path("objects/f.o"))
    refuses(upct, ["a.c", thin], "sub/lib.a(f.o): No such file or directory")


@pytest.mark.parametrize("compiler", ["gcc -flto", "clang -flto"])
def test_lto_objects(upct, compiler):
    upct.write("a.c", RETURNS_42)
    subprocess.run([*compiler.split(), "-c", "a.c"], cwd=upct.folder, check=True)
    refuses(upct, ["a.o"], "a.o: compiled with -flto; compile it without")
    refuses(upct, [archive(upct, "l.a", "a.o", flags="rcS")], "l.a(a.o): compiled with -flto; compile it without")


def test_lto_objects_with_code(upct):
    """What the compiler would read of them is left out: it would undo what was made of the code."""
    upct.write("a.c", MAIN_CALLS_F)
    upct.write("f.c", "static int n = 41; int f (void) { return ++n; }\n")
    subprocess.run(["gcc", "-O2", "-flto", "-ffat-lto-objects", "-c", "a.c", "f.c"], cwd=upct.folder, check=True)
    program = links(upct, "a.o", archive(upct, "l.a", "f.o"))
    assert output_of(upct, program) == "42\n"
    assert upct.check_output([program], THREADS=3) == "42\n" * 3


@pytest.mark.parametrize("switch, message", [
    ("-fcommon", "symbol 'big' is too large: 3000000000 bytes, aligned to 32"),
    ("-fno-common", "3000000000 bytes of private data exceed the limit of 2130706432 bytes per thread; the largest "
     "symbols:\n    3000000000 big"),
])
def test_messages_name_the_program(upct, switch, message):
    """And no temporary file that is gone when they are read."""
    compiled(upct, "big", "char big[3000000000ul];", switch)
    upct.write("main.c", "int main (void) { return 0; }\n")
    result = upcc(upct, "main.c", "big.o", "-o", "prog")
    assert (result.returncode, result.stdout, result.stderr) == (1, "", f"prog: error: {message}\n")


def test_linker_names_the_program(upct):
    upct.write("main.c", "int f (void); int main (void) { return f (); }\n")
    result = upcc(upct, "main.c", "-o", "prog")
    assert result.returncode == 1
    assert "undefined reference to `f'" in result.stderr and "prog: in function `main'" in result.stderr
    assert "upcc-" not in result.stderr


def test_lto_switches(upct):
    """With code beside it, the compiler's own form does no harm."""
    upct.write("a.c", MAIN_CALLS_F)
    upct.write("f.c", "static int n = 41; int f (void) { return ++n; }\n")
    for words in (["-flto", "-ffat-lto-objects"], ["-O2", "-ffat-lto-objects", "-flto=2"], ["-flto", "-fno-lto"]):
        program = links(upct, *words, "a.c", "-x", "c", "f.c")
        assert upct.check_output([program], THREADS=3) == "42\n" * 3
        upct.check_output([upct.tool("upcc"), *words, "-c", "a.c", "f.c"])
        has_form = "__gnu_lto" in upct.check_output(["nm", "a.o"]) or "gnu.lto" in upct.check_output(["readelf", "-SW", "a.o"])
        assert has_form == ("-fno-lto" not in words)
        assert upct.check_output([links(upct, *words, "a.o", archive(upct, "l.a", "f.o"))], THREADS=3) == "42\n" * 3


def test_objects_of_go(upct):
    compiled(upct, "go", "__attribute__ ((section (\".go.buildinfo\"))) int build = 1;")
    reason = "compiled by Go, whose runtime exists once in a process; link it as a shared library"
    refuses(upct, ["go.o"], "go.o: " + reason)
    refuses(upct, [archive(upct, "l.a", "go.o")], "l.a(go.o): " + reason)


PROCESS = "__attribute__ ((section (\"upc_process\"))) int hits = 0; int f (void) { return hits; }"
TENTATIVE = "int hits; int g (void) { return hits; }"


def test_one_for_the_process_and_private_at_once(upct):
    upct.write("a.c", "extern int hits; int f (void), g (void); int main (void) { return f () + g () + hits; }")
    one, each = compiled(upct, "one", PROCESS), compiled(upct, "each", TENTATIVE, "-fcommon")
    reason = "'hits' is shared by all threads here but private in"
    refuses(upct, ["a.c", one, each], f"one.o: {reason} each.o")
    refuses(upct, ["a.c", each, one], f"one.o: {reason} each.o")
    refuses(upct, ["a.c", one, archive(upct, "each.a", each)], f"one.o: {reason} each.a(each.o)")
    refuses(upct, ["a.c", each, archive(upct, "one.a", one)], f"one.a(one.o): {reason} each.o")
    # Not where the linker does not take one of them.
    upct.write("a.c", "extern int hits; int f (void); int main (void) { return f () + hits; }")
    links(upct, "a.c", one, "each.a")
    # Nor where another only refers to it, or has a variable of its own.
    compiled(upct, "other", TENTATIVE.replace("int hits", "extern int hits").replace("g (", "h ("))
    compiled(upct, "local", "static int hits; int *k (void) { return &hits; }", "-fcommon")
    links(upct, "a.c", one, "other.o", "local.o")


@pytest.mark.only_x86_64("GNU and Clang UPC make code for x86-64")
def test_threads_of_c_beside_those_of_other_compilers(upct):
    """The linker would take the one for the other."""
    listing = upct.fixture("abi/hello.O2.s")
    for name in ("THREADS", "MYTHREAD"):
        own = compiled(upct, "own", f"int {name} = 77; int f (void) {{ return {name}; }}")
        for c in (own, archive(upct, "l.a", own)):
            result = upcc(upct, listing, c)
            assert (result.returncode, result.stdout) == (1, "")
            c = "l.a(own.o)" if c == "l.a" else "own.o"
            assert result.stderr.startswith(f"upcc: error: {c}: '{name}' is a variable of C here but UPC's in ")
        # Not where C means UPC's.
        links(upct, listing, compiled(upct, "reader", f"extern int {name}; int f (void) {{ return {name}; }}"))


def test_shared_libraries_stay_outside(upct):
    upct.write("a.c", MAIN_CALLS_F)
    library = shared_library(upct, "sub/libf.so", RETURNS_42)
    program = links(upct, "a.c", library)
    assert output_of(upct, program, LD_LIBRARY_PATH=upct.path("sub")) == "42\n"
    (own, _), (other, machine) = own_machine(upct), other_machine(upct)
    upct.write("foreign.so", elf_header(machine, kind=3))
    refuses(upct, ["a.c", "foreign.so"], f"foreign.so: an object for {other}, not {own}")
