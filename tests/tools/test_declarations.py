"""Declarations of one object that differ between files, which a linker does not see."""

import os
import subprocess

import pytest

from support.upcc import archive, compiled, links, upcc

MAIN = "int main (void) { return 0; }\n"


def objects(upct, *sources, words=("-T4",)):
    """Objects a.o, b.o and so on, each of one line."""
    names = []
    for letter, source in zip("abcdef", sources):
        upct.write(letter + ".upc", source + "\n")
        upct.check_output([upct.tool("upcc"), "-c", *words, letter + ".upc"])
        names.append(letter + ".o")
    return names


def refused(upct, message, *words):
    result = upcc(upct, *words, "-o", "refused")
    assert (result.returncode, result.stdout, result.stderr) == (1, "", message + "\n")
    assert not os.path.exists(upct.path("refused"))


def warned(upct, message, *words):
    result = upcc(upct, *words, "-o", "warned")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", message + "\n")
    assert os.path.exists(upct.path("warned"))
    links(upct, "-w", *words)
    refused(upct, message.replace("warning", "error"), "-Werror", *words)


@pytest.mark.parametrize("one, other, message", [
    ("shared [4] int x[16];", "extern shared int x[];",
     "block sizes of 'x' differ: 'shared int x[]' has 1, 'shared [4] int x[16]' in a.upc:1 has 4"),
    ("shared [] int x[16];", "extern shared [4] int x[16];",
     "block sizes of 'x' differ: 'shared [4] int x[16]' has 4, 'shared [] int x[16]' in a.upc:1 has 0"),
    ("shared int x[4][3];", "extern shared int x[][4];",
     "lengths of 'x' differ: 'shared int x[][4]' has [?][4], 'shared int x[4][3]' in a.upc:1 has [4][3]"),
    ("shared int x;", "extern shared long x;",
     "sizes of elements of 'x' differ: 'shared long x' has 8, 'shared int x' in a.upc:1 has 4"),
    ("struct s { int a; }; shared struct s x;", "struct s { int a, b; }; extern shared struct s x;",
     "sizes of elements of 'x' differ: 'shared struct s x' has 8, 'shared struct s x' in a.upc:1 has 4"),
    ("shared [2] int *x;", "extern shared int *x;",
     "block sizes of what is behind 'x' differ: 'shared int *x' has 1, 'shared [2] int *x' in a.upc:1 has 2"),
    ("shared [2] int *shared x;", "extern shared int *shared x;",
     "block sizes of what is behind 'x' differ: 'shared int *shared x' has 1, 'shared [2] int *shared x' in a.upc:1 "
     "has 2"),
    ("shared int x;", "extern int x;", "'x' is private here, 'int x', but shared in a.upc:1, 'shared int x'"),
    ("int x;", "extern shared int x;", "'x' is shared here, 'shared int x', but private in a.upc:1, 'int x'"),
    ("int *x;", "extern shared int *x;",
     "types of 'x' differ: 'shared int *x', but 'int *x' in a.upc:1"),
    ("shared int x;", "int x (void); int f (void) { return x (); }",
     "'x' is a function here, 'int x(void)', but shared in a.upc:1, 'shared int x'"),
    ("shared int x[4];", "int f (void) { extern shared [2] int x[4]; return x[0]; }",
     "block sizes of 'x' differ: 'shared [2] int x[4]' has 2, 'shared int x[4]' in a.upc:1 has 1"),
])
def test_elements_are_elsewhere(upct, one, other, message):
    a, b = objects(upct, one + MAIN, other)
    refused(upct, f"b.upc:1: error: {message}", a, b)


