"""Who unwinds out of a thunk comes to the original function's caller, and finds its
name: at every single instruction, in a crash, in a profile, in gdb."""

import re

import pytest

from privatize.common import COMPILERS, assemble, compile_object, privatize, runtime_objects
from support import FULL

pytestmark = [pytest.mark.sample(6, plain=2), pytest.mark.only_x86_64("instructions of x86-64, and gdb")]

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


def trace(upct, source):
    objects = [privatize(upct, source), compile_object(upct, "tracer.c", "tracer.o", flags=["-O1"])]
    objects += runtime_objects(upct, True)
    program = upct.path("prog")
    upct.check_output(["gcc", "-no-pie", *objects, "-lm", "-lpthread", "-o", program])
    assert upct.check_output([program]) == "many steps, 0 broken\n"


@pytest.mark.parametrize("cc, level, model", [(cc, level, model) for cc in COMPILERS for level in ("O0", "O2", "Os")
                                              for model in ("-fno-pie", "-fPIC")][::1 if FULL else 5])
def test_each_instruction_of_a_program(upct, cc, level, model):
    trace(upct, compile_object(upct, "statics.c", cc=cc, flags=[f"-{level}", model]))


@pytest.mark.parametrize("cc, flag", [(cc, flag) for cc in COMPILERS
                                      for flag in ("-g", "-fno-omit-frame-pointer", "-ffunction-sections")])
def test_each_instruction_of_a_variant(upct, cc, flag):
    trace(upct, compile_object(upct, "statics.c", cc=cc, flags=["-O2", flag]))


@pytest.mark.parametrize("frame", sorted(FRAMES))
def test_each_instruction_with_the_stack_moved(upct, frame):
    begin, end = FRAMES[frame]
    text = [".text", "callee: .cfi_startproc; mov x(%rip),%rax; ret; .cfi_endproc",
            ".globl body; .type body,@function", "body: .cfi_startproc", begin, "xor %eax,%eax",
            "xor %ecx,%ecx"]
    for form in STACK_FORMS.split("\n") * 4:
        # A frame that hangs on %rbp does not notice.
        steps = [s for s in form.split("; ") if frame == "rsp" or not s.startswith(".cfi")]
        text += ["; ".join(steps), "nop"]
    text += [end, "ret", ".cfi_endproc", ".data", "x: .quad 0", ".section .note.GNU-stack,\"\",@progbits"]
    trace(upct, assemble(upct, "\n".join(text) + "\n"))


CRASH = """static int table[4]; static volatile long where = 1000000000;
__attribute__ ((noinline)) int inner (int n) { table[where * n] += n; return table[n]; }
__attribute__ ((noinline)) int middle (int n) { return inner (n) + 1; }
int main (int argc, char **argv) { return middle (argc) + 1; }
"""


def functions(text, frame):
    """The functions of a backtrace. A thunk may have a frame beside its function's."""
    names = [name.split(".")[0] for name in re.findall(frame, text, re.M)]
    return [name for i, name in enumerate(names) if i == 0 or names[i - 1] != name][:3]


def gdb(upct, program, *commands):
    script = upct.write("commands", "\n".join(["set debuginfod enabled off", *commands]) + "\n")
    # Its status tells of commands after the end of the program.
    return upct.run(["gdb", "-q", "-batch", "-nx", "-x", script, program], UPC_THREADS=1).stdout


@pytest.mark.parametrize("cc, level, debug", [(cc, level, debug) for cc in COMPILERS for level in ("-O0", "-O2")
                                              for debug in ("-g", "-g0")])
def test_crash_in_a_thunk(upct, cc, level, debug):
    source = compile_object(upct, upct.write("in.c", CRASH), cc=cc, flags=[level, debug, "-fno-pie"])
    program = upct.link(source)
    wanted = ["inner", "middle", "main" if debug == "-g" else "upc_main"]
    if not upct.sanitizers:  # they report crashes themselves
        result = upct.run([program], UPC_THREADS=1)
        assert functions(result.stderr, r"#\d+ +([\w.]+)") == wanted
    text = gdb(upct, program, "run", "bt")
    assert functions(text, r"^#\d+ +(?:0x\w+ in )?([\w.]+)") == wanted


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


def lines_shown(upct, compiled, *commands):
    """What gdb shows of the plain program and of the privatized one."""
    upct.check_output(["gcc", "-no-pie", compiled, "-o", upct.path("plain")])
    return [re.findall(r"^(\d+)\t", gdb(upct, program, *commands), re.M)
            for program in (upct.path("plain"), upct.link(compiled))]


@pytest.mark.parametrize("cc, dwarf, command", [(cc, dwarf, command) for cc in COMPILERS for dwarf in (4, 5)
                                                for command in ("next", "step")
                                                # clang calls through memory: gdb steps over what a thunk calls
                                                if (cc, command) != ("clang", "step")])
def test_steps_from_line_to_line(upct, cc, dwarf, command):
    flags = ["-O0", f"-gdwarf-{dwarf}", "-fno-pie"]
    compiled = compile_object(upct, upct.write("in.c", STEPS), cc=cc, flags=flags)
    plain, private = lines_shown(upct, compiled, "break f", "run", *[command] * 10)
    assert len(plain) > 7
    assert private == plain


