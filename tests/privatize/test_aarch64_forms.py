"""Each form of an instruction of aarch64 that reaches private memory, executed as it was and
privatized: registers, flags and memory must agree. Twice: in a function that leaves x16 and x17 to
the linker, and in one that uses both."""

import pytest

from privatize.aarch64 import needs_tools, upct  # noqa: F401
from privatize.common import RUNTIME, assemble, compile_object, same_in_each_thread

pytestmark = [needs_tools, pytest.mark.host_only("it is about another processor than the host's anyhow")]

# With any address.
FORMS = """
adrp x0,area
adrp x0,area+4096; adrp x1,area+8191
adrp x0,area; add x0,x0,:lo12:area
adrp x3,area+24; add x4,x3,:lo12:area+24
adrp x0,area; ldrb w1,[x0,:lo12:area+1]
adrp x0,area; ldrsb w1,[x0,:lo12:area+7]; ldrsb x2,[x0,:lo12:area+7]
adrp x0,area; ldrh w1,[x0,:lo12:area+2]
adrp x0,area; ldrsh w1,[x0,:lo12:area+6]; ldrsh x2,[x0,:lo12:area+6]
adrp x0,area; ldr w1,[x0,:lo12:area+4]
adrp x0,area; ldrsw x1,[x0,:lo12:area+4]
adrp x0,area; ldr x1,[x0,:lo12:area+8]
adrp x0,area; ldr x0,[x0,:lo12:area+8]
adrp x0,area; ldr b0,[x0,:lo12:area+1]
adrp x0,area; ldr h0,[x0,:lo12:area+2]
adrp x0,area; ldr s0,[x0,:lo12:area+4]
adrp x0,area; ldr d1,[x0,:lo12:area+8]
adrp x0,area; ldr q1,[x0,:lo12:area+16]
adrp x0,area; strb w1,[x0,:lo12:area+1]
adrp x0,area; strh w1,[x0,:lo12:area+2]
adrp x0,area; str w1,[x0,:lo12:area+4]
adrp x0,area; str x1,[x0,:lo12:area+8]
adrp x0,area; str xzr,[x0,:lo12:area+8]
adrp x0,area; str b0,[x0,:lo12:area+1]
adrp x0,area; str h0,[x0,:lo12:area+2]
adrp x0,area; str s0,[x0,:lo12:area+4]
adrp x0,area; str d1,[x0,:lo12:area+8]
adrp x0,area; str q1,[x0,:lo12:area+16]
adrp x0,area; prfm pldl1keep,[x0,:lo12:area+8]
adrp x0,area; add x0,x0,:lo12:area; ldp x1,x2,[x0,16]; stp x2,x1,[x0,32]
adrp x0,area; add x0,x0,:lo12:area; ldp q0,q1,[x0]; stp q1,q0,[x0,32]
adrp x0,area; add x0,x0,:lo12:area; ld1 {v0.4s},[x0],16; st1 {v0.4s},[x0]
adrp x0,area; add x0,x0,:lo12:area; ldr x1,[x0],8; str x1,[x0,16]!
adrp x0,area; add x0,x0,:lo12:area; ldur x1,[x0,1]; stur w1,[x0,33]
adrp x0,area; add x0,x0,:lo12:area; mov x2,2; ldr x1,[x0,x2,lsl 3]; str w1,[x0,x2]
adrp x0,area; add x0,x0,:lo12:area; 1: ldxr x1,[x0]; add x1,x1,1; stxr w2,x1,[x0]; cbnz w2,1b
adrp x0,area; add x0,x0,:lo12:area; ldar w1,[x0]; stlr w1,[x0,#0]
adrp x0,area; add x0,x0,:lo12:area; mov x1,5; ldaddal x1,x2,[x0]; swp w1,w3,[x0]; cas x2,x3,[x0]
adrp x0,area; add x0,x0,:lo12:area; casp x2,x3,x4,x5,[x0]
adrp x0,pointer; ldr x0,[x0,:lo12:pointer]; ldr w1,[x0]
adrp x0,:got:area; ldr x0,[x0,:got_lo12:area]
adrp x0,:got:area; ldr x1,[x0,:got_lo12:area]; mov x0,0; ldr x2,[x1,8]
adrp x0,:got:exported; ldr x0,[x0,:got_lo12:exported]
adrp x0,_GLOBAL_OFFSET_TABLE_; ldr x0,[x0,#:gotpage_lo15:area]; ldr w1,[x0,4]
adrp x0,:got:constant; ldr x0,[x0,:got_lo12:constant]; ldr w0,[x0]
adrp x0,constant; ldr w0,[x0,:lo12:constant]; adrp x1,area; ldr w1,[x1,:lo12:area]
ldr x0,=area
ldr x0,=area+8; ldr x1,[x0]; ldr x2,=area+8; str x2,[x2,8]
ldr x0,=constant; ldr w0,[x0]; ldr x1,=0x123456789abcdef
adrp x1,pool; ldr x0,[x1,:lo12:pool]; mov x1,0; b 1f; .balign 8; pool: .xword area+16; 1: nop
ldr x0,pool; b 1f; .balign 8; pool: .xword area+16; 1: nop
adrp x1,pool; add x1,x1,:lo12:pool; ldr x0,[x1]; mov x1,0; b 1f; .balign 8; pool: .xword area+16; 1: nop
adrp x0,pool; add x0,x0,:lo12:pool; ldr x0,[x0]; b 1f; .balign 8; pool: .xword area+16; 1: nop
cmp x0,x1; adrp x0,area; ldr w0,[x0,:lo12:area]; cset w1,lo
adrp x0,area; adrp x1,pointer; ldr x0,[x0,:lo12:area]; ldr x1,[x1,:lo12:pointer]; adrp x2,area; str x1,[x2,:lo12:area]
adrp x0,area; ldr w0,[x0,:lo12:area]; cbz w0,1f; adrp x1,area; str w0,[x1,:lo12:area+8]; 1: mov w3,1
adrp x0,area; ldr w0,[x0,:lo12:area]; tbnz w0,0,1f; mov w2,4; 1: adrp x1,area; str w2,[x1,:lo12:area+8]
adrp x0,area; ldr w0,[x0,:lo12:area]; cmp w0,7; b.hi 1f; mov w2,4; 1: adrp x1,area; str w2,[x1,:lo12:area+8]
mov w3,5; 1: adrp x0,area; ldr w1,[x0,:lo12:area]; add w1,w1,w3; str w1,[x0,:lo12:area]; subs w3,w3,1; b.ne 1b
mov w3,5; 1: mul w4,w3,w3; adrp x0,area; ldr w1,[x0,:lo12:area]; add w1,w1,w4; str w1,[x0,:lo12:area]; sub w3,w3,1; cbnz w3,1b
mov w3,5; 1: mul w4,w3,w3; adrp x0,area; ldr w1,[x0,:lo12:area]; adrp x2,area; add w1,w1,w4; str w1,[x2,:lo12:area]; sub w3,w3,1; tbz w3,31,1b
b 2f; 1: adrp x1,area; str w0,[x1,:lo12:area+4]; b 3f; 2: adrp x0,area; ldr w0,[x0,:lo12:area]; b 1b; 3: nop
adrp x9,area; b 1f; adrp x9,area+4096; 1: ldr w0,[x9,:lo12:area]
str x30,[sp,-16]!; adrp x0,area; bl callee; ldr w1,[x0,:lo12:area]; ldr x30,[sp],16
stp x29,x30,[sp,-32]!; mov x29,sp; str x19,[sp,16]; adrp x19,area; bl callee; ldr w0,[x19,:lo12:area]; ldr x19,[sp,16]; ldp x29,x30,[sp],32
paciasp; stp x29,x30,[sp,-16]!; adrp x0,area; ldr w0,[x0,:lo12:area]; ldp x29,x30,[sp],16; autiasp
bti c; adrp x0,area; ldr w0,[x0,:lo12:area]
sub sp,sp,32; adrp x0,area; ldr x0,[x0,:lo12:area]; str x0,[sp,8]; ldr x1,[sp,8]; add sp,sp,32
adr x1,1f; adrp x0,area; ldr w0,[x0,:lo12:area]; br x1; udf 0; 1: mov x1,0
mrs x0,nzcv; adrp x1,area; str x0,[x1,:lo12:area]; msr nzcv,xzr
mov x28,x30; adrp x30,area; ldr w0,[x30,:lo12:area]; mov x30,x28; mov x28,0
mrs x0,tpidr_el0; add x0,x0,:tprel_hi12:own; ldr w1,[x0,:tprel_lo12_nc:own]; mov x0,0; adrp x2,area; str w1,[x2,:lo12:area]
adrp x2,area; mrs x0,tpidr_el0; add x0,x0,:tprel_hi12:own; ldr w1,[x0,:tprel_lo12_nc:own]; mov x0,0; str w1,[x2,:lo12:area]
adrp x0,:gottprel:own; ldr x0,[x0,:gottprel_lo12:own]; mrs x1,tpidr_el0; ldr w2,[x0,x1]; mov x0,0; mov x1,0
"""

