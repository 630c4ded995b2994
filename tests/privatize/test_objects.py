"""The object file around the code: sections, symbols, groups, debug info, linkers."""

import os
import re

import pytest

from privatize.common import (COMPILERS, assemble, compile_object, harness_objects, plain, privatize,
                              run_linked, same_in_each_thread)

pytestmark = pytest.mark.sample(2, plain=2)

BODY = "void say (const char *, ...);\nvoid body (int argc, char **argv)\n"


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld"])
def test_linkers(upct, linker):
    source = compile_object(upct, "statics.c", flags=["-O2", "-fPIE", "-g"])
    wanted = run_linked(upct, [plain(upct, source)], False, ["-pie"])
    for mode in ("-pie", "-no-pie"):
        got = run_linked(upct, [privatize(upct, source)], True, [f"-fuse-ld={linker}", mode])
        assert got == wanted, mode


@pytest.mark.parametrize("flag", ["-static-pie", "-static", "-Wl,--gc-sections"])
def test_ways_to_link(upct, flag):
    source = compile_object(upct, "statics.c", flags=["-O1", "-fPIE", "-ffunction-sections"])
    same_in_each_thread(upct, source, [flag])


def test_more_sections_than_a_field_holds(upct):
    count = 33000
    numbers = range(5)
    text = "void say (const char *, ...);\n"
    text += "".join(f'__attribute__ ((section (".data.v{i}"))) static int v{i} = {count + i};\n'
                    f'__attribute__ ((section (".text.f{i}"), noinline)) static int f{i} (void) {{ return v{i}++; }}\n' for i in numbers)
    text += '__asm__ ("' + "".join(f'.pushsection .rodata.r{i},\\"a\\"; .byte 1; .popsection\\n' for i in range(2 * count)) + '");\n'
    text += '__attribute__ ((section (".data.last"))) static int last = 30;\n'
    text += f'void body (int argc, char **argv) {{ say ("%d\\n", {" + ".join(f"f{i} ()" for i in numbers)} + ++last); }}\n'
    source = compile_object(upct, upct.write("in.c", text), flags=["-O1", "-fno-pie", "-fno-toplevel-reorder"])
    sections = upct.check_output(["readelf", "-SW", source])
    assert int(re.search(r"\[(\d+)\] \.data\.last ", sections)[1]) > 0xff00
    same_in_each_thread(upct, source)


def test_groups_stay_whole(upct):
    """A thunk of a function in a group is dropped with it."""
    source = upct.write("in.cc", "template <typename T> struct s { static T v; };\n"
                              "template <typename T> T s<T>::v = 3;\n"
                              "template <typename T> T next () { return s<T>::v++; }\n"
                              "extern \"C\" void say (const char *, ...);\n"
                              "#ifdef SECOND\nint other () { return next<int> (); }\n#else\n"
                              "int other ();\nextern \"C\" void body (int, char **)\n"
                              "{ say (\"%d %d %d\\n\", other (), next<int> () > 2, s<int>::v); }\n#endif\n")
    objects = [compile_object(upct, source, f"{n}.o", cc="g++", flags=["-O0", "-fPIE", *flags])
               for n, flags in (("one", []), ("two", ["-DSECOND"]))]
    privatized = [privatize(upct, path, f"p{i}.o") for i, path in enumerate(objects)]
    groups = upct.check_output(["readelf", "-gW", privatized[0]])
    assert ".text.upc_thunks" in groups
    assert run_linked(upct, privatized, True, ["-pie"]) == run_linked(upct, objects, False, ["-pie"])


def test_common_symbols(upct):
    source = upct.write("in.c", "char a; _Alignas (128) int b[3]; double c;\n" + BODY +
                        "{ a++; b[2]++; c += 1.5; say (\"%d %d %g %d\\n\", a, b[2], c, (int) ((long) b & 127)); }\n")
    same_in_each_thread(upct, compile_object(upct, source, flags=["-fcommon"]))


def test_constructors_in_the_order_of_a_linker(upct):
    sections = [".init_array", ".init_array.00300", ".init_array.00101", ".ctors", ".ctors.65400",
                ".preinit_array", ".init_array"]
    text = "static long seen = 9;\n" + "".join(
        f"static void c{i} (void) {{ seen = seen * 10 + {i}; }}\n"
        f'__attribute__ ((section ("{section}"), used)) static void (*p{i}) (void) = c{i};\n' for i, section in enumerate(sections))
    text += BODY + '{ say ("%ld\\n", seen); }\n'
    source = compile_object(upct, upct.write("in.c", text), flags=["-O1", "-fno-pie", "-fno-toplevel-reorder"])
    # .ctors.N goes among .init_array.N by 65535 - N, those without a number last.
    same_in_each_thread(upct, source)
    assert run_linked(upct, [privatize(upct, source)], True) == "95241063\n"


