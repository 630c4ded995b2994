"""Programs as people write them for one process, with what compilers and linkers offer:
in threads they must do what they did."""

import os
import re

from harness import case
from privatize.common import COMPILERS

THREADS = 3
FOLDER = "programs"


def build(t, names, cc, flags=(), suffix="", output_flags=()):
    """Compiles files of tests/fixtures/programs; returns the objects."""
    objects = []
    for name in names:
        objects.append(t.path(os.path.splitext(name)[0] + suffix + ".o"))
        t.good([cc, "-Wall", "-Wextra", "-Werror", *flags, *output_flags, "-c", t.fixture(f"{FOLDER}/{name}"),
                "-o", objects[-1]])
    return objects


def app(t, cc, flags, suffix="", more=()):
    """The objects of app.c, with its library in an archive."""
    objects = build(t, ["app.c", "name.c"], cc, flags, suffix, more)
    library = t.path(f"table{suffix}.a")
    t.good(["ar", "rcs", library, *build(t, ["table.c"], cc, flags, suffix)])
    return [*objects, library]


@case(each=[
    ("gcc", "-O2", ""), ("gcc", "-O0 -g", "-rdynamic"), ("gcc", "-O2 -fPIC", "-pie"), ("clang", "-O2", "-s"),
    ("gcc", "-O2 -ffunction-sections -fdata-sections", "-Wl,--gc-sections"),
    ("clang", "-O1 -fPIE -g", "-pie -rdynamic"), ("gcc", "-O3 -fno-pie", "-Wl,-Map=map -Wl,-O1"),
    ("gcc", "-Os -finstrument-functions", ""), ("gcc", "-O2 -pg", "-pg")])
def application(t, cc, flags, link):
    flags, link = flags.split(), link.split()
    plain, program = t.path("plain"), t.path("program")
    t.good([cc, "-pie" if "-pie" in link else "-no-pie", *app(t, cc, flags, "-plain"), *(["-pg"] if "-pg" in link else []), "-o", plain])
    wanted = [t.good([plain, n]) for n in range(THREADS)]
    result = t.run([t.tool("upcc"), *link, *app(t, cc, flags, "-upct", ["-DUPCT"]), "-o", program])
    t.equal((result.returncode, result.stdout, result.stderr), (0, "", ""), "upcc")
    t.equal(sorted(t.good([program], THREADS=THREADS).splitlines(keepends=True)), wanted)


@case(each=[(cxx, flags, link) for cxx in ("g++", "clang++")
            for flags, link in (("-O0 -g", ""), ("-O2 -fno-pie", ""), ("-O2 -fPIC", "-pie"),
                                ("-O1 -fvisibility=hidden -fdata-sections", "-static-libgcc"))])
def objects_of_cxx(t, cxx, flags, link):
    names, flags = ["objects.cc", "other.cc"], ["-std=c++17", *flags.split()]
    objects = build(t, names, cxx, flags)
    program = t.path("program")
    t.good([t.tool("upcc"), *link.split(), *objects, "-lstdc++", "-o", program])
    wanted = []
    for n in range(THREADS):
        plain, number = t.path("plain"), t.write("number.c", f"int MYTHREAD = {n};\n")
        t.good(["gcc", "-c", number, "-o", t.path("number.o")])
        t.good([cxx, "-pie" if link == "-pie" else "-no-pie", *objects, t.path("number.o"), "-o", plain])
        wanted += t.good([plain]).splitlines()
    for _ in range(5):
        t.equal(sorted(t.good([program], THREADS=THREADS).splitlines()), sorted(wanted))


@case(each=COMPILERS)
def coverage_counts_all_threads(t, cc):
    objects = build(t, ["counted.c"], cc, ["-O0"], "", ["--coverage"])
    program = t.path("program")
    t.good([t.tool("upcc"), "--coverage", *objects, "-o", program], UPCC_CC=cc)
    # Debian has llvm-cov by clang's version.
    report = ["gcov"] if cc == "gcc" else [t.good([cc, "-print-prog-name=llvm-cov"]).strip(), "gcov"]
    for runs in (1, 2):
        t.good([program], THREADS=4)
        t.good([*report, "-o", t.folder, t.fixture(f"{FOLDER}/counted.c")])
        with open(t.path("counted.c.gcov"), encoding="utf-8") as f:
            counts = re.findall(r"^ *(\d+):.*counted: 100 200 300 400", f.read(), re.M)
        t.equal(counts, [str(1000 * runs)])


@case(each=COMPILERS)
def profiles_count_all_threads(t, cc):
    """-fprofile-generate and what it is good for."""
    source = t.fixture(f"{FOLDER}/counted.c")
    flags = ["-O2", "-fprofile-generate"]
    objects = build(t, ["counted.c"], cc, flags)
    program = t.path("program")
    t.good([t.tool("upcc"), "-fprofile-generate", *objects, "-o", program], UPCC_CC=cc)
    first = sorted(t.good([program], THREADS=4).splitlines())
    t.check([name for name in os.listdir(t.folder) if name.endswith((".gcda", ".profraw"))], os.listdir(t.folder))
    if cc == "gcc":
        t.good([cc, "-O2", "-fprofile-use", "-Werror", "-c", source, "-o", t.path("counted.o")])
        t.good([t.tool("upcc"), t.path("counted.o"), "-o", program])
        t.equal(sorted(t.good([program], THREADS=4).splitlines()), first)


@case
def wrapped_functions(t):
    source = t.write("wrap.c", """
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
    t.good(["gcc", "-O0", "-c", source, "-o", t.path("wrap.o")])
    t.good(["gcc", "-c", t.write("twice.c", "int twice (int n) { return 2 * n; }\n"), "-o", t.path("twice.o")])
    program = t.path("program")
    t.good([t.tool("upcc"), "-Wl,--wrap=malloc", "-Wl,--wrap,twice", t.path("wrap.o"), t.path("twice.o"), "-o", program])
    t.equal(sorted(t.good([program], THREADS=3).splitlines()), ["0: 0 101", "1: -2 102", "2: -4 103"])


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


@case(each=[("-no-pie",), ("-pie",)])
def plugins_reach_private_data_by_functions_alone(t, pie):
    """By its name a shared library would find a variable that is there once: it is not found."""
    t.good(["gcc", "-O1", "-fPIE", "-c", t.write("host.c", PLUGIN_HOST), "-o", t.path("host.o")])
    program = t.path("program")
    t.good([t.tool("upcc"), pie, "-rdynamic", t.path("host.o"), "-o", program])
    for text, wanted in [("int *where (void); int ask (void) { return (*where ())++; }", "5\n5\n"),
                         ("extern int exported; int ask (void) { return exported; }",
                          2 * "./plugin.so: undefined symbol: exported\n")]:
        t.good(["gcc", "-shared", "-fPIC", t.write("plugin.c", text + "\n"), "-o", t.path("plugin.so")])
        t.equal(t.good([program], THREADS=2), wanted)