@pytest.mark.parametrize("cc, level", [(cc, level) for cc in COMPILERS for level in ("-O0", "-O1", "-O2")])
def test_breakpoints_at_each_line_are_hit(upct, cc, level):
    compiled = compile_object(upct, upct.write("in.c", STEPS), cc=cc, flags=[level, "-g", "-fno-pie"])
    plain, private = lines_shown(upct, compiled, *[f"break in.c:{n}" for n in (8, 9, 10, 11, 13, 14, 15, 19, 20)],
                                 "run", *["continue"] * 30)
    assert len(plain) > 7
    assert private == plain


# Loops, cases that fall through, blocks with variables of their own, and an inlined function.
BLOCKS = """static int total, odd, table[16], i;
static double sum = 1;
static unsigned seed = 1;
static inline unsigned draw (void)
{
  unsigned s = seed;
  s ^= s << 13;
  s ^= s >> 17;
  seed = s;
  return s;
}
int f (int n, int k)
{
  int local = n * 2;
  for (i = 0; i < n; i++)
    {
      int inner = draw () & 15;
      total += inner;
      table[inner]++;
      odd ^= total;
      if (odd & 1)
        {
          int deep = table[inner & 7];
          sum += deep;
          local += deep;
        }
      else
        sum -= 1;
      switch (inner & 3)
        {
        case 0: total++;
        case 1: odd += 2;
        case 2: sum *= 2; break;
        case 3: total -= local; break;
        }
    }
  seed += local;
  while (k--)
    {
      total += k;
      odd += total;
    }
  return total + local;
}
int main (void)
{
  volatile int r = 0;
  for (int j = 0; j < 30; j++)
    r += f (3 + j, 4);
  return 0;
}
"""


@pytest.mark.no_sanitizers("gdb cannot run programs with them")
@pytest.mark.parametrize("cc, dwarf", [(cc, dwarf) for cc in COMPILERS for dwarf in (4, 5)])
def test_thunks_of_optimized_code_are_parts_of_their_functions(upct, cc, dwarf):
    """Lines, blocks, variables and callers are as in the program as it was compiled."""
    compiled = compile_object(upct, upct.write("in.c", BLOCKS), cc=cc, flags=["-O2", f"-gdwarf-{dwarf}", "-fno-pie"])
    upct.check_output(["gcc", "-no-pie", compiled, "-o", upct.path("plain")])
    scripts = [["break f", "run", *["next", "info locals"] * 30],
               ["break f", "run", *["step", "info locals"] * 30],
               [*[f"break in.c:{n}" for n in (6, 9, *range(15, 25), 28, *range(31, 35), 37, 40, 41, 43)], "run",
                *["continue", "backtrace 2", "up", "info locals"] * 30],
               ["break in.c:19", "run", "delete", "finish", "next", "info locals"]]
    for script in scripts:
        plain, private = (re.sub(r"0x[0-9a-f]+|^.*warning.*$", "", "\n".join(re.findall(
            r"^(?:\d+\t|[a-z]+ = |#0|#1|Run till|Value returned).*", gdb(upct, program, *script), re.M)))
            for program in (upct.path("plain"), upct.link(compiled)))
        assert len(plain.splitlines()) > 4
        assert private == plain


SUMS = """static int a, b, c;
void add (int x)
{
  a += x;
  b += x;
  c += x;
}
"""


@pytest.mark.parametrize("cc, flags", [(cc, flags) for cc in COMPILERS for flags in (
    ["-gdwarf-4"], ["-gdwarf-5"], ["-gdwarf-5", "-ffunction-sections"], ["-gdwarf-3"])])
def test_accesses_of_several_lines_share_a_jump(upct, cc, flags):
    """Not where debug information is of a version that is not extended."""
    compiled = compile_object(upct, upct.write("in.c", SUMS), cc=cc, flags=["-O2", "-fno-pie", *flags])
    text = upct.check_output(["readelf", "-SrW", privatize(upct, compiled)])
    jumps = re.findall(r"^.*R_X86_64_PLT32.*$", text.split("'.rela.text.upc_thunks'")[1].split("\n\n")[0], re.M)
    assert len(jumps) == (3 if "-gdwarf-3" in flags else 0), text


@pytest.mark.parametrize("cc, level, dwarf", [(cc, level, dwarf) for cc in COMPILERS for level in ("-O0", "-O2")
                                              for dwarf in (4, 5)])
def test_debug_information_is_well_formed(upct, cc, level, dwarf):
    compiled = compile_object(upct, upct.write("in.c", BLOCKS), cc=cc, flags=[level, f"-gdwarf-{dwarf}"])
    for _ in range(2):
        compiled = privatize(upct, compiled)
        result = upct.run(["readelf", "-w", compiled])
        assert (result.returncode, result.stderr) == (0, "")


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


@pytest.mark.no_tsan("it keeps signals for the next call of a function it knows; the loop has none")
@pytest.mark.parametrize("cc, level, debug", [(cc, level, debug) for cc in COMPILERS for level in ("-O0", "-O2")
                                              for debug in ("-g", "-g0")])
def test_profile_of_a_loop(upct, cc, level, debug):
    program = upct.link(compile_object(upct, upct.write("in.c", SAMPLES), cc=cc, flags=[level, debug, "-fno-pie"]))
    assert upct.check_output([program], UPC_THREADS=1) == "0 broken\n"
