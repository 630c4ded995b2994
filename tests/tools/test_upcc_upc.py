"""upcc on UPC sources: switches of compilation, preprocessing, rules for make, and
what objects say of themselves when they are linked."""

import functools
import os
import re
import shlex
import shutil
import stat
import subprocess

import pytest

from support.upcc import RETURNS_42, archive, assembly, compiled, links, refuses, upcc

pytestmark = pytest.mark.sample(4)

BOTH = ["gcc", "clang"]
HELLO = """#include <upc.h>
#include <stdio.h>
shared int a[4 * THREADS];
int main (void)
{
  a[MYTHREAD] = MYTHREAD;
  upc_barrier;
  if (MYTHREAD == 0)
    printf ("%d of %d\\n", a[THREADS - 1], THREADS);
  return 0;
}
"""


def succeeds(upct, *words, **options):
    """upcc must succeed without a word on stderr; returns its output."""
    result = upcc(upct, *words, **options)
    assert (result.returncode, result.stderr) == (0, ""), f"upcc {words}"
    return result.stdout


def fails(upct, words, message, **options):
    """upcc must fail with these lines; carets and the source text are left out."""
    result = upcc(upct, *words, **options)
    shown = [line for line in result.stderr.splitlines() if "|" not in line]
    assert (result.returncode, shown) == (1, message), f"upcc {words}"


def files(upct):
    return sorted(set(os.listdir(upct.folder)) - {"scratch"})


# How sources are made into things.

@pytest.mark.parametrize("cc", BOTH)
def test_upc_compiles_and_runs(upct, cc):
    upct.write("a.upc", HELLO)
    assert upct.check_output([links(upct, "a.upc", UPCC_CC=cc)], THREADS=3) == "2 of 3\n"


@pytest.mark.no_sanitizers("they are no archives")
def test_static_links_are_silent(upct):
    upct.write("a.upc", HELLO)
    succeeds(upct, "-static", "a.upc", "-o", "a.out")
    for bind in ("none", "core"):
        assert upct.check_output([upct.path("a.out")], THREADS=3, UPC_BIND=bind) == "2 of 3\n"


def own_headers(upct):
    """libc's that are for one processor alone; the cross compiler has all of its in one folder."""
    return f"/usr/{upct.target}/include" if upct.target else f"/usr/include/{upct.processor}-linux-gnu"


@pytest.mark.parametrize("cc, switches", [(cc, s) for cc in BOTH for s in (
    "-O0 -g", "-O3 -g3 -ggdb", "-O2 -fPIC -march=OWN", "-pthread -pipe -Wa,--noexecstack", "-ansi -pedantic",
    "-std=c99 -pedantic-errors -Wall -Wextra -Werror", "-std=gnu17 -Wall -Wextra -Wshadow -Wpointer-arith",
    "-Os -funroll-loops -fno-strict-aliasing WIDE", "-w", "-D_GNU_SOURCE=1 -D_FORTIFY_SOURCE=2 -O2",
    "-nostdinc -isystem /usr/include -isystem OWN_HEADERS -isystem BUILTIN")])
def test_switches_pass_silently(upct, cc, switches):
    is_x86 = upct.processor == "x86_64"
    values = {"BUILTIN": upct.check_output([cc, "-print-file-name=include"]).strip(), "OWN_HEADERS": own_headers(upct),
              "=OWN": "=x86-64" if is_x86 else "=armv8-a", "WIDE": "-m64" if is_x86 else "-mcmodel=small"}
    words = [functools.reduce(lambda word, row: word.replace(*row), values.items(), word) for word in switches.split()]
    upct.write("a.upc", HELLO)
    succeeds(upct, *words, "-c", "a.upc", UPCC_CC=cc)
    assert upct.check_output([links(upct, "a.o", UPCC_CC=cc)], THREADS=2) == "1 of 2\n"


LAYOUT = """#include <upc.h>
struct base { char c; double d; };
enum small { A, B };
struct record { enum small e; struct base b; MEMBER char last; };
shared struct record shared_record[2 * THREADS];
struct record private_record[2];
shared int constants[THREADS] = { sizeof (struct record), (char) 200 > 0, '\\xff' };
int main (void)
{
  struct record r = { .last = 3 };
  upc_barrier;
  shared_record[MYTHREAD + THREADS] = r;
  shared_record[MYTHREAD + THREADS].b.d = 2;
  return sizeof (shared_record[0]) != sizeof r || shared_record[MYTHREAD + THREADS].last != 3
         || upc_elemsizeof (shared_record) != sizeof r || constants[0] != sizeof r
         || upc_addrfield (&shared_record[THREADS]) - upc_addrfield (&shared_record[0]) != sizeof r
         || (THREADS > 2 && (constants[1] != ((char) 200 > 0) || constants[2] != '\\xff'));
}
"""


@pytest.mark.parametrize("cc, switches", [(cc, switches) for cc in BOTH for switches in (
    "-O2", "-fshort-enums", "-funsigned-char", "-fpack-struct", "-fpack-struct=2",
    "-fms-extensions '-DMEMBER=struct base;'")])
def test_switches_of_layout_hold_for_shared_data(upct, cc, switches):
    upct.write("a.upc", LAYOUT)
    words = ["-w", "-UMEMBER", "-DMEMBER=", *shlex.split(switches)]
    assert upct.check_output([links(upct, *words, "a.upc", UPCC_CC=cc)], THREADS=4) == ""


def test_switches_that_change_types_are_refused(upct):
    upct.write("a.upc", HELLO)
    x86 = ["-mlong-double-64", "-mlong-double-128", "-mms-bitfields"] if upct.processor == "x86_64" else []
    for switch in "-fshort-wchar", *x86, "-funsigned-bitfields":
        refuses(upct, [switch, "a.upc"], f"'{switch}': not possible for UPC, which needs the types of the ABI", status=2)
    succeeds(upct, "-fshort-wchar", "-x", "c", "-c", upct.write("b.c", "int b;\n"))


@pytest.mark.parametrize("cc, switches", [
    (cc, s) for cc in BOTH for s in ("-ansi", "-std=iso9899:1990", "-std=gnu99 -fno-asm")])
def test_words_are_names_where_c_has_no_such_keywords(upct, cc, switches):
    inline = "" if "gnu" in switches else "int inline = 1;"
    upct.write("a.upc", inline + "int asm, typeof; shared int s; int f (int asm) { s = typeof + asm; return s; }\n")
    succeeds(upct, *switches.split(), "-c", "a.upc", UPCC_CC=cc)


