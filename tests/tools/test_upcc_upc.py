"""upcc on UPC sources: switches of compilation, preprocessing, rules for make, and
what objects say of themselves when they are linked."""

import os
import shlex
import stat
import subprocess

from harness import case
from tools.driver import RETURNS_42, archive, compiled, links, refuses, upcc

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


def succeeds(t, *words, **options):
    """upcc must succeed without a word on stderr; returns its output."""
    result = upcc(t, *words, **options)
    t.equal((result.returncode, result.stderr), (0, ""), f"upcc {words}")
    return result.stdout


def fails(t, words, message, **options):
    """upcc must fail with these lines; carets and the source text are left out."""
    result = upcc(t, *words, **options)
    shown = [line for line in result.stderr.splitlines() if "|" not in line]
    t.equal((result.returncode, shown), (1, message), f"upcc {words}")


def files(t):
    return sorted(set(os.listdir(t.folder)) - {"scratch"})


# How sources are made into things.

@case(each=BOTH)
def upc_compiles_and_runs(t, cc):
    t.write("a.upc", HELLO)
    t.equal(t.good([links(t, "a.upc", UPCC_CC=cc)], THREADS=3), "2 of 3\n")


@case(each=[(cc, s) for cc in BOTH for s in (
    "-O0 -g", "-O3 -g3 -ggdb", "-O2 -fPIC -march=x86-64", "-pthread -pipe -Wa,--noexecstack", "-ansi -pedantic",
    "-std=c99 -pedantic-errors -Wall -Wextra -Werror", "-std=gnu17 -Wall -Wextra -Wshadow -Wpointer-arith",
    "-Os -funroll-loops -fno-strict-aliasing -m64", "-w", "-D_GNU_SOURCE=1 -D_FORTIFY_SOURCE=2 -O2",
    "-nostdinc -isystem /usr/include -isystem /usr/include/x86_64-linux-gnu -isystem BUILTIN")])
def switches_pass_silently(t, cc, switches):
    builtin = t.good([cc, "-print-file-name=include"]).strip()
    t.write("a.upc", HELLO)
    succeeds(t, *switches.replace("BUILTIN", builtin).split(), "-c", "a.upc", UPCC_CC=cc)
    t.equal(t.good([links(t, "a.o", UPCC_CC=cc)], THREADS=2), "1 of 2\n")


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


@case(each=[(cc, switches) for cc in BOTH for switches in (
    "-O2", "-fshort-enums", "-funsigned-char", "-fpack-struct", "-fpack-struct=2",
    "-fms-extensions '-DMEMBER=struct base;'")])
def switches_of_layout_hold_for_shared_data(t, cc, switches):
    t.write("a.upc", LAYOUT)
    words = ["-w", "-UMEMBER", "-DMEMBER=", *shlex.split(switches)]
    t.equal(t.good([links(t, *words, "a.upc", UPCC_CC=cc)], THREADS=4), "")


@case
def switches_that_change_types_are_refused(t):
    t.write("a.upc", HELLO)
    for switch in "-fshort-wchar", "-mlong-double-64", "-mlong-double-128", "-mms-bitfields", "-funsigned-bitfields":
        refuses(t, [switch, "a.upc"], f"'{switch}': UPC code needs the types of the ABI", status=2)
    succeeds(t, "-fshort-wchar", "-x", "c", "-c", t.write("b.c", "int b;\n"))


@case(each=[(cc, s) for cc in BOTH for s in ("-ansi", "-std=iso9899:1990", "-std=gnu99 -fno-asm")])
def words_are_names_where_c_has_no_such_keywords(t, cc, switches):
    inline = "" if "gnu" in switches else "int inline = 1;"
    t.write("a.upc", inline + "int asm, typeof; shared int s; int f (int asm) { s = typeof + asm; return s; }\n")
    succeeds(t, *switches.split(), "-c", "a.upc", UPCC_CC=cc)


