"""Archives and -l: what becomes private, what stays one for the process."""

import os
import re
import shlex

import pytest

from support.upcc import (MAIN_CALLS_F, RETURNS_42, archive, compiled, links, output_of, refuses,
                          shared_library, upcc)
from support.libraries import switches


def places(upct, *words):
    """Links with -v; returns the base names on the line of ld -r, and of the last link."""
    result = upcc(upct, "-v", *words, "-o", "prog")
    assert result.returncode == 0, result.stderr
    lines = [shlex.split(line) for line in result.stderr.splitlines() if " -o " in line]
    first = next(line for line in lines if line[0] == f"{upct.binutils}ld")
    return [[os.path.basename(w) for w in line] for line in (first, lines[-1])]


def test_archive_members_are_taken_as_needed(upct):
    upct.write("a.c", MAIN_CALLS_F)
    compiled(upct, "f", RETURNS_42)
    compiled(upct, "unused", "int missing (void); int unused (void) { return missing (); }")
    assert output_of(upct, links(upct, "a.c", archive(upct, "l.a", "unused.o", "f.o"))) == "42\n"


def test_main_may_be_in_an_archive(upct):
    compiled(upct, "a", MAIN_CALLS_F)
    compiled(upct, "f", RETURNS_42)
    assert output_of(upct, links(upct, archive(upct, "l.a", "f.o", "a.o"))) == "42\n"


def test_a_main_in_a_shared_library_is_not_the_programs(upct):
    """libfl.so and liby.so have one."""
    shared_library(upct, "libfl.so", "int f (void); int main (void) { return f () + 1; } int g (void) { return 42; }")
    upct.write("a.c", '#include <stdio.h>\nint g (void); int f (void) { return 0; }'
                   ' int main (void) { printf ("%d\\n", g ()); return 0; }')
    assert output_of(upct, links(upct, "a.c", "-L.", "-lfl", "-Wl,-rpath,.")) == "42\n"


def test_order_of_archives_counts(upct):
    upct.write("a.c", MAIN_CALLS_F)
    one = archive(upct, "one.a", compiled(upct, "f", "int g (void); int f (void) { return g (); }"))
    two = archive(upct, "two.a", compiled(upct, "g", "int g (void) { return 5; }"))
    assert output_of(upct, links(upct, "a.c", one, two)) == "5\n"
    result = upcc(upct, "a.c", two, one)
    assert result.returncode == 1 and "undefined reference to `g'" in result.stderr


@pytest.mark.parametrize("group", ["-Wl,--start-group -Wl,--end-group", "-( -)", "--start-group --end-group",
                                   "-Xlinker,-( -Xlinker,-)"])
def test_circles_are_followed(upct, group):
    begin, end = (word.split(",") if word.startswith("-X") else [word] for word in group.split())
    upct.write("a.c", MAIN_CALLS_F)
    one = archive(upct, "one.a", compiled(upct, "f", "int g (void); int f (void) { return g (); }"),
                  compiled(upct, "h", "int h (void) { return 6; }"))
    two = archive(upct, "two.a", compiled(upct, "g", "int h (void); int g (void) { return h (); }"))
    assert upcc(upct, "a.c", one, two).returncode == 1
    assert output_of(upct, links(upct, "a.c", *begin, one, two, *end)) == "6\n"


def test_whole_archive_is_honoured(upct):
    compiled(upct, "loud",
             "#include <stdio.h>\n__attribute__ ((constructor)) static void f (void) { puts (\"loud\"); }")
    archive(upct, "sub/libloud.a", "loud.o")
    upct.write("a.c", "int main (void) { return 0; }")
    assert output_of(upct, links(upct, "a.c", "sub/libloud.a")) == ""
    for words in (["-Wl,--whole-archive", "sub/libloud.a", "-Wl,--no-whole-archive"],
                  ["-Lsub", "-Wl,--push-state,--whole-archive", "-lloud", "-Wl,--pop-state"]):
        assert output_of(upct, links(upct, "a.c", *words)) == "loud\n"


def test_archive_in_a_user_folder_is_private(upct):
    upct.write("a.c", MAIN_CALLS_F)
    archive(upct, "sub/libf.a", compiled(upct, "f", RETURNS_42))
    for words in (["-Lsub", "-lf"], ["-l", "f", "-L", "sub"], ["-Lnone", "-L.", "-Lsub", "-l:libf.a"], ["sub/libf.a"]):
        first, last = places(upct, "a.c", *words)
        assert "libf.a" in first and "-lf" not in last, f"{first} {last}"
        assert output_of(upct, upct.path("prog")) == "42\n"