@pytest.mark.parametrize("switches", ["-fupc-threads-3", "-fupc-threads=3", "-fupc-threads 3", "--fupc-threads=3",
                                      "-fthreads-3", "-T 3", "-T3", "-T=3", "-THREADS=3"])
def test_threads_can_be_static(upct, switches):
    upct.write("a.upc", "#if THREADS != 3 || !defined __UPC_STATIC_THREADS__ || defined __UPC_DYNAMIC_THREADS__\n"
               "#error threads\n#endif\n" + HELLO)
    assert upct.check_output([links(upct, *switches.split(), "a.upc")]) == "2 of 3\n"


@pytest.mark.parametrize("switches", [("-T", "4x"), ("-T=0",), ("-THREADS=1025",), ("-fupc-threads=",), ("-Tscript",)])
def test_threads_must_be_a_number(upct, switches):
    refuses(upct, [*switches, "a.upc"], f"invalid value in '{''.join(switches)}'; expected a number from 1 to 1024", status=2)


def test_objects_are_in_the_current_folder(upct):
    os.mkdir(upct.path("sub"))
    upct.write("sub/x.upc", HELLO)
    upct.write("sub/y.c", "shared int y;\n")
    succeeds(upct, "-c", "sub/x.upc", "sub/y.c")
    assert files(upct) == ["sub", "x.o", "y.o"]
    assert sorted(os.listdir(upct.path("sub"))) == ["x.upc", "y.c"]


def test_several_sources_of_all_kinds(upct):
    upct.write("a.upc",
               "#include <stdio.h>\nextern shared int s; int c (void), d (void), e (void), f (void), g (void);\n"
               "int main (void) { s = 1; printf (\"%d\\n\", s + c () + d () + e () + f () + g ()); return 0; }\n")
    upct.write("s.c", "shared int s;\n")
    upct.write("c.c", "int c (void) { return 10 + THREADS - THREADS; }\n")
    upct.write("d.i", "int d (void) { return 100; }\n")
    upct.write("e.upci", "int e (void) { return 1000; }\n")
    upct.write("f.s", assembly(upct, "f", 10000))
    compiled(upct, "g", "int g (void) { return 100000; }")
    program = links(upct, "a.upc", "s.c", "c.c", "d.i", "e.upci", "f.s", archive(upct, "lib.a", "g.o"))
    assert upct.check_output([program], THREADS=1) == "111111\n"


def test_standard_input_is_a_source(upct):
    result = upct.run([upct.tool("upcc"), "-x", "upc", "-", "-o", upct.path("prog")], stdin=HELLO)
    assert (result.returncode, result.stderr) == (0, "")
    assert upct.check_output([upct.path("prog")], THREADS=2) == "1 of 2\n"
    result = upct.run([upct.tool("upcc"), "-E", "-P", "-"], stdin="int x = __UPC__;\n")
    assert result.stdout.endswith("int x = 1;\n"), result.stdout[-200:]
    result = upct.run([upct.tool("upcc"), "-x", "upc", "-c", "-"], stdin="int x = ;\n")
    assert (result.returncode, result.stderr.splitlines()[0]) == (
        1, "<stdin>:1:9: error: expected expression before ';'")


def test_languages_can_be_chosen(upct):
    upct.write("a.txt", HELLO)
    upct.write("b.upc", "int strict = 1, relaxed, shared;\n")
    upct.write("c.txt", ".globl c\nc: ret\n.section .note.GNU-stack,\"\",@progbits\n")
    upct.write("d.txt", "#define R ret\nd: R\n.section .note.GNU-stack,\"\",@progbits\n")
    upct.write("e.txt", "int e;\n")
    upct.write("f.txt", "shared int f;\n")
    upct.write("g.upc", "shared int g;\n")
    program = links(upct, "-x", "upc", "a.txt", "-xc", "b.upc", "-x", "assembler", "c.txt", "-x", "assembler-with-cpp",
                    "d.txt", "-x", "cpp-output", "e.txt", "-x", "upc-cpp-output", "f.txt", "-x", "none", "g.upc")
    assert upct.check_output([program], THREADS=2) == "1 of 2\n"
    refuses(upct, ["-x", "java", "a.txt"],
            "invalid value in '-x java'; expected upc, upc-header, upc-cpp-output, c, cpp-output, assembler, "
            "assembler-with-cpp, c++, c++-cpp-output, f77, f77-cpp-input, f95, f95-cpp-input or none", status=2)


def test_other_languages_go_to_their_compilers(upct):
    """Their statics are the thread's own, their constructors run in each, and their libraries are linked."""
    if not shutil.which(f"{upct.binutils}gfortran"):
        pytest.skip("no gfortran")
    upct.write("a.upc", """#include <stdio.h>
int cxx (int), fixed_ (int *), free_form_ (int *);
int main (void)
{
  int one = 1, sum = cxx (MYTHREAD + 1) + fixed_ (&one) + free_form_ (&one);
  sum += cxx (1) + fixed_ (&one) + free_form_ (&one);
  for (int t = 0; t < THREADS; t++, ({ upc_barrier; }))
    if (t == MYTHREAD)
      printf ("%d\\n", sum), fflush (stdout);
  return 0;
}
""")
    upct.write("b.cpp", """#include <string>
struct counter { std::string digits; counter () : digits ("1") { } };
static counter c;
extern "C" int cxx (int n) { c.digits.append (n, '0'); return std::stoi (c.digits); }
""")
    upct.write("c.f", """      integer function fixed (n)
      integer n, s
      save s
      data s /0/
      s = s + n
      fixed = s
      end
""")
    upct.write("d.F90", """#define STEP 2
integer function free_form (n)
  integer :: n
  integer, save :: s = 0
  s = s + STEP * n
  free_form = s
end function
""")
    program = links(upct, "a.upc", "b.cpp", "c.f", "d.F90")
    # 10 + 100, then 100 + 1000: each thread has strings of its own; 1 + 2 and 2 + 4 of Fortran's.
    assert upct.check_output([program], THREADS=2) == "119\n1109\n"


def test_compilers_can_be_chosen(upct):
    for name in ("a.cc", "b.f90"):
        upct.write(name, "")
    for name, variable in (("a.cc", "CXX"), ("b.f90", "FC")):
        result = upct.run([upct.tool("upcc"), "-c", "-###", name], cwd=upct.folder, **{variable: "mine -q"})
        assert (result.returncode, result.stderr.split()[:2]) == (0, ["mine", "-q"])
        refuses(upct, ["-c", name], "cannot run './mine': No such file or directory", **{variable: "./mine"})


