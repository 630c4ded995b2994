"""Who unwinds out of a thunk comes to the original function's caller, and finds its
name: at every single instruction, in a crash, in a profile, in gdb."""

import os
import re

from harness import ROOT, case
from privatize.common import COMPILERS, FULL, assemble, compile_object, privatize

# Forms that move the stack pointer in their thunks, by register or not.
STACK_FORMS = """
push x(%rip); .cfi_adjust_cfa_offset 8; pop x(%rip); .cfi_adjust_cfa_offset -8
push x@GOTPCREL(%rip); .cfi_adjust_cfa_offset 8; pop %rax; .cfi_adjust_cfa_offset -8
push $x; .cfi_adjust_cfa_offset 8; pop %rax; .cfi_adjust_cfa_offset -8
lea x(%rax),%rax
lea x(%rax,%rcx),%rcx
cmp $x,%rax
movq $x,8(%rsp)
cmp x@GOTPCREL(%rip),%rax
add %rax,x(%rip)
mov x(%rip),%eax; mov %ebx,(%rsp); .cfi_rel_offset %rbx,0; inc x(%rip); .cfi_restore %rbx
mov $callee,%eax; mov %rax,x(%rip); call *x(%rip)
"""

FRAMES = {
    "rsp": ("sub $24,%rsp; .cfi_adjust_cfa_offset 24", "add $24,%rsp; .cfi_adjust_cfa_offset -24"),
    "rbp": ("push %rbp; .cfi_def_cfa_offset 16; .cfi_offset %rbp,-16; mov %rsp,%rbp; "
            ".cfi_def_cfa_register %rbp; sub $16,%rsp", "leave; .cfi_def_cfa %rsp,8"),
    "expression": ("push %rbp; .cfi_def_cfa_offset 16; .cfi_offset %rbp,-16; mov %rsp,%rbp; "
                   "sub $16,%rsp; .cfi_escape 0x0f,3,0x76,0x10,0x96",
                   "leave; .cfi_def_cfa %rsp,8"),
}


def trace(t, source):
    objects = [privatize(t, source), compile_object(t, "tracer.c", "tracer.o", flags=["-O1"])]
    objects.append(compile_object(t, os.path.join(ROOT, "runtime/start/private.c"), "private.o",
                                  flags=["-O1", "-I", ROOT]))
    program = t.path("prog")
    t.good(["gcc", "-no-pie", *objects, "-lm", "-lpthread", "-o", program])
    t.equal(t.good([program]), "many steps, 0 broken\n")


@case(each=[(cc, level, model) for cc in COMPILERS for level in ("O0", "O2", "Os")
            for model in ("-fno-pie", "-fPIC")][::1 if FULL else 5])
def each_instruction_of_a_program(t, cc, level, model):
    trace(t, compile_object(t, "statics.c", cc=cc, flags=[f"-{level}", model]))


@case(each=[(cc, flag) for cc in COMPILERS
            for flag in ("-g", "-fno-omit-frame-pointer", "-ffunction-sections")])
def each_instruction_of_a_variant(t, cc, flag):
    trace(t, compile_object(t, "statics.c", cc=cc, flags=["-O2", flag]))


@case(each=sorted(FRAMES))
def each_instruction_with_the_stack_moved(t, frame):
    begin, end = FRAMES[frame]
    text = [".text", "callee: .cfi_startproc; mov x(%rip),%rax; ret; .cfi_endproc",
            ".globl body; .type body,@function", "body: .cfi_startproc", begin, "xor %eax,%eax",
            "xor %ecx,%ecx"]
    for form in STACK_FORMS.split("\n") * 4:
        # A frame that hangs on %rbp does not notice.
        steps = [s for s in form.split("; ") if frame == "rsp" or not s.startswith(".cfi")]
        text += ["; ".join(steps), "nop"]
    text += [end, "ret", ".cfi_endproc", ".data", "x: .quad 0", ".section .note.GNU-stack,\"\",@progbits"]
    trace(t, assemble(t, "\n".join(text) + "\n"))


CRASH = """static int table[4]; static volatile long where = 1000000000;
__attribute__ ((noinline)) int inner (int n) { table[where * n] += n; return table[n]; }
__attribute__ ((noinline)) int middle (int n) { return inner (n) + 1; }
int main (int argc, char **argv) { return middle (argc) + 1; }
"""


def functions(text, frame):
    """The functions of a backtrace. A thunk may have a frame beside its function's."""
    names = [name.split(".")[0] for name in re.findall(frame, text, re.M)]
    return [name for i, name in enumerate(names) if i == 0 or names[i - 1] != name][:3]