@case(each=["-fupc-threads-3", "-fupc-threads=3", "-T 3", "-T3", "-T=3", "-THREADS=3"])
def threads_can_be_static(t, switches):
    t.write("a.upc", "#if THREADS != 3 || !defined __UPC_STATIC_THREADS__ || defined __UPC_DYNAMIC_THREADS__\n"
            "#error threads\n#endif\n" + HELLO)
    t.equal(t.good([links(t, *switches.split(), "a.upc")]), "2 of 3\n")


@case(each=[("-T", "4x"), ("-T=0",), ("-THREADS=1025",), ("-fupc-threads=",), ("-Tscript",)])
def threads_must_be_a_number(t, *switches):
    refuses(t, [*switches, "a.upc"], f"'{''.join(switches)}': a number from 1 to 1024", status=2)


@case
def objects_are_in_the_current_folder(t):
    os.mkdir(t.path("sub"))
    t.write("sub/x.upc", HELLO)
    t.write("sub/y.c", "shared int y;\n")
    succeeds(t, "-c", "sub/x.upc", "sub/y.c")
    t.equal(files(t), ["sub", "x.o", "y.o"])
    t.equal(sorted(os.listdir(t.path("sub"))), ["x.upc", "y.c"])


@case
def several_sources_of_all_kinds(t):
    t.write("a.upc", "#include <stdio.h>\nextern shared int s; int c (void), d (void), e (void), f (void), g (void);\n"
            "int main (void) { s = 1; printf (\"%d\\n\", s + c () + d () + e () + f () + g ()); return 0; }\n")
    t.write("s.c", "shared int s;\n")
    t.write("c.c", "int c (void) { return 10 + THREADS - THREADS; }\n")
    t.write("d.i", "int d (void) { return 100; }\n")
    t.write("e.upci", "int e (void) { return 1000; }\n")
    t.write("f.s", ".globl f\nf: movl $10000, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n")
    compiled(t, "g", "int g (void) { return 100000; }")
    program = links(t, "a.upc", "s.c", "c.c", "d.i", "e.upci", "f.s", archive(t, "lib.a", "g.o"))
    t.equal(t.good([program], THREADS=1), "111111\n")


@case
def standard_input_is_a_source(t):
    result = t.run([t.tool("upcc"), "-x", "upc", "-", "-o", t.path("prog")], stdin=HELLO)
    t.equal((result.returncode, result.stderr), (0, ""))
    t.equal(t.good([t.path("prog")], THREADS=2), "1 of 2\n")
    result = t.run([t.tool("upcc"), "-E", "-P", "-"], stdin="int x = __UPC__;\n")
    t.check(result.stdout.endswith("int x = 1;\n"), result.stdout[-200:])
    result = t.run([t.tool("upcc"), "-x", "upc", "-c", "-"], stdin="int x = ;\n")
    t.equal((result.returncode, result.stderr.splitlines()[0]), (1, "<stdin>:1:9: error: expected an expression before ';'"))


@case
def languages_can_be_chosen(t):
    t.write("a.txt", HELLO)
    t.write("b.upc", "int strict = 1, relaxed, shared;\n")
    t.write("c.txt", ".globl c\nc: ret\n.section .note.GNU-stack,\"\",@progbits\n")
    t.write("d.txt", "#define R ret\nd: R\n.section .note.GNU-stack,\"\",@progbits\n")
    t.write("e.txt", "int e;\n")
    t.write("f.txt", "shared int f;\n")
    t.write("g.upc", "shared int g;\n")
    program = links(t, "-x", "upc", "a.txt", "-xc", "b.upc", "-x", "assembler", "c.txt", "-x", "assembler-with-cpp",
                    "d.txt", "-x", "cpp-output", "e.txt", "-x", "upc-cpp-output", "f.txt", "-x", "none", "g.upc")
    t.equal(t.good([program], THREADS=2), "1 of 2\n")
    refuses(t, ["-x", "c++", "a.txt"],
            "'-x c++': upc, upc-cpp-output, c, cpp-output, assembler, assembler-with-cpp or none", status=2)


