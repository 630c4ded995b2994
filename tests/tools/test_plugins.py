"""upcc -fupc-plugin: libraries of UPC that UPC programs open with dlopen."""

import subprocess
import sys

import pytest

from support.upcc import compiled, refuses, upcc

pytestmark = pytest.mark.sample(3)

PTS = ["packed", "struct"]
EMPTY = "#include <upc.h>\nint answer (void) { return 42; }\n"


def plugin(upct, *words, output="plugin.so", **environment):
    """The plugin of tests/fixtures/plugin."""
    upct.compile("-g", "-fupc-plugin", *words, upct.fixture("plugin/work.upc"), upct.fixture("plugin/counter.c"), output=output,
                 **environment)


def host(upct, *words, **environment):
    return upct.compile("-g", "-rdynamic", *words, upct.fixture("plugin/host.upc"), output="host", **environment)


def opener(upct, *words, text="", output="opener"):
    """A program that prints why ./plugin.so cannot be opened, or what its answer is."""
    upct.write("opener.upc", "#include <dlfcn.h>\n#include <stdio.h>\n#include <upc.h>\n" + text + """
int
main (int argc, char **argv)
{
  void *library = dlopen (argc > 1 ? argv[1] : "./plugin.so", RTLD_NOW);
  int (*answer) (void) = library ? dlsym (library, "answer") : 0;
  if (MYTHREAD == THREADS - 1)
    answer ? printf ("%d\\n", answer ()) : puts (dlerror ());
  return 0;
}
""")
    return upct.compile("-w", *words, "opener.upc", output=output)


def empty_plugin(upct, *words, text=EMPTY):
    upct.write("plugin.upc", text)
    upct.compile("-fupc-plugin", *words, "plugin.upc", output="plugin.so")


@pytest.mark.parametrize("cc, pts, level", [(cc, pts, level) for cc in ("gcc", "clang") for pts in PTS for level in ("-O0", "-O2")])
def test_a_plugin_uses_the_programs_runtime(upct, cc, pts, level):
    flags = [f"-fupc-pts={pts}", level]
    plugin(upct, *flags, UPCC_CC=cc)
    program = host(upct, *flags, UPCC_CC=cc)
    for threads in (1, 2, 3, 5, 8):
        upct.check_prints("right\n", [program], THREADS=threads)


@pytest.mark.parametrize("flags", [["-fupc-threads-4"], ["-fupc-check"], ["--profile"], ["-fupc-check", "-fupc-pts=struct"]])
def test_switches_of_both(upct, flags):
    plugin(upct, *flags)
    upct.check_prints("right\n", [host(upct, *flags)], THREADS=4)


@pytest.mark.parametrize("words", [["-pie", "-fPIE", "-rdynamic"], ["-Wl,-E"], ["-Wl,--export-dynamic", "-Wl,--gc-sections"], ["-Wl,-export-dynamic"]])
def test_programs_that_export_the_runtime(upct, words):
    empty_plugin(upct, text="#include <upc.h>\n#include <upc_collective.h>\n#include <upc_tick.h>\n"
                            "shared int a[THREADS];\nint answer (void) { return upc_ticks_now () ? 42 : 0; }\n"
                            "void sort (void) { upc_all_sort (a, 4, THREADS, 1, 0, UPC_IN_ALLSYNC); }\n")
    upct.check_prints("42\n", [opener(upct, *words)], THREADS=2)


def test_the_end_of_a_thread_in_a_plugin(upct):
    plugin(upct)
    result = upct.run([host(upct), "./plugin.so", "leave"], THREADS=3)
    assert (result.stdout, result.stderr, result.returncode) == ("right\n", "", 5)


@pytest.mark.parametrize("thread", [0, 2])
def test_errors_name_lines_of_the_plugin(upct, thread):
    """Of the file, and of a copy; and of a function of the program that the plugin calls."""
    upct.write("plugin.upc", "#include <upc.h>\nshared int a[THREADS];\nvoid back (void);\n"
                             "int fail (int again)\n{\n  if (again)\n    back ();\n  upc_free (&a[1]);\n  return 0;\n}\n")
    upct.compile("-g", "-fupc-plugin", "plugin.upc", output="plugin.so")
    upct.write("a.upc", "#include <dlfcn.h>\n#include <upc.h>\nshared int b[THREADS];\nvoid back (void)\n{\n  upc_free (&b[0]);\n}\n"
                        "int main (int argc, char **argv)\n{\n"
                        "  void *library = dlopen (\"./plugin.so\", RTLD_NOW);\n"
                        "  int (*fail) (int) = dlsym (library, \"fail\");\n"
                        f"  if (MYTHREAD == {thread})\n    return fail (argc - 1);\n  upc_barrier;\n  return 0;\n}}\n")
    program = upct.compile("-g", "-rdynamic", "a.upc")
    for words, line in (([], "plugin.upc:8"), (["again"], "a.upc:6")):
        result = upct.run([program, *words], THREADS=3)
        assert result.returncode == 1
        assert f"{line}: error: thread {thread}: upc_free: " in result.stderr