@pytest.mark.parametrize("one, other, message", [
    ("shared int x[16];", "extern shared int x[8];",
     "lengths of 'x' differ: 'shared int x[8]' has [8], 'shared int x[16]' in a.upc:1 has "
     "[16]"),
    ("shared int x[4];", "extern shared int x;",
     "lengths of 'x' differ: 'shared int x' has none, 'shared int x[4]' in a.upc:1 has [4]"),
    ("shared int x;", "extern shared float x;",
     "types of elements of 'x' differ: 'shared float x' has floating-point numbers, 'shared int x' in a.upc:1 has "
     "integers"),
    ("void x (int n, shared [4] int *p) {}", "void x (int, shared int *); void f (void) { x (0, 0); }",
     "block sizes of what is behind parameter 2 of 'x' differ: 'void x(int, shared int *)' has 1, "
     "'void x(int, shared [4] int *)' in a.upc:1 has 4"),
    ("void x (n, p) int n; shared [4] int *p; {}", "void x (int, shared int *); void f (void) { x (0, 0); }",
     "block sizes of what is behind parameter 2 of 'x' differ: 'void x(int, shared int *)' has 1, "
     "'void x()' in a.upc:1 has 4"),
    ("shared [] int *x (void) { return 0; }", "shared int *x (void); int f (void) { return *x (); }",
     "block sizes of what is behind the result of 'x' differ: 'shared int *x(void)' has 1, "
     "'shared [] int *x(void)' in a.upc:1 has 0"),
    ("void x (int *p) {}", "void x (shared int *); void f (shared int *p) { x (p); }",
     "types of parameter 1 of 'x' differ: 'void x(shared int *)', but 'void x(int *)' in a.upc:1"),
])
def test_elements_may_be_the_same(upct, one, other, message):
    a, b = objects(upct, one + MAIN, other)
    warned(upct, f"b.upc:1: warning: {message}", a, b)


@pytest.mark.parametrize("one, other", [
    ("shared [4] int x[16];", "extern shared [4] int x[];"),
    ("shared [*] int x[16];", "extern shared [4] int x[16];"),
    ("shared int x[4];", "shared int x[4];"),
    ("shared [4] int x;", "extern shared int x;"),
    ("shared int x;", "extern shared unsigned x;"),
    ("struct s { int a; }; shared struct s x;", "struct s; extern shared struct s x;"),
    ("struct s { int a; }; shared struct s x[3];", "struct t { unsigned a; }; extern shared struct t x[3];"),
    ("shared [2] int *x;", "extern shared void *x;"),
    ("shared int x;", "static int x; int f (void) { return x; }"),
    ("static shared int x[4];", "shared [2] int x[4];"),
    ("int x[4];", "extern float x;"),
    ("shared int x[4];", "int f (int x) { return x; }"),
    ("shared int x;", 'extern int y __asm__ ("z"), x __asm__ ("y");'),
    ("void x (shared int *p, int n) {}", "void x (); void f (void) { x (0, 1); }"),
    ("void x (shared void *p) {}", "void x (shared [4] int *); "),
    ("void x (int *p) {}", "void x (shared int *);static void f (int *x) { *x = 1; }"),
    ("static void x (int *p) {}", "void x (shared int *p) {}"),
    ("void x (shared struct s *p) {}", "struct s { int a; }; void x (shared struct s *p);"),
    ("strict shared int x;", "extern relaxed shared int x;"),
])
def test_agree(upct, one, other):
    a, b = objects(upct, one + MAIN, other)
    links(upct, a, b)


def test_lengths_with_static_threads(upct):
    """THREADS of one file is a number in another."""
    (a,) = objects(upct, "shared int x[4*THREADS], y[4*THREADS];" + MAIN, words=())
    upct.write("b.upc", "extern shared int x[12], y[13];\n")
    upct.check_output([upct.tool("upcc"), "-c", "-T3", "b.upc"])
    warned(upct, "b.upc:1: warning: lengths of 'y' differ: 'shared int y[13]' has [13], 'shared int y[4*THREADS]' in "
            "a.upc:1 has [4*THREADS]", a, "b.o")


def test_the_definition_is_named(upct):
    upct.write("x.h", "extern shared int x[];\n")
    a, b = objects(upct, '#include "x.h"\nshared int x[4];' + MAIN, "extern shared int x[5];")
    warned(upct, "b.upc:1: warning: lengths of 'x' differ: 'shared int x[5]' has [5], 'shared int x[4]' in a.upc:2 has [4]",
            a, b)