def test_c_with_keywords_as_names_is_explained(upct):
    upct.write("a.c", "int f (int shared) { return shared; }\n")
    fails(upct, ["-c", "a.c"],
          ["a.c:1:8: error: parameter '<unnamed>' has shared type but automatic storage duration (UPC 1.3, 6.5.2)",
           "a.c:1:29: error: expected expression before 'shared'",
           "upcc: note: a.c was compiled as UPC; use -x c for plain C"])
    succeeds(upct, "-c", "-x", "c", "a.c")
    # Whoever includes upc.h, or says -x upc, means UPC.
    upct.write("b.c", "#include <upc.h>\nint x = ;\n")
    expected = ["b.c:2:9: error: expected expression before ';'"]
    fails(upct, ["-c", "b.c"], expected)
    upct.write("b.c", "\nint x = ;\n")
    fails(upct, ["-c", "-x", "upc", "b.c"], expected)


@pytest.mark.parametrize("cc", BOTH)
def test_plain_c_stays_as_it_is(upct, cc):
    upct.write("a.c", "#include <stdio.h>\n#include <math.h>\nstatic int n = 3;\n"
               "int f (const char *s) { puts (s); return n-- + (int) sqrt (2); }\n")
    # The driver's own section is all that is more.
    code = {}
    for name, words in ("upc", []), ("c", ["-x", "c"]):
        succeeds(upct, "-O2", "-c", *words, "a.c", "-o", name + ".o", UPCC_CC=cc)
        code[name] = upct.check_output(["objdump", "-dr", "--no-show-raw-insn", upct.path(name + ".o")]).split("\n",
                                                                                                               3)[3]
    assert code["upc"] == code["c"]


def test_headers_are_there_on_request(upct):
    for folder in "inc", "quote", "system", "after":
        os.mkdir(upct.path(folder))
        upct.write(f"{folder}/{folder}.h", f"enum {{ {folder}_h = 1 }};\n")
    upct.write("forced.h", "enum { forced_h = 1 };\n")
    upct.write("macros.h", "#define MACRO 1\nlost\n")
    upct.write("a.upc", "#include <inc.h>\n#include \"quote.h\"\n#include <system.h>\n#include <after.h>\n"
               "int x[inc_h + quote_h + system_h + after_h + forced_h + MACRO == 6 ? 1 : -1];\n")
    succeeds(upct, "-Iinc", "-iquote", "quote", "-isystem", "system", "-idirafter", "after", "-include", "forced.h",
             "-imacros", "macros.h", "-c", "a.upc")


def test_headers_of_the_current_folder_come_last(upct):
    os.mkdir(upct.path("sub"))
    upct.write("sub/a.upc",
               "#include <here.h>\n#include <limits.h>\n#include <both.h>\nint x = HERE + BOTH - 3 + INT_MAX;\n")
    upct.write("here.h", "#define HERE 1\n")
    upct.write("limits.h", "#error this one\n")
    upct.write("both.h", "#error this one\n")
    upct.write("sub/both.h", "#define BOTH 2\n")
    succeeds(upct, "-Isub", "-c", "sub/a.upc")
    # Where -I names it, it is a folder like others.
    upct.write("b.upc", "#include <limits.h>\n")
    result = upcc(upct, "-c", "b.upc", "-I", upct.folder)
    assert "#error this one" in result.stderr
    os.unlink(upct.path("limits.h"))
    upct.write("b.upc", "#include <here.h>\nint x = HERE;\n")
    assert succeeds(upct, "-I.", "-MM", "b.upc") == "b.o: b.upc here.h\n"


def test_definitions_keep_their_quotes(upct):
    upct.write("a.upc", HELLO.replace('"%d of %d\\n", a[THREADS - 1], THREADS', '"%s\\n", TEXT'))
    program = links(upct, "-DTEXT=\"it's a \\\"text\\\" $HOME\"", "-D", "GONE=1", "-UGONE", "-U", "ALSO", "a.upc")
    assert upct.check_output([program], THREADS=2) == "it's a \"text\" $HOME\n"


def test_response_files_hold_switches(upct):
    upct.write("a.upc", HELLO.replace('"%d of %d\\n", a[THREADS - 1], THREADS', '"%s\\n", TEXT'))
    upct.write("words", "-T 2 '-DTEXT=\"a b\"'\n-O1 a.upc")
    assert upct.check_output([links(upct, "@words")]) == "a b\n"


# What -S and -E show, what is kept.

@pytest.mark.parametrize("cc", BOTH)
def test_assembly_is_that_of_the_translation(upct, cc):
    upct.write("a.upc", HELLO)
    succeeds(upct, "-S", "a.upc", UPCC_CC=cc)
    text = open(upct.path("a.s")).read()
    assert "main:" in text and "upc_shared" in text, text[:500]
    assert files(upct) == ["a.s", "a.upc"]
    if cc == "gcc":
        succeeds(upct, "-S", "-dp", "a.upc")
        name = {"x86_64": "simple_return", "aarch64": "*do_return"}[upct.processor]
        assert name in open(upct.path("a.s")).read(), "-dp: names of instructions"


def test_counts_are_beside_the_program(upct):
    upct.write("a.upc", HELLO)
    upct.write("f.c", RETURNS_42)
    upct.check_output([links(upct, "--coverage", "a.upc", "-x", "c", "f.c")], THREADS=2, cwd=upct.folder)
    assert files(upct) == ["a.upc", "f.c", "prog", "prog-a.gcda", "prog-a.gcno", "prog-f.gcda", "prog-f.gcno"]


@pytest.mark.parametrize("cc", BOTH)
def test_preprocessing_does_not_translate(upct, cc):
    upct.write("a.upc", "#include <upc.h>\nshared [2] int x[2*THREADS]; // here\nint y = __LINE__;\n")
    text = succeeds(upct, "-E", "a.upc", UPCC_CC=cc)
    assert "\nshared [2] int x[2*THREADS];" in text and "\nint y = 3;" in text, text[-300:]
    assert '# 2 "a.upc"' in text or '# 1 "a.upc"' in text, text[-300:]
    assert "\n# " not in succeeds(upct, "-E", "-P", "a.upc", UPCC_CC=cc)
    assert "// here" in succeeds(upct, "-E", "-C", "a.upc", UPCC_CC=cc)
    assert "#define __UPC__ 1\n" in succeeds(upct, "-E", "-dM", "a.upc", UPCC_CC=cc)


