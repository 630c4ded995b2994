"""Programs as people write them for one process, with what compilers and linkers offer:
in threads they must do what they did."""

import os
import re

import pytest

from privatize.common import COMPILERS

pytestmark = pytest.mark.sample(2)

THREADS = 3
FOLDER = "programs"


def build(upct, names, cc, flags=(), suffix="", output_flags=()):
    """Compiles files of tests/fixtures/programs; returns the objects."""
    objects = []
    for name in names:
        objects.append(upct.path(os.path.splitext(name)[0] + suffix + ".o"))
        upct.check_output([cc, "-Wall", "-Wextra", "-Werror", *flags, *output_flags, "-c",
                           upct.fixture(f"{FOLDER}/{name}"), "-o", objects[-1]])
    return objects


def app(upct, cc, flags, suffix="", more=()):
    """The objects of app.c, with its library in an archive."""
    objects = build(upct, ["app.c", "name.c"], cc, flags, suffix, more)
    library = upct.path(f"table{suffix}.a")
    upct.check_output(["ar", "rcs", library, *build(upct, ["table.c"], cc, flags, suffix)])
    return [*objects, library]


@pytest.mark.parametrize("cc, flags, link", [
    ("gcc", "-O2", ""), ("gcc", "-O0 -g", "-rdynamic"), ("gcc", "-O2 -fPIC", "-pie"), ("clang", "-O2", "-s"),
    ("gcc", "-O2 -ffunction-sections -fdata-sections", "-Wl,--gc-sections"),
    ("clang", "-O1 -fPIE -g", "-pie -rdynamic"), ("gcc", "-O3 -fno-pie", "-Wl,-Map=map -Wl,-O1"),
    ("gcc", "-Os -finstrument-functions", ""), ("gcc", "-O2 -pg", "-pg")])
def test_application(upct, cc, flags, link):
    flags, link = flags.split(), link.split()
    plain, program = upct.path("plain"), upct.path("program")
    upct.check_output([cc, "-pie" if "-pie" in link else "-no-pie", *app(upct, cc, flags, "-plain"),
                       *(["-pg"] if "-pg" in link else []), "-o", plain])
    wanted = [upct.check_output([plain, n]) for n in range(THREADS)]
    result = upct.run([upct.tool("upcc"), *link, *app(upct, cc, flags, "-upct", ["-DUPCT"]), "-o", program])
    assert (result.returncode, result.stdout, result.stderr) == (0, "", ""), "upcc"
    assert sorted(upct.check_output([program], THREADS=THREADS).splitlines(keepends=True)) == wanted


@pytest.mark.parametrize("cxx, flags, link", [
    (cxx, flags, link) for cxx in ("g++", "clang++") for flags, link in (("-O0 -g", ""), ("-O2 -fno-pie", ""),
                                                                         ("-O2 -fPIC", "-pie"),
                                                                         ("-O1 -fvisibility=hidden -fdata-sections",
                                                                          "-static-libgcc"))])
def test_objects_of_cxx(upct, cxx, flags, link):
    names, flags = ["objects.cc", "other.cc"], ["-std=c++17", *flags.split()]
    objects = build(upct, names, cxx, flags)
    program = upct.path("program")
    upct.check_output([upct.tool("upcc"), *link.split(), *objects, "-lstdc++", "-o", program])
    wanted = []
    for n in range(THREADS):
        plain, number = upct.path("plain"), upct.write("number.c", f"int MYTHREAD = {n};\n")
        upct.check_output(["gcc", "-c", number, "-o", upct.path("number.o")])
        upct.check_output([cxx, "-pie" if link == "-pie" else "-no-pie", *objects, upct.path("number.o"), "-o", plain])
        wanted += upct.check_output([plain]).splitlines()
    for _ in range(5):
        assert sorted(upct.check_output([program], THREADS=THREADS).splitlines()) == sorted(wanted)


NOT_CLANG = pytest.mark.host_only("clang has no libraries for other processors")
PROFILED = [pytest.param(cc, marks=NOT_CLANG) if "clang" in cc else cc for cc in COMPILERS]