def test_three_files(upct):
    """A declaration that is compatible with two others does not hide that these differ."""
    names = objects(upct, "extern shared int x[];" + MAIN, "shared int x[4];", "extern shared int x[5];")
    warned(upct, "c.upc:1: warning: lengths of 'x' differ: 'shared int x[5]' has [5], 'shared int x[4]' in b.upc:1 has [4]",
            *names)


def test_members_that_are_not_linked(upct):
    a, b, c = objects(upct, "shared int x;" + MAIN, "extern shared long x; int f (void) { return x; }",
                      "extern int f (void); int g (void) { return f (); }")
    archive(upct, "l.a", b)
    links(upct, a, "l.a")
    refused(upct, "b.upc:1: error: sizes of elements of 'x' differ: 'shared long x' has 8, 'shared int x' in a.upc:1 has 4",
            a, c, "l.a")


@pytest.mark.parametrize("text", ["int x;", "extern int x; int f (void) { return x; }", "void x (void) {}"])
def test_objects_of_c(upct, text):
    (a,) = objects(upct, "shared int x;" + MAIN)
    c = compiled(upct, "c", text)
    refused(upct, "upcc: error: a.o: 'x' is shared here but private in c.o", a, c)
    links(upct, a, archive(upct, "l.a", c))


def test_odd_names_of_files(upct):
    os.mkdir(upct.path('a "b" \\c%d'))
    upct.write('a "b" \\c%d/a.upc', "shared int x;" + MAIN)
    upct.check_output([upct.tool("upcc"), "-c", 'a "b" \\c%d/a.upc'])
    _, b = objects(upct, MAIN, "extern shared long x;")
    upct.check_output([upct.tool("upcc"), "-c", 'a "b" \\c%d/a.upc'])
    refused(upct, "b.upc:1: error: sizes of elements of 'x' differ: 'shared long x' has 8, 'shared int x' in "
            'a "b" \\c%d/a.upc:1 has 4', "a.o", b)


@pytest.mark.parametrize("words", [(), ("-fuse-ld=gold",), ("-fuse-ld=lld",), ("-static",), ("-g", "-O2")])
def test_programs_have_no_records(upct, words):
    if any("fuse-ld" in word for word in words) and subprocess.run(
            ["gcc", *words, "-Wl,--version"], capture_output=True).returncode:
        pytest.skip("no such linker")
    (a,) = objects(upct, "shared int x_of_a;" + MAIN, words=[word for word in words if word[1] in "gO"])
    assert "upc_declared" in upct.check_output(["readelf", "-SW", a])
    assert "upc_declared" not in upct.check_output(["readelf", "-SW", links(upct, a, *words)])


@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_other_compilers(upct, cc):
    a, b = objects(upct, "shared int x;" + MAIN, "extern shared long x;")
    for name in "a.upc", "b.upc":
        upct.check_output([upct.tool("upcc"), "-c", "-O2", name], UPCC_CC=cc)
    refused(upct, "b.upc:1: error: sizes of elements of 'x' differ: 'shared long x' has 8, 'shared int x' in a.upc:1 has 4",
            a, b)


def test_headers_of_the_system_have_no_records(upct):
    """Their inline functions would have one in each object, with the place of the installation."""
    upct.write("a.upc", "#include <upc.h>\n#include <stdio.h>\n#include <upc_collective.h>\nshared int x_of_a;\n"
               "int main (void) { upc_barrier; puts (\"x\"); upc_free (NULL); return 0; }\n")
    upct.check_output([upct.tool("upcc"), "-c", "a.upc"])
    upct.check_output(["objcopy", "--dump-section", "upc_declared=records", "a.o"])
    records = open(upct.path("records"), "rb").read().split(b"\0")[:-1]
    assert sorted(records[::4]) == [b"main", b"x_of_a"]


def test_damaged_records(upct):
    """What is no record is passed over."""
    (a,) = objects(upct, "shared int x;" + MAIN)
    upct.write("junk.s", '.section upc_declared,"e",%progbits\n.asciz "x"\n.asciz "p:1"\n.ascii "no end"\n'
               '.section .note.GNU-stack,"",%progbits\n')
    upct.check_output([upct.tool("upcc"), "-c", "junk.s"])
    links(upct, a, "junk.o")
