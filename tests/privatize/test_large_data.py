"""Large private data costs what is touched, and no more."""

import platform
import re

import pytest

from privatize.common import COMPILERS, assemble, compile_object

ARRAYS = """
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
extern int MYTHREAD, THREADS;
#define BYTES (300l << 20)
char big[BYTES], *inside = big + 5;
static double rows[1000][1000], (*row)[1000] = rows + 7;
static int aligned[1 << 20] __attribute__ ((aligned (16384)));
static long small = 3;
static int check (void)
{
  for (long i = 0; i < BYTES; i += 10 << 20)
    if (big[i])
      return 1;
  big[BYTES - 1] = MYTHREAD + 1;
  rows[999][999] = MYTHREAD;
  aligned[77] = MYTHREAD;
  memset (big + 4096, MYTHREAD, 65536);
  usleep (20000);
  return inside != big + 5 || row != rows + 7 || (unsigned long) aligned % 16384 || small++ != 3
         || big[BYTES - 1] != MYTHREAD + 1 || rows[999][999] != MYTHREAD || aligned[77] != MYTHREAD
         || big[4096 + 65535] != (char) MYTHREAD;
}
__attribute__ ((section ("upc_process"))) int ended;
int main (void)
{
  struct rusage usage;
  if (check ())
    return 1;
  if (__atomic_add_fetch (&ended, 1, __ATOMIC_SEQ_CST) < THREADS)
    return 0;
  getrusage (RUSAGE_SELF, &usage);
  /* A thread reads 30 pages and writes 20; with huge pages it may get 2 MiB for each
     it writes first. All of its 316 MiB would be 80 000 pages. */
  printf ("%s memory, %s faults\\n", usage.ru_maxrss < 1000000 ? "little" : "much",
          usage.ru_minflt < 40000 ? "few" : "many");
  return 0;
}
"""


def compiled(upct, text, cc="gcc", flags=("-O1", "-fno-pie")):
    return compile_object(upct, upct.write("in.c", text), cc=cc, flags=flags)


@pytest.mark.sample(4)
@pytest.mark.parametrize("cc, link", [(cc, link) for cc in COMPILERS for link in ("-no-pie", "-pie", "-static")])
def test_pages_that_nobody_touches_cost_nothing(upct, cc, link):
    if link == "-static" and upct.sanitizers:
        pytest.skip("sanitizers do not link into static programs")
    model = "-fPIE" if link == "-pie" else "-fno-pie"
    program = upct.link(compiled(upct, ARRAYS, cc, ["-O1", model]), flags=[link])
    assert upct.check_output([program], UPC_THREADS=16) == "little memory, few faults\n"


@pytest.mark.parametrize("flag", ["-Wl,--gc-sections", "-fuse-ld=lld", "-fuse-ld=gold", "-Wl,-z,now"])
def test_however_it_is_linked(upct, flag):
    objects = compiled(upct, ARRAYS, flags=["-O2", "-fdata-sections", "-ffunction-sections", "-fno-pie"])
    assert upct.check_output([upct.link(objects, flags=[flag])], UPC_THREADS=3) == "little memory, few faults\n"