def test_names_without_a_slash_are_searched(upct):
    empty_plugin(upct)
    program = opener(upct, "-rdynamic")
    upct.check_prints("42\n", [program, "plugin.so"], THREADS=3, LD_LIBRARY_PATH=upct.folder)
    program = opener(upct, "-rdynamic", f"-Wl,-rpath,{upct.folder}")
    upct.check_prints("42\n", [program, "plugin.so"], THREADS=3)


def test_needs_beside_the_plugin_are_found_for_copies_too(upct):
    upct.write("dep.c", "int dep (void) { return 41; }")
    subprocess.run(["gcc", "-shared", "-fPIC", "dep.c", "-o", "libdep.so"], check=True, cwd=upct.folder)
    upct.write("plugin.upc", "int dep (void);\nint answer (void) { return dep () + 1; }\n")
    upct.compile("-fupc-plugin", "plugin.upc", "-L.", "-ldep", "-Wl,-rpath,$ORIGIN", output="plugin.so")
    upct.check_prints("42\n", [opener(upct, "-rdynamic")], THREADS=3)


@pytest.mark.parametrize("cxx", ["g++", "clang++"])
def test_statics_of_cxx_and_of_archives(upct, cxx):
    """Those that the loader makes one in the process, too."""
    upct.write("part.cc", """#include <string>
template <class T> struct of { static inline std::string text = "4"; };
extern "C" int length (void) { return of<int>::text.append ("2").size (); }
""")
    compiled(upct, "member", "static int n; int next (void) { return ++n; }", "-fPIC")
    subprocess.run(["ar", "rc", "libmember.a", "member.o"], check=True, cwd=upct.folder)
    upct.write("plugin.upc", "int length (void), next (void);\nint answer (void) { return length () * 10 + next (); }\n")
    upct.compile("-fupc-plugin", "plugin.upc", "part.cc", "-L.", "-lmember", output="plugin.so", CXX=cxx)
    program = upct.compile("-rdynamic", upct.write("a.upc", """#include <dlfcn.h>
#include <stdio.h>
#include <upc.h>
shared int results[THREADS];
int main (void)
{
  int (*answer) (void) = dlsym (dlopen ("./plugin.so", RTLD_NOW), "answer");
  results[MYTHREAD] = answer ();
  upc_barrier;
  for (int i = 0; MYTHREAD == 0 && i < THREADS; i++)
    printf ("%d\\n", results[i]);
  return 0;
}
"""))
    upct.check_prints("21\n21\n21\n", [program], THREADS=3)


def test_two_plugins_and_closing(upct):
    """Each has its own static data; what is shared stays when the plugin is closed."""
    for name in "ab":
        upct.write(f"{name}.upc", "#include <upc.h>\nshared int cells[THREADS];\nstatic int n;\n"
                                  "void put (int v) { cells[MYTHREAD] = v; n++; }\nint get (int i) { return cells[i] * 10 + n; }\n")
        upct.compile("-fupc-plugin", f"{name}.upc", output=f"{name}.so")
    program = upct.compile("-rdynamic", upct.write("main.upc", """#include <dlfcn.h>
#include <stdio.h>
#include <upc.h>
static void *library[2];
static int get (int which, int i) { return ((int (*) (int)) dlsym (library[which], "get")) (i); }
static void put (int which, int v) { ((void (*) (int)) dlsym (library[which], "put")) (v); }
int main (void)
{
  library[0] = dlopen ("./a.so", RTLD_NOW | RTLD_GLOBAL);
  library[1] = dlopen ("./b.so", RTLD_NOW | RTLD_GLOBAL);
  put (0, MYTHREAD);
  put (1, MYTHREAD + 5);
  upc_barrier;
  if (get (0, THREADS - 1) != THREADS * 10 - 9 || get (1, 0) != 51)
    puts ("wrong");
  upc_barrier;
  dlclose (library[0]);
  library[0] = dlopen ("./a.so", RTLD_NOW);
  if (get (0, THREADS - 1) != THREADS * 10 - 10)
    puts ("wrong after closing");
  return 0;
}
"""))
    for threads in (1, 4):
        upct.check_prints("", [program], THREADS=threads, UPC_CHECK="leaks")


