"""What upc-privatize does for aarch64 alone; how many instructions an access takes. What it does for
other processors, too, is tested with a target."""

import os
import re

import pytest

from privatize.aarch64 import needs_tools, upct  # noqa: F401
from privatize.common import (COMPILERS, RUNTIME, assemble, compile_object, harness_objects, merge, plain, privatize, run_linked,
                              runtime_objects, same_in_each_thread)
from privatize.test_aarch64_forms import FORMS, OWN_REGISTERS, assembly, lines

pytestmark = [needs_tools, pytest.mark.host_only("it is about another processor than the host's anyhow")]

# How many calls are counted: what comes before and behind them is less than an instruction of each.
CALLS = 100, 2100

MODELS = ["-fno-pie", "-fPIE", "-fPIC", "-fpic", "-fno-pie -mcmodel=large", "-fno-pie -mcmodel=tiny"]


@pytest.mark.parametrize("flags", ["-O1", "-O2", "-O2 -mbranch-protection=standard", "-O2 -g", "-O0",
                                   "-O2 -fno-omit-frame-pointer", "-O2 -fPIC"])
@pytest.mark.parametrize("cc", COMPILERS)
def test_unwinding(upct, cc, flags):
    """From a fault in a thunk, and through signed return addresses."""
    source = compile_object(upct, "aarch64/unwind.c", cc=cc,
                            flags=["-fno-pie", "-fasynchronous-unwind-tables", *flags.split()])
    same_in_each_thread(upct, source)


@pytest.mark.parametrize("cc", COMPILERS)
def test_shared_library(upct, cc):
    """The loader decides where its thread-local variables are."""
    source = compile_object(upct, "statics.c", cc=cc, flags=["-O2", "-fPIC"])
    wanted = run_linked(upct, [plain(upct, source)], False)
    flags = [*RUNTIME, "-fPIC", "-ftls-model=initial-exec", "-DUPCR_LIBRARY"]
    harness = compile_object(upct, "harness.c", "harness.o", flags=[*flags, "-Dmain=run_all"])
    upct.check_output(["gcc", "-shared", privatize(upct, source, switches=["--shared"]), harness, *runtime_objects(upct, True, flags),
                       "-o", upct.path("libstatics.so")])
    main = upct.write("main.c", "int run_all (int, char **);\nint main (int n, char **v) { return run_all (n, v); }\n")
    upct.check_output(["gcc", main, upct.path("libstatics.so"), "-o", upct.path("program")])
    upct.check_prints(wanted, [upct.path("program")], LD_LIBRARY_PATH=upct.folder)


def test_rewritten_objects_are_right_already(upct):
    """An instruction of every form, and statics in each code model: what the tool has made is not rewritten again."""
    forms = assemble(upct, assembly(lines(FORMS) + lines(OWN_REGISTERS)), "forms.o")
    objects = [forms] + [compile_object(upct, "statics.c", f"{number}.o", cc, [level, *model.split()])
                         for number, (cc, level, model) in enumerate((cc, level, model) for cc in COMPILERS for level in ("-O0", "-O2")
                                                                     for model in MODELS)]
    for source in objects:
        for switches in ([], ["--shared"]):
            once = privatize(upct, source, "once.o", switches)
            result = upct.run([upct.tool("upc-privatize"), "--report", *switches, once, "-o", upct.path("twice.o")])
            assert (result.returncode, result.stderr[-60:]) == (0, "upc-privatize: note: 0 instructions rewritten, 0 in place (0.0 %)\n"[-60:]), source


LOCALS = """
\t.text
\t.word 0
one: .word 11
two: .word 22
\t.globl sum
\t.type sum,@function
sum: adrp x0,:got:one; ldr x0,[x0,:got_lo12:one]; ldr w1,[x0]
\tadrp x0,:got:two; ldr x0,[x0,:got_lo12:two]; ldr w2,[x0]; add w1,w1,w2,lsl 8
\tadrp x0,:got:three; ldr x0,[x0,:got_lo12:three]; ldr w2,[x0]; add w1,w1,w2,lsl 16
\tadrp x0,:got:four; ldr x0,[x0,:got_lo12:four]; ldr w2,[x0]; add w3,w2,1; str w3,[x0]; add w0,w1,w2,lsl 24
\tret
\t.data
\t.word 0
three: .word 33
four: .word 44
"""


def test_got_entries_of_local_symbols(upct):
    """Relocations against sections, which the linker takes for the sections' beginnings."""
    main = upct.write("main.c", "int sum (void);\nvoid say (const char *, ...);\nstatic int kept[5] = { 5 };\n"
                                'void body (int argc, char **argv) { say ("%x %x %d\\n", sum (), sum (), kept[0]++); }\n')
    merged = merge(upct, compile_object(upct, main, "main.o", flags=["-O2", "-fno-pie"]), assemble(upct, LOCALS, "locals.o"))
    assert run_linked(upct, [privatize(upct, merged)], True, ["-static"]) == "2c21160b 2d21160b 5\n"


