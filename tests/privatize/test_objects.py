"""The object file around the code: sections, symbols, groups, debug info, linkers."""

import os
import re

import pytest

from privatize.common import (COMPILERS, assemble, compile_object, harness_objects, plain, privatize,
                              run_linked, same_in_each_thread)

pytestmark = [pytest.mark.sample(2, plain=2), pytest.mark.host_only("instructions of x86-64, and a harness; ARM has test_aarch64_forms.py and test_aarch64_programs.py")]

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
    text = "".join(f".section .data.v{i},\"aw\"\nv{i}: .long {i}\n.section .text.f{i},\"ax\"\n"
                   f".type f{i},@function\nf{i}: add v{i}(%rip),%eax\nret\n"
                   for i in range(count // 2, count // 2 + 5))
    text += "".join(f".section .rodata.r{i},\"a\"\n.byte 1\n" for i in range(2 * count))
    text += ".section .data.last,\"aw\"\nlast: .long 30\n.text\n.globl body\n.type body,@function\n"
    text += "body: sub $8,%rsp\nxor %eax,%eax\n"
    text += "".join(f"call f{i}\n" for i in range(count // 2, count // 2 + 5))
    text += "add last(%rip),%eax\nmov %eax,%esi\nlea format(%rip),%rdi\nxor %eax,%eax\n"
    text += "call say\nadd $8,%rsp\nret\n.section .rodata\nformat: .asciz \"%d\\n\"\n"
    text += ".section .note.GNU-stack,\"\",@progbits\n"
    same_in_each_thread(upct, assemble(upct, text))


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
    text = [".text"]
    sections = [".init_array", ".init_array.00300", ".init_array.00101", ".ctors", ".ctors.65400",
                ".preinit_array", ".init_array"]
    for i, section in enumerate(sections):
        text.append(f".text\n.type c{i},@function\nc{i}: imul $10,seen(%rip),%rax\nadd ${i},%rax\n"
                    f"mov %rax,seen(%rip)\nret\n.section {section},\"aw\"\n.quad c{i}")
    text.append(".text\n.globl body\n.type body,@function\nbody: mov seen(%rip),%rsi\n"
                "lea format(%rip),%rdi\nxor %eax,%eax\njmp say\n.section .rodata\n"
                "format: .asciz \"%ld\\n\"\n.data\nseen: .quad 9\n"
                ".section .note.GNU-stack,\"\",@progbits")
    source = assemble(upct, "\n".join(text) + "\n")
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


@pytest.mark.parametrize("cc, model, level, code", [
    (cc, model, level, code) for cc in COMPILERS for model in ("medium", "large") for level in ("-O0", "-O2")
    for code in ("-fPIC", "-fno-pie")])
def test_large_code_models(upct, cc, model, level, code):
    """Distances from the GOT as immediates of 64 bits."""
    compiled = compile_object(upct, "statics.c", cc=cc, flags=[level, f"-mcmodel={model}", code])
    same_in_each_thread(upct, compiled, ["-pie" if code == "-fPIC" else "-no-pie"])


@pytest.mark.parametrize("label", ["", "named"])
def test_code_after_data_in_the_text(upct, label):
    """Hand-written: no type says where functions start after a table of addresses, but the
    table, or a label, does."""
    table = ".quad 1f, 2f, 3f" if not label else ".byte 0x48, 0xb8\n.long format - . + 7\n.byte 0x0f"
    jump = "jmp *table(,%rax,8)" if not label else "jmp after"
    source = assemble(upct, f"""
        .text
        .globl body
        .type body,@function
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
        .data
count:  .long 7
        .section .rodata
format: .asciz "%d\\n"
        .section .note.GNU-stack,"",@progbits
""")
    same_in_each_thread(upct, source)