def test_an_object_named_as_a_library_is_private(upct):
    upct.write("a.c", MAIN_CALLS_F)
    compiled(upct, "f", "static int n = 41; int f (void) { return ++n; }")
    first, last = places(upct, "a.c", "-L.", "-l:f.o")
    assert "f.o" in first and "-l:f.o" not in last
    upct.check_prints("42\n42\n", [upct.path("prog")], THREADS=2)


def test_shared_library_comes_first_as_for_ld(upct):
    upct.write("a.c", MAIN_CALLS_F)
    archive(upct, "one/libf.a", compiled(upct, "f", RETURNS_42))
    shared_library(upct, "one/libf.so", "int f (void) { return 1; }")
    archive(upct, "two/libf.a", compiled(upct, "f", "int f (void) { return 2; }"))

    def result(*words):
        first, last = places(upct, "a.c", *words)
        return ("libf.a" in first, "-lf" in last,
                output_of(upct, upct.path("prog"), LD_LIBRARY_PATH=upct.path("one")).strip())

    assert result("-Lone", "-Ltwo", "-lf") == (False, True, "1")
    assert result("-Ltwo", "-Lone", "-lf") == (True, False, "2")
    assert result("-Lone", "-Wl,-Bstatic", "-lf", "-Wl,-Bdynamic") == (True, False, "42")
    assert result("-Lone", "-Wl,--push-state,-Bstatic", "-Wl,--pop-state", "-lf") == (False, True, "1")
    if not upct.sanitizers:
        assert result("-static", "-Lone", "-lf") == (True, False, "42")


def test_system_libraries_are_never_private(upct):
    upct.write("a.c", MAIN_CALLS_F.replace("f ()", "42"))
    archive(upct, "sub/librt.a", compiled(upct, "f", RETURNS_42))
    for words in ["-Lsub", "-lrt"], ["-L.", "-Lsub", "-l:librt.a"], ["sub/librt.a"]:
        first, last = places(upct, "a.c", *words)
        assert not any("rt.a" in word or word == "-lrt" for word in first)
        assert {"-lrt", "-l:librt.a", "librt.a"} & set(last)


def test_installed_libraries_are_as_they_are_found(upct):
    """A shared library first, as for ld; an archive is as private as any other."""
    beside = sum(switches(upct, ["-l:libz.so"]), [])
    upct.write("a.c", "#include <stdio.h>\n#include <zlib.h>\n"
                   "int main (void) { printf (\"%d\\n\", zlibVersion ()[0] > 0); return 0; }\n")
    first, last = places(upct, "a.c", *beside, "-lz")
    assert "libz.a" not in first and "-lz" in last, f"{first} {last}"
    for words in ["-l:libz.a"], ["-Wl,-Bstatic", "-lz", "-Wl,-Bdynamic"]:
        first, last = places(upct, "a.c", *beside, *words)
        assert "libz.a" in first and "-lz" not in last, f"{first} {last}"
        assert output_of(upct, upct.path("prog")) == "1\n"
    folder = upct.path("sub")
    archive(upct, "sub/libf.a", compiled(upct, "f", RETURNS_42))
    upct.write("a.c", MAIN_CALLS_F)
    assert output_of(upct, links(upct, "a.c", "-lf", LIBRARY_PATH=folder)) == "42\n"


COUNTS = "static int n; int count (void) { return ++n; }"
PRINTS_COUNT = """#include <stdio.h>
int count (void);
int main (void) { for (int i = 0; i < MYTHREAD; i++) count (); printf ("%d\\n", count ()); return 0; }
"""


@pytest.mark.parametrize("script", [
    "INPUT(libcount.a)", "/* GNU ld script\n*/\nOUTPUT_FORMAT(elf64-x86-64)\nGROUP ( libcount.a AS_NEEDED ( -lm ) )",
    "INPUT ( -lcount )", 'INPUT ("count.o", libother.a)', "INPUT(libfirst.so);", "GROUP(libother.a libcount.a)",
])
def test_files_of_a_linker_script_are_private(upct, script):
    """Wherever the script is named, and found."""
    os.mkdir(upct.path("sub"))
    upct.write("a.c", PRINTS_COUNT)
    archive(upct, "sub/libcount.a", compiled(upct, "sub/count", COUNTS))
    archive(upct, "sub/libother.a", compiled(upct, "other", "int count (void); int other (void) { return count (); }"))
    upct.write("sub/libfirst.so", "INPUT(libcount.a)\n")
    upct.write("sub/libtop.so", script)
    for words in ["-Lsub", "-ltop"], ["-Lsub", "sub/libtop.so"], ["-Lsub", "-Wl,--start-group", "-ltop", "-Wl,--end-group"]:
        prog = links(upct, "a.c", *words)
        assert sorted(upct.run([prog, "-n", 3]).stdout.split()) == ["1", "2", "3"], words