REFUSED = {
    "bl area": "instruction 'bl': it branches to data (R_AARCH64_CALL26)",
    "b area": "instruction 'b': it branches to data (R_AARCH64_JUMP26)",
    "cbz x0,area": "instruction 'b': it branches to data (R_AARCH64_CONDBR19)",
    "tbz x0,1,area": "instruction 'b': it branches to data (R_AARCH64_TSTBR14)",
    "movz x0,#:prel_g0:area": "instruction 'mov x0': its relocation does not fit the operand (R_AARCH64_MOVW_PREL_G0)",
    "adrp xzr,area": "instruction 'adrp x31': it discards the address (R_AARCH64_ADR_PREL_PG_HI21)",
    ".xword area": "not the operand of an instruction (R_AARCH64_ABS64)",
    ".word area": "not the operand of an instruction (R_AARCH64_ABS32)",
    "adr x0,1f; b 2f; .balign 8; 1: .xword area; 2:":
        "instruction 'adr x0': it does more than read an address (R_AARCH64_ABS64)",
    "ldr w0,1f; b 2f; .balign 8; 1: .xword area; 2:":
        "instruction 'ldr x0': it does more than read an address (R_AARCH64_ABS64)",
}


@pytest.mark.parametrize("form", list(REFUSED))
def test_refused(upct, form):
    source = assemble(upct, f"\t.text\n\t.type f,@function\nf:\n{form.replace(';', chr(10))}\n\tret\n"
                            "\t.data\n\t.balign 8\narea: .quad 1\n")
    result = upct.run([upct.tool("upc-privatize"), source, "-o", upct.path("out.o")])
    assert re.sub(r".*in\.o:\.text\+0x[0-9a-f]+: ", "", result.stderr) == (
        f"error: cannot make 'area' private: {REFUSED[form]}\n")
    assert result.returncode == 1


# And how many more instructions they have than with gcc's own thread-local variables: two for each variable; three
# where a register gets the address, with the low bits, of one from which gcc does not count to others.
ACCESSES = {
    "get": ("int get (void) { return x; }", 2),
    "put": ("void get (void) { x = 1; }", 2),
    "add": ("void get (void) { x++; }", 2),
    "element": ("long get (int i) { return array[i]; }", 3),
    "two": ("long get (void) { return x + array[3]; }", 4),
    "address": ("int *get (void) { return &x; }", 3),
    "address_of_element": ("long *get (void) { return &array[3]; }", 2),
}


def instructions(upct, name, storage, function):
    """Executed by a call of the function."""
    source = upct.write(f"{name}.c", f"{storage} int x; {storage} long array[100]; {function}\n")
    caller = upct.write("caller.c", "#include <stdlib.h>\nlong get (int i);\n"
                                    "void body (int argc, char **argv) { for (int i = atoi (argv[1]); i--;) get (3); }\n")
    compiled = compile_object(upct, source, f"{name}.o", flags=["-O2", "-fno-pie", "-ftls-model=local-exec"])
    rewritten = privatize(upct, compiled, f"{name}-private.o")
    program = upct.path(name)
    upct.check_output(["gcc", "-static", rewritten, compile_object(upct, caller, "caller.o", flags=["-O2"]),
                       *harness_objects(upct, True), "-lpthread", "-o", program])
    counts = []
    for calls in CALLS:
        log = upct.path(f"{name}.log")
        upct.check_output(["qemu-aarch64", "-singlestep", "-d", "nochain,exec", "-D", log, program, calls], HARNESS_THREADS=1)
        with open(log, encoding="ascii") as lines:
            counts.append(sum(line.startswith("Trace") for line in lines))
        os.remove(log)
    return round((counts[1] - counts[0]) / (CALLS[1] - CALLS[0]))


@pytest.mark.parametrize("name", list(ACCESSES))
def test_instructions_of_an_access(upct, name):
    function, more = ACCESSES[name]
    own = instructions(upct, f"{name}-own", "__thread", function)
    private = instructions(upct, f"{name}-private", "", function)
    print(f"{name}: {private} instructions, thread-local {own}")
    assert own > 5
    assert private <= own + more


LINES = """static int *at, count, table[10];
int
step (int by)
{
  count += by;
  table[by]++;
  return *at;
}
int
twice (int by)
{
  return step (by) + step (by + count);
}
"""


@pytest.mark.parametrize("cc, flags", [("gcc", "-O0"), ("gcc", "-O2"), ("gcc", "-O1 -gdwarf-4"), ("clang", "-O0"), ("clang", "-O2 -gdwarf-4")])
def test_lines_of_thunks(upct, cc, flags):
    """Each instruction of a thunk is of the line whose work it does; addresses are counted in fours."""
    compiled = compile_object(upct, upct.write("lines.c", LINES), "lines.o", cc=cc, flags=["-g", *flags.split()])
    rewritten = privatize(upct, compiled, "lines-private.o")
    sections = upct.check_output(["objdump", "-h", rewritten])
    size = int(re.search(r" \.text\.upc_thunks +([0-9a-f]+)", sections)[1], 16)
    places = upct.check_output(["addr2line", "-j", ".text.upc_thunks", "-e", rewritten,
                                *(hex(at) for at in range(0, size, 4))]).split()
    code = upct.check_output(["objdump", "-d", "-j", ".text.upc_thunks", rewritten])
    executed = {int(line.split(":")[0], 16) for line in code.splitlines() if re.match(r" +[0-9a-f]+:\t(?!00000000)", line)}
    found = {places[at // 4].split(":")[1] for at in executed}
    assert found and found <= {"5", "6", "7", "8", "12", "13"} and "5" in found, places
