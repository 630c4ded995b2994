"""upcc -shared: libraries of UPC that start UPC threads in a process whose main is not UPC's."""

import os
import shutil
import subprocess
import sys

import pytest

from support import NO_DEADLOCKS, ROOT
from support.upcc import compiled, refuses, upcc

pytestmark = pytest.mark.no_sanitizers("a process must begin with theirs")

NO_THREADS = "no UPC threads: before upct_init, after upct_finish, or in a child of fork"


def beside(upct):
    """Where the linker finds the libraries of a library for another processor."""
    return [f"-Wl,-rpath-link,{ROOT}/build/packages/{upct.target}/usr/lib/{upct.target}"] if upct.target else []


@pytest.fixture
def library(upct):
    """The library of tests/fixtures/shared as libwork.so in the test's folder."""
    def make(path):
        subprocess.run([upct.tool("upcc"), "-g", "-O2", "-shared", upct.fixture("shared/library.upc"), "-o", path], check=True)
    shutil.copy(upct.build_once("libwork.so", make), upct.path("libwork.so"))
    return "./libwork.so"


@pytest.fixture
def host(upct, library):
    subprocess.run(["gcc", "-Wall", "-Werror", f"-I{ROOT}/include", upct.fixture("shared/host.c"), library, "-Wl,-rpath,.", *beside(upct), "-o",
                    upct.path("host")], check=True, cwd=upct.folder)
    return upct.path("host")


def in_python(upct, text, **environment):
    if upct.target:
        pytest.skip("there is no Python for it")
    upct.write("host.py", "import ctypes\nlibrary = ctypes.CDLL ('./libwork.so')\n"
                          "library.upct_error_text.restype = ctypes.c_char_p\n" + text)
    return upct.run([sys.executable, "host.py"], **environment)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_program_in_c_runs_upc_threads(upct, host, threads):
    triangle = threads * (threads + 1) // 2
    rows = ["".join(f"{call} {t} 100 {call * triangle}\n" for t in range(threads)) for call in (2, 3)]
    upct.check_prints(
        f"run before: {NO_THREADS}\ninit 2000: invalid number of threads: expected 1 to 1024, or 0\n"
        "init: no error\ninit: upct_init has been called before\nrun nothing: no function to run\n"
        f"run: no error\n{rows[0]}run in another thread: no error\n{rows[1]}3 {3 * threads}\nhello\n"
        f"run in a child: {NO_THREADS}\nhandler\nfinish: no error\n0 threads\nrun behind: {NO_THREADS}\n"
        "init again: upct_init has been called before\n", [host, threads])


def test_a_program_in_cxx_runs_upc_threads(upct, library):
    """By a thread of its own, with exceptions beside."""
    upct.write("host.cc", """
#include <upct.h>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>
extern "C" void step (void *);
int
main ()
{
  std::vector<int> rows (12);
  try
    {
      if (int error = upct_init (3))
        throw std::runtime_error (upct_error_text (error));
      std::thread ([&] { upct_run (step, rows.data ()); }).join ();
      for (int i = 0; i < 12; i += 4)
        std::cout << rows[i] << rows[i + 1] << ' ' << rows[i + 3] << '\\n';
      throw std::runtime_error ("thrown");
    }
  catch (std::exception &e)
    {
      std::cout << e.what () << '\\n';
    }
  return upct_finish ();
}
""")
    subprocess.run(["g++", "-Wall", "-Werror", f"-I{ROOT}/include", "host.cc", library, "-Wl,-rpath,.", *beside(upct), "-pthread", "-o", "host"],
                   check=True, cwd=upct.folder)
    upct.check_prints("20 12\n21 12\n22 12\nthrown\n", [upct.path("host")])