@pytest.mark.parametrize("flags, own, message", [
    (["-fupc-pts=struct"], ["-rdynamic"], "compiled with -fupc-pts=struct, the program with -fupc-pts=packed"),
    ([], ["-rdynamic", "-fupc-pts=struct"], "compiled with -fupc-pts=packed, the program with -fupc-pts=struct"),
    (["-fupc-threads-3"], ["-rdynamic"], "compiled for 3 threads, the program runs with 2"),
    ([], [], "the program does not export the runtime; link it with -rdynamic"),
])
def test_plugins_that_do_not_fit(upct, flags, own, message):
    empty_plugin(upct, *flags)
    upct.check_prints(f"./plugin.so: {message}\n", [opener(upct, *own)], THREADS=2)


def test_other_libraries_are_the_loaders(upct):
    upct.write("c.c", "int answer (void) { return 7; }")
    subprocess.run(["gcc", "-shared", "-fPIC", "c.c", "-o", "plugin.so"], check=True, cwd=upct.folder)
    upct.check_prints("7\n", [opener(upct)], THREADS=2)
    upct.write("plugin.so", "text")
    upct.check_prints("./plugin.so: file too short\n", [opener(upct)], THREADS=2)


def test_who_else_loads_a_plugin(upct):
    """A process without UPC threads, and a library of C in a UPC program."""
    empty_plugin(upct)
    if not upct.target:
        result = upct.run([sys.executable, "-c", "import ctypes\ntry:\n  ctypes.CDLL ('./plugin.so')\nexcept OSError as e:\n  print (e)"])
        assert result.stdout.startswith("./plugin.so: undefined symbol: upc")
    upct.write("c.c", "#include <dlfcn.h>\nvoid load (void) { dlopen (\"./plugin.so\", RTLD_NOW); }")
    subprocess.run(["gcc", "-shared", "-fPIC", "c.c", "-o", "libc-opens.so"], check=True, cwd=upct.folder)
    upct.write("a.upc", "#include <upc.h>\n#include <dlfcn.h>\nvoid load (void);\nint main (void) { load (); return !dlerror; }\n")
    program = upct.compile("-g", "-rdynamic", "a.upc", "./libc-opens.so")
    result = upct.run([program], THREADS=1)
    assert result.returncode == 1
    assert result.stderr.endswith("error: thread 0: ./plugin.so is a plugin of UPC programs: "
                                  "dlopen in the program's own code loads it\n")


def test_static_shared_data_of_others_is_refused(upct):
    """By the linker, which names the object and the file."""
    upct.write("plugin.upc", "#include <upc.h>\nextern shared int theirs;\nint answer (void) { return theirs; }\n")
    result = upcc(upct, "-fupc-plugin", "plugin.upc", "-o", "plugin.so")
    assert result.returncode == 1 and "undefined reference to `theirs'" in result.stderr
    upct.write("plugin.upc", "#include <upc.h>\nextern shared int theirs[];\nint answer (void) { return theirs[2]; }\n")
    result = upcc(upct, "-fupc-plugin", "plugin.upc", "-o", "plugin.so")
    assert result.returncode == 1 and "`theirs'" in result.stderr


def test_objects_that_do_not_fit(upct):
    upct.write("a.upc", EMPTY)
    upct.write("main.upc", "int main (void) { return 0; }\n")
    upct.check_output([upct.tool("upcc"), "-c", "-fPIC", "a.upc"])
    refuses(upct, ["-fupc-plugin", "a.o", "-o", "a.so"], "a.o: not compiled with -fupc-plugin")
    upct.check_output([upct.tool("upcc"), "-c", "-fupc-plugin", "a.upc"])
    refuses(upct, ["main.upc", "a.o"], "a.o: compiled with -fupc-plugin, as libraries are that UPC programs load")
    upct.compile("-fupc-plugin", "a.o", output="plugin.so")
    upct.check_prints("42\n", [opener(upct, "-rdynamic")], THREADS=2)
    for word in ["-static", "-pie", "-fupc-check=race", "--trace"]:
        refuses(upct, ["-fupc-plugin", word, "a.upc"], f"-fupc-plugin and {word} cannot be combined", status=2)