@case
def c_with_keywords_as_names_is_explained(t):
    t.write("a.c", "int f (int shared) { return shared; }\n")
    fails(t, ["-c", "a.c"], ["a.c:1:8: error: parameter '<unnamed>' is shared, but has automatic storage (UPC 1.3, 6.5.2)",
                             "a.c:1:29: error: expected an expression before 'shared'",
                             "upcc: note: a.c was compiled as UPC; for plain C say -x c",
                             "upcc: error: upc2c failed with status 1"])
    succeeds(t, "-c", "-x", "c", "a.c")
    # Whoever includes upc.h, or says -x upc, means UPC.
    t.write("b.c", "#include <upc.h>\nint x = ;\n")
    expected = ["b.c:2:9: error: expected an expression before ';'", "upcc: error: upc2c failed with status 1"]
    fails(t, ["-c", "b.c"], expected)
    t.write("b.c", "\nint x = ;\n")
    fails(t, ["-c", "-x", "upc", "b.c"], expected)


@case(each=BOTH)
def plain_c_stays_as_it_is(t, cc):
    t.write("a.c", "#include <stdio.h>\n#include <math.h>\nstatic int n = 3;\n"
            "int f (const char *s) { puts (s); return n-- + (int) sqrt (2); }\n")
    # The driver's own section is all that is more.
    code = {}
    for name, words in ("upc", []), ("c", ["-x", "c"]):
        succeeds(t, "-O2", "-c", *words, "a.c", "-o", name + ".o", UPCC_CC=cc)
        code[name] = t.good(["objdump", "-dr", "--no-show-raw-insn", t.path(name + ".o")]).split("\n", 3)[3]
    t.equal(code["upc"], code["c"])


@case
def headers_are_there_on_request(t):
    for folder in "inc", "quote", "system", "after":
        os.mkdir(t.path(folder))
        t.write(f"{folder}/{folder}.h", f"enum {{ {folder}_h = 1 }};\n")
    t.write("forced.h", "enum { forced_h = 1 };\n")
    t.write("macros.h", "#define MACRO 1\nlost\n")
    t.write("a.upc", "#include <inc.h>\n#include \"quote.h\"\n#include <system.h>\n#include <after.h>\n"
            "int x[inc_h + quote_h + system_h + after_h + forced_h + MACRO == 6 ? 1 : -1];\n")
    succeeds(t, "-Iinc", "-iquote", "quote", "-isystem", "system", "-idirafter", "after", "-include", "forced.h",
             "-imacros", "macros.h", "-c", "a.upc")


@case
def headers_of_the_current_folder_come_last(t):
    os.mkdir(t.path("sub"))
    t.write("sub/a.upc", "#include <here.h>\n#include <limits.h>\n#include <both.h>\nint x = HERE + BOTH - 3 + INT_MAX;\n")
    t.write("here.h", "#define HERE 1\n")
    t.write("limits.h", "#error this one\n")
    t.write("both.h", "#error this one\n")
    t.write("sub/both.h", "#define BOTH 2\n")
    succeeds(t, "-Isub", "-c", "sub/a.upc")
    # Where -I names it, it is a folder like others.
    t.write("b.upc", "#include <limits.h>\n")
    result = upcc(t, "-c", "b.upc", "-I", t.folder)
    t.check("#error this one" in result.stderr, result.stderr)
    os.unlink(t.path("limits.h"))
    t.write("b.upc", "#include <here.h>\nint x = HERE;\n")
    t.equal(succeeds(t, "-I.", "-MM", "b.upc"), "b.o: b.upc here.h\n")