@pytest.mark.parametrize("mistake, status, lines", [
    pytest.param("part", 1, ["host: error: deadlock: thread 0 waits in upct_run for thread 1, thread 1 in upc_barrier for thread 0",
                 "  thread 0: waiting in upct_run", "  threads 1, 2: waiting in upc_barrier at library.upc:156 in part",
                 "  the barrier: 2 of 3 threads have come, not thread 0"], marks=pytest.mark.host_only(NO_DEADLOCKS)),
    ("leave", 7, []),
    ("fail", 1, ["library.upc:173: error: thread 1: upc_free: not the start of a block in the shared heap: "
                 "by_thread[1] (thread 1) of 'shared int by_thread[THREADS]', declared at library.upc:12"]),
])
def test_errors_of_upc_code_end_the_process(upct, host, mistake, status, lines):
    result = upct.run([host, 3, mistake])
    assert result.stderr.replace(upct.fixture("shared/"), "").splitlines() == lines
    assert result.returncode == status


def test_wrong_values_in_the_environment_end_the_process(upct, host):
    result = upct.run([host], UPC_THREADS="x")
    assert (result.returncode, result.stderr) == (
        2, "host: error: invalid value 'x' for UPC_THREADS; expected a number from 1 to 1024\n")


def test_python_runs_upc_threads(upct, library):
    """Twice the same library is one; a copy of it is another, which finds UPC threads there."""
    shutil.copy(upct.path(library), upct.path("libother.so"))
    result = in_python(upct, """
print (ctypes.CDLL ('./libwork.so')._handle == library._handle)
print (library.upct_init (0), library.upct_threads ())
print (library.upct_error_text (ctypes.CDLL ('./libother.so').upct_init (2)))
rows = (ctypes.c_int * 12) ()
print (library.upct_run (library.step, rows), list (rows))
wrong = (ctypes.c_int * 3) ()
print (library.upct_run (library.churn, wrong), list (wrong))
print (library.calls_of_thread_0 (), library.upct_finish (), flush = True)
""", UPC_THREADS=3)
    assert (result.stdout, result.stderr, result.returncode) == (
        "True\n0 3\nb'this process has UPC threads already: it is a UPC program, or has another library of UPC'\n"
        "0 [2, 0, 100, 12, 2, 1, 100, 12, 2, 2, 100, 12]\n0 [0, 0, 0]\n2 0\n", "", 0)


def test_memory_is_given_back_at_the_end(upct, library):
    """Resident and reserved; and another library may have UPC threads then, which finds nothing of it."""
    shutil.copy(upct.path(library), upct.path("libother.so"))
    result = in_python(upct, """
def pages ():
    return [int (field) for field in open ('/proc/self/statm').read ().split ()[:2]]
before = pages ()
for path in './libwork.so', './libother.so':
    library = ctypes.CDLL (path)
    wrong = (ctypes.c_int * 2) ()
    print (library.upct_init (2), library.upct_run (library.fill, wrong), list (wrong), library.element (1))
    used = pages ()
    print (used[1] - before[1] > 8192, library.upct_finish (), library.upct_init (2))
    print (pages ()[1] - before[1] < 4096, used[0] - pages ()[0] > 4 << 20)
""")
    assert (result.stdout, result.stderr, result.returncode) == (
        "0 0 [0, 0] 0\nTrue 0 -4\nTrue True\n" * 2, "", 0)


def test_mailboxes_of_teams_are_given_back(upct, library):
    """libc's count of bytes that malloc has given: with 20 teams of 16 threads, and behind the end."""
    result = in_python(upct, """
class Mallinfo (ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in 'arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost'.split ()]
libc = ctypes.CDLL (None)
libc.mallinfo2.restype = Mallinfo
def used ():
    info = libc.mallinfo2 ()
    return info.uordblks + info.hblkhd
before = used ()
wrong = (ctypes.c_int * 16) ()
print (library.upct_init (16), library.upct_run (library.split, wrong), sum (wrong))
with_teams = used () - before
print (with_teams > 1 << 20, library.upct_finish ())
print (used () - before < with_teams // 10)
""")
    assert (result.stdout, result.stderr, result.returncode) == ("0 0 0\nTrue 0\nTrue\n", "", 0)


