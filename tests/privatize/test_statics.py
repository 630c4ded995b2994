"""Whole programs: each thread's copies behave as the statics of a process."""

import glob
import os

from harness import ROOT, case
from privatize.common import (CODE_MODELS, COMPILERS, FULL, compile_object, plain, privatize,
                              run_linked, same_in_each_thread)

LEVELS = ["O0", "O1", "O2", "O3", "Os"]
EXTRAS = {
    "": [],
    "sections": ["-fcommon", "-ffunction-sections", "-fdata-sections"],
    "native": ["-march=native"],
    "debug": ["-g", "-fno-omit-frame-pointer"],
}


def combinations():
    every = [(cc, level, model, extra) for cc in COMPILERS for level in LEVELS
             for model in CODE_MODELS for extra in EXTRAS]
    # A stride without a common factor meets each compiler, level, model and extra.
    return every if FULL else every[::7]


@case(each=combinations())
def statics_of_every_kind(t, cc, level, model, extra):
    compile_flags, link_flags = CODE_MODELS[model]
    flags = [f"-{level}", *compile_flags, *EXTRAS[extra]]
    same_in_each_thread(t, compile_object(t, "statics.c", cc=cc, flags=flags), link_flags)


@case(each=sorted(os.path.basename(p) for p in
                  glob.glob(os.path.join(ROOT, "tests/fixtures/abi/*.s"))))
def listings_of_clang_upc(t, listing):
    """Direct and merged; a second run changes nothing but the order of tables."""
    direct = compile_object(t, t.fixture(f"abi/{listing}"))
    merged = t.path("merged.o")
    t.good(["ld", "-r", direct, "-o", merged])
    for source in (direct, merged):
        once = privatize(t, source, "once.o")
        t.good(["ld", "-r", once, "-o", t.path("again.o")])
        sections = t.good(["readelf", "-SW", once])
        t.check(" .data " not in sections and " .bss " not in sections or "000000 000000" in sections,
                f"writable sections are left:\n{sections}")


@case(each=[("gcc", "O2", "nopie"), ("gcc", "O0", "pic"), (COMPILERS[-1], "O2", "pie")])
def twice_is_harmless(t, cc, level, model):
    compile_flags, link_flags = CODE_MODELS[model]
    source = compile_object(t, "statics.c", cc=cc, flags=[f"-{level}", "-g", *compile_flags])
    once = privatize(t, source, "once.o")
    twice = privatize(t, once, "twice.o")
    for option in ("-SW", "-rW", "-sW"):
        first, second = (t.good(["readelf", option, path]) for path in (once, twice))
        drop = lambda text: [line for line in text.splitlines() if "starting at offset" not in line]
        t.equal(drop(second), drop(first), f"readelf {option}")
    t.equal(t.good(["objdump", "-sj.text", twice]).splitlines()[3:],
            t.good(["objdump", "-sj.text", once]).splitlines()[3:], "text")
    t.equal(run_linked(t, [twice], True, link_flags), run_linked(t, [plain(t, source)], False, link_flags))


@case
def merged_objects_share_their_globals(t):
    one = t.write("one.c", "extern int shared_by_files; int *where = &shared_by_files;\n"
                           "static int mine = 3; int tentative;\n"
                           "void say (const char *, ...);\n"
                           "int other (void);\n"
                           "void body (int argc, char **argv) { shared_by_files += 2; tentative++;\n"
                           "  say (\"%d %d %d %d\\n\", other (), *where, mine++, tentative); }\n")
    two = t.write("two.c", "int shared_by_files = 5; static int mine = 30; extern int *where;\n"
                           "int tentative;\n"
                           "int other (void) { tentative += 4; return ++*where + mine++; }\n")
    merged = t.path("merged.o")
    objects = [compile_object(t, path, f"{name}.o", flags=["-fcommon", "-fno-pie", "-O2"])
               for name, path in (("one", one), ("two", two))]
    t.good(["ld", "-r", *objects, "-o", merged])
    same_in_each_thread(t, merged)


@case(each=[(cc, m) for cc in COMPILERS for m in ("pie", "nopie")])
def cxx_statics_and_exceptions(t, cc, model):
    compile_flags, link_flags = CODE_MODELS[model]
    cxx = cc.replace("gcc", "g++").replace("clang", "clang++")
    source = compile_object(t, "classes.cc", cc=cxx, flags=["-O2", *compile_flags])
    same_in_each_thread(t, source, [*link_flags, "-lstdc++"])


@case
def names_of_the_runtime_replace_libcs(t):
    source = t.write("in.c", "#include <stdlib.h>\nstatic void f (void) {}\n"
                             "int main (void) { atexit (f); on_exit ((void *) f, 0); exit (0); }\n")
    out = privatize(t, compile_object(t, source))
    names = {line.split()[-1] for line in t.good(["nm", out]).splitlines()}
    t.check({"upc_main", "upcr_exit", "upcr_atexit", "upcr_on_exit"} <= names, names)
    t.check(not {"main", "exit", "atexit", "on_exit"} & names, names)


@case
def shared_sections_stay(t):
    """upc_shared keeps its size and loses its contents; tables stay as they are."""
    out = privatize(t, compile_object(t, t.fixture("abi/layouts.O2.s")))
    rows = {line.split("]", 1)[1].split()[0]: line.split("]", 1)[1].split()
            for line in t.good(["readelf", "-SW", out]).splitlines() if "[" in line and "]" in line
            and line.split("]", 1)[1].split()}
    t.equal(rows["upc_shared"][1], "NOBITS")
    t.check("T" not in rows["upc_shared"][6], rows["upc_shared"])
    t.equal(rows["upc_pgm_info"][1], "PROGBITS")


@case
def report_lists_symbols_and_sites(t):
    source = assemble_report(t)
    output = t.good([t.tool("upc-privatize"), "--report", source, "-o", t.path("out.o")])
    t.equal(output.replace(source, "in.o").splitlines(), [
        "in.o:.data: private 'counter' 4 bytes",
        "in.o:.text+0x0: thunk 'counter'",
        "in.o:.text+0x6: in place 'counter+8'",
    ])


def assemble_report(t):
    source = t.write("in.s", ".text\n.globl f\n.type f,@function\nf: mov counter(%rip),%eax\n"
                             "movabs counter+8,%eax\nret\n.data\n.globl counter\n.size counter,4\n"
                             "counter: .long 1,2,3\n")
    return compile_object(t, source)
