"""Whole programs: each thread's copies behave as the statics of a process."""

import glob
import os

import pytest

from privatize.common import CODE_MODELS, COMPILERS, assemble, compile_object, merge, plain, privatize, run_linked, same_in_each_thread
from support import FULL, ROOT

pytestmark = [pytest.mark.sample(4, plain=2), pytest.mark.emulated]

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


@pytest.mark.parametrize("cc, level, model, extra", combinations())
def test_statics_of_every_kind(upct, cc, level, model, extra):
    compile_flags, link_flags = CODE_MODELS[model]
    flags = [f"-{level}", *compile_flags, *EXTRAS[extra]]
    same_in_each_thread(upct, compile_object(upct, "statics.c", cc=cc, flags=flags), link_flags)


LISTING = pytest.mark.only_x86_64("the listings are for x86-64")


@LISTING
@pytest.mark.parametrize("listing", sorted(os.path.basename(p) for p in
                                           glob.glob(os.path.join(ROOT, "tests/fixtures/abi/*.s"))))
def test_listings_of_clang_upc(upct, listing):
    """Direct and merged; a second run changes nothing but the order of tables."""
    direct = compile_object(upct, upct.fixture(f"abi/{listing}"))
    merged = upct.path("merged.o")
    upct.check_output(["ld", "-r", direct, "-o", merged])
    for source in (direct, merged):
        once = privatize(upct, source, "once.o")
        upct.check_output(["ld", "-r", once, "-o", upct.path("again.o")])
        sections = upct.check_output(["readelf", "-SW", once])
        assert " .data " not in sections and " .bss " not in sections or "000000 000000" in sections, (
            f"writable sections are left:\n{sections}")


@pytest.mark.parametrize("cc, level, model", [("gcc", "O2", "nopie"), ("gcc", "O0", "pic"),
                                              (COMPILERS[-1], "O2", "pie"), ("gcc", "O2", list(CODE_MODELS)[-2])])
def test_twice_is_harmless(upct, cc, level, model):
    compile_flags, link_flags = CODE_MODELS[model]
    source = compile_object(upct, "statics.c", cc=cc, flags=[f"-{level}", "-g", *compile_flags])
    once = privatize(upct, source, "once.o")
    twice = privatize(upct, once, "twice.o")
    for option in ("-SW", "-rW", "-sW"):
        first, second = (upct.check_output(["readelf", option, path]) for path in (once, twice))
        drop = lambda text: [line for line in text.splitlines() if "starting at offset" not in line]
        assert drop(second) == drop(first), f"readelf {option}"
    assert upct.check_output(["objdump", "-sj.text", twice]).splitlines()[3:] == (
        upct.check_output(["objdump", "-sj.text", once]).splitlines()[3:]), "text"
    assert run_linked(upct, [twice], True, link_flags) == run_linked(upct, [plain(upct, source)], False, link_flags)


def test_merged_objects_share_their_globals(upct):
    one = upct.write("one.c", "extern int shared_by_files; int *where = &shared_by_files;\n"
                           "static int mine = 3; int tentative;\n"
                           "void say (const char *, ...);\n"
                           "int other (void);\n"
                           "void body (int argc, char **argv) { shared_by_files += 2; tentative++;\n"
                           "  say (\"%d %d %d %d\\n\", other (), *where, mine++, tentative); }\n")
    two = upct.write("two.c", "int shared_by_files = 5; static int mine = 30; extern int *where;\n"
                           "int tentative;\n"
                           "int other (void) { tentative += 4; return ++*where + mine++; }\n")
    same_in_each_thread(upct, merge(upct, *(compile_object(upct, path, f"{name}.o", flags=["-fcommon", "-fno-pie", "-O2"])
                                            for name, path in (("one", one), ("two", two)))))


@pytest.mark.parametrize("cc, model", [(cc, m) for cc in COMPILERS for m in ("pie", "nopie")])
def test_cxx_statics_and_exceptions(upct, cc, model):
    compile_flags, link_flags = CODE_MODELS[model]
    cxx = cc.replace("gcc", "g++").replace("clang", "clang++")
    source = compile_object(upct, "classes.cc", cc=cxx, flags=["-O2", *compile_flags])
    same_in_each_thread(upct, source, [*link_flags, "-lstdc++"])


def test_names_of_the_runtime_replace_libcs(upct):
    source = upct.write("in.c", "#include <stdlib.h>\nstatic void f (void) {}\n"
                             "int main (void) { atexit (f); on_exit ((void *) f, 0); exit (0); }\n")
    out = privatize(upct, compile_object(upct, source))
    names = {line.split()[-1] for line in upct.check_output(["nm", out]).splitlines()}
    assert {"upc_main", "upcr_exit", "upcr_atexit", "upcr_on_exit"} <= names
    assert not {"main", "exit", "atexit", "on_exit"} & names


@pytest.mark.parametrize("source", ["layouts.upc", pytest.param("layouts.O2.s", marks=LISTING)])
def test_shared_sections_stay(upct, source):
    """upc_shared keeps its size and loses its contents; tables stay as they are."""
    compiled = upct.path("layouts.o")
    upct.check_output([upct.tool("upcc"), "-O2", "-c", upct.fixture(f"abi/{source}"), "-o", compiled])
    out = privatize(upct, compiled)
    rows = {line.split("]", 1)[1].split()[0]: line.split("]", 1)[1].split()
            for line in upct.check_output(["readelf", "-SW", out]).splitlines() if "[" in line and "]" in line
            and line.split("]", 1)[1].split()}
    assert rows["upc_shared"][1] == "NOBITS"
    assert "T" not in rows["upc_shared"][6]
    assert rows["upc_pgm_info"][1] == "PROGBITS"


# Of a processor: an access to `counter` and to its third word, and what is said of them.
REPORTED = {
    "x86_64": ("mov counter(%rip),%eax\nmovabs $counter+8,%rax\nret\n",
               ["in.o:.text+0x0: thunk 'counter'", "in.o:.text+0x6: in place 'counter+8'"]),
    "aarch64": ("adrp x0,counter\nldr w0,[x0,:lo12:counter]\nldr x1,=counter+8\nret\n",
                ["in.o:.text+0x0: thunk 'counter'", "in.o:.text+0x8: thunk 'counter+8'"]),
}


def test_report_lists_symbols_and_sites(upct):
    code, sites = REPORTED[upct.processor]
    source = assemble(upct, f".text\n.globl f\n.type f,@function\nf: {code}"
                            ".data\n.globl counter\n.size counter,4\ncounter: .long 1,2,3\n")
    output = upct.check_output([upct.tool("upc-privatize"), "--report", source, "-o", upct.path("out.o")])
    assert output.replace(source, "in.o").splitlines() == ["in.o:.data+0x0: private 'counter' 4 bytes", *sites]
