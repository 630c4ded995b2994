"""Objects and archives of one program, each rewritten apart: the program is the same as
the one from the merged object."""

import os
import re

import pytest

from privatize.common import COMPILERS, assemble, compile_object
from support import ROOT

MAIN = """
#include <stdio.h>
int tentative, twice;
extern int counter, members (void), *const table[2], process;
extern int next (void);
int *pointer = &counter, early;
__attribute__ ((constructor (300))) void third (void) { early = early * 10 + 3; }
__attribute__ ((constructor (200))) void second (void) { early = early * 10 + 2; }
__attribute__ ((destructor (200))) void last_but_one (void) { printf ("end %d\\n", early); }
int main (void)
{
  for (int i = 0; i < 3; i++)
    counter++, tentative++, twice += 2, process |= 1;
  printf ("%d %d %d %d %d %d %d %d\\n", counter, *pointer, tentative, twice, next (), members (),
          *table[0] + *table[1], early);
  return 0;
}
"""

HELP = """
#include <stdio.h>
int counter = 10, tentative, early;
static char large[400000];
char common_large[300000];
int *const table[2] = { &counter, &tentative };
__attribute__ ((section ("upc_process"))) int process;
__attribute__ ((constructor (100))) void first (void) { early++; }
__attribute__ ((constructor)) void fourth (void) { early = early * 10 + 4; }
__attribute__ ((destructor (100))) void last (void) { printf ("last %d\\n", early); }
int next (void) { return (large[399999] += 4) + (common_large[299999] += 3); }
"""

MEMBERS = {
    "one_with_a_long_name.c": "extern int both; extern int other (void); static int calls;\n"
                              "int shared_common[10];\n"
                              "int members (void) { return ++both * 100 + ++calls * 10 + other () + ++shared_common[3]; }\n",
    "two.c": "int both = 6; int shared_common[20]; int other (void) { return both + shared_common[3]++; }\n",
    "unused.c": "int both_unused; int other_unused (void) { return 1; } extern int nowhere; int use (void) { return nowhere; }\n",
}


def sources(upct, cc, flags):
    objects = [compile_object(upct, upct.write("main.c", MAIN), "main.o", cc, flags),
               compile_object(upct, upct.write("help.c", HELP), "help.o", cc, flags)]
    members = [compile_object(upct, upct.write(name, text), name[:-2] + ".o", cc, flags)
               for name, text in MEMBERS.items()]
    return objects, members


def link_apart(upct, inputs, flags=("-no-pie",)):
    """As docs/compiling.md links by hand, but with each file rewritten apart."""
    folder = upct.path("apart")
    lib = upct.library("").rstrip("/")
    packages = f"{ROOT}/build/packages/{upct.target}/usr/lib/{upct.target}"
    beside = [f"-L{lib}", f"-L{packages}", f"-Wl,-rpath-link,{packages}"] if upct.target else []
    upct.check_output([upct.tool("upc-privatize"), f"{lib}/upc-crtbegin.o", *inputs, f"{lib}/upc-crtend.o", "-o",
                       folder + "/"])
    files = [os.path.join(folder, os.path.basename(name)) for name in inputs]
    sanitize = [f"-fsanitize={','.join(upct.sanitizers)}"] if upct.sanitizers else []
    program = upct.path("apart-prog")
    upct.check_output(["gcc", *flags, *sanitize, *beside, f"{folder}/upc-crtbegin.o", *files, f"{folder}/upc-crtend.o",
            f"{lib}/libupc.a", "-l:liburcu-cds.a", "-l:liburcu-bp.a", "-l:liburcu-common.a",
            # Loaded behind a sanitizer's library, whose malloc is the program's.
            "-ljemalloc" if sanitize else f"{lib}/libupc-jemalloc.a", "-lhwloc", "-lm", "-ldl", "-lstdc++", "-lpthread", "-o", program])
    return program


def sorted_lines(text):
    return sorted(text.splitlines())


@pytest.mark.no_sanitizers("a program linked by hand has no sanitizer's runtime")
@pytest.mark.parametrize("cc, thin, common", [(cc, thin, common) for cc in COMPILERS for thin in ("", "T")
                                              for common in ("-fcommon", "-ffunction-sections")])
def test_the_same_as_the_merged_program(upct, cc, thin, common):
    flags = ["-O1", "-g", "-fno-pie", "-fcommon", common]
    objects, members = sources(upct, cc, flags)
    archive = upct.path("libmembers.a")
    upct.check_output(["ar", "rcs" + thin, archive, *members])
    wanted = upct.check_output([upct.link(*objects, archive)], UPC_THREADS=3)
    assert "13 13 3 6 7" in wanted and "1234" in wanted
    apart = link_apart(upct, [*objects, archive])
    assert sorted_lines(upct.check_output([apart], UPC_THREADS=3)) == sorted_lines(wanted)


CLASSES = """
#include <cstdio>
struct Count { int n; Count () : n (7) { made++; } static inline int made = 0; };
inline int value = 3, *address = &value;
inline Count inlined;
template <typename T> struct Box { static T item; };
template <typename T> T Box<T>::item;
inline int next () { static Count local; static int *kept = &local.n; return ++*kept + ++*address; }
"""


@pytest.mark.no_sanitizers("a program linked by hand has no sanitizer's runtime")
@pytest.mark.parametrize("cc", [cc for cc in ("g++", "clang++") if cc.replace("g++", "gcc") in COMPILERS
                                or cc == "clang++" and "clang" in COMPILERS])
