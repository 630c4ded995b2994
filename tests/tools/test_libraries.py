"""Archives and -l: what becomes private, what stays one for the process."""

import os
import shlex

from harness import case
from tools.driver import (MAIN_CALLS_F, RETURNS_42, archive, compiled, links, output_of, refuses,
                          shared_library, upcc)


def places(t, *words):
    """Links with -v; returns the base names on the line of ld -r, and of the last link."""
    result = upcc(t, "-v", *words, "-o", "prog")
    t.equal(result.returncode, 0, result.stderr)
    lines = [shlex.split(line) for line in result.stderr.splitlines() if " -o " in line]
    first = next(line for line in lines if line[0] == "ld")
    return [[os.path.basename(w) for w in line] for line in (first, lines[-1])]


@case
def archive_members_are_taken_as_needed(t):
    t.write("a.c", MAIN_CALLS_F)
    compiled(t, "f", RETURNS_42)
    compiled(t, "unused", "int missing (void); int unused (void) { return missing (); }")
    t.equal(output_of(t, links(t, "a.c", archive(t, "l.a", "unused.o", "f.o"))), "42\n")


@case
def main_may_be_in_an_archive(t):
    compiled(t, "a", MAIN_CALLS_F)
    compiled(t, "f", RETURNS_42)
    t.equal(output_of(t, links(t, archive(t, "l.a", "f.o", "a.o"))), "42\n")


@case
def a_main_in_a_shared_library_is_not_the_programs(t):
    """libfl.so and liby.so have one."""
    shared_library(t, "libfl.so", "int f (void); int main (void) { return f () + 1; } int g (void) { return 42; }")
    t.write("a.c", '#include <stdio.h>\nint g (void); int f (void) { return 0; }'
                   ' int main (void) { printf ("%d\\n", g ()); return 0; }')
    t.equal(output_of(t, links(t, "a.c", "-L.", "-lfl", "-Wl,-rpath,.")), "42\n")


@case
def order_of_archives_counts(t):
    t.write("a.c", MAIN_CALLS_F)
    one = archive(t, "one.a", compiled(t, "f", "int g (void); int f (void) { return g (); }"))
    two = archive(t, "two.a", compiled(t, "g", "int g (void) { return 5; }"))
    t.equal(output_of(t, links(t, "a.c", one, two)), "5\n")
    result = upcc(t, "a.c", two, one)
    t.check(result.returncode == 1 and "undefined reference to `g'" in result.stderr, result.stderr)


@case(each=["-Wl,--start-group -Wl,--end-group", "-( -)", "--start-group --end-group", "-Xlinker,-( -Xlinker,-)"])
def circles_are_followed(t, group):
    begin, end = (word.split(",") if word.startswith("-X") else [word] for word in group.split())
    t.write("a.c", MAIN_CALLS_F)
    one = archive(t, "one.a", compiled(t, "f", "int g (void); int f (void) { return g (); }"),
                  compiled(t, "h", "int h (void) { return 6; }"))
    two = archive(t, "two.a", compiled(t, "g", "int h (void); int g (void) { return h (); }"))
    t.equal(upcc(t, "a.c", one, two).returncode, 1)
    t.equal(output_of(t, links(t, "a.c", *begin, one, two, *end)), "6\n")


@case
def whole_archive_is_honoured(t):
    compiled(t, "loud", "#include <stdio.h>\n__attribute__ ((constructor)) static void f (void) { puts (\"loud\"); }")
    archive(t, "sub/libloud.a", "loud.o")
    t.write("a.c", "int main (void) { return 0; }")
    t.equal(output_of(t, links(t, "a.c", "sub/libloud.a")), "")
    for words in (["-Wl,--whole-archive", "sub/libloud.a", "-Wl,--no-whole-archive"],
                  ["-Lsub", "-Wl,--push-state,--whole-archive", "-lloud", "-Wl,--pop-state"]):
        t.equal(output_of(t, links(t, "a.c", *words)), "loud\n")


@case
def archive_in_a_user_folder_is_private(t):
    t.write("a.c", MAIN_CALLS_F)
    archive(t, "sub/libf.a", compiled(t, "f", RETURNS_42))
    for words in (["-Lsub", "-lf"], ["-l", "f", "-L", "sub"], ["-Lnone", "-L.", "-Lsub", "-l:libf.a"], ["sub/libf.a"]):
        first, last = places(t, "a.c", *words)
        t.check("libf.a" in first and "-lf" not in last, f"{first} {last}")
        t.equal(output_of(t, t.path("prog")), "42\n")