@pytest.mark.parametrize("cc, words", [(cc, words) for cc in BOTH for words in ([], ["-T3"], ["-fupc-pts=struct"])])
def test_what_is_preprocessed_compiles(upct, cc, words):
    """Scripts read the output of -E and expect what is the program's, alone."""
    upct.write("a.upc", "int x = UPC_MAX_BLOCK_SIZE > 1;\n")
    assert succeeds(upct, "-E", "-P", *words, "a.upc", UPCC_CC=cc).split("\n", 1)[0] == (
        f"int x = {2**32 - 1 if 'struct' in str(words) else 2**20 - 1} > 1;")
    upct.write("a.upc", HELLO)
    text = succeeds(upct, "-E", *words, "a.upc", UPCC_CC=cc)
    upct.write("b.upci", text)
    result = upct.run([upct.tool("upcc"), *words, "-c", "-x", "upc-cpp-output", "-", "-o", upct.path("c.o")],
                      stdin=text, UPCC_CC=cc)
    assert (result.returncode, result.stderr) == (0, "")
    for source in ("b.upci", "c.o"):
        program = links(upct, *words, source, UPCC_CC=cc)
        assert upct.check_output([program], THREADS=3) == "2 of 3\n"


def test_macros_of_the_language(upct):
    def macros(*words):
        lines = succeeds(upct, "-E", "-dM", "-x", "upc", *words, "/dev/null").splitlines()
        return {l.split()[1]: l.split(None, 2)[2] for l in lines if "UPC" in l and len(l.split()) > 2}
    found = macros()
    assert {k: found.get(k) for k in ("__UPC__", "__UPC_VERSION__", "UPC_MAX_BLOCK_SIZE", "__UPC_DYNAMIC_THREADS__",
                                      "__UPC_STATIC_THREADS__", "__UPC_PTS_PACKED_REP__", "__UPC_PTS_STRUCT_REP__",
                                      "__UPCT__", "__UPCT_MINOR__")} == {"__UPCT__": "0", "__UPCT_MINOR__": "1",
                                                                         "__UPC__": "1", "__UPC_VERSION__": "201311L",
                                                                         "UPC_MAX_BLOCK_SIZE": "1048575",
                                                                         "__UPC_DYNAMIC_THREADS__": "1",
                                                                         "__UPC_STATIC_THREADS__": None,
                                                                         "__UPC_PTS_PACKED_REP__": "1",
                                                                         "__UPC_PTS_STRUCT_REP__": None}
    found = macros("-T4", "-fupc-pts=struct")
    assert {k: found.get(k) for k in ("UPC_MAX_BLOCK_SIZE", "__UPC_DYNAMIC_THREADS__", "__UPC_STATIC_THREADS__",
                                      "__UPC_PTS_PACKED_REP__",
                                      "__UPC_PTS_STRUCT_REP__")} == {"UPC_MAX_BLOCK_SIZE": "4294967295",
                                                                     "__UPC_DYNAMIC_THREADS__": None,
                                                                     "__UPC_STATIC_THREADS__": "1",
                                                                     "__UPC_PTS_PACKED_REP__": None,
                                                                     "__UPC_PTS_STRUCT_REP__": "1"}


def test_temporaries_are_kept_on_request(upct):
    os.mkdir(upct.path("sub"))
    upct.write("a.c", HELLO)
    upct.write("sub/a.upc", "shared int b;\n")
    succeeds(upct, "-save-temps", "a.c", "sub/a.upc", "-o", "prog")
    assert files(upct) == ["a.1.o", "a.1.trans.i", "a.1.upci", "a.c", "a.o", "a.trans.i", "a.upci", "names.o", "names.s",
                           "prog", "prog.all.o", "prog.private.o", "sub"]
    assert open(upct.path("a.c")).read() == HELLO


def test_syntax_can_be_checked_alone(upct):
    upct.write("a.upc", HELLO)
    succeeds(upct, "-fsyntax-only", "a.upc")
    upct.write("b.upc", "shared int x = ;\n")
    result = upcc(upct, "-fsyntax-only", "b.upc")
    assert (result.returncode, result.stderr.splitlines()[0]) == (
        1, "b.upc:1:16: error: expected expression before ';'")
    assert files(upct) == ["a.upc", "b.upc"]


# Rules for make.

def rule(upct, name):
    """The targets and, of the files, those of the test."""
    targets, rest = open(upct.path(name)).read().replace("\\\n", " ").split("\n")[0].split(": ", 1)
    return targets, [f for f in rest.split() if not f.startswith("/")]


@pytest.mark.parametrize("cc", BOTH)
def test_rules_name_sources_and_headers(upct, cc):
    os.mkdir(upct.path("out"))
    upct.write("a.upc", "#include <upc.h>\n#include \"h.h\"\nshared int x;\n")
    upct.write("h.h", "#include <here.h>\n")
    upct.write("here.h", "")
    wanted = ["a.upc", "h.h", "here.h"]
    succeeds(upct, "-MD", "-c", "a.upc", UPCC_CC=cc)
    assert rule(upct, "a.d") == ("a.o", wanted)
    succeeds(upct, "-MD", "-c", "a.upc", "-o", "out/x.y.o", UPCC_CC=cc)
    assert rule(upct, "out/x.y.d") == ("out/x.y.o", wanted)
    succeeds(upct, "-MD", "-MF", "f", "-MT", "t1", "-MQ", "t$2", "-c", "a.upc", UPCC_CC=cc)
    assert rule(upct, "f") == ("t1 t$$2", wanted)
    succeeds(upct, "-MMD", "-MP", "-MFg", "-S", "a.upc", UPCC_CC=cc)
    text = open(upct.path("g")).read()
    assert text.startswith("a.s: a.upc h.h") and "\nh.h:" in text
    assert succeeds(upct, "-MM", "-MG", "a.upc", UPCC_CC=cc) == "a.o: a.upc h.h here.h\n"
    succeeds(upct, "-M", "-c", "a.upc", "-o", "rules", UPCC_CC=cc)
    assert rule(upct, "rules") == ("a.o", wanted)
    assert files(upct) == ["a.d", "a.o", "a.s", "a.upc", "f", "g", "h.h", "here.h", "out", "rules"]


def test_rules_of_programs(upct):
    upct.write("a.upc", HELLO)
    upct.write("b.c", "int b;\n")
    succeeds(upct, "-MMD", "a.upc", "-o", "prog")
    assert open(upct.path("prog.d")).read() == "prog: a.upc\n"
    succeeds(upct, "-MMD", "a.upc", "-x", "c", "b.c")
    assert (open(upct.path("a.d")).read(), open(upct.path("b.d")).read()) == ("a.o: a.upc\n", "b.o: b.c\n")
    refuses(upct, ["-MD", "-MF", "x", "a.upc", "b.c"], "cannot specify -MF with multiple files", status=2)
    refuses(upct, ["-MT", "x", "a.upc"], "'-MT' without -M, -MM, -MD or -MMD", status=2)