def test_bounds_of_a_section(upct):
    source = upct.write("in.c", "#define IN __attribute__ ((section (\"table\"), used))\n"
                             "static int one IN = 1, two IN = 2;\nextern int __start_table[], __stop_table[];\n"
                             "static int *first = __start_table;\n"
                        + BODY + "{ int sum = 0; for (int *p = __start_table; p < __stop_table; p++) sum += (*p)++;\n"
                              "  say (\"%d %d\\n\", sum, first == __start_table); }\n")
    for flags, link in ((["-fPIC"], "-pie"), (["-fno-pie"], "-no-pie")):
        same_in_each_thread(upct, compile_object(upct, source, flags=["-O2", *flags]), [link])


@pytest.mark.host_only("gdb cannot run programs in an emulator")
@pytest.mark.parametrize("cc, dwarf", [(cc, n) for cc in COMPILERS for n in (4, 5)])
def test_debugger_shows_the_threads_copy(upct, cc, dwarf):
    source = upct.write("in.c", "extern int MYTHREAD;\nvoid here (void);\nint counter = 40;\n"
                             "static struct { int n; } record = { 7 };\n" + BODY +
                        "{ static int local = 100; local += 1; record.n++;\n  counter += argc; here ();\n"
                        "  say (\"%d\\n\", local); }\n__attribute__ ((noinline)) void here (void) {}\n")
    out = privatize(upct, compile_object(upct, source, cc=cc, flags=["-O0", f"-gdwarf-{dwarf}", "-fno-pie"]))
    program = upct.path("prog")
    begin = os.path.join(upct.build, "lib/upct/upc-crtbegin.o")
    upct.check_output(["gcc", "-no-pie", begin, out, *harness_objects(upct, True), "-lpthread", "-o", program])
    script = upct.write("gdb", "set debuginfod enabled off\nbreak here\nrun\nup\nprint counter\nprint record\n"
                            "print local\n")
    text = upct.check_output(["gdb", "-q", "-batch", "-nx", "-x", script, program], HARNESS_THREADS=1)
    assert re.findall(r"^\$\d+ = (.*)$", text, re.M) == ["41", "{n = 8}", "101"]


@pytest.mark.only_x86_64("test_statics.py has the code models of others")
@pytest.mark.parametrize("cc, model, level, code", [
    (cc, model, level, code) for cc in COMPILERS for model in ("medium", "large") for level in ("-O0", "-O2")
    for code in ("-fPIC", "-fno-pie")])
def test_large_code_models(upct, cc, model, level, code):
    """Distances from the GOT as immediates of 64 bits."""
    compiled = compile_object(upct, "statics.c", cc=cc, flags=[level, f"-mcmodel={model}", code])
    same_in_each_thread(upct, compiled, ["-pie" if code == "-fPIC" else "-no-pie"])


# Code after data in the text, of a processor: with a table of addresses, and the jump by it, or with other data
# and a label behind it.
CODE = {
    "x86_64": """
body:   incl count(%rip)
        mov count(%rip),%eax
        and $1,%eax
        {jump}
        nop
        .byte 0x48, 0x8b
table:  {table}
after:
1:      addl $10,count(%rip)
        jmp 3f
2:      addl $20,count(%rip)
3:      mov count(%rip),%esi
        lea format(%rip),%rdi
        xor %eax,%eax
        jmp say
""",
    "aarch64": """
body:   adrp x1,count; ldr w2,[x1,:lo12:count]; add w2,w2,1; str w2,[x1,:lo12:count]
        and x2,x2,1
        {jump}
        nop
        .word 0x58000040
        .balign 8
table:  {table}
after:
1:      adrp x1,count; ldr w2,[x1,:lo12:count]; add w2,w2,10; str w2,[x1,:lo12:count]
        b 3f
2:      adrp x1,count; ldr w2,[x1,:lo12:count]; add w2,w2,20; str w2,[x1,:lo12:count]
3:      adrp x1,count; ldr w1,[x1,:lo12:count]
        adrp x0,format; add x0,x0,:lo12:format
        b say
""",
}
TABLE = {"x86_64": ("jmp *table(,%rax,8)", ".quad 1f, 2f, 3f"),
         "aarch64": ("adr x3,table; ldr x3,[x3,x2,lsl 3]; br x3", ".quad 1f, 2f, 3f")}
LABEL = {"x86_64": ("jmp after", ".byte 0x48, 0xb8\n.long format - . + 7\n.byte 0x0f"),
         "aarch64": ("b after", ".word 0x90000001\n.long format - .\n.word 0x58000041")}


@pytest.mark.parametrize("label", ["", "named"])
def test_code_after_data_in_the_text(upct, label):
    """Hand-written: no type says where functions start after a table of addresses, but the
    table, or a label, does."""
    jump, table = (LABEL if label else TABLE)[upct.processor]
    source = assemble(upct, f"""
        .text
        .globl body
        .type body,@function
{CODE[upct.processor].format(jump=jump, table=table)}
        .data
count:  .long 7
        .section .rodata
format: .asciz "%d\\n"
        .section .note.GNU-stack,"",@progbits
""")
    same_in_each_thread(upct, source)