def test_a_upc_program_cannot_open_it(upct, library):
    """Its statics lie where those of the program's threads do not."""
    upct.write("a.upc", """#include <dlfcn.h>
#include <stdio.h>
#include <upc.h>
int
main (void)
{
  void *library = dlopen ("./libwork.so", RTLD_NOW);
  if (MYTHREAD == 1)
    puts (library ? "open" : dlerror ());
  return 0;
}
""")
    upct.compile("a.upc")
    upct.check_prints("./libwork.so: made by upcc -shared, which has UPC threads of its own; a UPC program opens what "
                      "upcc -fupc-plugin makes\n", [upct.path("prog")], THREADS=2)
    for words in (["./libwork.so"], ["-L.", "-lwork"]):
        result = upct.run([upct.tool("upcc"), "a.upc", *words, "-o", "linked"])
        assert (result.stderr, result.returncode) == (
            "upcc: error: ./libwork.so: made by upcc -shared or -fupc-plugin, to be opened at run time; link its objects\n", 1)


def test_a_upc_program_has_threads_already(upct, library):
    """Also where a library of C opens it."""
    upct.write("c.c", "#include <dlfcn.h>\nvoid *load (void) { return dlopen (\"./libwork.so\", RTLD_NOW); }")
    upct.run(["gcc", "-shared", "-fPIC", "c.c", "-o", "libloads.so"])
    upct.write("a.upc", """#include <dlfcn.h>
#include <stdio.h>
#include <upc.h>
#include <upct.h>
void *load (void);
int
main (void)
{
  int (*init) (int) = dlsym (load (), "upct_init");
  upc_barrier;
  printf ("%d\\n", init (2) == UPCT_IN_USE);
  return 0;
}
""")
    upct.compile("a.upc", "./libloads.so")
    upct.check_prints("1\n1\n", [upct.path("prog")], THREADS=2)


def test_the_number_of_threads_may_be_compiled_in(upct):
    upct.write("a.upc", "#include <upc.h>\nshared int a[5];\nint sum (void) { return THREADS; }\n")
    upct.write("part.cc", '#include <string>\nextern "C" int length (int i) { return std::string (i, 32).size (); }\n')
    upct.compile("-shared", "-fupc-threads-3", "a.upc", "part.cc", output="libwork.so")
    result = in_python(upct, "print (library.upct_error_text (library.upct_init (2)), library.upct_init (0), library.sum (),"
                             " library.length (4))\n", UPC_THREADS=None)
    assert (result.stdout, result.stderr) == ("b'the library was compiled for another number of threads' 0 3 4\n", "")


def test_only_the_librarys_own_names_are_seen(upct, library):
    names = upct.check_output(["nm", "-D", "--defined-only", "--format=just-symbols", library]).split()
    assert [name for name in names if name.startswith(("upcr_", "upc_", "malloc"))] == []
    assert {"step", "upct_init", "upct_run", "upct_finish", "upct_threads", "upct_error_text"} <= set(names)
    needed = upct.check_output(["readelf", "-d", library])
    assert "libjemalloc" not in needed
    if not upct.target:
        assert "STATIC_TLS" in needed


@pytest.mark.only_x86_64("code for ARM may be in a shared library without -fPIC")
def test_what_a_library_cannot_have_is_refused(upct):
    upct.write("a.upc", "#include <upc.h>\n")
    for word in ["-static", "-pie", "-fupc-check=race", "--trace", "-fupc-pts=struct", "-fsanitize=address"]:
        name = word.partition("=address")[0]
        refuses(upct, ["-shared", word, "a.upc"], f"-shared and {name} cannot be combined", status=2)
    compiled(upct, "b", "const char *f (void) { return \"text\"; }", "-fno-pie")
    result = upcc(upct, "-shared", "a.upc", "b.o", "-o", "libwork.so")
    assert result.returncode == 1 and "recompile with -fPIC" in result.stderr and not os.path.exists(upct.path("libwork.so"))