@case
def definitions_keep_their_quotes(t):
    t.write("a.upc", HELLO.replace('"%d of %d\\n", a[THREADS - 1], THREADS', '"%s\\n", TEXT'))
    program = links(t, "-DTEXT=\"it's a \\\"text\\\" $HOME\"", "-D", "GONE=1", "-UGONE", "-U", "ALSO", "a.upc")
    t.equal(t.good([program], THREADS=2), "it's a \"text\" $HOME\n")


@case
def response_files_hold_switches(t):
    t.write("a.upc", HELLO.replace('"%d of %d\\n", a[THREADS - 1], THREADS', '"%s\\n", TEXT'))
    t.write("words", "-T 2 '-DTEXT=\"a b\"'\n-O1 a.upc")
    t.equal(t.good([links(t, "@words")]), "a b\n")


# What -S and -E show, what is kept.

@case(each=BOTH)
def assembly_is_that_of_the_translation(t, cc):
    t.write("a.upc", HELLO)
    succeeds(t, "-S", "a.upc", UPCC_CC=cc)
    text = open(t.path("a.s")).read()
    t.check("upc_main:" in text and "upc_shared" in text, text[:500])
    t.equal(files(t), ["a.s", "a.upc"])
    if cc == "gcc":
        succeeds(t, "-S", "-dp", "a.upc")
        t.check("simple_return" in open(t.path("a.s")).read(), "-dp: names of instructions")


@case
def counts_are_beside_the_program(t):
    t.write("a.upc", HELLO)
    t.write("f.c", RETURNS_42)
    t.good([links(t, "--coverage", "a.upc", "-x", "c", "f.c")], THREADS=2, cwd=t.folder)
    t.equal(files(t), ["a.upc", "f.c", "prog", "prog-a.gcda", "prog-a.gcno", "prog-f.gcda", "prog-f.gcno"])


@case(each=BOTH)
def preprocessing_does_not_translate(t, cc):
    t.write("a.upc", "#include <upc.h>\nshared [2] int x[2*THREADS]; // here\nint y = __LINE__;\n")
    text = succeeds(t, "-E", "a.upc", UPCC_CC=cc)
    t.check("\nshared [2] int x[2*THREADS];" in text and "\nint y = 3;" in text, text[-300:])
    t.check('# 2 "a.upc"' in text or '# 1 "a.upc"' in text, text[-300:])
    t.check("\n# " not in succeeds(t, "-E", "-P", "a.upc", UPCC_CC=cc), "-P")
    t.check("// here" in succeeds(t, "-E", "-C", "a.upc", UPCC_CC=cc), "-C")
    t.check("#define __UPC__ 1\n" in succeeds(t, "-E", "-dM", "a.upc", UPCC_CC=cc), "-dM")


@case(each=[(cc, *words) for cc in BOTH for words in ([], ["-T3"], ["-fupc-pts=struct"])])
def what_is_preprocessed_compiles(t, cc, *words):
    """Scripts read the output of -E and expect what is the program's, alone."""
    t.write("a.upc", "int x = UPC_MAX_BLOCK_SIZE > 1;\n")
    t.equal(succeeds(t, "-E", "-P", *words, "a.upc", UPCC_CC=cc).split("\n", 1)[0],
            f"int x = {2**32 - 1 if 'struct' in str(words) else 2**20 - 1} > 1;")
    t.write("a.upc", HELLO)
    text = succeeds(t, "-E", *words, "a.upc", UPCC_CC=cc)
    t.write("b.upci", text)
    result = t.run([t.tool("upcc"), *words, "-c", "-x", "upc-cpp-output", "-", "-o", t.path("c.o")], stdin=text, UPCC_CC=cc)
    t.equal((result.returncode, result.stderr), (0, ""))
    for source in ("b.upci", "c.o"):
        program = links(t, *words, source, UPCC_CC=cc)
        t.equal(t.good([program], THREADS=3), "2 of 3\n")