def test_shared_libraries_of_a_linker_script(upct):
    upct.write("a.c", MAIN_CALLS_F)
    shared_library(upct, "sub/libf.so.1", RETURNS_42)
    upct.write("sub/libtop.so", "INPUT(libf.so.1 AS_NEEDED(-lm))")
    first, last = places(upct, "a.c", "-Lsub", "-ltop", "-Wl,-rpath,sub")
    assert "libf.so.1" in last and not {"libf.so.1", "-ltop"} & set(first)
    assert output_of(upct, upct.path("prog")) == "42\n"


@pytest.mark.parametrize("script, message", [
    ("INPUT(libmissing.a)", "sub/libtop.so:1: cannot find libmissing.a"),
    ("\nINPUT(\nlibmissing.a)", "sub/libtop.so:3: cannot find libmissing.a"),
    ("INPUT(f.o", "sub/libtop.so:1: expected ')' at the end of INPUT"),
    ("GROUP(AS_NEEDED f.o)", "sub/libtop.so:1: expected '(' after AS_NEEDED"),
    ("INPUT(f.o)\nSECTIONS { }",
     "sub/libtop.so:2: 'SECTIONS' in a linker script that is an input; give the script with -Wl,-T,"),
    ("INPUT(libtop.so)", "sub/libtop.so: linker scripts nest too deeply"),
    ("INPUT(bad.o)", "sub/bad.o: file format not recognized"),
])
def test_wrong_linker_scripts(upct, script, message):
    os.mkdir(upct.path("sub"))
    upct.write("a.c", "int main (void) { return 0; }")
    compiled(upct, "sub/f", RETURNS_42)
    upct.write("sub/bad.o", "bad\n")
    upct.write("sub/libtop.so", script)
    for words in ["-Lsub", "-ltop"], ["sub/libtop.so"]:
        refuses(upct, ["a.c", *words], message)