# Messages and failures.

@pytest.mark.parametrize("cc", BOTH)
def test_messages_point_to_the_source(upct, cc):
    upct.write("h.h", "\n\n#define BAD undeclared\n")
    upct.write("a.upc", "#include \"h.h\"\nshared int x;\nint f (void)\n{\n  x = 1;\n  return BAD;\n}\n")
    result = upcc(upct, "-c", "a.upc", UPCC_CC=cc)
    assert "a.upc:6:" in result.stderr and "/tmp" not in result.stderr
    assert (result.returncode, files(upct)) == (1, ["a.upc", "h.h"])


@pytest.mark.parametrize("text", ["int x;\n", "shared int x = ;\n"])
def test_devices_are_written_to(upct, text):
    """A device of the test's own: what goes wrong here costs the machine its /dev/null."""
    device = upct.path("device")
    os.mkfifo(device)
    # Both ends are open before cat begins, which else might come when nobody writes any more.
    reading = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(device, os.O_WRONLY)
    os.set_blocking(reading, True)
    reader = subprocess.Popen(["cat"], stdin=reading, stdout=subprocess.DEVNULL)
    os.close(reading)
    upct.write("a.upci", text)
    upct.run([upct.tool("upc2c"), "a.upci", "-o", device])
    os.close(writer)
    reader.wait()
    assert stat.S_ISFIFO(os.stat(device).st_mode), "a device no more"


def test_failures_write_nothing(upct):
    upct.write("no_header.upc", "#include <no/such.h>\n")
    fails(upct, ["-c", "no_header.upc"], ["no_header.upc:1:10: fatal error: no/such.h: No such file or directory",
                                          "compilation terminated."],
          UPCC_CC="gcc")
    upct.write("bad.upc", "shared int f (shared int x);\n")
    result = upcc(upct, "-c", "bad.upc")
    assert result.returncode == 1
    result = upcc(upct, "bad.upc", "-o", "prog")
    assert result.returncode == 1
    assert files(upct) == ["bad.upc", "no_header.upc"]
    refuses(upct, ["none.upc"], "none.upc: No such file or directory")
    refuses(upct, ["--profiling", "bad.upc"], "unknown switch '--profiling'", status=2)


# Switches of Berkeley UPC's and GNU UPC's drivers, as Makefiles have them.

@pytest.mark.parametrize("switches", [
    "-shared-heap=100GB", "-network=smp", "--network smp", "-pthreads", "-pthreads 4", "-pthreads=4 -norc -lines", "-shared-heap=64MB",
    "-shared-heap 1.5g", "--shared-heap-max=2GB -heap-offset 1K", "-uses-threads --uses-threads", "-opt", "-Wc,-O3,-g",
    "-nopthreads -nolines -link-cache -nolink-cache -checks -tv -bupc -gccupc -size-warn", "-gupc -dwarf-2-upc",
    "-opt-enable=msg-vect -opt-disable ptr-locality -ansi-alias", "-Wc, -Wl, -Wp, -Wu,-x -Ww,-y",
    "-http-proxy y -allow-deprecated -extern-main", "-fupc-packed-bits=20,10,34",
    "-Wc,'-O3 -std=gnu99' -Wl,'-z now' -Wp,'-DA -DB'", "-inst", "-inst-local -inst-functions", "-link-with=g++",
     "-Wl,-Wl,-z,now", "-Wl,'-Wl,-z,now -Wl,-z,relro'", "-Wc,-fopenmp -Wl,-fopenmp", "-Wl,-pthread -Wl,-static-libgcc,-z,now",
     pytest.param("-Wl,-pthread -Wl,-static-libgcc,-m64,-z,now", marks=pytest.mark.only_x86_64("gcc for ARM has no -m64")), '-Wl,"-rdynamic -lm"', "-Wc,-falign-functions=16,-O1,-Wa,--noexecstack",
    "-fupc-inline-lib -fno-upc-inline-lib", "-fupc-debug -fupc-pre-include -fno-upc-pre-include",
    "-fupc-pthreads-model-tls -fupc-pthreads-per-process-4", "-save-temps -nosave-temps -nosave-all-temps", "--std=gnu99 --sysroot / -no-canonical-prefixes",
    "-fdirectives-only", "--T=2", "--T 2", "--fupc-threads-2 --Wc,-O2 --Wl,-z,now --Wp,-DX"])
def test_what_is_so_anyway_is_accepted(upct, switches):
    upct.write("a.upc", HELLO)
    assert upct.check_output([links(upct, *shlex.split(switches), "a.upc")], THREADS=2) == "1 of 2\n"


def test_switches_may_stand_in_the_environment(upct):
    """Before those of the command line: the last one counts."""
    upct.write("a.upc", "#include <stdio.h>\nint main (void) { printf (\"%s %d\\n\", TEXT, THREADS); }\n")
    upct.check_output([upct.tool("upcc"), "a.upc", "-o", "a"], UPCC_FLAGS=" -T 3\t-DTEXT='\"a\\n b\"' ")
    assert upct.check_output([upct.path("a")]) == "a\n b 3\n" * 3
    upct.check_output([upct.tool("upcc"), "-T", "1", "a.upc", "-o", "a"], UPCC_FLAGS="-T 3 '-DTEXT=\"b\"'")
    assert upct.check_output([upct.path("a")]) == "b 1\n"