@case
def macros_of_the_language(t):
    def macros(*words):
        lines = succeeds(t, "-E", "-dM", "-x", "upc", *words, "/dev/null").splitlines()
        return {l.split()[1]: l.split(None, 2)[2] for l in lines if "UPC" in l and len(l.split()) > 2}
    found = macros()
    t.equal({k: found.get(k) for k in ("__UPC__", "__UPC_VERSION__", "UPC_MAX_BLOCK_SIZE", "__UPC_DYNAMIC_THREADS__",
                                       "__UPC_STATIC_THREADS__", "__UPC_PTS_PACKED_REP__", "__UPC_PTS_STRUCT_REP__",
                                       "__UPCT__", "__UPCT_MINOR__")},
            {"__UPCT__": "0", "__UPCT_MINOR__": "1", "__UPC__": "1", "__UPC_VERSION__": "201311L",
             "UPC_MAX_BLOCK_SIZE": "1048575", "__UPC_DYNAMIC_THREADS__": "1", "__UPC_STATIC_THREADS__": None, "__UPC_PTS_PACKED_REP__": "1",
             "__UPC_PTS_STRUCT_REP__": None})
    found = macros("-T4", "-fupc-pts=struct")
    t.equal({k: found.get(k) for k in ("UPC_MAX_BLOCK_SIZE", "__UPC_DYNAMIC_THREADS__", "__UPC_STATIC_THREADS__",
                                       "__UPC_PTS_PACKED_REP__", "__UPC_PTS_STRUCT_REP__")},
            {"UPC_MAX_BLOCK_SIZE": "4294967295", "__UPC_DYNAMIC_THREADS__": None, "__UPC_STATIC_THREADS__": "1",
             "__UPC_PTS_PACKED_REP__": None, "__UPC_PTS_STRUCT_REP__": "1"})


@case
def temporaries_are_kept_on_request(t):
    os.mkdir(t.path("sub"))
    t.write("a.c", HELLO)
    t.write("sub/a.upc", "shared int b;\n")
    succeeds(t, "-save-temps", "a.c", "sub/a.upc", "-o", "prog")
    t.equal(files(t), ["a.1.o", "a.1.trans.i", "a.1.upci", "a.c", "a.o", "a.trans.i", "a.upci", "prog",
                       "prog.all.o", "prog.private.o", "sub"])
    t.equal(open(t.path("a.c")).read(), HELLO)


@case
def syntax_can_be_checked_alone(t):
    t.write("a.upc", HELLO)
    succeeds(t, "-fsyntax-only", "a.upc")
    t.write("b.upc", "shared int x = ;\n")
    result = upcc(t, "-fsyntax-only", "b.upc")
    t.equal((result.returncode, result.stderr.splitlines()[0]),
            (1, "b.upc:1:16: error: expected an expression before ';'"))
    t.equal(files(t), ["a.upc", "b.upc"])


# Rules for make.

def rule(t, name):
    """The targets and, of the files, those of the test."""
    targets, rest = open(t.path(name)).read().replace("\\\n", " ").split("\n")[0].split(": ", 1)
    return targets, [f for f in rest.split() if not f.startswith("/")]


@case(each=BOTH)
def rules_name_sources_and_headers(t, cc):
    os.mkdir(t.path("out"))
    t.write("a.upc", "#include <upc.h>\n#include \"h.h\"\nshared int x;\n")
    t.write("h.h", "#include <here.h>\n")
    t.write("here.h", "")
    wanted = ["a.upc", "h.h", "here.h"]
    succeeds(t, "-MD", "-c", "a.upc", UPCC_CC=cc)
    t.equal(rule(t, "a.d"), ("a.o", wanted))
    succeeds(t, "-MD", "-c", "a.upc", "-o", "out/x.y.o", UPCC_CC=cc)
    t.equal(rule(t, "out/x.y.d"), ("out/x.y.o", wanted))
    succeeds(t, "-MD", "-MF", "f", "-MT", "t1", "-MQ", "t$2", "-c", "a.upc", UPCC_CC=cc)
    t.equal(rule(t, "f"), ("t1 t$$2", wanted))
    succeeds(t, "-MMD", "-MP", "-MFg", "-S", "a.upc", UPCC_CC=cc)
    text = open(t.path("g")).read()
    t.check(text.startswith("a.s: a.upc h.h") and "\nh.h:" in text, text)
    t.equal(succeeds(t, "-MM", "-MG", "a.upc", UPCC_CC=cc), "a.o: a.upc h.h\n")
    succeeds(t, "-M", "-c", "a.upc", "-o", "rules", UPCC_CC=cc)
    t.equal(rule(t, "rules"), ("a.o", wanted))
    t.equal(files(t), ["a.d", "a.o", "a.s", "a.upc", "f", "g", "h.h", "here.h", "out", "rules"])


