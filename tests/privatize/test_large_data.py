"""Large zero data has a zone in each thread: it costs what is touched, and no more."""

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


@pytest.mark.parametrize("cc, link", [(cc, link) for cc in COMPILERS for link in ("-no-pie", "-pie", "-static")])
def test_pages_that_nobody_touches_cost_nothing(upct, cc, link):
    if link == "-static" and upct.sanitizers:
        pytest.skip("sanitizers do not link into static programs")
    model = "-fPIE" if link == "-pie" else "-fno-pie"
    program = upct.link(compiled(upct, ARRAYS, cc, ["-O1", model]), flags=[link])
    assert upct.check_output([program], UPC_THREADS=16) == "little memory, few faults\n"


@pytest.mark.parametrize("flag", ["-Wl,--gc-sections", "-fuse-ld=lld", "-Wl,-z,now"])
def test_linkers_keep_the_zone(upct, flag):
    objects = compiled(upct, ARRAYS, flags=["-O2", "-fdata-sections", "-ffunction-sections", "-fno-pie"])
    assert upct.check_output([upct.link(objects, flags=[flag])], UPC_THREADS=3) == "little memory, few faults\n"


THREADS = """
#include <pthread.h>
#include <stdio.h>
#include <threads.h>
#include <unistd.h>
extern int MYTHREAD;
static char big[100 << 20];
static int count = 5, results[3];
static void *run (void *result)
{
  int fresh = !big[7] && !big[sizeof big - 1] && count == 5;
  big[7] = big[sizeof big - 1] = 1;
  count++;
  __atomic_store_n ((int *) result, fresh ? MYTHREAD + 1 : -1, __ATOMIC_RELEASE);
  return result;
}
static int run_c11 (void *result)
{
  run (result);
  return 9;
}
static long mappings (void)
{
  char text[4096];
  long lines = 0;
  FILE *maps = fopen ("/proc/self/maps", "r");
  while (fgets (text, sizeof text, maps))
    lines++;
  fclose (maps);
  return lines;
}
int main (void)
{
  pthread_t thread[2];
  pthread_attr_t attributes;
  static char stack[1 << 20] __attribute__ ((aligned (4096)));
  thrd_t other;
  void *result;
  int status;
  long before = 0;
  big[7] = 9;
  for (int i = 0; i < 60; i++)
    {
      results[0] = results[1] = results[2] = 0;
      if (pthread_create (&thread[0], 0, run, &results[0]) || pthread_create (&thread[1], 0, run, &results[1])
          || thrd_create (&other, run_c11, &results[2]) || pthread_detach (thread[1])
          || pthread_join (thread[0], &result) || result != &results[0]
          || thrd_join (other, &status) || status != 9)
        return 1;
      for (int j = 0; j < 3; j++)
        while (!__atomic_load_n (&results[j], __ATOMIC_ACQUIRE))
          usleep (100);
      for (int j = 0; j < 3; j++)
        if (results[j] != MYTHREAD + 1)
          return 2;
      if (i == 5)
        before = mappings ();
    }
  pthread_attr_init (&attributes);
  pthread_attr_setstack (&attributes, stack, sizeof stack);
  if (pthread_create (&thread[0], &attributes, run, &results[0]) || pthread_join (thread[0], 0)
      || results[0] != MYTHREAD + 1 || big[7] != 9 || count != 5)
    return 3;
  if (MYTHREAD == 0)
    puts (mappings () < before + 100 ? "done" : "stacks are kept");
  return 0;
}
"""


@pytest.mark.parametrize("cc", COMPILERS)
def test_threads_of_the_program_have_their_zones(upct, cc):
    program = upct.link(compiled(upct, THREADS, cc))
    assert upct.check_output([program], UPC_THREADS=2) == "done\n"


def test_signals_come_to_a_thread_with_data(upct):
    program = upct.link(compiled(upct, """
        #include <signal.h>
        #include <stdio.h>
        #include <unistd.h>
        static char big[50 << 20];
        static volatile int seen;
        static void handle (int number) { big[40 << 20] = number; seen = 1; }
        int main (void)
        {
          signal (SIGALRM, handle);
          alarm (1);
          while (!seen)
            pause ();
          printf ("%d\\n", big[40 << 20]);
          return 0;
        }
        """))
    assert upct.check_output([program], UPC_THREADS=1) == "14\n"


def test_status_and_arguments_are_those_of_thread_0(upct):
    program = upct.link(compiled(upct, """
        #include <stdlib.h>
        #include <string.h>
        static char big[50 << 20];
        extern int MYTHREAD;
        int main (int argc, char **argv)
        {
          strcpy (big + (30 << 20), argv[1]);
          if (MYTHREAD == 1)
            exit (0);
          return atoi (big + (30 << 20));
        }
        """))
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


def test_more_than_a_displacement_reaches(upct):
    """Below the thread pointer and above it is place for 2 GiB each."""
    text = ".comm above,2000000000,64\n.data\n.globl main\nbelow: .zero 1000\n.text\nmain: " \
           "incb above+1999999999(%rip); movzbl above+1999999999(%rip),%eax; dec %eax; ret\n" \
           ".section .note.GNU-stack,\"\",@progbits\n"
    if not upct.sanitizers:
        upct.check_output([upct.link(assemble(upct, text))], UPC_THREADS=3)
    source = assemble(upct, text.replace("2000000000", "2147400000"))
    result = upct.run([upct.tool("upc-privatize"), source, "-o", upct.path("out.o")])
    assert (result.returncode, result.stderr) == (1, f"{source}: error: 2147401000 bytes of private data exceed the limit of 2147483647 bytes per thread; " "the largest symbols:\n    2147400000 above\n")


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