def gdb(t, program, *commands):
    script = t.write("commands", "\n".join(["set debuginfod enabled off", *commands]) + "\n")
    # Its status tells of commands after the end of the program.
    return t.run(["gdb", "-q", "-batch", "-nx", "-x", script, program], UPC_THREADS=1).stdout


@case(each=[(cc, level, debug) for cc in COMPILERS for level in ("-O0", "-O2")
            for debug in ("-g", "-g0")])
def crash_in_a_thunk(t, cc, level, debug):
    source = compile_object(t, t.write("in.c", CRASH), cc=cc, flags=[level, debug, "-fno-pie"])
    program = t.link(source)
    wanted = ["inner", "middle", "main" if debug == "-g" else "upc_main"]
    if not t.sanitizers:  # they report crashes themselves
        result = t.run([program], UPC_THREADS=1)
        t.equal(functions(result.stderr, r"#\d+ +([\w.]+)"), wanted, result.stderr)
    text = gdb(t, program, "run", "bt")
    t.equal(functions(text, r"^#\d+ +(?:0x\w+ in )?([\w.]+)"), wanted, text)


STEPS = """static int a, b, c, (*call) (int);
int plus (int x)
{
  return x + 1;
}
int f (int x)
{
  a += x;
  b += a; a++; c += b;
  c ^= b;
  if (c > 100)
    c = 0;
  call = plus;
  a = call (b);
  return a + b;
}
int main (int argc, char **argv)
{
  f (argc);
  a = f (2);
  return 0;
}
"""


def lines_shown(t, compiled, *commands):
    """What gdb shows of the plain program and of the privatized one."""
    t.good(["gcc", "-no-pie", compiled, "-o", t.path("plain")])
    return [re.findall(r"^(\d+)\t", gdb(t, program, *commands), re.M)
            for program in (t.path("plain"), t.link(compiled))]


@case(each=[(cc, dwarf, command) for cc in COMPILERS for dwarf in (4, 5)
            for command in ("next", "step")
            # clang calls through memory: gdb steps over what a thunk calls
            if (cc, command) != ("clang", "step")])
def steps_from_line_to_line(t, cc, dwarf, command):
    flags = ["-O0", f"-gdwarf-{dwarf}", "-fno-pie"]
    compiled = compile_object(t, t.write("in.c", STEPS), cc=cc, flags=flags)
    plain, private = lines_shown(t, compiled, "break f", "run", *[command] * 10)
    t.check(len(plain) > 7, plain)
    t.equal(private, plain)


@case(each=[(cc, level) for cc in COMPILERS for level in ("-O0", "-O1", "-O2")])
def breakpoints_at_each_line_are_hit(t, cc, level):
    compiled = compile_object(t, t.write("in.c", STEPS), cc=cc, flags=[level, "-g", "-fno-pie"])
    plain, private = lines_shown(t, compiled, *[f"break in.c:{n}" for n in (8, 9, 10, 11, 13, 14, 15, 19, 20)],
                                 "run", *["continue"] * 30)
    t.check(len(plain) > 7, plain)
    t.equal(private, plain)


SAMPLES = """#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
static long counter, sum, table[16];
__attribute__ ((section ("upc_process"))) volatile int samples, broken;
void call (void);
__attribute__ ((noinline)) void loop (void)
{
  while (samples < 200)
    for (int i = 0; i < 1000; i++)
      { counter++; sum += counter; table[sum & 15] ^= counter; }
}
void sample (int number)
{
  void *frames[64];
  int n = backtrace (frames, 64), found = 0;
  for (int i = 0; i < n; i++)
    found |= frames[i] > (void *) call && frames[i] < (void *) call + 64;
  broken += !found;
  samples++;
}
__attribute__ ((noinline)) void call (void)
{
  loop ();
  printf ("%d broken\\n", broken);
}
int main (void)
{
  struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
  void *frames[8];
  backtrace (frames, 8);
  signal (SIGPROF, sample);
  setitimer (ITIMER_PROF, &often, 0);
  call ();
  return 0;
}
"""


@case(each=[(cc, level, debug) for cc in COMPILERS for level in ("-O0", "-O2")
            for debug in ("-g", "-g0")])
def profile_of_a_loop(t, cc, level, debug):
    if "thread" in t.sanitizers:
        # It keeps signals for the next call of a function it knows; the loop has none.
        return
    program = t.link(compile_object(t, t.write("in.c", SAMPLES), cc=cc, flags=[level, debug, "-fno-pie"]))
    t.equal(t.good([program], UPC_THREADS=1), "0 broken\n")