@case
def rules_of_programs(t):
    t.write("a.upc", HELLO)
    t.write("b.c", "int b;\n")
    succeeds(t, "-MMD", "a.upc", "-o", "prog")
    t.equal(open(t.path("prog.d")).read(), "prog: a.upc\n")
    succeeds(t, "-MMD", "a.upc", "-x", "c", "b.c")
    t.equal((open(t.path("a.d")).read(), open(t.path("b.d")).read()), ("a.o: a.upc\n", "b.o: b.c\n"))
    refuses(t, ["-MD", "-MF", "x", "a.upc", "b.c"], "-MF takes one source", status=2)
    refuses(t, ["-MT", "x", "a.upc"], "'-MT' without -M, -MM, -MD or -MMD", status=2)


# Messages and failures.

@case(each=BOTH)
def messages_point_to_the_source(t, cc):
    t.write("h.h", "\n\n#define BAD undeclared\n")
    t.write("a.upc", "#include \"h.h\"\nshared int x;\nint f (void)\n{\n  x = 1;\n  return BAD;\n}\n")
    result = upcc(t, "-c", "a.upc", UPCC_CC=cc)
    t.check("a.upc:6:" in result.stderr and "/tmp" not in result.stderr, result.stderr)
    t.equal((result.returncode, files(t)), (1, ["a.upc", "h.h"]))


@case(each=["int x;\n", "shared int x = ;\n"])
def devices_are_written_to(t, text):
    """A device of the test's own: what goes wrong here costs the machine its /dev/null."""
    device = t.path("device")
    os.mkfifo(device)
    reader = subprocess.Popen(["cat", device], stdout=subprocess.DEVNULL)
    writer = os.open(device, os.O_RDWR)
    t.write("a.upci", text)
    t.run([t.tool("upc2c"), "a.upci", "-o", device])
    os.close(writer)
    reader.wait(timeout=20)
    t.check(stat.S_ISFIFO(os.stat(device).st_mode), "a device no more")


@case
def failures_write_nothing(t):
    t.write("no_header.upc", "#include <no/such.h>\n")
    fails(t, ["-c", "no_header.upc"], ["no_header.upc:1:10: fatal error: no/such.h: No such file or directory",
                                       "compilation terminated.", "upcc: error: gcc failed with status 1"],
          UPCC_CC="gcc")
    t.write("bad.upc", "shared int f (shared int x);\n")
    result = upcc(t, "-c", "bad.upc")
    t.equal((result.returncode, result.stderr.splitlines()[-1]), (1, "upcc: error: upc2c failed with status 1"))
    result = upcc(t, "bad.upc", "-o", "prog")
    t.equal(result.returncode, 1)
    t.equal(files(t), ["bad.upc", "no_header.upc"])
    refuses(t, ["none.upc"], "none.upc: No such file or directory")
    refuses(t, ["--profiling", "bad.upc"], "unknown switch '--profiling'", status=2)


# Switches of Berkeley UPC's and GNU UPC's drivers, as Makefiles have them.