def test_groups_that_several_objects_have(upct, cc):
    upct.write("classes.h", CLASSES)
    one = upct.write("one.cc", '#include "classes.h"\nint other ();\nint main () { '
                     'int a = next (), b = other (), c = Box<Count>::item.n++ + inlined.n; '
                     'printf ("%d %d %d %d %d\\n", a, b, c, Count::made, Box<int>::item); return 0; }\n')
    two = upct.write("two.cc", '#include "classes.h"\nint other () { '
                     'return next () * 10 + Box<Count>::item.n++ + Box<int>::item++; }\n')
    objects = [compile_object(upct, path, os.path.basename(path) + ".o", cc, ["-std=c++17", "-O1", "-fno-pie"])
               for path in (one, two)]
    wanted = upct.check_output([upct.link(*objects, "-lstdc++")], UPC_THREADS=3)
    assert sorted_lines(upct.check_output([link_apart(upct, objects)], UPC_THREADS=3)) == sorted_lines(wanted)


def refused(upct, *inputs):
    result = upct.run([upct.tool("upc-privatize"), *inputs, "-o", upct.path("out") + "/"])
    assert (result.returncode, result.stdout) == (1, "")
    assert not os.path.exists(upct.path("out")) or not os.listdir(upct.path("out")), "files were written"
    return result.stderr.replace(upct.folder + "/", "")


def test_private_here_and_process_wide_there(upct):
    a = assemble(upct, '.section upc_process,"aw"\n.globl x\nx: .long 0\n', "a.o")
    b = assemble(upct, ".data\n.globl x\nx: .long 0\n", "b.o")
    assert refused(upct, a, b) == "a.o:upc_process+0x0: error: 'x' is shared by all threads here but private in b.o\n"
    archive = upct.path("libb.a")
    upct.check_output(["ar", "rcs", archive, b])
    assert refused(upct, archive, a) == (
        "a.o:upc_process+0x0: error: 'x' is shared by all threads here but private in libb.a(b.o)\n")


def test_functions_of_the_program_are_not_those_of_libc(upct):
    use = compile_object(upct, upct.write("use.c", "int rand (void);\nint f (void) { return rand (); }\n"), "use.o")
    own = compile_object(upct, upct.write("own.c", "static int state;\nint rand (void) { return state++; }\n"), "own.o")
    for inputs, wanted in (([use], True), ([use, own], False)):
        upct.check_output([upct.tool("upc-privatize"), *inputs, "-o", upct.path("out") + "/"])
        assert ("upcr_rand" in upct.check_output(["nm", upct.path("out/use.o")])) == wanted


def test_archives_are_whole(upct):
    objects, members = sources(upct, "gcc", ["-O1", "-fno-pie", "-fcommon"])
    archive = upct.path("libmembers.a")
    upct.check_output(["ar", "rcs", archive, *members])
    upct.check_output([upct.tool("upc-privatize"), archive, objects[0], "-o", upct.path("out")+ "/"])
    copy = upct.path("out/libmembers.a")
    assert upct.check_output(["ar", "t", copy]) == upct.check_output(["ar", "t", archive])
    index = [re.findall(r"^(\w+) in (\S+)$", upct.check_output(["nm", "-s", name]), re.M) for name in (copy, archive)]
    assert sorted(index[0]) == sorted(index[1])
    upct.check_output(["ld", "-r", "--whole-archive", copy, "-o", upct.path("all.o")])


def test_files_that_cannot_be_a_set(upct):
    os.mkdir(upct.path("other"))
    a, b = assemble(upct, ".data\n", "a.o"), assemble(upct, ".data\n", "other/a.o")
    assert refused(upct, a, b) == "other/a.o: error: would be written to the same file as a.o\n"
    cut = upct.write("cut.a", b"!<arch>\n" + b"x" * 70)
    assert refused(upct, cut) == "cut.a: error: truncated\n"

def test_bounds_of_a_section_that_several_files_have(upct):
    item = '__attribute__ ((section ("list"), used)) static int item = %d;\n'
    main = upct.write("main.c", item % 3 + """
#include <stdio.h>
extern int __start_list[], __stop_list[], MYTHREAD;
static int *const *bounds (void) { static int *const both[] = { __start_list, __stop_list }; return both; }
int main (void)
{
  int sum = 0;
  for (int *at = bounds ()[0]; at < __stop_list; at++)
    sum += *at += MYTHREAD;
  printf ("%d %d\\n", (int) (bounds ()[1] - __start_list), sum - (int) (bounds ()[1] - bounds ()[0]) * MYTHREAD);
}
""")
    objects = [compile_object(upct, main, "main.o", flags=["-O1", "-fno-pie"]),
               compile_object(upct, upct.write("more.c", item % 4), "more.o", flags=["-O1", "-fno-pie"])]
    assert upct.check_output([link_apart(upct, objects)], UPC_THREADS=3) == "2 7\n" * 3
    assert upct.check_output([upct.link(*objects)], UPC_THREADS=3) == "2 7\n" * 3


def test_the_report_counts_what_is_in_place(upct):
    source = compile_object(upct, upct.write("in.c", "static volatile int x;\nint f (void) { x = 1; return x; }\n"), flags=["-O0"])
    result = upct.run([upct.tool("upc-privatize"), "--report", source, "-o", upct.path("out.o")])
    assert (result.returncode, result.stderr) == (
        0, "upc-privatize: note: 2 instructions rewritten, 0 in place (0.0 %)\n")