# Data within 1 MiB of the text.
TINY = """
adr x0,area
adr x0,area+9; adr x1,area+4096
ldr w0,area
ldr x1,area+8
ldrsw x1,area+4
ldr s0,area
ldr d0,area+8
ldr q0,area+16
prfm pldl1keep,area
ldr x0,:got:area
ldr x0,:got:constant; ldr w0,[x0]
ldr w0,constant; ldr w1,area
adr x0,constant; ldr w0,[x0]; adr x1,area; str w0,[x1]
"""

# Addresses that the linker knows.
FIXED = """
movz x0,#:abs_g3:area; movk x0,#:abs_g2_nc:area; movk x0,#:abs_g1_nc:area; movk x0,#:abs_g0_nc:area
movz x0,#:abs_g0_nc:area+8; movk x0,#:abs_g1_nc:area+8; movk x0,#:abs_g2_nc:area+8; movk x0,#:abs_g3:area+8; ldr w1,[x0]
movz x0,#:abs_g1:area; movk x0,#:abs_g0_nc:area; str w1,[x0,4]
movz x0,#:abs_g1:area; movz x1,#:abs_g1:area; mov w2,w3; movk x0,#:abs_g0_nc:area; movk x1,#:abs_g0_nc:area+8; ldr w3,[x1]; str w3,[x0]
movz x0,#:abs_g1:constant; movk x0,#:abs_g0_nc:constant; ldr w0,[x0]; adrp x1,area; str w0,[x1,:lo12:area]
"""