@case(each=["-network=smp", "-network smp", "-pthreads", "-pthreads=4 -norc -lines", "-shared-heap=64MB", "-shared-heap 1G",
            "-shared-heap-max=2GB", "-uses-threads --uses-threads", "-opt", "-Wc,-O3,-g",
            "-fupc-inline-lib -fno-upc-inline-lib", "-fupc-debug -fupc-pre-include -fno-upc-pre-include",
            "-fupc-pthreads-model-tls -fupc-pthreads-per-process-4", "--std=gnu99 --sysroot / -no-canonical-prefixes",
            "-fdirectives-only"])
def what_is_so_anyway_is_accepted(t, switches):
    t.write("a.upc", HELLO)
    t.equal(t.good([links(t, *switches.split(), "a.upc")], THREADS=2), "1 of 2\n")


@case(each=["-S", "-E"])
def minus_is_standard_output(t, mode):
    t.write("a.upc", HELLO)
    t.good([t.tool("upcc"), mode, "a.upc", "-o", "wanted"])
    with open(t.path("wanted")) as wanted:
        t.equal(t.good([t.tool("upcc"), mode, "a.upc", "-o", "-"]), wanted.read())
    t.equal(files(t), ["a.upc", "wanted"])


@case
def what_is_not_so_is_refused(t):
    for words, message in [
            (["-network=udp"], "'-network=udp': only smp; programs are one process"),
            (["-network", "ibv"], "'-network ibv': only smp; programs are one process"),
            (["-pthreads=x"], "'-pthreads=x': a number"),
            (["-nopthreads"], "'-nopthreads': UPC threads are POSIX threads"),
            (["-shared-heap=64Q"], "'-shared-heap=64Q': a size such as 64M"),
            (["-shared-heap=100GB"], "'-shared-heap=100GB': more than a thread's part of the shared memory"),
            (["-uses-mpi"], "'-uses-mpi': upcc does not link MPI programs"),
            (["-Wu,-x"], "unknown switch '-Wu,-x'"),
            (["-fno-upc-link"], "unknown switch '-fno-upc-link'"),
            (["-fupc-genericize"], "unknown switch '-fupc-genericize'"),
            (["-m32"], "'-m32': UPCT is for x86-64")]:
        refuses(t, [*words, "a.upc"], message, status=2)


@case
def preprocessed_sources_are_taken_as_such(t):
    t.write("a.upc", HELLO)
    succeeds(t, "-E", "a.upc", "-o", "b.upc")
    t.equal(t.good([links(t, "-fpreprocessed", "b.upc")], THREADS=2), "1 of 2\n")


@case(each=["-dumpversion", "-dumpmachine", "-print-prog-name=ld", "-print-search-dirs", "--print-sysroot",
            "-print-file-name=libc.a", "-print-multi-os-directory"])
def the_compiler_answers(t, query):
    t.equal(succeeds(t, query, UPCC_CC="gcc"), t.good(["gcc", query]))


@case
def it_is_called_upc_too(t):
    t.write("a.upc", HELLO)
    t.good([t.tool("upc"), "-fupc-threads-2", "a.upc", "-o", t.path("prog")])
    t.equal(t.good([t.path("prog")]), "1 of 2\n")
    t.equal(t.good([t.tool("upc"), "-V"]), t.good([t.tool("upcc"), "--version"]))


# Objects: archives, and what contradicts each other.

@case
def archives_hold_shared_data(t):
    t.write("a.upc", "#include <upc.h>\n#include <stdio.h>\nextern shared int table[10 * THREADS]; int get (int), twice (int);\n"
            "int main (void) { table[7] = 20; upc_barrier; if (MYTHREAD == THREADS - 1)"
            " printf (\"%d\\n\", twice (get (7))); return 0; }\n")
    t.write("table.upc", "shared int table[10 * THREADS];\n")
    t.write("get.upc", "extern shared int table[10 * THREADS];\nint get (int i) { return table[i] + 1; }\n")
    succeeds(t, "-c", "table.upc", "get.upc")
    compiled(t, "twice", "int twice (int x) { return 2 * x; }")
    archive(t, "lib/libtable.a", "table.o", "get.o")
    archive(t, "lib/libtwice.a", "twice.o")
    program = links(t, "a.upc", "-Llib", "-ltable", "-ltwice", "-lm")
    t.equal(t.good([program], THREADS=3), "42\n")