# Thread 0 prints what the process has in memory, in MiB, when every thread has touched a little.
COMMON = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>
static long mebibytes (void)
{
  char line[200];
  long kib = -1;
  FILE *status = fopen ("/proc/self/status", "r");
  while (fgets (line, sizeof line, status))
    if (strncmp (line, "RssAnon:", 8) == 0)
      kib = atol (line + 8);
  fclose (status);
  return kib >> 10;
}
static int report (int wrong)
{
  if (wrong)
    printf ("thread %d has another's data\\n", MYTHREAD);
  upc_barrier;
  if (MYTHREAD == 0)
    printf ("%ld\\n", mebibytes ());
  return 0;
}
"""

ZEROS = COMMON + """
static char big[1l << 30];
static int small = 3;
int main (void)
{
  int wrong = big[1 << 29] || small != 3;
  big[MYTHREAD << 20] = small = MYTHREAD;
  upc_barrier;
  wrong |= big[MYTHREAD << 20] != (char) MYTHREAD || big[(1 << 30) - 1] || small != MYTHREAD;
  return report (wrong);
}
"""

VALUES = COMMON + """
extern int table[16 << 20], *inside;
asm (".data; .globl table, inside; .balign 64; table: .fill 1000000, 4, 7; .fill 15777216, 4, 9; inside: .quad table + 40");
int main (void)
{
  int wrong = table[0] != 7 || table[(16 << 20) - 1] != 9 || inside != &table[10];
  table[12 << 20] += MYTHREAD;
  *inside += MYTHREAD;
  upc_barrier;
  wrong |= table[12 << 20] != 9 + MYTHREAD || table[10] != 7 + MYTHREAD || table[8 << 20] != 9;
  return report (wrong);
}
"""


@pytest.mark.no_sanitizers("their own memory is counted, too")
@pytest.mark.host_only("the emulator's memory is counted, too")
@pytest.mark.parametrize("text, link, threads, most", [
    # A thread may get a huge page, of 2 MiB, for each that it writes first; it writes two.
    (ZEROS, "-no-pie", 64, 300), (ZEROS, "-static", 64, 300), (VALUES, "-no-pie", 8, 20), (VALUES, "-pie", 8, 20)],
                         ids=["zeros", "zeros-static", "values", "values-pie"])
def test_memory_of_a_gibibyte_and_of_tables(upct, text, link, threads, most):
    model = "-fPIE" if link == "-pie" else "-fno-pie"
    program = upct.compile("-O1", model, link, upct.write("in.upc", text))
    # So little CPU time, as nothing is copied.
    output = upct.check_output(["prlimit", "--cpu=5", program], THREADS=threads)
    assert int(output) < most


# Pages of the program's file beside pages that the loader has written addresses into, and those
# of the page that the zeros begin in.
MIXED = """
#include <stdio.h>
#include <upc.h>
extern int table[4 << 20], last[1000];
asm (".data; .globl table, last; .balign 64; table: .fill 4194304, 4, 7; last: .fill 1000, 4, 8; .previous");
static int own, zeros[1000];
static void *volatile mixed[100000] = { [3] = &own, [40000] = printf, [99999] = &zeros[9] };
int main (void)
{
  int wrong = 0;
  for (int i = 0; i < 4 << 20; i++)
    wrong |= table[i] != 7;
  for (int i = 0; i < 1000; i++)
    wrong |= last[i] != 8 || zeros[i] != 0;
  wrong |= mixed[3] != &own || mixed[40000] != printf || mixed[99999] != &zeros[9] || mixed[4];
  upc_barrier;
  own = table[MYTHREAD] = last[MYTHREAD] = zeros[MYTHREAD] = MYTHREAD;
  upc_barrier;
  for (int i = 0; i < THREADS; i++)
    wrong |= table[i] != (i == MYTHREAD ? i : 7);
  return wrong | (own != MYTHREAD);
}
"""


@pytest.mark.host_only("qemu is what is started, and it reads the program itself")
@pytest.mark.no_sanitizers("the loader runs first")
@pytest.mark.parametrize("link", ["-no-pie", "-pie", "-static"])
@pytest.mark.parametrize("start", ["plain", "deleted", "by the loader", "without files"])
def test_values_however_the_program_is_started(upct, link, start):
    """The loader maps a position-independent program above what there is room for next."""
    model = "-fPIE" if link == "-pie" else "-fno-pie"
    program = upct.compile("-O1", model, link, upct.write("in.upc", MIXED))
    command = [program]
    if start == "deleted":
        command = ["sh", "-c", 'exec 3<"$0"; rm "$0"; exec /proc/self/fd/3', program]
    elif start == "by the loader":
        if link == "-static":
            pytest.skip("it has none")
        interpreter = re.search("interpreter: (.*)]", upct.check_output(["readelf", "-lW", program]))[1]
        command = [interpreter, program]
    elif start == "without files":
        command = ["prlimit", "--nofile=4", program]
    assert upct.check_output(command, THREADS=3) == ""


BELOW = """
#include <stdio.h>
#include <upc.h>
static int number = 7;
shared long where[THREADS];
int
main (void)
{
  number += MYTHREAD;
  where[MYTHREAD] = (long) &number;
  upc_barrier;
  printf ("%d %d\\n", number, where[MYTHREAD] < where[0]);
  return 0;
}
"""


def takes_negative_base():
    """By the processor; blocks go above the program where it does not."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return platform.machine() != "x86_64" or " fsgsbase " in file.read()


@pytest.mark.host_only("qemu has a layout of its own")
@pytest.mark.no_sanitizers("they choose where the program is")
@pytest.mark.parametrize("layout, is_below", [("--addr-no-randomize", 0), ("--addr-compat-layout", 1)])
def test_blocks_above_and_below_the_program(upct, layout, is_below):
    """The kernel sets a base that is an address, the processor a negative one."""
    program = upct.compile("-O1", "-pie", "-fPIE", upct.write("below.upc", BELOW))
    lines = upct.check_output(["setarch", layout, program], THREADS=3).splitlines()
    is_below = is_below and takes_negative_base()
    assert sorted(lines) == ["7 0", f"8 {is_below:d}", f"9 {is_below:d}"]


