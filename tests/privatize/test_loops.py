"""Loops whose head is no access stay among the thunks, whatever stands between the head and the first
access, and whoever else comes there; they compute what they did."""

import re

import pytest

from privatize.common import assemble, privatize

pytestmark = pytest.mark.host_only("instructions of x86-64, and a harness; ARM has test_aarch64_forms.py and test_aarch64_programs.py")

# A function of each: %rdi rounds, the result in %rax. Whether it can stay.
LOOPS = {
    "condition": ("1: mov %rdi,%rcx; and $7,%ecx; add %rcx,x(%rip); dec %rdi; jnz 1b; mov x(%rip),%rax; ret", True),
    "greater": ("1: lea (%rdi,%rdi),%rcx; add %rcx,x(%rip); sub $1,%rdi; jg 1b; mov x(%rip),%rax; ret", True),
    "carry": ("1: mov %rdi,%rcx; add %rcx,x(%rip); sub $1,%rdi; jae 1b; mov x(%rip),%rax; ret", True),
    "always": ("1: mov %rdi,%rcx; add %rcx,x(%rip); dec %rdi; jz 2f; add %rcx,x+8(%rip); jmp 1b; "
               "2: mov x(%rip),%rax; ret", True),
    "constant": ("1: mov %rdi,%rcx; imul three(%rip),%rcx; add %rcx,x(%rip); dec %rdi; jnz 1b; "
                 "mov x(%rip),%rax; ret", True),
    "middle": ("jmp 2f; 1: mov $100,%ecx; 2: lea 1(%rcx),%rcx; add %rcx,x(%rip); dec %rdi; jnz 1b; "
               "mov x(%rip),%rax; ret", True),
    "before": ("incq x(%rip); 1: mov %rdi,%rcx; add %rcx,x(%rip); dec %rdi; jnz 1b; mov x(%rip),%rax; ret", True),
    "nested": ("1: mov $5,%esi; 2: lea (%rsi,%rdi),%rcx; add %rcx,x(%rip); dec %rsi; jnz 2b; dec %rdi; jnz 1b; "
               "mov x(%rip),%rax; ret", True),
    "call": ("1: mov %rdi,%rcx; call twice; add %rcx,x(%rip); dec %rdi; jnz 1b; mov x(%rip),%rax; ret", False),
    "branch": ("1: mov %rdi,%rcx; test $1,%cl; jz 2f; inc %rcx; 2: add %rcx,x(%rip); dec %rdi; jnz 1b; "
               "mov x(%rip),%rax; ret", False),
    "long": ("1: mov %rdi,%rcx; " + "inc %rcx; " * 8 + "add %rcx,x(%rip); dec %rdi; jnz 1b; mov x(%rip),%rax; ret",
             False),
}
# Some begin with the %rcx of the caller.
DRIVER = """
.globl main
main: push %rbx; push %r12; push %rbp; xor %ebx,%ebx
again: mov functions(,%rbx,8),%r12
mov $3,%ecx; mov $2,%edi; call *%r12; mov $5,%ecx; mov $9,%edi; call *%r12
mov $format,%edi; mov %ebx,%esi; mov %rax,%rdx; xor %eax,%eax; call printf
inc %ebx; cmp $COUNT,%ebx; jb again
xor %eax,%eax; pop %rbp; pop %r12; pop %rbx; ret
twice: add %rcx,%rcx; ret
.section .rodata
format: .string "%d %ld\\n"
three: .quad 3
.section .note.GNU-stack
"""


def listing(names):
    lines = [".data", "x: .quad 1, 0", ".text"]
    for name in names:
        lines += [f".type {name},@function", f"{name}:", LOOPS[name][0], f".size {name}, .-{name}"]
    # Of constants: addresses of functions need no copy for each thread.
    lines += [".section .rodata.functions", "functions:", *(f".quad {name}" for name in names), ".text"]
    return "\n".join(lines) + DRIVER.replace("COUNT", str(len(names)))


def test_loops_compute_what_they_did(upct):
    compiled = assemble(upct, listing(LOOPS))
    plain = upct.path("plain")
    upct.check_output(["gcc", "-no-pie", compiled, "-o", plain])
    wanted = upct.check_output([plain]).splitlines()
    assert len(wanted) == len(LOOPS)
    program = upct.link(compiled, flags=["-no-pie"])
    got = upct.check_output([program], THREADS=2).splitlines()
    assert sorted(got) == sorted(2 * wanted)


@pytest.mark.parametrize("name", LOOPS)
def test_loops_stay_among_the_thunks(upct, name):
    """That is, something there jumps to something there."""
    private = privatize(upct, assemble(upct, listing([name])))
    relocations = upct.check_output(["readelf", "-SrW", private]).split("'.rela.text.upc_thunks'")[1].split("\n\n")[0]
    jumps = re.findall(r"R_X86_64_PLT32 .*\.text\.upc_thunks", relocations)
    assert bool(jumps) == LOOPS[name][1], relocations


@pytest.mark.parametrize("between, jumps", [(0, 0), (12, 0), (16, 0), (17, 1)])
def test_accesses_some_instructions_apart_share_a_jump(upct, between, jumps):
    """What stands between them is copied; what comes after too many is left to the text."""
    text = ".bss\nx: .quad 0\n.text\n.type f,@function\nf: incl x(%rip)\n" + "inc %rcx\n" * between + "incl x(%rip)\nret\n"
    private = privatize(upct, assemble(upct, text))
    relocations = upct.check_output(["readelf", "-SrW", private]).split("'.rela.text.upc_thunks'")[1].split("\n\n")[0]
    assert relocations.count("R_X86_64_PLT32") == jumps, relocations