@case
def representations_must_agree(t):
    t.write("a.upc", HELLO)
    t.write("b.upc", "shared int b;\n")
    t.write("c.c", RETURNS_42)
    succeeds(t, "-c", "a.upc", "-fupc-pts=struct")
    succeeds(t, "-c", "b.upc", "c.c", "-x", "c", "c.c")
    refuses(t, ["a.o", "b.o"], "pointers-to-shared differ: a.o has struct, b.o has packed")
    refuses(t, ["b.o", "a.o"], "pointers-to-shared differ: b.o has packed, a.o has struct")
    refuses(t, ["-fupc-pts=packed", "a.o"], "pointers-to-shared differ: -fupc-pts=packed has packed, a.o has struct")
    archive(t, "lib.a", "c.o", "b.o")
    t.write("use.upc", "extern shared int b;\nint f (void); int use (void) { return b; }\n")
    succeeds(t, "-c", "-fupc-pts=struct", "use.upc")
    refuses(t, ["a.o", "use.o", "lib.a"], "pointers-to-shared differ: a.o has struct, lib.a(b.o) has packed")
    # A member that nobody takes says nothing, and the objects choose the library.
    t.equal(t.good([links(t, "a.o", "lib.a")], THREADS=3), "2 of 3\n")


@case
def static_threads_must_agree(t):
    t.write("a.upc", HELLO)
    t.write("b.upc", "shared int b;\n")
    succeeds(t, "-c", "a.upc", "-T3")
    succeeds(t, "-c", "b.upc", "-T4")
    refuses(t, ["a.o", "b.o"], "static THREADS differ: a.o has 3, b.o has 4")
    refuses(t, ["a.o", "-T", "2"], "static THREADS differ: -fupc-threads-2 has 2, a.o has 3")
    refuses(t, ["a.o", "-ub", archive(t, "l.a", "b.o")],
            "static THREADS differ: a.o has 3, l.a(b.o) has 4")
    succeeds(t, "-c", "b.upc")
    t.equal(t.good([links(t, "a.o", "b.o")]), "2 of 3\n")


@case
def main_is_that_of_the_program_in_each_file(t):
    t.write("a.upc", "int other (void);\nint main (int count, char **words)\n{\n"
            "  return count == -1 ? 5 : other () != 5;\n}\n")
    t.write("b.upc", "int main (int, char **);\nint other (void)\n{\n  return (main) (-1, 0);\n}\n")
    t.equal(t.good([links(t, "a.upc", "b.upc")], THREADS=2), "")


@case
def a_thousand_objects_link(t):
    calls = "".join(f"  sum += f{i} ();\n" for i in range(1000))
    for i in range(1000):
        t.write(f"f{i}.s", f".globl f{i}\n.text\nf{i}: movl p{i}(%rip), %eax\n ret\n.data\np{i}: .long {i}\n"
                ".section upc_shared,\"aw\",@progbits\n.zero 8\n.section .note.GNU-stack,\"\",@progbits\n")
    subprocess.run("for f in f*.s; do echo $f; done | xargs -P2 -n1 sh -c 'as $0 -o ${0%.s}.o'", shell=True,
                   cwd=t.folder, check=True)
    t.write("main.upc", "#include <stdio.h>\n" + "".join(f"int f{i} (void);\n" for i in range(1000))
            + "int main (void)\n{\n  int sum = 0;\n" + calls + "  printf (\"%d\\n\", sum);\n  return 0;\n}\n")
    t.write("words", "main.upc\n" + "\n".join(f"f{i}.o" for i in range(1000)))
    t.equal(t.good([links(t, "@words")], THREADS=1), "499500\n")