def test_settings_of_the_user(upct):
    """Before UPCC_FLAGS, which come before the command line."""
    upct.write("a.upc", "#include <stdio.h>\nint main (void) { printf (\"%s %d\\n\", TEXT, THREADS); }\n")
    upct.write(".upccrc", "# mine\n\ndefault_options = -T 3 \\\n  -DTEXT='\"a b\"'\ndefault_network = mpi\nmpi_options = -T 9\n"
                          "translator = http://there\nshared_heap = 64MB\nsmart_output = yes\ndefault_pthreads=2\n")
    upcc = upct.tool("upcc")
    upct.check_prints("", [upcc, "a.upc"], HOME=upct.folder)
    upct.check_prints("a b 3\n" * 3, [upct.path("a")])
    upct.check_prints("mpi\n", [upcc, "-echo-var", "default_network"], HOME=upct.folder)
    upct.check_prints("smp\n", [upcc, "-norc", "--echo-var=default_network"], HOME=upct.folder)
    upct.check_prints("smp\n", [upcc, "-echo-var", "default_network"], HOME=upct.folder, UPCC_NORC=1)
    upct.write("other", "default_options = -T 4 -DTEXT='\"c\"'\n")
    for words in ["-conf=other"], ["-conf", "other"], ["--conf=other"]:
        upct.check_output([upcc, *words, "a.upc", "-o", "b"], HOME=upct.folder)
        upct.check_prints("c 4\n" * 4, [upct.path("b")])
    result = upct.run([upcc, "-conf=gone", "a.upc"], HOME=upct.folder)
    assert (result.returncode, result.stderr) == (1, "upcc: error: gone: No such file or directory\n")
    upct.check_output([upcc, "-T", "1", "a.upc"], HOME=upct.folder, UPCC_FLAGS="-T 2")
    upct.check_prints("a b 1\n", [upct.path("a")])
    for line, message in (("a", "expected 'key = value'"), ("a = 1", "unknown key 'a'"),
                          ("smart_output = 2", "invalid value '2' for smart_output; expected yes or no")):
        upct.write(".upccrc", f"{line}\n")
        result = upct.run([upcc, "a.upc"], HOME=upct.folder)
        assert (result.returncode, result.stderr) == (1, f"upcc: error: {upct.folder}/.upccrc:1: {message}\n")


def test_it_answers_scripts(upct):
    upcc = upct.tool("upcc")
    upct.check_prints("mpicc\n", [upcc, "-print-mpicc"], UPCC_MPICC=None)
    upct.check_prints("my-mpicc\n", [upcc, "-print-mpicc"], UPCC_MPICC="my-mpicc")
    upct.check_prints(os.path.join(upct.bin, "upc2c") + "\n", [upcc, "-print-translator"])
    upct.check_prints("smp\n", [upcc, "-show-confs"])
    for pts, size in (("packed", 8), ("struct", 16)):
        rows = [line.split() for line in upct.check_output([upcc, f"-fupc-pts={pts}", "-show-sizes"]).splitlines()]
        assert ["long_double", "16", "16"] in rows and rows[-1] == ["shared_ptr", str(size), "8"]
    for word in ("-h", "-?", "-help"):
        assert upct.check_output([upcc, word]).startswith("usage: upcc ")
    result = upct.run([upcc, "-echo-var", "x"])
    assert (result.returncode, result.stderr) == (2, "upcc: error: '-echo-var': unknown variable 'x'\n")


@pytest.mark.parametrize("network, rest", [("udp", ""), ("ibv", ""), ("mpi", "; '-fupc-network=mpi' is for several")])
def test_a_network_is_one_process(upct, network, rest):
    upct.write("a.upc", HELLO)
    result = upcc(upct, f"-network={network}", "a.upc")
    assert (result.returncode, result.stderr) == (
        0, f"upcc: note: '-network={network}': UPC threads run in one process{rest}\n")
    assert upct.check_output([upct.path("a.out")], THREADS=2) == "1 of 2\n"
    succeeds(upct, "-network", network, "-c", "a.upc")


def test_programs_can_be_named_after_their_source(upct):
    upct.write("a.upc", HELLO)
    succeeds(upct, "--smart-output", "a.upc", "-lm")
    assert files(upct) == ["a", "a.upc"]


@pytest.mark.parametrize("cc", BOTH)
def test_translations_are_sources(upct, cc):
    upct.write("a.upc", HELLO)
    succeeds(upct, "-trans", "a.upc", UPCC_CC=cc)
    assert files(upct) == ["a.trans.c", "a.upc"]
    succeeds(upct, "-O2", "-c", "a.trans.c", UPCC_CC=cc)
    assert upct.check_output([links(upct, "a.trans.o", UPCC_CC=cc)], THREADS=2) == "1 of 2\n"
    refuses(upct, ["-trans", "a.trans.c"], "a.trans.c: not a UPC source; -trans takes no other")


def test_loops_with_checks_are_aligned(upct):
    """Unless the user says how."""
    def alignments(*switches):
        result = upct.run([upct.tool("upcc"), "-c", "-###", *switches, "loop.upc"], cwd=upct.folder, UPCC_CC="gcc")
        return re.findall("-falign-loops=[0-9]+", result.stderr)

    upct.write("loop.upc", "int x;")
    assert alignments("-O2") == ["-falign-loops=32"] * ("address" in upct.sanitizers)
    for switch in "-fupc-check", "-fsanitize=address":
        assert alignments("-O2", switch) == ["-falign-loops=32"]
    assert alignments("-O2", "-fupc-check", "-falign-loops=16")[-1] == "-falign-loops=16"


@pytest.mark.parametrize("switch", ["-###", "-show"])
def test_commands_can_be_shown_alone(upct, switch):
    upct.write("a.upc", HELLO)
    shown = upcc(upct, switch, "-O2", "a.upc", "-lm", "-o", "prog")
    assert (shown.returncode, shown.stdout, files(upct)) == (0, "", ["a.upc"])
    commands = [shlex.split(line) for line in shown.stderr.splitlines()]
    assert [os.path.basename(words[0]) for words in commands][1:] == [
        "upc2c", commands[0][0], f"{upct.binutils}ld", "upc-privatize", commands[0][0], commands[0][0]]


def test_verbose_tells_the_search_path(upct):
    upct.write("a.upc", HELLO)
    os.mkdir(upct.path("mine"))
    for switch in "-v", "--verbose":
        result = upcc(upct, switch, "-Imine", "-c", "a.upc")
        listed = result.stderr.split("#include <...> search starts here:\n")[1].split("End of search list.")[0]
        assert listed.splitlines()[0].strip() == "mine"
        assert upct.check_output([upct.tool("upcc"), "-print-include-dir"]).strip() in listed


def test_headers_are_checked(upct):
    upct.write("a.h", "extern shared int x[THREADS];\n")
    upct.write("bad.h", "sharde int x;\n")
    upct.write("a.upc", "#include \"a.h\"\n" + HELLO)
    succeeds(upct, "a.h")
    assert files(upct) == ["a.h", "a.h.gch", "a.upc", "bad.h"]
    assert upct.check_output([links(upct, "a.upc", "a.h", UPCC_CC="gcc")], THREADS=2) == "1 of 2\n"
    assert upcc(upct, "-c", "bad.h", "-o", "bad.gch").returncode == 1
    succeeds(upct, "-x", "upc-header", "-fsyntax-only", "a.h")
    assert "bad.gch" not in files(upct)


