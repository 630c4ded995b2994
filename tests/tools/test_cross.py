"""Programs for 64-bit ARM, made here with upcc --target and run in qemu. With full=1 every program of
the language's features is run."""

import glob
import os
import re

import pytest

from support import FULL, ROOT

TARGET = "aarch64-linux-gnu"
FEATURES = os.path.join(ROOT, "tests", "fixtures", "upc2c", "features")
SAMPLE = ["atomics", "barriers", "copies", "initial_private", "library", "literals", "pointers", "strict"]

pytestmark = [
    pytest.mark.no_sanitizers("they are not built for another processor"),
    pytest.mark.host_only("it chooses the processor itself"),
]


@pytest.fixture
def arm(upct):
    """The libraries are only built where liburcu and jemalloc for arm64 are installed: Debian's package
    of jemalloc for one processor drives out the one for another."""
    if not os.path.exists(os.path.join(upct.build, "lib", "upct", TARGET, "libupc.a")):
        pytest.skip("no jemalloc and liburcu for arm64: see docs/compiling.md")
    upct.use_target(TARGET)
    return upct


def programs():
    every = sorted(os.path.basename(path)[:-4] for path in glob.glob(f"{FEATURES}/*.upc"))
    return every if FULL else SAMPLE


@pytest.mark.parametrize("name", programs())
def test_features(arm, name):
    program = arm.compile("-w", "-O2", f"{FEATURES}/{name}.upc")
    for threads in (1, 2, 4, 8) if FULL else (1, 4):
        arm.check_prints("ok\n", [program], THREADS=threads)


TEAM = r"""
#include <upc.h>
#include <pthread.h>
#include <stdio.h>
static long count, other = 7;
static long *at = &other;
static void *
add (void *address)
{
  for (int i = 0; i < 1000; i++)
    __atomic_fetch_add (&count, 1, __ATOMIC_RELAXED);
  return (void *) (long) (address == &count && at == &other && MYTHREAD == other - 7);
}
int
main (void)
{
  pthread_t team[4];
  long right = 0;
  void *result;
  other += MYTHREAD;
  for (int i = 0; i < 4; i++)
    pthread_create (&team[i], NULL, add, &count);
  for (int i = 0; i < 4; i++)
    right += pthread_join (team[i], &result) == 0 && result;
  for (int t = 0; t < THREADS; t++)
    {
      upc_barrier;
      if (t == MYTHREAD)
        printf ("%d: %ld, %ld right\n", MYTHREAD, count, right), fflush (stdout);
    }
  return 0;
}
"""


@pytest.mark.parametrize("flags", [["-O2"], ["-O0", "-g"], ["-O2", "-fPIE", "-pie"], ["-O2", "-static"]])
def test_threads_of_a_upc_thread_share_its_statics(arm, flags):
    arm.write("team.upc", TEAM)
    program = arm.compile(*flags, "team.upc", cwd=arm.folder)
    expected = "".join(f"{t}: 4000, 4 right\n" for t in range(4))
    assert arm.check_output([program], THREADS=4) == expected


def test_threads_of_static_libraries(arm):
    """libgomp.a is not rewritten, and its threads inherit nothing from the processor."""
    arm.write("team.upc", "#include <upc.h>\n#include <stdio.h>\nstatic int mine[4];\nint main (void)\n{\n"
                          "  _Pragma (\"omp parallel num_threads (4)\")\n  _Pragma (\"omp for schedule (static, 1)\")\n"
                          "  for (int i = 0; i < 4; i++)\n    mine[i] = i + 10 * MYTHREAD;\n"
                          "  printf (\"%d %d %d %d\\n\", mine[0], mine[1], mine[2], mine[3]);\n  return 0;\n}\n")
    program = arm.compile("-O2", "-fopenmp", "-static", "team.upc", cwd=arm.folder)
    assert sorted(arm.check_output([program], THREADS=2).splitlines()) == ["0 1 2 3", "10 11 12 13"]