# In these the function uses the registers anyway.
OWN_REGISTERS = """
adrp x17,area; ldr w0,[x17,:lo12:area]; mov x17,1
adrp x16,area; ldr w0,[x16,:lo12:area]; mov x16,1
adrp x16,area; adrp x17,area+4096; add x16,x16,:lo12:area; add x17,x17,:lo12:area+4096
adrp x17,:got:area; ldr x16,[x17,:got_lo12:area]; mov x17,0
adrp x17,:got:area; ldr x17,[x17,:got_lo12:area]
ldr x16,=area; ldr x17,=area+8
mov x16,3; mov x17,4; adrp x0,area; ldr w0,[x0,:lo12:area]; add x16,x16,x17
mov x16,3; adrp x0,area; ldr w0,[x0,:lo12:area]; adrp x1,area; str w0,[x1,:lo12:area+8]; add x16,x16,1
mov x16,3; fmov d16,x16; fmov d17,1.0; adrp x0,area; str d17,[x0,:lo12:area]; adrp x0,area; str d16,[x0,:lo12:area+8]
"""

HEAD = """
\t.arch armv8.5-a+lse
\t.text
\t.type callee,@function
callee: mov x16,#-1; mov x17,#-1; ret
\t.globl address_of_area
\t.type address_of_area,@function
address_of_area: adrp x0,area; add x0,x0,:lo12:area; ret
\t.type constant,@object
\t.section .rodata
\t.balign 8
constant: .long 0x55
"""

TAIL = """
\t.data
\t.balign 4096
\t.globl area, exported
area: .zero 16384
\t.set exported, area+32
pointer: .quad area+16
\t.section upc_process,"aw"
\t.section .tdata,"awT"
own: .long 0x77
\t.section .note.GNU-stack,"",@progbits
"""


def lines(text):
    return [line for line in text.splitlines() if line.strip()]


def function(number, form, keeps):
    body = "\n".join(part.strip().replace("pool", f"pool_{number}")
                     for part in form.split(";"))
    use = "\torr x16,x16,xzr\n\torr x17,x17,xzr\n" if keeps else ""
    return (f"\t.text\n\t.type form_{number},@function\nform_{number}:\n{body}\n{use}\tret\n\t.ltorg\n"
            f"\t.size form_{number},.-form_{number}\n"
            f"\t.section .data.rel.ro,\"aw\"\n\t.quad form_{number}, name_{number}, {int(keeps)}\n"
            f"\t.section .rodata.str1.1,\"aMS\",@progbits,1\nname_{number}: .asciz \"{form}\"\n")


def assembly(forms):
    cases = [(form, keeps) for form in forms for keeps in (False, True)]
    return (HEAD + "\t.section .data.rel.ro,\"aw\"\n\t.balign 8\n\t.globl forms\nforms:\n"
            + "".join(function(number, *case) for number, case in enumerate(cases))
            + f"\t.section .rodata\n\t.balign 4\n\t.globl form_count\nform_count: .long {len(cases)}\n" + TAIL)


def execute(upct, forms, link=("-static",), flags=()):
    driver = compile_object(upct, "aarch64/forms.c", "driver.o", flags=RUNTIME)
    runner = compile_object(upct, "aarch64/run_form.s", "runner.o")
    same_in_each_thread(upct, assemble(upct, assembly(forms), "forms.o", flags), link, more=[driver, runner])


@pytest.mark.parametrize("link", ["-static", "-no-pie", "-static -fuse-ld=lld"])
def test_any_address(upct, link):
    execute(upct, lines(FORMS), link.split())


def test_position_independent(upct):
    """Literals and tables of addresses are for the loader to relocate."""
    execute(upct, [form for form in lines(FORMS) if "=area" not in form and "pool" not in form], ["-pie"])


def test_near_data(upct):
    execute(upct, lines(TINY), ["-no-pie"])


def test_constant_addresses(upct):
    execute(upct, lines(FIXED), ["-no-pie"])


def test_registers_of_the_linker(upct):
    execute(upct, lines(OWN_REGISTERS))


def test_one_by_one(upct):
    """With line numbers, here one for each instruction."""
    execute(upct, lines(FORMS) + lines(OWN_REGISTERS), flags=["-g"])