def test_mpi_comes_from_its_compiler(upct):
    os.mkdir(upct.path("inc"))
    upct.write("inc/mpi.h", "#define RANKS 3\n")
    upct.write("mpicc", "#!/bin/sh\necho gcc -Iinc -Llib -flto -lm\n")
    os.chmod(upct.path("mpicc"), 0o755)
    upct.write("a.upc", "#include <mpi.h>\n#include <math.h>\n#include <stdlib.h>\n"
               "int main (int argc, char **argv) { return lround (cbrt (RANKS * 9.0 * argc)) != RANKS; }\n")
    upct.check_output([links(upct, "-uses-mpi", "a.upc", UPCC_MPICC=upct.path("mpicc"))], THREADS=2)
    refuses(upct, ["--uses-mpi", "a.upc"],
            "'-uses-mpi': cannot run 'no-mpicc -show'; UPCC_MPICC names another compiler for MPI, "
            "and Debian has them in libmpich-dev and libopenmpi-dev", status=2,
            UPCC_MPICC="no-mpicc")


@pytest.mark.parametrize("mode", ["-S", "-E"])
def test_minus_is_standard_output(upct, mode):
    upct.write("a.upc", HELLO)
    upct.check_output([upct.tool("upcc"), mode, "a.upc", "-o", "wanted"])
    with open(upct.path("wanted")) as wanted:
        assert upct.check_output([upct.tool("upcc"), mode, "a.upc", "-o", "-"]) == wanted.read()
    assert files(upct) == ["a.upc", "wanted"]


def test_what_is_not_so_is_refused(upct):
    for words, message in [
            (["-network="], "invalid value in '-network='; expected a name"),
            (["-pthreads=x"], "invalid value in '-pthreads=x'; expected a number"),
            (["-shared-heap=64Q"], "invalid value in '-shared-heap=64Q'; expected a size such as 64M"),
            (["-fno-upc-link"], "unknown switch '-fno-upc-link'"),
            (["-fupc-genericize"], "unknown switch '-fupc-genericize'"),
            (["-m32"], "'-m32': UPCT is for 64-bit processors")]:
        refuses(upct, [*words, "a.upc"], message, status=2)


def test_preprocessed_sources_are_taken_as_such(upct):
    upct.write("a.upc", HELLO)
    succeeds(upct, "-E", "a.upc", "-o", "b.upc")
    assert upct.check_output([links(upct, "-fpreprocessed", "b.upc")], THREADS=2) == "1 of 2\n"


@pytest.mark.parametrize("query", ["-dumpversion", "-dumpmachine", "-print-prog-name=ld", "-print-search-dirs",
                                   "--print-sysroot", "-print-file-name=libc.a", "-print-multi-os-directory"])
def test_the_compiler_answers(upct, query):
    assert succeeds(upct, query, UPCC_CC="gcc") == upct.check_output(["gcc", query])


@pytest.mark.parametrize("name, threads", [("upc", ["-fupc-threads-2"]), ("gupc", ["-n", "2"])])
def test_it_has_gnu_upc_s_names_too(upct, name, threads):
    upct.write("a.upc", HELLO)
    upct.check_output([upct.tool(name), *threads, "a.upc", "-o", upct.path("prog")])
    assert upct.check_output([upct.path("prog")]) == "1 of 2\n"
    assert upct.check_output([upct.tool(name), "-V"]) == upct.check_output([upct.tool("upcc"), "--version"])


# Objects: archives, and what contradicts each other.

def test_archives_hold_shared_data(upct):
    upct.write("a.upc", "#include <upc.h>\n#include <stdio.h>\nextern shared int table[10 * THREADS]; int get (int), twice (int);\n"
               "int main (void) { table[7] = 20; upc_barrier; if (MYTHREAD == THREADS - 1)"
               " printf (\"%d\\n\", twice (get (7))); return 0; }\n")
    upct.write("table.upc", "shared int table[10 * THREADS];\n")
    upct.write("get.upc", "extern shared int table[10 * THREADS];\nint get (int i) { return table[i] + 1; }\n")
    succeeds(upct, "-c", "table.upc", "get.upc")
    compiled(upct, "twice", "int twice (int x) { return 2 * x; }")
    archive(upct, "lib/libtable.a", "table.o", "get.o")
    archive(upct, "lib/libtwice.a", "twice.o")
    program = links(upct, "a.upc", "-Llib", "-ltable", "-ltwice", "-lm")
    assert upct.check_output([program], THREADS=3) == "42\n"


def test_representations_must_agree(upct):
    upct.write("a.upc", HELLO)
    upct.write("b.upc", "shared int b;\n")
    upct.write("c.c", RETURNS_42)
    succeeds(upct, "-c", "a.upc", "-fupc-pts=struct")
    succeeds(upct, "-c", "b.upc", "c.c", "-x", "c", "c.c")
    refuses(upct, ["a.o", "b.o"], "pointers-to-shared differ: a.o has struct, b.o has packed")
    refuses(upct, ["b.o", "a.o"], "pointers-to-shared differ: b.o has packed, a.o has struct")
    refuses(upct, ["-fupc-pts=packed", "a.o"], "pointers-to-shared differ: -fupc-pts=packed has packed, a.o has struct")
    archive(upct, "lib.a", "c.o", "b.o")
    upct.write("use.upc", "extern shared int b;\nint f (void); int use (void) { return b; }\n")
    succeeds(upct, "-c", "-fupc-pts=struct", "use.upc")
    refuses(upct, ["a.o", "use.o", "lib.a"], "pointers-to-shared differ: a.o has struct, lib.a(b.o) has packed")
    # A member that nobody takes says nothing, and the objects choose the library.
    assert upct.check_output([links(upct, "a.o", "lib.a")], THREADS=3) == "2 of 3\n"


def test_static_threads_must_agree(upct):
    upct.write("a.upc", HELLO)
    upct.write("b.upc", "shared int b;\n")
    succeeds(upct, "-c", "a.upc", "-T3")
    succeeds(upct, "-c", "b.upc", "-T4")
    refuses(upct, ["a.o", "b.o"], "static THREADS differ: a.o has 3, b.o has 4")
    refuses(upct, ["a.o", "-T", "2"], "static THREADS differ: -fupc-threads-2 has 2, a.o has 3")
    refuses(upct, ["a.o", "-ub", archive(upct, "l.a", "b.o")],
            "static THREADS differ: a.o has 3, l.a(b.o) has 4")
    succeeds(upct, "-c", "b.upc")
    assert upct.check_output([links(upct, "a.o", "b.o")]) == "2 of 3\n"