def test_much_private_data_at_the_start_of_its_segment(arm):
    """The kernel's pages are smaller than those that the program is laid out for: before it is nothing."""
    arm.write("start.upc", "#include <upc.h>\nstatic int mine = 3, last = 3;\nint *const places[4] = { [3] = &mine };\n"
                           "int main (void) { *places[*(volatile int *) &last] += MYTHREAD; upc_barrier; return mine != 3 + MYTHREAD; }\n")
    for size in (0, 4096, 20000, 40000):
        arm.write("size.c", f"int table[{size} + 1] = {{ 1 }};\n")
        arm.check_prints("", [arm.compile("start.upc", "size.c", cwd=arm.folder)], THREADS=4)


def test_clang(arm):
    arm.write("team.upc", TEAM)
    program = arm.compile("-O2", "team.upc", cwd=arm.folder, UPCC_CC="clang")
    assert arm.check_output([program], THREADS=2) == "0: 4000, 4 right\n1: 4000, 4 right\n"


@pytest.mark.parametrize("settings", [{"UPCC_CC": "gcc"}, {"UPCC_CC": "gcc-12 -Wall"}, {"CC": "gcc"}])
def test_gcc_is_the_one_for_the_target(arm, settings):
    arm.write("team.upc", TEAM)
    program = arm.compile("-O2", "team.upc", cwd=arm.folder, **settings)
    assert arm.check_output([program], THREADS=2) == "0: 4000, 4 right\n1: 4000, 4 right\n"


@pytest.mark.parametrize("inner", ["", " --target=aarch64-linux-gnu", " -target aarch64"])
def test_it_may_be_the_compiler_that_it_is_told_to_call(arm, inner):
    """As make CC='upcc --target=…' leaves it in the environment."""
    arm.write("team.upc", TEAM)
    program = arm.compile("-O2", "team.upc", cwd=arm.folder, UPCC_CC="", CC=f"{arm.bin}/upcc{inner}")
    assert arm.check_output([program], THREADS=2) == "0: 4000, 4 right\n1: 4000, 4 right\n"


def test_statics_of_archives(arm):
    """An object of C that was compiled before, in an archive, with a string, a table and a pointer."""
    arm.write("part.c", "static int calls; int *where = &calls; const char *const names[] = { \"zero\", \"one\", \"two\" };\n"
                        "const char *name (void) { return names[++*where]; }\n")
    arm.check_output(["gcc", "-O2", "-c", "part.c"], cwd=arm.folder)
    arm.check_output(["ar", "rc", "libpart.a", "part.o"], cwd=arm.folder)
    arm.write("use.upc", "#include <upc.h>\n#include <stdio.h>\nconst char *name (void);\n"
                         "int main (void) { if (MYTHREAD) name (); upc_barrier; puts (name ()); return 0; }\n")
    program = arm.compile("use.upc", "-L.", "-lpart", cwd=arm.folder)
    assert sorted(arm.check_output([program], THREADS=3).split()) == ["one", "two", "two"]


def test_c_reads_mythread_as_data(arm):
    """In a thread that C has made, too."""
    arm.write("number.c", """#include <pthread.h>
extern int MYTHREAD, THREADS;
static void *number (void *result) { *(int *) result = MYTHREAD; return 0; }
int number_of_thread (void)
{
  pthread_t thread;
  int result = -1;
  pthread_create (&thread, 0, number, &result);
  pthread_join (thread, 0);
  return result == MYTHREAD && THREADS == 4 ? result : -1;
}
""")
    arm.write("numbers.upc", "int number_of_thread (void);\nint main (void) { return number_of_thread () != MYTHREAD; }\n")
    for flags in (["-O2"], ["-O2", "-fPIE", "-pie"], ["-O0", "-static"]):
        arm.check_prints("", [arm.compile(*flags, "numbers.upc", "-x", "c", "number.c", cwd=arm.folder)], THREADS=4)