@case
def shared_library_comes_first_as_for_ld(t):
    t.write("a.c", MAIN_CALLS_F)
    archive(t, "one/libf.a", compiled(t, "f", RETURNS_42))
    shared_library(t, "one/libf.so", "int f (void) { return 1; }")
    archive(t, "two/libf.a", compiled(t, "f", "int f (void) { return 2; }"))

    def result(*words):
        first, last = places(t, "a.c", *words)
        return ("libf.a" in first, "-lf" in last,
                output_of(t, t.path("prog"), LD_LIBRARY_PATH=t.path("one")).strip())

    t.equal(result("-Lone", "-Ltwo", "-lf"), (False, True, "1"))
    t.equal(result("-Ltwo", "-Lone", "-lf"), (True, False, "2"))
    t.equal(result("-Lone", "-Wl,-Bstatic", "-lf", "-Wl,-Bdynamic"), (True, False, "42"))
    t.equal(result("-Lone", "-Wl,--push-state,-Bstatic", "-Wl,--pop-state", "-lf"), (False, True, "1"))
    if not t.sanitizers:
        t.equal(result("-static", "-Lone", "-lf"), (True, False, "42"))


@case
def system_libraries_are_never_private(t):
    t.write("a.c", MAIN_CALLS_F.replace("f ()", "42"))
    archive(t, "sub/librt.a", compiled(t, "f", RETURNS_42))
    for words in ["-Lsub", "-lrt"], ["-L.", "-Lsub", "-l:librt.a"], ["sub/librt.a"]:
        first, last = places(t, "a.c", *words)
        t.check(not any("rt.a" in word or word == "-lrt" for word in first), first)
        t.check({"-lrt", "-l:librt.a", "librt.a"} & set(last), last)


@case
def installed_libraries_are_as_they_are_found(t):
    """A shared library first, as for ld; an archive is as private as any other."""
    t.write("a.c", "#include <stdio.h>\n#include <zlib.h>\n"
                   "int main (void) { printf (\"%d\\n\", zlibVersion ()[0] > 0); return 0; }\n")
    first, last = places(t, "a.c", "-L/usr/lib/x86_64-linux-gnu", "-lz")
    t.check("libz.a" not in first and "-lz" in last, f"{first} {last}")
    for words in ["-l:libz.a"], ["-Wl,-Bstatic", "-lz", "-Wl,-Bdynamic"]:
        first, last = places(t, "a.c", *words)
        t.check("libz.a" in first and "-lz" not in last, f"{first} {last}")
        t.equal(output_of(t, t.path("prog")), "1\n")
    folder = t.path("sub")
    archive(t, "sub/libf.a", compiled(t, "f", RETURNS_42))
    t.write("a.c", MAIN_CALLS_F)
    t.equal(output_of(t, links(t, "a.c", "-lf", LIBRARY_PATH=folder)), "42\n")


@case
def unknown_library_is_named(t):
    t.write("a.c", "int main (void) { return 0; }")
    result = upcc(t, "a.c", "-lno-such-thing")
    t.check(result.returncode == 1 and "cannot find -lno-such-thing" in result.stderr, result.stderr)


@case
def bad_member_of_a_library_is_named(t):
    t.write("a.c", "int main (void) { return 0; }")
    t.write("bad.o", "bad\n")
    archive(t, "sub/libbad.a", "bad.o")
    refuses(t, ["a.c", "-Lsub", "-lbad"], "sub/libbad.a(bad.o): unknown kind of input")


@case
def wanted_symbol_pulls_a_member(t):
    compiled(t, "loud", "#include <stdio.h>\nint wanted; __attribute__ ((constructor)) static void f (void) { puts (\"loud\"); }")
    archive(t, "l.a", "loud.o")
    t.write("a.c", "int main (void) { return 0; }")
    for words in ["-u", "wanted"], ["-uwanted"], ["-Wl,-u,wanted"], ["-Wl,--undefined=wanted"]:
        t.equal(output_of(t, links(t, "a.c", *words, "l.a")), "loud\n")