@pytest.mark.parametrize("cc", PROFILED)
def test_coverage_counts_all_threads(upct, cc):
    objects = build(upct, ["counted.c"], cc, ["-O0"], "", ["--coverage"])
    program = upct.path("program")
    upct.check_output([upct.tool("upcc"), "--coverage", *objects, "-o", program], UPCC_CC=cc)
    # Debian has llvm-cov by clang's version.
    report = ["gcov"] if cc == "gcc" else [upct.check_output([cc, "-print-prog-name=llvm-cov"]).strip(), "gcov"]
    for runs in (1, 2):
        upct.check_output([program], THREADS=4)
        upct.check_output([*report, "-o", upct.folder, upct.fixture(f"{FOLDER}/counted.c")])
        with open(upct.path("counted.c.gcov"), encoding="utf-8") as f:
            counts = re.findall(r"^ *(\d+):.*counted: 100 200 300 400", f.read(), re.M)
        assert counts == [str(1000 * runs)]


@pytest.mark.parametrize("cc", PROFILED)
def test_profiles_count_all_threads(upct, cc):
    """-fprofile-generate and what it is good for."""
    source = upct.fixture(f"{FOLDER}/counted.c")
    flags = ["-O2", "-fprofile-generate"]
    objects = build(upct, ["counted.c"], cc, flags)
    program = upct.path("program")
    upct.check_output([upct.tool("upcc"), "-fprofile-generate", *objects, "-o", program], UPCC_CC=cc)
    first = sorted(upct.check_output([program], THREADS=4).splitlines())
    assert [name for name in os.listdir(upct.folder) if name.endswith((".gcda", ".profraw"))]
    if cc == "gcc":
        upct.check_output([cc, "-O2", "-fprofile-use", "-Werror", "-c", source, "-o", upct.path("counted.o")])
        upct.check_output([upct.tool("upcc"), upct.path("counted.o"), "-o", program])
        assert sorted(upct.check_output([program], THREADS=4).splitlines()) == first


def test_wrapped_functions(upct):
    source = upct.write("wrap.c", """
        #include <stdio.h>
        #include <stdlib.h>
        extern int MYTHREAD;
        static int calls;
        void *__real_malloc (size_t bytes);
        void *__wrap_malloc (size_t bytes) { calls++; return __real_malloc (bytes); }
        int __real_twice (int n);
        int __wrap_twice (int n) { calls += 100; return -__real_twice (n); }
        int twice (int n);
        int main (void)
        {
          for (int i = 0; i <= MYTHREAD; i++)
            free (malloc (10));
          int n = twice (MYTHREAD);
          printf ("%d: %d %d\\n", MYTHREAD, n, calls);
          return 0;
        }
        """)
    upct.check_output(["gcc", "-O0", "-c", source, "-o", upct.path("wrap.o")])
    upct.check_output(["gcc", "-c", upct.write("twice.c", "int twice (int n) { return 2 * n; }\n"), "-o",
                       upct.path("twice.o")])
    program = upct.path("program")
    upct.check_output([upct.tool("upcc"), "-Wl,--wrap=malloc", "-Wl,--wrap,twice", upct.path("wrap.o"),
                       upct.path("twice.o"), "-o", program])
    assert sorted(upct.check_output([program], THREADS=3).splitlines()) == ["0: 0 101", "1: -2 102", "2: -4 103"]


PLUGIN_HOST = """
    #include <dlfcn.h>
    #include <stdio.h>
    int exported = 5;
    int *where (void) { return &exported; }
    int main (void)
    {
      void *plugin = dlopen ("./plugin.so", RTLD_NOW);
      if (!plugin)
        puts (dlerror ());
      else
        printf ("%d\\n", ((int (*) (void)) dlsym (plugin, "ask")) ());
      return 0;
    }
    """


@pytest.mark.parametrize("pie", ["-no-pie", "-pie"])
def test_plugins_reach_private_data_by_functions_alone(upct, pie):
    """By its name a shared library would find a variable that is there once: it is not found."""
    upct.check_output(["gcc", "-O1", "-fPIE", "-c", upct.write("host.c", PLUGIN_HOST), "-o", upct.path("host.o")])
    program = upct.path("program")
    upct.check_output([upct.tool("upcc"), pie, "-rdynamic", upct.path("host.o"), "-o", program])
    for text, wanted in [("int *where (void); int ask (void) { return (*where ())++; }", "5\n5\n"),
                         ("extern int exported; int ask (void) { return exported; }",
                          2 * "./plugin.so: undefined symbol: exported\n")]:
        upct.check_output(["gcc", "-shared", "-fPIC", upct.write("plugin.c", text + "\n"), "-o",
                           upct.path("plugin.so")])
        assert upct.check_output([program], THREADS=2) == wanted