def test_c_reads_mythread_as_thread_local(arm):
    arm.write("local.c", "extern __thread int MYTHREAD;\nint number (void) { return MYTHREAD; }\n")
    arm.write("number.upc", "int number (void);\nint main (void) { return number () != MYTHREAD; }\n")
    arm.check_prints("", [arm.compile("number.upc", "-x", "c", "local.c", cwd=arm.folder)], THREADS=4)


def test_crashes_name_the_line(arm):
    arm.write("crash.upc", "#include <upc.h>\nint\nmain (void)\n{\n  volatile int *volatile p = 0;\n  if (MYTHREAD == 1)\n"
                           "    *p = 1;\n  upc_barrier;\n  return 0;\n}\n")
    program = arm.compile("-O1", "-g", "crash.upc", cwd=arm.folder)
    result = arm.run([program], THREADS=2)
    assert result.returncode != 0
    assert "thread 1: Segmentation fault" in result.stderr
    assert "crash.upc:7" in result.stderr
    assert "addr2line" not in result.stderr, "of libraries that only the emulator sees"


def test_crashes_in_moved_code_name_the_line(arm):
    """upc-privatize moves what reads the pointer, and what goes through it, to a thunk."""
    arm.write("moved.upc", "#include <upc.h>\nint *at;\nstatic int kept[4] = { 1 };\nint\nmain (void)\n{\n  kept[1] += MYTHREAD;\n"
                           "  if (kept[1] == 1)\n    *at = 1;\n  upc_barrier;\n  return 0;\n}\n")
    for flags in (["-O0"], ["-O2"], ["-O1", "-gdwarf-4"]):
        result = arm.run([arm.compile("-g", *flags, "moved.upc", cwd=arm.folder)], THREADS=2)
        assert "thread 1: Segmentation fault" in result.stderr
        assert "main at" in result.stderr and "moved.upc:9" in result.stderr, result.stderr


def test_errors_name_the_line(arm):
    arm.write("free.upc", "#include <upc.h>\nint main (void)\n{\n  shared void *p = upc_alloc (8);\n  upc_free (p);\n"
                          "  upc_free (p);\n  return 0;\n}\n")
    result = arm.run([arm.compile("-g", "free.upc", cwd=arm.folder)], THREADS=1)
    assert re.search(r"^.*free\.upc:6: error: thread 0: upc_free: block already freed: thread 0, ", result.stderr), result.stderr


@pytest.mark.parametrize("cc", ["gcc", "clang"])
@pytest.mark.parametrize("own_bytes", [0, 1800, 6000])
def test_more_addresses_than_words(arm, cc, own_bytes):
    """Addresses are in thread-local words, as many as one instruction reaches; what has none computes its address."""
    functions = "".join(f"static int a{i}[3] = {{ {i}, 1 }};\nint *at{i} (void) {{ return a{i}; }}\n"
                        f"int get{i} (int k) {{ return a{i}[k] += MYTHREAD; }}\n" for i in range(300))
    arm.write("many.upc", f"_Thread_local char own[{own_bytes} + 1] = {{ 7 }};\n" + functions)
    calls = " + ".join(f"(get{i} (0) == {i} + MYTHREAD && get{i} (1) == 1 + MYTHREAD && *at{i} () == {i} + MYTHREAD)" for i in range(300))
    arm.write("main.upc", "#include <pthread.h>\n#include <upc.h>\n#include <stdio.h>\nextern _Thread_local char own[];\n"
              + "".join(f"int get{i} (int), *at{i} (void);\n" for i in range(300))
              + f"static void *seen (void *from) {{ return (void *) (long) (own[0] == 7 && at0 () == from && *at299 () == 299 + MYTHREAD); }}\n"
              f"int main (void)\n{{\n  pthread_t helper;\n  void *is_right;\n  int right = {calls};\n"
              "  pthread_create (&helper, 0, seen, at0 ());\n  pthread_join (helper, &is_right);\n  upc_barrier;\n"
              '  printf ("%d %d\\n", right, is_right != 0);\n  return 0;\n}\n')
    program = arm.compile("-O2", "many.upc", "main.upc", cwd=arm.folder, UPCC_CC=cc)
    arm.check_prints("300 1\n" * 3, [program], THREADS=3)
    listing = arm.check_output([f"{TARGET}-objdump", "-d", program])
    offsets = {match[2] for match in re.finditer(r"\bmrs\tx(\d+), tpidr_el0\n.*\bldr\tx\1, \[x\1, #(\d+)\]", listing)}
    assert max(map(int, offsets)) < 4096 and (len(offsets) > 200) == (own_bytes == 0)