def test_thread_0_is_the_initial_thread(upct):
    """It takes the process's signals, has its arguments, and gives its status."""
    program = upct.link(compiled(upct, """
        #define _GNU_SOURCE
        #include <signal.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static char big[50 << 20];
        static volatile int seen;
        extern int MYTHREAD;
        static void handle (int number) { big[40 << 20] = number; seen = 1; }
        int main (int argc, char **argv)
        {
          if ((getpid () == gettid ()) != (MYTHREAD == 0))
            return 99;
          strcpy (big + (30 << 20), argv[1]);
          if (MYTHREAD == 1)
            exit (0);
          signal (SIGALRM, handle);
          alarm (1);
          while (!seen)
            pause ();
          return big[40 << 20] == SIGALRM ? atoi (big + (30 << 20)) : 98;
        }
        """))
    assert upct.run([program, "42"], UPC_THREADS=1).returncode == 42
    assert upct.run([program, "42"], UPC_THREADS=2).returncode == 42


@pytest.mark.only_asan("LeakSanitizer finds the leaks")
@pytest.mark.parametrize("what", ["kept", "lost"])
def test_leaks_are_those_of_a_process(upct, what):
    """What statics hold at the end is no leak, though the thread has ended."""
    program = upct.link(compiled(upct, """
        #include <stdlib.h>
        static char *kept, *far[1 << 20];
        extern int MYTHREAD;
        __attribute__ ((noinline)) static void lose (void)
        {
          char *volatile lost = malloc (4321);
          lost[0] = 1;
          lost = NULL;
        }
        int main (int argc, char **argv)
        {
          kept = malloc (77);
          far[123456] = malloc (99);
          if (argv[1][0] == 'l' && MYTHREAD == 1)
            lose ();
          return 0;
        }
        """))
    result = upct.run([program, what], UPC_THREADS=4)
    assert ("4321 byte(s) leaked in 1 allocation" in result.stderr, "leaked" in result.stderr) == (
        what == "lost", what == "lost")


@pytest.mark.no_sanitizers("they report such accesses themselves")
@pytest.mark.parametrize("kib", [3 << 10, 1])
@pytest.mark.parametrize("thread, step", [(1, 4096), (1, -4096), (2, 4096), (2, -4096)])
def test_nothing_leads_into_another_threads_data(upct, thread, step, kib):
    """Small data is less than a page from the next thread's guard."""
    program = upct.link(compiled(upct, """
        #include <stdlib.h>
        #include <unistd.h>
        extern int MYTHREAD;
        static char zeros[KIB << 10], *first = zeros;
        int main (int argc, char **argv)
        {
          volatile char *p = argv[2][0] == '-' ? (char *) &first : zeros;
          while (MYTHREAD == atoi (argv[1]))
            {
              (void) *p;
              p += atoi (argv[2]);
            }
          for (;;)
            pause ();
        }
        """.replace("KIB", str(kib))))
    result = upct.run(["prlimit", "--core=0", program, thread, step], UPC_THREADS=3)
    assert result.stderr.splitlines()[0] == (
        f"prog: error: thread {thread}: access outside the private data of thread {thread}")


@pytest.mark.only_x86_64("instructions of x86-64")
def test_as_much_as_a_displacement_reaches(upct):
    text = ".comm above,2000000000,64\n.data\n.globl main\nbelow: .zero 1000\n.text\nmain: " \
           "incb above+1999999999(%rip); movzbl above+1999999999(%rip),%eax; dec %eax; ret\n" \
           ".section .note.GNU-stack,\"\",@progbits\n"
    if not upct.sanitizers:
        upct.check_output([upct.link(assemble(upct, text))], UPC_THREADS=3)
    source = assemble(upct, text.replace("2000000000", "2147400000"))
    result = upct.run([upct.tool("upc-privatize"), source, "-o", upct.path("out.o")])
    assert (result.returncode, result.stderr) == (
        1, f"{source}: error: 2147401000 bytes of private data exceed the limit of 2130706432 bytes per thread; "
        "the largest symbols:\n    2147400000 above\n")


@pytest.mark.parametrize("cc", COMPILERS)
def test_alignment_beyond_a_page(upct, cc):
    program = upct.link(compiled(upct, """
        static int zeros[1000] __attribute__ ((aligned (32768)));
        static int first = 7, *pointer = &zeros[9];
        int main (void)
        {
          zeros[9]++;
          return (unsigned long) zeros % 32768 || pointer != &zeros[9] || *pointer != 1 || first != 7;
        }
        """, cc))
    upct.check_output([program], UPC_THREADS=3)