@pytest.mark.no_tsan("it reports races in libraries that are not built for it")
@pytest.mark.parametrize("cc", ["gcc", "g++"])
def test_threads_of_shared_libraries_have_copies(upct, cc):
    body = """
        static int large[1 << 20];
        static int work (int i) { large[i << 16] += i; return large[i << 16]; }
        """
    if cc == "gcc":
        flags = ["-fopenmp"]
        text = body + """
            int main (void)
            {
              int sum = 0;
            #pragma omp parallel for num_threads (4) reduction (+: sum)
              for (int i = 0; i < 16; i++)
                sum += work (i);
              return sum != 120;
            }
            """
    else:
        flags = []
        text = "#include <thread>\n" + body + """
            int main ()
            {
              static int sums[4];
              int sum = 0, *result = sums;
              std::thread threads[4];
              for (int i = 0; i < 4; i++)
                threads[i] = std::thread ([=] { result[i] = work (i + 1); });
              for (int i = 0; i < 4; i++)
                { threads[i].join (); sum += result[i]; }
              return sum != 10;
            }
            """
    source = compile_object(upct, upct.write("in.cc" if cc == "g++" else "in.c", text), cc=cc,
                            flags=["-O1", "-fno-pie", *flags])
    program = upct.link(source, "-lstdc++", flags=flags) if cc == "g++" else upct.link(source, flags=flags)
    for _ in range(3):
        upct.check_output([program], UPC_THREADS=2)


MAKER = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
struct call { int (*function) (int); int argument, result; };
static void *posix (void *what)
{
  struct call *call = what;
  call->result = call->function (call->argument);
  return 0;
}
static int c11 (void *call) { posix (call); return 7; }
/* Each of COUNT threads, one after another and at once, calls FUNCTION. */
int in_threads (int (*function) (int), int count)
{
  struct call calls[4 * count];
  pthread_t threads[4 * count];
  struct timespec far = { 4000000000l, 0 };
  thrd_t other;
  pthread_attr_t small, own;
  void *stacks[4 * count];
  int result, sum = 0;
  pthread_attr_init (&small);
  pthread_attr_setstacksize (&small, 65536);
  pthread_attr_init (&own);
  for (int i = 0; i < 4 * count; i++)
    calls[i] = (struct call) { function, i + 1, 0 };
  for (int i = 0; i < count; i++)
    if (thrd_create (&other, c11, &calls[i]) || thrd_join (other, &result) || result != 7)
      abort ();
  for (int i = count; i < 4 * count; i++)
    {
      stacks[i] = i % 3 == 2 ? aligned_alloc (4096, 1 << 20) : 0;
      if (stacks[i])
        pthread_attr_setstack (&own, stacks[i], 1 << 20);
      if (pthread_create (&threads[i], i % 3 == 0 ? 0 : i % 3 == 1 ? &small : &own, posix, &calls[i]))
        abort ();
    }
  for (int i = count; i < 4 * count; i++)
    {
      if (i % 2 ? pthread_join (threads[i], 0) : pthread_timedjoin_np (threads[i], 0, &far))
        abort ();
      free (stacks[i]);
    }
  for (int i = 0; i < 4 * count; i++)
    sum += calls[i].result;
  return sum;
}
"""

CALLBACK = """
#include <dlfcn.h>
#include <stdio.h>
extern int MYTHREAD;
int in_threads (int (*function) (int), int count);
static char large[64 << 20], *inside = large + 9;
static int small = 5, *pointer = &small;
static int work (int i)
{
  large[i << 18] += i;
  *inside += 1;
  *pointer += MYTHREAD;
  return large[i << 18] == i && large[9] == 1 ? small : -100000;
}
int main (void)
{
#ifdef OPENED
  void *library = dlopen (OPENED, RTLD_NOW);
  if (!library)
    return puts (dlerror ()), 9;
  int (*in_threads) (int (*) (int), int) = (int (*) (int (*) (int), int)) dlsym (library, "in_threads");
#endif
  large[0] = 100;
  printf ("%d\\n", in_threads (work, 10) - 40 * (5 + MYTHREAD));
  return large[0] != 100 || small != 5 || *inside;
}
"""


@pytest.mark.parametrize("cc, use", [(cc, use) for cc in COMPILERS for use in ("linked", "opened")])
def test_threads_of_any_shared_library_have_large_data(upct, cc, use):
    maker = upct.path("libmaker.so")
    upct.check_output([cc, "-shared", "-fPIC", "-O1", upct.write("maker.c", MAKER), "-o", maker, "-lpthread"])
    source = compiled(upct, CALLBACK, cc, ["-O1", "-fno-pie", *([f'-DOPENED="{maker}"'] if use == "opened" else [])])
    program = upct.link(source, *([] if use == "opened" else [maker]))
    assert upct.check_output([program], UPC_THREADS=3) == "0\n" * 3