def test_unknown_library_is_named(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    result = upcc(upct, "a.c", "-lno-such-thing")
    assert result.returncode == 1 and "cannot find -lno-such-thing" in result.stderr


def test_bad_member_of_a_library_is_named(upct):
    upct.write("a.c", "int main (void) { return 0; }")
    upct.write("bad.o", "bad\n")
    archive(upct, "sub/libbad.a", "bad.o")
    refuses(upct, ["a.c", "-Lsub", "-lbad"], "sub/libbad.a(bad.o): file format not recognized")


def test_wanted_symbol_pulls_a_member(upct):
    compiled(upct, "loud",
             "#include <stdio.h>\nint wanted; __attribute__ ((constructor)) static void f (void) { puts (\"loud\"); }")
    archive(upct, "l.a", "loud.o")
    upct.write("a.c", "int main (void) { return 0; }")
    for words in ["-u", "wanted"], ["-uwanted"], ["-Wl,-u,wanted"], ["-Wl,--undefined=wanted"]:
        assert output_of(upct, links(upct, "a.c", *words, "l.a")) == "loud\n"


USED_IN_PART = """
static int count = 3, unused[1 << 16] = { 1 };
int *pointer = &count, *into_unused = unused;
_Thread_local int *own = &count;
int used_twice (void) { ++*own; return ++*pointer; }
int never_used (int i) { return unused[i]++ + *into_unused; }
"""


@pytest.mark.parametrize("words", [["-fuse-ld=lld"], ["-fuse-ld=gold"], ["-no-pie"], ["-pie"], ["-static"]])
def test_unused_private_data_is_dropped(upct, words):
    """With --gc-sections, as the linker drops other data. LLVM's and gold link right, but keep it."""
    if words == ["-static"] and upct.sanitizers:
        pytest.skip("sanitizers do not link into static programs")
    upct.write("a.upc", "#include <stdio.h>\nint used_twice (void);\n"
               'int main (void) { printf ("%d: %d\\n", MYTHREAD, used_twice ()); return 0; }')
    upct.write("l.c", USED_IN_PART)
    upct.check_output(["gcc", "-O1", "-fPIE", "-ffunction-sections", "-fdata-sections", "-c", "l.c", "-o", "l.o"])
    program = upct.path("prog")
    upct.check_output([upct.tool("upcc"), *words, "a.upc", archive(upct, "l.a", "l.o"), "-Wl,--gc-sections", "-o", program])
    assert sorted(upct.check_output([program], THREADS=3).splitlines()) == ["0: 5", "1: 5", "2: 5"]
    names = {line.split()[-1] for line in upct.check_output(["nm", program]).splitlines()}
    unused = {"unused", "into_unused"} & names
    assert {"count", "pointer", "own"} <= names and bool(unused) == words[0].startswith("-fuse")


@pytest.mark.no_sanitizers("they do not link into static programs")
def test_a_static_program_links_without_a_word(upct):
    """clang warned of -no-pie, which says nothing beside -static."""
    upct.write("a.upc", "int main (void) { return 0; }\n")
    for compiler in "gcc", "clang":
        result = upct.run([upct.tool("upcc"), "-static", "a.upc", "-o", "prog"], UPCC_CC=compiler)
        assert (result.stderr, result.returncode) == ("", 0)


@pytest.mark.no_sanitizers("what a program loads is the sanitizers' choice")
def test_a_program_loads_what_it_uses(upct):
    """Neither libm nor libgcc_s is there for the runtime's sake, and jemalloc's profiler, which
    would call them, still works."""
    upct.write("a.upc", "#include <upc.h>\nint main (void) { return upc_alloc (100000) == 0; }")
    needed = upct.check_output(["readelf", "-dW", links(upct, "a.upc")])
    loaded = [line.split()[-1] for line in needed.splitlines() if "(NEEDED)" in line]
    # What protects stacks on ARM is the loader's own.
    assert [name for name in loaded if name != "[ld-linux-aarch64.so.1]"] == ["[libc.so.6]"]
    # malloc is libc's, and so what -ljemalloc or LD_PRELOAD puts in its place.
    assert "UND malloc@GLIBC" in upct.check_output(["readelf", "--dyn-syms", "-W", upct.path("prog")])
    if upct.processor != "x86_64":
        return  # Debian's jemalloc for ARM has no profiler
    output_of(upct, upct.path("prog"), MALLOC_CONF="prof:true,prof_final:true,lg_prof_sample:10,prof_prefix:heap")
    profile, = [name for name in os.listdir(upct.folder) if name.startswith("heap.")]
    with open(upct.path(profile)) as file:
        assert re.search("^@( 0x[0-9a-f]+){4}", file.read(), re.M)


NON_BLOCKING = """#include <upc.h>
#include <gasnet_coll.h>
shared int from[THREADS], to[THREADS];
int
main (void)
{
  int value = 7;
  gasnet_coll_wait_sync (gasnet_coll_broadcast_nb (GASNET_TEAM_ALL, (int *) &to[MYTHREAD], 0, &value, sizeof value,
                                                   GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC));
  return to[MYTHREAD] != 7;
}
"""


def needed(upct, program):
    return re.findall(r"NEEDED.*\[liburcu-(\w+)\.so", upct.check_output(["readelf", "-d", program]))


@pytest.mark.host_only("liburcu's shared libraries are the host's")
@pytest.mark.no_sanitizers("programs with sanitizers have its archives")
def test_users_can_replace_liburcu(upct):
    """Its licence asks for that. Programs that use nothing of it need none, and static ones have it in them."""
    upct.write("a.upc", NON_BLOCKING)
    upct.write("b.upc", "#include <upc.h>\nint main (void) { upc_barrier; return 0; }\n")
    # The program's own names are not those that the runtime means.
    upct.write("names.c", "int urcu_bp_read_lock (void) { __builtin_trap (); }\nint urcu_bp_gp = 5, cds_lfht_del;\n")
    program = links(upct, "-O1", "a.upc", "-x", "c", "names.c")
    assert needed(upct, program) == ["cds", "bp"]
    assert upct.run([program], THREADS=3).returncode == 0
    assert needed(upct, links(upct, "-O1", "b.upc")) == []
    program = links(upct, "-O1", "-static", "a.upc")
    assert needed(upct, program) == [] and " cds_lfht_add_unique\n" in upct.check_output(["nm", program])
    assert upct.run([program], THREADS=3).returncode == 0


@pytest.mark.host_only("liburcu's shared libraries are the host's")
@pytest.mark.no_sanitizers("programs with sanitizers have its archives")
def test_a_liburcu_of_ones_own(upct):
    upct.write("a.upc", NON_BLOCKING)
    os.mkdir(upct.path("mine"))
    for part in "cds", "bp":
        found = upct.check_output(["cc", f"-print-file-name=liburcu-{part}.so"]).strip()
        os.symlink(os.path.realpath(found), upct.path(f"mine/liburcu-{part}.so.8"))
        os.symlink(f"liburcu-{part}.so.8", upct.path(f"mine/liburcu-{part}.so"))
    program = links(upct, "-O1", "a.upc", f"-L{upct.path('mine')}")
    listed = upct.check_output(["ldd", program], LD_LIBRARY_PATH=upct.path("mine"))
    assert f"=> {upct.path('mine')}/liburcu-cds.so.8 " in listed
    assert upct.run([program], THREADS=2, LD_LIBRARY_PATH=upct.path("mine")).returncode == 0
