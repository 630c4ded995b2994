"""Loops whose head is no access stay among the thunks, whatever stands between the head and the first
access, and whoever else comes there; they compute what they did."""

import pytest

from privatize.common import assemble, compile_object, privatize
from support import PROCESSOR

# A function of each: %rdi rounds, the result in %rax; some begin with the %rcx of the caller. How many loops
# of it cannot stay.
X86_64 = {
    "condition": ("1: mov %rdi,%rcx; and $7,%ecx; add %rcx,x(%rip); dec %rdi; jnz 1b; mov x(%rip),%rax; ret", 0),
    "greater": ("1: lea (%rdi,%rdi),%rcx; add %rcx,x(%rip); sub $1,%rdi; jg 1b; mov x(%rip),%rax; ret", 0),
    "carry": ("1: mov %rdi,%rcx; add %rcx,x(%rip); sub $1,%rdi; jae 1b; mov x(%rip),%rax; ret", 0),
    "always": ("1: mov %rdi,%rcx; add %rcx,x(%rip); dec %rdi; jz 2f; add %rcx,x+8(%rip); jmp 1b; "
               "2: mov x(%rip),%rax; ret", 0),
    "constant": ("1: mov %rdi,%rcx; imul three(%rip),%rcx; add %rcx,x(%rip); dec %rdi; jnz 1b; "
                 "mov x(%rip),%rax; ret", 0),
    "middle": ("jmp 2f; 1: mov $100,%ecx; 2: lea 1(%rcx),%rcx; add %rcx,x(%rip); dec %rdi; jnz 1b; "
               "mov x(%rip),%rax; ret", 0),
    "before": ("incq x(%rip); 1: mov %rdi,%rcx; add %rcx,x(%rip); dec %rdi; jnz 1b; mov x(%rip),%rax; ret", 0),
    "nested": ("1: mov $5,%esi; 2: lea (%rsi,%rdi),%rcx; add %rcx,x(%rip); dec %rsi; jnz 2b; dec %rdi; jnz 1b; "
               "mov x(%rip),%rax; ret", 1),
    "call": ("1: mov %rdi,%rcx; call twice; add %rcx,x(%rip); dec %rdi; jnz 1b; mov x(%rip),%rax; ret", 1),
    "branch": ("1: mov %rdi,%rcx; test $1,%cl; jz 2f; inc %rcx; 2: add %rcx,x(%rip); dec %rdi; jnz 1b; "
               "mov x(%rip),%rax; ret", 1),
    "long": ("1: mov %rdi,%rcx; " + "inc %rcx; " * 8 + "add %rcx,x(%rip); dec %rdi; jnz 1b; mov x(%rip),%rax; ret",
             1),
}
# The same with x0 and x3.
ADD, GET = (f"adrp x1,x; ldr x2,[x1,:lo12:x]; {rest}" for rest in ("add x2,x2,x3; str x2,[x1,:lo12:x]", "mov x0,x2; ret"))
NEXT = "subs x0,x0,1; b.ne 1b"
AARCH64 = {
    "condition": (f"1: and x3,x0,7; {ADD}; {NEXT}; {GET}", 0),
    "greater": (f"1: add x3,x0,x0; {ADD}; subs x0,x0,1; b.gt 1b; {GET}", 0),
    "carry": (f"1: mov x3,x0; {ADD}; subs x0,x0,1; b.hs 1b; {GET}", 0),
    "zero": (f"1: mov x3,x0; {ADD}; sub x0,x0,1; cbnz x0,1b; {GET}", 0),
    "bit": (f"1: mov x3,x0; {ADD}; sub x0,x0,1; tbz x0,63,1b; {GET}", 0),
    "always": (f"1: mov x3,x0; {ADD}; subs x0,x0,1; b.eq 2f; {ADD.replace(':x]', ':x+8]')}; b 1b; 2: {GET}", 0),
    "constant": (f"1: adrp x4,three; ldr x4,[x4,:lo12:three]; mul x3,x0,x4; {ADD}; {NEXT}; {GET}", 0),
    "middle": (f"b 2f; 1: mov x3,100; 2: add x3,x3,1; {ADD}; {NEXT}; {GET}", 0),
    "before": (f"mov x3,1; {ADD}; 1: mov x3,x0; {ADD}; {NEXT}; {GET}", 0),
    "nested": (f"1: mov x5,5; 2: add x3,x5,x0; {ADD}; subs x5,x5,1; b.ne 2b; {NEXT}; {GET}", 1),
    "call": (f"mov x9,x30; 1: mov x3,x0; bl twice; {ADD}; {NEXT}; mov x30,x9; {GET}", 1),
    "branch": (f"1: mov x3,x0; tbz x3,0,2f; add x3,x3,1; 2: {ADD}; {NEXT}; {GET}", 1),
    "long": (f"1: mov x3,x0; {'add x3,x3,1; ' * 16} {ADD}; {NEXT}; {GET}", 1),
}
LOOPS = {"x86_64": X86_64, "aarch64": AARCH64}[PROCESSOR]
# An access, and what is none.
ACCESS, OTHER = {"x86_64": ("incl x(%rip)", "inc %rcx"), "aarch64": ("ldr w2,x", "add x3,x3,1")}[PROCESSOR]
JUMP = {"x86_64": "R_X86_64_PLT32", "aarch64": "R_AARCH64_JUMP26"}[PROCESSOR]
TWICE = {"x86_64": "add %rcx,%rcx; ret", "aarch64": "add x3,x3,x3; ret"}[PROCESSOR]
DRIVER = r"""
#include <stdio.h>
extern long (*const functions[]) (long rounds, long, long, long start);
int
main (void)
{
  for (int i = 0; i < COUNT; i++)
    {
      functions[i] (2, 0, 0, 3);
      printf ("%d %ld\n", i, functions[i] (9, 0, 0, 5));
    }
  return 0;
}
"""