@pytest.mark.parametrize("cc, linker", [("gcc", "bfd"), ("gcc", "gold"), ("clang", "lld")])
@pytest.mark.parametrize("flags", [["-no-pie"], ["-pie", "-fPIE"], ["-static"]], ids=" ".join)
def test_linkers(arm, cc, linker, flags):
    """What is private, and its addresses in data and in thread-local variables. gold counts otherwise where those are."""
    arm.write("count.c", "static int count = 3;\nint *pointer = &count;\n_Thread_local int *own = &count;\n"
                         "int used_twice (void) { ++*own; return ++*pointer; }\n")
    arm.write("use.upc", '#include <stdio.h>\nint used_twice (void);\n'
                         'int main (void) { printf ("%d: %d\\n", MYTHREAD, used_twice ()); return 0; }\n')
    words = [f"-fuse-ld={linker}", "-Wl,--gc-sections"]
    program = arm.compile(*flags, *words, "use.upc", "-x", "c", "count.c", cwd=arm.folder, UPCC_CC=cc)
    assert sorted(arm.check_output([program], THREADS=3).splitlines()) == ["0: 5", "1: 5", "2: 5"]


def test_thread_local_data_that_is_aligned_too_far(arm):
    arm.write("far.upc", "#include <upc.h>\nstatic int mine;\n_Thread_local int own __attribute__ ((aligned (8192))) = 1;\n"
                         "int main (void) { upc_barrier; return mine + own - 1; }\n")
    program = arm.compile("far.upc", cwd=arm.folder)
    result = arm.run([program], THREADS=2)
    assert result.returncode != 0
    assert ("error: thread 0: cannot set the base of private data of thread 1: "
            "a thread-local variable of the program has too large an alignment\n") in result.stderr


def test_objects_of_other_processors_are_refused(arm):
    arm.write("part.c", "int f (void) { return 1; }\n")
    arm.write("use.upc", "int f (void);\nint main (void) { return f () - 1; }\n")
    arm.check_output(["gcc", "-c", "part.c", "-o", "there.o"], cwd=arm.folder)
    arm.use_target("")
    arm.check_output(["gcc", "-c", "part.c", "-o", "here.o"], cwd=arm.folder)
    for words, file, found, wanted in ((["there.o"], "there.o", "aarch64", "x86-64"),
                                       ([f"--target={TARGET}", "here.o"], "here.o", "x86-64", "aarch64")):
        result = arm.run([arm.tool("upcc"), "use.upc", *words, "-o", "prog"], cwd=arm.folder)
        assert (result.returncode, result.stderr) == (1, f"upcc: error: {file}: an object for {found}, not {wanted}\n")


def test_names_of_targets(arm):
    arm.use_target("")
    arm.write("empty.upc", "#if !defined __aarch64__ || !defined __CHAR_UNSIGNED__\n#error\n#endif\nint x[L'a' - 1 > 0 ? 1 : -1];\n")
    for words in (["--target=aarch64-linux-gnu"], ["--target=aarch64-unknown-linux-gnu"], ["--target", "aarch64"],
                  ["-target", "aarch64-linux-gnu"]):
        arm.check_prints("", [arm.tool("upcc"), *words, "-c", "empty.upc"], cwd=arm.folder)
    result = arm.run([arm.tool("upcc"), "--target=riscv64-linux-gnu", "-c", "empty.upc"], cwd=arm.folder)
    assert (result.returncode, result.stderr) == (
        2, "upcc: error: '--target=riscv64-linux-gnu': not supported; use x86_64-linux-gnu or aarch64-linux-gnu\n")