def test_main_is_that_of_the_program_in_each_file(upct):
    upct.write("a.upc", "int other (void);\nint main (int count, char **words)\n{\n"
               "  return count == -1 ? 5 : other () != 5;\n}\n")
    upct.write("b.upc", "int main (int, char **);\nint other (void)\n{\n  return (main) (-1, 0);\n}\n")
    assert upct.check_output([links(upct, "a.upc", "b.upc")], THREADS=2) == ""


@pytest.mark.slow
def test_a_thousand_objects_link(upct):
    calls = "".join(f"  sum += f{i} ();\n" for i in range(1000))
    for i in range(1000):
        load = {"x86_64": f"movl p{i}(%rip), %eax", "aarch64": f"adrp x0, p{i}\n ldr w0, [x0, :lo12:p{i}]"}[upct.processor]
        upct.write(f"f{i}.s", f".globl f{i}\n.text\nf{i}: {load}\n ret\n.data\n.balign 4\np{i}: .long {i}\n"
                   ".section upc_shared,\"aw\",%progbits\n.zero 8\n.section .note.GNU-stack,\"\",%progbits\n")
    subprocess.run("for f in f*.s; do echo $f; done | xargs -P2 -n1 sh -c 'as $0 -o ${0%.s}.o'", shell=True,
                   cwd=upct.folder, check=True)
    upct.write("main.upc", "#include <stdio.h>\n" + "".join(f"int f{i} (void);\n" for i in range(1000))
               + "int main (void)\n{\n  int sum = 0;\n" + calls + "  printf (\"%d\\n\", sum);\n  return 0;\n}\n")
    upct.write("words", "main.upc\n" + "\n".join(f"f{i}.o" for i in range(1000)))
    assert upct.check_output([links(upct, "@words")], THREADS=1) == "499500\n"


INLINE = """#include <upc.h>
shared [4] long v[16 * THREADS];
shared int *p;
inline long sum (shared [4] long *a, shared long *b)
{
  long s = 0;
  upc_forall (int i = 0; i < 16 * THREADS; i++; &v[i])
    s += v[i];
  upc_forall (int i = 0; i < 16 * THREADS; i += 3; &a[i])
    s += a[i];
  p = p + 3;
  upc_barrier 3;
  for (int i = 0; i < 16; i++)
    v[i * THREADS] += a[i] + upc_threadof (p);
  return s + *b;
}
long get (void)
{
  return sum (v, (shared long *) &v[MYTHREAD]);
}
"""


@pytest.mark.parametrize("cc", BOTH)
@pytest.mark.parametrize("switches", [(), ("--profile",), ("-fupc-pts=struct",)], ids=str)
def test_inline_definitions_refer_to_nothing_static(upct, cc, switches):
    # C11, 6.7.4: an inline definition of an external function.
    upct.write("inline.upc", INLINE)
    succeeds(upct, "-O2", "-Wall", "-pedantic-errors", *switches, "-c", "inline.upc", UPCC_CC=cc)


OURS = """#include <upc.h>
shared int *p, **q;
int *r;
int main (void)
{
  r = q;
  upc_main_of ();
  return missing_brace_of (p) + *r + *1;
}
"""


@pytest.mark.parametrize("cc", BOTH)
def test_messages_of_the_compiler_have_no_names_of_ours(upct, cc):
    upct.write("ours.upc", OURS)
    result = upcc(upct, "-c", "-Wall", "-std=gnu11", "ours.upc", UPCC_CC=cc)
    assert result.returncode == 1
    assert "'upc_main'" not in result.stderr and "\u2018upc_main\u2019" not in result.stderr
    assert "__upc_" not in result.stderr and "upc_main_of" in result.stderr
    assert "pointer-to-shared *" in result.stderr
    assert "failed with status" not in result.stderr
    if cc == "gcc":
        assert "In function \u2018main\u2019:" in result.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_records_without_a_name_stay_so_in_messages(upct, compiler):
    upct.write("a.upc", "struct { int i; shared int *p; } a, *b;\nint f (void) { int *k = &a; return *k + b->none; }\n")
    result = upct.run([upct.tool("upcc"), "-c", "a.upc"], UPCC_CC=compiler)
    assert "struct <anonymous>" in result.stderr and "__upc" not in result.stderr


def test_messages_of_the_linker_have_no_names_of_ours(upct):
    upct.write("lost.upc", "int lost (void); int main (void) { return lost (); }\n")
    result = upcc(upct, "lost.upc", "-o", "lost")
    assert result.returncode == 1
    assert "in function `main'" in result.stderr and "upc_main" not in result.stderr


def test_a_command_that_says_nothing_is_named(upct):
    upct.write("silent", "#!/bin/sh\nexit 1\n")
    os.chmod(upct.path("silent"), 0o755)
    upct.write("a.upc", HELLO)
    fails(upct, ["-c", "a.upc"], ["upcc: error: silent failed with status 1"], UPCC_CC=upct.path("silent"))


@pytest.mark.parametrize("variables, name", [
    ({"UPCC_CC": None, "CC": "clang"}, "clang"), ({"UPCC_CC": "gcc", "CC": "clang"}, "gcc"),
    ({"UPCC_CC": "", "CC": "gcc"}, "gcc"), ({"UPCC_CC": None, "CC": "upcc -T 2"}, "gcc"),
    ({"UPCC_CC": None, "CC": "ccache /opt/bin/gupc -x upc"}, "gcc"), ({"UPCC_CC": None, "CC": "clang -Dupcc"}, "clang")], ids=str)
def test_the_compiler_is_chosen_in_the_environment(upct, variables, name):
    upct.write("a.upc", HELLO)
    result = upcc(upct, "-v", "-c", "a.upc", **variables)
    # gcc is told of another processor by its name.
    prefix = upct.binutils if name == "gcc" else ""
    assert result.stderr.splitlines()[-1].startswith(f"{prefix}{name} ")


def test_colors_reach_the_compiler(upct):
    upct.write("wrong.upc", "int main (void) { return *1; }\n")
    for switch, colored in (("-fdiagnostics-color=always", True), ("-fdiagnostics-color", True),
                            ("-fdiagnostics-color=auto", False), ("-fno-diagnostics-color", False)):
        assert ("\33" in upcc(upct, "-c", switch, "wrong.upc").stderr) == colored, switch
    upct.write("wrong.upc", "shared int *p; int *q = p;\n")
    assert "\33[01;31m" in upcc(upct, "-c", "-fdiagnostics-color=always", "wrong.upc", GCC_COLORS=None).stderr