def listing(names):
    lines = [".data", "x: .quad 1, 0", ".text"]
    for name in names:
        lines += [f".type {name},@function", f"{name}:", LOOPS[name][0], f".size {name}, .-{name}"]
    lines += [f"twice: {TWICE}", ".section .rodata", ".balign 8", "three: .quad 3", ".globl functions"]
    # Of constants: addresses of functions need no copy for each thread.
    lines += [".section .rodata.functions", "functions:", *(f".quad {name}" for name in names), ".section .note.GNU-stack"]
    return "\n".join(lines) + "\n"


def test_loops_compute_what_they_did(upct):
    driver = upct.write("driver.c", DRIVER.replace("COUNT", str(len(LOOPS))))
    compiled = [assemble(upct, listing(LOOPS)), compile_object(upct, driver, "driver.o", flags=["-O1", "-fno-pie"])]
    plain = upct.path("plain")
    upct.check_output(["gcc", "-no-pie", *compiled, "-o", plain])
    wanted = upct.check_output([plain]).splitlines()
    assert len(wanted) == len(LOOPS)
    program = upct.link(*compiled, flags=["-no-pie"])
    got = upct.check_output([program], THREADS=2).splitlines()
    assert sorted(got) == sorted(2 * wanted)


def jumps(upct, text):
    """The relocations of the jumps out of the thunks of TEXT, and among them."""
    private = privatize(upct, assemble(upct, text))
    relocations = upct.check_output(["readelf", "-SrW", private]).split("'.rela.text.upc_thunks'")[1].split("\n\n")[0]
    return [line for line in relocations.splitlines() if JUMP in line]


@pytest.mark.parametrize("name", LOOPS)
def test_loops_stay_among_the_thunks(upct, name):
    """Once there, nothing leaves them but for the head of a loop that cannot stay."""
    found = jumps(upct, listing([name]))
    assert sum(" .text " in jump for jump in found) == LOOPS[name][1], found


@pytest.mark.parametrize("between, count", [(0, 0), (12, 0), (16, 0), (17, 1)])
def test_accesses_some_instructions_apart_share_a_jump(upct, between, count):
    """What stands between them is copied; what comes after too many is left to the text."""
    text = f".bss\nx: .quad 0\n.text\n.type f,@function\nf: {ACCESS}\n" + f"{OTHER}\n" * between + f"{ACCESS}\nret\n"
    found = jumps(upct, text)
    assert sum(" .text " in jump for jump in found) == count, found
